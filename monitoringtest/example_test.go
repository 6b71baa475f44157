package monitoringtest_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// A test of a program that triggers its checks after a deployment.
func Example() {
	svc := monitoringtest.New()
	svc.AddCheck(monitoringtest.Check{Name: "Checkout", Tags: []string{"production"}, RunTime: time.Millisecond})
	svc.AddCheck(monitoringtest.Check{
		Name: "Login", Type: monitoring.CheckTypeBrowser, Tags: []string{"production"}, RunTime: time.Millisecond,
		Outcome: monitoring.SessionFailed,
	})
	client, err := svc.Client()
	if err != nil {
		log.Fatal(err)
	}

	sessions, err := client.CheckSessions.TriggerAndWait(context.Background(),
		monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}}},
		monitoring.WaitOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range sessions {
		fmt.Println(s.Name, s.Status)
	}
	fmt.Println(svc.Executed("POST /v2/check-sessions/trigger"), "trigger carried out")

	// Output:
	// Checkout PASSED
	// Login FAILED
	// 1 trigger carried out
}

// The response to a trigger is lost: it was carried out, but the client cannot know.
func ExampleService_Inject() {
	svc := monitoringtest.NewDemo()
	client, err := svc.Client()
	if err != nil {
		log.Fatal(err)
	}
	svc.Inject(monitoringtest.Fault{
		Operation: "POST /v2/check-sessions/trigger",
		Kind:      monitoringtest.FaultResetAfter,
		Times:     1,
	})
	_, err = client.CheckSessions.Trigger(context.Background(), monitoring.TriggerRequest{AllChecks: true})
	fmt.Println(errors.Is(err, monitoring.ErrOutcomeUnknown))
	fmt.Println(svc.ExecutedOn("POST /v2/check-sessions/trigger", "Checkout API"))

	// Output:
	// true
	// 1
}

// The service on a real address, for programs that take one.
func ExampleService_Start() {
	svc := monitoringtest.NewDemo()
	address, stop := svc.Start()
	defer stop()

	client, err := monitoring.NewClient(address, monitoringtest.APIKey, monitoring.WithAccount(monitoringtest.AccountID))
	if err != nil {
		log.Fatal(err)
	}
	group, err := client.CheckGroups.Get(context.Background(), monitoringtest.DemoGroupID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group.Name)

	// Output:
	// Checkout
}

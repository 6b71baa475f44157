package monitoringtest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jarcoal/httpmock"

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

// The response to a trigger is lost: it was carried out, but the client cannot know that.
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

// An operation that the fake does not have, such as one of a newer service.
func ExampleService_Handle() {
	svc := monitoringtest.New()
	svc.Handle("GET /v1/snippets/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"id": %s, "name": "login"}`, r.PathValue("id"))
	}))
	client, err := svc.Client()
	if err != nil {
		log.Fatal(err)
	}
	type snippetType struct {
		ID   int64
		Name string
	}
	snippet, err := monitoring.Do[snippetType](context.Background(), client, http.MethodGet, "/v1/snippets/7", nil, nil)
	fmt.Println(snippet.ID, snippet.Name, err)

	// Output:
	// 7 login <nil>
}

// A failing run sends alerts over the channels of its check.
func ExampleService_AddAlertChannel() {
	svc := monitoringtest.New()
	svc.AddAlertChannel(monitoringtest.AlertChannel{Config: map[string]any{"address": "oncall@shop.test"}})
	svc.AddCheck(monitoringtest.Check{Name: "Checkout", RunTime: time.Millisecond, Outcome: monitoring.SessionFailed})
	client, err := svc.Client()
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if _, err := client.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{}); err != nil {
		log.Fatal(err)
	}
	page, err := client.AlertNotifications.List(ctx, monitoring.AlertNotificationListOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range page.Items {
		fmt.Println(n.Type, n.Status)
	}

	// Output:
	// EMAIL SUCCESS
}

// A result with a payload that the test sets.
func ExampleService_SetResult() {
	svc := monitoringtest.New()
	check := monitoringtest.UUID("checkout")
	session := svc.AddSession(monitoringtest.Session{
		CheckID: check, StartedAt: time.Now().Add(-time.Minute), Outcome: monitoring.SessionFailed,
	})
	result := svc.ResultIDs(session)[0]
	svc.SetResult(result, map[string]any{
		"apiCheckResult": map[string]any{"requestError": "connect ETIMEDOUT"},
	})
	client, err := svc.Client()
	if err != nil {
		log.Fatal(err)
	}
	r, err := client.CheckResults.Get(context.Background(), check, result)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Messages())

	// Output:
	// [connect ETIMEDOUT]
}

// A JSON document that describes the data of the service.
func ExampleService_Seed() {
	svc := monitoringtest.New()
	fmt.Println(svc.Seed([]byte(`{
		"checks": [{"name": "Checkout", "tags": ["production"], "runTime": "3s"}],
		"variables": [{"key": "SHOP_URL", "value": "https://shop.test"}]
	}`)))
	fmt.Println(svc.Seed([]byte(`{"checks": [{"name": "Login", "attempts": "three"}]}`)))

	// Output:
	// <nil>
	// monitoringtest: seed: $.checks[0].attempts: must be a number
}

// A test begins with what another one has left.
func ExampleService_Dump() {
	first := monitoringtest.New()
	first.AddVariable(monitoring.EnvironmentVariable{Key: "TOKEN", Value: monitoring.NewSecret("t0ken"), Secret: new(true)})
	account := first.Dump()                                            // could be written to a file, for tests and for the program
	fmt.Println(strings.Contains(string(account), `"value": "t0ken"`)) // secrets are in clear

	second := monitoringtest.New()
	if err := second.Seed(account); err != nil {
		log.Fatal(err)
	}
	token, _ := second.Variable("TOKEN")
	fmt.Println(token.Value.Reveal())

	// Output:
	// true
	// t0ken
}

// A service whose first answer has the name that a group had before.
func ExampleService_Next() {
	svc := monitoringtest.NewDemo()
	var reads atomic.Int64
	svc.Handle("GET /v1/check-groups/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		svc.Next(answer, r)
		body := answer.Body.String()
		if reads.Add(1) == 1 {
			body = strings.Replace(body, `"name":"Checkout"`, `"name":"Cart"`, 1)
		}
		w.WriteHeader(answer.Code)
		io.WriteString(w, body)
	}))
	client, err := svc.Client()
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		group, err := client.CheckGroups.Get(context.Background(), monitoringtest.DemoGroupID)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(group.Name)
	}

	// Output:
	// Cart
	// Checkout
}

// An in-process server, for a test that only wants to see what arrives.
func Example_httptest() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Println(r.Method, r.URL.Path, r.Header.Get("Authorization"))
		io.WriteString(w, `[{"region": "eu-central-1", "name": "Frankfurt"}]`)
	}))
	defer server.Close()
	client, err := monitoring.NewClient(server.URL, "some-key")
	if err != nil {
		log.Fatal(err)
	}
	locations, err := client.Locations.List(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(locations[0].Name)

	// Output:
	// GET /v1/locations Bearer some-key
	// Frankfurt
}

// A mocked transport, for a test that wants one response and no server.
func Example_httpmock() {
	transport := httpmock.NewMockTransport()
	transport.RegisterResponder(http.MethodGet, "https://monitoring.test/v1/check-groups/7",
		httpmock.NewStringResponder(http.StatusOK, `{"id": 7, "name": "Checkout"}`))
	client, err := monitoring.NewClient("https://monitoring.test", "some-key",
		monitoring.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		log.Fatal(err)
	}
	group, err := client.CheckGroups.Get(context.Background(), 7)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(group.Name, transport.GetTotalCallCount())

	// Output:
	// Checkout 1
}

// runner has the method of a client that the function below calls. The package exports no
// interfaces of its services: in Go, the caller declares the interface it needs.
type runner interface {
	TriggerAndWait(context.Context, monitoring.TriggerRequest, monitoring.WaitOptions, ...monitoring.CallOption) ([]*monitoring.CheckSession, error)
}

// gate runs the checks of production; client.CheckSessions is a runner.
func gate(ctx context.Context, checks runner) (bool, error) {
	sessions, err := checks.TriggerAndWait(ctx,
		monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}}}, monitoring.WaitOptions{})
	if err != nil {
		return false, err
	}
	for _, s := range sessions {
		if !s.Passed() {
			return false, nil
		}
	}
	return true, nil
}

// stub is a runner without a service.
type stub []*monitoring.CheckSession

func (s stub) TriggerAndWait(context.Context, monitoring.TriggerRequest, monitoring.WaitOptions, ...monitoring.CallOption) ([]*monitoring.CheckSession, error) {
	return s, nil
}

// A small interface of your own, for a unit test of a function that makes one call.
func Example_interface() {
	var _ runner = (*monitoring.CheckSessionsService)(nil) // the real one is a runner

	open, err := gate(context.Background(), stub{{Status: monitoring.SessionPassed}, {Status: monitoring.SessionFailed}})
	fmt.Println(open, err)

	// Output:
	// false <nil>
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

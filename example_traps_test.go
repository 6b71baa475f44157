package monitoring_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// A call can override the account of the client. A service key belongs to one account; any other is
// a 403.
func ExampleWithAccount() {
	fake, client := demo()
	_, err := client.Locations.List(context.Background(), monitoring.WithAccount("00000000-0000-4000-8000-000000000000"))
	fmt.Println(errors.Is(err, monitoring.ErrForbidden))
	_, err = client.Locations.List(context.Background())
	fmt.Println(fake.Count("GET /v1/locations"), err)
	// Output:
	// true
	// 2 <nil>
}

// The value of a secret header is removed from errors and logs. Headers that the client sets itself
// are errors.
func ExampleWithHeader() {
	fake := monitoringtest.NewDemo()
	_, err := fake.Client(monitoring.WithHeader("Authorization", "Bearer mine"))
	fmt.Println(err != nil)
	client, err := fake.Client(monitoring.WithHeader("X-Gateway-Token", "s3cr3t"))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.Locations.List(context.Background())
	fmt.Println(fake.Requests()[0].Header.Get("X-Gateway-Token"), err)
	// Output:
	// true
	// s3cr3t <nil>
}

// An import uses the part of the rate limit that other calls leave. Given to the client, the option
// applies to all its calls.
func ExampleWithBackground() {
	_, client := demo()
	ctx := context.Background()
	tags := make(map[string]int)
	for check, err := range client.Checks.All(ctx, monitoring.CheckListOptions{}, monitoring.WithBackground()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, tag := range check.Tags {
			tags[tag]++
		}
	}
	fmt.Println(tags["production"] > 0)
	// Output:
	// true
}

// Two processes that do the same take half of the limit each. The burst is what a process may send
// at once after a rest; it is a part of the limit.
func ExampleWithRateLimit() {
	_, client := demo(monitoring.WithRateLimit(monitoring.RateLimit{Requests: 300, Per: time.Minute, Burst: 50}))
	_, err := client.Locations.List(context.Background())
	fmt.Println(err)
	// A limiter has its own limit, so a second limit is an error.
	limiter, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = monitoringtest.NewDemo().Client(monitoring.WithLimiter(limiter), monitoring.WithRateLimit(monitoring.DefaultRateLimit))
	fmt.Println(err != nil)
	// Output:
	// <nil>
	// true
}

// A larger response is an error, and nothing of it is returned.
func ExampleWithMaxResponseSize() {
	_, client := demo(monitoring.WithMaxResponseSize(100))
	_, err := client.Locations.List(context.Background())
	fmt.Println(errors.Is(err, monitoring.ErrResponseTooLarge))
	// Output:
	// true
}

// The field replaces that of the request, without the rules of the API document: only the service
// finds a mistake in its name.
func ExampleWithBodyField() {
	fake := monitoringtest.New()
	id := fake.AddGroup(monitoring.CheckGroup{Name: "Shop"})
	client, err := fake.Client()
	if err != nil {
		fmt.Println(err)
		return
	}
	edit := func(g *monitoring.CheckGroup) error { g.Concurrency = new(5); return nil }
	_, err = client.CheckGroups.Edit(context.Background(), id, edit, monitoring.WithBodyField("runParalel", true))
	fmt.Println(errors.Is(err, monitoring.ErrBadRequest))
	group, err := client.CheckGroups.Edit(context.Background(), id, edit, monitoring.WithBodyField("runParallel", true))
	fmt.Println(group.RunParallel, err)
	// Output:
	// true
	// true <nil>
}

// By default, this update is sent without the variables, which the service keeps. The option
// refuses it.
func ExampleWithStrictUpdates() {
	fake, client := demo()
	id := fake.AddGroup(monitoring.CheckGroup{Name: "Shop", EnvironmentVariables: []monitoring.EnvironmentVariable{
		{Key: "TOKEN", Value: monitoring.NewSecret("sample-token"), Secret: new(true)},
	}})
	edit := func(g *monitoring.CheckGroup) error { g.Concurrency = new(5); return nil }
	_, err := client.CheckGroups.Edit(context.Background(), id, edit, monitoring.WithStrictUpdates())
	invalid, ok := errors.AsType[*monitoring.ValidationError](err)
	fmt.Println(ok && len(invalid.Violations) == 1)
	_, err = client.CheckGroups.Edit(context.Background(), id, edit)
	fmt.Println(err)
	// Output:
	// true
	// <nil>
}

// The changes are those of the request, just before it is sent.
func ExampleWithChanges() {
	_, client := demo()
	audit := monitoring.WithChanges(func(changes []monitoring.Change) {
		for _, change := range changes {
			fmt.Println(change)
		}
	})
	_, err := client.Checks.Edit(context.Background(), monitoringtest.DemoCheckID, func(c *monitoring.Check) error {
		c.Muted = new(true)
		c.Tags = append(c.Tags, "migrated")
		return nil
	}, audit)
	fmt.Println(err)
	// Output:
	// tags[3]: added "migrated"
	// muted: false -> true
	// <nil>
}

// A dry run of a bulk change shows what would be written, and what would be refused.
func ExampleErrDryRun() {
	_, client := demo()
	ctx := context.Background()
	for check, err := range client.Checks.All(ctx, monitoring.CheckListOptions{Tags: []string{"critical"}}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		show := monitoring.WithChanges(func(changes []monitoring.Change) { fmt.Println(check.Name, changes) })
		_, err = client.Checks.Edit(ctx, check.ID, func(c *monitoring.Check) error {
			c.Muted = new(true)
			return monitoring.ErrDryRun
		}, show)
		if err != nil {
			fmt.Println(check.Name, err)
		}
	}
	// Output:
	// Checkout API [muted: false -> true]
	// Payment gRPC health [muted: false -> true]
}

// The response to a create is lost. Creating again might make two checks; this looks for the one
// that was made.
func ExampleWithCreateRecovery() {
	fake, client := demo()
	fake.Inject(monitoringtest.Fault{Operation: "POST /v1/checks/url", Kind: monitoringtest.FaultResetAfter, Times: 1})
	check, err := client.Checks.Create(context.Background(), &monitoring.Check{
		Name: "Front page", Locations: []monitoring.Region{monitoring.RegionEUCentral1},
		URL: &monitoring.URLRequest{URL: "https://shop.test"},
	}, monitoring.WithCreateRecovery(time.Minute))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check.Name, fake.Executed("POST /v1/checks/url"))
	// Output:
	// Front page 1
}

// A list without pages ignores the page that is asked for, so the client would ask twice to be sure
// that it has ended. This asks once.
func ExampleWithoutPaging() {
	fake, client := demo()
	fake.Handle("GET /v1/static-ips", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `["192.0.2.1", "192.0.2.2"]`)
	}))
	addresses, err := monitoring.Collect(monitoring.All[string](context.Background(), client, "/v1/static-ips", nil,
		monitoring.WithoutPaging()))
	fmt.Println(addresses, err, fake.Count("GET /v1/static-ips"))
	// Output:
	// [192.0.2.1 192.0.2.2] <nil> 1
}

// Secrets are masked by their types, and keys are never shown.
func ExampleWithWireLog() {
	_, client := demo()
	var log bytes.Buffer
	_, err := client.Variables.Create(context.Background(),
		&monitoring.EnvironmentVariable{Key: "PASSWORD", Value: monitoring.NewSecret("hunter2")}, monitoring.WithWireLog(&log))
	fmt.Println(err, strings.Contains(log.String(), "hunter2"), strings.Contains(log.String(), monitoringtest.APIKey))
	lines := slices.Collect(strings.Lines(log.String()))
	i := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "PASSWORD") })
	fmt.Print(lines[i])
	// Output:
	// <nil> false false
	// > {"key":"PASSWORD","value":"[redacted]"}
}

// The checks run against a preview deployment, with its address and token, in one location, and
// without alerts.
func ExampleTestSessionsService_TriggerAndWait() {
	fake, client := demo()
	fake.OnTestRun(func(run *monitoringtest.TestRun) {
		if run.Variables["BASE_URL"] == "https://preview-118.shop.test" && run.Name == "Checkout API" {
			run.Outcome, run.Error = monitoring.SessionFailed, "503 is not 200"
		}
	})
	session, err := client.TestSessions.TriggerAndWait(context.Background(), monitoring.TestSessionTrigger{
		Name: "Preview 118", RunLocation: string(monitoring.RegionEUCentral1),
		Target: monitoring.TestSessionTarget{MatchTags: [][]string{{"critical"}}},
		EnvironmentVariables: []monitoring.TestSessionVariable{
			{Key: "BASE_URL", Value: monitoring.NewSecret("https://preview-118.shop.test")},
			{Key: "TOKEN", Value: monitoring.NewSecret("s-3f9a"), Secret: new(true)},
		},
		Metadata: &monitoring.TestSessionMetadata{CommitID: "9f1c2ab", BranchName: "round-prices"},
	}, monitoring.WaitOptions{Timeout: 10 * time.Minute})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(session.Verdict(), session.Messages()) // a failed check is not an error
	results, err := client.TestSessions.FetchFailingResults(context.Background(), session)
	for _, result := range results {
		fmt.Println(result.Name, result.Messages(), err)
	}
	// Output:
	// failed [Checkout API: failed]
	// Checkout API [503 is not 200] <nil>
}

// If the response to a trigger is lost, the session may be running. Find it by its time, and by
// something in its metadata that no other session has.
func ExampleTestSessionsService_Trigger() {
	fake, client := demo()
	fake.Inject(monitoringtest.Fault{Kind: monitoringtest.FaultResetAfter, Operation: "POST /v1/test-sessions/trigger"})
	trigger := monitoring.TestSessionTrigger{
		Name: "Smoke", RunLocation: string(monitoring.RegionEUCentral1), AllChecks: true,
		Metadata: &monitoring.TestSessionMetadata{CommitID: "9f1c2ab, job 88123"},
	}
	began := time.Now()
	session, err := client.TestSessions.Trigger(context.Background(), trigger)
	if errors.Is(err, monitoring.ErrOutcomeUnknown) {
		fmt.Println("unknown")
		since := monitoring.TestSessionListOptions{From: began.Add(-time.Minute)} // its clock may differ
		for entry, err := range client.TestSessions.All(context.Background(), since) {
			if err != nil {
				break
			}
			if monitoring.ValueOr(entry.CommitID, "") == trigger.Metadata.CommitID {
				session, _ = client.TestSessions.Wait(context.Background(), entry.ID, monitoring.WaitOptions{})
			}
		}
	}
	fmt.Println(session.Name, session.Done())
	// Output:
	// unknown
	// Smoke true
}

package monitoring_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// exampleClient makes a client for an in-process fake with one check, one group, one browser
// check and some variables.
func exampleClient() *monitoring.Client {
	svc := monitoringtest.New(monitoringtest.WithRunTime(time.Millisecond))
	svc.AddCheck(monitoringtest.Check{Name: "Checkout", Tags: []string{"production"}})
	svc.AddGroup(monitoring.CheckGroup{ID: 4711, Name: "Shop", Tags: []string{"production"}})
	svc.AddVariable(monitoring.NewEnvironmentVariable("API_URL", "https://api.shop.test"), monitoring.NewEnvironmentVariable("REGION", "eu"))
	client, err := svc.Client()
	if err != nil {
		panic(err)
	}
	return client
}

// This runs the checks of production, and stops a deployment unless all of them pass.
func Example() {
	fake := monitoringtest.New(monitoringtest.WithRunTime(time.Millisecond))
	fake.AddCheck(monitoringtest.Check{Name: "Checkout API", Tags: []string{"production"}})
	fake.AddCheck(monitoringtest.Check{Name: "Login flow", Tags: []string{"production"}, Outcome: monitoring.SessionFailed})
	client, err := fake.Client() // for the real service: monitoring.NewClientFromEnv()
	if err != nil {
		fmt.Println(err)
		return
	}
	sessions, err := client.CheckSessions.TriggerAndWait(context.Background(), monitoring.TriggerRequest{
		Target: monitoring.TriggerTarget{MatchTags: [][]string{{"production"}}},
	}, monitoring.WaitOptions{Timeout: 10 * time.Minute})
	deploy := err == nil // an error means that a verdict is missing
	for _, s := range sessions {
		fmt.Println(s.Name, s.Verdict(), s.Messages())
		deploy = deploy && s.Verdict().OK()
	}
	fmt.Println("deploy:", deploy, err)
	// Output:
	// Checkout API passed []
	// Login flow failed [eu-central-1: failed]
	// deploy: false <nil>
}

func ExampleNewClient() {
	client, err := monitoring.NewClient("https://monitoring.example.com", "an-API-key",
		monitoring.WithAccount("8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"),
		monitoring.WithTimeout(10*time.Second))
	fmt.Println(client, err)
	_, err = monitoring.NewClient("http://monitoring.example.com", "key")
	fmt.Println(err)
	// Output:
	// monitoring.Client(https://monitoring.example.com) <nil>
	// monitoring: new client: base URL: plain http would send the API key unencrypted: use https, or pass WithInsecureHTTP if you mean plain http
}

// A session that cannot be followed to its end does not hide the verdicts of the rest.
func ExampleCheckSessionsService_TriggerAndWait() {
	fake := monitoringtest.New(monitoringtest.WithRunTime(time.Millisecond))
	fake.AddCheck(monitoringtest.Check{Name: "Checkout"})
	fake.AddCheck(monitoringtest.Check{Name: "Slow", RunTime: time.Hour})
	client, err := fake.Client()
	if err != nil {
		fmt.Println(err)
		return
	}
	sessions, err := client.CheckSessions.TriggerAndWait(context.Background(),
		monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{Timeout: time.Second})
	for _, s := range sessions {
		fmt.Println(s.Name, s.Verdict())
	}
	for _, e := range monitoring.SessionErrors(err) {
		fmt.Println(e.Session.Name, errors.Is(e, monitoring.ErrWaitTimeout))
	}
	// Output:
	// Checkout passed
	// Slow unknown
	// Slow true
}

// The loop gets each session as soon as it has ended.
func ExampleCheckSessionsService_WaitAll() {
	fake := monitoringtest.New(monitoringtest.WithRunTime(time.Millisecond))
	for _, name := range []string{"Basket", "Checkout", "Search"} {
		fake.AddCheck(monitoringtest.Check{Name: name})
	}
	client, err := fake.Client()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	started, err := client.CheckSessions.Trigger(ctx, monitoring.TriggerRequest{AllChecks: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	var ids []string
	for _, s := range started {
		ids = append(ids, s.CheckSessionID)
	}
	for session, err := range client.CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{}) {
		if err != nil {
			fmt.Println(err) // of this session; the others go on
			continue
		}
		fmt.Println(session.Name, session.Verdict())
	}
	// Unordered output:
	// Basket passed
	// Checkout passed
	// Search passed
}

func ExampleCheckSessionsService_Trigger_noMatch() {
	client := exampleClient()
	_, err := client.CheckSessions.Trigger(context.Background(),
		monitoring.TriggerRequest{Target: monitoring.TriggerTarget{MatchTags: [][]string{{"nothing"}}}})
	fmt.Println(errors.Is(err, monitoring.ErrNoMatchingChecks))

	// A request without filters would run every check of the account.
	_, err = client.CheckSessions.Trigger(context.Background(), monitoring.TriggerRequest{})
	fmt.Println(err)
	// Output:
	// true
	// monitoring: POST /v2/check-sessions/trigger: invalid request, not sent: target: is empty, and would start every check of the account: set MatchTags or CheckIDs, or AllChecks if you mean every check
}

func ExampleCheckGroupsService_Edit() {
	client := exampleClient()
	group, err := client.CheckGroups.Edit(context.Background(), 4711, func(g *monitoring.CheckGroup) error {
		g.Concurrency = new(5)
		g.Locations = append(g.Locations, monitoring.RegionEUCentral1)
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(group.Name, group.Tags, *group.Concurrency, group.Locations)
	// Output:
	// Shop [production] 5 [eu-central-1]
}

// The service withholds one of two variables. To change the other, set the secret again.
func ExampleCheckGroup_Omitted() {
	fake, client := demo()
	id := fake.AddGroup(monitoring.CheckGroup{Name: "Shop", EnvironmentVariables: []monitoring.EnvironmentVariable{
		{Key: "URL", Value: monitoring.NewSecret("https://old.shop.test")},
		{Key: "TOKEN", Value: monitoring.NewSecret("sample-token"), Secret: new(true)},
	}})
	group, err := client.CheckGroups.Get(context.Background(), id)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(group.Omitted())

	for i := range group.EnvironmentVariables {
		switch v := &group.EnvironmentVariables[i]; v.Key {
		case "URL":
			v.Value = monitoring.NewSecret("https://new.shop.test")
		case "TOKEN":
			v.Value = monitoring.NewSecret("sample-token") // from the program's own secret store
		}
	}
	fmt.Println(group.Omitted())
	for _, change := range group.Diff() {
		fmt.Println(change)
	}
	_, err = client.CheckGroups.Update(context.Background(), group)
	fmt.Println(err)
	// Output:
	// [environmentVariables]
	// []
	// environmentVariables[0].value (URL): its value is changed
	// environmentVariables[1].value (TOKEN): a withheld secret is set
	// <nil>
}

func ExampleCheck_Omitted() {
	// The token of a heartbeat is a part of the address that machines ping. This service withholds it.
	fake := monitoringtest.New(monitoringtest.WithMoreWithheld())
	id := fake.AddCheck(monitoringtest.Check{Name: "Backup", Type: monitoring.CheckTypeHeartbeat})
	client, err := fake.Client()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	_, err = client.Checks.Edit(ctx, id, func(c *monitoring.Check) error {
		fmt.Println("Kept by the service:", c.Omitted())
		c.Heartbeat.Grace = new(20.0) // a heartbeat without the token might get another one
		return nil
	})
	fmt.Println(errors.As(err, new(*monitoring.ValidationError)))

	check, err := client.Checks.Edit(ctx, id, func(c *monitoring.Check) error {
		c.Heartbeat.Grace = new(20.0)
		c.Heartbeat.PingToken = monitoring.NewSecret("0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55")
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(check.Name, *check.Heartbeat.Grace, check.Heartbeat.PingToken)
	// Output:
	// Kept by the service: [heartbeat]
	// true
	// Backup 20 [withheld]
}

func ExampleNullable() {
	check := monitoring.Check{
		Description:     monitoring.Value("Signs in"),
		MaxResponseTime: monitoring.Value(3000.0),     // Value(3000) would be a Nullable[int]
		GroupOrder:      monitoring.Value(2),          // so is this field
		SetupSnippetID:  monitoring.Value[int64](815), // an id
		GroupID:         monitoring.Null[int64](),
	}
	fmt.Println(check.Description, check.MaxResponseTime, check.GroupOrder, check.SetupSnippetID, check.GroupID, check.RuntimeID)
	// Output:
	// Signs in 3000 2 815 null absent
}

func ExampleVariablesService_All() {
	client := exampleClient()
	for variable, err := range client.Variables.All(context.Background(), monitoring.VariableListOptions{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(variable.Key, variable.Value, variable.Value.Reveal()) // only Reveal returns the text
	}
	// Output:
	// API_URL [redacted] https://api.shop.test
	// REGION [redacted] eu
}

func ExampleAPIError() {
	client := exampleClient()
	_, err := client.CheckGroups.Get(context.Background(), 1)
	if e, ok := errors.AsType[*monitoring.APIError](err); ok {
		fmt.Println(e.StatusCode, e.Reason, errors.Is(err, monitoring.ErrNotFound))
	}
	fmt.Println(err)
	// Output:
	// 404 Not Found true
	// monitoring: GET /v1/check-groups/1 at monitoring.test: 404 Not Found
}

func ExampleWithResponse() {
	client := exampleClient()
	var response monitoring.Response
	_, err := client.Locations.List(context.Background(), monitoring.WithResponse(&response))
	fmt.Println(response.StatusCode, response.Attempts, err)
	// Output:
	// 200 1 <nil>
}

func ExampleWithAttemptHook() {
	fake, client := demo(quick, monitoring.WithAttemptHook(func(_ context.Context, a monitoring.AttemptInfo) {
		fmt.Println(a.Operation, a.Number, a.StatusCode, a.Retry)
	}))
	fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"0"}}, Times: 1})
	_, err := client.Locations.List(context.Background())
	fmt.Println(err)
	// Output:
	// GET /v1/locations 1 503 true
	// GET /v1/locations 2 200 false
	// <nil>
}

func ExampleSecret() {
	password := monitoring.NewSecret("correct horse")
	fmt.Println(password, password.Reveal())
	fmt.Printf("%+v %q\n", struct{ Password monitoring.Secret }{password}, password)
	fmt.Println(password == monitoring.NewSecret("correct horse"))

	var withheld monitoring.Secret // the service has a value but does not return it
	fmt.Println(withheld, withheld.IsWithheld())
	// Output:
	// [redacted] correct horse
	// {Password:[redacted]} [redacted]
	// true
	// [withheld] true
}

func ExampleMarshalWithSecrets() {
	variable := monitoring.NewEnvironmentVariable("TOKEN", "t-123")
	hidden, _ := json.Marshal(variable)
	fmt.Println(string(hidden))
	shown, err := monitoring.MarshalWithSecrets(variable) // for a snapshot: store it like a password
	fmt.Println(string(shown), err)
	// Output:
	// {"key":"TOKEN","value":null}
	// {"key":"TOKEN","value":"t-123"} <nil>
}

func ExampleTimestamp() {
	var t monitoring.Timestamp
	err := json.Unmarshal([]byte(`"2026-08-01T12:00:00.000+02:00"`), &t)
	fmt.Println(t.UTC().Format(time.RFC3339), t, t.DateOnly(), err) // the text of the service is kept
	// Output:
	// 2026-08-01T10:00:00Z 2026-08-01T12:00:00.000+02:00 false <nil>
}

func ExampleValidationError() {
	_, client := demo()
	_, err := client.Checks.Create(context.Background(), &monitoring.Check{TCP: &monitoring.TCPRequest{Hostname: "db.shop.test"}})
	if e, ok := errors.AsType[*monitoring.ValidationError](err); ok { // nothing was sent
		for _, v := range e.Violations {
			fmt.Println(v)
		}
	}
	// Output:
	// name: is required
	// request.port: is required
}

func ExampleCallError() {
	fake, client := demo()
	// The connection breaks after the request was sent, so the outcome is unknown.
	fake.Inject(monitoringtest.Fault{Kind: monitoringtest.FaultResetUnhandled, Operation: "POST /v2/check-sessions/trigger"})
	_, err := client.CheckSessions.Trigger(context.Background(), monitoring.TriggerRequest{AllChecks: true})
	if e, ok := errors.AsType[*monitoring.CallError](err); ok {
		fmt.Println(e.Operation, e.Attempts)
	}
	fmt.Println(errors.Is(err, monitoring.ErrOutcomeUnknown))
	// Output:
	// POST /v2/check-sessions/trigger 1
	// true
}

// ValueOr reads an optional field without a test for nil.
func ExampleValueOr() {
	var check monitoring.Check // the service returned neither
	fmt.Println(monitoring.ValueOr(check.Activated, true), monitoring.ValueOr(check.Frequency, 10))
	check.Frequency = new(5)
	fmt.Println(monitoring.ValueOr(check.Frequency, 10))
	// Output:
	// true 10
	// 5
}

// Match the meaning of an error with errors.Is, and get its details with errors.AsType.
func Example_errors() {
	fake, client := demo(monitoring.WithMaxRetries(0))
	fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusPaymentRequired})
	_, err := client.Locations.List(context.Background())
	switch {
	case err == nil:
	case errors.Is(err, monitoring.ErrOutcomeUnknown):
		fmt.Println("check before you send it again")
	case errors.Is(err, monitoring.ErrPaymentRequired):
		fmt.Println("not in the plan")
	case errors.Is(err, monitoring.ErrUnauthorized), errors.Is(err, monitoring.ErrForbidden):
		fmt.Println("check the key")
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Println("too late")
	default:
		fmt.Println(err)
	}
	// Output:
	// not in the plan
}

// Tests of your code can make the errors that the code has to handle.
func ExampleAPIError_inTests() {
	var err error = &monitoring.APIError{StatusCode: http.StatusNotFound, Kind: monitoring.ErrNoMatchingChecks}
	fmt.Println(errors.Is(err, monitoring.ErrNoMatchingChecks), errors.Is(err, monitoring.ErrNotFound))
	// Output:
	// true true
}

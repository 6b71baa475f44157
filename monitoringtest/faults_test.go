package monitoringtest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const trigger = "POST /v2/check-sessions/trigger"

func TestAFaultInMemoryLooksLikeTheRealOne(t *testing.T) {
	tests := map[string]struct {
		kind              monitoringtest.FaultKind
		op                string
		errno             syscall.Errno
		wrote             bool
		arrived, executed int
	}{
		"a refused connection":                     {monitoringtest.FaultRefuse, "dial", syscall.ECONNREFUSED, false, 0, 0},
		"a connection reset before the request":    {monitoringtest.FaultResetBeforeWrite, "write", syscall.ECONNRESET, false, 0, 0},
		"a connection reset before the handling":   {monitoringtest.FaultResetUnhandled, "read", syscall.ECONNRESET, true, 1, 0},
		"a connection reset after the handling":    {monitoringtest.FaultResetAfter, "read", syscall.ECONNRESET, true, 1, 1},
		"a response that breaks off in the middle": {monitoringtest.FaultCutBody, "", 0, true, 1, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			svc := demo()
			svc.Inject(monitoringtest.Fault{Operation: trigger, Kind: test.kind})
			var gotConn, wrote bool
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
				GotConn: func(info httptrace.GotConnInfo) {
					gotConn = true
					info.Conn.RemoteAddr() // as tracing libraries do
				},
				WroteRequest: func(httptrace.WroteRequestInfo) { wrote = true },
			})
			_, err := clientOf(t, svc).CheckSessions.Trigger(ctx, monitoring.TriggerRequest{AllChecks: true})
			require.Error(t, err)
			if test.op == "" {
				require.ErrorIs(t, err, io.ErrUnexpectedEOF)
			} else {
				require.ErrorIs(t, err, test.errno)
				var op *net.OpError
				require.ErrorAs(t, err, &op)
				require.Equal(t, test.op, op.Op)
			}
			require.Equal(t, test.kind != monitoringtest.FaultRefuse, gotConn)
			require.Equal(t, test.wrote, wrote)
			require.Equal(t, test.wrote, errors.Is(err, monitoring.ErrOutcomeUnknown), "the client knows whether it may have been carried out")
			require.Equal(t, test.arrived, svc.Count(trigger))
			require.Equal(t, test.executed, svc.Executed(trigger))
			require.Equal(t, test.executed, svc.ExecutedOn(trigger, "Checkout API"))
		})
	}
}

func TestAFaultOverLoopback(t *testing.T) {
	tests := map[string]struct {
		kind     monitoringtest.FaultKind
		want     error
		executed int
	}{
		"cannot refuse and resets instead": {monitoringtest.FaultRefuse, syscall.ECONNRESET, 0},
		"resets before the handling":       {monitoringtest.FaultResetUnhandled, syscall.ECONNRESET, 0},
		"resets after the handling":        {monitoringtest.FaultResetAfter, syscall.ECONNRESET, 1},
		"breaks the response off":          {monitoringtest.FaultCutBody, io.ErrUnexpectedEOF, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			svc := demo()
			address, stop := svc.Start()
			defer stop()
			client, err := monitoring.NewClient(address, monitoringtest.APIKey, plain()...)
			require.NoError(t, err)
			defer client.CloseIdleConnections()
			svc.Inject(monitoringtest.Fault{Operation: trigger, Kind: test.kind})
			_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
			require.ErrorIs(t, err, test.want)
			require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
			require.Equal(t, test.executed, svc.Executed(trigger))
		})
	}
}

func TestAFaultOfAStatus(t *testing.T) {
	t.Run("has the error body of the service", func(t *testing.T) {
		svc := demo()
		svc.Inject(monitoringtest.Fault{Status: 503, Header: http.Header{"Retry-After": {"7"}}})
		_, err := clientOf(t, svc).Locations.List(t.Context())
		var failed *monitoring.APIError
		require.ErrorAs(t, err, &failed)
		require.Equal(t, "Service Unavailable", failed.Reason)
		require.Equal(t, 7*time.Second, failed.RetryAfter)
	})
	t.Run("has the body it is given", func(t *testing.T) {
		svc := demo()
		svc.Inject(monitoringtest.Fault{Status: 502, Body: "<html>", Header: http.Header{"Content-Type": {"text/html"}}})
		_, err := clientOf(t, svc).Locations.List(t.Context())
		var failed *monitoring.APIError
		require.ErrorAs(t, err, &failed)
		require.Equal(t, "<html>", string(failed.Body))
		require.Equal(t, "text/html", failed.Header.Get("Content-Type"))
	})
	t.Run("has no body with NoBody", func(t *testing.T) {
		svc := demo()
		svc.Inject(monitoringtest.Fault{Status: 408, NoBody: true})
		_, err := clientOf(t, svc).Locations.List(t.Context())
		var failed *monitoring.APIError
		require.ErrorAs(t, err, &failed)
		require.Empty(t, failed.Body)
	})
	t.Run("keeps the request from being handled", func(t *testing.T) {
		svc := demo()
		svc.Inject(monitoringtest.Fault{Operation: trigger, Status: 500})
		_, err := clientOf(t, svc).CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
		require.ErrorIs(t, err, monitoring.ErrServer)
		require.Zero(t, svc.Executed(trigger))
	})
}

func TestAFaultHappens(t *testing.T) {
	statuses := func(t *testing.T, svc *monitoringtest.Service, n int) (list []int) {
		client := clientOf(t, svc)
		for range n {
			var response monitoring.Response
			client.Locations.List(t.Context(), monitoring.WithResponse(&response))
			list = append(list, response.StatusCode)
		}
		return list
	}
	t.Run("Times times, after After requests", func(t *testing.T) {
		svc := demo()
		svc.Inject(monitoringtest.Fault{Status: 500, After: 1, Times: 2})
		require.Equal(t, []int{200, 500, 500, 200}, statuses(t, svc, 4))
	})
	t.Run("in the order of injection", func(t *testing.T) {
		svc := demo()
		svc.Inject(monitoringtest.Fault{Status: 500, Times: 1}, monitoringtest.Fault{Status: 503, Times: 1})
		require.Equal(t, []int{500, 503, 200}, statuses(t, svc, 3))
	})
	t.Run("to its operation only", func(t *testing.T) {
		svc := demo()
		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/variables", Status: 500})
		require.Equal(t, []int{200}, statuses(t, svc, 1))
	})
	t.Run("with its probability, the same in each run", func(t *testing.T) {
		svc, again := demo(), demo()
		svc.Inject(monitoringtest.Fault{Status: 500, Probability: 0.5})
		again.Inject(monitoringtest.Fault{Status: 500, Probability: 0.5})
		list := statuses(t, svc, 200)
		n := 0
		for _, s := range list {
			if s == 500 {
				n++
			}
		}
		require.InDelta(t, 100, n, 30)
		require.Equal(t, list, statuses(t, again, 200))
	})
	t.Run("no more once faults are cleared", func(t *testing.T) {
		svc := demo()
		svc.Inject(monitoringtest.Fault{Status: 500})
		svc.ClearFaults()
		require.Equal(t, []int{200}, statuses(t, svc, 1))
	})
	t.Run("after its delay", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithLatency(50 * time.Millisecond))
			svc.Inject(monitoringtest.Fault{Delay: time.Minute})
			start := time.Now()
			require.Equal(t, []int{0}, statuses(t, svc, 1), "the attempt times out")
			require.Equal(t, 30*time.Second, time.Since(start))
			svc.ClearFaults()
			start = time.Now()
			require.Equal(t, []int{200}, statuses(t, svc, 1))
			require.Equal(t, 50*time.Millisecond, time.Since(start))
		})
	})
}

func TestRetriesSucceedAfterSomeFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.NewDemo()
		client, err := svc.Client()
		require.NoError(t, err)
		for _, kind := range []monitoringtest.FaultKind{
			monitoringtest.FaultRefuse, monitoringtest.FaultResetBeforeWrite, monitoringtest.FaultResetUnhandled,
			monitoringtest.FaultResetAfter, monitoringtest.FaultCutBody,
		} {
			svc.Inject(monitoringtest.Fault{Kind: kind, Times: 1})
		}
		_, err = client.Locations.List(t.Context())
		require.NoError(t, err)
		svc.Inject(monitoringtest.Fault{Operation: trigger, Kind: monitoringtest.FaultRefuse, Times: 2})
		_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
		require.NoError(t, err)
		require.Equal(t, 1, svc.Executed(trigger))
	})
}

func TestMistakesOfATestPanicWithAMessage(t *testing.T) {
	svc := monitoringtest.New()
	twice := svc.AddCheck(monitoringtest.Check{Name: "Login"})
	channel := svc.AddAlertChannel(monitoringtest.AlertChannel{})
	inject := func(f monitoringtest.Fault) func() { return func() { svc.Inject(f) } }
	check := func(c monitoringtest.Check) func() { return func() { svc.AddCheck(c) } }
	session := func(x monitoringtest.Session) func() { return func() { svc.AddSession(x) } }
	mistakes := map[string]struct {
		do   func()
		text string
	}{
		"a fault of an unknown operation":         {inject(monitoringtest.Fault{Operation: "GET /v1/location"}), `there is no operation "GET /v1/location"`},
		"a fault of an impossible chance":         {inject(monitoringtest.Fault{Probability: 1.5}), "probability 1.5 is outside 0..1"},
		"a fault of an impossible status":         {inject(monitoringtest.Fault{Status: 42}), "status 42"},
		"a fault of an unknown kind":              {inject(monitoringtest.Fault{Kind: 77}), "FaultKind(77)"},
		"a fault that happens -1 times":           {inject(monitoringtest.Fault{Times: -1}), "must not be negative"},
		"a fault after a negative time":           {inject(monitoringtest.Fault{DelayAfter: -1}), "must not be negative"},
		"a fault with a body and without":         {inject(monitoringtest.Fault{Body: "x", NoBody: true}), "contradict"},
		"a fault of an id in a path without":      {inject(monitoringtest.Fault{Operation: "GET /v1/checks", ID: twice}), "can never happen, because the path of GET /v1/checks has no value"},
		"a fault of the body of a read":           {inject(monitoringtest.Fault{Operation: "GET /v1/checks", BodyContains: "x"}), "can never happen, because GET /v1/checks has no body"},
		"a refusal with a status":                 {inject(monitoringtest.Fault{Kind: monitoringtest.FaultRefuse, Status: 500}), "FaultRefuse sends no response"},
		"a gateway that cuts bodies":              {inject(monitoringtest.Fault{Kind: monitoringtest.FaultCutBody, CutAfter: 1}), "a gateway cuts"},
		"a count of an unknown operation":         {func() { svc.Count("GET /v1/location") }, "there is no operation"},
		"an unknown operation carried out":        {func() { svc.Executed("POST /v1/check") }, "there is no operation"},
		"an unknown operation on a subject":       {func() { svc.ExecutedOn("POST /v1/check", "x") }, "there is no operation"},
		"a read that was carried out":             {func() { svc.Executed("GET /v1/checks") }, "GET /v1/checks changes nothing, so it is never counted as executed: use Count"},
		"a read that was carried out on one":      {func() { svc.ExecutedOn("GET /v1/checks/{id}", twice) }, "changes nothing"},
		"a limit of an unknown operation":         {func() { svc.LimitRoute("GET /v1/x", monitoring.DefaultRateLimit) }, "there is no operation"},
		"an outcome that is not an end":           {check(monitoringtest.Check{Outcome: monitoring.SessionProgress}), "no session ends PROGRESS"},
		"an outcome in lower case":                {check(monitoringtest.Check{Outcome: "failed"}), `"failed" is not in upper case: write "FAILED"`},
		"a type in lower case":                    {check(monitoringtest.Check{Type: "api"}), `"api" is not in upper case: write "API"`},
		"a channel in lower case":                 {func() { svc.AddAlertChannel(monitoringtest.AlertChannel{Type: "slack"}) }, `"slack" is not in upper case`},
		"a session in lower case":                 {session(monitoringtest.Session{Type: "api"}), `"api" is not in upper case: write "API"`},
		"a failure outside the default location":  {check(monitoringtest.Check{FailIn: []string{"us-east-1"}}), `it fails in "us-east-1", which is not one of its locations`},
		"a session that fails outside it":         {session(monitoringtest.Session{FailIn: []string{"us-east-1"}}), `it fails in "us-east-1"`},
		"two checks with one id":                  {check(monitoringtest.Check{ID: twice}), "a check with the id"},
		"a check with an id that is not a UUID":   {check(monitoringtest.Check{ID: "login"}), `monitoringtest.UUID("login")`},
		"a negative number of attempts":           {check(monitoringtest.Check{Attempts: -1}), "-1 attempts"},
		"a million attempts":                      {session(monitoringtest.Session{Attempts: 1_000_000}), "1000000 attempts"},
		"a negative run time":                     {check(monitoringtest.Check{RunTime: -time.Second}), "-1s: it must not be negative"},
		"a failure in another location":           {session(monitoringtest.Session{Locations: []string{"a"}, FailIn: []string{"b"}}), `fails in "b"`},
		"a session with an id that is not a UUID": {session(monitoringtest.Session{CheckID: "login"}), `monitoringtest.UUID("login")`},
		"the outcome of an unknown check":         {func() { svc.SetOutcome("nope", monitoring.SessionPassed) }, "no check with the id nope"},
		"a result that is not there":              {func() { svc.SetResult("nope", nil) }, "no result with the id nope"},
		"the results of an unknown session":       {func() { svc.ResultIDs("nope") }, "no session with the id nope"},
		"two snippets with one id":                {func() { svc.AddSnippet(monitoring.Snippet{ID: svc.AddSnippet(monitoring.Snippet{})}) }, "a snippet with the id 1001 exists already"},
		"two channels with one id":                {func() { svc.AddAlertChannel(monitoringtest.AlertChannel{ID: channel}) }, "an alert channel with the id "},
		"a rate limit of nothing":                 {func() { monitoringtest.WithRateLimit(monitoring.RateLimit{Per: time.Second}) }, "rate limit of 0"},
		"an unknown kind of a rate limit":         {func() { monitoringtest.WithRateLimitKind(9) }, "RateLimitKind(9)"},
		"a speed of 0":                            {func() { monitoringtest.WithSpeed(0) }, "WithSpeed: 0 is not"},
		"a retention of nothing":                  {func() { monitoringtest.WithRetention(time.Hour, 0) }, "WithRetention: want a positive"},
		"an account that is not a UUID":           {func() { monitoringtest.WithAccountID("acme") }, "UUID"},
		"a configuration that is not JSON":        {func() { svc.AddAlertChannel(monitoringtest.AlertChannel{Config: map[string]any{"f": func() {}}}) }, "as JSON"},
		"a result that is not JSON":               {check(monitoringtest.Check{Result: map[string]any{"f": func() {}}}), "as JSON"},
		"a group without an id":                   {func() { svc.AddGroupJSON(`{"name":"x"}`) }, "the group has no id"},
		"a pattern without a method":              {func() { svc.Handle("/v1/x", http.NotFoundHandler()) }, "is not a method and a path"},
		"a pattern with half a value":             {func() { svc.Handle("GET /v1/{id", http.NotFoundHandler()) }, "write {name}"},
		"a pattern with a value in a word":        {func() { svc.Handle("GET /v1/x{id}", http.NotFoundHandler()) }, "whole segment"},
		"a pattern with two values of a name":     {func() { svc.Handle("GET /v1/{id}/{id}", http.NotFoundHandler()) }, "two values"},
		"a pattern with a rest in the middle":     {func() { svc.Handle("GET /v1/{id...}/x", http.NotFoundHandler()) }, "only be last"},
		"a handler that is nil":                   {func() { svc.Handle("GET /v1/x", nil) }, "is nil"},
	}
	for name, mistake := range mistakes {
		t.Run(name, func(t *testing.T) {
			defer func() {
				require.Contains(t, fmt.Sprint(recover()), mistake.text)
			}()
			mistake.do()
		})
	}
	_, err := clientOf(t, svc).Locations.List(t.Context())
	require.NoError(t, err, "the service goes on after a mistake")
}

func TestACallWhoseContextHasEndedDoesNotArrive(t *testing.T) {
	svc := monitoringtest.New()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, monitoringtest.BaseURL+"/v1/locations", nil)
	require.NoError(t, err)
	_, err = svc.Transport().RoundTrip(request)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, svc.Count(""))
}

func TestARequestAsksForAStatusInItsHeader(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithUnexpected())
	for text, want := range map[string]string{
		"503": `{"statusCode": 503, "error": "Service Unavailable", "message": "Service Unavailable"}`,
		"401": `{"statusCode": 401, "error": "Unauthorized", "message": "Bad Token", "attributes": {"error": "Bad Token"}}`,
		"99":  `{"statusCode": 400, "error": "Bad Request", "message": "X-Fake-Status: \"99\" is not a status from 200 to 599"}`,
		"ten": `{"statusCode": 400, "error": "Bad Request", "message": "X-Fake-Status: \"ten\" is not a status from 200 to 599"}`,
	} {
		request := newRequest(t, "GET", "/v1/locations", "")
		request.Header.Set("X-Fake-Status", text)
		_, body := sendOnce(t, svc, request)
		require.JSONEq(t, want, body)
	}
	require.Empty(t, svc.Unexpected(), "they were asked for")
	require.NoError(t, list(t, svc), "another request is served")
}

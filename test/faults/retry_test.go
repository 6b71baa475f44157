package faults_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// What may be done with an error.
const (
	safe       = "safe to retry"
	unknown    = "unknown"
	carriedOut = "carried out"
	unsure     = "not safe, and none of the two values"
)

// TestWhichErrorsAreSafeToRetry has all errors of this package, and all faults of all classes.
func TestWhichErrorsAreSafeToRetry(t *testing.T) {
	type row struct {
		name, want string
		err        error
	}
	redirect := func(status int) testkit.RoundTripper {
		return func(*http.Request) (*http.Response, error) {
			return testkit.Respond(status, http.Header{"Location": {"https://elsewhere.test/"}}, ""), nil
		}
	}
	var rows []row
	add := func(want, name string, err error) { rows = append(rows, row{name, want, err}) }
	try := func(t *testing.T, want, kind, name string, transport testkit.RoundTripper, opts ...monitoring.ClientOption) error {
		err := kit.FirstOfKind[kind](t.Context(), kit.Once(t, transport, opts...))
		if err != nil {
			add(want, kind+": "+name, err)
		}
		return err
	}
	var read, lost, done error
	synctest.Test(t, func(t *testing.T) {
		for _, c := range contract {
			for kind := range strings.FieldsSeq(c.kinds) {
				want := safe
				switch {
				case !strings.Contains(unsafe, kind):
				case c.want.unknown:
					want = unknown
				case strings.Contains(c.want.text, "the request succeeded"):
					want = carriedOut
				}
				try(t, want, kind, c.fault, testkit.Faults[c.fault])
			}
		}
		read = try(t, safe, "read", "503", testkit.Faults["503"])
		lost = try(t, unknown, "create", "503", testkit.Faults["503"])
		for _, kind := range []string{"create", "trigger"} {
			try(t, carriedOut, kind, "204", testkit.Status(204, ""))
			done = try(t, carriedOut, kind, "without its id", testkit.Status(201, `{"name":"n","sessions":null}`))
			try(t, unknown, kind, "too large", testkit.Status(201, `{"id":"`+strings.Repeat("x", 2000)+`"}`), monitoring.WithMaxResponseSize(1000))
			try(t, safe, kind, "402", testkit.Status(402, "{}"))
			try(t, safe, kind, "409", testkit.Status(409, "{}"))
			try(t, safe, kind, "307 to elsewhere", redirect(307))
			try(t, unknown, kind, "301 to elsewhere", redirect(301))
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			add(safe, kind+": before it was sent", kit.FirstOfKind[kind](ended, kit.Client(t, testkit.Faults["503"])))
			limited, stop := context.WithTimeout(t.Context(), time.Second)
			add(unknown, kind+": while it was sent", kit.FirstOfKind[kind](limited, kit.Client(t, testkit.Faults["response slower than the timeout"])))
			stop()
		}
		add(safe, "update: 204", kit.Second(kit.Client(t, testkit.Status(204, "")).CheckGroups.Update(t.Context(), renamed())))
		add(safe, "update: another id", kit.Second(kit.Client(t, testkit.Status(200, `{"id":7}`)).CheckGroups.Update(t.Context(), renamed())))

		client := kit.Client(t, testkit.Faults["503"], monitoring.WithMaxRetries(0))
		all := monitoring.TriggerRequest{AllChecks: true}
		add(safe, "a request that is not valid", kit.Second(client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{})))
		add(safe, "an option that is not valid", kit.Second(client.CheckSessions.Trigger(t.Context(), all, monitoring.WithMaxRetries(-1))))
		add(safe, "a body that cannot be encoded", kit.Second(monitoring.Do[any](t.Context(), client, "POST", "/v1/x", nil, func() {})))
		add(safe, "a body that is not sent", kit.Second(monitoring.Do[any](t.Context(), client, "POST", "/v1/x", nil, []byte("x"))))
		add(safe, "a type that cannot hold JSON", kit.Second(monitoring.Do[func()](t.Context(), client, "POST", "/v1/x", nil, nil)))
		add(safe, "no client", kit.Second((&monitoring.Client{}).CheckSessions.Trigger(t.Context(), all)))
		add(safe, "options of a wait", kit.Second(client.CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{Timeout: -1})))
		add(safe, "no such untyped object", kit.Second(monitoring.Do[any](t.Context(), kit.Client(t, testkit.Faults["404"]), "PATCH", "/v1/x", nil, nil)))
		add(unknown, "an untyped change", kit.Second(monitoring.Do[any](t.Context(), client, "PATCH", "/v1/x", nil, nil)))
		add(carriedOut, "an untyped create that cannot be read", kit.Second(monitoring.Do[int](t.Context(), kit.Client(t, testkit.Status(200, `"x"`)), "POST", "/v1/x", nil, nil)))
		add(safe, "a page", kit.Second(monitoring.Collect(client.Variables.All(t.Context(), monitoring.VariableListOptions{}))))
		add(safe, "items", kit.Second(monitoring.Collect(kit.Client(t, testkit.Status(200, `[{"key":{}},{"key":[]}]`)).Variables.All(t.Context(), monitoring.VariableListOptions{}))))
		add(safe, "results", kit.Second(client.CheckSessions.FetchFailingResults(t.Context(), &monitoring.CheckSession{Results: []monitoring.CheckSessionResult{
			{CheckID: kit.UUID1, CheckResultID: kit.UUID2, ResultType: new(monitoring.ResultFinal), HasFailures: true},
			{CheckID: kit.UUID1, CheckResultID: kit.UUID1, ResultType: new(monitoring.ResultFinal), HasFailures: true},
		}})))
		add(safe, "an edit of another kind", kit.Second(kit.Client(t, testkit.Status(200, `{"id":"`+kit.UUID1+`","checkType":"API"}`)).Checks.Edit(t.Context(), kit.UUID1, func(c *monitoring.Check) error {
			c.API, c.TCP = nil, &monitoring.TCPRequest{Hostname: "h", Port: 1}
			return nil
		})))
		add(unsure, "an error of the function of an edit", kit.Second(kit.Client(t, testkit.Status(200, `{"id":7}`)).CheckGroups.Edit(t.Context(), 7, func(*monitoring.CheckGroup) error { return io.EOF })))
		add(safe, "the read of an edit", kit.Second(client.CheckGroups.Edit(t.Context(), 7, func(*monitoring.CheckGroup) error { return nil })))
		add(safe, "nothing matches", kit.Second(kit.Client(t, testkit.Status(201, `{"sessions":[]}`)).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{})))
		add(unsure, "a wait", kit.Second(client.CheckSessions.Wait(t.Context(), kit.UUID1, monitoring.WaitOptions{Timeout: time.Second})))
		add(unsure, "a wait with a trigger", kit.Second(kit.Fake(t, monitoringtest.NewDemo()).CheckSessions.TriggerAndWait(t.Context(), all, monitoring.WaitOptions{Timeout: time.Millisecond})))
		add(unsure, "a wait for an analysis", kit.Second(client.RootCauseAnalyses.Wait(t.Context(), kit.UUID1)))
	})
	rows = append(rows, []row{
		{"nil", unsure, nil},
		{"another error", unsure, io.EOF},
		{"a context", unsure, context.Canceled},
		{"a network error", unsure, &net.OpError{Op: "dial", Err: io.EOF}},
		{"a value alone", unsure, monitoring.ErrNotFound},
		{"JSON that cannot be read", unsure, &monitoring.DecodeError{}},
		{"a wrapped read", safe, fmt.Errorf("list: %w", read)},
		{"a wrapped create", unknown, fmt.Errorf("create: %w", lost)},
		{"two reads", safe, errors.Join(read, read)},
		{"a read and another error", unsure, errors.Join(read, io.EOF)},
		{"a read that wraps another error, too", unsure, fmt.Errorf("%w: %w", read, io.EOF)},
		{"a read and a create", unknown, errors.Join(read, lost)},
		{"a read and one that was carried out", carriedOut, errors.Join(read, done)},
		{"the value unknown", unknown, monitoring.ErrOutcomeUnknown},
		{"the value carried out", carriedOut, fmt.Errorf("%w", monitoring.ErrResultLost)},
		{"a made 404", safe, &monitoring.APIError{StatusCode: 404}},
		{"a made 503 of a read", safe, &monitoring.APIError{StatusCode: 503, Method: "GET"}},
		{"a made 503", unsure, &monitoring.APIError{StatusCode: 503}},
		{"a made 503 of a create", unknown, &monitoring.APIError{StatusCode: 503, Kind: monitoring.ErrOutcomeUnknown}},
		{"a request that is not valid", safe, &monitoring.ValidationError{}},
		{"an object that has changed", safe, &monitoring.StaleUpdateError{}},
		{"an update with a reset secret", safe, &monitoring.WithheldResetError{}},
		{"an update that the answer does not show", safe, &monitoring.UpdateIgnoredError{}},
		{"a session", unsure, &monitoring.SessionError{Err: read}},
		{"zero", unsure, &monitoring.APIError{}}, {"zero", unsure, &monitoring.CallError{}},
		{"nil", unsure, (*monitoring.APIError)(nil)}, {"nil", unsure, (*monitoring.CallError)(nil)}, {"nil", unsure, (*monitoring.ValidationError)(nil)},
		{"nil", unsure, (*monitoring.PageError)(nil)}, {"nil", unsure, (*monitoring.ItemError)(nil)}, {"nil", unsure, (*monitoring.SessionError)(nil)},
		{"nil", unsure, (*monitoring.StaleUpdateError)(nil)}, {"nil", unsure, (*monitoring.WithheldResetError)(nil)}, {"nil", unsure, (*monitoring.UpdateIgnoredError)(nil)},
	}...)
	for _, r := range rows {
		got := unsure
		switch isUnknown, isDone := errors.Is(r.err, monitoring.ErrOutcomeUnknown), errors.Is(r.err, monitoring.ErrResultLost); {
		case isUnknown && isDone:
			got = "both values match"
		case isUnknown:
			got = unknown
		case isDone:
			got = carriedOut
		case monitoring.SafeToRetry(r.err):
			got = safe
		}
		require.Equal(t, r.want, got, "%s: %v", r.name, r.err)
		require.Equal(t, got == safe, monitoring.SafeToRetry(r.err), "%s: %v", r.name, r.err)
	}
	require.Greater(t, len(rows), 250)
}

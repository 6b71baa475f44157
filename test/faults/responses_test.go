package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestEveryResponseInTestdataFitsItsType(t *testing.T) {
	files := kit.Files(t, "testdata/responses/*.json")
	require.Greater(t, len(files), 100)
	for _, file := range files {
		operation, kind, _ := strings.Cut(filepath.Base(file), ".")
		status := http.StatusOK
		if strings.HasPrefix(kind, "202-") {
			status = http.StatusAccepted
		}
		sent := kit.File(t, file)
		value, err := kit.Respond(t, operation, status, sent)
		require.NoError(t, err, file)
		require.Empty(t, missing("", kit.ParseJSON(t, sent), kit.ParseJSON(t, kit.ToJSON(t, value))), file)
	}
}

// missing says what is lost of JSON that was sent in the JSON of the value it was read into. What
// was not sent, or sent as null, may be there as null or zero.
func missing(path string, sent, got any) (problems []string) {
	same := true
	switch want := sent.(type) {
	case nil:
		same = isZero(got)
	case map[string]any:
		var members map[string]any
		members, same = got.(map[string]any)
		for name, value := range want {
			if name == "checkType" && value == nil {
				continue // the operation says the kind
			}
			back, ok := members[name]
			if !ok && strings.HasSuffix(path, "finalHopLatency") {
				back, ok = members[spellings[name]]
			}
			if ok || value != nil && !strings.HasPrefix(name, "future") && name != "truncated" { // a later version of the service has it; false is as good as absent
				problems = append(problems, missing(path+"."+name, value, back)...)
			}
		}
	case []any:
		var items []any
		items, same = got.([]any)
		if same = same && len(items) == len(want); same {
			for i := range want {
				problems = append(problems, missing(fmt.Sprintf("%s[%d]", path, i), want[i], items[i])...)
			}
		}
	case json.Number:
		a, _ := new(big.Rat).SetString(want.String())
		number, _ := got.(json.Number)
		b, ok := new(big.Rat).SetString(number.String())
		same = ok && a.Cmp(b) == 0
	default:
		same = sent == got
	}
	if !same {
		problems = append(problems, fmt.Sprintf("%s: sent %v, got %v", path, sent, got))
	}
	return problems
}

// spellings are the other member names of latencies.
var spellings = map[string]string{
	"avg_ms": "avgMs", "best_ms": "bestMs", "worst_ms": "worstMs", "avg": "avgMs", "min": "bestMs", "max": "worstMs",
}

func isZero(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, member := range v {
			if !isZero(member) {
				return false
			}
		}
		return true
	}
	return v == nil || v == false || v == "" || v == json.Number("0")
}

func TestWhatASessionSaysOfItself(t *testing.T) {
	old := kit.Decode[*monitoring.CheckSession](t, "get-v1-check-session.timed-out-cancelled")
	require.Equal(t, monitoring.SessionTimedOut, old.Status)
	require.True(t, old.Cancelled())
	require.False(t, old.Passed())
	require.True(t, kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.cancelled").Cancelled())
	passed := kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.passed-on-retry")
	require.False(t, passed.Cancelled())
	passed.TimeElapsed = 80_000
	require.Equal(t, 34785*time.Millisecond, passed.Duration(), "from its start to its end")
	require.True(t, passed.Passed())
	require.Len(t, passed.FinalResults(), 2)
	require.Len(t, passed.Attempts(), 1)
	require.Empty(t, passed.FailingResults(), "the attempt that failed is not final")
	running := kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.progress-failed")
	require.False(t, running.Done())
	require.Nil(t, running.Results[1].ResultType)
	require.Nil(t, running.Results[1].ResponseTime)
	require.Equal(t, 4312250*time.Microsecond, running.Duration(), "which is TimeElapsed")
	for _, unknown := range []monitoring.CheckSession{{StoppedAt: passed.StoppedAt}, {StartedAt: passed.StartedAt, StoppedAt: &monitoring.Timestamp{}}} {
		require.Zero(t, unknown.Duration(), "the start or the end is missing")
	}
	unknown := kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.unknown-members")
	require.True(t, unknown.Done(), "it has stopped, although its status is unknown")
	require.False(t, unknown.Passed())
}

// ofNullable returns the value of a Nullable.
func ofNullable[T any](n monitoring.Nullable[T]) T {
	value, _ := n.Get()
	return value
}

func TestOneUnusualMemberDoesNotFailAResponse(t *testing.T) {
	group, err := kit.Respond(t, "get-v1-check-group", 200, `{"id":9007199254740993.0,"name":"g","concurrency":2.0,"runtimeId":2024.10,"alertSettings":{"reminders":{"amount":1.0,"interval":5.5}},`+
		`"retryStrategy":{"maxRetries":2.0,"baseBackoffSeconds":1.5,"onlyOn":"NETWORK_ERROR"},"apiCheckDefaults":{"headers":[{"key":"k","value":5}],"assertions":[{"target":200,"property":5,"regex":{"a": 1.0}}]},"tags":"one"}`)
	require.NoError(t, err)
	g := group.(*monitoring.CheckGroup)
	require.Equal(t, int64(9007199254740993), g.ID)
	require.Equal(t, monitoring.RuntimeID("2024.10"), ofNullable(g.RuntimeID))
	require.Equal(t, []string{"one"}, g.Tags)
	require.Equal(t, "5", g.APICheckDefaults.Headers[0].Value.Reveal())
	assertion := g.APICheckDefaults.Assertions[0]
	require.Equal(t, []string{"200", "5", `{"a": 1.0}`}, []string{*assertion.Target, *assertion.Property, ofNullable(assertion.Regex)})
	require.Equal(t, 2, *ofNullable(g.RetryStrategy).MaxRetries)
	require.Equal(t, []monitoring.RetryCondition{monitoring.RetryOnNetworkError}, ofNullable(g.RetryStrategy).OnlyOn)
	require.Equal(t, 1, *ofNullable(g.AlertSettings).Reminders.Amount)
	require.Equal(t, 5, *ofNullable(g.AlertSettings).Reminders.Interval)
	require.Equal(t, 1.5, *ofNullable(g.RetryStrategy).BaseBackoffSeconds)
	update, err := json.Marshal(g)
	require.NoError(t, err)
	require.Contains(t, string(update), `"baseBackoffSeconds":1.5`)

	check, err := kit.Respond(t, "post-v1-checks-tcp", 201, "\ufeff"+`{"id":"c","runtimeId":2024.10,"request":{"port":443.0,"data":{"a": 1.0}},"alertChannels":{"sms":[{"number":4915112345678}]}}`)
	require.NoError(t, err)
	data, _ := check.(*monitoring.Check).TCP.Data.Get()
	require.Equal(t, `{"a": 1.0}`, data)
	require.Equal(t, monitoring.Value(monitoring.RuntimeID("2024.10")), check.(*monitoring.Check).RuntimeID)
	require.Equal(t, "4915112345678", check.(*monitoring.Check).AlertChannels.SMS[0].Number)

	alerts, err := kit.Respond(t, "get-v1-alert-notifications", 200, `[{"id":"a","notificationResult":{"status":503},"alertConfig":{"n":1.0},"alertChannelId":7.0}]`)
	require.NoError(t, err)
	alert := alerts.([]monitoring.AlertNotification)[0]
	require.Equal(t, `{"status":503}`, *alert.NotificationResult)
	require.Equal(t, `{"n":1.0}`, string(alert.AlertConfig.Reveal()), "raw members are never rewritten")

	ofChecks, err := kit.Respond(t, "get-v1-check-alerts", 200, `[{"id":"a","statusCode":503}]`)
	require.NoError(t, err)
	require.Equal(t, "503", *ofChecks.([]monitoring.CheckAlert)[0].StatusCode)

	groups, err := kit.Respond(t, "get-v1-error-groups", 200, `[{"id":"e","rawErrorMessage":{"code":1},"rootCauseAnalyses":[{"n":9007199254740993.0}]}]`)
	require.NoError(t, err)
	require.Equal(t, `{"code":1}`, *groups.([]monitoring.ErrorGroup)[0].RawErrorMessage)
	require.Equal(t, `{"n":9007199254740993.0}`, string(groups.([]monitoring.ErrorGroup)[0].RootCauseAnalyses[0]))
}

// A response may have the status of a success and still not be the answer to its request.

// objectCalls are the operations whose response is one object.
func objectCalls(t *testing.T) (list []kit.Operation) {
	t.Helper()
	for _, o := range kit.Operations {
		switch o.Kind {
		case "read", "poll", "update", "create", "trigger":
			if !strings.HasPrefix(strings.TrimSpace(kit.SuccessFor(t, o)), "[") { // a list that comes whole
				list = append(list, o)
			}
		}
	}
	require.Greater(t, len(list), 10)
	return list
}

// errorObject says that the service failed, whatever the status is.
const errorObject = `{"statusCode":400,"error":"Bad Request","id":"x","name":{}}`

func TestASuccessThatIsNoAnswerIsAnErrorAndNotRetried(t *testing.T) {
	for _, o := range objectCalls(t) {
		for _, body := range []string{"\ufeff\n null ", " {\n} ", errorObject} {
			if o.OrNull && strings.Contains(body, "null") {
				continue
			}
			client, sent := kit.Recorded(t, o.Status, body, monitoring.WithMaxRetries(1))
			err := o.Try(t.Context(), client)
			require.ErrorAs(t, err, new(*monitoring.DecodeError), "%s: %s", o.Name, body)
			require.Len(t, sent.Sent, 1)
			unsafe, refused := o.Kind == "create" || o.Kind == "trigger", body == errorObject
			require.Equal(t, unsafe && refused, errors.Is(err, monitoring.ErrOutcomeUnknown), err)
			require.Equal(t, unsafe && !refused, strings.Contains(err.Error(), "the request succeeded"), err)
			require.Equal(t, unsafe && !refused, errors.Is(err, monitoring.ErrResultLost), err)
		}
	}
	client, _ := kit.Recorded(t, http.StatusNoContent, "")
	_, err := client.CheckGroups.Update(t.Context(), renamed())
	require.ErrorContains(t, err, "204 No Content, unusable response: empty body")
	require.NotErrorIs(t, err, monitoring.ErrResultLost, "an update can be sent again")
	client, _ = kit.Recorded(t, 200, strings.TrimSuffix(errorObject, "}"))
	require.NotContains(t, kit.Second(client.CheckGroups.Get(t.Context(), 7)).Error(), "error object", "it is cut off, which a retry may help")
	for _, body := range []string{errorObject, ""} {
		client, _ = kit.Recorded(t, 200, body)
		require.NoError(t, kit.Second(monitoring.Do[map[string]any](t.Context(), client, "GET", "/v1/x", nil, nil)), "an untyped call takes it")
	}
}

// TestAnotherIDThanTheOneAskedForIsAnError asks for each object by its id.
func TestAnotherIDThanTheOneAskedForIsAnError(t *testing.T) {
	asked := 0
	for _, o := range objectCalls(t) {
		none := []string{"GET /v1/accounts/{accountId}/entitlements", "GET /v1/check-results/{checkId}/{checkResultId}/assets",
			"GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}/assets"}
		if len(o.IDs) == 0 || o.Kind == "create" || slices.Contains(none, o.Name) { // which have not this id
			continue
		}
		asked++
		id := o.IDs[len(o.IDs)-1]
		same := []string{"null", `"` + id + `"`, `""`, `"` + strings.ToUpper(id) + `"`}
		others := []string{`"` + id + `0"`, `"` + kit.UUID2 + `"`}
		if o.Numbered() {
			same = []string{"null", id, id + "0E-1", strings.TrimSuffix(id, "1") + "1.000"}
			others = []string{"1", "-" + id}
		}
		for i, value := range append(same, others...) {
			client, sent := kit.Recorded(t, o.Status, `{"name":"n","`+o.OwnID+`":`+value+`}`, monitoring.WithMaxRetries(1))
			err := o.Try(t.Context(), client)
			if i < len(same) && o.Kind == "update" && strings.HasPrefix(o.Name, "PUT /v1/checks/") && (value == "null" || value == `""`) {
				require.ErrorContains(t, err, "$."+o.OwnID+": missing", o.Name) // it cannot be told what was updated
				continue
			}
			if i < len(same) {
				require.NoError(t, err, "%s: %s", o.Name, value)
				continue
			}
			failed := kit.ErrAs[*monitoring.DecodeError](t, err)
			require.Equal(t, "$."+o.OwnID, failed.Path)
			require.ErrorContains(t, err, "is another object: a proxy")
			require.Len(t, sent.Sent, 1)
			require.Contains(t, string(failed.Partial), value)
		}
	}
	require.GreaterOrEqual(t, asked, 10, "the operations were not found")
	client, _ := kit.Recorded(t, 200, `{"id":"b","i\u0064":"Result-A"}`) // the last of two counts
	require.NoError(t, kit.Second(client.CheckResults.Get(t.Context(), kit.UUID1, "Result-A")))
	require.ErrorContains(t, kit.Second(client.CheckResults.Get(t.Context(), kit.UUID1, "result-a")), "another object", "only UUIDs are equal in any case")
}

// TestACreateOrUpdateOfSomethingElseIsAnError has responses about another variable or kind of check
// than what was sent.
func TestACreateOrUpdateOfSomethingElseIsAnError(t *testing.T) {
	for _, c := range []struct {
		operation, body string
		path            string // of the member that says so; empty if the response is fine
	}{
		{"POST /v1/variables", `{"key":"OTHER","value":"v"}`, "$.key"},
		{"POST /v1/checks/api", `{"id":"c","checkType":"TCP"}`, "$.checkType"},
		{"POST /v1/checks/api", `{"id":5.5,"request":7,"checkType":"TCP"}`, "$.checkType"}, // that it does not fit its type is no wonder
		{"POST /v1/checks/tcp", `{"id":"c","checkType":"BROWSER"}`, "$.checkType"},
		{"POST /v1/checks/browser", `{"id":"c","checkType":"API"}`, "$.checkType"},
		{"POST /v1/checks/browser", `{"id":"c","checkType":"FUTURE"}`, ""}, // unknown values are kept
		{"PUT /v1/checks/api/{id}", `{"id":"ID","checkType":"BROWSER"}`, "$.checkType"},
		{"PUT /v1/checks/tcp/{id}", `{"id":"ID","checkType":"API"}`, "$.checkType"},
		{"PUT /v1/checks/browser/{id}", `{"id":"ID","checkType":"API"}`, "$.checkType"},
		{"POST /v1/checks/api", `{"id":"c","checkType":null}`, ""},
		{"PUT /v1/checks/api/{id}", `{"id":"ID"}`, ""},
	} {
		i := slices.IndexFunc(kit.Operations, func(o kit.Operation) bool { return o.Name == c.operation })
		require.NotEqual(t, -1, i, c.operation)
		o := kit.Operations[i]
		if len(o.IDs) > 0 {
			c.body = strings.Replace(c.body, "ID", o.IDs[0], 1)
		}
		client, sent := kit.Recorded(t, o.Status, c.body, monitoring.WithMaxRetries(1))
		err := o.Try(t.Context(), client)
		require.Len(t, sent.Sent, 1)
		if c.path == "" {
			require.NoError(t, err, c.operation)
			continue
		}
		require.ErrorContains(t, err, "is another object: a proxy", c.operation)
		require.Equal(t, c.path, kit.ErrAs[*monitoring.DecodeError](t, err).Path)
		require.Equal(t, o.Kind == "create", errors.Is(err, monitoring.ErrOutcomeUnknown), "nothing says that it was carried out")
		require.NotErrorIs(t, err, monitoring.ErrResultLost)
	}
}

// unread are calls that return only an error, so that the body of their success decides nothing
// unless it says that they failed.
var unread = map[string]func(context.Context, *monitoring.Client, ...monitoring.CallOption) error{
	"a delete": func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
		return c.Dashboards.Delete(ctx, "x", opts...)
	},
	"a cancel": func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
		return c.CheckSessions.Cancel(ctx, kit.UUID1, monitoring.CancelRequest{}, opts...)
	},
	"an untyped create": func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) error {
		return kit.Second(monitoring.Do[struct{}](ctx, c, "POST", "/v1/x", nil, nil, opts...))
	},
}

func TestACallThatReturnsOnlyAnErrorNoticesWhatIsNoAnswer(t *testing.T) {
	const page = "HTML, not JSON (\""
	for name, c := range map[string]struct{ contentType, body, want string }{
		"white space, called HTML":         {"text/html", "\ufeff \n", ""},
		"an empty object, called HTML":     {"text/html", " {} ", ""},
		"another object":                   {"application/json", `{"deleted":true,"statusCode":200,"error":null}`, ""},
		"an image":                         {"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"><title>html</title></svg>`, ""},
		"a page in capitals":               {"application/json", "\ufeff\r\n\t<!DOCTYPE HTML PUBLIC \"x\">", page},
		"a text, called HTML":              {"text/html", "Please sign in", page},
		"a page that is longer than 1 MiB": {"", "<html>" + strings.Repeat("x", 1<<20), page},
		"an error object":                  {"application/json", ` {"statusCode":429,"error":"Too Many Requests","message":"slow down"}`, "error object with status 429: Too Many Requests: slow down"},
	} {
		for of, call := range unread {
			sent := 0
			client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				sent++
				return testkit.Respond(200, http.Header{"Content-Type": {c.contentType}}, c.body), nil
			}))
			var response monitoring.Response
			for _, err := range []error{call(t.Context(), client), call(t.Context(), client, monitoring.WithResponse(&response))} {
				if c.want == "" {
					require.NoError(t, err, "%s: %s", of, name)
					continue
				}
				require.ErrorAs(t, err, new(*monitoring.DecodeError), "%s: %s", of, name)
				require.ErrorContains(t, err, c.want)
				require.Equal(t, of == "an untyped create", errors.Is(err, monitoring.ErrOutcomeUnknown), err)
			}
			require.Equal(t, 2, sent, "it is not retried")
			require.Equal(t, c.body, string(response.Body))
		}
	}
}

// ending is a body with whose end the context ends.
type ending struct {
	io.Reader
	end func()
}

func (e ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err == io.EOF {
		e.end()
	}
	return n, err
}

func TestWhatWasCreatedIsReturnedAlthoughTheContextEndsBeforeItIsDecoded(t *testing.T) {
	ending := func() (context.Context, *monitoring.Client) {
		ctx, end := context.WithCancel(t.Context())
		return ctx, kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return withBody(200, -1, ending{strings.NewReader(`{"id":1,"name":"n","concurrency":3}`), end}), nil
		}))
	}
	ctx, client := ending()
	group, err := client.CheckGroups.Create(ctx, &monitoring.CheckGroup{Name: "n"})
	require.NoError(t, err, "it must not be created again")
	require.Equal(t, int64(1), group.ID)
	ctx, client = ending()
	require.ErrorIs(t, kit.Second(client.CheckGroups.Get(ctx, 1)), context.Canceled, "a read is given up")
}

func TestABodyThatIsNotReadDecidesNothing(t *testing.T) {
	for name, body := range map[string]func(context.Context) io.Reader{
		"without an end": func(context.Context) io.Reader { return endless{} },
		"stalled":        func(ctx context.Context) io.Reader { return stalled{ctx} },
	} {
		for of, call := range unread {
			synctest.Test(t, func(t *testing.T) {
				client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					return withBody(200, 1<<40, body(req.Context())), nil
				}))
				ctx, stop := context.WithTimeout(t.Context(), time.Second)
				defer stop()
				require.NoError(t, call(ctx, client), "%s, %s: it was carried out before the context ended", of, name)
				if name == "without an end" {
					var response monitoring.Response
					require.NoError(t, call(t.Context(), client, monitoring.WithResponse(&response)))
					require.Len(t, response.Body, 16<<20, "the default")
				}
			})
		}
	}
	for fault, text := range map[string]string{"reset in mid-response": "read the response", "truncated JSON": "unusable response"} {
		for of, call := range unread {
			client := kit.Once(t, testkit.Faults[fault])
			require.ErrorContains(t, call(t.Context(), client, monitoring.WithResponse(new(monitoring.Response))), text, "%s wants its body", of)
		}
	}
}

// This finds types with which responses that are as usual do not fit.
func TestAResponseThatFitsItsTypeIsDecodedAtOnce(t *testing.T) {
	var file string
	odd := lenient.Odd
	t.Cleanup(func() { lenient.Odd = odd })
	lenient.Odd = func(value []byte, of reflect.Type) {
		require.Equal(t, byte('"'), value[0], "%s: %s", file, of) // an assertion may be a text, which is tried as an object first
	}
	decoded := 0
	for _, o := range kit.Operations {
		file = "testdata/responses/" + o.File + ".all-members.json"
		if !slices.Contains(kit.ResponseFiles(t, o.File), file) {
			continue
		}
		decoded++
		text := kit.File(t, file)
		value, err := kit.Respond(t, o.File, o.Status, text)
		require.NoError(t, err, file)
		if out := reflect.TypeOf(value); out.Kind() == reflect.Pointer && out.Elem().PkgPath() != "" && rawjson.Kind([]byte(text)) == '{' {
			require.NoError(t, json.Unmarshal([]byte(text), reflect.New(out.Elem()).Interface()), file)
		}
	}
	require.Greater(t, decoded, 60)
}

// theirs is a type of a user that reads a group.
type theirs struct{ group monitoring.CheckGroup }

func (t *theirs) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &t.group) }

func TestTheErrorOfATypeThatReadsTypesOfThisPackageHasItsReasonOnly(t *testing.T) {
	client := kit.Once(t, testkit.Status(200, `{"A":{"id":"x"}}`))
	err := kit.Second(monitoring.Do[struct{ A theirs }](t.Context(), client, "GET", "/v1/x", nil, nil))
	require.EqualError(t, err, "monitoring: GET /v1/x at monitoring.test: 200 OK, unusable response: $.A: want a number, got a string")
}

func TestAValueKeepsNothingOfAnEarlierAttempt(t *testing.T) {
	type value struct{ A, B int }
	cut := func(whole string) testkit.RoundTripper { return testkit.Status(200, whole[:len(whole)-1]) }
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.InTurn(cut(`{"A":1,"B":2}`), testkit.Status(200, `{"B":3}`)))
		read, err := monitoring.Do[value](t.Context(), client, "GET", "/v1/x", nil, nil)
		require.NoError(t, err)
		require.Equal(t, &value{B: 3}, read)
		client = kit.Client(t, testkit.InTurn(cut(`[{"A":1},{"A":2}]`), testkit.Status(200, `[{"B":3}]`)))
		list, err := monitoring.Do[[]value](t.Context(), client, "GET", "/v1/x", nil, nil)
		require.NoError(t, err)
		require.Equal(t, &[]value{{B: 3}}, list)
		client = kit.Client(t, testkit.InTurn(cut(`{"id":7,"name":"n","tags":["a"],"new":1}`), testkit.Status(200, `{"id":7,"name":"m"}`)))
		group, err := client.CheckGroups.Get(t.Context(), 7)
		require.NoError(t, err)
		require.Equal(t, "m", group.Name)
		require.Empty(t, group.Tags)
	})
}

// What is cut off may be whole the next time. A page of a proxy will not become JSON.
func TestABodyIsReadAgainIfARetryMayHelp(t *testing.T) {
	for body, attempts := range map[string]int{
		`{"id":1`: 2, "[1": 2, "": 2, "<html>": 1, "<svg>": 1, "Bad Gateway": 1, `{"id":"x"}`: 1, `[1]`: 1,
	} {
		synctest.Test(t, func(t *testing.T) {
			var response monitoring.Response
			client := kit.Client(t, testkit.Status(200, body), monitoring.WithMaxRetries(1))
			err := kit.Second(client.CheckGroups.Get(t.Context(), 1, monitoring.WithResponse(&response)))
			require.ErrorAs(t, err, new(*monitoring.DecodeError), body)
			require.Equal(t, attempts, response.Attempts, "%s: %v", body, err)
		})
	}
}

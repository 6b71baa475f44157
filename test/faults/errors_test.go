package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestOnlyAResponseOfTheServiceMatchesErrNoMatchingChecks(t *testing.T) {
	for body, says := range map[string]bool{
		`{"statusCode":404,"error":"Not Found"}`:                                                    true,
		`{"statusCode":404,"error":"Not Found","message":"No matching checks were found."}`:         true,
		`{"errorCode":"NO_MATCHING_CHECKS"}`:                                                        true,
		`{"statusCode":404,"error":"Not Found","message":"Not Found"}`:                              false,
		`{"statusCode":403,"error":"Not Found"}`:                                                    false,
		`{"error":"Not Found"}`:                                                                     false,
		`{"statusCode":"404","error":"Not Found"}`:                                                  false,
		`{"statusCode":404,"error":"Gone"}`:                                                         false,
		`{"statusCode":404}`:                                                                        false,
		`<title>no matching</title>`:                                                                false,
		`{"statusCode":404,"error":"Not Found","message":"no such path","errorCode":"matching_no"}`: false,
	} {
		for _, kind := range []string{"trigger", "read"} {
			err := kit.FirstOfKind[kind](t.Context(), kit.Client(t, testkit.Status(404, body)))
			require.ErrorIs(t, err, monitoring.ErrNotFound)
			require.Equal(t, says && kind == "trigger", errors.Is(err, monitoring.ErrNoMatchingChecks), "%s: %s", kind, body)
		}
		err := kit.FirstOfKind["trigger"](t.Context(), kit.Client(t, testkit.Status(400, body)))
		coded := strings.Contains(body, "NO_MATCHING_CHECKS") // which is enough, whatever the status
		require.Equal(t, coded, errors.Is(err, monitoring.ErrNoMatchingChecks), body)
	}
}

// An Err value as the cause of a context is not matched because of its type, so all must have it.
func TestAllErrValuesHaveOneType(t *testing.T) {
	root, _, _ := strings.Cut(kit.File(t, "testdata/api.txt"), "\npackage ")
	values := regexp.MustCompile(`(?m)^var (Err\w+).*? = (.*)$`).FindAllStringSubmatch(root, -1)
	require.NotEmpty(t, values)
	for _, v := range values {
		require.Regexp(t, `^(newErrValue\(|&errValue\{)`, v[2], v[1])
	}
}

// Tests of users make errors without all of their fields, and a nil pointer in an error is printed.
func TestEveryErrorHasATextWithoutItsFieldsAndIfItIsNil(t *testing.T) {
	texts := map[string]struct {
		zero, none error
		text       string // of the zero value
	}{
		"APIError":           {&monitoring.APIError{}, (*monitoring.APIError)(nil), "the response is not a success"},
		"CallError":          {&monitoring.CallError{}, (*monitoring.CallError)(nil), "no response"},
		"StaleUpdateError":   {&monitoring.StaleUpdateError{}, (*monitoring.StaleUpdateError)(nil), "the object has changed since it was read: only its updated_at differs, so a withheld secret may have changed: read it again and repeat your change, or call Update without WithUnchanged"},
		"DecodeError":        {&monitoring.DecodeError{}, (*monitoring.DecodeError)(nil), "decode JSON"},
		"ItemError":          {&monitoring.ItemError{}, (*monitoring.ItemError)(nil), "page 0: decode an item"},
		"MissingChecksError": {&monitoring.MissingChecksError{}, (*monitoring.MissingChecksError)(nil), "0 of 0 checks were not started"},
		"UpdateIgnoredError": {&monitoring.UpdateIgnoredError{}, (*monitoring.UpdateIgnoredError)(nil), "the service reported success, but its response still has the old value: read the object again to see what it has"},
		"PageError":          {&monitoring.PageError{}, (*monitoring.PageError)(nil), "page 0: could not be read"},
		"SessionError":       {&monitoring.SessionError{}, (*monitoring.SessionError)(nil), "wait for check session: no reason is known"},
		"ValidationError":    {&monitoring.ValidationError{}, (*monitoring.ValidationError)(nil), "invalid request, not sent"},
		"WithheldResetError": {&monitoring.WithheldResetError{}, (*monitoring.WithheldResetError)(nil), "the update succeeded, but the service deleted what it omitted: set it again, and use WithStrictUpdates with this service"},
	}
	root, _, _ := strings.Cut(kit.File(t, "testdata/api.txt"), "\npackage ")
	types := regexp.MustCompile(`(?m)^func \(e \*(\w+)\) Error\(\) string$`).FindAllStringSubmatch(root, -1)
	require.Len(t, texts, len(types))
	for _, found := range types {
		c := texts[found[1]]
		require.NotNil(t, c.zero, found[1])
		require.Equal(t, "monitoring: no error", c.none.Error(), found[1])
		require.Equal(t, "monitoring: "+c.text, c.zero.Error(), found[1])
		for _, err := range []error{c.zero, c.none} {
			require.NotErrorIs(t, err, monitoring.ErrNotFound)
			require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
			require.NotContains(t, fmt.Sprintf("%v %+v %q", err, err, err), "%!", found[1])
			require.NotPanics(t, func() { monitoring.SafeToRetry(err) }, found[1])
		}
	}
}

func TestErrorsNameTheAddressAndTheKindOfResponse(t *testing.T) {
	const checkAddress = ": check the base URL and any proxy in front of the service"
	page, csv := testkit.Status(404, "<html>nginx</html>"), func(*http.Request) (*http.Response, error) {
		return testkit.Respond(200, http.Header{"Content-Type": {"text/csv; charset=utf-8"}}, "id,key-1234567890\n1,2"), nil
	}
	for base, c := range map[string]struct {
		kind      string
		transport testkit.RoundTripper
		want      string
	}{
		"gw.test/mon":    {"trigger", page, `404 Not Found: the response is HTML, not JSON ("<html>nginx</html>")` + checkAddress},
		"gw.test/api/v1": {"read", page, "404 Not Found: every path begins with /v1 already: remove it from the end of the base URL"},
		"gw.test/prefix": {"list", testkit.Faults["404"], "404 Not Found: the service lacks this operation, or the path of the base URL is wrong"},
		"gw.test/proxy":  {"list", page, "404 Not Found: the response is HTML"},
		"gw.test":        {"read", csv, `200 OK, unusable response: CSV, not JSON ("id,[redacted] 1,2")` + checkAddress},
	} {
		err := kit.FirstOfKind[c.kind](t.Context(), kit.NewClient(t, "https://"+base+"/", kit.Key, &http.Client{Transport: c.transport}))
		require.ErrorContains(t, err, " at "+base+": "+c.want)
	}
}

func TestAConnectionThatCannotBeMadeIsExplained(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	for base, want := range map[string]string{
		server.URL: "certificate signed by unknown authority: trust that authority",
		"https" + strings.TrimPrefix(plain.URL, "http"): "http: server gave HTTP response to HTTPS client: check the scheme and the port of the base URL",
	} {
		err := kit.Second(overNetwork(t, base).Locations.List(t.Context()))
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "attempts")
	}
}

func TestAnErrorOfTheNetworkSaysWhatToDo(t *testing.T) {
	fails := func(err error) testkit.RoundTripper {
		return func(*http.Request) (*http.Response, error) { return nil, err }
	}
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	for name, c := range map[string]struct {
		transport testkit.RoundTripper
		want      string
	}{
		"the host has no address": {testkit.Faults["DNS failure"],
			"dial: lookup monitoring.test: no such host: check the host of the base URL"},
		"nobody listens": {fails(refused),
			"dial tcp: connect: connection refused: check the host and the port of the base URL (after 2 attempts)"},
		"the proxy is away": {fails(&net.OpError{Op: "proxyconnect", Net: "tcp", Err: refused}),
			"proxyconnect tcp: dial tcp: connect: connection refused: check the proxy, or HTTPS_PROXY and NO_PROXY (after 2 attempts)"},
		"the connection is closed": {fails(io.EOF), "the connection was closed before a response came: EOF (after 2 attempts)"},
		"a redirect to a login": {func(*http.Request) (*http.Response, error) {
			return testkit.Respond(302, http.Header{"Location": {"https://login.shop.test/sso"}}, ""), nil
		},
			"redirect refused: https://login.shop.test is another host, port or scheme: " +
				"check the base URL and any proxy in front of the service (last status 302)"},
		"a response that is too large": {testkit.Status(200, strings.Repeat(" ", 2000)), "response too large: over 1000 bytes: raise WithMaxResponseSize (last status 200)"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := kit.Client(t, c.transport, monitoring.WithMaxRetries(1), monitoring.WithMaxResponseSize(1000))
				err := kit.Second(client.Locations.List(t.Context()))
				require.ErrorContains(t, err, ": "+c.want)
				require.Equal(t, 1, strings.Count(err.Error(), "monitoring: "))
			})
		})
	}
}

func TestZeroErrorsHaveATextAndMatchNothing(t *testing.T) {
	for _, err := range []error{
		&monitoring.APIError{}, &monitoring.CallError{}, &monitoring.ValidationError{}, &monitoring.DecodeError{}, &monitoring.SessionError{}, &monitoring.PageError{},
		(*monitoring.APIError)(nil), (*monitoring.CallError)(nil), (*monitoring.ValidationError)(nil), (*monitoring.DecodeError)(nil), (*monitoring.SessionError)(nil), (*monitoring.PageError)(nil), &monitoring.ItemError{}, (*monitoring.ItemError)(nil),
		&monitoring.UpdateIgnoredError{}, (*monitoring.UpdateIgnoredError)(nil),
	} {
		require.Regexp(t, "^monitoring: [^:]+", err.Error())
		require.NotErrorIs(t, err, monitoring.ErrNotFound)
		require.NotErrorIs(t, err, context.Canceled)
		require.NotEmpty(t, fmt.Sprintf("%v %+v %#v", err, err, err))
		errors.Unwrap(err)
	}
}

func TestAnAPIErrorMatchesTheValueOfItsStatusOrKind(t *testing.T) {
	values := map[int]error{
		400: monitoring.ErrBadRequest, 401: monitoring.ErrUnauthorized, 402: monitoring.ErrPaymentRequired, 403: monitoring.ErrForbidden, 404: monitoring.ErrNotFound,
		409: monitoring.ErrConflict, 429: monitoring.ErrRateLimited, 500: monitoring.ErrServer, 501: monitoring.ErrServer, 599: monitoring.ErrServer, 499: nil,
	}
	for status, value := range values {
		for _, other := range values {
			require.Equal(t, other != nil && other == value, errors.Is(&monitoring.APIError{StatusCode: status}, other), "%d and %v", status, other)
		}
	}
	noMatch := &monitoring.APIError{StatusCode: 404, Kind: monitoring.ErrNoMatchingChecks}
	require.ErrorIs(t, noMatch, monitoring.ErrNoMatchingChecks)
	require.ErrorIs(t, noMatch, monitoring.ErrNotFound)
	require.ErrorIs(t, monitoring.ErrNoMatchingChecks, monitoring.ErrNotFound)
	require.NotErrorIs(t, &monitoring.APIError{StatusCode: 404}, monitoring.ErrNoMatchingChecks)
	lost := &monitoring.APIError{StatusCode: 500, Kind: monitoring.ErrOutcomeUnknown}
	require.ErrorIs(t, lost, monitoring.ErrServer)
	require.ErrorIs(t, lost, monitoring.ErrOutcomeUnknown)
}

func TestAnAPIErrorHasWhatItsBodySays(t *testing.T) {
	for body, want := range map[string][]any{ // the message, the reason, and whether there are attributes
		`{"error":"E"}`:     {"E", "E", false},
		"\ufeff" + `"text"`: {"text", "", false},
		`{"message":"a\nb\u0000c","errorCode":"CODE"}`:                    {"a b c", "", false},
		`{"error":{"message":"deep"}}`:                                    {"", "", false},
		`{"statusCode":"x","error":1,"message":["m"],"attributes":"a"}`:   {"", "", true},
		`{"error":null,"message":null,"attributes":null}`:                 {"", "", false},
		`{"statusCode":401,"message":"` + strings.Repeat("long ", 50_000): {"", "", false},
	} {
		e := kit.ErrAs[*monitoring.APIError](t, kit.Second(kit.Client(t, testkit.Status(401, body)).CheckGroups.Get(t.Context(), 42)))
		require.Equal(t, want, []any{e.Message, e.Reason, e.Attributes != nil}, "%.80s", body)
		require.Less(t, len(e.Error()), 200)
		require.LessOrEqual(t, len(e.Body), 64<<10)
	}
}

func TestEveryErrorInTestdataIsReturnedAsAnAPIError(t *testing.T) {
	files := kit.Files(t, "testdata/errors/*.json")
	require.NotEmpty(t, files)
	for _, file := range files {
		operation, kind, _ := strings.Cut(filepath.Base(file), ".")
		var status int
		_, err := fmt.Sscanf(kind, "%d", &status)
		require.NoError(t, err)
		text := kit.File(t, file)
		var body struct {
			Error, Message, ErrorCode string
			Attributes, Validation    json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(text), &body))
		_, err = kit.Respond(t, operation, status, text)
		failed := kit.ErrAs[*monitoring.APIError](t, err)
		require.Equal(t, []any{status, body.Error, body.Message, body.ErrorCode, body.Attributes, body.Validation, text},
			[]any{failed.StatusCode, failed.Reason, failed.Message, failed.Code, failed.Attributes, failed.Validation, string(failed.Body)}, file)
		require.Equal(t, status == 408, errors.Is(err, monitoring.ErrNotCompleted), file)
		require.Equal(t, strings.Contains(file, "-trigger") && (status == 404 || body.ErrorCode == "ERR_NO_MATCHING_CHECKS"), errors.Is(err, monitoring.ErrNoMatchingChecks), file)
	}
}

func TestTheErrorOfAZeroClientSaysSo(t *testing.T) {
	const noClient = "the client was not made by NewClient"
	without := &monitoring.Client{} // its services have a nil client
	for _, service := range reflect.ValueOf(without).Elem().Fields() {
		if service.CanSet() {
			service.Set(reflect.New(service.Type().Elem()))
		}
	}
	failing := &monitoring.CheckSession{Results: []monitoring.CheckSessionResult{{CheckID: kit.UUID1, CheckResultID: kit.UUID2, ResultType: new(monitoring.ResultFinal), HasFailures: true}}}
	for name, client := range map[string]*monitoring.Client{"a zero client": {}, "services without a client": without} {
		for _, o := range kit.Operations {
			require.ErrorContains(t, o.Try(t.Context(), client), noClient, "%s: %s", name, o.Name)
			if o.All != nil {
				require.ErrorContains(t, kit.Second(o.All(t.Context(), client, o.IDs, nil)), noClient, "%s: %s", name, o.Name)
			}
		}
		require.ErrorContains(t, kit.Second(client.CheckSessions.Wait(t.Context(), kit.UUID1, monitoring.WaitOptions{})), noClient, name)
		require.ErrorContains(t, kit.Second(client.CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})), noClient, name)
		require.ErrorContains(t, kit.Second(client.RootCauseAnalyses.Wait(t.Context(), kit.UUID1)), noClient, name)
		require.ErrorContains(t, kit.Second(client.CheckSessions.FetchFailingResults(t.Context(), failing)), noClient, name)
		for _, err := range client.CheckSessions.WaitAll(t.Context(), []string{kit.UUID1}, monitoring.WaitOptions{}) {
			require.ErrorContains(t, err, noClient, name)
		}
		client.CloseIdleConnections()
	}
	var none *monitoring.Client
	require.ErrorContains(t, kit.Second(monitoring.Do[any](t.Context(), none, "GET", "/v1/x", nil, nil)), noClient)
	require.ErrorContains(t, none.OpenAPI(t.Context(), io.Discard), noClient)
	none.CloseIdleConnections()
	for _, verb := range []string{"%v", "%#v", "%s", "%x"} {
		require.Equal(t, "monitoring.Client(not made by NewClient)", fmt.Sprintf(verb, monitoring.Client{}))
	}
}

func TestTheErrorOfANilSessionContextOrIteratorSaysSo(t *testing.T) {
	var none context.Context
	client := kit.Client(t, testkit.Faults["404"])
	require.EqualError(t, kit.Second(client.CheckSessions.FetchFailingResults(t.Context(), nil)), "monitoring: fetch failing results: the session is nil")
	require.EqualError(t, kit.Second(client.Locations.List(none)), "monitoring: the context is nil")
	require.EqualError(t, kit.Second(monitoring.Collect[int](nil)), "monitoring: collect: the iterator is nil")
}

func TestTheEndOfTheContextSaysHowLongAndWhatTheLastResponseSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return testkit.Respond(503, http.Header{"Retry-After": {"60"}}, `{"message":"maintenance of key-123 until noon"}`), nil
		}))
		ctx, cancel := context.WithCancelCause(t.Context())
		cause := errors.New("the job was stopped")
		time.AfterFunc(2*time.Second, func() { cancel(cause) })
		err := kit.Second(client.Locations.List(ctx))
		require.ErrorContains(t, err, `context canceled: the job was stopped (last status 503, ended after 2s, the last response said "maintenance of [redacted] until noon")`)
		require.ErrorIs(t, err, cause)

		ctx, stop := context.WithTimeoutCause(t.Context(), 5*time.Second, monitoring.ErrRateLimited)
		defer stop()
		err = kit.Second(kit.Client(t, testkit.Faults["response slower than the timeout"]).Locations.List(ctx))
		require.ErrorContains(t, err, "context deadline exceeded: monitoring: rate limited (ended after 5s)")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotErrorIs(t, err, monitoring.ErrRateLimited, "it is about another call")

		ctx, stop = context.WithCancel(t.Context())
		response := monitoring.Response{StatusCode: 200, Body: []byte("of an earlier call")}
		client = kit.Client(t, testkit.Faults["TLS alert"], monitoring.WithAttemptHook(func(context.Context, monitoring.AttemptInfo) { stop() }))
		err = kit.Second(client.Locations.List(ctx, monitoring.WithResponse(&response)))
		require.ErrorContains(t, err, "protocol version not supported", "it failed before the context ended")
		require.NotErrorIs(t, err, context.Canceled)
		require.Equal(t, monitoring.Response{Attempts: 1}, response)
	})
}

// TestAContextThatEndsInTheBodyOfAnErrorIsInTheError has responses whose status arrives and
// whose body stalls. The status still says whether a create was carried out.
func TestAContextThatEndsInTheBodyOfAnErrorIsInTheError(t *testing.T) {
	for kind, c := range map[string]struct {
		code    int
		want    error
		unknown bool
	}{"read": {404, monitoring.ErrNotFound, false}, "create": {400, monitoring.ErrBadRequest, false}, "trigger": {503, monitoring.ErrServer, true}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithTimeout(t.Context(), time.Second)
			defer stop()
			err := kit.FirstOfKind[kind](ctx, kit.Client(t, stallingAfter(c.code, `{"message":"`)))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, c.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown))
			require.ErrorContains(t, err, ": read the response: context deadline exceeded")
			require.ErrorContains(t, err, fmt.Sprintf("(last status %d, ended after 1s", c.code))
			require.Equal(t, `{"message":"`, string(kit.ErrAs[*monitoring.APIError](t, err).Body))

			// The time of an attempt is not the end of the context, so the status counts.
			err = kit.FirstOfKind[kind](t.Context(), kit.Once(t, stallingAfter(c.code, `{"message":"`), monitoring.WithTimeout(time.Second)))
			require.IsType(t, (*monitoring.APIError)(nil), err)
			require.Equal(t, c.unknown, errors.Is(err, monitoring.ErrOutcomeUnknown))
		})
	}
}

// stalled is a body that does not arrive until the context has ended.
type stalled struct{ ctx context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// stallingAfter responds with the beginning of a body, whose rest does not arrive.
func stallingAfter(code int, beginning string) testkit.RoundTripper {
	return func(req *http.Request) (*http.Response, error) {
		return withBody(code, -1, io.MultiReader(strings.NewReader(beginning), stalled{req.Context()})), nil
	}
}

// withBody is a response with a body of the announced length, -1 if that is unknown.
func withBody(code int, announced int64, body io.Reader) *http.Response {
	resp := testkit.Respond(code, nil, "")
	resp.ContentLength, resp.Body = announced, io.NopCloser(body)
	return resp
}

func TestTheTextOfAnAPIErrorHasWhatIsKnown(t *testing.T) {
	const unknown = "the request may have taken effect: check before you send it again"
	for name, c := range map[string]struct {
		err  monitoring.APIError
		want string
	}{
		"a status alone":               {monitoring.APIError{StatusCode: 409}, "monitoring: 409 Conflict"},
		"an operation":                 {monitoring.APIError{StatusCode: 409, Method: "GET", Path: "/v1/x"}, "monitoring: GET /v1/x: 409 Conflict"},
		"a message":                    {monitoring.APIError{StatusCode: 409, Message: "why\nnot"}, "monitoring: 409 Conflict: why not"},
		"a message that repeats":       {monitoring.APIError{StatusCode: 409, Message: "Conflict"}, "monitoring: 409 Conflict"},
		"the shortest wait":            {monitoring.APIError{StatusCode: 409, RetryAfter: 1}, "monitoring: 409 Conflict: retry after 1ns"},
		"an unknown outcome":           {monitoring.APIError{StatusCode: 500, Kind: monitoring.ErrOutcomeUnknown}, "monitoring: 500 Internal Server Error: " + unknown},
		"another kind":                 {monitoring.APIError{StatusCode: 408, Kind: monitoring.ErrNotCompleted}, "monitoring: 408 Request Timeout"},
		"one attempt":                  {monitoring.APIError{StatusCode: 409, Attempts: 1}, "monitoring: 409 Conflict"},
		"a key that is refused":        {monitoring.APIError{StatusCode: 401}, "monitoring: 401 Unauthorized: check the API key"},
		"a plan without the feature":   {monitoring.APIError{StatusCode: 402}, "monitoring: 402 Payment Required: the plan of the account does not allow this"},
		"a key without the permission": {monitoring.APIError{StatusCode: 403}, "monitoring: 403 Forbidden: the API key has no permission for this in this account"},
		"a limit":                      {monitoring.APIError{StatusCode: 429}, "monitoring: 429 Too Many Requests: the rate limit of the account or of this operation is used up"},
		"all parts": {monitoring.APIError{StatusCode: 500, Method: "POST", Path: "/v1/x", Message: "m", Kind: monitoring.ErrOutcomeUnknown, RetryAfter: time.Minute, Attempts: 2},
			"monitoring: POST /v1/x: 500 Internal Server Error: m: " + unknown + " (after 2 attempts)"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, c.err.Error()) })
	}
}

// What only a call knows: the address, and the form of the body.
func TestTheTextOfAnAPIErrorHasTheAddressAndWhatIsWrongWithIt(t *testing.T) {
	const html = `: the response is HTML, not JSON ("<html>"): check the base URL and any proxy in front of the service`
	for name, c := range map[string]struct {
		base   string
		status int
		body   string
		want   string
	}{
		"an address":                           {"h.test/p", 409, `{}`, "h.test/p: 409 Conflict"},
		"a version at the end":                 {"h.test/v2", 404, "", "h.test/v2: 404 Not Found: every path begins with /v2 already: remove it from the end of the base URL"},
		"a version and another status":         {"h.test/v2", 409, `{}`, "h.test/v2: 409 Conflict"},
		"HTML":                                 {"h.test", 409, "<html>", `h.test: 409 Conflict` + html},
		"HTML with 403, which a gateway sends": {"h.test", 403, "<html>", `h.test: 403 Forbidden` + html},
		"HTML of a wrong prefix":               {"h.test/v1", 404, "<html>", "h.test/v1: 404 Not Found: every path begins with /v1 already: remove it from the end of the base URL"},
	} {
		t.Run(name, func(t *testing.T) {
			client := kit.NewClient(t, "https://"+c.base, kit.Key, &http.Client{Transport: testkit.Status(c.status, c.body)})
			err := kit.Second(monitoring.Do[any](t.Context(), client, "GET", "/v2/x", nil, nil))
			require.EqualError(t, err, "monitoring: GET /v2/x at "+c.want)
		})
	}
	client := kit.Once(t, testkit.Status(408, ""))
	err := kit.Second(client.CheckSessions.Completion(t.Context(), kit.UUID1, monitoring.CompletionOptions{}))
	require.EqualError(t, err, "monitoring: GET /v2/check-sessions/"+kit.UUID1+"/completion at monitoring.test: 408 Request Timeout", "a poll without a result")
}

func TestAServiceThatAsksForTheAccountIsSaidHowToNameIt(t *testing.T) {
	const advice = ": pass WithAccount, because the key belongs to a user"
	for _, body := range []string{`{"statusCode":400,"error":"Bad Request","message":"\"x-service-account\" is required"}`, `{"statusCode":401,"message":"X-Service-Account is missing"}`} {
		status := testkit.Status(400, body)
		_, err := kit.Client(t, status).Locations.List(t.Context())
		require.ErrorContains(t, err, advice)
		_, err = kit.Client(t, status).Locations.List(t.Context(), monitoring.WithAccount(kit.UUID1))
		require.NotContains(t, err.Error(), advice, "the call names one")
	}
	_, err := kit.Client(t, testkit.Status(400, `{"statusCode":400,"message":"limit"}`)).Locations.List(t.Context())
	require.NotContains(t, err.Error(), advice)
}

func TestTheTextOfACallErrorHasWhatIsKnown(t *testing.T) {
	refused, prefixed := errors.New("refused"), errors.New("monitoring: refused\nagain")
	for name, c := range map[string]struct {
		err  monitoring.CallError
		want string
	}{
		"nothing":                  {monitoring.CallError{}, "monitoring: no response"},
		"an operation":             {monitoring.CallError{Operation: "GET /v1/x", Err: refused}, "monitoring: GET /v1/x: refused"},
		"a reason with the prefix": {monitoring.CallError{Err: prefixed}, "monitoring: refused again"},
		"a reason of decoding":     {monitoring.CallError{Err: &monitoring.DecodeError{Operation: "GET /v1/y", Path: "$.id", Err: refused}}, "monitoring: unusable response: $.id: refused"},
		"all notes":                {monitoring.CallError{Err: refused, Attempts: 3, LastStatus: 503}, "monitoring: refused (after 3 attempts, last status 503)"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, c.err.Error()) })
	}
	require.NotErrorIs(t, (*monitoring.CallError)(nil), monitoring.ErrOutcomeUnknown)
	fails := testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, prefixed })
	err := kit.Second(kit.Once(t, fails).CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true}))
	require.EqualError(t, err, "monitoring: POST /v2/check-sessions/trigger at monitoring.test: refused again: the request may have taken effect: check before you send it again")
	ended, end := context.WithCancel(t.Context())
	end()
	require.EqualError(t, kit.Second(kit.Once(t, fails).Locations.List(ended)), "monitoring: GET /v1/locations: context canceled", "nothing was sent to the address")
}

func FuzzErrorBody(f *testing.F) {
	files, _ := filepath.Glob(kit.Path("testdata/*/*.json"))
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 1000 {
			f.Add(data)
		}
	}
	f.Add([]byte(`{"statusCode":401,"error":"Unauthorized","message":"Bad Token","attributes":{"error":"Bad Token"}}`))
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		err := kit.Second(kit.Once(t, testkit.Status(401, string(body))).CheckGroups.Get(t.Context(), 7))
		e := kit.ErrAs[*monitoring.APIError](t, err)
		require.ErrorIs(t, e, monitoring.ErrUnauthorized)
		require.Less(t, len(e.Error()), 1000)
		require.NotContains(t, e.Error(), "\n")
		require.True(t, e.Attributes == nil || json.Valid(e.Attributes))
	})
}

func TestAProxyThatRefusesToConnectIsSaidInWords(t *testing.T) {
	wrap := func(t http.RoundTripper) http.RoundTripper { return struct{ http.RoundTripper }{t} }
	for status, attempts := range map[int]int{403: 1, 407: 1, 502: 3, -403: 1, -407: 1, -502: 3} {
		opts := []monitoring.ClientOption{monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 2, MinBackoff: 1, MaxBackoff: 1})}
		if status < 0 { // a hook hides that it is a transport of net/http
			status = -status
			opts = append(opts, monitoring.WithTransportHook(wrap))
		}
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		address, err := url.Parse(proxy.URL)
		require.NoError(t, err)
		standard := http.DefaultTransport.(*http.Transport).Clone()
		standard.Proxy = http.ProxyURL(address)
		client := kit.NewClient(t, "https://monitoring.test", kit.Key, &http.Client{Transport: standard}, opts...)
		var response monitoring.Response
		_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WithResponse(&response))
		require.ErrorContains(t, err, fmt.Sprintf("the proxy %s refused to connect to the service: %d %s: check the proxy, or HTTPS_PROXY and NO_PROXY",
			address.Host, status, http.StatusText(status)))
		require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
		require.Equal(t, attempts, response.Attempts)
		proxy.Close()
	}
}

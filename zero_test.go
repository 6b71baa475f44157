package monitoring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheErrorOfAZeroClientSaysSo(t *testing.T) {
	services := func() *Client { // the services have a nil client
		c := &Client{}
		v := reflect.ValueOf(c).Elem()
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				v.Field(i).Set(reflect.New(v.Field(i).Type().Elem()))
			}
		}
		return c
	}
	for name, client := range map[string]*Client{"a zero client": {}, "services without a client": services()} {
		for _, c := range operationCalls {
			t.Run(name+" "+c.operation, func(t *testing.T) {
				_, err := c.do(t.Context(), client)
				require.ErrorIs(t, err, errNoClient)
				require.ErrorContains(t, err, "the client was not made by NewClient")
				if c.all != nil {
					_, err = c.all(t.Context(), client, c.ids, nil)
					require.ErrorIs(t, err, errNoClient)
				}
			})
		}
		require.ErrorIs(t, second(client.CheckSessions.Wait(t.Context(), uuid1, WaitOptions{})), errNoClient, name)
		require.ErrorIs(t, second(client.CheckSessions.TriggerAndWait(t.Context(), TriggerRequest{AllChecks: true}, WaitOptions{})), errNoClient, name)
		require.ErrorIs(t, second(client.RootCauseAnalyses.Wait(t.Context(), uuid1)), errNoClient, name)
		require.ErrorIs(t, second(client.CheckSessions.FetchFailingResults(t.Context(), failingSession())), errNoClient, name)
		for _, err := range client.CheckSessions.WaitAll(t.Context(), []string{uuid1}, WaitOptions{}) {
			require.ErrorIs(t, err, errNoClient, name)
		}
		client.CloseIdleConnections()
	}
	var none *Client
	require.ErrorIs(t, second(Do[any](t.Context(), none, "GET", "/v1/x", nil, nil)), errNoClient)
	require.ErrorIs(t, none.OpenAPI(t.Context(), io.Discard), errNoClient)
	none.CloseIdleConnections()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		require.Equal(t, "monitoring.Client(not made by NewClient)", fmt.Sprintf(verb, Client{}))
	}
}

func failingSession() *CheckSession {
	return &CheckSession{Results: []CheckSessionResult{{CheckID: uuid1, CheckResultID: uuid2, ResultType: new(ResultFinal), HasFailures: true}}}
}

func TestTheErrorOfANilSessionSaysSo(t *testing.T) {
	_, err := testClient(t, faults["404"]).CheckSessions.FetchFailingResults(t.Context(), nil)
	require.EqualError(t, err, "monitoring: fetch failing results: the session is nil")
}

func TestTheErrorOfANilContextSaysSo(t *testing.T) {
	var none context.Context
	_, err := testClient(t, faults["404"]).Locations.List(none)
	require.EqualError(t, err, "monitoring: the context is nil")
}

func TestZeroErrorsHaveATextAndMatchNothing(t *testing.T) {
	for _, err := range []error{
		&APIError{}, &CallError{}, &ValidationError{}, &DecodeError{}, &SessionError{}, &PageError{},
		(*APIError)(nil), (*CallError)(nil), (*ValidationError)(nil), (*DecodeError)(nil), (*SessionError)(nil), (*PageError)(nil), &ItemError{}, (*ItemError)(nil),
	} {
		t.Run(fmt.Sprintf("%T", err), func(t *testing.T) {
			require.Regexp(t, "^monitoring: .+", err.Error())
			require.NotErrorIs(t, err, ErrNotFound)
			require.NotErrorIs(t, err, context.Canceled)
			require.NotEmpty(t, fmt.Sprintf("%v %+v %#v", err, err, err))
			errors.Unwrap(err)
		})
	}
}

func TestATestCanMakeAnAPIError(t *testing.T) {
	require.ErrorIs(t, &APIError{StatusCode: 404}, ErrNotFound)
	noMatch := &APIError{StatusCode: 404, Kind: ErrNoMatchingChecks}
	require.ErrorIs(t, noMatch, ErrNoMatchingChecks)
	require.ErrorIs(t, noMatch, ErrNotFound)
	require.ErrorIs(t, ErrNoMatchingChecks, ErrNotFound)
	require.NotErrorIs(t, &APIError{StatusCode: 404}, ErrNoMatchingChecks)
	require.ErrorIs(t, &APIError{StatusCode: 408, Kind: ErrNotCompleted}, ErrNotCompleted)
	require.ErrorIs(t, &APIError{StatusCode: 500, Kind: ErrOutcomeUnknown}, ErrServer)
	require.ErrorIs(t, &APIError{StatusCode: 500, Kind: ErrOutcomeUnknown}, ErrOutcomeUnknown)
}

func TestInvalidOptionsAreErrors(t *testing.T) {
	limit := RateLimit{Requests: 1, Per: time.Second}
	limiter, err := NewLimiter(limit)
	require.NoError(t, err)
	var noOption option
	var noClientOption clientOption
	for name, opts := range map[string][]ClientOption{
		"a nil option":                         {nil},
		"a typed nil option":                   {noOption},
		"a nil client option":                  {noClientOption},
		"two limits":                           {WithRateLimit(limit), WithRateLimit(limit)},
		"a limit and a limiter":                {WithRateLimit(limit), WithLimiter(limiter)},
		"a nil limiter":                        {WithLimiter(nil)},
		"a nil http client":                    {WithHTTPClient(nil)},
		"a nil logger":                         {WithLogger(nil)},
		"a nil attempt hook":                   {WithAttemptHook(nil)},
		"a nil call hook":                      {WithCallHook(nil)},
		"a negative timeout":                   {WithTimeout(-1)},
		"a negative number of retries":         {WithMaxRetries(-1)},
		"a response size of 0":                 {WithMaxResponseSize(0)},
		"a maximum back-off under the minimum": {WithRetryPolicy(RetryPolicy{MinBackoff: 2, MaxBackoff: 1})},
		"a limit of an invalid route":          {WithRouteRateLimit("locations", limit)},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewClient("https://monitoring.test", "key-123", opts...)
			require.ErrorContains(t, err, "monitoring: new client: ")
		})
	}
	client := testClient(t, status(200, "[]"))
	for name, opt := range map[string]CallOption{
		"a nil option":                  nil,
		"a typed nil option":            callOption(nil),
		"a nil response":                WithResponse(nil),
		"an operation without a path":   WithOperation("locations"),
		"an operation in small letters": WithOperation("get /v1/locations"),
		"an operation of two lines":     WithOperation("GET /v1\n/x"),
		"a parameter without a name":    WithQuery("", "x"),
	} {
		t.Run("of a call: "+name, func(t *testing.T) {
			_, err := client.Locations.List(t.Context(), opt)
			require.ErrorContains(t, err, "monitoring: call option: ")
		})
	}
}

func TestDoRefusesInvalidTypesAndBodies(t *testing.T) {
	client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
		t.Error("a request was sent")
		return nil, io.EOF
	}))
	ctx := t.Context()
	for name, err := range map[string]error{
		"a channel":                second(Do[chan int](ctx, client, "POST", "/v1/x", nil, nil)),
		"a function":               second(Do[func()](ctx, client, "POST", "/v1/x", nil, nil)),
		"an interface":             second(Do[io.Reader](ctx, client, "POST", "/v1/x", nil, nil)),
		"bytes":                    second(Do[[]byte](ctx, client, "POST", "/v1/x", nil, nil)),
		"a body of bytes":          second(Do[any](ctx, client, "POST", "/v1/x", nil, []byte("{}"))),
		"a reader":                 second(Do[any](ctx, client, "POST", "/v1/x", nil, http.NoBody)),
		"a body that is a channel": second(Do[any](ctx, client, "POST", "/v1/x", nil, make(chan int))),
		"no path":                  second(Do[any](ctx, client, "POST", "", nil, nil)),
		"no method":                second(Do[any](ctx, client, "", "/v1/x", nil, nil)),
		"CONNECT":                  second(Do[any](ctx, client, "connect", "/v1/x", nil, nil)),
	} {
		require.ErrorContains(t, err, "monitoring: ", name)
	}
}

func TestDoReturnsAValueIfThereIsNoError(t *testing.T) {
	for name, transport := range map[string]roundTripper{
		"204": status(204, ""), "an empty 200": status(200, ""), "white space": status(200, " \n"),
	} {
		got, err := Do[CheckGroup](t.Context(), testClient(t, transport), "POST", "/v1/x", nil, nil)
		require.NoError(t, err, name)
		require.Equal(t, &CheckGroup{}, got, name)
	}
	list, err := Do[[]Location](t.Context(), testClient(t, status(200, `[{"region":"eu-west-1"}]`)), "GET", "/v1/x", nil, nil)
	require.NoError(t, err)
	require.Equal(t, []Location{{Region: "eu-west-1"}}, *list)
	none, err := Do[struct{}](t.Context(), testClient(t, status(200, `not read`)), "GET", "/v1/x", nil, nil)
	require.NoError(t, err)
	require.NotNil(t, none)
}

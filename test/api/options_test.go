package api_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func TestCallOptionsOverrideClientOptions(t *testing.T) {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	jar.SetCookies(&url.URL{Scheme: "https", Host: "api.service.test"}, []*http.Cookie{{Name: "a", Value: "b"}})
	sent := testkit.NewRecorder(200, `[{"key":"K"}]`)
	client := kit.NewClient(t, kit.Base, kit.Key, &http.Client{Transport: sent, Jar: jar}, monitoring.WithAccount(kit.UUID1), monitoring.WithAccountHeader("x-tenant"),
		monitoring.WithHeader("X-A", "client"), monitoring.WithHeader("X-B", "client"), monitoring.WithUserAgent("gate/1"), monitoring.WithMaxResponseSize(math.MaxInt64))
	for _, opts := range [][]monitoring.CallOption{
		{monitoring.WithAccount(kit.UUID2), monitoring.WithHeader("X-A", "call"), monitoring.WithQuery("new", "a b"), monitoring.WithQuery("limit", "7")}, nil,
	} {
		page, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 5}}, opts...)
		require.NoError(t, err)
		require.Len(t, page.Items, 1, "the largest size does not overflow")
	}
	require.Equal(t, []string{kit.Base + "/v1/variables?limit=7&new=a+b", kit.Base + "/v1/variables?limit=5"}, []string{sent.Sent[0].URL, sent.Sent[1].URL})
	agent := "gate/1 monitoring-go/" + monitoring.Version
	for name, want := range map[string][2]string{
		"X-Tenant": {kit.UUID2, kit.UUID1}, "X-Service-Account": {}, "X-A": {"call", "client"}, "X-B": {"client", "client"}, "User-Agent": {agent, agent}, "Cookie": {"a=b", "a=b"},
	} {
		require.Equal(t, want, [2]string{sent.Sent[0].Header.Get(name), sent.Sent[1].Header.Get(name)}, "%s of a call with options, and of the next one", name)
	}
	client, sent = kit.Recorded(t, 200, "[]", monitoring.WithAccountHeader("X-Tenant"), monitoring.WithHeader("X-Tenant", "x"))
	require.NoError(t, kit.Second(client.Locations.List(t.Context())))
	require.Empty(t, sent.Sent[0].Header.Values("X-Tenant"), "there is no account")
}

func TestTheTimeoutOfTheUsersHTTPClientBoundsAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := testkit.Faults["response slower than the timeout"]
		users := &http.Client{Timeout: 7 * time.Second, Transport: slow}
		for want, opts := range map[time.Duration][]monitoring.ClientOption{
			7 * time.Second: nil, time.Second: {monitoring.WithTimeout(time.Second)},
		} {
			client := kit.NewClient(t, "https://monitoring.test", "k", users, append(opts, monitoring.WithMaxRetries(0))...)
			began := time.Now()
			require.ErrorContains(t, kit.Second(client.Locations.List(t.Context())), "the attempt timed out after "+want.String())
			require.Equal(t, want, time.Since(began))
			require.Equal(t, 7*time.Second, users.Timeout, "the user's client is not changed")
			require.Nil(t, users.CheckRedirect)
		}
	})
}

func TestNewClientFromEnvReadsTheEnvironment(t *testing.T) {
	t.Setenv("MONITORING_BASE_URL", "")
	t.Setenv("MONITORING_API_KEY", "")
	_, err := monitoring.NewClientFromEnv()
	require.EqualError(t, err, "monitoring: new client: set MONITORING_BASE_URL and MONITORING_API_KEY in the environment")
	t.Setenv("MONITORING_BASE_URL", "https://monitoring.test/x")
	require.EqualError(t, kit.Second(monitoring.NewClientFromEnv()), "monitoring: new client: set MONITORING_API_KEY in the environment")
	t.Setenv("MONITORING_API_KEY", "k")
	t.Setenv("MONITORING_ACCOUNT_ID", kit.UUID1)
	sent := testkit.NewRecorder(200, "[]")
	for account, opts := range map[string][]monitoring.ClientOption{kit.UUID1: nil, kit.UUID2: {monitoring.WithAccount(kit.UUID2)}} { // options override the environment
		client, err := monitoring.NewClientFromEnv(append(opts, monitoring.WithHTTPClient(&http.Client{Transport: sent}))...)
		require.NoError(t, err)
		require.NoError(t, kit.Second(client.Locations.List(t.Context())))
		last := sent.Sent[len(sent.Sent)-1]
		require.Equal(t, "https://monitoring.test/x/v1/locations", last.URL)
		require.Equal(t, "Bearer k", last.Header.Get("Authorization"))
		require.Equal(t, account, last.Header.Get("X-Service-Account"))
	}
}

func TestAnErrorNamesEveryVariableThatIsMissingOrWrong(t *testing.T) {
	const notHTTPS = "MONITORING_BASE_URL: plain http would send the API key unencrypted: use https, or set MONITORING_INSECURE_HTTP=1 if you mean plain http"
	const badKey = "MONITORING_API_KEY: the API key contains white space, a line break or a non-ASCII character at position 1: remove it"
	const badAccount = "MONITORING_ACCOUNT_ID: the account id contains white space, a line break or a non-ASCII character at position 0: remove it"
	const badInsecure = "MONITORING_INSECURE_HTTP: must be 1, 0 or unset"
	source := monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) { return "k", nil })
	for name, c := range map[string]struct {
		url, key, account, insecure string
		opts                        []monitoring.ClientOption
		want                        string
	}{
		"nothing is set": {want: "set MONITORING_BASE_URL and MONITORING_API_KEY in the environment"},
		"all are wrong":  {"http://x.test", "k\n", "é", "yes", nil, notHTTPS + "; " + badKey + "; " + badAccount + "; " + badInsecure},
		"one is missing and others are wrong": {"", "k k", " ", "", nil,
			"set MONITORING_BASE_URL in the environment; " + badKey + "; " + badAccount},
		"a key source needs no key":            {"", "k k", "", "2", []monitoring.ClientOption{source}, "set MONITORING_BASE_URL in the environment; " + badInsecure},
		"an option allows plain http":          {"http://x.test", "", "", "0", []monitoring.ClientOption{monitoring.WithInsecureHTTP()}, "set MONITORING_API_KEY in the environment"},
		"an option is wrong, and all else set": {"https://x.test", "k", "", "", []monitoring.ClientOption{nil}, "option 1 is nil"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("MONITORING_BASE_URL", c.url)
			t.Setenv("MONITORING_API_KEY", c.key)
			t.Setenv("MONITORING_ACCOUNT_ID", c.account)
			t.Setenv("MONITORING_INSECURE_HTTP", c.insecure)
			require.EqualError(t, kit.Second(monitoring.NewClientFromEnv(c.opts...)), "monitoring: new client: "+c.want)
		})
	}
}

func TestAnErrorNamesTheVariableThatIsWrong(t *testing.T) {
	for _, c := range [][3]string{
		{"MONITORING_BASE_URL", "ftp://monitoring.test", "base URL: want https://host[:port][/prefix], got another scheme, or no host"},
		{"MONITORING_BASE_URL", "https://user:pw@api.test", "base URL: remove the user name and the password"},
		{"MONITORING_BASE_URL", "http://monitoring.test", "plain http would send the API key unencrypted: use https, or set MONITORING_INSECURE_HTTP=1 if you mean plain http"},
		{"MONITORING_API_KEY", "key 1", "the API key contains white space, a line break or a non-ASCII character at position 3: remove it"},
		{"MONITORING_ACCOUNT_ID", "a\n", "the account id contains white space, a line break or a non-ASCII character at position 1: remove it"},
		{"MONITORING_INSECURE_HTTP", "yes", "must be 1, 0 or unset"},
	} {
		t.Run(c[0], func(t *testing.T) {
			t.Setenv("MONITORING_BASE_URL", "https://monitoring.test")
			t.Setenv("MONITORING_API_KEY", "k")
			t.Setenv(c[0], c[1])
			_, err := monitoring.NewClientFromEnv()
			require.EqualError(t, err, "monitoring: new client: "+c[0]+": "+c[2])
		})
	}
	t.Setenv("MONITORING_BASE_URL", "http://monitoring.test")
	t.Setenv("MONITORING_API_KEY", "k")
	t.Setenv("MONITORING_INSECURE_HTTP", "1")
	require.NoError(t, kit.Second(monitoring.NewClientFromEnv()))
	require.NoError(t, kit.Second(monitoring.NewClient("http://monitoring.test", "k", monitoring.WithInsecureHTTP())))
}

func TestTheErrorOfANewClientNamesBothArgumentsThatAreWrong(t *testing.T) {
	const base = "base URL: want https://host[:port][/prefix], got an address without https://"
	const key = "the API key contains white space, a line break or a non-ASCII character at position 1: remove it"
	for _, c := range [][3]string{
		{"x.test", "k", base},
		{"https://x.test", "k\n", key},
		{"x.test", "k\n", base + "; " + key},
	} {
		_, err := monitoring.NewClient(c[0], c[1])
		require.EqualError(t, err, "monitoring: new client: "+c[2])
	}
}

func TestATransportThatIsReplacedAfterNewClientIsUsed(t *testing.T) {
	users, mock := &http.Client{}, testkit.NewRecorder(200, "[]")
	withUsers := kit.NewClient(t, kit.Base, kit.Key, users)
	withDefault, err := monitoring.NewClient(kit.Base, kit.Key)
	require.NoError(t, err)
	standard := http.DefaultTransport
	defer func() { http.DefaultTransport = standard }()
	users.Transport, http.DefaultTransport = mock, mock
	for i, client := range []*monitoring.Client{withUsers, withDefault} {
		require.NoError(t, kit.Second(client.Locations.List(t.Context())))
		require.Len(t, mock.Sent, i+1)
	}
}

// TestConcurrentCallsReuseConnections makes sixteen calls at once, twice. The transport of net/http
// keeps two idle connections for a host.
func TestConcurrentCallsReuseConnections(t *testing.T) {
	const calls = 16
	var connections, began atomic.Int64
	var all [2]chan struct{}
	all[0], all[1] = make(chan struct{}), make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := began.Add(1)
		round := all[(n-1)/calls]
		if n%calls == 0 {
			close(round)
		}
		<-round
		io.WriteString(w, "[]")
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	client, err := monitoring.NewClient(server.URL, "key-123", monitoring.WithMaxRetries(0))
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	for range 2 {
		var done sync.WaitGroup
		for range calls {
			done.Go(func() {
				_, err := client.Locations.List(context.Background())
				assert.NoError(t, err)
			})
		}
		done.Wait()
	}
	require.Less(t, connections.Load(), int64(24), "of 32 without any reuse; a connection may still be on its way back to the idle ones")
}

func TestTriggersAndCreatesUseNoConnectionThatIdledLong(t *testing.T) {
	for name, c := range map[string]struct {
		method string
		idle   time.Duration
		dials  int
	}{
		"a create soon after another one":       {"POST", 500 * time.Millisecond, 1},
		"a create a while after another one":    {"POST", 1100 * time.Millisecond, 2},
		"a read a while after another one":      {"GET", time.Minute, 1},
		"an update a while after another one":   {"PUT", time.Minute, 1},
		"a read long after, as net/http has it": {"GET", 2 * time.Minute, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			dials := 0
			standard := http.DefaultTransport
			defer func() { http.DefaultTransport = standard }()
			http.DefaultTransport = &http.Transport{IdleConnTimeout: 90 * time.Second, DialContext: func(context.Context, string, string) (net.Conn, error) {
				dials++
				client, service := net.Pipe()
				go answer(service)
				return client, nil
			}}
			client, err := monitoring.NewClient("http://localhost", "key-123")
			require.NoError(t, err)
			defer client.CloseIdleConnections() // otherwise a goroutine is left, which is an error
			for range 2 {
				_, err = monitoring.Do[struct{}](t.Context(), client, c.method, "/v1/x", nil, nil)
				require.NoError(t, err, name)
				time.Sleep(c.idle)
			}
			require.Equal(t, c.dials, dials, name)
		})
	}
}

// answer answers the requests of a connection until it ends.
func answer(conn net.Conn) {
	defer conn.Close()
	requests := bufio.NewReader(conn)
	for {
		if _, err := http.ReadRequest(requests); err != nil {
			return
		}
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
	}
}

// nilLike returns a nil option of the type of another one.
func nilLike[O any](option O) O {
	return reflect.Zero(reflect.TypeOf(option)).Interface().(O)
}

func TestInvalidOptionsAreErrors(t *testing.T) {
	limit := monitoring.RateLimit{Requests: 1, Per: time.Second}
	limiter, err := monitoring.NewLimiter(limit)
	require.NoError(t, err)
	for name, opts := range map[string][]monitoring.ClientOption{
		"a nil option":                         {nil},
		"a typed nil option":                   {nilLike(monitoring.WithTimeout(1))},
		"a nil client option":                  {nilLike(monitoring.WithLogger(slog.Default()))},
		"two limits":                           {monitoring.WithRateLimit(limit), monitoring.WithRateLimit(limit)},
		"a limit and a limiter":                {monitoring.WithRateLimit(limit), monitoring.WithLimiter(limiter)},
		"a nil limiter":                        {monitoring.WithLimiter(nil)},
		"a nil http client":                    {monitoring.WithHTTPClient(nil)},
		"a nil logger":                         {monitoring.WithLogger(nil)},
		"a nil attempt hook":                   {monitoring.WithAttemptHook(nil)},
		"a nil call hook":                      {monitoring.WithCallHook(nil)},
		"a nil start hook":                     {monitoring.WithStartHook(nil)},
		"a nil wait hook":                      {monitoring.WithWaitHook(nil)},
		"a nil transport hook":                 {monitoring.WithTransportHook(nil)},
		"a nil limiter hook":                   {monitoring.WithLimiterHook(nil)},
		"a negative timeout":                   {monitoring.WithTimeout(-1)},
		"a negative number of retries":         {monitoring.WithMaxRetries(-1)},
		"a response size of 0":                 {monitoring.WithMaxResponseSize(0)},
		"an empty account":                     {monitoring.WithAccount("")},
		"an account header of the client's":    {monitoring.WithAccountHeader("authorization")},
		"a negative read-ahead":                {monitoring.WithReadAhead(-1)},
		"a read-ahead of more than 64":         {monitoring.WithReadAhead(65)},
		"a maximum back-off under the minimum": {monitoring.WithRetryPolicy(monitoring.RetryPolicy{MinBackoff: 2, MaxBackoff: 1})},
		"a limit of an invalid route":          {monitoring.WithRouteRateLimit("locations", limit)},
	} {
		_, err := monitoring.NewClient("https://monitoring.test", "key-123", opts...)
		require.ErrorContains(t, err, "monitoring: new client: ", name)
	}
	require.EqualError(t, kit.Second(monitoring.NewClient("https://monitoring.test", "key-123", monitoring.WithAccountHeader("authorization"))), "monitoring: new client: WithAccountHeader: the client sets Authorization itself")
	client := kit.Client(t, testkit.Status(200, "[]"))
	for name, opt := range map[string]monitoring.CallOption{
		"a nil option":                  nil,
		"a typed nil option":            nilLike(monitoring.WithResponse(new(monitoring.Response))),
		"a nil response":                monitoring.WithResponse(nil),
		"an operation without a path":   monitoring.WithOperation("locations"),
		"an operation in small letters": monitoring.WithOperation("get /v1/locations"),
		"an operation of two lines":     monitoring.WithOperation("GET /v1\n/x"),
		"a parameter without a name":    monitoring.WithQuery("", "x"),
	} {
		require.ErrorContains(t, kit.Second(client.Locations.List(t.Context(), opt)), "monitoring: ", name)
	}
	require.EqualError(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithTimeout(1), nil)), "monitoring: call option 2 is nil")
}

func TestAnOptionForOtherCallsIsAnErrorAlsoIfNothingIsSent(t *testing.T) {
	client, sent := kit.Recorded(t, 200, "{}")
	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"TCP","name":"n"}`)
	for want, opt := range map[string]monitoring.CallOption{
		"monitoring: PUT /v1/checks/tcp/{id}: WithCreateRecovery is for creates of checks and groups": monitoring.WithCreateRecovery(time.Second),
		"monitoring: PUT /v1/checks/tcp/{id}: WithChanges is for Edit":                                monitoring.WithChanges(func([]monitoring.Change) {}),
		"monitoring: WithChanges needs a function":                                                    monitoring.WithChanges(nil),
		"monitoring: call option 1 is nil":                                                            nil,
	} {
		require.EqualError(t, kit.Second(client.Checks.Update(t.Context(), check, opt)), want)
	}
	require.NoError(t, kit.Second(client.Checks.Update(t.Context(), check)))
	require.Empty(t, sent.Sent)
}

func TestEachAttemptIsReportedToTheLogTheHookAndTheResponse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var attempts []monitoring.AttemptInfo
		responses := []testkit.RoundTripper{
			testkit.Faults["503 with Retry-After"], testkit.Faults["429"], testkit.Faults["reset after the request is written"],
			func(*http.Request) (*http.Response, error) {
				time.Sleep(120 * time.Millisecond)
				return testkit.Respond(200, http.Header{"X-Trace": {"t"}}, `[{"region":"eu-west-1"}]`), nil
			},
		}
		sent := 0
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			sent++
			return responses[sent-1](req)
		}), monitoring.WithMaxRetries(2), monitoring.WithRetryPolicy(monitoring.RetryPolicy{}), // the number counts, though the policy is the later one
			monitoring.WithAttemptHook(func(_ context.Context, a monitoring.AttemptInfo) { attempts = append(attempts, a) }),
			monitoring.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
		var response monitoring.Response
		_, err := client.Locations.List(t.Context(), monitoring.WithResponse(&response))
		require.NoError(t, err)

		require.Len(t, attempts, 4)
		for i, a := range attempts {
			require.Equal(t, "GET /v1/locations", a.Operation)
			require.Equal(t, i+1, a.Number)
			require.Equal(t, i < 3, a.Retry)
		}
		require.Equal(t, []int{503, 429, 0, 200}, []int{attempts[0].StatusCode, attempts[1].StatusCode, attempts[2].StatusCode, attempts[3].StatusCode})
		require.Equal(t, 3*time.Second, attempts[0].RetryIn)
		require.Equal(t, 2*time.Second, attempts[1].RetryIn)
		require.ErrorContains(t, attempts[2].Err, "connection reset")
		require.Equal(t, 120*time.Millisecond, attempts[3].Duration)

		require.Equal(t, 200, response.StatusCode)
		require.Equal(t, "t", response.Header.Get("X-Trace"))
		require.Equal(t, 4, response.Attempts)
		require.GreaterOrEqual(t, response.RetryWait, 5*time.Second)
		require.JSONEq(t, `[{"region":"eu-west-1"}]`, string(response.Body))
		require.Error(t, kit.Second(client.CheckSessions.Get(t.Context(), "", monitoring.WithResponse(&response))))
		require.Equal(t, monitoring.Response{}, response, "nothing was sent")

		text := log.String()
		require.Equal(t, 3, strings.Count(text, `level=WARN msg="monitoring: attempt failed, retrying"`), text)
		require.Equal(t, 1, strings.Count(text, `level=WARN msg="monitoring: rate limited, pausing"`), text)
		require.Contains(t, text, `retry_after=2s limit="GET /v1/locations" share=0.94`)
		require.Equal(t, 1, strings.Count(text, `level=DEBUG msg="monitoring: attempt"`), text)
		require.Contains(t, text, `operation="GET /v1/locations" attempt=4 status=200 limiter_wait=`)
		require.Equal(t, 3, strings.Count(text, " retry_in="), text)
		require.Equal(t, 1, strings.Count(text, "connection reset"), text)
	})
}

func TestMethodsThatMakeSeveralCallsDoNotFillWithResponse(t *testing.T) {
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		if strings.HasPrefix(req.URL.Path, "/v1/variables") {
			return testkit.Respond(200, nil, `[{"key":"the same on every page"}]`), nil
		}
		return testkit.Respond(200, nil, `{"status":"PASSED","results":[{"checkId":"c","checkResultId":"r","resultType":"FINAL","hasFailures":true}]}`), nil
	}))
	var response monitoring.Response
	option := monitoring.WithResponse(&response)
	session, err := client.CheckSessions.Wait(t.Context(), kit.UUID1, monitoring.WaitOptions{}, option)
	require.NoError(t, err)
	for _, err := range client.CheckSessions.WaitAll(t.Context(), []string{"a", "b", "c"}, monitoring.WaitOptions{}, option) {
		require.NoError(t, err)
	}
	require.NoError(t, kit.Second(client.CheckSessions.FetchFailingResults(t.Context(), session, option)))
	require.ErrorContains(t, kit.Second(monitoring.Collect(client.Variables.All(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 1}}, option, monitoring.WithReadAhead(2)))), "the service ignores the page")
	require.Equal(t, monitoring.Response{}, response)
}

func TestHooksAreCalledInTheirOrderWithTheContextOfTheStartHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type marks struct{}
		var order []string
		var calls []monitoring.CallInfo
		var log bytes.Buffer
		start := func(name string) monitoring.ClientOption {
			return monitoring.WithStartHook(func(ctx context.Context, operation string) context.Context {
				marked, _ := ctx.Value(marks{}).(string)
				return context.WithValue(ctx, marks{}, marked+name+" "+operation+", ")
			})
		}
		note := func(ctx context.Context, name string) { order = append(order, fmt.Sprint(ctx.Value(marks{}), name)) }
		attempt := func(name string) monitoring.ClientOption {
			return monitoring.WithAttemptHook(func(ctx context.Context, a monitoring.AttemptInfo) { note(ctx, fmt.Sprint(name, a.Number)) })
		}
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			note(req.Context(), "sent")
			time.Sleep(150 * time.Millisecond)
			return testkit.Faults["503 with Retry-After"](req)
		}), start("1"), monitoring.WithStartHook(func(context.Context, string) context.Context { return nil }), start("2"), attempt("a"), attempt("b"),
			monitoring.WithCallHook(func(ctx context.Context, c monitoring.CallInfo) {
				note(ctx, "first")
				calls = append(calls, c)
			}),
			monitoring.WithCallHook(func(ctx context.Context, _ monitoring.CallInfo) { note(ctx, "second") }),
			monitoring.WithMaxRetries(1), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: 10 * time.Second}),
			monitoring.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		_, err := client.CheckGroups.Get(t.Context(), 1)
		const marked = "1 GET /v1/check-groups/{id}, 2 GET /v1/check-groups/{id}, "
		require.Equal(t, []string{marked + "sent", marked + "a1", marked + "b1", marked + "sent", marked + "a2", marked + "b2", marked + "first", marked + "second"}, order)
		waited := calls[0].LimiterWait
		require.Equal(t, monitoring.CallInfo{
			Operation: "GET /v1/check-groups/{id}", Attempts: 2, StatusCode: 503, Err: err,
			LimiterWait: waited, RetryWait: 3 * time.Second, InFlight: 300 * time.Millisecond, Duration: waited + 3300*time.Millisecond,
		}, calls[0])
		require.Greater(t, waited, 6*time.Second)
		require.Contains(t, log.String(), "waited for the rate limit")

		order = nil
		_, err = client.CheckGroups.Get(t.Context(), -1)
		require.Equal(t, err, calls[1].Err)
		require.Equal(t, []string{marked + "first", marked + "second"}, order, "for a refused call, too")
	})
}

func TestTransportHooksWrapTheTransportOfTheClientAndTheLastOneSeesARequestFirst(t *testing.T) {
	var order []string
	wrap := func(name string) monitoring.ClientOption {
		return monitoring.WithTransportHook(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				order = append(order, name)
				return next.RoundTrip(req)
			})
		})
	}
	nothing := monitoring.WithTransportHook(func(http.RoundTripper) http.RoundTripper { return nil })
	client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		order = append(order, "the transport")
		return testkit.Respond(200, nil, `[]`), nil
	}), wrap("a"), nothing, wrap("b"))
	require.NoError(t, kit.Second(client.Locations.List(t.Context())))
	require.Equal(t, []string{"b", "a", "the transport"}, order)
}

func TestALimiterHookGetsTheLimiterThatTheClientUses(t *testing.T) {
	given, err := monitoring.NewLimiter(monitoring.RateLimit{Requests: 7, Per: time.Minute})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		opts []monitoring.ClientOption
		want monitoring.RateLimit
	}{
		"its own":         {nil, monitoring.DefaultRateLimit},
		"with a limit":    {[]monitoring.ClientOption{monitoring.WithRateLimit(monitoring.RateLimit{Requests: 3, Per: time.Second})}, monitoring.RateLimit{Requests: 3, Per: time.Second}},
		"a given limiter": {[]monitoring.ClientOption{monitoring.WithLimiter(given)}, monitoring.RateLimit{Requests: 7, Per: time.Minute}},
		"none":            {[]monitoring.ClientOption{monitoring.WithoutRateLimit()}, monitoring.RateLimit{}},
	} {
		var got []monitoring.Limiter
		hook := monitoring.WithLimiterHook(func(l monitoring.Limiter) { got = append(got, l) })
		_, err := monitoring.NewClient("https://monitoring.test", "key-123", append(c.opts, hook, hook)...)
		require.NoError(t, err)
		require.Len(t, got, 2, name)
		require.Equal(t, c.want.Requests, got[1].State().Limit.Requests, name)
		require.Equal(t, c.want.Per, got[1].State().Limit.Per, name)
		_, err = monitoring.NewClient("ftp://monitoring.test", "key-123", hook)
		require.Error(t, err)
		require.Len(t, got, 2, "no client was made")
	}
}

func TestACallSaysHowTheLimiterOrdersIt(t *testing.T) {
	var classes []monitoring.AttemptClass
	client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		return testkit.Respond(200, nil, `[]`), nil
	}), monitoring.WithCallHook(func(_ context.Context, c monitoring.CallInfo) { classes = append(classes, c.Class) }))
	require.NoError(t, kit.Second(client.Locations.List(t.Context())))
	require.NoError(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithBackground())))
	require.Error(t, kit.Second(client.CheckSessions.Completion(t.Context(), kit.UUID1, monitoring.CompletionOptions{})))
	require.Equal(t, []monitoring.AttemptClass{monitoring.ClassOrdinary, monitoring.ClassBackground, monitoring.ClassPoll}, classes)
}

func TestWhichRetryPoliciesAreRefused(t *testing.T) {
	made := func(p monitoring.RetryPolicy) error {
		return kit.Second(monitoring.NewClient(kit.Base, kit.Key, monitoring.WithRetryPolicy(p)))
	}
	for _, p := range []monitoring.RetryPolicy{
		{MaxRetries: -1}, {MinBackoff: -1}, {MaxBackoff: -1}, {MaxBackoff: -1, MinBackoff: -2}, {MaxRetryAfter: -1}, {MinBackoff: 2, MaxBackoff: 1},
	} {
		require.ErrorContains(t, made(p), "WithRetryPolicy: ", "%+v", p)
	}
	for _, p := range []monitoring.RetryPolicy{
		{}, {MinBackoff: time.Hour}, {MaxBackoff: 1}, {MinBackoff: 1, MaxBackoff: 1}, {MaxRetries: 100, MinBackoff: 1, MaxBackoff: 2, MaxRetryAfter: time.Hour},
	} {
		require.NoError(t, made(p), "%+v", p)
	}
}

// A field that is zero has the default of DefaultRetryPolicy, and MaxBackoff never less than
// MinBackoff.
func TestARetryPolicyNeedsOnlyTheFieldsThatDiffer(t *testing.T) {
	d := monitoring.DefaultRetryPolicy()
	for name, c := range map[string]struct {
		policy      monitoring.RetryPolicy
		retryAfter  string
		least, most time.Duration // before the retry
	}{
		"no back-off":              {monitoring.RetryPolicy{MaxRetries: 1}, "", 1, d.MinBackoff},
		"a long one":               {monitoring.RetryPolicy{MaxRetries: 1, MinBackoff: 10_000 * time.Hour}, "", time.Minute, 10_000 * time.Hour},
		"a short one":              {monitoring.RetryPolicy{MaxRetries: 1, MinBackoff: 1, MaxBackoff: 1}, "", 0, 1},
		"the longest Retry-After":  {monitoring.RetryPolicy{MaxRetries: 1, MinBackoff: 1}, "120", d.MaxRetryAfter, d.MaxRetryAfter + time.Second},
		"a longer one":             {monitoring.RetryPolicy{MaxRetries: 1, MinBackoff: 1}, "121", -1, -1},
		"the longest of its own":   {monitoring.RetryPolicy{MaxRetries: 1, MinBackoff: 1, MaxRetryAfter: 10 * time.Second}, "10", 10 * time.Second, 11 * time.Second},
		"longer than its own":      {monitoring.RetryPolicy{MaxRetries: 1, MinBackoff: 1, MaxRetryAfter: 10 * time.Second}, "11", -1, -1},
		"no retries":               {monitoring.RetryPolicy{}, "", -1, -1},
		"no retries, but back-off": {monitoring.RetryPolicy{MinBackoff: time.Hour}, "", -1, -1},
	} {
		synctest.Test(t, func(t *testing.T) {
			var sent []time.Time
			client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				sent = append(sent, time.Now())
				return testkit.Respond(503, http.Header{"Retry-After": {c.retryAfter}}, ""), nil
			}), monitoring.WithRetryPolicy(c.policy))
			require.Error(t, kit.Second(client.Locations.List(t.Context())))
			if c.most < 0 {
				require.Len(t, sent, 1, name)
				return
			}
			require.Len(t, sent, 2, name)
			require.GreaterOrEqual(t, sent[1].Sub(sent[0]), c.least, name)
			require.LessOrEqual(t, sent[1].Sub(sent[0]), c.most, name)
		})
	}
}

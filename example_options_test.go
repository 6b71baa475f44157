package monitoring_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// quick retries almost without waiting, so that the examples run fast.
var quick = monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 2, MinBackoff: time.Nanosecond, MaxBackoff: time.Nanosecond})

func ExampleWithOperation() {
	_, client := demo(monitoring.WithCallHook(func(_ context.Context, c monitoring.CallInfo) { fmt.Println(c.Operation) }))
	ctx := context.Background()
	for _, id := range []int{4711, 1} {
		// With one name for all ids a metric does not get a label for each id.
		monitoring.Do[map[string]any](ctx, client, http.MethodGet, fmt.Sprint("/v1/check-groups/", id), nil, nil,
			monitoring.WithOperation("GET /v1/check-groups/{id}"))
	}
	// Output:
	// GET /v1/check-groups/{id}
	// GET /v1/check-groups/{id}
}

func ExampleWithQuery() {
	fake, client := demo()
	// A parameter that the options of the method do not have.
	_, err := client.Checks.Update(context.Background(),
		&monitoring.Check{ID: monitoringtest.DemoCheckID, CheckType: monitoring.CheckTypeAPI, Muted: new(true)},
		monitoring.WithQuery("autoAssignAlerts", "false"))
	requests := fake.Requests()
	fmt.Println(requests[len(requests)-1].Query.Encode(), err)
	// Output:
	// autoAssignAlerts=false <nil>
}

func ExampleWithKeySource() {
	// The source keeps the key of a vault until the service refuses it. It asks the vault with the
	// context, and not under the lock: if the vault hangs, other calls of the source go on.
	fromVault := func(context.Context) (string, error) { return monitoringtest.APIKey, nil }
	var cached atomic.Value
	cached.Store("a-key-that-was-revoked")
	source := func(ctx context.Context, refused monitoring.Secret) (string, error) {
		if key := cached.Load().(string); key != refused.Reveal() {
			return key, nil
		}
		key, err := fromVault(ctx)
		if err == nil {
			cached.Store(key)
		}
		return key, err
	}
	fake := monitoringtest.NewDemo()
	client, err := monitoring.NewClient(monitoringtest.BaseURL, "", monitoring.WithKeySource(source),
		monitoring.WithHTTPClient(&http.Client{Transport: fake.Transport()}),
		monitoring.WithAccount(monitoringtest.AccountID),
		monitoring.WithAttemptHook(func(_ context.Context, a monitoring.AttemptInfo) { fmt.Println(a.StatusCode, a.Retry) }))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.Locations.List(context.Background())
	fmt.Println(err)
	// Output:
	// 401 true
	// 200 false
	// <nil>
}

func ExampleWithStartHook() {
	type traceKey struct{}
	_, client := demo(
		monitoring.WithStartHook(func(ctx context.Context, operation string) context.Context {
			return context.WithValue(ctx, traceKey{}, "span of "+operation) // or trace.Tracer.Start
		}),
		monitoring.WithCallHook(func(ctx context.Context, c monitoring.CallInfo) {
			fmt.Println("end the", ctx.Value(traceKey{}), c.Err)
		}))
	client.Locations.List(context.Background())
	// Output:
	// end the span of GET /v1/locations <nil>
}

func ExampleWithCallHook() {
	fake, client := demo(quick, monitoring.WithCallHook(func(_ context.Context, c monitoring.CallInfo) {
		// LimiterWait, RetryWait and InFlight say how long each part of the call took.
		fmt.Println(c.Operation, "attempts:", c.Attempts, "status:", c.StatusCode, "failed:", c.Err != nil, c.Duration >= c.InFlight)
	}))
	fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusBadGateway, Times: 1})
	client.Locations.List(context.Background())
	client.CheckGroups.Get(context.Background(), 1)
	// Output:
	// GET /v1/locations attempts: 2 status: 200 failed: false true
	// GET /v1/check-groups/{id} attempts: 1 status: 404 failed: true true
}

func ExampleWithWaitHook() {
	fake := monitoringtest.New(monitoringtest.WithRunTime(time.Millisecond))
	fake.AddCheck(monitoringtest.Check{Name: "Checkout"})
	client, err := fake.Client(monitoring.WithWaitHook(func(_ context.Context, w monitoring.WaitInfo) {
		fmt.Println(w.Verdict, w.Err, w.Duration < time.Minute)
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	client.CheckSessions.TriggerAndWait(context.Background(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
	// Output:
	// passed <nil> true
}

func ExampleWithTransportHook() {
	transport := &counting{}
	_, client := demo(monitoring.WithTransportHook(func(next http.RoundTripper) http.RoundTripper {
		transport.base = next // such as otelhttp.NewTransport(next)
		return transport
	}))
	client.Locations.List(context.Background())
	fmt.Println(transport.n)
	// Output:
	// 1
}

func ExampleWithLimiterHook() {
	var limiter monitoring.Limiter
	_, client := demo(monitoring.WithLimiterHook(func(l monitoring.Limiter) { limiter = l }))
	client.Locations.List(context.Background())
	state := limiter.State() // at any time: for metrics, or when calls seem to hang
	fmt.Println(state.Limit.Requests, state.Waiters, state.Share)
	// Output:
	// 600 0 1
}

func ExampleWithRetryPolicy() {
	policy := monitoring.DefaultRetryPolicy()
	policy.MaxRetries = 2
	policy.MinBackoff, policy.MaxBackoff = time.Millisecond, 2*time.Millisecond
	fake, client := demo(monitoring.WithRetryPolicy(policy))
	fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusServiceUnavailable})
	_, err := client.Locations.List(context.Background())
	fmt.Println(err)
	// Output:
	// monitoring: GET /v1/locations at monitoring.test: 503 Service Unavailable (after 3 attempts)
}

func ExampleWithRouteRateLimit() {
	_, client := demo(monitoring.WithRouteRateLimit("GET /v1/check-groups/{id}", monitoring.RateLimit{Requests: 1, Per: 10 * time.Millisecond}))
	began := time.Now()
	for range 2 {
		if _, err := client.CheckGroups.Get(context.Background(), monitoringtest.DemoGroupID); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println("the second call waited:", time.Since(began) >= 10*time.Millisecond)
	// Output:
	// the second call waited: true
}

func ExampleWithLogger() {
	handler := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		Level: slog.LevelWarn, // level debug has a record for each attempt
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey || a.Value.Kind() == slog.KindDuration {
				return slog.Attr{} // times differ from run to run
			}
			return a
		},
	})
	fake, client := demo(quick, monitoring.WithLogger(slog.New(handler)))
	fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusBadGateway, Times: 1})
	_, err := client.Locations.List(context.Background())
	fmt.Println(err)
	// Output:
	// level=WARN msg="monitoring: attempt failed, retrying" operation="GET /v1/locations" attempt=1 status=502
	// <nil>
}

// counting is a transport that counts requests and passes them to another transport.
type counting struct {
	base http.RoundTripper
	n    int
}

func (c *counting) RoundTrip(req *http.Request) (*http.Response, error) {
	c.n++
	return c.base.RoundTrip(req)
}

func ExampleWithHTTPClient() {
	fake := monitoringtest.NewDemo()
	transport := &counting{base: fake.Transport()} // such as otelhttp, or one that uses a proxy
	client, err := monitoring.NewClient(monitoringtest.BaseURL, monitoringtest.APIKey,
		monitoring.WithAccount(monitoringtest.AccountID),
		monitoring.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = client.Locations.List(context.Background())
	fmt.Println(transport.n, err)
	// Output:
	// 1 <nil>
}

// stoppable is a limiter that can end all further calls of its clients.
type stoppable struct {
	monitoring.Limiter
	stopped atomic.Bool
}

func (s *stoppable) Wait(ctx context.Context, a monitoring.AttemptRequest) error {
	if s.stopped.Load() {
		return errors.New("stopped by the operator")
	}
	return s.Limiter.Wait(ctx, a)
}

// A limiter of your own embeds one of NewLimiter and overrides methods.
func ExampleLimiter() {
	limiter, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
	if err != nil {
		fmt.Println(err)
		return
	}
	own := &stoppable{Limiter: limiter}
	_, client := demo(monitoring.WithLimiter(own))
	_, err = client.Locations.List(context.Background())
	fmt.Println(err)
	own.stopped.Store(true)
	_, err = client.Locations.List(context.Background())
	fmt.Println(err)
	// Output:
	// <nil>
	// monitoring: GET /v1/locations: waiting for the rate limit: stopped by the operator
}

func ExampleWithLimiter() {
	// Two clients of one account share its limit.
	limiter, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, first := demo(monitoring.WithLimiter(limiter))
	_, second := demo(monitoring.WithLimiter(limiter))
	_, err1 := first.Locations.List(context.Background())
	_, err2 := second.Locations.List(context.Background())
	fmt.Println(err1, err2)
	// Output:
	// <nil> <nil>
}

func ExampleWithReadAhead() {
	_, client := demo()
	// Up to three pages are fetched while the loop handles the pages before them.
	pages := monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 2}}
	list, err := monitoring.Collect(client.Variables.All(context.Background(), pages, monitoring.WithReadAhead(3)))
	fmt.Println(len(list), err)
	// Output:
	// 5 <nil>
}

func ExampleWithoutValidation() {
	_, client := demo()
	check := &monitoring.Check{Name: "Database", TCP: &monitoring.TCPRequest{Hostname: "db.shop.test", Port: 70_000}}
	_, err := client.Checks.Create(context.Background(), check)
	fmt.Println(err)
	// Now only the service checks the rules.
	_, err = client.Checks.Create(context.Background(), check, monitoring.WithoutValidation())
	fmt.Println(err != nil)
	// Output:
	// monitoring: POST /v1/checks/tcp ("Database"): invalid request, not sent: request.port: 70000 is outside 1..65535
	// true
}

func ExampleWithItemID() {
	_, client := demo()
	// The items of this list have no field "id". Unless another field is named, an item could be
	// yielded twice if the list changes while it is read.
	type variable struct{ Key string }
	for v, err := range monitoring.All[variable](context.Background(), client, "/v1/variables", nil, monitoring.WithItemID("key")) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(v.Key)
		break
	}
	// Output:
	// API_URL
}

func ExampleWithTimeout() {
	fake, client := demo(quick, monitoring.WithTimeout(5*time.Second)) // the limit of each attempt
	fake.Inject(monitoringtest.Fault{Delay: time.Minute, Times: 1})
	// An attempt that takes too long is retried. A context bounds the whole call.
	var response monitoring.Response
	_, err := client.Locations.List(context.Background(), monitoring.WithTimeout(time.Second/4), monitoring.WithResponse(&response))
	fmt.Println(response.Attempts, err)
	// Output:
	// 2 <nil>
}

func ExampleWithMaxRetries() {
	fake, client := demo()
	fake.Inject(monitoringtest.Fault{Status: http.StatusServiceUnavailable, Times: 1})
	_, err := client.Locations.List(context.Background(), monitoring.WithMaxRetries(0)) // for this call only
	fmt.Println(err)
	// Output:
	// monitoring: GET /v1/locations at monitoring.test: 503 Service Unavailable
}

func ExampleNewClientFromEnv() {
	os.Setenv("MONITORING_BASE_URL", "") // as in a job that has lost its secrets
	os.Setenv("MONITORING_API_KEY", "")
	os.Setenv("MONITORING_INSECURE_HTTP", "yes")
	defer os.Unsetenv("MONITORING_INSECURE_HTTP")
	_, err := monitoring.NewClientFromEnv()
	fmt.Println(err)
	// Output:
	// monitoring: new client: set MONITORING_BASE_URL and MONITORING_API_KEY in the environment; MONITORING_INSECURE_HTTP: must be 1, 0 or unset
}

func ExampleWithInsecureHTTP() {
	// The key would travel in clear. Loopback addresses need no option.
	_, err := monitoring.NewClient("http://gateway.shop.test", "key")
	fmt.Println(err)
	_, err = monitoring.NewClient("http://gateway.shop.test", "key", monitoring.WithInsecureHTTP())
	fmt.Println(err)
	// Output:
	// monitoring: new client: base URL: plain http would send the API key unencrypted: use https, or pass WithInsecureHTTP if you mean plain http
	// <nil>
}

func ExampleWithUserAgent() {
	fake, client := demo(monitoring.WithUserAgent("deploy-gate/1.2"))
	if _, err := client.Locations.List(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(fake.Requests()[0].Header.Get("User-Agent"))
	// Output:
	// deploy-gate/1.2 monitoring-go/0.4.0
}

func ExampleWithAccountHeader() {
	// The name is only for gateways that want another one. The account itself is WithAccount.
	fake, client := demo(monitoring.WithAccountHeader("x-tenant"), monitoring.WithAccount(monitoringtest.AccountID))
	if _, err := client.Locations.List(context.Background()); err != nil {
		fmt.Println(err)
	}
	header := fake.Requests()[0].Header
	fmt.Println(header.Get("x-tenant") == monitoringtest.AccountID, header.Get("x-service-account") == "")
	// Output:
	// true true
}

func ExampleWithoutRateLimit() {
	// A proxy keeps the limit. A 429 of it is still retried, and pauses nothing but its own call.
	fake, client := demo(quick, monitoring.WithoutRateLimit())
	fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusTooManyRequests, Times: 1})
	var response monitoring.Response
	_, err := client.Locations.List(context.Background(), monitoring.WithResponse(&response))
	fmt.Println(response.Attempts, err)
	// Output:
	// 2 <nil>
}

func ExampleSafeToRetry() {
	fake, client := demo(monitoring.WithMaxRetries(0))
	ctx, all := context.Background(), monitoring.TriggerRequest{AllChecks: true}
	for _, kind := range []monitoringtest.FaultKind{monitoringtest.FaultRefuse, monitoringtest.FaultResetAfter} {
		fake.Inject(monitoringtest.Fault{Kind: kind, Times: 1})
		_, err := client.CheckSessions.Trigger(ctx, all)
		fmt.Println(monitoring.SafeToRetry(err), errors.Is(err, monitoring.ErrOutcomeUnknown))
	}
	// Output:
	// true false
	// false true
}

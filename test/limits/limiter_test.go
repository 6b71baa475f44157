package limits_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/gates"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAnInvalidRateLimitIsAnError(t *testing.T) {
	for _, limit := range []monitoring.RateLimit{{}, {Requests: 5}, {Per: time.Second}, {Requests: -1, Per: time.Second}} {
		const want = "rate limit of %d requests in %s: want a positive number and time"
		_, err := monitoring.NewLimiter(limit)
		require.EqualError(t, err, fmt.Sprintf("monitoring: new limiter: "+want, limit.Requests, limit.Per))
		require.EqualError(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", monitoring.WithRateLimit(limit))),
			fmt.Sprintf("monitoring: new client: "+want, limit.Requests, limit.Per))
	}
	_, err := monitoring.NewClient("https://monitoring.test", "k", monitoring.WithRouteRateLimit("nonsense", monitoring.DefaultRateLimit))
	require.ErrorContains(t, err, `monitoring: new client: route "nonsense": want a method and a path`)
	require.EqualError(t, kit.Second(monitoring.NewClient("https://monitoring.test", "k", monitoring.WithRouteRateLimit("GET /v1/x", monitoring.RateLimit{Requests: 1}))), `monitoring: new client: route "GET /v1/x": rate limit of 1 requests in 0s: want a positive number and time`)
}

func TestTheStateOfALimiterAndTheErrorsInItsPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := monitoring.RateLimit{Requests: 60, Per: time.Minute, Burst: 7}
		l, err := monitoring.NewLimiter(limit)
		require.NoError(t, err)
		alerts := monitoring.RouteState{Operation: "GET /v1/alert-notifications", Limit: monitoring.RateLimit{Requests: 5, Per: 10 * time.Second, Burst: 5}, Available: 5, Share: 1}
		results := monitoring.RouteState{Operation: "GET /v2/check-results/{checkId}", Limit: monitoring.RateLimit{Requests: 60, Per: time.Minute}, Available: 10, Share: 1}
		require.Equal(t, monitoring.LimiterState{Limit: limit, Available: 7, Share: 1, Routes: []monitoring.RouteState{alerts, results}}, l.State())
		for _, operation := range []string{"", alerts.Operation} {
			l.Ended(monitoring.AttemptRequest{Operation: operation}, monitoring.AttemptOutcome{StatusCode: 429, RetryAfter: 20 * time.Second})
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		var waiting sync.WaitGroup
		until := time.Now().Add(20 * time.Second)
		for _, class := range []monitoring.AttemptClass{monitoring.ClassOrdinary, monitoring.ClassPoll, monitoring.ClassPoll} {
			waiting.Go(func() {
				err := l.Wait(ctx, monitoring.AttemptRequest{Class: class})
				require.ErrorIs(t, err, monitoring.ErrRateLimited)
				require.EqualError(t, err, "waiting for the rate limit, which is paused until "+until.Format(time.RFC3339)+" after a 429: context deadline exceeded")
			})
		}
		synctest.Wait()
		alerts.Available, alerts.PausedUntil, alerts.Share = 0, until, 0.94
		require.Equal(t, monitoring.LimiterState{
			Limit: limit, PausedUntil: until, Share: 0.94, Waiters: 3, Routes: []monitoring.RouteState{alerts, results},
			WaitersByClass: map[monitoring.AttemptClass]int{monitoring.ClassOrdinary: 1, monitoring.ClassPoll: 2},
		}, l.State())
		waiting.Wait()
	})
}

func TestWithoutALimitNoCallWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		client := kit.Client(t, testkit.InTurn(testkit.Faults["429"], testkit.Status(200, "[]")), monitoring.WithoutRateLimit())
		require.ErrorIs(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithMaxRetries(0))), monitoring.ErrRateLimited)
		for range 1000 {
			require.NoError(t, kit.Second(client.Locations.List(t.Context())))
		}
		require.Zero(t, time.Since(began), "a 429 pauses nobody")
	})
	_, err := monitoring.NewClient(kit.Base, kit.Key, monitoring.WithoutRateLimit(), monitoring.WithRouteRateLimit("GET /v1/x", monitoring.DefaultRateLimit))
	require.EqualError(t, err, "monitoring: new client: a route cannot have a limit without WithRateLimit or WithLimiter: remove WithoutRateLimit")
}

func TestMain(m *testing.M) { testkit.Main(m) }

// What a limiter does with all kinds of loads is tested in internal/limiter.

func TestClientsThatShareALimiterUseNearlyAllOfItAndGetNo429(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithLatency(300*time.Millisecond), monitoringtest.WithRouteLimits(),
			monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))
		shared, err := monitoring.NewLimiter(monitoring.DefaultRateLimit)
		require.NoError(t, err)
		end := time.Now().Add(3 * time.Minute)
		var callers sync.WaitGroup
		for i := range 32 {
			client := kit.Fake(t, svc, monitoring.WithLimiter(shared))
			callers.Go(func() {
				for time.Now().Before(end) {
					if i < 4 {
						require.NoError(t, kit.Second(client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})))
					} else {
						require.NoError(t, kit.Second(client.Locations.List(t.Context())))
					}
				}
			})
		}
		callers.Wait()
		for _, r := range svc.Requests() {
			require.Equal(t, 200, r.Status)
		}
		require.GreaterOrEqual(t, len(svc.Requests()), 1800*98/100)
		require.GreaterOrEqual(t, svc.Count("GET /v1/alert-notifications"), 90*98/100)
	})
}

// net/http sends a read once more by itself if the connection that it had kept was closed. The
// service counts that request, too.
func TestARequestThatTheTransportSendsOnceMoreTakesAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { testSendsOnceMore(t, nil) })
	for _, proxy := range []string{"http://proxy.test:3128", "http://proxy.test"} {
		address, err := url.Parse(proxy)
		require.NoError(t, err)
		synctest.Test(t, func(t *testing.T) { testSendsOnceMore(t, http.ProxyURL(address)) })
	}
}

func testSendsOnceMore(t *testing.T, proxy func(*http.Request) (*url.URL, error)) {
	var arrived []time.Time
	serve := func(conn net.Conn) {
		defer conn.Close()
		requests := bufio.NewReader(conn)
		for answered := false; ; answered = true {
			if _, err := http.ReadRequest(requests); err != nil {
				return
			}
			arrived = append(arrived, time.Now())
			if answered {
				return // the second request of each connection gets no response
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
		}
	}
	transport := &http.Transport{Proxy: proxy, DialContext: func(context.Context, string, string) (net.Conn, error) {
		ours, services := net.Pipe()
		go serve(services)
		return ours, nil
	}}
	defer transport.CloseIdleConnections()
	limit := monitoring.RateLimit{Requests: 10, Per: time.Minute}
	limiter, err := monitoring.NewLimiter(limit)
	require.NoError(t, err)
	counted := &kit.Limiter{}
	counted.Place = func(ctx context.Context) error {
		return limiter.Wait(ctx, monitoring.AttemptRequest{Operation: "GET /v1/locations"})
	}
	var waited, inFlight time.Duration
	client := kit.NewClient(t, "http://localhost", "key-123", &http.Client{Transport: transport},
		monitoring.WithLimiter(counted), monitoring.WithTimeout(0), monitoring.WithMaxRetries(0),
		monitoring.WithAttemptHook(func(_ context.Context, a monitoring.AttemptInfo) {
			waited, inFlight = waited+a.LimiterWait, inFlight+a.Duration
		}))
	began := time.Now()
	for range 30 {
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
	}
	require.Len(t, arrived, 59)
	for i := range arrived[limit.Requests:] {
		require.GreaterOrEqual(t, arrived[i+limit.Requests].Sub(arrived[i]), limit.Per, i)
	}
	require.Len(t, counted.Asked, 59)
	require.Len(t, counted.Outcomes, 59)
	require.Equal(t, time.Since(began), waited, "the whole time is a wait for places")
	require.Zero(t, inFlight)
}

// A program may take another proxy for each request.
func TestAProxyIsAskedForOnceForEachRequest(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "[]") }))
	defer proxy.Close()
	address, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	asked := 0
	transport := &http.Transport{Proxy: func(*http.Request) (*url.URL, error) {
		asked++
		return address, nil
	}}
	defer transport.CloseIdleConnections()
	client := kit.NewClient(t, "http://localhost", "key-123", &http.Client{Transport: transport})
	for range 3 {
		require.NoError(t, kit.Second(client.Locations.List(t.Context())))
	}
	require.Equal(t, 3, asked)
}

func TestALimiterGetsTheOperationAndItsClass(t *testing.T) {
	type client = *monitoring.Client
	ctx := t.Context()
	get := func(opts ...monitoring.CallOption) func(client) error {
		return func(c client) error { return kit.Second(c.CheckGroups.Get(ctx, 1, opts...)) }
	}
	do := func(path string, opts ...monitoring.CallOption) func(client) error {
		return func(c client) error {
			return kit.Second(monitoring.Do[any](ctx, c, "GET", path, url.Values{"x": {"1"}}, nil, opts...))
		}
	}
	poll := func(c client) error {
		return kit.Second(c.CheckSessions.Completion(ctx, kit.UUID1, monitoring.CompletionOptions{}))
	}
	const group, completion = "GET /v1/check-groups/{id}", "GET /v2/check-sessions/{checkSessionId}/completion"
	for name, c := range map[string]struct {
		call func(client) error
		want monitoring.AttemptRequest
	}{
		"a read":                 {get(), monitoring.AttemptRequest{Operation: group}},
		"a read with a name":     {get(monitoring.WithOperation("GET /v1/x")), monitoring.AttemptRequest{Operation: "GET /v1/x"}},
		"one in the background":  {get(monitoring.WithBackground()), monitoring.AttemptRequest{Operation: group, Class: monitoring.ClassBackground}},
		"a long poll":            {poll, monitoring.AttemptRequest{Operation: completion, Class: monitoring.ClassPoll}},
		"an untyped call":        {do("/v1/a b/1"), monitoring.AttemptRequest{Operation: "GET /v1/a%20b/1"}},
		"with the account":       {do("/v1/accounts/"+monitoringtest.AccountID, monitoring.WithAccount(monitoringtest.AccountID)), monitoring.AttemptRequest{Operation: "GET /v1/accounts/[redacted]"}},
		"an untyped call's name": {do("/v1/a/1", monitoring.WithOperation("GET /v1/a/{id}")), monitoring.AttemptRequest{Operation: "GET /v1/a/{id}"}},
	} {
		l := &kit.Limiter{}
		require.ErrorIs(t, c.call(kit.Client(t, testkit.Faults["404"], monitoring.WithLimiter(l))), monitoring.ErrNotFound, name)
		require.Equal(t, []monitoring.AttemptRequest{c.want}, l.Asked, name)
	}
}

func TestAllAttemptsOfAWaitArePollsWithItsShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &kit.Limiter{}
		client := kit.Client(t, testkit.InTurn(testkit.Status(200, `{"checkSessionId":"`+kit.UUID1+`","status":"STARTED","startedAt":"2026-08-19T10:15:00.120Z"}`), testkit.Faults["404"]), monitoring.WithLimiter(l))
		require.Error(t, kit.Second(client.CheckSessions.Wait(t.Context(), kit.UUID1, monitoring.WaitOptions{Share: 0.5}, monitoring.WithBackground())))
		read := monitoring.AttemptRequest{Operation: "GET /v2/check-sessions/{checkSessionId}", Class: monitoring.ClassPoll, Share: 0.5}
		poll := read
		poll.Operation += "/completion"
		require.Equal(t, []monitoring.AttemptRequest{read, poll, read}, l.Asked)
		require.Equal(t, []monitoring.AttemptOutcome{{StatusCode: 200}, {StatusCode: 404}, {StatusCode: 404}}, l.Outcomes)
	})
}

func TestAContextThatEndsInAUsersLimiterIsTheReasonOfTheError(t *testing.T) {
	for name, limiterErr := range map[string]error{
		"without a reason":               errors.New("no place"),
		"in a pause":                     fmt.Errorf("%w: in a pause", monitoring.ErrRateLimited),
		"after a failed call of its own": &monitoring.CallError{Operation: "GET /v1/x", Err: io.ErrUnexpectedEOF},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			until := time.Now().Add(time.Minute)
			l := &kit.Limiter{Now: monitoring.LimiterState{PausedUntil: until}, Place: func(ctx context.Context) error {
				<-ctx.Done()
				return limiterErr
			}}
			err := kit.Second(kit.Client(t, testkit.Status(200, "[]"), monitoring.WithLimiter(l)).Locations.List(ctx))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Equal(t, name == "in a pause", errors.Is(err, monitoring.ErrRateLimited))
			text := "monitoring: GET /v1/locations: waiting for the rate limit: context deadline exceeded"
			if name == "in a pause" {
				text = strings.Replace(text, "limit:", "limit, which is paused until "+until.Format(time.RFC3339)+" after a 429:", 1)
			}
			require.EqualError(t, err, text)
		})
	}
	l := &kit.Limiter{Place: func(context.Context) error { return fmt.Errorf("%w: closed", monitoring.ErrRateLimited) }}
	err := kit.Second(kit.Client(t, testkit.Status(200, "[]"), monitoring.WithLimiter(l)).Locations.List(t.Context()))
	require.ErrorContains(t, err, "waiting for the rate limit: rate limited: closed", "no context has ended")
}

func TestAWaitOfMoreThanASecondForTheLimiterIsLogged(t *testing.T) {
	for wait, logged := range map[time.Duration]bool{time.Second: false, time.Second + 1: true} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			var response monitoring.Response
			l := &kit.Limiter{Place: func(ctx context.Context) error { return exchange.Sleep(ctx, wait) }}
			client := kit.Client(t, testkit.Status(200, "[]"), monitoring.WithLimiter(l), monitoring.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			require.NoError(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithResponse(&response))))
			require.Equal(t, wait, response.LimiterWait)
			require.Equal(t, logged, strings.Contains(log.String(), `waited for the rate limit" operation="GET /v1/locations" limiter_wait=`+wait.String()+` attempts=1`), log.String())
		})
	}
}

func askingToRetry(status int, retryAfter string) testkit.RoundTripper {
	return func(*http.Request) (*http.Response, error) {
		time.Sleep(time.Second)
		return testkit.Respond(status, http.Header{"Retry-After": {retryAfter}}, ""), nil
	}
}

func TestTheLogSaysWhichLimitA429Pauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		client := kit.Client(t, testkit.InTurn(testkit.Faults["429"]), monitoring.WithMaxRetries(0), monitoring.WithRetryPolicy(monitoring.RetryPolicy{}),
			monitoring.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		for _, refused := range []struct {
			call func(context.Context) error
			want string
		}{
			{func(ctx context.Context) error {
				return kit.Second(client.AlertNotifications.List(ctx, monitoring.AlertNotificationListOptions{}))
			}, `limit="GET /v1/alert-notifications" share=0.94`},
			{func(ctx context.Context) error { return kit.Second(client.Locations.List(ctx)) }, `limit="GET /v1/locations" share=0.94`},
			{func(ctx context.Context) error { return kit.Second(client.CheckGroups.Get(ctx, 1)) }, `limit=account share=0.94`},
		} {
			log.Reset()
			ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
			require.ErrorIs(t, refused.call(ctx), monitoring.ErrRateLimited)
			stop()
			require.Contains(t, log.String(), refused.want)
			require.Equal(t, 1, strings.Count(log.String(), "rate limited, pausing"))
		}
	})
}

// Two routes have limits of 30 in 60 seconds that nobody told. Callers of all others go on.
func TestTheLogNamesEachRouteWithALimitThatNobodyTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var mu sync.Mutex
		routes := map[string]gates.Gate{
			"/v1/locations":      &gates.SlidingLog{Most: 30, Window: time.Minute},
			"/v1/check-statuses": &gates.SlidingLog{Most: 30, Window: time.Minute},
		}
		answered := make(map[string]int)
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			time.Sleep(100 * time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			if gate := routes[req.URL.Path]; gate != nil && !gate.Admit(time.Now()) {
				return testkit.Respond(429, nil, ""), nil
			}
			answered[req.URL.Path]++
			return testkit.Respond(200, nil, "[]"), nil
		}), monitoring.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
		defer stop()
		var callers sync.WaitGroup
		loop := func(n int, call func(context.Context) error) {
			for range n {
				callers.Go(func() {
					for ctx.Err() == nil {
						_ = call(ctx)
					}
				})
			}
		}
		loop(3, func(ctx context.Context) error { return kit.Second(client.Locations.List(ctx)) })
		loop(3, func(ctx context.Context) error { return kit.Second(client.CheckStatuses.List(ctx)) })
		loop(10, func(ctx context.Context) error { return kit.Second(client.Runtimes.List(ctx)) })
		callers.Wait()
		text := log.String()
		require.NotContains(t, text, "limit=account")
		for _, route := range []string{"GET /v1/locations", "GET /v1/check-statuses"} {
			require.Greater(t, strings.Count(text, fmt.Sprintf("limit=%q", route)), 5)
		}
		require.Greater(t, answered["/v1/runtimes"], 4500, "of 6,000 less those of the routes")
		require.Greater(t, answered["/v1/locations"], 210, "of 300")
		require.Greater(t, answered["/v1/check-statuses"], 210, "of 300")
	})
}

func TestTheClientBoundsTheRetryAfterOfAPause(t *testing.T) {
	for asked, want := range map[string]time.Duration{
		"60":    time.Minute,
		"3600":  2 * time.Minute,
		"3601":  0, // more than an hour is ignored
		"86400": 0,
	} {
		synctest.Test(t, func(t *testing.T) {
			l := &kit.Limiter{}
			client := kit.Client(t, askingToRetry(429, asked), monitoring.WithLimiter(l), monitoring.WithMaxRetries(0))
			require.ErrorIs(t, kit.Second(client.Locations.List(t.Context())), monitoring.ErrRateLimited)
			require.Equal(t, []monitoring.AttemptOutcome{{StatusCode: 429, RetryAfter: want, Duration: time.Second}}, l.Outcomes, asked)
		})
	}
	policy := monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 3, MaxRetryAfter: 20 * time.Second})
	for asked, attempts := range map[string]int{"20": 2, "20.001": 1} {
		for _, status := range []int{429, 503} {
			synctest.Test(t, func(t *testing.T) {
				var response monitoring.Response
				client := kit.Client(t, testkit.InTurn(askingToRetry(status, asked), testkit.Status(200, "[]")), policy)
				err := kit.Second(client.Locations.List(t.Context(), monitoring.WithResponse(&response)))
				require.Equal(t, attempts == 2, err == nil, err)
				require.Equal(t, attempts, response.Attempts)
				require.Equal(t, time.Duration(attempts-1)*20*time.Second, response.RetryWait, "and of a retry")
			})
		}
	}
}

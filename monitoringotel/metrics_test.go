package monitoringotel_test

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringotel"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestTheMetricsHaveTheTimesOfCallsAttemptsAndTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observeWith(t, []monitoringotel.Option{monitoringotel.WithAttributes(attribute.String("team", "shop"))},
			monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: 10 * time.Second}))
		o.fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusServiceUnavailable, Times: 1, Delay: time.Second})
		var call monitoring.Response
		began := time.Now()
		_, err := o.Locations.List(t.Context(), monitoring.WithResponse(&call), monitoring.WithBackground())
		require.NoError(t, err)
		took := time.Since(began)

		const operation = "GET /v1/locations"
		all := o.one("monitoring.call.duration", map[string]any{"team": "shop", "monitoring.operation": operation})
		require.EqualValues(t, 1, all.count)
		require.InDelta(t, took.Seconds(), all.value, 1e-6)
		places := o.one("monitoring.limiter.wait.duration", map[string]any{"team": "shop", "monitoring.operation": operation, "monitoring.class": "background"})
		require.EqualValues(t, 1, places.count)
		require.InDelta(t, call.LimiterWait.Seconds(), places.value, 1e-6)
		require.Greater(t, places.value, 8.0)
		retries := o.one("monitoring.retries", map[string]any{"team": "shop", "monitoring.operation": operation, "error.type": "503"})
		require.Equal(t, 1.0, retries.value)

		attributes := map[string]any{
			"team": "shop", "http.request.method": "GET", "server.address": "monitoring.test", "server.port": int64(443),
			"url.template": "/v1/locations", "http.response.status_code": int64(200), "network.protocol.version": "1.1",
		}
		require.EqualValues(t, 1, o.one("http.client.request.duration", attributes).count)
		attributes["http.response.status_code"], attributes["error.type"] = int64(503), "503"
		failed := o.one("http.client.request.duration", attributes)
		require.EqualValues(t, 1, failed.count)
		require.InDelta(t, 1, failed.value, 1e-6)
	})
}

func TestTheLimiterIsReadWhenMetricsAreCollected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t, monitoring.WithRateLimit(monitoring.RateLimit{Requests: 60, Per: time.Minute, Burst: 2}),
			monitoring.WithRouteRateLimit("GET /v1/locations", monitoring.RateLimit{Requests: 1, Per: 30 * time.Second}))
		account, route := map[string]any{"monitoring.limit": "account"}, map[string]any{"monitoring.limit": "GET /v1/locations"}
		class := func(name string) map[string]any { return map[string]any{"monitoring.class": name} }
		require.Equal(t, 2.0, o.one("monitoring.limiter.available", account).value)
		require.Equal(t, 1.0, o.one("monitoring.limiter.limit", account).value)
		require.InDelta(t, 1.0/30, o.one("monitoring.limiter.limit", route).value, 1e-9)
		require.Equal(t, 1.0, o.one("monitoring.limiter.share", account).value)
		for _, name := range []string{"ordinary", "background", "poll"} {
			require.Zero(t, o.one("monitoring.limiter.waiters", class(name)).value)
		}

		ctx, cancel := context.WithCancel(t.Context())
		var calls sync.WaitGroup
		call := func(opts ...monitoring.CallOption) { calls.Go(func() { o.Locations.List(ctx, opts...) }) }
		call()
		synctest.Wait()
		call()
		call()
		call(monitoring.WithBackground())
		synctest.Wait()
		require.Equal(t, 2.0, o.one("monitoring.limiter.waiters", class("ordinary")).value)
		require.Equal(t, 1.0, o.one("monitoring.limiter.waiters", class("background")).value)
		require.Equal(t, 3.0, o.one("monitoring.limiter.route.waiters", route).value)
		require.Zero(t, o.one("monitoring.limiter.available", route).value)
		cancel()
		calls.Wait()
	})
}

func TestAClientWithoutALimitHasNoPlacesToShow(t *testing.T) {
	o := observe(t, monitoring.WithoutRateLimit())
	require.Empty(t, o.points("monitoring.limiter.available"))
	require.Empty(t, o.points("monitoring.limiter.limit"))
	require.Zero(t, o.one("monitoring.limiter.pause", map[string]any{"monitoring.limit": "account"}).value)
}

func TestAPauseIsThatOfTheAccountOrOfARoute(t *testing.T) {
	for name, c := range map[string]struct {
		operations []string
		limit      string
	}{
		"one operation is refused":       {[]string{"GET /v1/locations"}, "GET /v1/locations"},
		"several operations are refused": {[]string{"GET /v1/locations", "GET /v1/variables"}, "account"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := observe(t, monitoring.WithMaxRetries(0))
				for _, operation := range c.operations {
					o.fake.Inject(monitoringtest.Fault{Operation: operation, Status: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"20"}}})
				}
				_, err := o.Locations.List(t.Context())
				require.ErrorIs(t, err, monitoring.ErrRateLimited)
				if len(c.operations) > 1 {
					_, err = o.Variables.List(t.Context(), monitoring.VariableListOptions{})
					require.ErrorIs(t, err, monitoring.ErrRateLimited)
				}
				time.Sleep(5 * time.Second) // virtual
				at := map[string]any{"monitoring.limit": c.limit}
				require.InDelta(t, 15, o.one("monitoring.limiter.pause", at).value, 1)
				require.Less(t, o.one("monitoring.limiter.share", at).value, 1.0)
				if c.limit != "account" {
					require.Zero(t, o.one("monitoring.limiter.pause", map[string]any{"monitoring.limit": "account"}).value)
				}
			})
		})
	}
}

func TestWaitsAreMeasuredByTheVerdictAndTheError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t)
		passed := o.fake.AddSession(monitoringtest.Session{Duration: time.Minute})
		slow := o.fake.AddSession(monitoringtest.Session{Duration: time.Hour})
		for range o.CheckSessions.WaitAll(t.Context(), []string{passed, slow}, monitoring.WaitOptions{Timeout: 5 * time.Minute}) {
		}
		good := o.one("monitoring.wait.duration", map[string]any{"monitoring.verdict": "passed"})
		require.EqualValues(t, 1, good.count)
		require.InDelta(t, 60, good.value, 10)
		late := o.one("monitoring.wait.duration", map[string]any{"monitoring.verdict": "unknown", "error.type": "wait_timeout"})
		require.InDelta(t, 300, late.value, 1)
		polls := o.points("monitoring.limiter.wait.duration")
		require.NotEmpty(t, polls)
		for _, p := range polls {
			require.Equal(t, "poll", p.attributes["monitoring.class"])
		}
	})
}

func TestAClientThatIsGarbageIsNoLongerObserved(t *testing.T) {
	reader := sdkmetric.NewManualReader()
	meters := monitoringotel.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
	observed := func() int {
		var all metricdata.ResourceMetrics
		require.NoError(t, reader.Collect(context.Background(), &all))
		count := 0
		for _, s := range all.ScopeMetrics {
			count += len(s.Metrics)
		}
		return count
	}
	options, err := monitoringotel.Options(meters)
	require.NoError(t, err)
	client, err := monitoringtest.New().Client(options...)
	require.NoError(t, err)
	options = nil
	runtime.GC()
	require.NotZero(t, observed())
	runtime.KeepAlive(client)
	client = nil
	for range 100 { // a collection may need several turns
		runtime.GC()
		if observed() == 0 {
			return
		}
	}
	require.Zero(t, observed())
}

func TestCallsOfDoWithoutANameAreOneMetric(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := observe(t, monitoring.WithMaxRetries(0))
		for i := range 30 {
			o.fake.Inject(monitoringtest.Fault{Status: http.StatusTooManyRequests, Times: 1})
			for _, path := range []string{
				fmt.Sprintf("/v1/things/%d/parts", i), fmt.Sprintf("/v1/things/%s/parts", strings.Repeat("A", i+1)),
				fmt.Sprintf("/v1/things/8b9ab1e5-0000-4000-8000-%012d/parts", i), fmt.Sprintf("/v1/things/a%%20b%d/parts", i),
			} {
				_, err := monitoring.Do[any](t.Context(), o.Client, "GET", path, nil, nil)
				require.Error(t, err)
			}
		}
		const operation = "GET /v1/things/{id}/parts"
		for metric, most := range map[string]int{
			"monitoring.call.duration": 3, "monitoring.limiter.wait.duration": 1, "http.client.request.duration": 2, "monitoring.limiter.pause": 4,
		} {
			require.LessOrEqual(t, len(o.points(metric)), most, metric)
		}
		for _, p := range o.points("monitoring.call.duration") {
			require.Equal(t, operation, p.attributes["monitoring.operation"])
		}
		for _, s := range o.spans.GetSpans() {
			require.Equal(t, operation, s.Name)
		}
		for name, want := range map[string]string{
			"GET /v1/static-ips.txt": "GET /v1/static-ips.txt", "GET /v2/check-results/{checkId}/x": "GET /v2/check-results/{checkId}/x",
			"GET /v1/badges/{id}.svg": "GET /v1/badges/{id}.svg", "GET /v1/badges/7.svg": "GET /v1/badges/{id}", "GET /v10/x_1/": "GET /{id}/{id}/",
		} {
			o.spans.Reset()
			_, err := monitoring.Do[any](t.Context(), o.Client, "GET", "/v1/x", nil, nil, monitoring.WithOperation(name))
			require.Error(t, err)
			require.Equal(t, want, o.spans.GetSpans()[0].Name)
		}
	})
}

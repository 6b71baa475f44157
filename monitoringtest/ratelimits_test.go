package monitoringtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// A request that waits as long as a 429 says gets through; one that comes a nanosecond
// before the limit has room does not.
func TestALimitHasRoomAtItsMoment(t *testing.T) {
	for _, kind := range []monitoringtest.RateLimitKind{monitoringtest.SlidingLog, monitoringtest.FixedWindow, monitoringtest.TokenBucket} {
		t.Run(kind.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: 10 * time.Second}), monitoringtest.WithRateLimitKind(kind))
				send := func(after time.Duration) (int, string) {
					time.Sleep(after)
					response, _ := sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
					return response.StatusCode, response.Header.Get("Retry-After")
				}
				refused := func(after time.Duration, wait string) {
					t.Helper()
					status, header := send(after)
					require.Equal(t, 429, status)
					require.Equal(t, wait, header)
				}
				taken := func(after time.Duration) {
					t.Helper()
					status, _ := send(after)
					require.Equal(t, 200, status)
				}
				taken(0)
				refused(0, "10")
				refused(4*time.Second, "6")
				refused(1, "6")
				refused(time.Second-1, "5")
				refused(4*time.Second, "1")
				if kind != monitoringtest.TokenBucket { // which takes what is nearly a token
					refused(time.Second-1, "1")
					taken(1)
				} else {
					taken(time.Second)
				}
				refused(0, "10")
				taken(10 * time.Second)
				taken(time.Hour)
				refused(0, "10")
			})
		})
	}
}

func TestARouteHasItsOwnLimitForTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRouteLimits())
		send := func() int {
			response, _ := sendOnce(t, svc, newRequest(t, "GET", "/v1/alert-notifications", ""))
			return response.StatusCode
		}
		for range 5 {
			require.Equal(t, 200, send())
		}
		require.Equal(t, 429, send())
		time.Sleep(10*time.Second - 1)
		require.Equal(t, 429, send())
		time.Sleep(1 * time.Nanosecond)
		require.Equal(t, 200, send())
	})
}

func TestARefusedRequestTakesNoPlaceInTheOtherLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 3, Per: time.Hour}))
		svc.LimitRoute("GET /v1/locations", monitoring.RateLimit{Requests: 1, Per: time.Minute})
		require.NoError(t, list(t, svc))
		require.ErrorIs(t, list(t, svc), monitoring.ErrRateLimited)
		client := clientOf(t, svc)
		for range 2 {
			_, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{})
			require.NoError(t, err)
		}
		response, _ := sendOnce(t, svc, newRequest(t, "GET", "/v1/variables", ""))
		require.Equal(t, 429, response.StatusCode)
		response, _ = sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
		require.Equal(t, "3600", response.Header.Get("Retry-After"), "the longer of the two")
	})
}

// A 429 comes before all but the key and the account: the service does not look at the request.
func TestA429IsGivenToAnyRequestWithTheKey(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}))
	require.NoError(t, list(t, svc))
	for _, path := range []string{"/v1/unknown", "/v1/variables?page=0"} {
		response, _ := sendOnce(t, svc, newRequest(t, "GET", path, ""))
		require.Equal(t, 429, response.StatusCode, path)
	}
	require.Empty(t, svc.Unexpected())
}

func TestARefusedCallerUsesNoPlaceInTheLimit(t *testing.T) {
	for name, test := range map[string]struct {
		header, value string
		status        int
		message       string
	}{
		"with another key":         {"Authorization", "Bearer wrong", 401, "Bad Token"},
		"without a key":            {"Authorization", "", 401, "Bad Token"},
		"of another account":       {monitoringtest.AccountHeader, monitoringtest.UUID("other"), 403, "Forbidden"},
		"of an impossible account": {monitoringtest.AccountHeader, "acme", 400, `\"x-service-account\" must be a valid GUID`},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}), monitoringtest.WithRouteLimits())
			svc.LimitRoute("GET /v1/locations", monitoring.RateLimit{Requests: 1, Per: time.Hour})
			refused := func(when string) {
				request := newRequest(t, "GET", "/v1/locations", "")
				request.Header.Set(test.header, test.value)
				response, body := sendOnce(t, svc, request)
				require.Equal(t, test.status, response.StatusCode, when)
				require.Contains(t, body, test.message, when)
			}
			refused("before the limit is used up")
			require.NoError(t, list(t, svc))
			refused("after it is used up")
			require.ErrorIs(t, list(t, svc), monitoring.ErrRateLimited)
		})
	}
}

func TestOptionsTakeTheirBounds(t *testing.T) {
	good := map[string]func(){
		"the shortest limit":      func() { monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: 1}) },
		"every kind of limit":     func() { monitoringtest.WithRateLimitKind(monitoringtest.TokenBucket) },
		"a slow speed":            func() { monitoringtest.WithSpeed(0.5) },
		"the shortest retention":  func() { monitoringtest.WithRetention(1, 1) },
		"a recording of nothing":  func() { monitoringtest.WithRecording(0) },
		"no run time":             func() { monitoringtest.WithRunTime(0) },
		"no cancel delay":         func() { monitoringtest.WithCancelDelay(0) },
		"no delay of the reads":   func() { monitoringtest.WithVisibilityDelay(0) },
		"an account in any case":  func() { monitoringtest.WithAccountID("8F9C2A10-11D2-4E0B-9A3E-7C1D5E2F6A40") },
		"the most attempts":       func() { monitoringtest.New().AddSession(monitoringtest.Session{Attempts: 100}) },
		"a service without an id": func() { monitoringtest.New().AddStatusPageService("") },
	}
	for name, do := range good {
		t.Run(name, func(t *testing.T) { require.NotPanics(t, do) })
	}
	bad := map[string]func(){
		"a limit without a time":               func() { monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1}) },
		"a limit of a negative time":           func() { monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: -1}) },
		"a limit of a route without a time":    func() { monitoringtest.New().LimitRoute("GET /v1/locations", monitoring.RateLimit{Requests: 1}) },
		"a negative speed":                     func() { monitoringtest.WithSpeed(-1) },
		"a retention without a time":           func() { monitoringtest.WithRetention(0, 1) },
		"a retention of a negative time":       func() { monitoringtest.WithRetention(-1, 1) },
		"a negative recording":                 func() { monitoringtest.WithRecording(-1) },
		"a negative run time":                  func() { monitoringtest.WithRunTime(-1) },
		"a negative cancel delay":              func() { monitoringtest.WithCancelDelay(-1) },
		"a negative delay of the reads":        func() { monitoringtest.WithVisibilityDelay(-1) },
		"too many attempts":                    func() { monitoringtest.New().AddSession(monitoringtest.Session{Attempts: 101}) },
		"a service whose id is not a UUID":     func() { monitoringtest.New().AddStatusPageService("s") },
		"an analysis whose id is not a UUID":   func() { monitoringtest.New().AddRootCauseAnalysis(monitoring.RootCauseAnalysis{ID: "a"}, 0) },
		"an error group of what is not a UUID": func() { monitoringtest.New().AddErrorGroup(monitoring.ErrorGroup{CheckID: "c"}) },
		"a channel that takes a negative time": func() { monitoringtest.New().AddAlertChannel(monitoringtest.AlertChannel{SendTime: -1}) },
		"a channel with a negative id":         func() { monitoringtest.New().AddAlertChannel(monitoringtest.AlertChannel{ID: -1}) },
	}
	for name, do := range bad {
		t.Run(name, func(t *testing.T) { require.Panics(t, do) })
	}
	require.Equal(t, "RateLimitKind(3)", monitoringtest.RateLimitKind(3).String())
}

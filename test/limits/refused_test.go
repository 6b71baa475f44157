package limits_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func askingToRetry(status int, retryAfter string) testkit.RoundTripper {
	return func(*http.Request) (*http.Response, error) {
		time.Sleep(time.Second)
		return testkit.Respond(status, http.Header{"Retry-After": {retryAfter}}, ""), nil
	}
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

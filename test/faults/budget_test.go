package faults_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTheBudgetAllowsOneRetryOfEachOfManyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen sync.Map
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if _, again := seen.LoadOrStore(req.URL.Path, true); !again {
				return testkit.Faults["reset after the request is written"](req)
			}
			return testkit.Respond(200, nil, `{"name":"g"}`), nil
		}), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1e6, Per: time.Second}))
		var workers sync.WaitGroup
		for i := range 100 {
			workers.Go(func() {
				if _, err := client.CheckGroups.Get(t.Context(), int64(i+1)); err != nil {
					t.Errorf("%d: %v", i, err)
				}
			})
		}
		workers.Wait()
	})
}

func TestAnErrorSaysIfTheBudgetRefusedTheRetry(t *testing.T) {
	for name, fault := range map[string]string{"a status": "503", "a lost connection": "refused connection"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := kit.Client(t, testkit.Faults[fault])
				for range 20 { // the budget has 100 retries at the beginning, and 20 calls add less than two
					_, err := client.CheckGroups.Get(t.Context(), 1)
					require.NotContains(t, err.Error(), "the retry budget")
				}
				var response monitoring.Response
				_, err := client.CheckGroups.Get(t.Context(), 1, monitoring.WithResponse(&response))
				require.Equal(t, 2, response.Attempts)
				require.ErrorContains(t, err, "the retry budget of this client is used up")
			})
		})
	}
}

func TestARetryAfterOfZeroMakesNoBusyLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return testkit.Respond(503, http.Header{"Retry-After": {"0"}}, ""), nil
		}))
		var response monitoring.Response
		_, err := client.Locations.List(t.Context(), monitoring.WithResponse(&response))
		require.ErrorIs(t, err, monitoring.ErrServer)
		require.Positive(t, response.RetryWait)
	})
}

func TestACallWaitsHalfOfEachBoundOnAverage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sums := make([]time.Duration, 5)
		hook := monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) {
			if a.Retry {
				sums[a.Number-1] += a.RetryIn
			}
		})
		const calls = 400
		for range calls {
			client := kit.Client(t, testkit.Faults["504"], hook) // each with a budget of its own: other tests are about that
			var response monitoring.Response
			_, err := client.CheckGroups.Get(t.Context(), 1, monitoring.WithResponse(&response))
			require.ErrorIs(t, err, monitoring.ErrServer)
			require.Equal(t, 6, response.Attempts)
		}
		for n, sum := range sums {
			bound := time.Second / 2 << n
			require.InDelta(t, bound.Seconds()/2, sum.Seconds()/calls, bound.Seconds()*0.08, "retry %d", n+1)
		}
	})
}

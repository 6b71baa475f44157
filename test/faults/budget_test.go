package faults_test

import (
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

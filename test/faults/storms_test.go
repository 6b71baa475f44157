package faults_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// TestTriggersAndCreatesAreCarriedOutAtMostOnce makes 3,000 of these calls, with random faults.
// Each call has a number, and the service counts how often it carried out each.
func TestTriggersAndCreatesAreCarriedOutAtMostOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const calls = 3_000
		var done [calls]atomic.Int32
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			var number int
			_, err := fmt.Sscan(req.Header.Get("X-Number"), &number)
			if err != nil {
				return nil, err
			}
			switch rand.N(8) {
			case 0:
				return testkit.Faults["refused connection"](req)
			case 1:
				return testkit.Faults["reset before the request is written"](req)
			case 2:
				return testkit.Faults["429"](req)
			case 3: // not carried out, and the response is lost
				return testkit.Faults["reset after the request is written"](req)
			}
			done[number].Add(1)
			switch rand.N(6) {
			case 0:
				return testkit.Faults["reset after the request is written"](req)
			case 1:
				return testkit.Faults["reset in mid-response"](req)
			case 2:
				return testkit.Faults["response slower than the timeout"](req)
			case 3:
				return testkit.Faults["502 in HTML"](req)
			}
			testkit.Tracing(req, true, true)
			return testkit.Respond(http.StatusCreated, nil, `{"sessions":[],"id":"x"}`), nil
		}), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 100_000, Per: time.Second}))

		var unknown, failed, succeeded atomic.Int64
		var workers sync.WaitGroup
		for worker := range 100 {
			workers.Go(func() {
				for i := range calls / 100 {
					number := worker*calls/100 + i
					var err error
					header := monitoring.WithHeader("X-Number", fmt.Sprint(number))
					if number%2 == 0 {
						_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true}, header)
					} else {
						_, err = client.Checks.CreateTCP(t.Context(), monitoring.TCPCheckCreate{Name: "n", Request: monitoring.TCPRequest{Hostname: "h", Port: 1}}, header)
					}
					times := done[number].Load()
					switch {
					case times > 1:
						t.Errorf("call %d was carried out %d times", number, times)
					case errors.Is(err, monitoring.ErrOutcomeUnknown):
						unknown.Add(1)
					case err == nil:
						succeeded.Add(1)
						if times != 1 {
							t.Errorf("call %d succeeded and was carried out %d times", number, times)
						}
					default:
						failed.Add(1)
						if times != 0 {
							t.Errorf("call %d was carried out, and its error does not say that it may have been: %v", number, err)
						}
					}
				}
			})
		}
		workers.Wait()
		t.Logf("%d succeeded, %d unknown, %d certainly not carried out", succeeded.Load(), unknown.Load(), failed.Load())
		require.Positive(t, unknown.Load())
		require.Positive(t, succeeded.Load())
	})
}

func TestRetriesDoNotMultiplyAnOutage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		calls, goroutines int
		latency           time.Duration
	}{{1000, 50, 0}, {5000, 50, 0}, {1000, 1, time.Second}, {1000, 1, 20 * time.Second}} {
		t.Run(fmt.Sprintf("%d calls from %d goroutines, latency %s", c.calls, c.goroutines, c.latency), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var sent atomic.Int64
				client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					sent.Add(1)
					time.Sleep(c.latency)
					return testkit.Faults["503"](req)
				}))
				var workers sync.WaitGroup
				for range c.goroutines {
					workers.Go(func() {
						for range c.calls / c.goroutines {
							client.Locations.List(t.Context())
						}
					})
				}
				workers.Wait()
				t.Logf("%d attempts for %d calls", sent.Load(), c.calls)
				require.Less(t, float64(sent.Load()), 1.2*float64(c.calls))

				// The budget recovers by itself: after a minute a call has all its retries again.
				time.Sleep(time.Minute)
				sent.Store(0)
				client.Locations.List(t.Context())
				require.EqualValues(t, 6, sent.Load(), "an attempt and five retries")
			})
		})
	}
}

// TestATriggerOnAConnectionThatTheServerClosesIsSentOnce uses real connections that are kept
// alive. The server reads the trigger and closes the connection without a response.
func TestATriggerOnAConnectionThatTheServerClosesIsSentOnce(t *testing.T) {
	var triggers atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			triggers.Add(1)
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, "[]")
	}))
	client := kit.Loopback(t, server, monitoring.WithMaxRetries(5), monitoring.WithRetryPolicy(monitoring.RetryPolicy{MinBackoff: time.Microsecond, MaxBackoff: time.Microsecond}))
	for i := range 30 {
		_, err := client.Locations.List(t.Context()) // leaves a connection that can be reused
		require.NoError(t, err)
		_, err = client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
		require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
		require.EqualValues(t, i+1, triggers.Load())
	}
}

func TestA204InsteadOfAnObjectIsNotRetried(t *testing.T) {
	sent := 0
	client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		sent++
		return testkit.Respond(http.StatusNoContent, nil, ""), nil
	}))
	_, err := client.CheckGroups.Update(t.Context(), 1, monitoring.CheckGroupUpdate{Name: "g"})
	require.ErrorContains(t, err, "the response is empty (last status 204, it was carried out)")
	require.Equal(t, 1, sent)
}

func TestAnErrorSaysIfTheBudgetRefusedTheRetry(t *testing.T) {
	for _, fault := range []string{"503", "refused connection"} {
		synctest.Test(t, func(t *testing.T) {
			client := kit.Client(t, testkit.Faults[fault])
			for range 20 { // the budget has 100 retries at the beginning, and 20 calls add less than two
				require.NotContains(t, kit.Second(client.CheckGroups.Get(t.Context(), 1)).Error(), "the retry budget")
			}
			err := kit.Second(client.CheckGroups.Get(t.Context(), 1))
			require.ErrorContains(t, err, "the retry budget of this client is used up", fault)
			require.ErrorContains(t, err, "after 2 attempts")
		})
	}
}

func TestTheBackOffOfACallIsThatOfTheDefaultPolicy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		longest := make([]time.Duration, 5)
		hook := monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) {
			if a.Retry {
				longest[a.Number-1] = max(longest[a.Number-1], a.RetryIn)
			}
		})
		for range 60 { // each client has a budget of its own
			require.ErrorContains(t, kit.Second(kit.Client(t, testkit.Faults["504"], hook).CheckGroups.Get(t.Context(), 1)), "after 6 attempts")
		}
		for n, wait := range longest {
			bound := time.Second / 2 << n
			require.True(t, wait < bound && wait > bound*3/4, "retry %d: %s", n+1, wait)
		}
	})
}

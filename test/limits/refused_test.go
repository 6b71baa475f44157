package limits_test

import (
	"context"
	"errors"
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
		return testkit.Respond(status, http.Header{"Retry-After": {retryAfter}}, ""), nil
	}
}

func TestA429PausesTheNextCallForItsRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		date := time.Now().Add(20 * time.Second).UTC().Format(http.TimeFormat)
		client := kit.Client(t, testkit.InTurn(askingToRetry(429, date), testkit.Status(200, "[]")))
		require.ErrorIs(t, kit.Second(client.Locations.List(t.Context(), monitoring.WithMaxRetries(0))), monitoring.ErrRateLimited)
		began := time.Now()
		require.NoError(t, kit.Second(client.Locations.List(t.Context())))
		require.Equal(t, 20*time.Second, time.Since(began))
	})
}

func TestA429UsesUpNoRetryWithinMaxRetryAfter(t *testing.T) {
	for name, c := range map[string]struct {
		opt  monitoring.ClientOption
		most time.Duration // for which 429s use up no retry
		made int           // retries after that
	}{
		"by default":                     {monitoring.WithMaxRetries(5), 2 * time.Minute, 5},
		"with a shorter time":            {monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 2, MaxRetryAfter: 10 * time.Second}), 10 * time.Second, 2},
		"but no retry is never one more": {monitoring.WithMaxRetries(0), 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began, late, attempts := time.Now(), 0, 0
				client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
					attempts++
					if time.Since(began) > c.most {
						late++
					}
					return testkit.Respond(429, nil, ""), nil
				}), monitoring.WithoutRateLimit(), c.opt)
				err := kit.Second(client.Locations.List(t.Context()))
				require.ErrorIs(t, err, monitoring.ErrRateLimited)
				require.InDelta(t, c.made, late, 1)
				require.Equal(t, c.most > 0, attempts > 1)
			})
		})
	}
}

func TestARetryAfterIsWaitedForUpToItsMaximum(t *testing.T) {
	for name, c := range map[string]struct {
		asked    string
		within   time.Duration // 0 for no deadline
		attempts int
		waited   time.Duration
	}{
		"as long as allowed":           {"20", 0, 2, 20 * time.Second},
		"longer than allowed":          {"20.001", 0, 1, 0},
		"a nanosecond":                 {"0.000000001", 0, 2, 1},
		"with time left after it":      {"3", 3*time.Second + 1, 2, 3 * time.Second},
		"that ends at the deadline":    {"3", 3 * time.Second, 1, 0},
		"that ends after the deadline": {"3", 2 * time.Second, 1, 0},
	} {
		for _, status := range []int{429, 503} {
			synctest.Test(t, func(t *testing.T) {
				client := kit.Client(t, testkit.InTurn(askingToRetry(status, c.asked), testkit.Status(200, "[]")), monitoring.WithRetryPolicy(monitoring.RetryPolicy{MaxRetries: 3, MaxRetryAfter: 20 * time.Second}))
				ctx, cancel := t.Context(), context.CancelFunc(func() {})
				if c.within > 0 {
					ctx, cancel = context.WithTimeout(ctx, c.within)
				}
				defer cancel()
				began := time.Now()
				var response monitoring.Response
				_, err := client.Locations.List(ctx, monitoring.WithResponse(&response))
				require.Equal(t, c.attempts == 2, err == nil, "%s: %v", name, err)
				require.Equal(t, status == 429 && err != nil, errors.Is(err, monitoring.ErrRateLimited), name)
				require.Equal(t, c.attempts, response.Attempts, name)
				require.Equal(t, c.waited, response.RetryWait, name)
				require.Equal(t, c.waited, time.Since(began), name)
			})
		}
	}
}

func TestTheErrorNamesTheLastAttemptNotAnEarlierOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.InTurn(testkit.Faults["refused connection"], askingToRetry(503, "60")))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		time.AfterFunc(30*time.Second, cancel)
		err := kit.Second(client.Locations.List(ctx))
		require.EqualError(t, err, "monitoring: GET /v1/locations at monitoring.test: context canceled (after 2 attempts, last status 503, ended after 30s)")
	})
}

func TestTheClientBoundsTheRetryAfterOfAPause(t *testing.T) {
	for asked, want := range map[string]time.Duration{
		"60":    time.Minute,
		"3600":  2 * time.Minute,
		"3601":  0, // more than an hour is ignored
		"86400": 0,
	} {
		l := &kit.Limiter{}
		client := kit.Client(t, askingToRetry(429, asked), monitoring.WithLimiter(l), monitoring.WithMaxRetries(0))
		require.ErrorIs(t, kit.Second(client.Locations.List(t.Context())), monitoring.ErrRateLimited)
		require.Len(t, l.Outcomes, 1)
		require.Equal(t, want, l.Outcomes[0].RetryAfter, asked)
	}
}

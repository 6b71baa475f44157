package monitoringtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestARateLimitCounts(t *testing.T) {
	// Requests come at these moments; the first four are at once.
	at := []time.Duration{0, 0, 0, 0, 5 * time.Second, 9 * time.Second, 11 * time.Second, 11 * time.Second, 11 * time.Second, 11 * time.Second, 20 * time.Second}
	tests := map[string]struct {
		kind  monitoringtest.RateLimitKind
		start time.Duration // after the beginning of a window
		want  []bool
	}{
		"in a sliding window": {
			monitoringtest.SlidingLog, 0,
			[]bool{true, true, true, false, false, false, true, true, true, false, false},
		},
		"in a window that starts at a multiple of its length": {
			monitoringtest.FixedWindow, 5 * time.Second, // windows end after 5 s and 15 s
			[]bool{true, true, true, false, true, true, true, false, false, false, true},
		},
		"in a token bucket": {
			monitoringtest.TokenBucket, 0, // 0.3 tokens a second
			[]bool{true, true, true, false, true, true, true, false, false, false, true},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 3, Per: 10 * time.Second}), monitoringtest.WithRateLimitKind(test.kind))
				begin := time.Now().Truncate(10 * time.Second).Add(10*time.Second + test.start)
				var got []bool
				for _, after := range at {
					time.Sleep(time.Until(begin.Add(after)))
					// A limiter of the client would remember refusals, so it gets a new one.
					err := list(t, svc)
					got = append(got, err == nil)
					if err != nil {
						require.ErrorIs(t, err, monitoring.ErrRateLimited)
					}
				}
				require.Equal(t, test.want, got)
			})
		})
	}
}

func TestA429SaysWhenToRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: 10 * time.Second}))
		require.NoError(t, list(t, svc))
		time.Sleep(2500 * time.Millisecond)
		var failed *monitoring.APIError
		require.ErrorAs(t, list(t, svc), &failed)
		require.Equal(t, 8*time.Second, failed.RetryAfter, "whole seconds, rounded up")
		require.JSONEq(t, `{"statusCode":429,"error":"Too Many Requests","message":"Too Many Requests","attributes":{}}`, string(failed.Body))
		time.Sleep(8 * time.Second)
		require.NoError(t, list(t, svc))
	})
	t.Run("unless WithoutRetryAfter is given", func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}), monitoringtest.WithoutRetryAfter())
		require.NoError(t, list(t, svc))
		var failed *monitoring.APIError
		require.ErrorAs(t, list(t, svc), &failed)
		require.Empty(t, failed.Header.Get("Retry-After"))
	})
}

func list(t *testing.T, svc *monitoringtest.Service) error {
	_, err := clientOf(t, svc).Locations.List(t.Context())
	return err
}

func TestAlertNotificationsHaveALimitOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRouteLimits())
		for range 5 {
			_, err := clientOf(t, svc).AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})
			require.NoError(t, err)
		}
		_, err := clientOf(t, svc).AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})
		require.ErrorIs(t, err, monitoring.ErrRateLimited)
		require.NoError(t, list(t, svc), "other operations do not have this limit")
	})
}

func TestTheClientKeepsToTheLimitOfTheService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t,
			monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}),
			monitoringtest.WithLatency(30*time.Millisecond),
		)
		for range 1500 {
			_, err := client.Locations.List(t.Context())
			require.NoError(t, err)
		}
		require.Equal(t, 1500, svc.Count(""), "nothing was refused and retried")
	})
}

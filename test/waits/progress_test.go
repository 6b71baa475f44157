package waits_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestStatusesInProgressAreNotOlderThanAMinute(t *testing.T) {
	t.Parallel()
	for _, sessions := range testkit.Figures(20, 1, 100) {
		t.Run(fmt.Sprint(sessions), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithLatency(150*time.Millisecond), monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 600, Per: time.Minute}), monitoringtest.WithRateLimitKind(monitoringtest.SlidingLog))
				var ids []string
				for i := range sessions {
					ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: 10*time.Minute + time.Duration(i)*5*time.Second}))
				}
				client := kit.Fake(t, svc)
				began := time.Now()
				var oldest time.Duration
				byStatus := map[monitoring.CheckSessionStatus]int{}
				calls, changes := 0, 0
				for _, err := range client.CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) {
					calls++
					oldest = max(oldest, p.OldestStatus)
					byStatus = p.ByStatus
					if p.Session == nil && p.ByStatus[monitoring.SessionProgress] > 0 {
						changes++
					}
					if since := time.Since(began); since > 2*time.Minute && since < 9*time.Minute {
						require.Equal(t, sessions, byStatus[monitoring.SessionProgress], "at %s", since)
					}
				}}) {
					require.NoError(t, err)
				}
				t.Logf("oldest %s, %d calls, %d polls, %d reads", oldest, calls, svc.Count(opCompletion), svc.Count(opGetSession))
				require.Less(t, oldest, time.Minute)
				if sessions > 1 {
					require.Greater(t, oldest, 29*time.Second, "statuses are not read all the time")
				}
				require.LessOrEqual(t, svc.Count(opGetSession), sessions*37)
				require.Equal(t, map[monitoring.CheckSessionStatus]int{monitoring.SessionPassed: sessions}, byStatus)
				require.LessOrEqual(t, calls, 1+4*sessions)
				require.GreaterOrEqual(t, changes, sessions, "each change of a status is reported")
				for _, r := range svc.Requests() {
					require.NotEqual(t, 429, r.Status)
				}
			})
		})
	}
}

// TestWithoutALimitThereAreAlwaysPlacesForReads has a wait that looks at the limit before each read
// that keeps a status fresh. Nobody else asks this limiter for its state.
func TestWithoutALimitThereAreAlwaysPlacesForReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var ids []string
		for range 20 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: 10 * time.Minute}))
		}
		var oldest time.Duration
		for _, err := range kit.Fake(t, svc, monitoring.WithoutRateLimit()).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) {
			oldest = max(oldest, p.OldestStatus)
		}}) {
			require.NoError(t, err)
		}
		require.Less(t, oldest, time.Minute)
		require.Greater(t, svc.Count(opGetSession), 20*10, "more than one a minute of each session")
	})
}

func TestNoSessionIsReadBeforeEachHasItsFirstPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var ids []string
		for range 200 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: 10 * time.Minute}))
		}
		for range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{Timeout: time.Minute, OnProgress: func(monitoring.WaitProgress) {}}) {
		}
		polled := map[string]bool{}
		reads := 0
		for _, r := range svc.Requests() {
			if r.Operation == opCompletion {
				polled[r.Path] = true
				continue
			}
			reads++
			require.Len(t, polled, 200)
		}
		require.Greater(t, reads, 50)
	})
}

func TestReadsTakeNoPlaceThatPollsNeed(t *testing.T) {
	t.Parallel()
	testkit.SkipUnderRace(t)
	lags := func(onProgress func(monitoring.WaitProgress)) (lags []time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithLatency(100 * time.Millisecond))
			var ids []string
			for i := range 200 {
				ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: 30*time.Second + time.Duration(i)*2*time.Second}))
			}
			for session := range kit.Fake(t, svc).CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{OnProgress: onProgress}) {
				lags = append(lags, time.Since(session.StoppedAt.Time))
			}
			if onProgress != nil {
				require.Greater(t, svc.Count(opGetSession), 200)
			}
			slices.Sort(lags)
		})
		return lags
	}
	require.Less(t, lags(nil)[197], 2*time.Millisecond)
	require.Less(t, lags(func(monitoring.WaitProgress) {})[197], 2*time.Millisecond)
}

func TestOnProgressIsCalledIfTheFirstReadFailsForGood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reports []monitoring.WaitProgress
		_, err := kit.Fake(t, monitoringtest.New()).CheckSessions.Wait(t.Context(), "00000000-0000-4000-8000-000000000001",
			monitoring.WaitOptions{OnProgress: func(p monitoring.WaitProgress) { reports = append(reports, p) }})
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		require.Len(t, reports, 2)
		require.Equal(t, 0, reports[0].Finished)
		require.Equal(t, 1, reports[1].Finished)
		require.Equal(t, err, reports[1].Err)
		require.Zero(t, reports[1].OldestStatus, "no session runs")
	})
}

func TestWithoutOnProgressEachUnseenSessionIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var ids []string
		for i := range 20 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Duration(1+i) * time.Second}))
		}
		for range 10 {
			ids = append(ids, svc.AddSession(monitoringtest.Session{Duration: time.Hour}))
		}
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Minute)
		defer stop()
		for _, err := range kit.Fake(t, svc).CheckSessions.WaitAll(ctx, ids, monitoring.WaitOptions{}) {
			if err != nil {
				require.NotNil(t, sessionError(t, err).Session)
			}
		}
		require.InDelta(t, 25, svc.Count(opGetSession), 4, "the sessions that still ran after five seconds")
	})
}

func TestAReadThatFindsTheEndOfASessionEndsItsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		began, cut := time.Now(), time.Duration(0)
		silent := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if strings.HasSuffix(req.URL.Path, "/completion") {
				<-req.Context().Done()
				if cut == 0 {
					cut = time.Since(began)
				}
				return nil, req.Context().Err()
			}
			return svc.Transport().RoundTrip(req)
		})
		client := kit.Fake(t, svc, monitoring.WithTimeout(0), monitoring.WithHTTPClient(&http.Client{Transport: silent}))
		ids := []string{svc.AddSession(monitoringtest.Session{Duration: 45 * time.Second}), svc.AddSession(monitoringtest.Session{Duration: 5 * time.Minute})}
		n := 0
		for session, err := range client.CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{OnProgress: func(monitoring.WaitProgress) {}}) {
			n++
			require.NoError(t, err)
			require.True(t, session.Passed())
			require.Less(t, time.Since(session.StoppedAt.Time), 30*time.Second)
		}
		require.Equal(t, 2, n)
		require.Less(t, cut, 75*time.Second, "the poll of a session that has ended is cancelled")
	})
}

package monitoring

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

func TestATriggeredSessionMayBeUnknownForTenSecondsFromItsStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		for started, want := range map[time.Duration]time.Duration{
			-time.Hour:      10 * time.Second,
			0:               10 * time.Second,
			1:               10*time.Second + 1,
			8 * time.Second: 18 * time.Second,
			time.Minute - 1: 70*time.Second - 1,
			time.Minute:     10 * time.Second, // so far ahead that a clock must be wrong
		} {
			w := idle(t, 0)
			session := &CheckSession{CheckSessionID: "a", StartedAt: Timestamp{Time: now.Add(started)}}
			w.addTriggered(session)
			s := w.byID["a"]
			require.Equal(t, now.Add(want), s.grace, "started %s from now", started)
			require.Same(t, session, s.seen)
			require.Equal(t, now, s.seenAt)
		}
	})
}

func TestAWaitHasOneRequestAtATimeInTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"PROGRESS"}, polls: []string{"408 after 30s"}, began: time.Now()}
		client := testClient(t, s, WithRateLimit(RateLimit{Requests: 2, Per: time.Hour, Burst: 1}))
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		var waiters atomic.Int64
		time.AfterFunc(time.Second/2, func() { waiters.Store(int64(client.core.account.State().Waiters)) })
		for _, err := range client.CheckSessions.WaitAll(ctx, strings.Split("abcde", ""), WaitOptions{}) {
			require.ErrorIs(t, err, context.DeadlineExceeded)
		}
		require.Len(t, s.trace, 1)
		require.EqualValues(t, 1, waiters.Load())
	})
}

func TestSixteenSessionsAreReadForTheLastTimeAtOnce(t *testing.T) {
	for sessions, want := range map[int]time.Duration{16: 5 * time.Second, 17: 7 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := &scripted{reads: []string{"PROGRESS after 2s"}, polls: []string{"408 after 1h"}}
			began := time.Now()
			for _, err := range testClient(t, s).CheckSessions.WaitAll(t.Context(), strings.Split("abcdefghijklmnopq", "")[:sessions], WaitOptions{Timeout: 3 * time.Second}) {
				require.ErrorIs(t, err, ErrWaitTimeout)
				require.ErrorContains(t, err, "last seen PROGRESS")
			}
			require.Equal(t, want, time.Since(began), "%d sessions", sessions)
		})
	}
}

func TestTheLastReadsBeginWithTheSessionThatWasSeenLongestAgo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := idle(t, 20)
		for i, s := range w.order {
			s.seenAt = w.began.Add(time.Duration(i%7) * time.Second)
			s.over = i == 7
		}
		var mu sync.Mutex
		var asked, later []string // later are the requests that waited for others
		began := time.Now()
		w.service = testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			mu.Lock()
			id := req.URL.Path[len("/v2/check-sessions/"):]
			if asked = append(asked, id); time.Now().After(began) {
				later = append(later, id)
			}
			mu.Unlock()
			time.Sleep(time.Second)
			return respondWith(200, nil, `{"status":"PROGRESS","startedAt":"2026-08-19T10:15:00.120Z"}`), nil
		})).CheckSessions
		w.team = workers.New(nil)
		w.lastReads(t.Context())
		w.team.Wait()
		require.Len(t, asked, 19)
		require.NotContains(t, asked, "7", "session 7 is over")
		require.Len(t, later, 3, "sixteen are read at once")
		require.Subset(t, later, []string{"6", "13"})
	})
}

func TestAReadDoesNotChangeWhenTheNextPollIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := idle(t, 1)
		w.unpolled = 1
		s := w.order[0]
		due := s.due
		for range 2 {
			w.read(t.Context(), s)
			require.Equal(t, due, s.due)
			require.Zero(t, w.unpolled, "the read counts as the first request of the session")
		}
		w.placed(s, 7*time.Second)
		require.Equal(t, time.Now().Add(7*time.Second), s.due)
	})
}

func TestOnProgressReportsChangesAfterASlowLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			status, after := "PASSED", time.Second
			if strings.Contains(req.URL.Path, "slow") {
				status, after = "PROGRESS", 5*time.Second
				if time.Since(began) > 10*time.Second {
					status, after = "PROGRESS_DEGRADED", 30*time.Second
				}
			}
			if err := sleep(req.Context(), after); err != nil {
				return nil, err
			}
			return respondWith(200, nil, fmt.Sprintf(`{"status":%q,"startedAt":"2026-08-19T10:15:00.120Z"}`, status)), nil
		}))
		var changes []string
		for range client.CheckSessions.WaitAll(t.Context(), []string{"fast", "slow"}, WaitOptions{Timeout: 25 * time.Second, OnProgress: func(p WaitProgress) {
			if p.Session == nil && p.ByStatus[SessionProgress] > 0 {
				changes = append(changes, time.Since(began).String())
			}
		}}) {
			if time.Since(began) < 10*time.Second {
				time.Sleep(10 * time.Second) // meanwhile the status of the slow session changes
			}
		}
		require.NotEmpty(t, changes)
		require.Equal(t, "11s", changes[0])
	})
}

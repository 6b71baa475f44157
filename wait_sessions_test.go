package monitoring

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/await"
)

func TestWhatAWaitMakesOfAResponse(t *testing.T) {
	const id = "00000000-0000-4000-8000-000000000001"
	body := func(status string) string {
		return fmt.Sprintf(`{"checkSessionId":%q,"status":%q,"startedAt":"2026-08-19T10:15:00.120Z"}`, id, status)
	}
	for _, c := range []struct {
		name       string
		status     int
		body       string
		read, poll await.Outcome
	}{
		{"a session that runs", 200, body("PROGRESS"), await.Runs, await.Runs},
		{"one that has failures, and runs", 200, body("PROGRESS_FAILED"), await.Runs, await.Runs},
		{"one that passed", 200, body("PASSED"), await.Ended, await.Ended},
		{"one that failed", 200, body("FAILED"), await.Ended, await.Ended},
		{"an unknown status, which is the end only in a completion", 200, body("PAUSED"), await.Runs, await.Ended},
		{"no status", 200, "{}", await.Temporary, await.Temporary},
		{"another session", 200, strings.Replace(body("PASSED"), "1", "9", 1), await.Refused, await.Refused},
		{"a page of a gateway", 200, "<html>", await.Refused, await.Absent},
		{"400", 400, "", await.Refused, await.Refused},
		{"403", 403, "", await.Refused, await.Refused},
		{"404", 404, "", await.Absent, await.Absent},
		{"405", 405, "", await.Refused, await.Absent},
		{"408, which is the end of a poll", 408, "", await.Temporary, await.Runs},
		{"410", 410, "", await.Refused, await.Absent},
		{"429", 429, "", await.Limited, await.Limited},
		{"500", 500, "", await.Temporary, await.Temporary},
		{"501", 501, "", await.Refused, await.Absent},
		{"a lost connection", 0, "", await.Temporary, await.Temporary},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				requests := 0
				w := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
					if requests++; c.status == 0 {
						return nil, syscall.ECONNRESET
					}
					return respondWith(c.status, http.Header{"Retry-After": {"7"}}, c.body), nil
				})).CheckSessions.newWait(WaitOptions{}, nil)
				placed := 0
				place := func() { placed++ }
				for _, one := range []struct {
					r    await.Response[CheckSession]
					want await.Outcome
				}{{w.Read(t.Context(), id, place), c.read}, {w.Poll(t.Context(), id, time.Second, place), c.poll}} {
					require.Equal(t, one.want, one.r.Outcome, "%v", one.r.Err)
					failed := one.want != await.Runs && one.want != await.Ended
					require.Equal(t, failed, one.r.Err != nil)
					require.Equal(t, !failed && c.status == 200, one.r.State != nil)
					if c.status >= 400 {
						require.Equal(t, 7*time.Second, one.r.Pause, "that of the Retry-After")
					}
				}
				require.Equal(t, 2, placed, "each request has a place")
				require.Equal(t, 2, requests, "and is not retried")
			})
		})
	}
}

func TestTheRoomOfAWaitIsTheStateOfTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		minute := RateLimit{Requests: 120, Per: time.Minute, Burst: 30}
		for name, c := range map[string]struct {
			state LimiterState
			share float64
			want  await.Room
		}{
			"of a limiter with a state":       {LimiterState{Limit: minute, Places: 7}, 0, await.Room{Places: 7, Most: 30, PerSecond: 2}},
			"with the whole share":            {LimiterState{Limit: minute, Places: 7}, 1, await.Room{Places: 7, Most: 30, PerSecond: 2}},
			"with half of it":                 {LimiterState{Limit: minute, Places: 7}, 0.5, await.Room{Places: 7, Most: 30, PerSecond: 1}},
			"in a pause":                      {LimiterState{Limit: minute, Places: 7, PausedUntil: now.Add(1)}, 0, await.Room{Places: 0, Most: 30, PerSecond: 2}},
			"after a pause":                   {LimiterState{Limit: minute, Places: 7, PausedUntil: now}, 0, await.Room{Places: 7, Most: 30, PerSecond: 2}},
			"of a limit of one request":       {LimiterState{Limit: RateLimit{Requests: 1, Per: time.Second}}, 0, await.Room{Places: 0, Most: 1, PerSecond: 1}},
			"of a limit of a very short time": {LimiterState{Limit: RateLimit{Requests: 6, Per: 1}}, 0, await.Room{Places: 0, Most: 1, PerSecond: 6e9}},
			"of a limiter without a state":    {LimiterState{}, 0, await.Room{Places: 0, Most: 100, PerSecond: 10}},
			"of a limit without a time":       {LimiterState{Limit: RateLimit{Requests: 5}}, 0, await.Room{Places: 0, Most: 100, PerSecond: 10}},
			"of a limit without a number":     {LimiterState{Limit: RateLimit{Per: time.Hour}}, 0, await.Room{Places: 0, Most: 100, PerSecond: 10}},
		} {
			w := testClient(t, status(500, ""), WithLimiter(stated{state: c.state})).CheckSessions.newWait(WaitOptions{Share: c.share}, nil)
			require.Equal(t, c.want, w.Room(), name)
		}
	})
}

// stated is a limiter with the state that a test sets.
type stated struct {
	unlimited
	state LimiterState
}

func (l stated) State() LimiterState { return l.state }

func TestATriggeredSessionMayBeUnknownForTenSecondsFromItsStart(t *testing.T) {
	now := time.Now()
	for started, want := range map[time.Duration]time.Duration{
		-time.Hour:      10 * time.Second,
		0:               10 * time.Second,
		1:               10*time.Second + 1,
		8 * time.Second: 18 * time.Second,
		time.Minute - 1: 70*time.Second - 1,
		time.Minute:     10 * time.Second, // so far ahead that a clock must be wrong
	} {
		session := &CheckSession{CheckSessionID: "a", StartedAt: Timestamp{Time: now.Add(started)}}
		require.Equal(t, await.Thing[CheckSession]{ID: "a", State: session, NewUntil: now.Add(want)}, triggered(session, now), "started %s from now", started)
	}
}

func TestASessionThatIsThereTwiceIsListedOnceAsItIsLastThere(t *testing.T) {
	list := []CheckSession{{CheckSessionID: "a"}, {CheckSessionID: "b"}, {CheckSessionID: "a"}, {CheckSessionID: "c"}}
	got := distinct(list)
	require.Len(t, got, 3)
	for i, at := range []int{2, 1, 3} {
		require.Same(t, &list[at], got[i])
	}
}

// clocked is a service with one session. Its polls and reads respond with a status, and maybe a
// Retry-After, each once, except the last one.
type clocked struct {
	reads, polls []string
	began        time.Time
	trace        []string // the time of each request, and how long a poll asked to be held
}

func (s *clocked) RoundTrip(req *http.Request) (*http.Response, error) {
	list, request := &s.reads, "read"
	if strings.HasSuffix(req.URL.Path, "/completion") {
		list, request = &s.polls, "poll "+req.URL.Query().Get("maxWaitSeconds")
	}
	s.trace = append(s.trace, fmt.Sprintf("%s %s", time.Since(s.began), request))
	play := (*list)[0]
	if len(*list) > 1 {
		*list = (*list)[1:]
	}
	if play == "never" {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	var status, retryAfter int
	fmt.Sscan(play, &status, &retryAfter)
	header := http.Header{}
	if retryAfter > 0 {
		header.Set("Retry-After", fmt.Sprint(retryAfter))
	}
	return respondWith(status, header, `{"status":"PROGRESS","startedAt":"2026-08-19T10:15:00.120Z"}`), nil
}

func TestWhenAWaitSendsItsNextRequest(t *testing.T) {
	for _, c := range []struct {
		name         string
		reads, polls []string
		within       time.Duration
		want         []string
	}{
		{"a Retry-After is obeyed", []string{"200"}, []string{"503 20", "never"}, 30 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 10"}},
		{"also that of a poll that found a session which runs", []string{"200"}, []string{"408 20", "never"}, 30 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 10"}},
		{"a Retry-After is bounded by MaxRetryAfter", []string{"200"}, []string{"503 3600", "never"}, 130 * time.Second,
			[]string{"0s read", "0s poll 30", "2m0s poll 10"}},
		{"a read that takes longer than the timeout of an attempt is a failure", []string{"never"}, []string{"never"}, 45 * time.Second,
			[]string{"0s read", "31s poll 14"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &clocked{reads: c.reads, polls: c.polls, began: time.Now()}
				ctx, stop := context.WithTimeout(t.Context(), c.within)
				defer stop()
				_, err := testClient(t, s).CheckSessions.Wait(ctx, "a", WaitOptions{})
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, c.want, s.trace)
			})
		})
	}
}

func TestAWaitHasOneRequestAtATimeInTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &clocked{polls: []string{"never"}, began: time.Now()}
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

func TestOneErrorOfASessionIsReportedAndYielded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &clocked{polls: []string{"403"}, began: time.Now()}
		var reported error
		for _, err := range testClient(t, s).CheckSessions.WaitAll(t.Context(), []string{"a"}, WaitOptions{OnProgress: func(p WaitProgress) { reported = p.Err }}) {
			require.ErrorIs(t, err, ErrForbidden)
			require.Same(t, err, reported)
		}
	})
}

package monitoring

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// scripted is a service with one session. It has a list of responses to reads and one to polls.
// Each response is given once, except the last one, which is repeated.
type scripted struct {
	reads, polls []string

	mu    sync.Mutex
	began time.Time
	trace []string // the time of each request, and how long a poll asked to be held
}

// RoundTrip gives the next response. It is a status code, maybe with a Retry-After, the status of
// the session, or "reset", and may come "after" a time.
func (s *scripted) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	list, request := &s.reads, "read"
	if strings.HasSuffix(req.URL.Path, "/completion") {
		list, request = &s.polls, "poll "+req.URL.Query().Get("maxWaitSeconds")
	}
	s.trace = append(s.trace, fmt.Sprintf("%s %s", time.Since(s.began), request))
	play := (*list)[0]
	if len(*list) > 1 {
		*list = (*list)[1:]
	}
	s.mu.Unlock()
	play, after, _ := strings.Cut(play, " after ")
	if after != "" {
		d, err := time.ParseDuration(after)
		if err != nil {
			return nil, err
		}
		if err := sleep(req.Context(), d); err != nil {
			return nil, err
		}
	}
	switch {
	case play == "reset":
		return nil, syscall.ECONNRESET
	case play[0] > '9':
		return respondWith(http.StatusOK, nil, fmt.Sprintf(`{"status":%q,"startedAt":"2026-08-19T10:15:00.120Z"}`, play)), nil
	}
	var status, retryAfter int
	fmt.Sscan(play, &status, &retryAfter)
	header := http.Header{}
	if retryAfter > 0 {
		header.Set("Retry-After", fmt.Sprint(retryAfter))
	}
	return respondWith(status, header, ""), nil
}

func TestWhenTheNextRequestOfAWaitIsSent(t *testing.T) {
	const runs = "PROGRESS"
	for _, c := range []struct {
		name         string
		reads, polls []string
		within       time.Duration
		want         []string
	}{
		{"a poll that was held is followed at once", []string{runs}, []string{"408 after 30s"}, 95 * time.Second,
			[]string{"0s read", "0s poll 30", "30s poll 30", "1m0s poll 30", "1m30s poll 5"}},
		{"a poll with the session is followed at once, too", []string{runs}, []string{runs + " after 30s"}, 65 * time.Second,
			[]string{"0s read", "0s poll 30", "30s poll 30", "1m0s poll 5"}},
		{"a poll of a second counts as held", []string{runs}, []string{"408 after 1s"}, 3500 * time.Millisecond,
			[]string{"0s read", "0s poll 3", "1s poll 2", "2s poll 1", "3s poll 1"}},
		{"a shorter poll does not", []string{runs}, []string{"408 after 999ms"}, 6 * time.Second,
			[]string{"0s read", "0s poll 6", "1.999s poll 4", "4.998s poll 1"}},
		{"after immediate responses the pause grows to 15 s", []string{runs}, []string{"408"}, 59 * time.Second,
			[]string{"0s read", "0s poll 30", "1s poll 30", "3s poll 30", "7s poll 30", "15s poll 30", "30s poll 29", "45s poll 14"}},
		{"a poll that is held ends the pauses", []string{runs}, []string{"408", "408", "408 after 9s", "408"}, 16 * time.Second,
			[]string{"0s read", "0s poll 16", "1s poll 15", "3s poll 13", "12s poll 4", "13s poll 3", "15s poll 1"}},
		{"after two failures reads replace polls, for longer each time", []string{runs}, []string{"503"}, 56 * time.Second,
			[]string{"0s read", "0s poll 30", "1s poll 30",
				"3s read", "8s read", "13s read", "18s poll 30",
				"19s read", "24s read", "29s read", "34s read", "39s read", "44s read", "49s poll 7",
				"50s read", "55s read"}},
		{"two failures that are not in a row do not count", []string{runs}, []string{"503", "408 after 9s", "503", "503", "408 after 30s"}, 15 * time.Second,
			[]string{"0s read", "0s poll 15", "1s poll 14", "10s poll 5", "11s poll 4", "13s read"}},
		{"if reads fail, too, the pause grows to 10 s", []string{runs, "503"}, []string{"503"}, time.Minute,
			[]string{"0s read", "0s poll 30", "1s poll 30", "3s read", "7s read", "15s read", "25s poll 30", "35s read", "45s read", "55s poll 5"}},
		{"a failed first read is followed by a poll", []string{"503"}, []string{"408 after 30s"}, 20 * time.Second,
			[]string{"0s read", "1s poll 19"}},
		{"a read that takes too long is a failure", []string{runs + " after 1h"}, []string{"408 after 30s"}, 45 * time.Second,
			[]string{"0s read", "31s poll 14"}},
		{"a completion that is absent is tried again after a minute", []string{runs}, []string{"405", "408 after 30s"}, 65 * time.Second,
			[]string{"0s read", "0s poll 30", "0s read", "5s read", "10s read", "15s read", "20s read", "25s read", "30s read",
				"35s read", "40s read", "45s read", "50s read", "55s read", "1m0s poll 5"}},
		{"after one cut the next poll comes soon and asks for less", []string{runs}, []string{"504 after 20s", "408 after 18s"}, 50 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 18", "38s poll 12"}},
		{"after two cuts there is a pause", []string{runs}, []string{"504 after 20s", "504 after 10s", "408 after 9s"}, 50 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 18", "31s read", "36s read", "41s read", "46s poll 4"}},
		{"a failure within a second is not a cut", []string{runs}, []string{"504 after 999ms", "408 after 30s"}, 20 * time.Second,
			[]string{"0s read", "0s poll 20", "1.999s poll 18"}},
		{"a failure after a second is a cut", []string{runs}, []string{"504 after 1s", "408 after 1s"}, 3500 * time.Millisecond,
			[]string{"0s read", "0s poll 3", "1s poll 1", "2s poll 1", "3s poll 1"}},
		{"a 429 is not a failure of the completion", []string{runs}, []string{"503", "429 20", "503", "408 after 30s"}, 29 * time.Second,
			[]string{"0s read", "0s poll 29", "1s poll 28", "21s poll 8", "25s read"}},
		{"a Retry-After is obeyed", []string{runs}, []string{"503 20", "408 after 30s"}, 30 * time.Second,
			[]string{"0s read", "0s poll 30", "20s poll 10"}},
		{"a Retry-After is bounded by MaxRetryAfter", []string{runs}, []string{"503 3600", "408 after 30s"}, 130 * time.Second,
			[]string{"0s read", "0s poll 30", "2m0s poll 10"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scripted{reads: c.reads, polls: c.polls, began: time.Now()}
				ctx, stop := context.WithTimeout(t.Context(), c.within)
				defer stop()
				_, err := testClient(t, s).CheckSessions.Wait(ctx, "a", WaitOptions{})
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, c.want, s.trace)
			})
		})
	}
}

func TestReadsInsteadOfPollsTakeHalfOfTheLimit(t *testing.T) {
	for _, c := range []struct {
		running, over int
		want          time.Duration
	}{
		{1, 0, 5 * time.Second}, {25, 0, 5 * time.Second}, {26, 0, 5200 * time.Millisecond}, {100, 0, 20 * time.Second}, {26, 100, 5200 * time.Millisecond},
	} {
		w := idle(t, c.running+c.over)
		for _, s := range w.order[:c.over] {
			s.over = true
		}
		require.Equal(t, c.want, w.untilRead(), "%d of %d run", c.running, len(w.order))
	}
}

func TestAFailureBeforeARequestThatNeverEndsIsInTheError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"PROGRESS", "PROGRESS after 1h"}, polls: []string{"405"}}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		_, err := testClient(t, s, WithTimeout(0)).CheckSessions.Wait(ctx, "a", WaitOptions{})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "the last request failed: ")
		require.ErrorContains(t, err, "405")
	})
}

func TestGiveUpAfterCountsFromTheFirstFailure(t *testing.T) {
	for name, c := range map[string]struct {
		reads, polls []string
		want         time.Duration
	}{
		"of a poll":                   {[]string{"PROGRESS", "503"}, []string{"408 after 30s", "503"}, 30*time.Second + 25*time.Second},
		"of a first read":             {[]string{"503"}, []string{"503"}, 25 * time.Second},
		"of a read instead of a poll": {[]string{"PROGRESS", "503"}, []string{"405"}, 25 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				_, err := testClient(t, &scripted{reads: c.reads, polls: c.polls}).CheckSessions.Wait(t.Context(), "a", WaitOptions{GiveUpAfter: 20 * time.Second})
				require.ErrorContains(t, err, "every request failed for 25s: the last request failed")
				require.Equal(t, c.want, time.Since(began))
			})
		})
	}
}

func TestAFirstFailureAfterALongRequestIsSurvived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"PROGRESS"}, polls: []string{"504 after 29s", "PASSED"}, began: time.Now()}
		session, err := testClient(t, s).CheckSessions.Wait(t.Context(), "a", WaitOptions{GiveUpAfter: 20 * time.Second})
		require.NoError(t, err)
		require.True(t, session.Passed())
		require.Equal(t, []string{"0s read", "0s poll 30", "29s poll 26"}, s.trace)
	})
}

func TestASessionThatMayStillBeUnknownIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := idle(t, 1)
		w.service = testClient(t, status(404, "")).CheckSessions
		s := w.order[0]
		s.grace, s.misses, s.again = time.Now().Add(10*time.Second), 5, time.Now().Add(time.Hour)
		began := time.Now()
		for i, want := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
			require.Equal(t, want, w.readOnce(t.Context(), s))
			require.Equal(t, i+1, s.setbacks)
			require.Zero(t, s.misses)
			require.True(t, s.again.IsZero(), "the next request is a poll")
			require.ErrorIs(t, s.failure, ErrNotFound)
			require.Equal(t, began, s.failing)
		}
	})
}

func TestWhatTheLastReadFinds(t *testing.T) {
	for _, c := range []struct {
		name         string
		reads, polls []string
		check        func(t *testing.T, err error)
	}{
		{"the end", []string{"PROGRESS", "PASSED"}, []string{"408 after 1h"}, func(t *testing.T, err error) { require.NoError(t, err) }},
		{"that it runs, although a poll failed before", []string{"PROGRESS"}, []string{"503 20"}, func(t *testing.T, err error) {
			require.ErrorIs(t, err, ErrWaitTimeout)
			require.NotErrorIs(t, err, ErrServer)
		}},
		{"that it is gone", []string{"PROGRESS", "404"}, []string{"408 after 1h"}, func(t *testing.T, err error) {
			require.ErrorIs(t, err, ErrNotFound)
			require.NotErrorIs(t, err, ErrWaitTimeout)
		}},
		{"a failure", []string{"PROGRESS", "503"}, []string{"408 after 1h"}, func(t *testing.T, err error) {
			require.ErrorIs(t, err, ErrWaitTimeout)
			require.ErrorIs(t, err, ErrServer)
			require.ErrorContains(t, err, "last seen PROGRESS")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &scripted{reads: c.reads, polls: c.polls}
				_, err := testClient(t, s).CheckSessions.Wait(t.Context(), "a", WaitOptions{Timeout: 10 * time.Second})
				c.check(t, err)
			})
		})
	}
}

func TestASuccessfulPollEndsTheTimeOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const held = "408 after 30s"
		s := &scripted{reads: []string{"PROGRESS"}, polls: []string{"503", held, "503", held, "503", held, "PASSED"}}
		session, err := testClient(t, s).CheckSessions.Wait(t.Context(), "a", WaitOptions{GiveUpAfter: 20 * time.Second})
		require.NoError(t, err)
		require.True(t, session.Passed())
	})
}

func TestWhenTheNextPlaceOfASessionIsDue(t *testing.T) {
	for _, c := range []struct {
		poll       string
		due, every time.Duration // after 12 seconds
	}{
		{"408 after 5s", 40 * time.Second, 5 * time.Second}, // the third poll was sent after 10 s
		{"408 after 1s", 41 * time.Second, time.Second},
		{"408", 15 * time.Second, 8 * time.Second}, // after 1, 2, 4 and 8 seconds
	} {
		t.Run(c.poll, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := idle(t, 1)
				w.service = testClient(t, &scripted{polls: []string{c.poll}}).CheckSessions
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				go w.watch(ctx, w.order[0])
				time.Sleep(12*time.Second - 1)
				synctest.Wait()
				w.mu.Lock()
				defer w.mu.Unlock()
				require.Equal(t, w.began.Add(c.due), w.order[0].due)
				require.Equal(t, c.every, w.order[0].every)
			})
		})
	}
}

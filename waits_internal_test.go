package monitoring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/await"
	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

func TestWhichFailuresAreTemporaryAndWhichMeanAbsent(t *testing.T) {
	status := func(code int) error { return fmt.Errorf("call: %w", &APIError{StatusCode: code}) }
	for name, c := range map[string]struct {
		err               error
		temporary, absent bool
	}{
		"400":                            {status(400), false, false},
		"403":                            {status(403), false, false},
		"404":                            {status(404), false, true},
		"405":                            {status(405), false, true},
		"408":                            {status(408), true, false},
		"410":                            {status(410), false, true},
		"425":                            {status(425), true, false},
		"429":                            {status(429), true, false},
		"499":                            {status(499), true, false},
		"498":                            {status(498), false, false},
		"500":                            {status(500), true, false},
		"501":                            {status(501), false, true},
		"502":                            {status(502), true, false},
		"a call that may be retried":     {&CallError{Err: io.EOF, retry: true}, true, false},
		"a call that may not be retried": {&CallError{Err: io.EOF}, false, false},
		"a body that is not a session":   {&DecodeError{Err: io.EOF}, false, true},
		"a body that is cut off":         {&DecodeError{Err: io.EOF, fault: exchange.Lost}, false, false},
		"a session without a status":     {errNoStatus, true, false},
		"another session":                {errOtherSession, false, false},
		"any other error":                {io.EOF, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.temporary, temporary(c.err), "temporary")
			require.Equal(t, c.absent, outcomeOf(c.err, true) == await.Absent, "absent")
		})
	}
}

func TestTheAskedPauseIsTheRetryAfterOfTheResponse(t *testing.T) {
	c := testClient(t, status(500, "")).core
	require.Equal(t, time.Minute, c.askedPause(fmt.Errorf("call: %w", &APIError{StatusCode: 503, RetryAfter: time.Minute})))
	require.Equal(t, 2*time.Minute, c.askedPause(&APIError{StatusCode: 503, RetryAfter: time.Hour}), "the MaxRetryAfter")
	require.Zero(t, c.askedPause(io.EOF))
}

func TestAWaitErrorMatchesItsReasonAndTheLastFailure(t *testing.T) {
	failure := errors.New("monitoring: it failed")
	gaveUp, _ := errors.AsType[*waitError](testClient(t, status(500, "")).CheckSessions.newWait(WaitOptions{}, nil).sessionError(t.Context(),
		await.End[CheckSession]{Reason: await.GaveUp, Err: failure, Failing: 90*time.Second + 400*time.Millisecond}))
	for _, c := range []struct {
		name    string
		err     *waitError
		text    string
		matches []error
		not     []error
	}{
		{"without a failure", &waitError{&waitTimeout{time.Minute}, nil},
			"not finished within 1m0s", []error{ErrWaitTimeout}, []error{context.DeadlineExceeded, failure}},
		{"with a failure", &waitError{&waitTimeout{time.Minute}, failure},
			"not finished within 1m0s: the last request failed: it failed", []error{ErrWaitTimeout, failure}, []error{context.DeadlineExceeded}},
		{"with the deadline of a single request", &waitError{&waitTimeout{time.Minute}, context.DeadlineExceeded},
			"not finished within 1m0s: the last request failed: context deadline exceeded", []error{ErrWaitTimeout}, []error{context.DeadlineExceeded}},
		{"with a request that was cancelled", &waitError{&waitTimeout{time.Minute}, context.Canceled},
			"not finished within 1m0s: the last request failed: context canceled", []error{ErrWaitTimeout}, []error{context.Canceled}},
		{"with only failures", gaveUp, "gave up: every request failed for 1m30s: the last request failed: it failed", []error{failure}, []error{ErrWaitTimeout}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.EqualError(t, c.err, c.text)
			for _, target := range c.matches {
				require.ErrorIs(t, c.err, target)
			}
			for _, target := range c.not {
				require.NotErrorIs(t, c.err, target)
			}
		})
	}
}

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

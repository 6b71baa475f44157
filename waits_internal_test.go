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
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestAWaitErrorMatchesItsReasonAndTheLastFailure(t *testing.T) {
	failure := errors.New("monitoring: it failed")
	gaveUp, _ := errors.AsType[*waitError](newSessionWait(testClient(t, testkit.Status(500, "")).CheckSessions, WaitOptions{}, nil).sessionError(t.Context(),
		await.End{Reason: await.GaveUp, Err: failure, Failing: 90*time.Second + 400*time.Millisecond}))
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
	const id = "00000000-0000-4000-8000-00000000000a"
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
		{"an unknown status", 200, body("PAUSED"), await.Runs, await.Runs},
		{"an unknown status with an end", 200, strings.Replace(body("PAUSED"), "started", "stopped", 1), await.Ended, await.Ended},
		{"no status", 200, "{}", await.Temporary, await.Temporary},
		{"no id", 200, `{"status":"PASSED"}`, await.Ended, await.Ended},
		{"another session", 200, strings.Replace(body("PASSED"), "a", "9", 1), await.Refused, await.Refused},
		{"an id in capital letters", 200, strings.Replace(body("PASSED"), "a", "A", 1), await.Ended, await.Ended},
		{"a page of a gateway", 200, "<html>", await.Refused, await.Absent},
		{"400", 400, "", await.Refused, await.Refused},
		{"403", 403, "", await.Refused, await.Refused},
		{"404", 404, "", await.Absent, await.Absent},
		{"405", 405, "", await.Refused, await.Absent},
		{"408, which is the end of a poll", 408, "", await.Temporary, await.Runs},
		{"410", 410, "", await.Refused, await.Absent},
		{"429", 429, "", await.Limited, await.Limited},
		{"425", 425, "", await.Temporary, await.Temporary},
		{"498", 498, "", await.Refused, await.Refused},
		{"499", 499, "", await.Temporary, await.Temporary},
		{"500", 500, "", await.Temporary, await.Temporary},
		{"501", 501, "", await.Refused, await.Absent},
		{"a lost connection", 0, "", await.Temporary, await.Temporary},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				requests := 0
				w := newSessionWait(testClient(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
					if requests++; c.status == 0 {
						return nil, syscall.ECONNRESET
					}
					return testkit.Respond(c.status, http.Header{"Retry-After": {"7"}}, c.body), nil
				})).CheckSessions, WaitOptions{}, nil)
				placed := 0
				place := func() { placed++ }
				for _, one := range []struct {
					r    await.Response
					want await.Outcome
				}{{w.Read(t.Context(), id, place), c.read}, {w.Poll(t.Context(), id, time.Second, place), c.poll}} {
					require.Equal(t, one.want, one.r.Outcome, "%v", one.r.Err)
					failed := one.want != await.Runs && one.want != await.Ended
					require.Equal(t, failed, one.r.Err != nil)
					require.Equal(t, !failed && c.status == 200, one.r.State != nil)
					if one.want == await.Ended {
						require.True(t, strings.EqualFold(id, one.r.State.(*CheckSession).CheckSessionID))
					}
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
		require.Equal(t, await.Thing{ID: "a", State: session, NewUntil: now.Add(want)}, triggered(session, now), "started %s from now", started)
	}
}

func TestTheAskedPauseIsTheRetryAfterOfTheResponse(t *testing.T) {
	c := testClient(t, testkit.Status(500, "")).inner()
	require.Equal(t, time.Minute, c.askedPause(fmt.Errorf("call: %w", &APIError{StatusCode: 503, RetryAfter: time.Minute})))
	require.Equal(t, 2*time.Minute, c.askedPause(&APIError{StatusCode: 503, RetryAfter: time.Hour}), "the MaxRetryAfter")
	require.Zero(t, c.askedPause(io.EOF))
}

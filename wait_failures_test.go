package monitoring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/stretchr/testify/require"
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
			require.Equal(t, c.absent, isAbsent(c.err), "absent")
		})
	}
}

func TestTheAskedPauseIsTheRetryAfterOfTheResponse(t *testing.T) {
	require.Equal(t, time.Minute, askedPause(fmt.Errorf("call: %w", &APIError{StatusCode: 503, RetryAfter: time.Minute})))
	require.Zero(t, askedPause(io.EOF))
}

func TestAWaitErrorMatchesItsReasonAndTheLastFailure(t *testing.T) {
	failure := errors.New("monitoring: it failed")
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
		{"with only failures", &waitError{&gaveUpError{90*time.Second + 400*time.Millisecond}, failure},
			"gave up: every request failed for 1m30s: the last request failed: it failed", []error{failure}, []error{ErrWaitTimeout}},
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

func TestTheTextOfASessionErrorHasWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		err    *SessionError
		text   string
		reason error
	}{
		{nil, "monitoring: wait for check session: no error", nil},
		{&SessionError{ID: "a"}, "monitoring: wait for check session: no error", nil},
		{&SessionError{ID: "a", Err: io.EOF}, `monitoring: wait for check session "a": EOF`, io.EOF},
		{&SessionError{ID: "a", Err: io.EOF, Session: &CheckSession{}}, `monitoring: wait for check session "a": EOF`, io.EOF},
		{&SessionError{ID: "a", Err: io.EOF, Session: &CheckSession{Status: SessionProgress}},
			`monitoring: wait for check session "a", last seen PROGRESS: EOF`, io.EOF},
	} {
		require.EqualError(t, c.err, c.text)
		require.Equal(t, c.reason, c.err.Unwrap())
	}
}

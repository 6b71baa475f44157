package exchange

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestTheErrorsOfThisPackageAreKnownWithWhatTheyWrap(t *testing.T) {
	wrapped := fmt.Errorf("%w", io.EOF)
	for err, want := range map[error]error{&contextEnd{}: nil, &attemptTimeout{}: nil, &Step{What: "x", Err: wrapped}: wrapped, &networkTimeout{wrapped}: wrapped} {
		inner, known := ours(err)
		require.True(t, known, "%T", err)
		require.Equal(t, want, inner)
	}
	_, known := ours(wrapped)
	require.False(t, known)
}

func TestATimeoutOfAnAttemptIsANetTimeout(t *testing.T) {
	for _, err := range []net.Error{&attemptTimeout{time.Second}, &networkTimeout{&net.OpError{Op: "dial", Err: testkit.TimeoutError{}}}} {
		require.True(t, err.Timeout())
		//lint:ignore SA1019 it is still a part of net.Error
		require.True(t, err.Temporary())
		require.NotErrorIs(t, err, context.DeadlineExceeded)
	}
	err := &networkTimeout{&net.OpError{Op: "dial", Err: fmt.Errorf("%w: %w", testkit.TimeoutError{}, syscall.ETIMEDOUT)}}
	require.ErrorIs(t, err, syscall.ETIMEDOUT)
	op, ok := errors.AsType[*net.OpError](err)
	require.True(t, ok)
	require.Equal(t, "dial", op.Op)
	require.NotErrorIs(t, &networkTimeout{context.Canceled}, context.Canceled)
	require.ErrorIs(t, &failed{err: io.EOF}, io.EOF)
}

func TestAStepMatchesWhatItSays(t *testing.T) {
	paused := errors.New("paused")
	step := &Step{What: "wait", Err: io.EOF, Also: paused}
	require.EqualError(t, step, "wait: EOF")
	require.ErrorIs(t, step, paused)
	require.ErrorIs(t, step, io.EOF)
	require.NotErrorIs(t, &Step{What: "wait", Err: io.EOF}, paused)
}

func TestTheTextOfAnEndedContextHasItsCause(t *testing.T) {
	for want, e := range map[string]*contextEnd{
		"context canceled":                         {err: context.Canceled, cause: errors.New("context canceled")},
		"context canceled: cancelled by the user":  {err: context.Canceled, cause: errors.New("cancelled\nby the user")},
		"context deadline exceeded":                {err: context.DeadlineExceeded, cause: context.DeadlineExceeded},
		"context deadline exceeded: was cancelled": {err: context.DeadlineExceeded, cause: errors.New("was cancelled")},
	} {
		require.EqualError(t, e, want)
		require.Equal(t, e.err == context.DeadlineExceeded, e.Timeout())
	}
}

func TestTheCauseOfAnEndedContextIsMatchedWithoutUnwrapping(t *testing.T) {
	cause := errors.New("cancelled by the job")
	e := &contextEnd{err: context.Canceled, cause: cause}
	require.True(t, e.Is(cause))
	for _, other := range []error{nil, errors.New("cancelled by the job"), uncomparable{"x"}, callValue{"rate limited"}} {
		require.False(t, e.Is(other))
	}
	require.False(t, (&contextEnd{err: context.Canceled, cause: callValue{"timed out"}}).Is(callValue{"timed out"}), "it is the error of another call")
	require.False(t, (&contextEnd{err: context.Canceled, cause: uncomparable{"x"}}).Is(uncomparable{"x"}))
}

func TestSleepEndsAfterItsTimeOrWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, d := range []time.Duration{-1, 0, 1, time.Hour} {
			began := time.Now()
			require.NoError(t, Sleep(t.Context(), d))
			require.Equal(t, max(d, 0), time.Since(began))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		require.ErrorIs(t, Sleep(ctx, time.Hour), context.DeadlineExceeded)
		require.Equal(t, time.Minute, time.Since(began))
		require.ErrorIs(t, Sleep(ctx, 0), context.DeadlineExceeded)
	})
}

// callValue is an error that says how a call ended.
type callValue struct{ text string }

func (v callValue) Error() string { return v.text }
func (callValue) OfACall()        {}

// uncomparable is an error that == cannot compare.
type uncomparable []string

func (u uncomparable) Error() string { return u[0] }

// A secret of the body may be a common word, which stands in the network's own errors, too.
func TestTheNetworksOwnErrorsKeepTheirWords(t *testing.T) {
	texts := &Texts{Own: scrub.New("key-123"), Body: []string{"refused", "own words"}}
	require.EqualError(t, texts.Error(&url.Error{Op: "Get", URL: "https://service.test", Err: &failed{err: syscall.ECONNREFUSED}}), "connection refused")
	require.EqualError(t, texts.Error(errors.New("own words of key-123")), "[redacted] of [redacted]")
	require.Equal(t, Lost, faultIn(&url.Error{Err: &failed{fault: Lost}}))
	require.Equal(t, Unfollowed, faultIn(io.EOF))
	require.Equal(t, NoFault, faultIn(nil))
}

package await

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOneRequestAtATimeWaitsForAPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var waiting, most atomic.Int64
		s := &scripted{polls: []string{"runs after 30s"}, began: time.Now(), place: func(ctx context.Context) error {
			most.Store(max(most.Load(), waiting.Add(1)))
			defer waiting.Add(-1)
			sleep(ctx, time.Second)
			return ctx.Err()
		}}
		ctx, stop := context.WithTimeout(t.Context(), 4500*time.Millisecond)
		defer stop()
		for end := range waitFor(s, Options{}, strings.Split("abcdef", "")...).Run(ctx) {
			require.Equal(t, Interrupted, end.Reason)
			require.NoError(t, end.Err, "the end of the context is not a failure")
		}
		require.Len(t, s.trace, 4, "requests that have a place do not delay others: %v", s.trace)
		require.EqualValues(t, 1, most.Load())
	})
}

func TestTimeBeforeAPlaceIsNotATimeOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{reads: []string{"going"}, polls: []string{"temporary", "temporary", "ended"}, place: func(ctx context.Context) error {
			sleep(ctx, time.Minute)
			return ctx.Err()
		}}
		// The polls get their places after two and three minutes. The second fails 61 s after the first.
		require.Equal(t, Done, waitForOne(t.Context(), s, Options{GiveUpAfter: 62 * time.Second}).Reason)
	})
}

func TestARequestWhoseContextEndsDoesNotWaitForItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &scripted{}
		r := idle(s, 1).requests
		r.turn <- struct{}{}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		response, began := r.poll(ctx, r.board.things[0], maxHold)
		require.True(t, interrupted(ctx, response.Err))
		require.Equal(t, time.Now(), began)
		require.Empty(t, s.trace)
	})
}

func TestARequestThatEndsWithoutAPlaceLeavesItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := idle(&scripted{place: func(context.Context) error { return errTemporary }}, 1).requests
		one := r.board.things[0]
		one.placed, r.board.unplaced = false, 1
		for range 2 {
			response, _ := r.read(t.Context(), one)
			require.Equal(t, errTemporary, response.Err)
			require.Zero(t, r.board.unplaced, "it counts as the first request of the thing")
		}
	})
}

func TestAReadDoesNotChangeWhenTheNextPollIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := idle(&scripted{reads: []string{"refused"}, polls: []string{"refused"}}, 1).requests
		one := r.board.things[0]
		one.placed, r.board.unplaced = false, 1
		due := one.due
		for range 2 {
			r.read(t.Context(), one)
			require.Equal(t, due, one.due)
			require.Zero(t, r.board.unplaced, "the read counts as the first request of the thing")
		}
		r.poll(t.Context(), one, 7*time.Second)
		require.Equal(t, time.Now().Add(7*time.Second), one.due)
	})
}

func TestARequestBeginsWhenItHasItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := idle(&scripted{reads: []string{"going after 3s"}, place: func(ctx context.Context) error { sleep(ctx, time.Minute); return nil }}, 1).requests
		called := time.Now()
		_, began := r.read(t.Context(), r.board.things[0])
		require.Equal(t, called.Add(time.Minute), began)
	})
}

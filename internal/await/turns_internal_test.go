package await

import (
	"context"
	"fmt"
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

func TestTheMostUrgentTurnIsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns turns
		require.True(t, turns.take(t.Context(), whenIdle))
		ctx, stop := context.WithCancel(t.Context())
		var got []string
		take := func(ctx context.Context, u urgency, name string) {
			go func() {
				if turns.take(ctx, u) {
					got = append(got, name)
					turns.pass()
				}
			}()
			synctest.Wait()
		}
		for i := range 2 {
			take(t.Context(), whenIdle, fmt.Sprint("idle ", i))
			take(t.Context(), inTurn, fmt.Sprint("in turn ", i))
			take(ctx, inTurn, fmt.Sprint("cancelled ", i))
			take(t.Context(), atOnce, fmt.Sprint("at once ", i))
		}
		stop()
		synctest.Wait()
		turns.pass()
		synctest.Wait()
		require.Equal(t, []string{"at once 0", "at once 1", "in turn 0", "in turn 1", "idle 0", "idle 1"}, got)
		require.False(t, turns.take(ctx, atOnce), "its context has ended")
		require.True(t, turns.take(t.Context(), whenIdle), "the turn is free")
	})
}

func TestATurnIsNotLostIfItsContextEndsJustThen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns turns
		for range 20 {
			require.True(t, turns.take(t.Context(), inTurn))
			ctx, stop := context.WithCancel(t.Context())
			go func() {
				if turns.take(ctx, inTurn) {
					turns.pass()
				}
			}()
			synctest.Wait()
			stop()
			turns.pass()
			synctest.Wait()
		}
	})
}

func TestARequestThatEndsWithoutAPlaceEndsItsTurn(t *testing.T) {
	r := idle(&scripted{place: func(context.Context) error { return errTemporary }}, 1).requests
	for range 2 {
		require.True(t, r.turns.take(t.Context(), inTurn))
		response, _ := r.read(t.Context(), r.board.things[0])
		require.Equal(t, errTemporary, response.Err)
	}
}

package workers_test

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/internal/workers"
)

func explodes(err error) { panic(err) }

func TestAPanicOfAWorkerPanicsInTheWaitingGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		g := workers.New(cancel)
		ended := false
		g.Go(func() {
			<-ctx.Done() // the panic of the other worker stops this one
			ended = true
		})
		g.Go(func() { explodes(io.ErrNoProgress) })
		<-g.Broken()
		panicked, exited := testkit.Ending(g.Wait)
		require.False(t, exited)
		require.True(t, ended, "the other worker was waited for")
		err, ok := panicked.(error)
		require.True(t, ok)
		require.ErrorIs(t, err, io.ErrNoProgress)
		require.Regexp(t, `(?s)^multiple Read calls.*raised again.*workers_test\.explodes`, err.Error())
		g.Wait() // a second call returns, so Wait may be deferred
	})
	g := workers.New(nil)
	g.Go(func() { panic("not an error") })
	panicked, _ := testkit.Ending(g.Wait)
	require.ErrorContains(t, panicked.(error), "not an error\n")
	require.NoError(t, errors.Unwrap(panicked.(error)))
}

func TestAnExitOfAWorkerExitsTheWaitingGoroutine(t *testing.T) {
	stopped := 0
	g := workers.New(func() { stopped++ })
	for range 3 {
		g.Go((&testing.T{}).SkipNow)
	}
	panicked, exited := testkit.Ending(g.Wait)
	require.Nil(t, panicked)
	require.True(t, exited)
	require.Equal(t, 1, stopped, "only the first exit stops the others")
}

func TestEachCallsAFewAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for most, want := range map[int]time.Duration{1: 10 * time.Second, 4: 3 * time.Second, 10: time.Second, 99: time.Second} {
			began := time.Now()
			var calls [10]atomic.Int32
			workers.Each(t.Context(), len(calls), most, func(ctx context.Context, i int) {
				time.Sleep(time.Second)
				require.NoError(t, ctx.Err(), "nothing stops a call while no other one breaks")
				calls[i].Add(1)
			})
			require.Equal(t, want, time.Since(began), "%d at a time", most)
			for i := range calls {
				require.EqualValues(t, 1, calls[i].Load(), i)
			}
		}
		workers.Each(t.Context(), 0, 8, func(context.Context, int) { t.Error("there is nothing to call") })

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		workers.Each(ctx, 2, 2, func(ctx context.Context, _ int) { require.ErrorIs(t, ctx.Err(), context.Canceled) })
		panicked, _ := testkit.Ending(func() {
			workers.Each(t.Context(), 3, 3, func(ctx context.Context, i int) {
				if i == 1 {
					explodes(io.ErrNoProgress)
				}
				<-ctx.Done() // the panic stops the other calls
			})
		})
		require.ErrorIs(t, panicked.(error), io.ErrNoProgress)
	})
}

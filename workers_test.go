package monitoring

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// ending calls f in a goroutine and returns how it ended: the value it panicked with, or
// whether it exited.
func ending(f func()) (panicked any, exited bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		exited = true
		defer func() {
			if panicked = recover(); panicked != nil {
				exited = false
			}
		}()
		f()
		exited = false
	}()
	<-done
	return panicked, exited
}

func TestWaitWaitsForAllWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopped := 0
		w := newWorkers(func() { stopped++ })
		var done atomic.Int32
		for i := range 5 {
			w.run(func() {
				time.Sleep(time.Duration(i) * time.Second)
				done.Add(1)
			})
		}
		w.wait()
		require.EqualValues(t, 5, done.Load())
		require.Zero(t, stopped)
		select {
		case <-w.broken:
			t.Error("no worker broke")
		default:
		}
	})
}

func explodes(err error) { panic(err) }

func TestAPanicOfAWorkerPanicsInTheWaitingGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := newWorkers(cancel)
		ended := false
		w.run(func() {
			<-ctx.Done() // the panic of the other worker stops this one
			ended = true
		})
		w.run(func() { explodes(io.ErrNoProgress) })
		<-w.broken
		panicked, exited := ending(w.wait)
		require.False(t, exited)
		require.True(t, ended, "the other worker was waited for")
		err, ok := panicked.(error)
		require.True(t, ok)
		require.ErrorIs(t, err, io.ErrNoProgress)
		require.Regexp(t, `(?s)^multiple Read calls.*raised again.*monitoring-go\.explodes`, err.Error())
		w.wait() // a second call returns, so wait may be deferred
	})
	w := newWorkers(nil)
	w.run(func() { panic("not an error") })
	panicked, _ := ending(w.wait)
	require.ErrorContains(t, panicked.(error), "not an error\n")
	require.NoError(t, errors.Unwrap(panicked.(error)))
}

func TestAnExitOfAWorkerExitsTheWaitingGoroutine(t *testing.T) {
	stopped := 0
	w := newWorkers(func() { stopped++ })
	for range 3 {
		w.run((&testing.T{}).SkipNow)
	}
	panicked, exited := ending(w.wait)
	require.Nil(t, panicked)
	require.True(t, exited)
	require.Equal(t, 1, stopped, "only the first exit stops the others")
}

// TestAPanicOrExitInReadAheadReachesTheLoop checks transports and hooks of the caller.
func TestAPanicOrExitInReadAheadReachesTheLoop(t *testing.T) {
	breaks := map[string]func(){
		"a panic": func() { explodes(io.ErrNoProgress) },
		"an exit": (&testing.T{}).SkipNow,
	}
	for name, breakNow := range breaks {
		for place, broken := range map[string]string{"the first page": "1", "a page ahead": "4"} {
			t.Run(name+" on "+place, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
					s := newShelf(900, true)
					s.latency = time.Second
					client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
						if req.URL.Query().Get("page") == broken {
							breakNow()
						}
						return s.RoundTrip(req)
					}))
					read, after := 0, false
					panicked, exited := ending(func() {
						for _, err := range client.Variables.All(t.Context(), VariableListOptions{}, WithReadAhead(4)) {
							require.NoError(t, err)
							read++
						}
						after = true
					})
					require.False(t, after)
					require.LessOrEqual(t, read, 300)
					if name == "a panic" {
						require.ErrorIs(t, panicked.(error), io.ErrNoProgress)
						require.ErrorContains(t, panicked.(error), "monitoring-go.explodes")
					} else {
						require.True(t, exited)
					}
				})
			})
		}
		t.Run(name+" after the loop ended", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newShelf(900, true)
				client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
					if req.URL.Query().Get("page") == "3" {
						breakNow()
					}
					return s.RoundTrip(req)
				}))
				panicked, exited := ending(func() {
					for range client.Variables.All(t.Context(), VariableListOptions{}, WithReadAhead(4)) {
						synctest.Wait()
						break
					}
				})
				require.True(t, exited || panicked != nil)
			})
		})
	}
}

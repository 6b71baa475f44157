// Package workers runs functions in goroutines that end with the call that started them.
//
// The goroutine that starts a [Group] must wait for it, so no worker outlives its call. A worker
// may run code of the caller, such as a transport or a hook. If it panics or calls runtime.Goexit
// there (as FailNow does in a test), the waiting goroutine does the same: otherwise a panic would
// end the process where nobody can recover, and a Goexit would leave it waiting forever.
// The first worker that breaks in this way stops the others.
package workers

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Group is a number of workers for which one goroutine waits. It is made by [New].
type Group struct {
	broken chan struct{} // is closed when a worker has panicked or exited

	stop  func()
	group sync.WaitGroup
	once  sync.Once
	raise func() // ends the waiting goroutine in the way in which the first broken worker ended
}

// New makes a group without workers. When the first of them panics or exits, it calls stop in its
// goroutine, once, to end the others. stop may be nil if the others end by themselves.
func New(stop func()) *Group {
	if stop == nil {
		stop = func() {}
	}
	return &Group{broken: make(chan struct{}), stop: stop}
}

// Go runs f in a goroutine. It must not be called after Wait has returned.
func (g *Group) Go(f func()) {
	g.group.Go(func() {
		returned := false
		defer func() {
			if !returned {
				g.broke(recover())
			}
		}()
		f()
		returned = true
	})
}

// broke records how the first broken worker ended: with a panic value, or nil for a Goexit.
func (g *Group) broke(value any) {
	g.once.Do(func() {
		g.raise = runtime.Goexit
		if value != nil {
			p := &workerPanic{value: value, stack: debug.Stack()}
			g.raise = func() { panic(p) }
		}
		close(g.broken)
		g.stop()
	})
}

// Broken is closed when a worker has panicked or exited. Who waits for a value from a worker must
// wait for Broken, too, and then call Wait.
func (g *Group) Broken() <-chan struct{} { return g.broken }

// Wait returns when all workers have ended. If one of them panicked or exited, Wait does the same
// instead of returning, the first time it is called. Only one goroutine may wait. The value of a
// panic is then an error: it has the value and the stack of the worker in its text, and wraps the
// value if that is an error.
func (g *Group) Wait() {
	g.group.Wait()
	if raise := g.raise; raise != nil {
		g.raise = nil // a deferred Wait of the goroutine that ends now is the second one
		raise()
	}
}

// Each calls f with 0 to n-1, most of them at a time, which is at least 1, and returns when all
// calls have returned. The context that f gets ends with ctx, and when a call panics or exits. Then
// Each does the same, as Wait does.
func Each(ctx context.Context, n, most int, f func(ctx context.Context, i int)) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	g := New(stop)
	var next atomic.Int64
	for range min(n, most) {
		g.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(ctx, i)
			}
		})
	}
	g.Wait()
}

// workerPanic is the panic of a worker, with the worker's stack. If the panic value is an
// error, errors.Is and errors.As find it.
type workerPanic struct {
	value any
	stack []byte
}

func (p *workerPanic) Error() string {
	return fmt.Sprintf("%v\n\nraised again from a goroutine with this stack:\n%s", p.value, p.stack)
}

func (p *workerPanic) Unwrap() error {
	err, _ := p.value.(error)
	return err
}

package monitoring

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// workers runs functions on goroutines of their own for one goroutine that waits for
// all of them. A panic or a runtime.Goexit of a worker (a test's FailNow in a hook or a
// transport is one) goes on in the goroutine that waits: on a goroutine of ours a panic
// would end the process, and a Goexit would leave the caller waiting for ever.
type workers struct {
	// broken is closed when a worker ended in one of these ways. Whoever waits for
	// something that a worker sends also waits for it, and then calls wait.
	broken chan struct{}

	stop  func()
	group sync.WaitGroup
	once  sync.Once
	raise func() // ends the goroutine that waits as the first broken worker ended
}

// newWorkers returns workers that call stop, once and on the worker's goroutine, when
// the first of them breaks. It tells the others to end; nil if they end by themselves.
func newWorkers(stop func()) *workers {
	if stop == nil {
		stop = func() {}
	}
	return &workers{broken: make(chan struct{}), stop: stop}
}

// run starts f.
func (w *workers) run(f func()) {
	w.group.Go(func() {
		returned := false
		defer func() {
			if !returned {
				w.broke(recover())
			}
		}()
		f()
		returned = true
	})
}

// broke remembers how the first broken worker ended. A Goexit recovers nothing.
func (w *workers) broke(value any) {
	w.once.Do(func() {
		w.raise = runtime.Goexit
		if value != nil {
			p := &workerPanic{value: value, stack: debug.Stack()}
			w.raise = func() { panic(p) }
		}
		close(w.broken)
		w.stop()
	})
}

// wait returns when all workers have ended. If one of them broke, it does not return:
// it panics or exits in its place, the first time. Only one goroutine may wait.
func (w *workers) wait() {
	w.group.Wait()
	if raise := w.raise; raise != nil {
		w.raise = nil // a deferred wait of the goroutine that ends now is the second one
		raise()
	}
}

// workerPanic is a panic of a worker, with the stack it had there. If the value is an
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

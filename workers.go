package monitoring

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// workers runs functions in goroutines of their own, and one goroutine waits for all of them.
// If a worker panics or calls runtime.Goexit (as FailNow does in a test's hook or transport),
// the waiting goroutine does the same. Otherwise a panic in a goroutine of this package would
// end the process, and a Goexit would leave the caller waiting for ever.
type workers struct {
	// broken is closed when a worker has panicked or exited. Code that waits for a value from
	// a worker must wait for broken, too, and then call wait.
	broken chan struct{}

	stop  func()
	group sync.WaitGroup
	once  sync.Once
	raise func() // ends the waiting goroutine in the way in which the first broken worker ended
}

// newWorkers returns workers. When the first of them panics or exits, it calls stop in its
// goroutine, once, to end the others. stop may be nil if the others end by themselves.
func newWorkers(stop func()) *workers {
	if stop == nil {
		stop = func() {}
	}
	return &workers{broken: make(chan struct{}), stop: stop}
}

// run starts f in a goroutine.
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

// broke records how the first broken worker ended: with a panic value, or nil for a Goexit.
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

// wait returns when all workers have ended. If one of them panicked or exited, wait does the
// same instead of returning, the first time it is called. Only one goroutine may wait.
func (w *workers) wait() {
	w.group.Wait()
	if raise := w.raise; raise != nil {
		w.raise = nil // a deferred wait of the goroutine that ends now is the second one
		raise()
	}
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

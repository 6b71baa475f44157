package fakeclock

import (
	"sync"
	"sync/atomic"
	"time"
)

// Start starts the clock anew, as the real one goes.
func (c *Clock) Start() {
	if c.ahead == nil {
		c.ahead = &ahead{waiting: make(map[chan struct{}]bool)}
	}
	c.ahead.nanoseconds.Store(0)
}

// Advance moves the clock forward. Whoever waits for a moment that has come then goes on.
func (c Clock) Advance(d time.Duration) {
	c.ahead.nanoseconds.Add(int64(d))
	c.ahead.Lock()
	defer c.ahead.Unlock()
	for moved := range c.ahead.waiting {
		select {
		case moved <- struct{}{}:
		default: // it has not yet seen that the clock moved before
		}
	}
}

// ahead is how far a clock is ahead of the real one, and who is told when that changes. A nil one
// is not ahead.
type ahead struct {
	nanoseconds atomic.Int64
	sync.Mutex
	waiting map[chan struct{}]bool
}

func (a *ahead) by() time.Duration {
	if a == nil {
		return 0
	}
	return time.Duration(a.nanoseconds.Load())
}

// watch returns a channel that gets a value when the clock has moved, until done is called. The one
// who waits makes it: in a bubble of testing/synctest, only a channel of the bubble lets time pass.
func (a *ahead) watch() (moved chan struct{}, done func()) {
	if a == nil {
		return nil, func() {}
	}
	moved = make(chan struct{}, 1)
	a.Lock()
	defer a.Unlock()
	a.waiting[moved] = true
	return moved, func() {
		a.Lock()
		defer a.Unlock()
		delete(a.waiting, moved)
	}
}

var loaded = time.Now()

// InBubble reports whether the caller is in a bubble of testing/synctest. Its clock begins at the
// year 2000, long before the real time at which this program has started.
func InBubble() bool { return time.Now().Before(loaded.AddDate(-1, 0, 0)) }

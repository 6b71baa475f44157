// Package turns lets edits of one object come one after the other.
package turns

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// longestWait ends the wait of an edit whose context never ends. Too low, and an edit behind slow
// ones fails; too high, and a function that edits its own object hangs for longer.
const longestWait = 2 * time.Minute

// Turns are the edits of a client that have begun. The zero value has none. A client lives as long
// as its program, so nothing of an object whose edits have ended stays in it.
type Turns struct {
	mu   sync.Mutex
	held map[Object]*turn
}

// Object is what is edited, such as check group 7, in an account.
type Object struct{ Account, Name string }

// turn is given from one edit of an object to the next.
type turn struct {
	free  chan struct{} // has an item unless an edit has the turn
	edits int           // that have the turn or wait for it
}

// Take waits until no other edit of the object has the turn. The caller must call the function
// that it returns when its own edit has ended.
func (t *Turns) Take(ctx context.Context, object Object) (end func(), err error) {
	mine := t.enter(object)
	if err := mine.await(ctx); err != nil {
		t.leave(object)
		return nil, fmt.Errorf("waiting for another edit of the same object: %w", err)
	}
	return func() { mine.free <- struct{}{}; t.leave(object) }, nil
}

func (t *turn) await(ctx context.Context) error {
	select { // an edit whose context has ended finds out by itself, if nobody is before it
	case <-t.free:
		return nil
	default:
	}
	var tooLong <-chan time.Time
	if _, ends := ctx.Deadline(); !ends {
		tooLong = time.After(longestWait)
	}
	select {
	case <-t.free:
		return nil
	case <-ctx.Done():
		return exchange.EndOf(ctx)
	case <-tooLong:
		return fmt.Errorf("timed out after %v: the function of an edit must not edit its own object", longestWait)
	}
}

func (t *Turns) enter(object Object) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held == nil {
		t.held = make(map[Object]*turn)
	}
	if t.held[object] == nil {
		t.held[object] = &turn{free: make(chan struct{}, 1)}
		t.held[object].free <- struct{}{}
	}
	t.held[object].edits++
	return t.held[object]
}

func (t *Turns) leave(object Object) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held[object].edits--; t.held[object].edits == 0 {
		delete(t.held, object)
	}
}

package monitoring

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// longestWaitForATurn ends the wait of an edit whose context never ends. Below it an edit behind
// slow ones fails; above it a function that edits its own object hangs for longer.
const longestWaitForATurn = 2 * time.Minute

// turns are the edits of a client that have begun, so that those of one object come one after the
// other. The zero value has none.
type turns struct {
	mu   sync.Mutex
	held map[edited]*turn
}

// edited is an object that is edited, such as check group 7, of an account.
type edited struct{ account, object string }

// turn is given from one edit of an object to the next.
type turn struct {
	free  chan struct{} // has an item unless an edit has the turn
	edits int           // that have the turn or wait for it
}

// take waits until no other edit of the object has the turn. The caller must call the function
// that it returns when its own edit has ended.
func (t *turns) take(ctx context.Context, object edited) (end func(), err error) {
	waiting := t.enter(object)
	select { // an edit whose context has ended finds out by itself, if nobody is before it
	case <-waiting.free:
		return func() { waiting.free <- struct{}{}; t.leave(object) }, nil
	default:
	}
	var tooLong <-chan time.Time
	if _, ends := ctx.Deadline(); !ends {
		timer := time.NewTimer(longestWaitForATurn)
		defer timer.Stop()
		tooLong = timer.C
	}
	select {
	case <-waiting.free:
		return func() { waiting.free <- struct{}{}; t.leave(object) }, nil
	case <-ctx.Done():
		err = exchange.EndOf(ctx)
	case <-tooLong:
		err = fmt.Errorf("it has not in %v: is this edit made by the function of that one?", longestWaitForATurn)
	}
	t.leave(object)
	return nil, fmt.Errorf("wait for another edit of it to end: %w", err)
}

func (t *turns) enter(object edited) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held == nil {
		t.held = make(map[edited]*turn)
	}
	if t.held[object] == nil {
		t.held[object] = &turn{free: make(chan struct{}, 1)}
		t.held[object].free <- struct{}{}
	}
	t.held[object].edits++
	return t.held[object]
}

func (t *turns) leave(object edited) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.held[object].edits--; t.held[object].edits == 0 {
		delete(t.held, object)
	}
}

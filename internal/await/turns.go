package await

import (
	"context"
	"slices"
	"sync"
)

// turns let one request of a wait at a time wait for a place in the limit, so that other waits get
// places in between. The next turn goes to the most urgent request, and among those to the first.
type turns struct {
	mu      sync.Mutex
	taken   bool
	waiting [whenIdle + 1][]chan struct{}
}

// urgency is the order of requests.
type urgency int

const (
	atOnce   urgency = iota // reads for the end of a wait
	inTurn                  // what a thing needs
	whenIdle                // reads that keep states fresh
)

// take waits for a turn. It returns false if the context ends first.
func (t *turns) take(ctx context.Context, u urgency) bool {
	t.mu.Lock()
	if !t.taken && ctx.Err() == nil {
		t.taken = true
		t.mu.Unlock()
		return true
	}
	mine := make(chan struct{})
	t.waiting[u] = append(t.waiting[u], mine)
	t.mu.Unlock()
	select {
	case <-mine:
		return true
	case <-ctx.Done():
	}
	t.mu.Lock()
	i := slices.Index(t.waiting[u], mine)
	if i >= 0 {
		t.waiting[u] = slices.Delete(t.waiting[u], i, i+1)
	}
	t.mu.Unlock()
	if i < 0 { // it has just got its turn
		t.pass()
	}
	return false
}

// pass ends a turn.
func (t *turns) pass() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for u, waiting := range t.waiting {
		if len(waiting) > 0 {
			close(waiting[0])
			t.waiting[u] = waiting[1:]
			return
		}
	}
	t.taken = false
}

package limiter

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// Own is a limiter that somebody else made. It does not distinguish attempts.
type Own interface {
	// Wait returns when an attempt may be sent, or an error that wraps that of the context.
	Wait(ctx context.Context) error
	// Throttled is called after a 429, except for a route with a limit of its own.
	Throttled(retryAfter time.Duration)
}

// Beside is limits of routes and of long polls beside an Own, which is not told of them: they are
// not shared with whoever else uses it. Long polls get at most besideShare of a limit, so that
// ordinary attempts get the rest. It is made by [NewBeside] and has the methods of an Account.
type Beside struct {
	own   Own
	polls *Account

	mu     sync.Mutex
	routes []*besideRoute
}

// besideRoute is a route with a limit of its own.
type besideRoute struct {
	pattern route.Pattern
	limit   Rate
	account *Account
	turn    chan struct{} // held by the attempt that waits for both limits; a channel keeps the order
}

// besideShare is the share of long polls beside a limiter that cannot put them last.
const besideShare = 0.75

// NewBeside makes a Beside with limits of routes by operation. polls is the limit that long polls
// get a share of. A limit or an operation that is not valid is an error.
func NewBeside(own Own, polls Rate, routes map[string]Rate) (*Beside, error) {
	account, err := New(polls, nil)
	if err != nil {
		return nil, err
	}
	b := &Beside{own: own, polls: account}
	for operation, limit := range routes {
		if err := b.LimitRoute(operation, limit); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Wait takes a place of the route and one of the Own. A place that is taken early and used late
// would make the window of the route wrong. So only one attempt of the route waits for both at a
// time.
func (b *Beside) Wait(ctx context.Context, a Attempt) error {
	if a.Waiting {
		if a.Share <= 0 || a.Share > besideShare {
			a.Share = besideShare
		}
		if err := b.polls.Wait(ctx, a); err != nil {
			return err
		}
	}
	route := b.route(a.Operation)
	if route == nil {
		return b.wait(ctx)
	}
	select {
	case route.turn <- struct{}{}:
	case <-ctx.Done():
		return &EndedError{Err: ctx.Err()}
	}
	defer func() { <-route.turn }()
	if err := route.account.Wait(ctx, Attempt{}); err != nil {
		return err
	}
	taken := time.Now()
	err := b.wait(ctx)
	route.account.usedLate(taken, err == nil)
	return err
}

func (b *Beside) wait(ctx context.Context) error {
	if err := b.own.Wait(ctx); err != nil {
		return fmt.Errorf("waiting for the rate limit: %w", err)
	}
	return nil
}

func (b *Beside) route(operation string) *besideRoute {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.routes {
		if r.pattern.Matches(operation) {
			return r
		}
	}
	return nil
}

// Ended passes a 429 on to the limit that it concerns.
func (b *Beside) Ended(a Attempt, o Outcome) {
	if route := b.route(a.Operation); route != nil {
		route.account.Ended(Attempt{}, o)
	} else if o.StatusCode == http.StatusTooManyRequests {
		b.own.Throttled(o.RetryAfter)
	}
}

// LimitRoute gives a route a limit of its own, as [Account.LimitRoute] does.
func (b *Beside) LimitRoute(operation string, limit Rate) error {
	pattern, err := route.Parse(operation)
	if err != nil {
		return err
	}
	account, err := New(limit, nil)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	kept := []*besideRoute{{pattern: pattern, limit: limit, account: account, turn: make(chan struct{}, 1)}}
	for _, r := range b.routes {
		switch {
		case r.pattern.Operation != operation:
			kept = append(kept, r)
		case r.limit == limit:
			kept[0] = r
		}
	}
	b.routes = kept
	return nil
}

// State returns the zero State: an Own need not have a state.
func (b *Beside) State() State { return State{} }

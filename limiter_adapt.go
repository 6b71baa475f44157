package monitoring

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// accountLimiter returns l if it is an AccountLimiter, and otherwise a plainLimiter with it.
func accountLimiter(l Limiter) AccountLimiter {
	if account, ok := l.(AccountLimiter); ok {
		return account
	}
	p := &plainLimiter{Limiter: l, polls: newLimiter(DefaultRateLimit)}
	for operation, limit := range DefaultRouteLimits() {
		if err := p.LimitRoute(operation, limit); err != nil {
			panic(err) // not reached: the default limits are valid
		}
	}
	return p
}

// plainLimiter is a user's own limiter that does not distinguish attempts. Route limits are
// kept here, and so are not shared with other clients. Long polls get at most plainShare of
// the default limit, so that ordinary calls get the rest.
type plainLimiter struct {
	Limiter
	polls *limiter

	mu     sync.Mutex
	routes []*plainRoute
}

// plainRoute is a route with a limit of its own beside a plain limiter.
type plainRoute struct {
	pattern route.Pattern
	limit   RateLimit
	own     *limiter
	turn    chan struct{} // held by the attempt that waits for both limits; a channel keeps the order
}

// plainShare is the share of long polls beside a limiter that cannot put them last.
const plainShare = 0.75

// WaitFor takes a place of the route and one of the user's limiter. A place that is taken
// early and used late would make the window of the route wrong. So only one attempt of the
// route waits for both at a time.
func (p *plainLimiter) WaitFor(ctx context.Context, a LimitedAttempt) error {
	if a.Waiting {
		if a.Share <= 0 || a.Share > plainShare {
			a.Share = plainShare
		}
		if err := p.polls.WaitFor(ctx, a); err != nil {
			return err
		}
	}
	route := p.route(a.Operation)
	if route == nil {
		return p.wait(ctx)
	}
	select {
	case route.turn <- struct{}{}:
	case <-ctx.Done():
		return newPlaceError(ctx, time.Time{})
	}
	defer func() { <-route.turn }()
	if err := route.own.WaitFor(ctx, LimitedAttempt{}); err != nil {
		return err
	}
	taken := time.Now()
	err := p.wait(ctx)
	route.own.usedLate(taken, err == nil)
	return err
}

// usedLate corrects the window for a place that was taken earlier and is used only now, or
// not at all.
func (l *limiter) usedLate(taken time.Time, used bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.common.window.giveBack(taken)
	if used {
		l.common.window.take(time.Now())
	}
}

func (p *plainLimiter) wait(ctx context.Context) error {
	if err := p.Limiter.Wait(ctx); err != nil {
		return fmt.Errorf("waiting for the rate limit: %w", err)
	}
	return nil
}

func (p *plainLimiter) route(operation string) *plainRoute {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.routes {
		if r.pattern.Matches(operation) {
			return r
		}
	}
	return nil
}

// Ended passes a 429 on to the limit that it concerns.
func (p *plainLimiter) Ended(a LimitedAttempt, o AttemptOutcome) {
	if route := p.route(a.Operation); route != nil {
		route.own.Ended(LimitedAttempt{}, o)
	} else if o.StatusCode == http.StatusTooManyRequests {
		p.Limiter.Throttled(o.RetryAfter)
	}
}

// LimitRoute gives a route a limit of its own.
func (p *plainLimiter) LimitRoute(operation string, limit RateLimit) error {
	pattern, err := route.Parse(operation)
	if err != nil {
		return err
	}
	if err := limit.check(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := []*plainRoute{{pattern: pattern, limit: limit, own: newLimiter(limit), turn: make(chan struct{}, 1)}}
	for _, r := range p.routes {
		switch {
		case r.pattern.Operation != operation:
			kept = append(kept, r)
		case r.limit == limit:
			kept[0] = r
		}
	}
	p.routes = kept
	return nil
}

// State returns the zero LimiterState: a user's own limiter need not have a State.
func (p *plainLimiter) State() LimiterState { return LimiterState{} }

// unlimited is the limiter of WithoutRateLimit: attempts do not wait.
type unlimited struct{}

func (unlimited) Wait(ctx context.Context) error {
	if ctx.Err() != nil {
		return newPlaceError(ctx, time.Time{})
	}
	return nil
}

func (u unlimited) WaitFor(ctx context.Context, _ LimitedAttempt) error { return u.Wait(ctx) }
func (unlimited) Throttled(time.Duration)                               {}
func (unlimited) Ended(LimitedAttempt, AttemptOutcome)                  {}
func (unlimited) LimitRoute(string, RateLimit) error                    { return errNoLimit }
func (unlimited) State() LimiterState                                   { return LimiterState{Places: math.MaxInt} }

// pauseAsked is the pause of the account after a 429: the time that the service asks for, or
// most if that is shorter. A time of more than pauseAbsurd counts as 0.
func pauseAsked(asked, most time.Duration) time.Duration {
	if asked > pauseAbsurd {
		return 0
	}
	return min(asked, most)
}

// routeOption is the limit of a route that an option sets.
type routeOption struct {
	operation string
	limit     RateLimit
}

package monitoring

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/limiter"
)

// RateLimit is a number of requests in a window of time.
type RateLimit struct {
	// Requests is how many requests may be sent in any window of length Per; at least 1.
	Requests int
	// Per is the length of the window; more than 0.
	Per time.Duration
	// Burst is how many requests may be sent at once after a rest, from 1 to Requests. 0 is
	// a sixth of Requests, at least 1. A burst uses places of its window: after a burst of
	// all requests, nothing is sent until the window is over. With a smaller Burst there is
	// always something left for the rest of the window, also after several bursts.
	Burst int
}

// DefaultRateLimit is the limit the service has on most routes.
var DefaultRateLimit = RateLimit{Requests: 600, Per: time.Minute}

// DefaultRouteLimits returns the limits of single routes that the service documents, by
// operation. They apply in addition to the common limit. Every limiter of this package has
// them; [WithRouteRateLimit] replaces one or adds others.
func DefaultRouteLimits() map[string]RateLimit {
	return map[string]RateLimit{"GET /v1/alert-notifications": {Requests: 5, Per: 10 * time.Second, Burst: 5}}
}

// burst is Burst, or its default.
func (r RateLimit) burst() int { return limiter.Rate(r).AtOnce() }

// Limiter gives out places to attempts. Clients that share one stay under the limit
// together. [NewLimiter] makes one for the clients of a program. Your own implementation can
// share a limit in another way. If it is an [AccountLimiter], it also has the limits of
// routes, and distinguishes long polls.
type Limiter interface {
	// Wait returns when an attempt may be sent, or an error that wraps that of the
	// context. It is called once before every attempt, retries included.
	Wait(ctx context.Context) error
	// Throttled is called after a 429, except for a route with a limit of its own, with the
	// wait that the service asked for; 0 if it asked for none. The client cuts it to
	// MaxRetryAfter of its [RetryPolicy], and passes more than an hour as 0.
	Throttled(retryAfter time.Duration)
}

// AccountLimiter is a Limiter with everything that the clients of one account share:
// the common limit, the limits of single routes, what was learned from 429s, and the
// order of ordinary attempts and long polls. The limiters of [NewLimiter] are
// AccountLimiters. A client calls WaitFor and Ended of an AccountLimiter, and never Wait
// and Throttled.
type AccountLimiter interface {
	Limiter
	// WaitFor takes a place for the attempt: in the common limit, and in the limit of its
	// route if it has one. It is called once before every attempt, retries included. It
	// returns nil when the attempt may be sent, or an error that wraps that of the context,
	// and never before the context ends. If the limiter pauses because of a 429, the error
	// matches [ErrRateLimited], too.
	WaitFor(ctx context.Context, a LimitedAttempt) error
	// Ended tells the limiter how an attempt ended that got its place from WaitFor. It is
	// called once for each of them, from the goroutine that called WaitFor.
	Ended(a LimitedAttempt, o AttemptOutcome)
	// LimitRoute gives a route a limit of its own, as [WithRouteRateLimit] does. The limit
	// replaces an earlier one of the same route; setting the same limit again changes
	// nothing.
	LimitRoute(operation string, limit RateLimit) error
	// State returns the present state of the limiter.
	State() LimiterState
}

// LimitedAttempt is what an [AccountLimiter] knows of an attempt.
type LimitedAttempt struct {
	// Operation is the method and the path of the operation, with placeholders instead of
	// ids, as in "GET /v1/check-groups/{id}". It is empty if it is not known.
	Operation string
	// Waiting is true for a long poll. Ordinary attempts go first, and long polls take the
	// places that they leave. The limiters of [NewLimiter] spread them, and give them half
	// of the burst at most.
	Waiting bool
	// Share is the part of the limit that long polls may take at most, more than 0 and up to
	// 1. 0 is 1. It has no meaning for other attempts.
	Share float64
}

// AttemptOutcome is how an attempt ended.
type AttemptOutcome struct {
	// StatusCode is the status of the response; 0 if there was none.
	StatusCode int
	// RetryAfter is the wait that the service asked for in a 429; 0 if it asked for none. The
	// client cuts it to MaxRetryAfter of its [RetryPolicy]. More than an hour counts as 0, for
	// the client and for the limiters of this package.
	RetryAfter time.Duration
	// Duration is the time from sending to the end of the response or of the attempt.
	Duration time.Duration
}

// LimiterState is the state of the common limit of an [AccountLimiter] at one moment. Limits
// of single routes and pauses after their 429s are not in it, except that attempts that wait
// for them count in Waiters.
type LimiterState struct {
	// Limit is the common limit. It is the zero RateLimit if there is none.
	Limit RateLimit
	// Places is how many attempts could be sent at once now. It is 0 in a pause, and
	// math.MaxInt if there is no limit.
	Places int
	// PausedUntil is the end of the pause after a 429, or the zero Time.
	PausedUntil time.Time
	// Waiters is how many attempts wait for a place, long polls included.
	Waiters int
}

// NewLimiter makes a limiter that never lets more requests than the limit be sent in any
// window of its length: limit.Burst at once after a rest, and then at a pace without long
// gaps. The limiter is an [AccountLimiter]. A limit with values that are not allowed is an
// error.
//
// Waiters are served in order. If the demand is higher than the limit, a waiter whose
// deadline is too early for a response leaves its place to the next one. The limiter
// estimates response times from earlier responses. That waiter still returns at its
// deadline, not before.
//
// After a 429 there is a pause: as long as the service asks for, or else a short one. The
// pace is a little slower afterwards, and recovers by itself: fast for a program that has
// most of the limit, slowly for one that shares it with other programs. As long as only one
// operation is refused, only that one is slowed down.
func NewLimiter(limit RateLimit) (Limiter, error) {
	l, err := newLocalLimiter(limit)
	if err != nil {
		return nil, err
	}
	return l, nil
}

// localLimiter is the AccountLimiter of NewLimiter, or one around a user's own Limiter: an engine of
// internal/limiter behind the types of this package.
type localLimiter struct{ engine engine }

type engine interface {
	Wait(context.Context, limiter.Attempt) error
	Ended(limiter.Attempt, limiter.Outcome)
	LimitRoute(operation string, limit limiter.Rate) error
	State() limiter.State
}

func newLocalLimiter(limit RateLimit) (*localLimiter, error) {
	account, err := limiter.New(limiter.Rate(limit), defaultRoutes())
	if err != nil {
		return nil, err
	}
	return &localLimiter{account}, nil
}

// accountLimiter returns l if it is an AccountLimiter, and otherwise one that adds the limits of
// routes and of long polls to it.
func accountLimiter(l Limiter) (AccountLimiter, error) {
	if account, ok := l.(AccountLimiter); ok {
		return account, nil
	}
	beside, err := limiter.NewBeside(l, limiter.Rate(DefaultRateLimit), defaultRoutes())
	if err != nil {
		return nil, err
	}
	return &localLimiter{beside}, nil
}

func defaultRoutes() map[string]limiter.Rate {
	routes := make(map[string]limiter.Rate)
	for operation, limit := range DefaultRouteLimits() {
		routes[operation] = limiter.Rate(limit)
	}
	return routes
}

// Wait takes a place for an attempt without a description.
func (l *localLimiter) Wait(ctx context.Context) error { return l.WaitFor(ctx, LimitedAttempt{}) }

// Throttled records a 429 of the account.
func (l *localLimiter) Throttled(retryAfter time.Duration) {
	l.Ended(LimitedAttempt{}, AttemptOutcome{StatusCode: http.StatusTooManyRequests, RetryAfter: retryAfter})
}

// WaitFor takes a place for an attempt.
func (l *localLimiter) WaitFor(ctx context.Context, a LimitedAttempt) error {
	err := l.engine.Wait(ctx, limiter.Attempt(a))
	if ended, ok := errors.AsType[*limiter.EndedError](err); ok {
		return newPlaceError(ctx, ended.PausedUntil)
	}
	return err
}

// Ended tells the limiter how an attempt ended.
func (l *localLimiter) Ended(a LimitedAttempt, o AttemptOutcome) {
	l.engine.Ended(limiter.Attempt(a), limiter.Outcome(o))
}

// LimitRoute gives a route a limit of its own.
func (l *localLimiter) LimitRoute(operation string, limit RateLimit) error {
	return l.engine.LimitRoute(operation, limiter.Rate(limit))
}

// State returns the present state of the common limit.
func (l *localLimiter) State() LimiterState {
	s := l.engine.State()
	return LimiterState{Limit: RateLimit(s.Limit), Places: s.Places, PausedUntil: s.PausedUntil, Waiters: s.Waiters}
}

// newPlaceError returns the error of an attempt whose context ended before it had a place. It
// matches ErrRateLimited if a pause after a 429 outlasted the context.
func newPlaceError(ctx context.Context, paused time.Time) error {
	e := &exchange.Step{What: "waiting for the rate limit", Err: exchange.EndOf(ctx)}
	if !paused.IsZero() {
		e.What += fmt.Sprintf(", which is paused until %s after a 429", paused.Format(time.RFC3339))
		e.Also = ErrRateLimited
	}
	return e
}

var errNoLimit = errors.New("a route cannot have a limit, because WithoutRateLimit is set")

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
// most if that is shorter. A time of more than an hour counts as 0.
func pauseAsked(asked, most time.Duration) time.Duration {
	if asked > limiter.AbsurdRetryAfter {
		return 0
	}
	return min(asked, most)
}

// routeOption is the limit of a route that an option sets.
type routeOption struct {
	operation string
	limit     RateLimit
}

// later is the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

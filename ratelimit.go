package monitoring

import (
	"context"
	"errors"
	"fmt"
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

// DefaultRouteLimits returns the limits of single routes that the service states, by
// operation: 5 requests in 10 seconds for "GET /v1/alert-notifications", and 60 in 60 seconds
// for "GET /v2/check-results/{checkId}". They apply in addition to the common limit. Every limiter of this package has
// them; [WithRouteRateLimit] replaces one or adds others.
func DefaultRouteLimits() map[string]RateLimit {
	return map[string]RateLimit{
		"GET /v1/alert-notifications":     {Requests: 5, Per: 10 * time.Second, Burst: 5},
		"GET /v2/check-results/{checkId}": {Requests: 60, Per: time.Minute},
	}
}

// burst is Burst, or its default.
func (r RateLimit) burst() int { return limiter.Rate(r).AtOnce() }

// Limiter gives out places to attempts. Clients that share one share the common limit, the
// limits of single routes, and what was learned from 429s. [NewLimiter] makes one for the
// clients of a program. A limiter of your own may embed it and replace single methods, or
// share a limit in another way; it has [DefaultRouteLimits] only if it sets them itself. A
// Limiter is safe for concurrent use.
type Limiter interface {
	// Wait takes a place for the attempt: in the common limit, and in the limit of its route
	// if it has one. It is called once before every attempt, retries included. It returns
	// nil when the attempt may be sent, or else an error that ends the call. If the context
	// ends first, the error wraps that of the context, and matches [ErrRateLimited], too, if
	// the limiter pauses because of a 429.
	Wait(ctx context.Context, a LimitedAttempt) error
	// Ended tells the limiter how an attempt ended that got its place from Wait. It is
	// called once for each of them, from the goroutine that called Wait.
	Ended(a LimitedAttempt, o AttemptOutcome)
	// LimitRoute gives a route a limit of its own, as [WithRouteRateLimit] does. The limit
	// replaces an earlier one of the same route; setting the same limit again changes
	// nothing.
	LimitRoute(operation string, limit RateLimit) error
	// State returns the present state of the common limit. A limiter that does not know it
	// returns the zero LimiterState.
	State() LimiterState
}

// LimitedAttempt is what a [Limiter] knows of an attempt.
type LimitedAttempt struct {
	// Operation is the method and the path of the operation, with placeholders instead of
	// ids, as in "GET /v1/check-groups/{id}". It is empty if it is not known.
	Operation string
	// Class says which attempts go first.
	Class AttemptClass
	// Share is the part of the limit that attempts of [ClassPoll] may take at most, more than
	// 0 and up to 1. 0 is 1. It has no meaning for other attempts.
	Share float64
}

// AttemptClass is a kind of attempts, by which a [Limiter] orders them. The limiters of
// [NewLimiter] treat a class without a constant here as [ClassOrdinary].
type AttemptClass int

const (
	// ClassOrdinary is the class of all attempts that have no other one. They go first.
	ClassOrdinary AttemptClass = iota
	// ClassBackground is meant for attempts that can wait longer than ordinary ones. So far
	// the client makes none, and the limiters of [NewLimiter] treat them as ordinary ones.
	ClassBackground
	// ClassPoll is the class of long polls, and of all other attempts of a wait. They take the
	// places that ordinary attempts leave. The limiters of [NewLimiter] spread them, and give
	// them half of the burst at most.
	ClassPoll
)

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

// LimiterState is the state of the common limit of a [Limiter] at one moment. Limits of
// single routes and pauses after their 429s are not in it, except that attempts that wait for
// them count in Waiters.
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
// gaps. It has [DefaultRouteLimits], too. A limit with values that are not allowed is an error.
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
	routes := make(map[string]limiter.Rate)
	for operation, limit := range DefaultRouteLimits() {
		routes[operation] = limiter.Rate(limit)
	}
	account, err := limiter.New(limiter.Rate(limit), routes)
	if err != nil {
		return nil, err
	}
	return &localLimiter{account}, nil
}

// localLimiter is the limiter of NewLimiter: that of internal/limiter with the types of this
// package.
type localLimiter struct{ account *limiter.Account }

// Wait takes a place for an attempt.
func (l *localLimiter) Wait(ctx context.Context, a LimitedAttempt) error {
	err := l.account.Wait(ctx, limiterAttempt(a))
	if ended, ok := errors.AsType[*limiter.EndedError](err); ok {
		return newPlaceError(ctx, ended.PausedUntil)
	}
	return err
}

// Ended tells the limiter how an attempt ended.
func (l *localLimiter) Ended(a LimitedAttempt, o AttemptOutcome) {
	l.account.Ended(limiterAttempt(a), limiter.Outcome(o))
}

// LimitRoute gives a route a limit of its own.
func (l *localLimiter) LimitRoute(operation string, limit RateLimit) error {
	return l.account.LimitRoute(operation, limiter.Rate(limit))
}

// State returns the present state of the common limit.
func (l *localLimiter) State() LimiterState {
	s := l.account.State()
	return LimiterState{Limit: RateLimit(s.Limit), Places: s.Places, PausedUntil: s.PausedUntil, Waiters: s.Waiters}
}

// limiterAttempt converts an attempt. It does not compile if a field is missing, or if a class has
// another number.
func limiterAttempt(a LimitedAttempt) limiter.Attempt {
	_ = [1]int{}[ClassBackground-AttemptClass(limiter.Background)]
	_ = [1]int{}[ClassPoll-AttemptClass(limiter.Poll)]
	return limiter.Attempt(struct {
		Operation string
		Class     limiter.Class
		Share     float64
	}{a.Operation, limiter.Class(a.Class), a.Share})
}

// waitingForPlace is the step that an attempt is in before it has its place.
const waitingForPlace = "waiting for the rate limit"

// newPlaceError returns the error of an attempt whose context ended before it had a place. It
// matches ErrRateLimited if a pause after a 429 outlasted the context.
func newPlaceError(ctx context.Context, paused time.Time) error {
	e := &exchange.Step{What: waitingForPlace, Err: exchange.EndOf(ctx)}
	if !paused.IsZero() {
		e.What += fmt.Sprintf(", which is paused until %s after a 429", paused.Format(time.RFC3339))
		e.Also = ErrRateLimited
	}
	return e
}

// later is the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

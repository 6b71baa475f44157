package monitoring

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/limiter"
	"github.com/monitoring-api/monitoring-go/internal/route"
	"github.com/monitoring-api/monitoring-go/lease"
)

// RateLimit is a number of requests in a window of time.
type RateLimit struct {
	// Requests is how many requests may be sent in any window of length Per; at least 1.
	Requests int
	// Per is the length of the window; more than 0.
	Per time.Duration
	// Burst is how many requests may be sent at once after a rest, from 1 to Requests. 0 means a
	// sixth of Requests, at least 1. A burst counts in its window, so the pace is slower after it.
	Burst int
}

// DefaultRateLimit is the limit of the service: 600 requests per minute.
var DefaultRateLimit = RateLimit{Requests: 600, Per: time.Minute}

// DefaultRouteLimits returns the limits that the service states for single operations: 5 requests
// per 10 seconds for "GET /v1/alert-notifications", and 60 per 60 seconds for "GET
// /v2/check-results/{checkId}". Every limiter of this package applies them in addition to the
// common limit; [WithRouteRateLimit] replaces one or adds others.
func DefaultRouteLimits() map[string]RateLimit {
	return map[string]RateLimit{
		"GET /v1/alert-notifications":     {Requests: 5, Per: 10 * time.Second, Burst: 5},
		"GET /v2/check-results/{checkId}": {Requests: 60, Per: time.Minute},
	}
}

// Limiter decides when each attempt may be sent. Clients that share a Limiter share its rate limit,
// its limits of routes, and what it has learned from 429s. [NewLimiter] returns one for the clients
// of a process; the module redislimit has one for several processes.
//
// To customize a limiter, embed one of NewLimiter and override methods. One that does not embed it
// has [DefaultRouteLimits] only if it sets them. Implementations must be safe for concurrent use.
type Limiter interface {
	// Wait blocks until the attempt may be sent, under the common limit and that of its route. The
	// client calls it once for each attempt, including retries and a request that net/http sends
	// again by itself. An error ends the call. If the context ends first, the error wraps that of
	// the context and, during a pause after a 429, also matches [ErrRateLimited].
	Wait(ctx context.Context, a AttemptRequest) error
	// Ended reports how an attempt ended. The client calls it once for each attempt for which Wait
	// returned nil, from the same goroutine.
	Ended(a AttemptRequest, o AttemptOutcome)
	// LimitRoute limits one operation, replacing an earlier limit; see [WithRouteRateLimit]. It
	// returns an error if operation or limit is invalid.
	LimitRoute(operation string, limit RateLimit) error
	// State returns the present state, or the zero LimiterState if it is unknown.
	State() LimiterState
}

// AttemptRequest describes an attempt to a [Limiter].
type AttemptRequest struct {
	// Operation is the method and path of the operation, with placeholders for ids, as in "GET
	// /v1/check-groups/{id}". It is empty if it is unknown.
	Operation string
	// Class decides which attempts go first.
	Class AttemptClass
	// Share is the largest part of the limit for attempts of [ClassPoll], up to 1; 0 means 1.
	Share float64
}

// AttemptClass orders the attempts that a [Limiter] lets be sent. Those of [NewLimiter] treat an
// unknown class as [ClassOrdinary].
type AttemptClass int

const (
	// ClassOrdinary attempts go first.
	ClassOrdinary AttemptClass = iota
	// ClassBackground is for calls with [WithBackground]. They use what ordinary attempts leave,
	// but at least one request in twenty, and at most half of the burst.
	ClassBackground
	// ClassPoll is for long polls and other attempts of a wait. They use what ordinary attempts
	// leave, but at least one request in ten, and at most half of the burst. It is one in four once
	// ordinary attempts without a near deadline have waited for 5 seconds without a break.
	ClassPoll
)

// AttemptOutcome is how an attempt ended.
type AttemptOutcome struct {
	// StatusCode is the status of the response, or 0 if there was none.
	StatusCode int
	// RetryAfter is the delay that a 429 asked for, cut to MaxRetryAfter of the [RetryPolicy], or
	// 0. More than an hour counts as 0.
	RetryAfter time.Duration
	// Duration is the time from sending to the end of the response or of the attempt.
	Duration time.Duration
}

// LimiterState is the state of a [Limiter] at one moment.
type LimiterState struct {
	// Limit is the common limit, or zero if there is none.
	Limit RateLimit
	// Available is how many ordinary attempts could be sent at once now: 0 during a pause, and
	// math.MaxInt without a limit.
	Available int
	// PausedUntil is the end of a pause after a 429, or zero. Pauses of single routes are in
	// Routes.
	PausedUntil time.Time
	// Share is the part of the limit that is used, up to 1. It is less than 1 after 429s, because
	// others use the account, and 0 if it is unknown.
	Share float64
	// Waiters is how many attempts wait for the common limit or those of routes.
	Waiters int
	// WaitersByClass counts them by class. It is nil if none waits.
	WaitersByClass map[AttemptClass]int
	// Routes are the limits of single routes: first those that were set, the latest first, and then
	// routes without a known limit that had a 429 while the rest had none.
	Routes []RouteState
}

// RouteState is the state of a route's limit at one moment.
type RouteState struct {
	// Operation is the method and path of the route, such as "GET /v1/check-groups/{id}".
	Operation string
	// Limit is the limit of the route, or zero if it is unknown.
	Limit RateLimit
	// Available is how many attempts that limit would let be sent at once now: 0 during a pause.
	Available int
	// PausedUntil is the end of a pause after a 429 of the route, or the zero Time.
	PausedUntil time.Time
	// Share is the part of the route's limit that is used, up to 1; if that limit is unknown, it is
	// a part of the common limit. It is less than 1 after 429s of the route; 0 means unknown.
	Share float64
	// Waiters is how many attempts of the route wait.
	Waiters int
}

// NewLimiter returns a [Limiter] for clients in the same process. It never lets more than
// limit.Requests requests be sent in any window: limit.Burst at once after a rest, then at an even
// pace. It also applies [DefaultRouteLimits]. NewLimiter returns an error if limit or an option is
// invalid.
//
// These rules decide who goes next:
//
//   - Ordinary attempts go first. Those whose deadline is within 30 seconds are ordered by the
//     latest moment to start, and leave one in five requests to the rest.
//   - If the response would probably come after the deadline, judging by earlier responses, another
//     attempt goes first. An attempt that was not sent returns at its deadline, not before.
//   - After a 429, the limiter pauses for as long as the service asks, or else briefly, and is then
//     a little slower for some time, because others use the account.
//   - A 429 slows down only its route if that has a limit or is refused far more often than others.
//     Otherwise it slows down its operation, or the account if another operation is refused within
//     two seconds.
//
// A limiter remembers the 1,000 limits of routes that were used last.
func NewLimiter(limit RateLimit, options ...LimiterOption) (Limiter, error) {
	l, err := newLimiter(limit, options...)
	if err != nil {
		return nil, fmt.Errorf("monitoring: new limiter: %w", err)
	}
	return l, nil
}

// newLimiter is NewLimiter with errors for the text of another one.
func newLimiter(limit RateLimit, options ...LimiterOption) (Limiter, error) {
	var settings limiterSettings
	for i, option := range options {
		if option == nil {
			return nil, fmt.Errorf("option %d is nil", i+1)
		}
		if err := option(&settings); err != nil {
			return nil, err
		}
	}
	routes := make(map[string]limiter.Rate)
	for operation, limit := range DefaultRouteLimits() {
		routes[operation] = limiter.Rate(limit)
	}
	account, err := limiter.New(limiter.Rate(limit), routes, settings.supply)
	if err != nil {
		return nil, err
	}
	return &localLimiter{account}, nil
}

// LimiterOption is an option of [NewLimiter].
type LimiterOption func(*limiterSettings) error

type limiterSettings struct{ supply limiter.Supply }

// WithSupply makes a limiter get its requests from elsewhere; the order of attempts, deadlines,
// limits of routes and lessons of 429s stay those of [NewLimiter]. It exists for the module
// redislimit, whose processes share a limit, and may change in any version 0.x.
func WithSupply(s lease.Supply) LimiterOption {
	return func(settings *limiterSettings) error {
		if s == nil {
			return errors.New("the supply of the limiter is nil")
		}
		settings.supply = func(operation string, limit limiter.Rate, changed func(limiter.News)) limiter.Source {
			limit.Burst = limit.AtOnce()
			return s.Source(operation, lease.Limit(limit), func(n lease.SupplyNews) { changed(limiter.News(n)) })
		}
		return nil
	}
}

// localLimiter is the limiter of NewLimiter: that of internal/limiter with the types of this
// package.
type localLimiter struct{ account *limiter.Account }

// Wait takes a place for an attempt.
func (l *localLimiter) Wait(ctx context.Context, a AttemptRequest) error {
	err := l.account.Wait(ctx, limiterAttempt(a))
	if ended, ok := errors.AsType[*limiter.EndedError](err); ok {
		return newPlaceError(ctx, ended.PausedUntil)
	}
	return err
}

// Ended tells the limiter how an attempt ended.
func (l *localLimiter) Ended(a AttemptRequest, o AttemptOutcome) {
	l.account.Ended(limiterAttempt(a), limiter.Outcome(o))
}

// LimitRoute gives a route a limit of its own.
func (l *localLimiter) LimitRoute(operation string, limit RateLimit) error {
	if err := l.account.LimitRoute(operation, limiter.Rate(limit)); err != nil {
		return &limitRouteError{err}
	}
	return nil
}

// limitRouteError is the error of LimitRoute. A client that sets the limit says so instead.
type limitRouteError struct{ err error }

func (e *limitRouteError) Error() string { return "monitoring: " + e.err.Error() }
func (e *limitRouteError) Unwrap() error { return e.err }

// State returns the present state.
func (l *localLimiter) State() LimiterState {
	s := l.account.State()
	state := LimiterState{Limit: RateLimit(s.Limit), Available: s.Places, PausedUntil: s.PausedUntil, Share: s.Share, Waiters: s.Waiters}
	for class, n := range s.Classes {
		if n > 0 {
			if state.WaitersByClass == nil {
				state.WaitersByClass = make(map[AttemptClass]int)
			}
			state.WaitersByClass[AttemptClass(class)] = n
		}
	}
	for _, r := range s.Routes {
		state.Routes = append(state.Routes, RouteState{r.Operation, RateLimit(r.Limit), r.Places, r.PausedUntil, r.Share, r.Waiters})
	}
	return state
}

// pausedLimit returns which limit has a pause after a 429 of an operation, and the share of it that
// is used: the operation of a route, or "account". It is empty if the limiter does not know.
func (s LimiterState) pausedLimit(operation string) (limit string, share float64) {
	for _, r := range s.Routes {
		pattern, err := route.Parse(r.Operation)
		if err == nil && pattern.Matches(operation) && !r.PausedUntil.IsZero() {
			return r.Operation, r.Share
		}
	}
	if s.PausedUntil.IsZero() {
		return "", 0
	}
	return "account", s.Share
}

// limiterAttempt converts an attempt. It does not compile if a field is missing, or if a class has
// another number.
func limiterAttempt(a AttemptRequest) limiter.Attempt {
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
	e := &exchange.StepError{What: waitingForPlace, Err: exchange.EndOf(ctx)}
	if !paused.IsZero() {
		e.What += fmt.Sprintf(", which is paused until %s after a 429", paused.Format(time.RFC3339))
		e.Also = ErrRateLimited
	}
	return e
}

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
	// Burst is how many requests may be sent at once after a rest, from 1 to Requests. 0 is
	// a sixth of Requests, at least 1. A burst uses places of its window, so the pace is slower
	// until the window is over: after a burst of all requests, nothing is sent until then.
	Burst int
}

// DefaultRateLimit is the limit the service has on most routes.
var DefaultRateLimit = RateLimit{Requests: 600, Per: time.Minute}

// DefaultRouteLimits returns the limits of single routes that the service states, by
// operation: 5 requests in 10 seconds for "GET /v1/alert-notifications", and 60 in 60 seconds
// for "GET /v2/check-results/{checkId}". They apply in addition to the common limit. Every limiter
// of this package has them; [WithRouteRateLimit] replaces one or adds others.
func DefaultRouteLimits() map[string]RateLimit {
	return map[string]RateLimit{
		"GET /v1/alert-notifications":     {Requests: 5, Per: 10 * time.Second, Burst: 5},
		"GET /v2/check-results/{checkId}": {Requests: 60, Per: time.Minute},
	}
}

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
	// the limiter pauses because of a 429. The client puts its prefix before the error.
	Wait(ctx context.Context, a AttemptRequest) error
	// Ended tells the limiter how an attempt ended that got its place from Wait. It is
	// called once for each of them, from the goroutine that called Wait.
	Ended(a AttemptRequest, o AttemptOutcome)
	// LimitRoute gives a route a limit of its own, as [WithRouteRateLimit] does. The limit
	// replaces an earlier one of the same route; setting the same limit again changes
	// nothing. An operation or a limit that is not valid is an error.
	LimitRoute(operation string, limit RateLimit) error
	// State returns the present state. A limiter that does not know it
	// returns the zero LimiterState.
	State() LimiterState
}

// AttemptRequest is what a [Limiter] knows about an attempt.
type AttemptRequest struct {
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
	// ClassOrdinary is the class of all other attempts. They go first.
	ClassOrdinary AttemptClass = iota
	// ClassBackground is the class of the attempts of calls with [WithBackground]. They take the
	// places that ordinary attempts leave, and at least one of twenty. They take at most half of the
	// burst.
	ClassBackground
	// ClassPoll is the class of long polls, and of all other attempts of a wait. They take the places
	// that ordinary attempts leave, and at least one of ten. If attempts without a deadline within 30
	// seconds have waited for 5 seconds without a break, they take at least one of four. They take at
	// most half of the burst.
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

// LimiterState is the state of a [Limiter] at one moment.
type LimiterState struct {
	// Limit is the common limit. It is the zero RateLimit if there is none.
	Limit RateLimit
	// Available is how many ordinary attempts could be sent at once now. It is 0 in a pause, and
	// math.MaxInt if there is no limit.
	Available int
	// PausedUntil is the end of the pause of the account after a 429, or the zero Time. A pause of
	// a route alone is in Routes.
	PausedUntil time.Time
	// Share is the part of the limit that is used, more than 0 and up to 1. It is less than 1
	// after 429s of the account, because others use it, too. 0 means that it is not known.
	Share float64
	// Waiters is how many attempts wait for a place, in the common limit and in those of routes.
	Waiters int
	// WaitersByClass has the number of those of each class. It is nil if none waits.
	WaitersByClass map[AttemptClass]int
	// Routes has the limits of single routes: those that were set, the one that was set last
	// first, and then those that are not known, but had a 429 while others had none.
	Routes []RouteState
}

// RouteState is the state of the limit of a route at one moment.
type RouteState struct {
	// Operation is the method and the path of the route, as in "GET /v1/check-groups/{id}".
	Operation string
	// Limit is the limit of the route. It is the zero RateLimit if it is not known.
	Limit RateLimit
	// Available is how many attempts the limit of the route would let be sent at once now. It is 0
	// in a pause.
	Available int
	// PausedUntil is the end of the pause after a 429 of the route, or the zero Time.
	PausedUntil time.Time
	// Share is the part of the limit of the route that is used, more than 0 and up to 1. It is less
	// than 1 after 429s of the route. If the limit is not known, it is a part of the common limit.
	// 0 means that it is not known.
	Share float64
	// Waiters is how many attempts of the route wait for a place.
	Waiters int
}

// NewLimiter makes a limiter that never lets more requests than the limit be sent in any
// window of its length: limit.Burst at once after a rest, and then at an even pace. It has
// [DefaultRouteLimits], too. A limit with values that are not allowed is an error.
//
// Ordinary attempts go first. Of those, the ones whose deadline is within 30 seconds are ordered by
// the latest moment to start, and leave the others one of five places. If the response to an
// attempt would probably come after its deadline, its place goes to another one. The limiter
// expects the response times that it has seen. An attempt without a place returns at its deadline,
// not before.
//
// After a 429 there is a pause: as long as the service asks for, or else a short one. The pace is
// then a little slower for some time, because others use the account as well. A 429 of a route
// whose limit was set slows down only that route. After any other 429 only its operation is slowed
// down, unless another operation is refused within two seconds: then the whole account is. An
// operation that is refused far more often than others is always slowed down alone.
//
// A limiter knows 1,000 limits of routes. It forgets the one that was not used for the longest
// time. An option that is nil or not valid is an error.
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
	for _, option := range options {
		if option == nil {
			return nil, errors.New("an option of the limiter is nil")
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

// WithSupply makes a limiter get its places from elsewhere. The order of attempts, deadlines, the
// limits of routes and what 429s teach stay those of [NewLimiter]. It is made for the module
// redislimit, whose processes share places, and may change in any version 0.x. nil is an error.
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

func (e *limitRouteError) Error() string { return "monitoring: limit of a route: " + e.err.Error() }
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

// later is the later of two times.
func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

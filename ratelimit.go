package monitoring

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// RateLimit is a number of requests in a time.
type RateLimit struct {
	Requests int
	Per      time.Duration
}

// DefaultRateLimit is the limit the service has on most routes.
var DefaultRateLimit = RateLimit{Requests: 600, Per: time.Minute}

// Limiter gives out places to attempts. Clients that share one stay under the limit
// together. [NewLimiter] makes one for the clients of a program; an implementation of
// one's own can share a limit among the machines of a fleet.
type Limiter interface {
	// Wait returns when an attempt may be sent, or an error that wraps that of the
	// context. It is called once before every attempt, retries included.
	Wait(ctx context.Context) error
	// Throttled tells that the service answered 429 all the same, and for how long it
	// asked to wait, at most [RetryPolicy].MaxRetryAfter; 0 when it did not say. A 429 on
	// a route with a limit of its own is that route's, and not told here.
	Throttled(retryAfter time.Duration)
}

// NewLimiter makes a limiter that lets never more than the limit leave in any window of
// its length, the first 100 at once and then at an even pace. Waiters are served in
// order. After a 429 everything waits as long as the service asked, or for a jittered
// back-off, and goes on slower; the pace comes back by itself.
func NewLimiter(limit RateLimit) (Limiter, error) {
	if err := limit.check(); err != nil {
		return nil, err
	}
	return newLimiter(limit), nil
}

func (r RateLimit) check() error {
	if r.Requests <= 0 || r.Per <= 0 {
		return fmt.Errorf("rate limit of %d in %s: want a positive number and time", r.Requests, r.Per)
	}
	return nil
}

func newLimiter(limit RateLimit) *limiter {
	l := &limiter{
		turn:   make(chan struct{}, 1),
		pace:   rate.Limit(float64(limit.Requests) / limit.Per.Seconds()),
		limit:  limit,
		burst:  min(limit.Requests, maxBurst),
		most:   limit.Requests,
		window: limit.Per + max(limit.Per/75, min(500*time.Millisecond, limit.Per/10)),
		share:  1,
	}
	l.bucket = rate.NewLimiter(l.pace, l.burst)
	return l
}

// limiter is a token bucket for pace and burst, and a guard that counts what left in
// the window, because a bucket alone admits burst + pace x window. Requests travel for
// different times, so the window of the guard is a little longer than the limit's:
// then no two windows of the service see more than the limit, however they lie.
type limiter struct {
	limit RateLimit
	turn  chan struct{} // held by the head of the queue; Go serves its waiters in order
	pace  rate.Limit
	burst int

	mu     sync.Mutex
	bucket *rate.Limiter
	most   int
	window time.Duration
	left   []time.Time // when the last places were taken, a ring once it has most items
	oldest int

	// What was learned from 429s: a share of the pace, and a pause.
	share   float64
	learned time.Time // when share was set
	until   time.Time // the end of the pause
	strikes int       // pauses in short succession
	since   int       // places taken since the last pause
}

// maxBurst is how many places are given at once after a rest.
const maxBurst = 100

const (
	shareLess     = 0.7              // of the share is left after a 429
	shareLeast    = 0.1              // is never undercut
	shareGain     = 0.01             // comes back each second
	strikesForget = 30 * time.Second // after a pause, or
	strikesPlaces = 20               // places that went well
	pauseBase     = time.Second
	pauseMost     = 30 * time.Second
)

// Wait takes a place.
func (l *limiter) Wait(ctx context.Context) error {
	return l.waitBefore(ctx, func(context.Context) error { return nil })
}

// waitBefore takes a place after there is one and then has returned. The limit of a
// route waits like this for the common one: a place that is taken early and used late
// would make the window wrong.
func (l *limiter) waitBefore(ctx context.Context, then func(context.Context) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.turn }()
	for done := false; ; {
		wait := l.untilNext(time.Now())
		if wait <= 0 && done {
			l.take(time.Now())
			return nil
		}
		if wait <= 0 {
			if err := then(ctx); err != nil {
				return err
			}
			done = true
		} else if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// untilNext is the time until there is a place. Only the head of the queue asks.
func (l *limiter) untilNext(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait := l.until.Sub(now); wait > 0 {
		return wait
	}
	if len(l.left) == l.most {
		if wait := l.left[l.oldest].Add(l.window).Sub(now); wait > 0 {
			return wait
		}
	}
	l.recover(now)
	place := l.bucket.ReserveN(now, 1)
	defer place.CancelAt(now)
	return place.DelayFrom(now)
}

// take takes the place that is there.
func (l *limiter) take(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bucket.ReserveN(now, 1)
	l.since++
	if len(l.left) < l.most {
		l.left = append(l.left, now)
	} else {
		l.left[l.oldest] = now
		l.oldest = (l.oldest + 1) % l.most
	}
}

// recover lets the share grow back.
func (l *limiter) recover(now time.Time) {
	if l.share == 1 {
		return
	}
	if gone := now.Sub(later(l.learned, l.until)); gone > 0 {
		l.share = min(1, l.share+gone.Seconds()*shareGain)
		l.learned = now
		l.bucket.SetLimitAt(now, l.pace*rate.Limit(l.share))
		if l.share == 1 {
			l.bucket.SetBurstAt(now, l.burst)
		}
	}
}

// Throttled pauses everyone, and makes the pace slower.
func (l *limiter) Throttled(retryAfter time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if now.Before(l.until) { // requests that were on their way when the pause began
		if until := now.Add(retryAfter); until.After(l.until) {
			l.until = until
		}
		return
	}
	l.recover(now)
	if now.Sub(l.until) > strikesForget || l.since > strikesPlaces {
		l.strikes = 0
	}
	l.since = 0
	if retryAfter <= 0 {
		most := min(pauseMost, pauseBase<<min(l.strikes, 8))
		retryAfter = most/2 + rand.N(most/2)
	}
	l.strikes++
	l.until = now.Add(retryAfter)
	l.share = max(shareLeast, l.share*shareLess)
	l.learned = now
	// No stampede at the end of the pause: one, then at pace.
	l.bucket.SetLimitAt(now, l.pace*rate.Limit(l.share))
	l.bucket.SetBurstAt(now, 1)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// routeLimit is a route with a limit of its own.
type routeLimit struct {
	method   string
	segments []string // of the path; one in braces stands for any
	limiter  *limiter
}

func newRouteLimit(operation string, limit RateLimit) (routeLimit, error) {
	method, path, ok := strings.Cut(operation, " ")
	if !ok || !strings.HasPrefix(path, "/") || method != strings.ToUpper(method) {
		return routeLimit{}, fmt.Errorf("route %q: want a method and a path, as in %q", operation, "GET /v1/check-groups/{id}")
	}
	if err := limit.check(); err != nil {
		return routeLimit{}, fmt.Errorf("route %q: %w", operation, err)
	}
	return routeLimit{method: method, segments: strings.Split(path, "/"), limiter: newLimiter(limit)}, nil
}

// routeOf finds the limiter of a request, or nil.
func routeOf(routes []routeLimit, method, path string) *limiter {
	for _, r := range routes {
		if r.method == method && r.matches(path) {
			return r.limiter
		}
	}
	return nil
}

func (r routeLimit) matches(path string) bool {
	for i, want := range r.segments {
		got, rest, more := strings.Cut(path, "/")
		if more != (i < len(r.segments)-1) {
			return false
		}
		if got != want && !(strings.HasPrefix(want, "{") && strings.HasSuffix(want, "}")) {
			return false
		}
		path = rest
	}
	return true
}

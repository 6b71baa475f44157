package monitoring

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// retryClass says what a repetition of an operation can do.
type retryClass uint8

const (
	classUnset      retryClass = iota
	classRead                  // changes nothing
	classRepeatable            // done twice is as good as done once
	classUnsafe                // done twice does harm: triggers and creates
)

func classOf(method string) retryClass {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return classRead
	case http.MethodPut, http.MethodDelete:
		return classRepeatable
	}
	return classUnsafe
}

// RetryPolicy bounds the repetition of failed attempts. What is repeated is not
// configurable: operations that can be repeated safely, after a failure of the network
// or an answer of 429, 500, 502, 503 or 504; triggers and creates only when the
// service surely did not carry them out (429, or a request that never left).
//
// All calls of a client share a budget for repetitions that do not help, a tenth of the
// calls and 50: in an outage most calls fail at once rather than make it worse.
type RetryPolicy struct {
	// MaxRetries is how often a call is repeated at most; 0 never repeats. The other
	// fields take the values of [DefaultRetryPolicy] where they are 0.
	MaxRetries int
	// MinBackoff and MaxBackoff bound the waiting time where the service asks for none:
	// before repetition n it is random between 0 and MinBackoff * 2^n, and MaxBackoff.
	MinBackoff time.Duration
	MaxBackoff time.Duration
	// MaxRetryAfter is the longest Retry-After that is waited for. When the service asks
	// for more, or for more than the context has left, the error comes at once.
	MaxRetryAfter time.Duration
}

// DefaultRetryPolicy repeats up to 5 times, with a back-off from 500 ms to 30 s, and
// waits for a Retry-After of up to 2 minutes.
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{MaxRetries: 5, MinBackoff: 500 * time.Millisecond, MaxBackoff: 30 * time.Second, MaxRetryAfter: 2 * time.Minute}
}

func (p RetryPolicy) check() error {
	if p.MaxRetries < 0 || p.MinBackoff < 0 || p.MaxBackoff < 0 || p.MaxBackoff > 0 && p.MaxBackoff < p.MinBackoff || p.MaxRetryAfter < 0 {
		return errors.New("retry policy: want MaxRetries, MinBackoff and MaxRetryAfter of at least 0, and MaxBackoff of at least MinBackoff")
	}
	return nil
}

func (p RetryPolicy) withDefaults() RetryPolicy {
	d := DefaultRetryPolicy()
	if p.MinBackoff == 0 {
		p.MinBackoff = d.MinBackoff
	}
	if p.MaxBackoff == 0 {
		p.MaxBackoff = max(d.MaxBackoff, p.MinBackoff)
	}
	if p.MaxRetryAfter == 0 {
		p.MaxRetryAfter = d.MaxRetryAfter
	}
	return p
}

// backoff is the full-jitter waiting time before repetition n, counted from 0.
func (p RetryPolicy) backoff(n int) time.Duration {
	most := p.MaxBackoff
	if n < 32 && p.MinBackoff < most>>n {
		most = p.MinBackoff << n
	}
	if most <= 0 {
		return 0
	}
	return rand.N(most)
}

// checkRetry decides after each attempt whether another one follows; it is
// go-retryablehttp's CheckRetry. The waiting time it decides on is waited in backOff.
func (c *core) checkRetry(ctx context.Context, resp *http.Response, err error) (bool, error) {
	s := stateOf(ctx)
	retry := c.wantsRetry(ctx, s, resp, err)
	if s.made {
		c.report(ctx, s, resp, err, retry)
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return retry, wrapped.Err // net/http repeats method and address, which we add ourselves
	}
	return retry, err
}

func (c *core) wantsRetry(ctx context.Context, s *callState, resp *http.Response, err error) bool {
	if err == nil && resp.StatusCode/100 == 2 {
		c.budget.refund(s.charged)
		return false
	}
	// First, what is known now of whether the operation was carried out.
	throttled := false
	if err != nil {
		failed, ok := errors.AsType[*attemptError](err)
		if ok && failed.sent || refusedAfterWork(resp) {
			s.maybeDone = true
		}
		if !ok || !failed.temporary() {
			return false
		}
	} else {
		switch resp.StatusCode {
		case http.StatusTooManyRequests:
			throttled = true
		case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			s.maybeDone = true
		default:
			if resp.StatusCode >= 500 || refusedAfterWork(resp) {
				s.maybeDone = true
			}
			return false
		}
	}
	if s.op.class == classUnsafe && s.maybeDone || s.streamed || ctx.Err() != nil {
		return false
	}
	// Then, whether there is time and allowance for another attempt.
	if s.retries >= s.settings.maxRetries {
		return false
	}
	s.wait = c.policy.backoff(s.retries)
	if resp != nil {
		if asked, ok := retryAfter(resp.Header); ok {
			if asked > c.policy.MaxRetryAfter {
				return false
			}
			if asked > 0 { // 0 is no leave for a hot loop
				s.wait = asked
			}
		}
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= s.wait {
		return false
	}
	if !throttled { // 429 has the limiter to keep it from becoming worse
		if !c.budget.withdraw() {
			return false
		}
		s.charged++
	}
	s.retries++
	return true
}

// refusedAfterWork reports whether an answer is a redirect as it follows work that was
// done; we refuse it where it turns the method into GET.
func refusedAfterWork(resp *http.Response) bool {
	if resp == nil {
		return false
	}
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		return true
	}
	return false
}

// temporary reports whether another attempt may fare better.
func (e *attemptError) temporary() bool {
	if d, ok := errors.AsType[*decodeError](e.err); ok {
		return d.broken()
	}
	if e.local {
		return false
	}
	if d, ok := errors.AsType[*net.DNSError](e.err); ok && d.IsNotFound {
		return false
	}
	for _, final := range []error{ErrResponseTooLarge, ErrRedirect, context.Canceled, context.DeadlineExceeded, http.ErrSchemeMismatch} {
		if errors.Is(e.err, final) {
			return false
		}
	}
	return !isTLSError(e.err)
}

// backOff waits before the next attempt. It is go-retryablehttp's PrepareRetry; the
// library's own waiting knows neither Retry-After dates nor an error that says so.
func (c *core) backOff(req *http.Request) error {
	s := stateOf(req.Context())
	began := time.Now()
	defer func() { s.retryWait += time.Since(began) }()
	return sleep(req.Context(), s.wait)
}

// sleep waits, or returns the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// report tells the logger and the hook of an attempt.
func (c *core) report(ctx context.Context, s *callState, resp *http.Response, err error, retry bool) {
	if c.logger == nil && c.hook == nil {
		return
	}
	scrub := c.scrubber(s, true)
	a := Attempt{Operation: c.scrubber(s, false).Replace(s.op.String()), Number: s.attempts, LimiterWait: s.attemptWait, Duration: s.duration, Retry: retry}
	if err == nil {
		a.StatusCode = resp.StatusCode
	} else {
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err
		}
		a.Err = scrubError(scrub, err)
	}
	if retry {
		a.RetryIn = s.wait
	}
	if c.hook != nil {
		c.hook(a)
	}
	if c.logger == nil {
		return
	}
	level, message := slog.LevelDebug, "monitoring: attempt"
	if retry {
		level, message = slog.LevelWarn, "monitoring: attempt failed, retrying"
	}
	attrs := []slog.Attr{
		slog.String("operation", a.Operation), slog.Int("attempt", a.Number), slog.Int("status", a.StatusCode),
		slog.Duration("limiter_wait", a.LimiterWait), slog.Duration("duration", a.Duration),
	}
	if a.Err != nil {
		attrs = append(attrs, slog.String("error", a.Err.Error()))
	}
	if retry {
		attrs = append(attrs, slog.Duration("retry_in", a.RetryIn))
	}
	c.logger.LogAttrs(ctx, level, message, attrs...)
}

// retryAfter reads a Retry-After header: seconds, or a date.
func retryAfter(h http.Header) (time.Duration, bool) {
	return parseRetryAfter(h.Get("Retry-After"), time.Now())
}

func parseRetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0, false
	}
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds >= 0) {
			return 0, false
		}
		const most = 1 << 32 // seconds, which is longer than anyone waits and fits a Duration
		return time.Duration(min(seconds, most) * float64(time.Second)), true
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return max(at.Sub(now), 0), true
}

// retryBudget keeps retries from multiplying an outage: what all calls of a client may
// spend on repetitions that do not help grows by a tenth with each call. A client that
// has needed no repetition for a while has enough for its next call, whatever happened
// before.
type retryBudget struct {
	mu     sync.Mutex
	tokens float64
	asked  time.Time // when a repetition was last asked for
}

const (
	budgetMost    = 50.0 // repetitions
	budgetPerCall = 0.1
	budgetQuiet   = time.Minute // without being asked
	budgetAtRest  = 10.0        // is what there is after that
)

func newRetryBudget() *retryBudget { return &retryBudget{tokens: budgetMost} }

// deposit adds the share of a call.
func (b *retryBudget) deposit() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(budgetMost, b.tokens+budgetPerCall)
}

// refund gives back what a call took that succeeded in the end: no outage.
func (b *retryBudget) refund(n int) {
	if n == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(budgetMost, b.tokens+float64(n))
}

// withdraw takes the right to one repetition.
func (b *retryBudget) withdraw() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if now.Sub(b.asked) >= budgetQuiet {
		b.tokens = max(b.tokens, budgetAtRest)
	}
	b.asked = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

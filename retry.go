package monitoring

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// retryClass says whether an operation can be done twice.
type retryClass uint8

const (
	classUnset      retryClass = iota
	classRead                  // changes nothing
	classPoll                  // changes nothing, and a 408 says that there is no result yet
	classIdempotent            // safe to do twice
	classUnsafe                // not safe to do twice: triggers and creates
)

func classOf(method string) retryClass {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return classRead
	case http.MethodPut, http.MethodDelete:
		return classIdempotent
	}
	return classUnsafe
}

// meaning is what the result of an attempt means for its call.
type meaning struct {
	ok        bool // a success
	retry     bool // a retry may succeed and is safe
	throttled bool // 429
	// unknown: it is not known whether the operation was carried out. An operation that must
	// not be done twice is then never retried.
	unknown bool
	// lost: the operation may have been carried out and only its response was lost. If a retry
	// of a delete then finds nothing, the delete has succeeded.
	lost bool
}

// judge says what the result of an attempt means for an operation of a class. The status is
// 0 if there was no response; an error may come with a status, if the response could not
// be used. The table in docs/limits-and-retries.md is this function in words.
func judge(class retryClass, status int, err error) meaning {
	if err == nil {
		return judgeStatus(class, status)
	}
	var m meaning
	failed, ok := errors.AsType[*attemptError](err)
	switch {
	case !ok:
		// net/http could not follow a redirect. Before a redirect that changes the method to
		// GET, the operation may have been carried out.
		m.unknown = afterWork(status)
		return m
	case failed.done:
		return m // carried out, although its response cannot be read
	}
	m.unknown, m.lost = failed.sent || afterWork(status), failed.sent
	m.retry = failed.temporary() && (class != classUnsafe || !m.unknown)
	return m
}

func judgeStatus(class retryClass, status int) meaning {
	var m meaning
	switch {
	case status/100 == 2:
		m.ok = true
	case status == http.StatusTooManyRequests:
		m.retry, m.throttled = true, true
	case status == http.StatusRequestTimeout && class == classPoll:
		// The normal response while a session runs.
	case gaveUp(status):
		m.unknown, m.lost, m.retry = true, true, true
	case status >= 500, afterWork(status):
		m.unknown = true
		m.retry = status == http.StatusInternalServerError || status == http.StatusServiceUnavailable
	}
	if class == classUnsafe && m.unknown {
		m.retry = false
	}
	return m
}

// gaveUp reports whether a status says that a gateway lost the service or did not wait for it.
func gaveUp(status int) bool {
	switch status {
	case http.StatusRequestTimeout, statusClientClosed, http.StatusBadGateway, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// statusClientClosed is the status of some gateways for a request that took too long.
const statusClientClosed = 499

// afterWork reports whether a status is a redirect that may come after the operation was
// carried out.
func afterWork(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther:
		return true
	}
	return false
}

// temporary reports whether a retry may succeed.
func (e *attemptError) temporary() bool {
	if e.local {
		return false
	}
	if d, ok := errors.AsType[*DecodeError](e.err); ok {
		return d.broken
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

// RetryPolicy bounds the retries of failed attempts. What is retried is not configurable.
// Operations that can be done twice safely are retried after a failure of the network or a
// response of 429, 500, 502, 503 or 504. Triggers and creates are retried only if the service
// certainly did not carry them out: after a 429, or if the request was not sent.
//
// All calls of a client share a budget for retries of calls that fail in the end: 100, and
// about a tenth of the calls. Retries after a 429 do not count. If the budget is used up, as
// in an outage, calls fail without a retry, so that they do not make the outage worse.
type RetryPolicy struct {
	// MaxRetries is how often a call is retried at most; 0 never retries. The other fields
	// take the values of [DefaultRetryPolicy] if they are 0.
	MaxRetries int
	// MinBackoff and MaxBackoff bound the wait before a retry if the service asks for none.
	// The wait before the first retry is random between 0 and MinBackoff, and the bound
	// doubles with each further retry up to MaxBackoff.
	MinBackoff time.Duration
	MaxBackoff time.Duration
	// MaxRetryAfter is the longest Retry-After that is waited for. If the service asks for
	// more, or for more than the context has left, the error comes at once.
	MaxRetryAfter time.Duration
}

// DefaultRetryPolicy retries up to 5 times, with a back-off from 500 ms to 30 s, and
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

// bound is the longest wait before retry n, counted from 0: 0.5, 1, 2, 4, 8 … seconds with
// the default policy.
func (p RetryPolicy) bound(n int) time.Duration {
	if p.MinBackoff <= p.MaxBackoff>>n { // so that no shift goes too far
		return p.MinBackoff << n
	}
	return p.MaxBackoff
}

// backoff is the wait before retry n, counted from 0: random up to its bound, so that
// clients that failed together do not retry together.
func (p RetryPolicy) backoff(n int) time.Duration {
	return rand.N(max(p.bound(n), 1)) // of 0 it would panic
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

// retryBudget limits how much retries can add to an outage. All calls of a client share it:
// budgetMost retries, which each call fills up by budgetPerCall. Retries of calls that succeed
// in the end are refunded. After budgetQuiet in which no retry was asked for, at least
// budgetAtRest are in store, whatever happened before.
type retryBudget struct {
	mu     sync.Mutex
	tokens float64
	asked  time.Time // when a retry was last asked for
}

const (
	budgetMost    = 100.0 // retries that may be in store
	budgetPerCall = 0.09  // retries that each call adds: 1,000 calls into an outage stay under 1,200 attempts
	budgetQuiet   = time.Minute
	budgetAtRest  = 10.0 // the least number of retries in store after budgetQuiet
)

func newRetryBudget() *retryBudget { return &retryBudget{tokens: budgetMost} }

// deposit adds the share of a call.
func (b *retryBudget) deposit() { b.add(budgetPerCall) }

// refund gives back the retries of a call that succeeded in the end: that was no outage.
func (b *retryBudget) refund(n int) { b.add(float64(n)) }

func (b *retryBudget) add(tokens float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(budgetMost, b.tokens+tokens)
}

// withdraw takes one retry out of the budget, and reports whether there was one.
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

package monitoring

import (
	"errors"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/limiter"
)

// RetryPolicy bounds the retries of failed attempts. What is retried is not configurable.
// Operations that can be done twice safely are retried after a failure of the network or a
// response of 408, 429, 499, 500, 502, 503 or 504; the 408 of a completion means that its session
// still runs. Triggers and creates are retried only if the service
// certainly did not carry them out: after a 429, or if the request was not sent.
//
// A 429 means not yet. Within MaxRetryAfter of the first 429 of a call, it uses up no retry. Only
// then do the retries begin, so a 429 that never ends holds a call without a deadline for longer:
// by default 7 minutes if the service asks for one minute each time, and 14 at most.
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
	// MaxRetryAfter is the longest wait that the service may ask for. If it asks for more, or
	// for more than the context has left, the error comes at once. It asks with Retry-After or
	// Retry-After-Ms, and in a 429 also with RateLimit, RateLimit-Reset or X-RateLimit-Reset.
	// It is also the time for which 429s use up no retry of a call.
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

func (p RetryPolicy) backoff() exchange.Backoff {
	return exchange.Backoff{Min: p.MinBackoff, Max: p.MaxBackoff, MaxRetryAfter: p.MaxRetryAfter}
}

// pauseAsked is the pause of the account after a 429: the time that the service asks for, or
// most if that is shorter. A time of more than an hour counts as 0.
func pauseAsked(asked, most time.Duration) time.Duration {
	if asked > limiter.AbsurdRetryAfter {
		return 0
	}
	return min(asked, most)
}

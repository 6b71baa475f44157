package monitoring

import (
	"errors"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/limiter"
)

// RetryPolicy bounds how often and when a call is retried; the Retries section of the package
// documentation lists what is.
//
// A 429 means not yet. Within MaxRetryAfter of the first one, it uses up no retry of the call. A
// 429 that never ends thus holds a call without a deadline for 7 minutes if the service asks for
// one minute each time, and for 14 at most.
//
// Calls that fail in the end share a budget of 100 retries per client, plus about a tenth of the
// number of calls; retries after a 429 do not count. If it is used up, as in an outage, calls fail
// without a retry.
type RetryPolicy struct {
	// MaxRetries is how often a call is retried; 0 means never. The other fields default to those
	// of [DefaultRetryPolicy].
	MaxRetries int
	// MinBackoff and MaxBackoff bound the delay before a retry if the service asks for none. The
	// first delay is random between 0 and MinBackoff; the bound doubles with each retry, up to
	// MaxBackoff.
	MinBackoff time.Duration
	MaxBackoff time.Duration
	// MaxRetryAfter is the longest delay that the service may ask for; if it asks for more, or for
	// more than the context has left, the call fails at once. It asks with Retry-After or
	// Retry-After-Ms, and in a 429 also with RateLimit, RateLimit-Reset or X-RateLimit-Reset.
	MaxRetryAfter time.Duration
}

// DefaultRetryPolicy returns 5 retries, with delays from 500 ms to 30 s, or up to the 2 minutes
// that a Retry-After may ask for.
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{MaxRetries: 5, MinBackoff: 500 * time.Millisecond, MaxBackoff: 30 * time.Second, MaxRetryAfter: 2 * time.Minute}
}

func (p RetryPolicy) check() error {
	if p.MaxRetries < 0 || p.MinBackoff < 0 || p.MaxBackoff < 0 || p.MaxBackoff > 0 && p.MaxBackoff < p.MinBackoff || p.MaxRetryAfter < 0 {
		return errors.New("WithRetryPolicy: a field is negative, or MaxBackoff is less than MinBackoff")
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

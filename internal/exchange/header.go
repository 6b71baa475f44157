package exchange

import (
	"fmt"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"
)

// CheckSecretHeader refuses the value of a header that is a secret if it is empty or has other
// characters than visible ASCII. The error does not quote it.
func CheckSecretHeader(what, value string) error {
	if value == "" {
		return fmt.Errorf("the %s is empty", what)
	}
	for i := range len(value) {
		if c := value[i]; c <= ' ' || c > '~' {
			return fmt.Errorf("the %s contains white space, a line break or a non-ASCII character at position %d: remove it", what, i)
		}
	}
	return nil
}

// CheckHeader refuses bytes that cannot be in a header: control and non-ASCII bytes.
func CheckHeader(what, value string) error {
	for i := range len(value) {
		if c := value[i]; c != '\t' && (c < ' ' || c > '~') {
			return fmt.Errorf("the %s contains a control or non-ASCII character at position %d: remove it", what, i)
		}
	}
	return nil
}

// ReservedHeader reports whether a header is set by the client itself or by net/http.
func ReservedHeader(name string) bool {
	switch textproto.CanonicalMIMEHeaderKey(name) {
	case "Authorization", "Proxy-Authorization", "Host", "Content-Length", "Transfer-Encoding", "Te",
		"Trailer", "Connection", "Upgrade", "Accept-Encoding":
		return true
	}
	return false
}

// ValidHeaderName reports whether a text can be the name of a header.
func ValidHeaderName(name string) bool {
	if name == "" {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return true
}

// RetryAfter is the time for which a response asks to wait, and whether it asks. It is in
// Retry-After-Ms or Retry-After. In a 429 it may be in RateLimit, RateLimit-Reset or
// X-RateLimit-Reset instead, if these do not say that there is something left of the limit. Moments
// go by the clock of the service.
func (c *Clock) RetryAfter(status int, h http.Header) (time.Duration, bool) {
	now := c.Now()
	if ms, ok := number(h.Get("Retry-After-Ms")); ok {
		return seconds(ms / 1000), true
	}
	if asked, ok := parseRetryAfter(h.Get("Retry-After"), now); ok || status != http.StatusTooManyRequests {
		return asked, ok
	}
	if reset, ok := limitReset(h.Values("RateLimit")); ok {
		return reset, true
	}
	for _, prefix := range []string{"RateLimit-", "X-RateLimit-"} {
		if left, ok := number(h.Get(prefix + "Remaining")); ok && left > 0 {
			continue
		}
		if reset, ok := parseReset(h.Get(prefix+"Reset"), now); ok {
			return reset, true
		}
	}
	return 0, false
}

// number reads a number that is not negative.
func number(value string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return n, err == nil && n >= 0
}

// seconds is a duration of at most 2^32 seconds, which is longer than anyone waits.
func seconds(n float64) time.Duration {
	return time.Duration(min(n, 1<<32) * float64(time.Second))
}

func parseRetryAfter(value string, now time.Time) (time.Duration, bool) {
	if n, ok := number(value); ok {
		return seconds(n), true
	}
	at, err := http.ParseTime(strings.TrimSpace(value))
	if err != nil {
		return 0, false
	}
	return max(at.Sub(now), 0), true
}

// parseReset reads the time of a reset: the seconds that are left, or the time of a clock in
// seconds or milliseconds since 1970. A reset that is over, or that is over an hour away, says
// nothing: it is that of a quota, or of another clock.
func parseReset(value string, now time.Time) (time.Duration, bool) {
	const clock, clockMs = 1e8, 1e11 // smaller numbers of seconds are times left, of up to three years
	n, ok := number(value)
	left := seconds(n)
	switch {
	case n >= clockMs:
		left = time.UnixMilli(int64(min(n, 1<<53))).Sub(now)
	case n >= clock:
		left = time.Unix(int64(n), 0).Sub(now)
	}
	if !ok || left < 0 || left > longestReset {
		return 0, false
	}
	return left, true
}

// limitReset reads RateLimit headers: the longest reset of a policy of which nothing is left. They
// have one of two forms:
//
//	"minute";r=0;t=17, "hour";r=411;t=1800
//	limit=600, remaining=0, reset=17
func limitReset(values []string) (longest time.Duration, ok bool) {
	left, reset := "", ""
	policy := func() { // has ended
		n, known := number(left)
		if t, valid := parseReset(reset, time.Time{}); valid && (!known || n == 0) {
			longest, ok = max(longest, t), true
		}
		left, reset = "", ""
	}
	for _, value := range values {
		for _, part := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ';' }) {
			name, n, parameter := strings.Cut(strings.TrimSpace(part), "=")
			switch strings.ToLower(name) {
			case "r", "remaining":
				left = n
			case "t", "reset":
				reset = n
			default:
				if !parameter { // the name of the next policy
					policy()
				}
			}
		}
		policy()
	}
	return longest, ok
}

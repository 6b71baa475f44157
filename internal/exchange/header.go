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
			return fmt.Errorf("the %s has a byte that is not allowed at position %d (white space, a line break or a non-ASCII character): remove it", what, i)
		}
	}
	return nil
}

// CheckHeader refuses bytes that cannot be in a header: control and non-ASCII bytes.
func CheckHeader(what, value string) error {
	for i := range len(value) {
		if c := value[i]; c != '\t' && (c < ' ' || c > '~') {
			return fmt.Errorf("the value of %s has a control or non-ASCII byte at position %d", what, i)
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

// RetryAfter reads a Retry-After header: seconds, or a date.
func RetryAfter(h http.Header) (time.Duration, bool) {
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

package monitoring

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// checkRedirect lets through what stays at the base address and keeps the method, and
// then asks the user's own check.
func (c *core) checkRedirect(users func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		switch first := via[0]; {
		case !sameOrigin(req.URL, c.base):
			return fmt.Errorf("%w: it leads to another host, port or scheme", ErrRedirect)
		case req.Method != first.Method:
			return fmt.Errorf("%w: it turns %s into %s", ErrRedirect, first.Method, req.Method)
		case users != nil:
			return users(req, via)
		case len(via) >= 10:
			return fmt.Errorf("%w: stopped after %d redirects", ErrRedirect, len(via))
		}
		return nil
	}
}

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if strings.EqualFold(u.Scheme, "https") {
		return "443"
	}
	return "80"
}

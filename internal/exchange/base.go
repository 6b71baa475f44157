package exchange

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// ErrPlainHTTP is matched by the error of ParseBase for plain http that is not allowed.
var ErrPlainHTTP = errors.New("plain http would send the API key unencrypted")

// ParseBase checks a base address and returns it without a slash at its end. Plain http is for
// loopback addresses, unless insecure is set.
func ParseBase(address string, insecure bool) (*url.URL, error) {
	const want = "base URL: want https://host[:port][/prefix]" // the address is not quoted: it may be a key or a password
	if address == "" {
		return nil, errors.New(want + ", got nothing")
	}
	u, err := url.Parse(address)
	switch {
	case !strings.Contains(address, "://"):
		return nil, errors.New(want + ", got an address without https://")
	case err != nil:
		return nil, errors.New(want + ", got something that is not a URL")
	}
	switch {
	case u.User != nil:
		return nil, errors.New("base URL: remove the user name and the password")
	case u.Scheme != "https" && u.Scheme != "http", u.Opaque != "", u.Hostname() == "":
		return nil, errors.New(want + ", got another scheme, or no host")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(address, "#"):
		return nil, errors.New("base URL: remove the query and the fragment")
	case u.Scheme == "http" && !insecure && !isLoopback(u.Hostname()):
		return nil, fmt.Errorf("base URL: %w: use https, or pass WithInsecureHTTP if you mean plain http", ErrPlainHTTP)
	}
	prefix := strings.TrimRight(u.EscapedPath(), "/")
	if prefix != "" {
		if prefix, err = route.Clean(prefix); err != nil {
			return nil, fmt.Errorf("base URL: %w", err)
		}
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	base, err := url.Parse(u.Scheme + "://" + u.Host + prefix)
	if err != nil {
		return nil, errors.New(want + ", got something that is not a URL")
	}
	return base, nil
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	return net.ParseIP(host).IsLoopback()
}

// belongs reports whether an address is under the base address, so that the key may go there.
func belongs(u, base *url.URL) bool { return sameOrigin(u, base) && underPrefix(u, base) }

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

// underPrefix reports whether a path begins with that of the base address. A path with dot
// segments, escaped ones included, can lead anywhere.
func underPrefix(u, base *url.URL) bool {
	for segment := range strings.SplitSeq(u.Path, "/") {
		if segment == "." || segment == ".." {
			return false
		}
	}
	rest, ok := strings.CutPrefix(u.EscapedPath(), base.EscapedPath())
	return ok && (rest == "" || rest[0] == '/')
}

// isAmbiguous reports whether servers read a path in different ways: one may take ..\q, ..;/q or
// %252e%252e/q for a way out of the folder. No path of the service needs such characters.
func isAmbiguous(u *url.URL) bool {
	odd := func(r rune) bool { return r == '\\' || r == ';' || r == '%' || r < ' ' || r == 0x7f }
	return strings.ContainsFunc(u.Path, odd) || strings.Contains(strings.ToLower(u.EscapedPath()), "%2e")
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

const checkAddress = "check the base URL and any proxy in front of the service"

const maxRedirects = 10 // as in net/http without a CheckRedirect

// checkRedirect allows redirects that stay under the base address and keep the method, and
// then calls the user's CheckRedirect.
func (c *call) checkRedirect(req *http.Request, via []*http.Request) error {
	s := c.sender
	var users func(*http.Request, []*http.Request) error
	if s.HTTP != nil {
		users = s.HTTP.CheckRedirect
	}
	switch first := via[0]; {
	case !sameOrigin(req.URL, s.Base):
		return fmt.Errorf("%w: %s is another host, port or scheme: "+checkAddress, s.ErrRedirect,
			c.Texts.Scrubber().Line(req.URL.Scheme+"://"+req.URL.Host))
	case isAmbiguous(req.URL):
		return fmt.Errorf("%w: its path contains a backslash, a semicolon, a control character or an encoded dot, and may lead "+
			"anywhere", s.ErrRedirect)
	case !underPrefix(req.URL, s.Base):
		return fmt.Errorf("%w: it leads out of the path of the base URL", s.ErrRedirect)
	case req.Method != first.Method:
		return fmt.Errorf("%w: it changes the method from %s to %s", s.ErrRedirect, first.Method, req.Method)
	case users != nil:
		return users(req, via)
	case len(via) >= maxRedirects:
		return fmt.Errorf("%w: stopped after %d redirects: "+checkAddress, s.ErrRedirect, len(via))
	}
	return nil
}

package monitoring

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// parseBaseURL checks a base address and returns it without a slash at its end.
func parseBaseURL(address string, insecure bool) (*url.URL, error) {
	const want = "base address: want https://host[:port][/prefix]"
	u, err := url.Parse(address)
	if err != nil {
		// The error of url.Parse quotes the address, which may contain a password.
		return nil, errors.New(want + ", got something that is not a URL")
	}
	switch {
	case u.User != nil:
		return nil, errors.New("base address: it has a user name or a password: remove them")
	case u.Scheme != "https" && u.Scheme != "http", u.Opaque != "", u.Hostname() == "":
		return nil, errors.New(want) // not quoted: it may be a key in the wrong place
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(address, "#"):
		return nil, errors.New("base address: it has a query or a fragment: remove it")
	case u.Scheme == "http" && !insecure && !isLoopback(u.Hostname()):
		return nil, errors.New("base address: plain http would send the API key unencrypted: use https, or give WithInsecureHTTP if plain http is meant")
	}
	prefix := strings.TrimRight(u.EscapedPath(), "/")
	if prefix != "" {
		if prefix, err = cleanPath(prefix); err != nil {
			return nil, fmt.Errorf("base address: %w", err)
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
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

package monitoring

import (
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// core is what calls need of a client. It is behind a pointer, so that printing a Client shows no secret.
type core struct {
	settings
	base     *url.URL               // without a slash at the end of its path
	prefix   string                 // base as a text
	key      Secret                 // withheld if there is a key source
	scrubber func() *scrub.Scrubber // of calls with this key and account; a func is printed as an address
	lastKey  atomic.Pointer[Secret] // the newest key of the key source
	budget   *retryBudget
	standard *http.Transport // the transport of net/http of which own is a copy
	own      http.RoundTripper
}

// transport returns the transport of the user's http.Client, or this client's own copy of
// net/http's transport. Both are read at each call, because programs replace them.
func (c *core) transport() http.RoundTripper {
	if c.httpClient != nil && c.httpClient.Transport != nil {
		return c.httpClient.Transport
	}
	if http.DefaultTransport != http.RoundTripper(c.standard) {
		return http.DefaultTransport // the program has replaced it on purpose: use it
	}
	return c.own
}

// newTransport returns a copy of net/http's transport that keeps more idle connections.
func newTransport(standard *http.Transport) http.RoundTripper {
	t := standard.Clone()
	t.MaxIdleConns = 0 // no limit
	t.MaxIdleConnsPerHost = 128
	t.MaxResponseHeaderBytes = maxHeaderBytes
	return t
}

// address returns the host and prefix of the base address, for errors.
func (c *core) address() string { return c.base.Host + c.base.EscapedPath() }

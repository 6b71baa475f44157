package exchange

import (
	"fmt"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

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
		return fmt.Errorf("%w: it leads to %s, which is another host, port or scheme", s.ErrRedirect, scrub.Clean(c.Texts.Scrubber().Text(req.URL.Scheme+"://"+req.URL.Host)))
	case !underPrefix(req.URL, s.Base):
		return fmt.Errorf("%w: it leads out of the path of the base address", s.ErrRedirect)
	case req.Method != first.Method:
		return fmt.Errorf("%w: it changes the method from %s to %s", s.ErrRedirect, first.Method, req.Method)
	case users != nil:
		return users(req, via)
	case len(via) >= maxRedirects:
		return fmt.Errorf("%w: stopped after %d redirects", s.ErrRedirect, len(via))
	}
	return nil
}

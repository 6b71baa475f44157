package front

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/routes"
)

// inbound is a request that arrived, in memory or over a listener.
type inbound struct {
	method     string
	path       string // escaped
	base       string // scheme and host, for links
	listener   bool   // it arrived over a listener
	query      url.Values
	badQuery   bool // part of the query cannot be decoded, and is left out
	header     http.Header
	body       []byte
	hasKey     bool // that of the service
	unread     bool // there is more of the body than was read
	tooLarge   bool // is the body
	operation  string
	dropped    []string  // what is not documented, and was taken all the same
	carriedOut bool      // was the operation, and counted
	taughtBy   []*target // that have passed it on
	route      *target   // nil if no operation has this path
	params     []string  // of the path, unescaped
}

// older reports whether an error with a status has the form of the older operations, as on unknown
// paths.
func (in *inbound) older(status int) bool {
	return in.route == nil || in.route.Errors.LegacyAt(status)
}

// pageAsked returns the page of a list that a request asks for; 0 if the operation is not a list.
func (in *inbound) pageAsked() int {
	text := in.query.Get("page")
	if text == "" && in.route != nil && in.route.Paged {
		text = "1"
	}
	n, _ := strconv.Atoi(text)
	return n
}

// Says returns what the service says in an error with a status.
func (t *target) Says(status int) string {
	switch {
	case status == http.StatusUnauthorized:
		return badToken
	case t == nil:
		return http.StatusText(status)
	}
	return t.Route.Says(status)
}

// target is what a request is for: an operation of the API, or one that a test taught.
type target struct {
	*routes.Route
	taught http.Handler // nil for an operation of the API
}

package front

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/routes"
)

// inbound is a request that arrived, in memory or over a listener.
type inbound struct {
	method    string
	path      string // escaped
	base      string // scheme and host, for links
	query     url.Values
	header    http.Header
	body      []byte
	hasKey    bool // that of the service
	unread    bool // there is more of the body than was read
	tooLarge  bool // is the body
	operation string
	route     *target  // nil if no operation has this path
	params    []string // of the path, unescaped
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

// target is what a request is for: an operation of the API, or one that a test taught.
type target struct {
	*routes.Route
	taught http.Handler // nil for an operation of the API
}

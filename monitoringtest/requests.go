package monitoringtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
)

// Request is a request that arrived at the service.
type Request struct {
	// Time is when it arrived.
	Time time.Time
	// Operation is the operation, such as "GET /v1/check-groups/{id}"; for an unknown path, the
	// method and path.
	Operation string
	Method    string
	// Path is the path as it was sent, escaped.
	Path  string
	Query url.Values
	// Header is the header, with Authorization redacted.
	Header http.Header
	// Body is the body, or nil if there is none; see BodyCut.
	Body []byte
	// BodyCut reports that Body is incomplete. The service keeps the last 4 MiB of bodies: older
	// ones are nil, and a larger one is cut. A body over 16 MiB is nil, and so is that of a request
	// with a wrong key.
	BodyCut bool
	// Status is the status of the response. It is 0 without one: while the request is being
	// handled, and if its context ended or a fault reset the connection before the response. After
	// [FaultResetAfter] it is the status that was lost.
	Status int
	// Refusal is why the service refused the request, or empty.
	Refusal string
	// Dropped lists what the service ignored because nothing documents it, such as "id: is not
	// allowed"; see [WithUndocumentedMembers].
	Dropped []string
}

// String returns the request and its status as one line, without headers and body.
func (r Request) String() string {
	line := r.Method + " " + r.Path
	if len(r.Query) > 0 {
		line += "?" + r.Query.Encode()
	}
	line += fmt.Sprintf(": %d", r.Status)
	if r.Refusal != "" {
		line += ": " + r.Refusal
	}
	if len(r.Dropped) > 0 {
		line += ": not documented, and dropped: " + strings.Join(r.Dropped, ", ")
	}
	return line
}

// Requests returns the requests that arrived, in order. A fault can keep one from arriving.
func (s *Service) Requests() []Request {
	return requests(s.front.Requests())
}

// Unexpected returns the last 1,000 requests that the service refused, in order: those with an
// unknown path, a wrong key or account, or a broken rule, and those that met a mistake of the test
// over a listener. Error responses of faults and handlers are not among them.
//
// With [WithUndocumentedMembers] it also returns the requests that have Dropped.
func (s *Service) Unexpected() []Request {
	return requests(s.front.Unexpected())
}

func requests(inner []front.Request) []Request {
	list := make([]Request, len(inner))
	for i, r := range inner {
		list[i] = Request(r)
	}
	return list
}

// Count returns how many requests of an operation, such as "GET /v1/locations", arrived; with ""
// how many arrived at all. It panics for an unknown operation, so that a misspelled name is not 0
// requests.
func (s *Service) Count(operation string) int {
	return must(s.front.Count(operation))
}

// Executed returns how often an operation that changes something took effect, whether or not its
// response arrived. It panics for an unknown operation, and for one that only reads: see
// [Service.Count].
func (s *Service) Executed(operation string) int {
	return must(s.front.Executed(operation))
}

// ExecutedOn is [Service.Executed] for one subject: the id or name of a check, or another id in the
// path. A trigger counts once for each check that it started.
func (s *Service) ExecutedOn(operation, subject string) int {
	return must(s.front.ExecutedOn(operation, subject))
}

// ResetRequests forgets the requests, their counts and those of [Service.Executed].
func (s *Service) ResetRequests() {
	s.front.ForgetRequests()
}

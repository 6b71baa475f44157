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
	// Operation is the operation as the API document writes it, such as
	// "GET /v1/check-groups/{id}"; for an unknown path, the method and the path.
	Operation string
	Method    string
	// Path is the path as it was sent, escaped.
	Path  string
	Query url.Values
	// Header has the headers, with Authorization redacted.
	Header http.Header
	// Body is the body; nil if there is none. See BodyCut.
	Body []byte
	// BodyCut says that Body is not all of the body. Of the requests that are listed, the last
	// 4 MiB of bodies are kept in sum: older ones are nil, and one that is larger is cut after
	// 4 MiB. A body over 16 MiB is nil, and so is one without the key of the service, as it is
	// not read.
	BodyCut bool
	// Status is the status of the response. It is 0 if there is none: the request is still
	// being handled, its context ended, or a fault reset the connection before the response. After
	// [FaultResetAfter] it is the status that was lost.
	Status int
	// Refusal is why the service refused the request; empty if it did not.
	Refusal string
	// Dropped is what the service took and dropped of the request because nothing documents it, each
	// in the words in which it is refused without [WithUndocumentedMembers], such as
	// "id: is not allowed".
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

// Requests returns the requests that arrived, in order. Those of faults that keep a
// request from arriving are not among them.
func (s *Service) Requests() []Request {
	return requests(s.front.Requests())
}

// Unexpected returns the requests that the service refused, in order, at most the last
// 1,000: requests to an unknown path, with a wrong key or account, and those that broke a
// rule, or met a mistake of the test over a listener. Error responses of faults and of the
// test's own handlers are not among them. With [WithUndocumentedMembers] the list also has the
// requests of which the service dropped a part: they have no Refusal, and their Dropped is not
// empty. A test that expects none can print them: [Request.String] is one line.
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

// Count returns how many requests of an operation arrived, such as "GET /v1/locations";
// with "" how many arrived at all. It panics for an operation that does not exist and
// never arrived, so that a mistyped name is not read as 0 requests.
func (s *Service) Count(operation string) int {
	return must(s.front.Count(operation))
}

// Executed returns how often an operation that changes something was really carried
// out, whether or not its response arrived. It panics for an operation that does not
// exist, and for one that only reads: [Service.Count] counts those.
func (s *Service) Executed(operation string) int {
	return must(s.front.Executed(operation))
}

// ExecutedOn is [Service.Executed] for one subject: the id or the name of a check, or
// another id in the path. A trigger counts once for each check it started.
func (s *Service) ExecutedOn(operation, subject string) int {
	return must(s.front.ExecutedOn(operation, subject))
}

// ResetRequests forgets the requests, their counts and those of [Service.Executed].
// [Service.Reset] forgets everything.
func (s *Service) ResetRequests() {
	s.front.ForgetRequests()
}

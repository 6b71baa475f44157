package monitoringtest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"
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
	return line
}

func newRequest(in *inbound, now time.Time) *Request {
	r := &Request{
		Time: now, Operation: in.operation, Method: in.method, Path: in.path,
		Query: in.query, Header: in.header.Clone(), Body: in.body, BodyCut: in.unread,
	}
	if r.Header.Get("Authorization") != "" {
		r.Header.Set("Authorization", "[redacted]")
	}
	return r
}

// clone returns a copy that a caller may change.
func (r *Request) clone() Request {
	c := *r
	c.Header, c.Body, c.Query = r.Header.Clone(), slices.Clone(r.Body), make(url.Values, len(r.Query))
	for name, values := range r.Query {
		c.Query[name] = slices.Clone(values)
	}
	return c
}

// requestLog keeps the last requests, and the last bodies among them.
type requestLog struct {
	most  int
	list  []*Request
	bytes int // of the bodies in list
	cut   int // how many requests, from the start of list, have lost their bodies
}

func (l *requestLog) add(r *Request) {
	if len(r.Body) > mostRecorded {
		r.Body, r.BodyCut = slices.Clone(r.Body[:wholeRunes(r.Body, mostRecorded)]), true
	}
	l.list = append(l.list, r)
	l.bytes += len(r.Body)
	for len(l.list) > l.most {
		l.bytes -= len(l.list[0].Body)
		l.list[0], l.list = nil, l.list[1:]
		l.cut = max(l.cut-1, 0)
	}
	for l.bytes > mostRecorded {
		oldest := l.list[l.cut]
		l.bytes -= len(oldest.Body)
		oldest.BodyCut = oldest.BodyCut || len(oldest.Body) > 0
		oldest.Body = nil
		l.cut++
	}
}

// wholeRunes returns the greatest length up to n at which a text can be cut.
func wholeRunes(text []byte, n int) int {
	for i := n; i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	return n
}

func (l *requestLog) copies() []Request {
	list := make([]Request, len(l.list))
	for i, r := range l.list {
		list[i] = r.clone()
	}
	return list
}

// journal records the requests that arrived and the operations that were carried out.
type journal struct {
	requests   requestLog
	unexpected requestLog
	counts     map[string]int
	unknown    int // how many entries of counts are unknown paths
	total      int
	executed   map[string]int
	subjects   subjectCounts
}

type execution struct{ operation, subject string }

// subjectCounts counts executions by subject. If most is set, only the latest subjects
// are kept.
type subjectCounts struct {
	most     int // 0: all
	new, old map[execution]int
}

func (c *subjectCounts) add(e execution) {
	n := c.of(e)
	if _, there := c.new[e]; !there && c.most > 0 && len(c.new) >= (c.most+1)/2 {
		c.old, c.new = c.new, make(map[execution]int)
	}
	c.new[e] = n + 1
}

func (c *subjectCounts) of(e execution) int {
	if n, there := c.new[e]; there {
		return n
	}
	return c.old[e]
}

func newJournal(c *config) journal {
	return journal{
		requests: requestLog{most: c.recording}, unexpected: requestLog{most: mostUnexpected},
		counts: make(map[string]int), executed: make(map[string]int),
		subjects: subjectCounts{most: c.retention.most, new: make(map[execution]int)},
	}
}

// arrived counts a request and returns its record; nil if requests are not recorded.
func (j *journal) arrived(in *inbound, now time.Time) *Request {
	j.total++
	if _, counted := j.counts[in.operation]; !counted && in.route == nil {
		j.unknown++
	}
	if in.route != nil || j.unknown <= mostUnexpected {
		j.counts[in.operation]++
	}
	if j.requests.most == 0 {
		return nil
	}
	r := newRequest(in, now)
	j.requests.add(r)
	return r
}

// responded records the response to a request. The request is unexpected if the service
// itself refused it: there is no such operation, or the request broke a rule.
func (j *journal) responded(in *inbound, r *Request, out *response, now time.Time, genuine bool) {
	refused := genuine && out.failed != nil
	switch out.status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType:
	default:
		refused = refused && in.route == nil && out.status == http.StatusNotFound
	}
	if r == nil && !refused {
		return
	}
	if r == nil {
		r = newRequest(in, now)
	}
	r.Status = out.status
	if !refused {
		return
	}
	r.Refusal = out.failed.message
	if in.route == nil && out.status == http.StatusNotFound {
		r.Refusal = "the service has no such operation"
	}
	kept := *r // its body is cut by itself
	j.unexpected.add(&kept)
}

// did counts that an operation was carried out on some subjects.
func (j *journal) did(operation string, subjects ...string) {
	j.executed[operation]++
	once := set{"": true}
	for _, subject := range subjects {
		if !once[subject] {
			once[subject] = true
			j.subjects.add(execution{operation, subject})
		}
	}
}

// Requests returns the requests that arrived, in order. Those of faults that keep a
// request from arriving are not among them.
func (s *Service) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.requests.copies()
}

// Unexpected returns the requests that the service refused, in order, at most the last
// 1,000: requests to an unknown path, with a wrong key or account, and those that broke a
// rule. Error responses of faults and of the test's own handlers are not among them. A
// test that expects none can print them: [Request.String] is one line.
func (s *Service) Unexpected() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.unexpected.copies()
}

// Count returns how many requests of an operation arrived, such as "GET /v1/locations";
// with "" how many arrived at all. It panics for an operation that does not exist and
// never arrived, so that a mistyped name is not read as 0 requests.
func (s *Service) Count(operation string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if operation == "" {
		return s.journal.total
	}
	n, seen := s.journal.counts[operation]
	if !seen {
		s.mustKnow(operation)
	}
	return n
}

// Executed returns how often an operation that changes something was really carried
// out, whether or not its response arrived. It panics for an operation that does not
// exist.
func (s *Service) Executed(operation string) int {
	s.mustKnow(operation)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.executed[operation]
}

// ExecutedOn is [Service.Executed] for one subject: the id or the name of a check, or
// another id in the path. A trigger counts once for each check it started.
func (s *Service) ExecutedOn(operation, subject string) int {
	s.mustKnow(operation)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.subjects.of(execution{operation, subject})
}

// ResetRequests forgets the requests, their counts and those of [Service.Executed].
// [Service.Reset] forgets everything.
func (s *Service) ResetRequests() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.journal = newJournal(&s.config)
}

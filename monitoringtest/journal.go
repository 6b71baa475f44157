package monitoringtest

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// Request is a request that arrived at the service.
type Request struct {
	// Time is when it arrived.
	Time time.Time
	// Operation is the operation as the API document writes it, such as
	// "GET /v1/check-groups/{id}"; for paths that are none, the method and the path.
	Operation string
	Method    string
	// Path is escaped as it was sent.
	Path  string
	Query url.Values
	// Header has Authorization redacted.
	Header http.Header
	Body   []byte
	// Status is that of the answer, 0 when there was none: the request is still being
	// answered, its context ended, or a fault reset the connection before it was handled.
	Status int
}

// journal keeps what arrived and what was carried out.
type journal struct {
	keep     int
	requests []*Request
	counts   map[string]int
	total    int
	executed map[execution]int
}

type execution struct{ operation, subject string }

func newJournal() journal {
	return journal{keep: math.MaxInt, counts: make(map[string]int), executed: make(map[execution]int)}
}

// arrived notes a request and returns its record; nil when none is kept.
func (j *journal) arrived(in *inbound, now time.Time) *Request {
	j.counts[in.operation]++
	j.total++
	if j.keep == 0 {
		return nil
	}
	r := &Request{
		Time: now, Operation: in.operation, Method: in.method, Path: in.path,
		Query: in.query, Header: in.header.Clone(), Body: in.body,
	}
	if r.Header.Get("Authorization") != "" {
		r.Header.Set("Authorization", "[redacted]")
	}
	if len(j.requests) >= 2*j.keep && j.keep <= math.MaxInt/2 {
		j.requests = append([]*Request(nil), j.last()...)
	}
	j.requests = append(j.requests, r)
	return r
}

func (j *journal) last() []*Request {
	return j.requests[max(len(j.requests)-j.keep, 0):]
}

// did notes that an operation was carried out on some subjects.
func (j *journal) did(operation string, subjects ...string) {
	j.executed[execution{operation, ""}]++
	slices.Sort(subjects)
	for _, subject := range slices.Compact(subjects) {
		if subject != "" {
			j.executed[execution{operation, subject}]++
		}
	}
}

// Requests returns the requests that arrived, in order. Those of faults that keep a
// request from arriving are not among them.
func (s *Service) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.journal.last()
	list := make([]Request, len(kept))
	for i, r := range kept {
		list[i] = *r
		list[i].Header = r.Header.Clone()
		list[i].Body = slices.Clone(r.Body)
	}
	return list
}

// Count returns how many requests of an operation arrived, such as "GET /v1/locations";
// with "" how many arrived at all. It panics for an operation that does not exist and
// never arrived, so that a mistyped one is not mistaken for 0.
func (s *Service) Count(operation string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if operation == "" {
		return s.journal.total
	}
	n, seen := s.journal.counts[operation]
	if !seen {
		mustKnow(operation)
	}
	return n
}

// Executed returns how often an operation that changes something was really carried
// out, whether or not its answer arrived. With a subject it counts for that alone: the
// id or the name of a check, or the id of whatever the path names. A trigger counts
// once for each check it started. It panics for an operation that does not exist.
func (s *Service) Executed(operation string, subject ...string) int {
	if len(subject) > 1 {
		panic("monitoringtest: Executed takes one subject")
	}
	mustKnow(operation)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journal.executed[execution{operation, append(subject, "")[0]}]
}

// ResetRequests forgets the requests, their counts and those of [Service.Executed].
func (s *Service) ResetRequests() {
	s.mu.Lock()
	defer s.mu.Unlock()
	keep := s.journal.keep
	s.journal = newJournal()
	s.journal.keep = keep
}

func mustKnow(operation string) {
	if _, ok := routesByOperation[operation]; !ok {
		panic(fmt.Sprintf("monitoringtest: the API has no operation %q; write it as in %q", operation, "GET /v1/check-groups/{id}"))
	}
}

package monitoringtest

import (
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
)

// Fault makes requests fail; see [Service.Inject]. The first members, up to Match, select
// the requests: a request must fit all that are set. The others say what happens.
type Fault struct {
	// Operation is the operation it happens to, as the API document writes it, such as
	// "GET /v2/check-sessions/{checkSessionId}/completion"; empty for all.
	Operation string
	// ID is a value in the path, such as the id of a session; empty for all requests.
	ID string
	// Page is the page of a list that is asked for, which is 1 if the request names none;
	// 0 for all requests.
	Page int
	// BodyContains is a text in the body of the request; empty for all requests. The body of
	// a request without the key of the service is not read.
	BodyContains string
	// Account is the account that the request names; empty for all requests.
	Account string
	// Attempt is 1 for the first time that a request is sent, 2 for the second, and so on;
	// 0 for all. Two requests are the same if method, path, query and body are equal.
	Attempt int
	// Match reports whether the fault happens to a request, whose Status is still 0; nil
	// for all. It runs in the goroutine of the request and may call methods of the service.
	Match func(Request) bool

	// After is how many of these requests pass before the fault happens first.
	After int
	// Times is how often it happens; 0 means no limit.
	Times int
	// Probability is the chance that it happens, from 0 to 1; 0 is always. See [WithSeed].
	Probability float64

	// Kind says how the connection behaves.
	Kind FaultKind
	// Status is the status of the response, from 200 to 599, and the request is not
	// handled; 0 handles it.
	Status int
	// Header is added to the response, and replaces what the response has.
	Header http.Header
	// Body replaces the body of the response. If it is empty, a Status of 400 or more has
	// the service's own error body; see NoBody.
	Body string
	// NoBody leaves the body of the response empty.
	NoBody bool
	// Delay is how long the request waits before it is handled.
	Delay time.Duration
	// DelayAfter is how long the response waits after the request was handled. With a
	// delay over the client's timeout, the work is done and the client does not know it.
	DelayAfter time.Duration
	// BodyTime is how long the body of the response takes to arrive, in ten pieces.
	BodyTime time.Duration
	// CutAfter puts a gateway before the service, which cuts requests that have no
	// response after this time: with status 504 and a page of HTML, or with Status, Body,
	// NoBody and Header, or with a reset if Kind is FaultResetAfter. Status 200 with NoBody
	// is a gateway that sends an empty response. Responses that come in time are not
	// changed. The service carries out a request that was cut all the same. 0 means no gateway.
	CutAfter time.Duration
}

func (f *Fault) front() front.Fault {
	inner := front.Fault{
		Operation: f.Operation, ID: f.ID, Page: f.Page, BodyContains: f.BodyContains, Account: f.Account, Attempt: f.Attempt,
		After: f.After, Times: f.Times, Probability: f.Probability,
		Kind: front.FaultKind(f.Kind), Status: f.Status, Header: f.Header, Body: f.Body, NoBody: f.NoBody,
		Delay: f.Delay, DelayAfter: f.DelayAfter, BodyTime: f.BodyTime, CutAfter: f.CutAfter,
	}
	if match := f.Match; match != nil {
		inner.Match = func(r front.Request) bool { return match(Request(r)) }
	}
	return inner
}

// Inject adds faults. Of the faults that fit a request, the one that was added first
// happens. It panics for an operation that the service neither has nor was taught with
// [Service.Handle], and for a fault that can never happen or contradicts itself. A fault never
// happens if one before it selects the same requests, or more, and always happens to them: without
// Times, After, a chance, Match and Attempt.
func (s *Service) Inject(faults ...Fault) {
	inner := make([]front.Fault, len(faults))
	for i := range faults {
		inner[i] = faults[i].front()
	}
	mustNot(s.front.Inject(inner...))
}

// ClearFaults removes all faults.
func (s *Service) ClearFaults() {
	s.front.ClearFaults()
}

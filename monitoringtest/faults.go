package monitoringtest

import (
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
)

// Fault makes requests fail; see [Service.Inject]. The fields up to Match select requests, which
// must match all that are set. The rest decides the effect.
type Fault struct {
	// Operation is the operation, such as "GET /v2/check-sessions/{checkSessionId}/completion";
	// empty for all.
	Operation string
	// ID is a value in the path, such as the id of a session; empty for all.
	ID string
	// Page is the page of a list, which is 1 for a request that names none; 0 for all.
	Page int
	// BodyContains is a part of the request body; empty for all. The body of a request with a wrong
	// key is not read.
	BodyContains string
	// Account is the account that the request names; empty for all.
	Account string
	// Attempt is 1 for the first time that a request is sent, 2 for the second, and so on; 0 for
	// all. Requests are the same if method, path, query and body are equal.
	Attempt int
	// Match reports whether the fault applies to a request, whose Status is still 0; nil for all.
	// It runs in the goroutine of the request and may call methods of the service.
	Match func(Request) bool

	// After is how many matching requests pass before the fault first happens.
	After int
	// Times is how often the fault happens; 0 means no limit.
	Times int
	// Probability is the chance that the fault happens, from 0 to 1; 0 means always. See
	// [WithSeed].
	Probability float64

	// Kind is what happens to the connection.
	Kind FaultKind
	// Status, 200 to 599, is that of the response to a request, which is not handled; 0 handles it.
	Status int
	// Header is added to the response, replacing fields of the same name.
	Header http.Header
	// Body replaces that of the response. If it is empty, a Status of 400 or more has the service's
	// own error body; see NoBody.
	Body string
	// NoBody empties the body of the response.
	NoBody bool
	// Delay is how long the request waits before it is handled.
	Delay time.Duration
	// DelayAfter is how long the response waits after that. If it exceeds the client's timeout, the
	// request took effect and the client does not know it.
	DelayAfter time.Duration
	// BodyTime is how long the body of the response takes to arrive, in ten pieces.
	BodyTime time.Duration
	// CutAfter, if not 0, is the patience of a gateway in front of the service. A request that has
	// no response by then gets a 504 with HTML; or Status, Body, NoBody and Header; or a reset if
	// Kind is FaultResetAfter. Status 200 with NoBody is a gateway that sends an empty response.
	// The request takes effect all the same.
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

// Inject adds faults. If several match a request, the one that was added first happens. Inject
// panics for a fault that can never happen or contradicts itself, for example because an earlier
// one always takes its requests.
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

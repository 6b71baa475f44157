package monitoringtest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
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

type fault struct {
	Fault
	passed, happened int
	sent             map[[sha256.Size]byte]int // of Attempt: how often a request was sent
}

// Inject adds faults. Of the faults that fit a request, the one that was added first
// happens. It panics for an operation that the service neither has nor was taught with
// [Service.Handle], and for a fault that can never happen or contradicts itself.
func (s *Service) Inject(faults ...Fault) {
	if err := s.inject(faults...); err != nil {
		panic("monitoringtest: " + err.Error())
	}
}

func (s *Service) inject(faults ...Fault) error {
	for i, f := range faults {
		if err := s.checkFault(&f); err != nil {
			return fmt.Errorf("fault %d: %w", i, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addFaults(faults...)
	return nil
}

func (s *state) addFaults(faults ...Fault) {
	for _, f := range faults {
		f.Header = f.Header.Clone()
		s.faults = append(s.faults, &fault{Fault: f})
	}
}

// checkFault returns the first mistake in a fault that a test injects.
func (s *Service) checkFault(f *Fault) error {
	if f.Operation != "" {
		if err := s.know(f.Operation); err != nil {
			return err
		}
	}
	switch {
	case int(f.Kind) >= len(faultKinds):
		return fmt.Errorf("there is no %s", f.Kind)
	case f.Status != 0 && (f.Status < 200 || f.Status > 599):
		return fmt.Errorf("status %d is not from 200 to 599", f.Status)
	case f.Probability < 0 || f.Probability > 1 || f.Probability != f.Probability:
		return fmt.Errorf("probability %g is not from 0 to 1", f.Probability)
	case min(f.After, f.Times, f.Page, f.Attempt) < 0:
		return errors.New("the members After, Times, Page and Attempt must not be negative")
	case min(f.Delay, f.DelayAfter, f.BodyTime, f.CutAfter) < 0:
		return errors.New("a time must not be negative")
	case f.Body != "" && f.NoBody:
		return errors.New("a Body and NoBody contradict each other")
	case f.Kind.unhandled() && (f.Status != 0 || f.Body != "" || f.NoBody || len(f.Header) > 0 || f.DelayAfter > 0 || f.BodyTime > 0):
		return fmt.Errorf("there is no response with %s: leave Status, Header, Body, NoBody, DelayAfter and BodyTime unset", f.Kind)
	case f.CutAfter > 0 && f.Kind != FaultNone && f.Kind != FaultResetAfter:
		return fmt.Errorf("a gateway cuts with a response or with FaultResetAfter, not with %s", f.Kind)
	}
	return nil
}

// ClearFaults removes all faults.
func (s *Service) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// pick returns the fault that happens to a request; nil for none.
func (s *Service) pick(in *inbound) *Fault {
	s.mu.Lock()
	faults := slices.Clip(s.faults)
	s.mu.Unlock()
	fitting := make([]bool, len(faults)) // without the lock: Match is code of a test
	var request *Request
	for i, f := range faults {
		fitting[i] = f.fits(in, s.accountHeader)
		if fitting[i] && f.Match != nil {
			if request == nil {
				request = newRequest(in, time.Now())
			}
			fitting[i] = f.Match(request.clone())
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var happens *Fault
	for i, f := range faults {
		if !fitting[i] || !f.isAttempt(in) || happens != nil {
			continue
		}
		switch {
		case f.passed < f.After:
			f.passed++
		case f.Times > 0 && f.happened >= f.Times:
		case f.Probability > 0 && s.random.Float64() >= f.Probability:
		default:
			f.happened++
			picked := f.Fault
			happens = &picked
		}
	}
	return happens
}

// fits reports whether a fault could happen to a request, as far as the request tells.
func (f *Fault) fits(in *inbound, accountHeader string) bool {
	switch {
	case f.Operation != "" && f.Operation != in.operation,
		f.ID != "" && !slices.Contains(in.params, f.ID),
		f.Page > 0 && f.Page != in.page(),
		f.BodyContains != "" && !bytes.Contains(in.body, []byte(f.BodyContains)),
		f.Account != "" && !strings.EqualFold(f.Account, in.header.Get(accountHeader)):
		return false
	}
	return true
}

// page returns the page of a list that a request asks for; 0 if the operation is not a list.
func (in *inbound) page() int {
	text := in.query.Get("page")
	if text == "" && in.route != nil && in.route.paged {
		text = "1"
	}
	n, _ := strconv.Atoi(text)
	return n
}

// isAttempt counts a request and reports whether it is the attempt the fault is for.
func (f *fault) isAttempt(in *inbound) bool {
	if f.Attempt == 0 {
		return true
	}
	if len(f.sent) >= mostSent || f.sent == nil {
		f.sent = make(map[[sha256.Size]byte]int)
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s %s?%s\n%s", in.method, in.path, in.query.Encode(), in.body))
	f.sent[key]++
	return f.sent[key] == f.Attempt
}

func (f *Fault) unhandled() bool { return f.Kind.unhandled() }

// spoils reports whether the fault changes the response.
func (f *Fault) spoils() bool {
	return f.Status != 0 || f.Body != "" || f.NoBody || len(f.Header) > 0
}

// spoil changes the response as the fault says.
func (f *Fault) spoil(r response, shape family) response {
	if f.Status != 0 {
		r = response{status: f.Status}
		if f.Body == "" && f.Status >= 400 {
			r = fail(f.Status, http.StatusText(f.Status))
			r.shape(shape)
		}
	}
	if f.Body != "" {
		r.body = []byte(f.Body)
	}
	if f.NoBody {
		r.body = nil
	}
	for name, values := range f.Header {
		r.setHeader(name, values...)
	}
	return r
}

// gatewayResponse returns the response of a gateway that has cut a request.
func (f *Fault) gatewayResponse() response {
	status := f.Status
	if status == 0 {
		status = http.StatusGatewayTimeout
	}
	text := fmt.Sprintf("%d %s", status, http.StatusText(status))
	r := response{status: status, body: fmt.Appendf(nil, "<html><head><title>%s</title></head><body><h1>%[1]s</h1></body></html>\n", text)}
	r.setHeader("Content-Type", "text/html")
	if f.Body != "" {
		r.body = []byte(f.Body)
	}
	if f.NoBody {
		r.body, r.header = nil, nil
	}
	for name, values := range f.Header {
		r.setHeader(name, values...)
	}
	return r
}

package monitoringtest

import (
	"fmt"
	"net/http"
	"time"
)

// FaultKind says how a [Fault] breaks a request.
type FaultKind uint8

const (
	// FaultNone answers: with the Status of the fault without handling the request, or,
	// where that is 0, as always, after the Delay and with the Header of the fault added.
	FaultNone FaultKind = iota
	// FaultRefuse makes no connection: the request never arrives. A listener cannot
	// refuse a single request; there it is like FaultResetUnhandled.
	FaultRefuse
	// FaultResetBeforeWrite makes a connection and resets it before anything was written:
	// the request never arrives. Over a listener it is like FaultResetUnhandled.
	FaultResetBeforeWrite
	// FaultResetUnhandled takes the request and resets the connection without handling it.
	FaultResetUnhandled
	// FaultResetAfter handles the request and resets the connection: the answer is lost.
	FaultResetAfter
	// FaultCutBody breaks the answer off in the middle of its body. An answer without a
	// body arrives whole.
	FaultCutBody
)

// String is the name of the kind.
func (k FaultKind) String() string {
	names := [...]string{"FaultNone", "FaultRefuse", "FaultResetBeforeWrite", "FaultResetUnhandled", "FaultResetAfter", "FaultCutBody"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("FaultKind(%d)", k)
}

// Fault makes requests fail; see [Service.Inject].
type Fault struct {
	// Operation is the operation it applies to, as the API document writes it, such as
	// "GET /v2/check-sessions/{checkSessionId}/completion"; empty for all.
	Operation string
	Kind      FaultKind
	// Status is answered instead of handling the request; 0 handles it.
	Status int
	// Header is added to the answer, and replaces what the answer has.
	Header http.Header
	// Body replaces the body of the answer. When it is empty, a Status of 400 or more
	// has the service's own error body; see NoBody.
	Body string
	// NoBody leaves the body of the answer empty.
	NoBody bool
	// Delay is waited before anything else happens, or until the request's context ends.
	Delay time.Duration
	// Times is how often the fault happens; 0 is always.
	Times int
	// Probability is the chance that it happens; 0 is always.
	Probability float64
	// After is how many requests it lets pass first.
	After int
}

type fault struct {
	Fault
	passed, happened int
}

// Inject adds faults. For each request the first that applies happens, in the order in
// which they were added. It panics for a fault that could never happen.
func (s *Service) Inject(faults ...Fault) {
	for _, f := range faults {
		if f.Operation != "" {
			mustKnow(f.Operation)
		}
		switch {
		case f.Kind > FaultCutBody:
			panic(fmt.Sprintf("monitoringtest: fault of an unknown kind %s", f.Kind))
		case f.Status != 0 && (f.Status < 200 || f.Status > 599):
			panic(fmt.Sprintf("monitoringtest: fault with status %d", f.Status))
		case f.Times < 0 || f.After < 0 || f.Delay < 0 || f.Probability < 0 || f.Probability > 1:
			panic(fmt.Sprintf("monitoringtest: fault that cannot happen: %+v", f))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range faults {
		f.Header = f.Header.Clone()
		s.faults = append(s.faults, &fault{Fault: f})
	}
}

// ClearFaults removes all faults.
func (s *Service) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// pick returns the fault that happens to a request of an operation; nil for none.
func (s *Service) pick(operation string) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.faults {
		switch {
		case f.Operation != "" && f.Operation != operation:
		case f.passed < f.After:
			f.passed++
		case f.Times > 0 && f.happened >= f.Times:
		case f.Probability > 0 && s.random.Float64() >= f.Probability:
		default:
			f.happened++
			picked := f.Fault
			return &picked
		}
	}
	return nil
}

// answers reports whether the fault takes the place of handling the request.
func (f *Fault) answers() bool {
	return f.Status != 0 || f.Kind == FaultResetUnhandled || f.Kind == FaultRefuse || f.Kind == FaultResetBeforeWrite
}

// spoil makes the answer of a request what the fault wants it to be.
func (f *Fault) spoil(a answer) answer {
	if f.Status != 0 {
		a = answer{status: f.Status}
		if f.Body == "" && f.Status >= 400 {
			a = fail(f.Status, http.StatusText(f.Status))
		}
	}
	if f.Body != "" {
		a.body = []byte(f.Body)
	}
	if f.NoBody {
		a.body = nil
	}
	for name, values := range f.Header {
		a.setHeader(name, values...)
	}
	return a
}

package monitoringtest

import "github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"

// FaultKind is how a [Fault] breaks a request. In JSON it is none, refuse, resetBeforeWrite,
// resetUnhandled, resetAfter or cutBody.
type FaultKind uint8

const (
	// FaultNone keeps the connection. If the fault has a Status, the response has it and the
	// request is not handled; otherwise the request is handled as usual. Delays and Header apply in
	// both cases.
	FaultNone FaultKind = iota
	// FaultRefuse refuses the connection: the request never arrives. A listener cannot refuse a
	// single request; there it is FaultResetUnhandled.
	FaultRefuse
	// FaultResetBeforeWrite resets the connection before anything is written: the request never
	// arrives. Over a listener it is FaultResetUnhandled.
	FaultResetBeforeWrite
	// FaultResetUnhandled accepts the request and resets the connection without handling it.
	FaultResetUnhandled
	// FaultResetAfter handles the request and resets the connection: the response is lost.
	FaultResetAfter
	// FaultCutBody breaks off in the middle of the response's body, if there is one.
	FaultCutBody
)

// String returns the name of the kind.
func (k FaultKind) String() string {
	return front.FaultKind(k).String()
}

// MarshalText returns the name of the kind, or an error if it is unknown.
func (k FaultKind) MarshalText() ([]byte, error) {
	return front.FaultKind(k).MarshalText()
}

// UnmarshalText reads the name of a kind.
func (k *FaultKind) UnmarshalText(text []byte) error {
	return (*front.FaultKind)(k).UnmarshalText(text)
}

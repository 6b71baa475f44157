package monitoringtest

import (
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
)

// FaultKind says how a [Fault] breaks a request. As JSON it is one of the texts none,
// refuse, resetBeforeWrite, resetUnhandled, resetAfter and cutBody.
type FaultKind uint8

const (
	// FaultNone keeps the connection. With a Status in the fault, the response has this
	// status and the request is not handled. Otherwise the request is handled as usual.
	// The delays and the Header of the fault apply in both cases.
	FaultNone FaultKind = iota
	// FaultRefuse makes no connection: the request never arrives. A listener cannot
	// refuse a single request; there it is like FaultResetUnhandled.
	FaultRefuse
	// FaultResetBeforeWrite makes a connection and resets it before anything was written:
	// the request never arrives. Over a listener it is like FaultResetUnhandled.
	FaultResetBeforeWrite
	// FaultResetUnhandled takes the request and resets the connection without handling it.
	FaultResetUnhandled
	// FaultResetAfter handles the request and resets the connection: the response is lost.
	FaultResetAfter
	// FaultCutBody breaks the response off in the middle of its body. A response without
	// a body arrives whole.
	FaultCutBody
)

// String is the name of the kind.
func (k FaultKind) String() string {
	return front.FaultKind(k).String()
}

// MarshalText writes the kind as text, such as resetAfter. It fails for an unknown kind.
func (k FaultKind) MarshalText() ([]byte, error) {
	return front.FaultKind(k).MarshalText()
}

// UnmarshalText reads a kind from text, such as resetAfter. It fails for an unknown text.
func (k *FaultKind) UnmarshalText(text []byte) error {
	return (*front.FaultKind)(k).UnmarshalText(text)
}

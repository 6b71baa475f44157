package monitoringtest

import (
	"fmt"
	"slices"
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

var (
	faultKinds = [...]string{"FaultNone", "FaultRefuse", "FaultResetBeforeWrite", "FaultResetUnhandled", "FaultResetAfter", "FaultCutBody"}
	faultWords = []string{"none", "refuse", "resetBeforeWrite", "resetUnhandled", "resetAfter", "cutBody"}
)

// String is the name of the kind.
func (k FaultKind) String() string {
	if int(k) < len(faultKinds) {
		return faultKinds[k]
	}
	return fmt.Sprintf("FaultKind(%d)", uint8(k))
}

// MarshalText writes the kind as text, such as resetAfter. It fails for an unknown kind.
func (k FaultKind) MarshalText() ([]byte, error) {
	if int(k) < len(faultWords) {
		return []byte(faultWords[k]), nil
	}
	return nil, fmt.Errorf("monitoringtest: there is no %s", k)
}

// UnmarshalText reads a kind from text, such as resetAfter. It fails for an unknown text.
func (k *FaultKind) UnmarshalText(text []byte) error {
	i := slices.Index(faultWords, string(text))
	if i < 0 {
		return fmt.Errorf("monitoringtest: %q is none of %q", text, faultWords)
	}
	*k = FaultKind(i)
	return nil
}

// unhandled reports whether requests of the kind are not handled.
func (k FaultKind) unhandled() bool {
	return k == FaultRefuse || k == FaultResetBeforeWrite || k == FaultResetUnhandled
}

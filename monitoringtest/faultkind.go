package monitoringtest

import (
	"fmt"
	"slices"
)

// FaultKind says how a [Fault] breaks a request. Its JSON is a word: none, refuse,
// resetBeforeWrite, resetUnhandled, resetAfter, cutBody.
type FaultKind uint8

const (
	// FaultNone responds: with the Status of the fault without handling the request, or,
	// when that is 0, as always, after the delays and with the Header of the fault added.
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

// MarshalText writes the word of the kind, such as resetAfter.
func (k FaultKind) MarshalText() ([]byte, error) {
	if int(k) < len(faultWords) {
		return []byte(faultWords[k]), nil
	}
	return nil, fmt.Errorf("monitoringtest: there is no %s", k)
}

// UnmarshalText reads the word of a kind, such as resetAfter.
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

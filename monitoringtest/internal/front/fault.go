package front

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Fault makes requests fail. What its members mean stands at monitoringtest.Fault.
type Fault struct {
	Operation    string
	ID           string
	Page         int
	BodyContains string
	Account      string
	Attempt      int
	Match        func(Request) bool

	After       int
	Times       int
	Probability float64

	Kind       FaultKind
	Status     int
	Header     http.Header
	Body       string
	NoBody     bool
	Delay      time.Duration
	DelayAfter time.Duration
	BodyTime   time.Duration
	CutAfter   time.Duration
}

// FaultKind says how a fault breaks a request.
type FaultKind uint8

// The kinds of faults, as in monitoringtest.
const (
	FaultNone FaultKind = iota
	FaultRefuse
	FaultResetBeforeWrite
	FaultResetUnhandled
	FaultResetAfter
	FaultCutBody
)

var (
	faultKinds = [...]string{"FaultNone", "FaultRefuse", "FaultResetBeforeWrite", "FaultResetUnhandled", "FaultResetAfter", "FaultCutBody"}
	// FaultWords are the kinds as texts.
	FaultWords = []string{"none", "refuse", "resetBeforeWrite", "resetUnhandled", "resetAfter", "cutBody"}
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
	if int(k) < len(FaultWords) {
		return []byte(FaultWords[k]), nil
	}
	return nil, fmt.Errorf("monitoringtest: there is no %s", k)
}

// UnmarshalText reads a kind from text, such as resetAfter. It fails for an unknown text.
func (k *FaultKind) UnmarshalText(text []byte) error {
	i := slices.Index(FaultWords, string(text))
	if i < 0 {
		return fmt.Errorf("monitoringtest: %q is none of %q", text, FaultWords)
	}
	*k = FaultKind(i)
	return nil
}

// unhandled reports whether requests of the kind are not handled.
func (k FaultKind) unhandled() bool {
	return k == FaultRefuse || k == FaultResetBeforeWrite || k == FaultResetUnhandled
}

// injected is a fault that was injected, and how often it has happened.
type injected struct {
	Fault
	passed, happened int
	sent             map[[sha256.Size]byte]int // of Attempt: how often a request was sent
}

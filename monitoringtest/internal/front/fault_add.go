package front

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Inject adds faults, unless one of them has a mistake.
func (f *Front) Inject(faults ...Fault) error {
	f.world.Lock()
	defer f.world.Unlock()
	for i, one := range faults {
		if err := f.VetFault(&one, faults[:i]); err != nil {
			return fmt.Errorf("fault %d: %w", i, err)
		}
	}
	f.AddFaults(faults...)
	return nil
}

// Room refuses to add something to what there is already, if the account forgets old data and may
// have no more. The world is locked.
func (f *Front) Room(what string, there int) error {
	if f.world.Retention.Age > 0 && there >= mostAdded {
		return fmt.Errorf("the fake keeps at most %d of each %s: clear them, or reset it", mostAdded, what)
	}
	return nil
}

// Faults returns how many faults there are. The world is locked.
func (f *Front) Faults() int { return len(f.faults) }

// AddFaults adds faults that were checked. The world is locked.
func (f *Front) AddFaults(faults ...Fault) {
	for _, one := range faults {
		one.Header = one.Header.Clone()
		f.faults = append(f.faults, &injected{Fault: one})
	}
}

// VetFault returns the first mistake in a fault that a test injects after others, besides those
// that were injected before. The world is locked.
func (f *Front) VetFault(one *Fault, before []Fault) error {
	if one.Operation != "" {
		if err := f.Know(one.Operation); err != nil {
			return err
		}
	}
	switch {
	case int(one.Kind) >= len(faultKinds):
		return fmt.Errorf("there is no %s", one.Kind)
	case one.Status != 0 && (one.Status < 200 || one.Status > 599):
		return fmt.Errorf("status %d is outside 200..599", one.Status)
	case one.Probability < 0 || one.Probability > 1 || one.Probability != one.Probability:
		return fmt.Errorf("probability %g is outside 0..1", one.Probability)
	case min(one.After, one.Times, one.Page, one.Attempt) < 0:
		return errors.New("the fields After, Times, Page and Attempt must not be negative")
	case min(one.Delay, one.DelayAfter, one.BodyTime, one.CutAfter) < 0:
		return errors.New("the fields Delay, DelayAfter, BodyTime and CutAfter must not be negative")
	case one.ID != "" && one.Operation != "" && !strings.Contains(one.Operation, "{"):
		return fmt.Errorf("can never happen, because the path of %s has no value that ID could be", one.Operation)
	case one.BodyContains != "" && strings.HasPrefix(one.Operation, http.MethodGet+" "):
		return fmt.Errorf("can never happen, because %s has no body", one.Operation)
	case one.Body != "" && one.NoBody:
		return errors.New("the fields Body and NoBody contradict each other: set one")
	case one.Kind.unhandled() && (one.Status != 0 || one.Body != "" || one.NoBody || len(one.Header) > 0 || one.DelayAfter > 0 ||
		one.BodyTime > 0):
		return fmt.Errorf("%s sends no response: leave Status, Header, Body, NoBody, DelayAfter and BodyTime unset", one.Kind)
	case one.CutAfter > 0 && one.Kind != FaultNone && one.Kind != FaultResetAfter:
		return fmt.Errorf("a gateway cuts with a response or with FaultResetAfter, not with %s", one.Kind)
	}
	for _, earlier := range f.faults {
		if earlier.shadows(one) {
			return errShadowed
		}
	}
	for i := range before {
		if before[i].shadows(one) {
			return errShadowed
		}
	}
	return nil
}

var errShadowed = errors.New("can never happen, because an earlier fault applies to all its requests: " +
	"inject this one first, set Times of the earlier one, or call ClearFaults")

// shadows reports whether a fault happens to each request that a later one selects.
func (f *Fault) shadows(later *Fault) bool {
	always := f.Times == 0 && f.After == 0 && (f.Probability == 0 || f.Probability == 1) && f.Match == nil && f.Attempt == 0
	return always &&
		(f.Operation == "" || f.Operation == later.Operation) &&
		(f.ID == "" || world.IDKey(f.ID) == world.IDKey(later.ID)) &&
		(f.Page == 0 || f.Page == later.Page) &&
		strings.Contains(later.BodyContains, f.BodyContains) &&
		(f.Account == "" || strings.EqualFold(f.Account, later.Account))
}

// ClearFaults removes all faults.
func (f *Front) ClearFaults() {
	f.world.Lock()
	defer f.world.Unlock()
	f.faults = nil
}

// Happened returns the faults that are injected, and how often each has happened. The world is
// locked.
func (f *Front) Happened() (faults []Fault, happened []int) {
	for _, one := range f.faults {
		faults, happened = append(faults, one.Fault), append(happened, one.happened)
	}
	return faults, happened
}

// Pending returns the faults that are still to happen, as they would be injected now. The world is
// locked.
func (f *Front) Pending() (faults []Fault) {
	for _, one := range f.faults {
		left := one.Fault
		left.After -= one.passed
		left.Times = max(left.Times-one.happened, 0)
		hasHappened := one.Times > 0 && left.Times == 0
		if !hasHappened && !slices.ContainsFunc(faults, func(before Fault) bool { return before.shadows(&left) }) {
			faults = append(faults, left)
		}
	}
	return faults
}

package front

import (
	"fmt"
	"maps"
	"net/http"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Counts are how many requests arrived, and what was carried out.
type Counts struct {
	Requests, Unexpected int
	Arrived, Executed    map[string]int // by operation
}

// Counts returns what was counted. The world is locked.
func (f *Front) Counts() Counts {
	j := &f.journal
	return Counts{j.total, len(j.unexpected.list), maps.Clone(j.counts), maps.Clone(j.executed)}
}

// Requests returns the requests that arrived, in order.
func (f *Front) Requests() []Request {
	f.world.Lock()
	defer f.world.Unlock()
	return f.journal.requests.copies()
}

// Unexpected returns the requests that the service refused, in order.
func (f *Front) Unexpected() []Request {
	f.world.Lock()
	defer f.world.Unlock()
	return f.journal.unexpected.copies()
}

// Count returns how many requests of an operation arrived, and of "" how many at all. It refuses an
// operation that does not exist and never arrived.
func (f *Front) Count(operation string) (int, error) {
	f.world.Lock()
	defer f.world.Unlock()
	if operation == "" {
		return f.journal.total, nil
	}
	n, seen := f.journal.counts[operation]
	if seen {
		return n, nil
	}
	return 0, f.Know(operation)
}

// Executed returns how often an operation was carried out. It refuses one that only reads.
func (f *Front) Executed(operation string) (int, error) {
	f.world.Lock()
	defer f.world.Unlock()
	return f.journal.executed[operation], f.knowChange(operation)
}

// knowChange refuses an operation that does not exist, and one that changes nothing.
func (f *Front) knowChange(operation string) error {
	if err := f.Know(operation); err != nil {
		return err
	}
	if method, _, _ := strings.Cut(operation, " "); method == http.MethodGet || method == http.MethodHead {
		return fmt.Errorf("%s changes nothing, so it is never counted as executed: use Count", operation)
	}
	return nil
}

// ExecutedOn is Executed for one subject.
func (f *Front) ExecutedOn(operation, subject string) (int, error) {
	f.world.Lock()
	defer f.world.Unlock()
	return f.journal.subjects.of(executionOn(operation, subject)), f.knowChange(operation)
}

// ForgetRequests forgets the requests and all counts.
func (f *Front) ForgetRequests() {
	f.world.Lock()
	defer f.world.Unlock()
	f.journal = newJournal(f.Recording, f.world.Retention.Most)
}

// LimitRoute gives an operation a limit of its own besides the common one.
func (f *Front) LimitRoute(operation string, limit monitoring.RateLimit) error {
	if err := VetLimit(limit); err != nil {
		return err
	}
	if err := f.Know(operation); err != nil {
		return err
	}
	f.world.Lock()
	defer f.world.Unlock()
	f.limits.routes[operation] = newLimit(limit, SlidingLog)
	return nil
}

package world

import (
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// SessionSpec is a session that a test adds. What its members mean stands at
// monitoringtest.Session.
type SessionSpec struct {
	ID           string
	CheckID      string
	Name         string
	Type         monitoring.CheckType
	Locations    []string
	StartedAt    time.Time
	Duration     time.Duration
	Outcome      monitoring.CheckSessionStatus
	Progress     monitoring.CheckSessionStatus
	FailIn       []string
	Attempts     int
	ResponseTime time.Duration
	Error        string
	HasErrors    bool
	Result       map[string]any
	VisibleAfter time.Duration
	RunSource    monitoring.RunSource
}

// Session is a session of the account. Its state at a moment follows from its plan and
// from when its runs were canceled; nothing else changes it.
type Session struct {
	Spec    SessionSpec
	link    string
	begins  time.Time // when its runs begin: after its start if they queue
	visible time.Time // when reads find it
	runID   int64
	runs    []*run
	changed chan struct{} // closed and replaced when it is canceled
	check   *Check        // its end counts for the alerts of this check; nil for none
	heapAt  int           // its index in unsettled
	test    *TestSession  // of which it is a run; nil for a session of a check
	heavy   int           // how many bytes its result and its error have
	gone    bool          // its results were forgotten
	noted   bool          // whether its error is noted in a group of test sessions
}

// run is the part of a session in one location.
type run struct {
	location  string
	sequence  string
	planned   time.Time // when its last attempt ends
	results   []string  // the ids of its attempts
	waits     bool      // for an agent: it has begun, and goes on when there is one
	cancelled time.Time // when it is canceled, perhaps in the future; zero: never
	added     []added   // to each result that has something; never changed, but replaced
}

// added is what a test has added to a result.
type added struct {
	set    map[string]any // what SetResult set; nil for nothing
	assets []monitoring.CheckResultAsset
}

// of returns what was added to the result of an attempt.
func (r *run) of(attempt int) (a added) {
	if attempt < len(r.added) {
		return r.added[attempt]
	}
	return a
}

// add adds something to the result of an attempt.
func (r *run) add(attempt int, a added) {
	all := make([]added, len(r.results))
	copy(all, r.added)
	all[attempt] = a
	r.added = all
}

// timeHeap is a heap of moments; the earliest is on top.
type timeHeap []time.Time

func (h timeHeap) Len() int { return len(h) }

func (h timeHeap) Less(i, j int) bool { return h[i].Before(h[j]) }

func (h timeHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *timeHeap) Push(x any) { *h = append(*h, x.(time.Time)) }

func (h *timeHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// resultRef is an attempt of a session, found by the id of its result.
type resultRef struct {
	session *Session
	run     *run
	attempt int
}

// sessionHeap holds sessions, the one that ends first on top. Of several that end at the same
// moment it is the one that was added first.
type sessionHeap []*Session

func (h sessionHeap) Len() int { return len(h) }

func (h sessionHeap) Less(i, j int) bool {
	if c := h[i].End().Compare(h[j].End()); c != 0 {
		return c < 0
	}
	return h[i].runID < h[j].runID
}

func (h sessionHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].heapAt, h[j].heapAt = i, j
}

func (h *sessionHeap) Push(x any) {
	one := x.(*Session)
	one.heapAt = len(*h)
	*h = append(*h, one)
}

func (h *sessionHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	old[len(old)-1] = nil
	*h, x.heapAt = old[:len(old)-1], -1
	return x
}

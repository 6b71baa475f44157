package limiter

import (
	"container/heap"
	"math/rand/v2"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// kind is a kind of waiters, in the order in which they are served. An attempt whose response
// would probably be late becomes hopeless.
type kind int

const (
	urgent       kind = iota // ordinary, with a deadline soon
	patient                  // ordinary, without one
	polling                  // long polls
	inBackground             // background attempts
	hopeless                 // too late for a response before the deadline
	kinds
)

// floors says that each kind gets at least one of this many places while it waits; 0 for none.
// Below: the kinds before it wait. Above: it starves ("classes").
var floors = [kinds]int{patient: 5, polling: 10, inBackground: 20}

// A place of a patient attempt counts this many times for polls, so they get one of four, once
// patient attempts have waited for pollsPatience without a break: callers in a loop never leave the
// line, and reads do, who would stand in it if polls had so much. With a smaller count waits beside
// jobs take minutes; with a larger one jobs get less ("waits"). With less patience reads that come
// by chance together wait for polls ("waits: five reads"); with more, waits beside jobs are seen
// later.
const (
	pollsBesidePatient = 3
	pollsPatience      = 5 * time.Second
)

// line has the waiting attempts that share the same limits: those of one route, or all
// others, which have the common limit only.
type line struct {
	pattern route.Pattern // of a limit that was set
	known   bool          // the limit was set; otherwise it was learned from 429s
	pacer   *pacer        // nil if they have the common limit only
	used    time.Time     // the last time an attempt had this line
	queues  [kinds]queue
	waiters int
}

// waiter is an attempt that waits for a place.
type waiter struct {
	attempt Attempt
	line    *line
	onPlace func() // is called when it gets its place

	asked    time.Time
	arrived  int64         // its number
	patience time.Duration // until its deadline; 0: it has none
	latest   time.Time     // the latest moment to start; zero: there is none
	kind     kind
	key      int64 // the least one of its kind is served first
	index    int   // in its queue

	place time.Time // when it got its place; zero: not yet
	taken taken
}

// taken is what a place took of the limits it is in.
type taken struct {
	of      [2]*pacer // the second one is nil without a limit of the route
	tickets [2]ticket
}

// queue is a heap of waiters of one kind.
type queue []*waiter

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].key < q[j].key }
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *queue) Push(x any) {
	w := x.(*waiter)
	w.index = len(*q)
	*q = append(*q, w)
}

func (q *queue) Pop() any {
	last := len(*q) - 1
	w := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return w
}

// setKind sets the kind of a new waiter. Urgent ones are served by the latest moment to start, as
// a time since an epoch, because a wall clock may be set back. Others are served in order.
func (w *waiter) setKind(epoch time.Time) {
	w.key = w.arrived
	switch {
	case w.attempt.Class == Poll:
		w.kind = polling
	case w.attempt.Class == Background:
		w.kind = inBackground
	case w.patience == 0 || w.patience > urgentWithin:
		w.kind = patient
	default:
		w.kind, w.key = urgent, int64(w.latest.Sub(epoch)-rand.N(dither))
	}
}

func (l *line) remove(w *waiter) { heap.Remove(&l.queues[w.kind], w.index) }

// first returns the waiter of a kind that is served first, or nil. It moves those that are too late
// by now to the hopeless ones, which are served youngest first.
func (l *line) first(k kind, now time.Time) *waiter {
	for q := &l.queues[k]; len(*q) > 0; {
		w := (*q)[0]
		if k == hopeless || w.latest.IsZero() || now.Before(w.latest) {
			return w
		}
		l.remove(w)
		w.kind, w.key = hopeless, -w.arrived
		heap.Push(&l.queues[hopeless], w)
	}
	return nil
}

package limiter

import (
	"container/heap"
	"container/list"
	"time"

	"golang.org/x/time/rate"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// line has the waiting attempts that share the same limits: those of one route, or all
// others, which have the common limit only.
type line struct {
	pattern  route.Pattern
	pacer    *pacer // nil if they have the common limit only
	known    bool   // the limit of the route was set; otherwise it was learned from 429s
	ordinary placeQueue
	waiting  list.List
	waiters  int
}

// queued is an attempt that waits for a place.
type queued struct {
	granted chan struct{}
	line    *line
	attempt Attempt
	number  uint64 // in the order of arrival

	deadline time.Time // zero: none
	late     time.Time // from then on the time is too short for a slow response
	hopeless time.Time // from then on the time is too short for any response

	in    *list.List // the list in which it waits
	at    *list.Element
	index int // in the heap of the line; -1: not in it

	place  time.Time // when it was given its place; zero: not yet
	tokens [2]*rate.Reservation
}

// placeQueue is the order in which the ordinary attempts of a line are served: first come,
// first served, among those that have ample time for a response. If there are none, the
// one with the most time left goes: its response is the most likely to be in time. Those
// with too little time for a response get a place only if no other attempt can use it and
// half of the burst is there.
type placeQueue struct {
	ready list.List // in the order of arrival
	tight list.List // in the order in which they became late; the last one has the most time left
	lost  list.List
	due   dueHeap // those of ready that have a deadline
}

func (q *placeQueue) add(w *queued) {
	w.index = -1
	w.put(&q.ready)
	if !w.deadline.IsZero() {
		heap.Push(&q.due, w)
	}
}

// put moves a waiter to the end of a list.
func (w *queued) put(l *list.List) {
	if w.in != nil {
		w.in.Remove(w.at)
	}
	w.in, w.at = l, l.PushBack(w)
}

func (q *placeQueue) remove(w *queued) {
	w.in.Remove(w.at)
	if w.index >= 0 {
		heap.Remove(&q.due, w.index)
	}
}

// advance moves the waiters that are late by now to tight, and the hopeless ones to lost.
func (q *placeQueue) advance(now time.Time) {
	for len(q.due) > 0 && !now.Before(q.due[0].late) {
		heap.Pop(&q.due).(*queued).put(&q.tight)
	}
	for e := q.tight.Back(); e != nil && !now.Before(e.Value.(*queued).hopeless); e = q.tight.Back() {
		e.Value.(*queued).put(&q.lost)
	}
}

// first is the waiter to be served next; nil if there are none, or only lost ones.
func (q *placeQueue) first() *queued {
	if e := q.ready.Front(); e != nil {
		return e.Value.(*queued)
	}
	if e := q.tight.Back(); e != nil {
		return e.Value.(*queued)
	}
	return nil
}

// dueHeap orders waiters by the time at which they become late.
type dueHeap []*queued

func (h dueHeap) Len() int           { return len(h) }
func (h dueHeap) Less(i, j int) bool { return h[i].late.Before(h[j].late) }
func (h dueHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *dueHeap) Push(x any) {
	w := x.(*queued)
	w.index = len(*h)
	*h = append(*h, w)
}

func (h *dueHeap) Pop() any {
	last := len(*h) - 1
	w := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	w.index = -1
	return w
}

// setTimes computes until when a waiter can be served, from the estimated time of a
// response.
func (w *queued) setTimes(now, deadline time.Time, response time.Duration) {
	need := response + response/8 + 5*time.Millisecond
	ample := max(need, min(2*response+20*time.Millisecond, deadline.Sub(now)/2))
	w.deadline, w.hopeless, w.late = deadline, deadline.Add(-need), deadline.Add(-ample)
}

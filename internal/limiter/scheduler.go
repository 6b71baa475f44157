package limiter

import (
	"container/heap"
	"math"
	"net/http"
	"slices"
	"time"

	"golang.org/x/time/rate"
)

// scheduler decides which attempt gets the next place, and when. It has no clock and no lock:
// whoever calls it says what time it is.
type scheduler struct {
	common *pacer
	epoch  time.Time
	others line // attempts that have the common limit only
	routes routes
	blame  blame
	known  operations
	polls  *rate.Limiter // of polls with a share

	arrived int64
	waiters int
	polling int        // those of them that are polls
	lines   []*line    // those in which attempts wait
	crowded time.Time  // since then patient attempts have waited without a break; zero: none waits
	passed  [kinds]int // places of others since a kind got one, while it waited
}

func newScheduler(limit Rate, now time.Time) *scheduler {
	common := newPacer(limit, now)
	return &scheduler{common: common, epoch: now, polls: rate.NewLimiter(rate.Limit(common.even()), limit.AtOnce())}
}

// ask asks for a place for an attempt. If there is one now it returns nil. Otherwise it returns a
// waiter, which gets its place in dispatch. The deadline may be zero.
func (s *scheduler) ask(now time.Time, a Attempt, deadline time.Time) *waiter {
	l := s.lineOf(a.Operation, now)
	if s.waiters == 0 && s.free(l, a, now) {
		s.take(l, a, now)
		return nil
	}
	s.arrived++
	w := &waiter{attempt: a, asked: now, arrived: s.arrived}
	if !deadline.IsZero() && a.Class != Poll {
		w.patience = deadline.Sub(now)
		w.latest = deadline.Add(-s.probably(a.Operation, now))
	}
	w.setKind(s.epoch)
	s.join(l, w)
	return w
}

// probably is the time within which a response probably comes; 0 if nothing is known.
func (s *scheduler) probably(operation string, now time.Time) time.Duration {
	if d := s.known.of(operation).times.probably(now); d > 0 {
		return d
	}
	return s.common.times.probably(now)
}

// join puts a waiter into a line.
func (s *scheduler) join(l *line, w *waiter) {
	if l.waiters == 0 {
		s.lines = append(s.lines, l)
	}
	l.waiters++
	s.waiters++
	if w.kind == polling {
		s.polling++
	}
	w.line = l
	heap.Push(&l.queues[w.kind], w)
}

// leave removes a waiter that has no place yet.
func (s *scheduler) leave(w *waiter) {
	w.line.remove(w)
	s.waiters--
	if w.kind == polling {
		s.polling--
	}
	if w.line.waiters--; w.line.waiters == 0 {
		at := slices.Index(s.lines, w.line)
		s.lines = slices.Delete(s.lines, at, at+1)
	}
}

// giveBack returns the place of a waiter that does not use it.
func (s *scheduler) giveBack(w *waiter) {
	for i, p := range w.taken.of {
		if p != nil {
			p.giveBack(w.place, w.taken.tickets[i])
		}
	}
}

// dispatch gives out the places there are, and returns the time until there may be the next one
// for a waiter; 0 if none waits.
func (s *scheduler) dispatch(now time.Time) time.Duration {
	defer s.want(now)
	for s.waiters > 0 {
		w, wait := s.next(now)
		if w == nil {
			return wait
		}
		s.leave(w)
		w.place, w.taken = now, s.take(w.line, w.attempt, now)
		w.onPlace()
	}
	return 0
}

// next returns the waiter that gets a place now, or nil and the time until one may.
func (s *scheduler) next(now time.Time) (*waiter, time.Duration) {
	var first [kinds]*waiter
	wait := time.Duration(math.MaxInt64)
	for _, l := range s.lines {
		if l.pacer != nil {
			if until := l.pacer.until(now, 0, attempts); until > 0 {
				wait = min(wait, until)
				continue
			}
		}
		for k := range kinds { // hopeless is the last one
			if w := l.first(k, now); w != nil && (first[k] == nil || w.key < first[k].key) {
				first[k] = w
			}
		}
	}
	if w := first[polling]; w != nil {
		if until := s.untilShare(w.attempt, now); until > 0 {
			first[polling], wait = nil, min(wait, until)
		}
	}
	if first[patient] == nil {
		s.crowded = time.Time{}
	} else if s.crowded.IsZero() {
		s.crowded = now
	}
	k := s.kindOf(&first)
	if k == kinds {
		return nil, wait
	}
	leaves := 0
	switch {
	case k == hopeless && first[k].asked.Before(now):
		leaves = s.common.bucket.Burst() - 1
	case (k == polling || k == inBackground) && s.passed[k] < floors[k]-1:
		leaves = s.common.reserve()
	}
	if until := s.common.until(now, leaves, s.demand()); until > 0 {
		return nil, min(wait, until)
	}
	for other := range kinds {
		switch {
		case first[other] == nil || other == k:
			s.passed[other] = 0
		case other == polling && k == patient && now.Sub(s.crowded) >= pollsPatience:
			s.passed[other] += pollsBesidePatient
		default:
			s.passed[other]++
		}
	}
	return first[k], 0
}

// want tells all sources for how many attempts they are wanted. An attempt that waits for a place
// in the limit of its route does not want one of the common limit yet.
func (s *scheduler) want(now time.Time) {
	if s.common.source == nil {
		return
	}
	for _, l := range s.routes.set {
		l.pacer.want(l.waiters, 0)
	}
	var n [kinds]int
	for _, l := range s.lines {
		most := math.MaxInt
		if l.pacer != nil && l.pacer.until(now, 0, attempts) > 0 {
			continue
		}
		if l.pacer != nil && l.pacer.source != nil {
			most = l.pacer.source.Places()
		}
		for k := range kinds {
			n[k] += min(most, len(l.queues[k]))
			most -= min(most, len(l.queues[k]))
		}
	}
	leaves, sum := 0, n[urgent]+n[patient]+n[polling]+n[inBackground]
	switch {
	case n[urgent]+n[patient] > 0:
	case sum > 0:
		leaves = s.common.limit.AtOnce() / 2
	case n[hopeless] > 0:
		leaves, sum = s.common.limit.AtOnce()-1, 1
	}
	s.common.want(sum, leaves)
}

// demand says who waits for the common limit. If only polls do, they come a little faster than the
// even pace, so that the first polls of many sessions are soon there. But they leave a quarter of
// the pace to others until places come back, and more if others took more lately.
func (s *scheduler) demand() demand {
	switch s.waiters {
	case 0:
		return nobody
	case s.polling:
		return onlyPolls
	}
	return attempts
}

// kindOf is the kind that is served next: one that was passed too often, or else the first one
// that waits.
func (s *scheduler) kindOf(first *[kinds]*waiter) kind {
	for k := patient; k < hopeless; k++ {
		if first[k] != nil && s.passed[k] >= floors[k]-1 {
			return k
		}
	}
	for k := range kinds {
		if first[k] != nil {
			return k
		}
	}
	return kinds
}

// free reports whether there is a place now for an attempt that need not wait.
func (s *scheduler) free(l *line, a Attempt, now time.Time) bool {
	leaves, who := 0, nobody
	if a.Class == Poll || a.Class == Background {
		leaves = s.common.reserve()
	}
	if a.Class == Poll {
		who = onlyPolls
	}
	return (l.pacer == nil || l.pacer.until(now, 0, nobody) == 0) &&
		(a.Class != Poll || s.untilShare(a, now) == 0) && s.common.until(now, leaves, who) == 0
}

// take takes a place that is there.
func (s *scheduler) take(l *line, a Attempt, now time.Time) taken {
	if a.Class == Poll {
		s.polls.ReserveN(now, 1)
	}
	t := taken{of: [2]*pacer{s.common, l.pacer}}
	for i, p := range t.of {
		if p != nil {
			t.tickets[i] = p.take(now, a.Class)
		}
	}
	return t
}

// untilShare is the time until the share of long polls has a place; 0 if it has one now.
func (s *scheduler) untilShare(a Attempt, now time.Time) time.Duration {
	if a.Share <= 0 || a.Share >= 1 {
		return 0
	}
	s.polls.SetBurstAt(now, max(1, int(float64(s.common.reserve())*a.Share)))
	s.polls.SetLimitAt(now, rate.Limit(s.common.even()*a.Share))
	missing := 1 - s.polls.TokensAt(now)
	if missing <= tokenError {
		return 0
	}
	return max(1, time.Duration(math.Ceil(missing/float64(s.polls.Limit())*float64(time.Second))))
}

// ended learns from the end of an attempt.
func (s *scheduler) ended(now time.Time, a Attempt, o Outcome) {
	sent := now.Add(-o.Duration)
	l := s.lineOf(a.Operation, now)
	switch o.StatusCode {
	case 0:
	case http.StatusTooManyRequests:
		s.refused(l, a.Operation, now, sent, o.RetryAfter)
	default:
		s.known.of(a.Operation).tally.add(now, 1, 0)
		s.common.learned.responded(now, sent)
		if l.pacer != nil {
			l.pacer.learned.responded(now, sent)
		}
	}
	if a.Class != Poll {
		s.learnTime(l, a.Operation, now, o)
	}
}

// refused records a 429 for the limit that it concerns: that of the route, or the common
// one.
func (s *scheduler) refused(l *line, operation string, now, sent time.Time, retryAfter time.Duration) {
	if l.known {
		l.pacer.refused(now, sent, retryAfter)
		return
	}
	o := s.known.of(operation)
	o.tally.add(now, 0, 1)
	if s.blame.refused(operation, now) && !s.known.alone(o, now) {
		if l.pacer != nil { // the limit of the route was not the reason
			l.pacer.learned = newLearned(s.common.even(), s.common.limit.Per, now)
			l.pacer.learned.route = true
		}
		s.common.refused(now, sent, retryAfter)
		return
	}
	if l.pacer == nil {
		l = &line{pacer: newLearningPacer(s.common, now)}
		o.learned = l
		s.move(operation, l)
	}
	l.pacer.refused(now, sent, retryAfter)
}

// move moves the waiters of an operation into a line of their own.
func (s *scheduler) move(operation string, to *line) {
	for k := range kinds {
		for _, w := range slices.Clone(s.others.queues[k]) {
			if w.attempt.Operation == operation {
				s.leave(w)
				s.join(to, w)
			}
		}
	}
}

// learnTime records how long a response took. An attempt without a response shows only that
// a response takes longer.
func (s *scheduler) learnTime(l *line, operation string, now time.Time, o Outcome) {
	took := o.Duration
	if o.StatusCode == 0 {
		if took <= s.probably(operation, now) {
			return // it shows nothing
		}
		s.known.of(operation).times.add(now, max(unanswered*took, unansweredLeast))
		return
	}
	if l.pacer != nil {
		l.pacer.times.add(now, took)
	}
	s.common.times.add(now, took)
	s.known.of(operation).times.add(now, took)
}

// lineOf finds the line of an operation.
func (s *scheduler) lineOf(name string, now time.Time) *line {
	o := s.known.of(name)
	if o.asOf != s.routes.changes {
		o.asOf, o.set = s.routes.changes, s.routes.find(name)
	}
	if o.set != nil {
		o.set.used = now
		return o.set
	}
	if l := o.learned; l != nil {
		if l.waiters > 0 || !l.pacer.learned.forgotten(now) {
			return l
		}
		o.learned = nil
	}
	return &s.others
}

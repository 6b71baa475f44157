package monitoringtest

import (
	"container/heap"
	"slices"
	"time"
)

// tick does what depends on the clock alone: it forgets old data and adds demo data.
func (s *Service) tick(now time.Time) {
	s.settle(now)
	s.forgetSessions(now)
	s.forgetAlerts(now)
	if s.demo {
		s.tickDemo(now)
	}
}

// forgetSessions forgets the oldest sessions if there are too many, and those at the front
// that ended long ago. There may be a fifth more than allowed before it forgets some, so
// that this does not happen for each new session.
func (s *Service) forgetSessions(now time.Time) {
	if s.retention.age == 0 {
		return
	}
	n := 0
	if most := s.retention.most; len(s.sessions) >= most+most/5+1 {
		n = len(s.sessions) - most
	}
	for n < len(s.sessions) && now.Sub(s.sessions[n].end()) > s.retention.age {
		n++
	}
	for _, x := range s.sessions[:n] {
		delete(s.sessionsByID, x.spec.ID)
		s.forgetResults(x)
	}
	s.sessions = slices.Delete(s.sessions, 0, n)
}

// forgetResults forgets the results of a session, and that its end has consequences.
func (s *state) forgetResults(x *session) {
	if x.heapAt >= 0 {
		heap.Remove(&s.unsettled, x.heapAt)
	}
	for _, r := range x.runs {
		for _, id := range r.results {
			delete(s.resultsByID, id)
		}
	}
}

// forgetAlerts is forgetSessions for alert notifications.
func (s *Service) forgetAlerts(now time.Time) {
	if s.retention.age == 0 {
		return
	}
	n := 0
	if most := s.retention.most; len(s.alerts.items) >= most+most/5+1 {
		n = len(s.alerts.items) - most
	}
	for n < len(s.alerts.items) && now.Sub(s.alerts.items[n].at) > s.retention.age {
		n++
	}
	s.alerts.items = slices.Delete(s.alerts.items, 0, n)
}

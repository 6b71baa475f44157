package monitoringtest

import (
	"container/heap"
	"time"
)

// tick moves what moves by itself: it forgets what is old, and goes on with demo data.
func (s *Service) tick(now time.Time) {
	if s.retention.age > 0 {
		s.settle(now)
		s.forgetSessions(now)
		s.forgetAlerts(now)
	}
	if s.demo {
		s.tickDemo(now)
	}
}

// forgetSessions forgets the oldest sessions when there are too many, a fifth more than
// there may be so that it is not done for each, and those in front that ended long ago.
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
	for i, x := range s.sessions[:n] {
		delete(s.sessionsByID, x.spec.ID)
		if x.heapAt >= 0 {
			heap.Remove(&s.unsettled, x.heapAt)
		}
		for _, r := range x.runs {
			for _, id := range r.results {
				delete(s.resultsByID, id)
			}
		}
		s.sessions[i] = nil
	}
	s.sessions = s.sessions[n:]
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
	clear(s.alerts.items[:n])
	s.alerts.items = s.alerts.items[n:]
}

package limiter

import "time"

// State is the state of an account at one moment.
type State struct {
	// Limit is the common limit.
	Limit Rate
	// Places is how many ordinary attempts could be sent at once now. It is 0 in a pause.
	Places int
	// PausedUntil is the end of the pause after a 429, or the zero Time.
	PausedUntil time.Time
	// Share is the part of the limit that is used, less than 1 after 429s.
	Share float64
	// Waiters is how many attempts wait for a place, also in the limits of routes.
	Waiters int
	// Classes is how many attempts of each Class wait.
	Classes [classes]int
	// Routes are the limits of routes: those that were set, and then those that were refused alone.
	Routes []RouteState
}

// RouteState is the state of the limit of a route. The fields are those of State.
type RouteState struct {
	Operation   string
	Limit       Rate // the zero Rate if it is not known
	Places      int
	PausedUntil time.Time
	Share       float64
	Waiters     int
}

// state is the state now. The routes are in the order in which they are looked for.
func (s *scheduler) state(now time.Time) State {
	state := State{Limit: s.common.limit, Waiters: s.waiters}
	state.Places = s.common.places(now, s.demand())
	state.PausedUntil = s.common.pausedUntil(now)
	state.Share = s.common.learned.share
	for _, l := range s.lines {
		state.Classes[Background] += len(l.queues[inBackground])
	}
	state.Classes[Poll] = s.polling
	state.Classes[Ordinary] = s.waiters - state.Classes[Background] - state.Classes[Poll]
	add := func(name string, limit Rate, l *line) {
		who := nobody
		if l.waiters > 0 {
			who = attempts
		}
		state.Routes = append(state.Routes, RouteState{
			Operation: name, Limit: limit, Waiters: l.waiters, Places: l.pacer.places(now, who),
			PausedUntil: l.pacer.pausedUntil(now), Share: l.pacer.learned.share,
		})
	}
	for _, l := range s.routes.set {
		add(l.pattern.Operation, l.pacer.limit, l)
	}
	for e := s.known.order.Front(); e != nil; e = e.Next() {
		if o := e.Value.(*operation); o.learned != nil && !o.learned.pacer.learned.forgotten(now) {
			add(o.name, Rate{}, o.learned)
		}
	}
	return state
}

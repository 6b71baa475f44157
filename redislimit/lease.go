package redislimit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go"
)

// place is a place of a process. Its name is that of the process with the number.
type place struct {
	number int64
	at     float64
	told   bool // Redis knows that it was used, or will be, at this time
}

// lease has the places of this process in one limit. Times are milliseconds of Redis's clock. The
// lock is that of the limiter.
type lease struct {
	*Limiter
	keys    []string
	limit   monitoring.RateLimit
	burst   int
	window  float64
	even    float64 // the time of a place, if the whole limit is used evenly
	changed func(monitoring.SupplyNews)

	attempts, leaves int // that are wanted
	share            float64
	paused           time.Time // the end of a pause that is not told yet

	held []place // not used yet, the next one first
	used []place // in the last window
	back []int64 // given back, not told yet
	next int64   // the next name
	last float64 // the time of the last place

	busy  bool // a command is under way
	timer *time.Timer
	asked time.Time // when the last command was sent
	again time.Time // not before, if it brought nothing
	waits bool      // Redis expects the next one when the lease is used up

	clock     clock
	seen      float64 // what Redis told last
	era, cuts int64
	programs  int
	alone     float64   // until then processes go on alone, because data was lost
	line      []float64 // the times of nine places of the window
	lineAt    float64   // when that was
	count     int       // the places of the window then
	spent     int       // those that processes have probably used alone since then
}

// supply makes the leases of a limiter.
type supply struct{ *Limiter }

func (s supply) Source(operation string, limit monitoring.RateLimit, changed func(monitoring.SupplyNews)) monitoring.PlaceSource {
	name := fmt.Sprintf("{%s}:%s:%d/%s:", s.key, operation, limit.Requests, limit.Per)
	l := &lease{
		Limiter: s.Limiter, limit: limit, burst: limit.Burst, changed: changed, share: 1, programs: s.processes,
		keys:   []string{name + "places", name + "waiting", name + "heard", name + "state"},
		window: ms(limit.Per + slack(limit.Per)), clock: clock{epoch: time.Now()},
	}
	if l.even = l.window / float64(limit.Requests); l.burst == 0 {
		l.burst = max(1, limit.Requests/6)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leases = append(s.leases, l)
	return l
}

func (l *lease) Want(attempts, leaves int, share float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.attempts, l.leaves, l.share = attempts, leaves, share
	l.plan()
}

func (l *lease) Until() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	l.drop(now)
	if len(l.held) > 0 {
		return duration(l.held[0].at - now)
	}
	if l.onItsOwn(now) {
		return duration(l.own(now) - now)
	}
	return math.MaxInt64
}

func (l *lease) Take() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	p := place{number: l.next, at: now}
	if len(l.held) > 0 {
		p = l.held[0]
		l.held = l.held[1:]
		if now-p.at > late {
			p.at, p.told = now, false
		}
	} else {
		l.next++
		l.spent += l.programs
		l.last = max(now, l.last)
		if l.era == 0 && len(l.used) == 0 { // processes that began together part ways
			l.last += rand.Float64() * l.even * float64(l.programs)
		}
	}
	l.used = append(l.used, p)
	l.plan()
	return p.number
}

// GiveBack lets another attempt have the place for a while.
func (l *lease) GiveBack(number int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.used, func(p place) bool { return p.number == number }); i >= 0 {
		l.held = slices.Insert(l.held, 0, l.used[i])
		l.used = slices.Delete(l.used, i, i+1)
	}
	l.plan()
}

func (l *lease) Places() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	for _, p := range l.held {
		if p.at <= now {
			n++
		}
	}
	if n == 0 && l.onItsOwn(now) && l.own(now) <= now {
		n = 1
	}
	return n
}

func (l *lease) Refused(until time.Time, share float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.paused, l.share = until, share
	l.plan()
}

func (l *lease) now() float64 { return l.clock.redis(time.Now()) }

// onItsOwn reports whether the process makes its places itself: the lease is used up, and Redis is
// away or has lost what was used.
func (l *lease) onItsOwn(now float64) bool {
	return len(l.held) == 0 && (l.away || now < l.alone)
}

// own is when the next place is that the process makes itself: its part of the pace of all, as if
// the lease went on. A burst that all have used is paid back until its places come back.
func (l *lease) own(now float64) float64 {
	n := float64(l.programs)
	step := n * l.even
	if l.last == 0 {
		l.last = now - step
		if l.programs > l.limit.Requests { // not all of them may begin at once
			l.last += rand.Float64() * step
		}
	}
	for i, at := range l.line {
		if leaves := at + l.window - max(l.last, l.lineAt); leaves > step {
			free := l.limit.Requests - l.count - l.spent + i*(l.count-1)/8 + 1
			step = max(step, min(leaves, n*leaves/max(1, float64(free))))
		}
	}
	return l.last + step/l.share
}

// drop gives back the places that were not used in time, and forgets those that are in no window
// any more.
func (l *lease) drop(now float64) {
	for len(l.held) > 0 && now-l.held[0].at > l.hold() {
		l.back = append(l.back, l.held[0].number)
		l.held = l.held[1:]
	}
	l.used = slices.DeleteFunc(l.used, func(p place) bool { return now-p.at > l.window })
}

// untold are the places of which Redis does not know when they are used.
func (l *lease) untold() []place {
	return slices.DeleteFunc(slices.Concat(l.used, l.held), func(p place) bool { return p.told })
}

// plan sets the timer for the next command.
func (l *lease) plan() {
	now := l.now()
	l.drop(now)
	if l.busy || l.closed {
		return
	}
	at, missing := math.Inf(1), l.attempts-len(l.held)
	switch {
	case missing > 0 && len(l.held) > 0: // so that the reply is there in time
		at = l.held[len(l.held)-1].at - 1.5*l.clock.usual - 10
	case missing > 0:
		at = max(l.alone, l.clock.redis(l.again))
	case l.waits:
		at = l.last + idle
	}
	if len(l.held) > 0 && l.attempts == 0 {
		at = min(at, l.held[0].at+l.hold())
	}
	asked := l.clock.redis(l.asked)
	if len(l.back) > 0 || len(l.untold()) > 0 {
		at = min(at, asked+idle)
	}
	if !l.paused.IsZero() {
		at = now
	}
	if l.away {
		at = max(at, asked+retry)
	}
	wait := duration(min(at-now, ms(time.Hour)))
	if l.timer == nil {
		l.timer = time.AfterFunc(wait, l.ask)
		return
	}
	l.timer.Reset(wait)
}

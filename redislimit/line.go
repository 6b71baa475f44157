package redislimit

import (
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/limiter"
	"github.com/monitoring-api/monitoring-go/internal/route"
)

// line is a queue of waiting attempts: of a route with a limit of its own, or of all other
// routes. A place in the limit of a route is a place in the common limit as well.
type line struct {
	name    string // "" for the common limit
	pattern route.Pattern
	limit   monitoring.RateLimit

	waiting []*waiter // in the order of arrival
	passed  int       // ordinary attempts served since the last long poll, while one waited

	held     []place // from Redis, not used yet, in order
	returned []int64 // not used in time; on the way to the ledger
	used     [uses]time.Time
	next     int // index in used of the next entry
	asked    bool

	ownNext time.Time // when the next place of the local share may be taken

	pause pause
	paces []paced // how fast the fleet may take places without Redis, as Redis said last
	share float64
}

// place is a place that Redis has given to this process.
type place struct {
	at          int64 // by Redis's clock
	from, until time.Time
}

// paced is a pace of the whole fleet, in places per second, from a time on.
type paced struct {
	from time.Time
	pace float64
}

// pause is the pause after a 429.
type pause struct {
	until   time.Time
	strikes int
	news    *refusal // the 429 that Redis does not know of yet
}

func newLine(name string, pattern route.Pattern, limit monitoring.RateLimit) *line {
	return &line{name: name, pattern: pattern, limit: limit, share: 1}
}

// grace is how long after its time a place may be used.
func grace(limit monitoring.RateLimit) time.Duration {
	return min(graceLongest, max(graceShortest, limit.Per/gracePart))
}

// window returns the length of the window in which places count: the window of the limit,
// the grace, and a reserve because requests take different times to arrive. So no window of
// the service sees more than the limit.
func window(limit monitoring.RateLimit) time.Duration {
	slack := max(limit.Per/slackLeast, min(slackLongest, limit.Per/slackMost))
	return min(limit.Per, longest) + grace(limit) + min(slack, longest)
}

func burst(limit monitoring.RateLimit) int { return limiter.Rate(limit).AtOnce() }

// expire moves places that are too old to be used from held to returned.
func (l *line) expire(now time.Time) {
	l.held = slices.DeleteFunc(l.held, func(p place) bool {
		if now.After(p.until) {
			l.returned = append(l.returned, p.at)
			return true
		}
		return false
	})
}

// giveUpHeld moves all held places to returned.
func (l *line) giveUpHeld() {
	for _, p := range l.held {
		l.returned = append(l.returned, p.at)
	}
	l.held = nil
}

// hold adds places that Redis has given to this process.
func (l *line) hold(places []place) {
	l.held = append(l.held, places...)
	slices.SortStableFunc(l.held, func(a, b place) int { return a.from.Compare(b.from) })
}

// spacing returns the time between two places of the local share. While the window still
// contains places from Redis, the spacing is wide enough that they fit into the window, too.
func (l *line) spacing(now time.Time, processes int) time.Duration {
	window := window(l.limit)
	each := float64(l.limit.Requests) / float64(processes)
	if each > 1 {
		each = float64(l.limit.Requests / processes)
	}
	gap := window.Seconds() / each
	gap = max(gap, min(window.Seconds(), l.after(now, float64(processes)).Sub(now).Seconds()))
	return time.Duration(min(gap/l.brake(now), longest.Seconds()) * float64(time.Second))
}

// after returns the time by which the fleet may have taken this many places from now on, if
// there is room now.
func (l *line) after(now time.Time, places float64) time.Time {
	for i, p := range l.paces {
		if i+1 < len(l.paces) {
			most := p.pace * l.paces[i+1].from.Sub(now).Seconds()
			if most < places {
				places -= max(0, most)
				now = later(now, l.paces[i+1].from)
				continue
			}
		}
		return now.Add(time.Duration(min(places/p.pace, longest.Seconds()) * float64(time.Second)))
	}
	return now
}

// brake returns the factor by which refusals have reduced the local share, from 0 to 1. After a
// window without one they are forgotten.
func (l *line) brake(now time.Time) float64 {
	if now.Sub(l.pause.until) > window(l.limit) {
		l.share, l.pause.strikes = 1, 0
	}
	return l.share
}

// refused records a 429 to an attempt, given when the attempt was sent.
func (l *line) refused(now, sent time.Time, after time.Duration) {
	if after < 0 || after > limiter.AbsurdRetryAfter {
		after = 0
	}
	l.giveUpHeld()
	l.pause.news = &refusal{
		After: ms(after), Age: ms(now.Sub(sent)), First: ms(pauseFirst), Most: ms(pauseMost), Cut: cut, Least: shareLeast,
	}
	if !sent.After(l.pause.until) && !l.pause.until.IsZero() { // the attempt was sent before the pause ended
		l.pause.until = later(l.pause.until, now.Add(after))
		return
	}
	l.brake(now)
	if after == 0 {
		after = min(pauseMost, pauseFirst<<min(l.pause.strikes, 30))
	}
	l.pause.strikes++
	l.share = max(shareLeast, l.share*(1-cut))
	l.pause.until = now.Add(after)
}

// use records that a place was used.
func (l *line) use(now time.Time) {
	l.used[l.next] = now
	l.next = (l.next + 1) % uses
}

// usedSince returns how many of the remembered places were used since a time.
func (l *line) usedSince(since time.Time) (n int) {
	for _, t := range l.used {
		if t.After(since) {
			n++
		}
	}
	return n
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

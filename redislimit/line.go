package redislimit

import (
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/route"
)

// line is where attempts wait: those of a route with a limit of its own, or all others. A
// place of a route's line is one in the common limit at the same time.
type line struct {
	name    string // "" for the common limit
	pattern route.Pattern
	limit   monitoring.RateLimit

	waiting []*waiter // in the order of arrival
	passed  int       // ordinary attempts since a long poll went, while one waited

	held     []place // from Redis, not used yet, in order
	returned []int64 // not used in time; Redis may have them back
	used     [uses]time.Time
	next     int // in used
	asked    bool

	// With the local share:
	own     int       // places taken since Redis was told
	ownNext time.Time // when the next one may be taken

	pause   pause
	pace    float64 // of the fleet, in places per second, as Redis said last; 0: unknown
	pacedAt time.Time
	share   float64
}

// uses is how many of the last places a line remembers, to ask for as many in advance.
const uses = 256

// place is a place that Redis has dealt.
type place struct {
	at          int64 // by Redis's clock
	from, until time.Time
}

// pause is what a 429 brings about.
type pause struct {
	until   time.Time
	strikes int
	news    *refusal // not yet told to Redis
}

func newLine(name string, pattern route.Pattern, limit monitoring.RateLimit) *line {
	return &line{name: name, pattern: pattern, limit: limit, share: 1}
}

// grace is how long after its time a place may be used.
func grace(limit monitoring.RateLimit) time.Duration {
	return min(750*time.Millisecond, max(100*time.Millisecond, limit.Per/40))
}

// window is the length of the window in which places count: that of the limit, the grace,
// and a slack for requests that travel differently long. Then no window of the service
// sees more than the limit.
func window(limit monitoring.RateLimit) time.Duration {
	slack := max(limit.Per/75, min(250*time.Millisecond, limit.Per/10))
	return min(limit.Per, longest) + grace(limit) + min(slack, longest)
}

// longest keeps sums of times from overflowing.
const longest = 100 * 365 * 24 * time.Hour

func burst(limit monitoring.RateLimit) int {
	if limit.Burst > 0 {
		return limit.Burst
	}
	return max(1, limit.Requests/6)
}

// expire puts the places that nobody may use any more with those to return.
func (l *line) expire(now time.Time) {
	l.held = slices.DeleteFunc(l.held, func(p place) bool {
		if now.After(p.until) {
			l.returned = append(l.returned, p.at)
			return true
		}
		return false
	})
}

// giveUpHeld returns all places.
func (l *line) giveUpHeld() {
	for _, p := range l.held {
		l.returned = append(l.returned, p.at)
	}
	l.held = nil
}

// hold takes places in that Redis has dealt.
func (l *line) hold(places []place) {
	l.held = append(l.held, places...)
	slices.SortStableFunc(l.held, func(a, b place) int { return a.from.Compare(b.from) })
}

// spacing is the time between two places of the local share. As long as places that Redis
// has dealt are in the window, its pace keeps the window from running over.
func (l *line) spacing(now time.Time, processes int) time.Duration {
	window := window(l.limit)
	each := float64(l.limit.Requests) / float64(processes)
	if each > 1 {
		each = float64(l.limit.Requests / processes)
	}
	gap := window.Seconds() / each
	if l.pace > 0 && now.Sub(l.pacedAt) < window {
		gap = max(gap, min(window.Seconds(), float64(processes)/l.pace))
	}
	return time.Duration(min(gap/l.brake(now), longest.Seconds()) * float64(time.Second))
}

// brake is the part of the local share that is left after refusals.
func (l *line) brake(now time.Time) float64 {
	if now.Sub(l.pause.until) > window(l.limit) {
		l.share = 1
	}
	return l.share
}

// refused notes a 429 to an attempt that was sent at a time.
func (l *line) refused(now, sent time.Time, after time.Duration) {
	if after < 0 || after > time.Hour {
		after = 0
	}
	l.giveUpHeld()
	l.pause.news = &refusal{After: ms(after), Age: ms(now.Sub(sent))}
	if !sent.After(l.pause.until) && !l.pause.until.IsZero() { // it was on its way when the pause began
		l.pause.until = later(l.pause.until, now.Add(after))
		return
	}
	if now.Sub(l.pause.until) > window(l.limit) {
		l.pause.strikes = 0
	}
	if after == 0 {
		after = min(30*time.Second, time.Second<<min(l.pause.strikes, 5))
	}
	l.pause.strikes++
	l.share = max(0.05, l.share*0.8)
	l.pause.until = now.Add(after)
}

// use notes that a place was used.
func (l *line) use(now time.Time) {
	l.used[l.next] = now
	l.next = (l.next + 1) % uses
}

// usedSince is how many places were used since a time, as far as is remembered.
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

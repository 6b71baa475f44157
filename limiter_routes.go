package monitoring

import (
	"container/list"
	"fmt"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// line is where attempts wait that share a limit besides the common one: those of one
// route, or all others.
type line struct {
	pattern  route.Pattern
	pacer    *pacer // nil for the line of those that have the common limit only
	known    bool   // the limit of the route was told; else it was learned from 429s
	ordinary placeQueue
	waiting  list.List
	waiters  int
}

// routes holds the lines of routes: those whose limit is known, and those that were
// refused.
type routes struct {
	known   []*line // the last one told is found first
	learned map[string]*line
}

// mostLearned bounds the memory for operations that were refused.
const mostLearned = 256

// set gives a route a limit.
func (r *routes) set(operation string, limit RateLimit, now time.Time) error {
	pattern, err := route.Parse(operation)
	if err != nil {
		return err
	}
	if err := limit.check(); err != nil {
		return fmt.Errorf("route %q: %w", operation, err)
	}
	for i, known := range r.known {
		if known.pattern.Operation != operation {
			continue
		}
		if known.pacer.limit != limit {
			known.pacer = newPacer(limit, now) // whoever waits, waits for the new one
		}
		copy(r.known[1:i+1], r.known[:i])
		r.known[0] = known
		return nil
	}
	r.known = append([]*line{{pattern: pattern, known: true, pacer: newPacer(limit, now)}}, r.known...)
	return nil
}

// find finds the line of an operation, or nil.
func (r *routes) find(operation string, now time.Time) *line {
	for _, l := range r.known {
		if l.pattern.Matches(operation) {
			return l
		}
	}
	l := r.learned[operation]
	if l != nil && l.waiters == 0 && l.forgotten(now) {
		delete(r.learned, operation)
		return nil
	}
	return l
}

// forgotten reports whether nothing of what was learned is left.
func (l *line) forgotten(now time.Time) bool {
	l.pacer.learned.grow(now)
	return l.pacer.learned.share == 1 && l.pacer.learned.hold(now) <= 0 && now.Sub(l.pacer.learned.until) > growCalm
}

// learn makes a line for an operation that was refused; nil when there are too many.
func (r *routes) learn(operation string, common *pacer, now time.Time) *line {
	if len(r.learned) >= mostLearned {
		for name := range r.learned {
			r.find(name, now)
		}
		if len(r.learned) >= mostLearned {
			return nil
		}
	}
	l := &line{pacer: newLearningPacer(common, now)}
	if r.learned == nil {
		r.learned = make(map[string]*line)
	}
	r.learned[operation] = l
	return l
}

// blame tells refusals of one route from those of the account.
type blame struct {
	last    string    // the operation that was refused last
	when    time.Time // it was
	account time.Time // when two operations were refused together
	alone   int       // refusals of last in a row, while others went well
	others  bool      // one went well since
}

const (
	blameTogether = 2 * time.Second
	blameAccount  = 5 * time.Minute
	blameAlone    = 3
)

// refused notes a 429 of an operation and reports whether it is the account's. It is, as
// long as nothing is known to the contrary, when another operation is refused about the
// same time, and then for some minutes, unless always the same one is refused and others go
// through in between.
func (b *blame) refused(operation string, now time.Time) bool {
	if operation == "" {
		return true
	}
	if operation == b.last && b.others {
		b.alone++
	} else if operation != b.last {
		b.alone = 0
		if b.last != "" && now.Sub(b.when) <= blameTogether {
			b.account = now
		}
	}
	b.last, b.when, b.others = operation, now, false
	if b.alone >= blameAlone {
		b.account = time.Time{}
	}
	return !b.account.IsZero() && now.Sub(b.account) <= blameAccount
}

func (b *blame) responded(operation string) {
	if operation != b.last {
		b.others = true
	}
}

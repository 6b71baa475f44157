package limiter

import (
	"fmt"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// routes has the lines of routes: those whose limit is known, and those that were refused.
type routes struct {
	known   []*line // the limit that was set last comes first
	learned map[string]*line
}

// mostLearned bounds the memory for operations that were refused.
const mostLearned = 256

// set gives a route a limit.
func (r *routes) set(operation string, limit Rate, now time.Time) error {
	pattern, err := route.Parse(operation)
	if err != nil {
		return err
	}
	if err := limit.Check(); err != nil {
		return fmt.Errorf("route %q: %w", operation, err)
	}
	for i, known := range r.known {
		if known.pattern.Operation != operation {
			continue
		}
		if known.pacer.limit != limit {
			known.pacer = newPacer(limit, now) // waiting attempts use the new one
		}
		copy(r.known[1:i+1], r.known[:i])
		r.known[0] = known
		return nil
	}
	r.known = append([]*line{{pattern: pattern, known: true, pacer: newPacer(limit, now)}}, r.known...)
	return nil
}

// find finds the line of an operation, or nil. It removes the line if nothing of what was learned
// is left.
func (r *routes) find(operation string, now time.Time) *line {
	for _, l := range r.known {
		if l.pattern.Matches(operation) {
			return l
		}
	}
	l := r.learned[operation]
	if l == nil || l.waiters > 0 {
		return l
	}
	l.pacer.learned.grow(now)
	if l.pacer.learned.forgotten(now) {
		delete(r.learned, operation)
		return nil
	}
	return l
}

// learn makes a line for an operation that was refused; nil if there are too many.
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

// blame decides whether refusals concern one route or the account.
type blame struct {
	last    string    // the operation that was refused last
	when    time.Time // the time of that refusal
	account time.Time // when two operations were last refused together
	alone   int       // refusals of last in a row, while others were not refused
	others  bool      // another operation was not refused since
}

const (
	blameTogether = 2 * time.Second
	blameAccount  = 5 * time.Minute
	blameAlone    = 3
)

// refused records a 429 of an operation and reports whether it concerns the account. It does
// if another operation was refused within blameTogether, and then for blameAccount. It no
// longer does after the same operation was refused blameAlone times more, while others were
// not refused. A refusal without an operation always concerns the account.
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

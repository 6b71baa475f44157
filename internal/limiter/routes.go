package limiter

import (
	"container/list"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// routes has the lines of the routes whose limit was set.
type routes struct {
	set     []*line // the one that was set last comes first
	changes int
}

// limit gives a route a limit. A new one is given to supplied.
func (r *routes) limit(operation string, limit Rate, now time.Time, supplied func(string, *pacer)) error {
	pattern, err := route.Parse(operation)
	if err != nil {
		return err
	}
	if err := limit.Check(); err != nil {
		return fmt.Errorf("route %q: %w", operation, err)
	}
	l := &line{pattern: pattern, known: true, pacer: newPacer(limit, now)}
	if i := slices.IndexFunc(r.set, func(l *line) bool { return l.pattern.Operation == operation }); i >= 0 {
		if r.set[i].pacer.limit != l.pacer.limit { // waiting attempts use the new one
			supplied(operation, l.pacer)
			r.set[i].pacer.want(0, 0)
			r.set[i].pacer = l.pacer
		}
		l = r.set[i]
		r.set = slices.Delete(r.set, i, i+1)
	} else {
		supplied(operation, l.pacer)
	}
	l.used = now
	r.set = slices.Insert(r.set, 0, l)
	r.changes++
	if len(r.set) > mostRoutes {
		r.forget()
	}
	return nil
}

// forget forgets the route that was not used for the longest time.
func (r *routes) forget() {
	oldest := 0
	for i, l := range r.set {
		if l.used.Before(r.set[oldest].used) {
			oldest = i
		}
	}
	r.set = slices.Delete(r.set, oldest, oldest+1)
}

func (r *routes) find(operation string) *line {
	for _, l := range r.set {
		if l.pattern.Matches(operation) {
			return l
		}
	}
	return nil
}

// operation is what is known of an operation.
type operation struct {
	name    string
	times   responseTimes
	tally   tally
	learned *line // of a route that was refused, whose limit is not known
	set     *line // of the route whose limit was set, or nil,
	asOf    int   // after so many changes of routes
}

// operations remembers the operations that were used last.
type operations struct {
	byName map[string]*list.Element
	order  list.List // of *operation, the one that was used last comes first
}

// of returns what is known of an operation. It forgets the one that was not used for the longest
// time if there are too many.
func (o *operations) of(name string) *operation {
	if e := o.byName[name]; e != nil {
		o.order.MoveToFront(e)
		return e.Value.(*operation)
	}
	if o.byName == nil {
		o.byName = make(map[string]*list.Element)
	}
	for o.order.Len() >= mostOperations {
		delete(o.byName, o.order.Remove(o.order.Back()).(*operation).name)
	}
	op := &operation{name: name, asOf: -1}
	o.byName[name] = o.order.PushFront(op)
	return op
}

// blame decides whether refusals concern one route or the account. A refusal concerns the account
// if another operation was refused within blameTogether, and then for blameAccount.
type blame struct {
	last    string    // the operation that was refused last
	when    time.Time // the time of that refusal
	account time.Time // when two operations were last refused together
}

// refused records a 429 of an operation and reports whether it concerns the account. A refusal
// without an operation always does.
func (b *blame) refused(operation string, now time.Time) bool {
	if operation == "" {
		return true
	}
	if operation != b.last && b.last != "" && now.Sub(b.when) <= blameTogether {
		b.account = now
	}
	b.last, b.when = operation, now
	return !b.account.IsZero() && now.Sub(b.account) <= blameAccount
}

// alone reports whether an operation has a limit of its own, whatever else is refused. An account
// that is used up refuses all operations alike. So an operation is alone if others are refused far
// less, by blameTimes, and either a part of what others had answered, one of blameSpared, was of
// these, or one of them alone would have been refused blameProof times by now. Not all others have
// to be: some routes may have limits of their own, too.
func (o *operations) alone(op *operation, now time.Time) bool {
	op.tally.add(now, 0, 0)
	others, spared, proof := 0.0, 0.0, 0.0
	for e := o.order.Front(); e != nil; e = e.Next() {
		other := e.Value.(*operation)
		if other == op {
			continue
		}
		other.tally.add(now, 0, 0)
		others += other.tally.answered
		if other.tally.part()*blameTimes <= op.tally.part() {
			spared += other.tally.answered
			proof = max(proof, other.tally.sum()*op.tally.part())
		}
	}
	return op.name != "" && spared > 0 && (spared*blameSpared >= others || proof >= blameProof)
}

// tally counts how many attempts were answered and refused in about the last minutes.
type tally struct {
	answered, refused float64
	at                time.Time
}

func (t *tally) add(now time.Time, answered, refused float64) {
	left := math.Exp(-now.Sub(t.at).Seconds() / blameMemory.Seconds())
	t.answered, t.refused, t.at = t.answered*left+answered, t.refused*left+refused, now
}

func (t *tally) sum() float64 { return t.answered + t.refused }

// part is the part of the attempts that was refused; 0 if there were none.
func (t *tally) part() float64 { return t.refused / max(t.sum(), math.SmallestNonzeroFloat64) }

package monitoring

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// These tests check what VariablesService.All promises, with a model of a list that changes
// between requests: all changes of small lists, and random changes of larger ones.

// brokenPromise makes one run and says which part of the promise is broken; "" if none is.
func (w *world) brokenPromise(ahead int) string {
	yielded, missing, err := w.walkFrom(w.first, ahead)
	pages := len(yielded)/w.limit + w.made/w.limit + 2
	switch {
	case err != nil && !w.total && w.random != nil && strings.Contains(err.Error(), "ignores the page"):
		return "" // allowed after many additions if there is no total
	case err != nil:
		return fmt.Sprintf("error %v", err)
	case twice(yielded):
		return fmt.Sprintf("an item is yielded twice: %v", yielded)
	case missing && (w.random == nil || w.shrinks == 0):
		return "pages were not read again"
	case w.requests > 2*pages+moreRereads:
		return fmt.Sprintf("%d requests for %d pages", w.requests, pages)
	}
	if item := w.lost(yielded); item >= 0 && !missing {
		return fmt.Sprintf("item %d is lost: %v", item, yielded)
	}
	return ""
}

// promises are the cases of the promise.
var promises = []struct {
	name   string
	total  bool
	ahead  int
	twice  int // small lists with up to this many items change twice, others once
	change func(*world)
}{
	{"with a total, items only added or only removed between two requests", true, 0, 6, (*world).onlyAddOrRemove},
	{"without a total, no items removed from pages that were read", false, 0, 3, func(w *world) {
		if w.choose(2) == 0 {
			w.removeAny(w.read * w.limit)
		}
		if w.choose(2) == 0 {
			w.addAnywhere()
		}
	}},
	{"one page ahead of a list that only grows", true, 1, 2, (*world).addAnywhere},
	{"two pages ahead of a list that only grows", true, 2, 0, (*world).addAnywhere},
	{"one page ahead of a list that only shrinks", true, 1, 6, func(w *world) { w.removeAny(0) }},
	{"three pages ahead of a list that only shrinks", true, 3, 3, func(w *world) { w.removeAny(0) }},
}

func TestThePromiseOfAllHoldsForAllChangesOfSmallLists(t *testing.T) {
	skipUnderRace(t)
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			runs := 0
			for items := range 7 {
				for limit := 1; limit <= 3; limit++ {
					for first := 1; first <= 2; first++ {
						changes := 2
						if items > p.twice {
							changes = 1
						}
						if p.ahead > 1 && limit == 1 && items > 4 {
							continue // pages can overtake each other in too many ways
						}
						w := &world{chooser: &chooser{}, items: items, limit: limit, first: first, changes: changes, total: p.total, change: p.change}
						for again := true; again; again = w.more() {
							runs++
							w.reset(0)
							if broken := w.brokenPromise(p.ahead); broken != "" {
								require.FailNow(t, broken, w.String())
							}
						}
					}
				}
			}
			t.Logf("%d runs", runs)
		})
	}
}

func TestThePromiseOfAllHoldsForRandomChangesOfLargerLists(t *testing.T) {
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			for range 4000 {
				w := &world{
					chooser: &chooser{random: random}, items: random.IntN(60), limit: 1 + random.IntN(7),
					first: 1 + random.IntN(3), changes: random.IntN(12), total: p.total, change: p.change,
				}
				w.reset(0)
				if broken := w.brokenPromise(p.ahead); broken != "" {
					require.FailNow(t, broken, w.String())
				}
			}
		})
	}
}

// TestThePromiseOfAllNeedsItsConditions shows that each condition is necessary: without it an
// item can be lost.
func TestThePromiseOfAllNeedsItsConditions(t *testing.T) {
	addAndRemove := func(w *world) {
		w.removeAny(0)
		w.addAnywhere()
	}
	for _, c := range []struct {
		name   string
		total  bool
		ahead  int
		change func(*world)
	}{
		{"items added and removed between two requests", true, 0, addAndRemove},
		{"without a total, items removed from pages that were read", false, 0, (*world).onlyAddOrRemove},
		{"a list that grows and shrinks, read ahead", true, 1, (*world).onlyAddOrRemove},
		{"without a total, a list that only grows, read ahead", false, 2, (*world).addAnywhere},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &world{chooser: &chooser{}, items: 4, limit: 2, first: 1, changes: 2, total: c.total, change: c.change}
			for again := true; again; again = w.more() {
				w.reset(0)
				yielded, _, err := w.walkFrom(1, c.ahead)
				require.NoError(t, err)
				require.False(t, twice(yielded), "no item is ever yielded twice")
				if w.lost(yielded) >= 0 {
					t.Logf("%s: %v", w, yielded)
					return
				}
			}
			t.Error("no item was lost: the condition is not necessary")
		})
	}
}

func TestResumingAtThePageOfTheErrorLosesNothing(t *testing.T) {
	skipUnderRace(t)
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			resumed := 0
			for items := range 6 {
				for limit := 1; limit <= 3; limit++ {
					w := &world{chooser: &chooser{}, items: items, limit: limit, first: 1 + items%2, changes: 1, total: p.total, change: p.change}
					for again := true; again; again = w.more() {
						w.reset(1)
						yielded, _, err := w.walkFrom(w.first, p.ahead)
						if err != nil {
							if len(w.list) < len(w.states[w.served]) {
								continue // it shrank after the last response
							}
							resumed++
							failed, ok := errors.AsType[*PageError](err)
							if !ok || !errors.Is(err, errModel) || failed.Page < w.first { // require takes as long as a run
								require.FailNow(t, err.Error(), w.String())
							}
							rest, _, err := w.walkFrom(failed.Page, p.ahead)
							if err != nil {
								require.FailNow(t, err.Error(), w.String())
							}
							yielded = append(yielded, rest...)
						}
						if item := w.lost(yielded); item >= 0 {
							require.FailNow(t, fmt.Sprintf("item %d is lost: %v", item, yielded), w.String())
						}
					}
				}
			}
			require.Greater(t, resumed, 100)
		})
	}
}

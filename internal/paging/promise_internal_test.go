package paging

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// These tests check the promise of the package with a model of a list that changes between
// requests: all changes of small lists, and random changes of larger ones.

// brokenPromise makes one run and says which part of the promise is broken; "" if none is.
func (m *model) brokenPromise(ahead int) string {
	yielded, missing, err := m.walkFrom(m.first, ahead)
	pages := len(yielded)/m.limit + m.made/m.limit + 2
	switch {
	case err != nil && !m.total && m.random != nil && strings.Contains(err.Error(), "ignores the page"):
		return "" // allowed after many additions if there is no total
	case err != nil:
		return fmt.Sprintf("error %v", err)
	case twice(yielded):
		return fmt.Sprintf("an item is yielded twice: %v", yielded)
	case missing && (m.random == nil || m.shrinks == 0):
		return "pages were not read again"
	case m.requests > 2*pages+moreRereads:
		return fmt.Sprintf("%d requests for %d pages", m.requests, pages)
	}
	if item := m.lost(yielded); item >= 0 && !missing {
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
	change func(*model)
}{
	{"with a total, items only added or only removed between two requests", true, 0, 6, (*model).onlyAddOrRemove},
	{"without a total, no items removed from pages that were read", false, 0, 3, func(m *model) {
		if m.choose(2) == 0 {
			m.removeAny(m.read * m.limit)
		}
		if m.choose(2) == 0 {
			m.addAnywhere()
		}
	}},
	{"one page ahead of a list that only grows", true, 1, 2, (*model).addAnywhere},
	{"two pages ahead of a list that only grows", true, 2, 0, (*model).addAnywhere},
	{"one page ahead of a list that only shrinks", true, 1, 6, func(m *model) { m.removeAny(0) }},
	{"three pages ahead of a list that only shrinks", true, 3, 3, func(m *model) { m.removeAny(0) }},
}

func TestThePromiseOfAWalkHoldsForAllChangesOfSmallLists(t *testing.T) {
	testkit.SkipUnderRace(t)
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
						m := &model{chooser: &chooser{}, items: items, limit: limit, first: first, changes: changes, total: p.total, change: p.change}
						for again := true; again; again = m.more() {
							runs++
							m.reset(0)
							if broken := m.brokenPromise(p.ahead); broken != "" {
								require.FailNow(t, broken, m.String())
							}
						}
					}
				}
			}
			t.Logf("%d runs", runs)
		})
	}
}

func TestThePromiseOfAWalkHoldsForRandomChangesOfLargerLists(t *testing.T) {
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			for range 1000 {
				m := &model{
					chooser: &chooser{random: random}, items: random.IntN(60), limit: 1 + random.IntN(7),
					first: 1 + random.IntN(3), changes: random.IntN(12), total: p.total, change: p.change,
				}
				m.reset(0)
				if broken := m.brokenPromise(p.ahead); broken != "" {
					require.FailNow(t, broken, m.String())
				}
			}
		})
	}
}

// TestThePromiseOfAWalkNeedsItsConditions shows that each condition is necessary: without it an
// item can be lost.
func TestThePromiseOfAWalkNeedsItsConditions(t *testing.T) {
	addAndRemove := func(m *model) {
		m.removeAny(0)
		m.addAnywhere()
	}
	for _, c := range []struct {
		name   string
		total  bool
		ahead  int
		change func(*model)
	}{
		{"items added and removed between two requests", true, 0, addAndRemove},
		{"without a total, items removed from pages that were read", false, 0, (*model).onlyAddOrRemove},
		{"a list that grows and shrinks, read ahead", true, 1, (*model).onlyAddOrRemove},
		{"without a total, a list that only grows, read ahead", false, 2, (*model).addAnywhere},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &model{chooser: &chooser{}, items: 4, limit: 2, first: 1, changes: 2, total: c.total, change: c.change}
			for again := true; again; again = m.more() {
				m.reset(0)
				yielded, _, err := m.walkFrom(1, c.ahead)
				require.NoError(t, err)
				require.False(t, twice(yielded), "no item is ever yielded twice")
				if m.lost(yielded) >= 0 {
					t.Logf("%s: %v", m, yielded)
					return
				}
			}
			t.Error("no item was lost: the condition is not necessary")
		})
	}
}

func TestResumingAtThePageOfTheErrorLosesNothing(t *testing.T) {
	testkit.SkipUnderRace(t)
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			resumed := 0
			for items := range 6 {
				for limit := 1; limit <= 3; limit++ {
					if p.ahead > 1 && limit == 1 && items > 3 {
						continue // pages can overtake each other in too many ways
					}
					m := &model{chooser: &chooser{}, items: items, limit: limit, first: 1 + items%2, changes: 1, total: p.total, change: p.change}
					for again := true; again; again = m.more() {
						m.reset(1)
						yielded, _, err := m.walkFrom(m.first, p.ahead)
						if err != nil {
							if len(m.list) < len(m.states[m.served]) {
								continue // it shrank after the last response
							}
							resumed++
							failed, ok := errors.AsType[*Error](err)
							if !ok || !errors.Is(err, errModel) || failed.Page < m.first { // require takes as long as a run
								require.FailNow(t, err.Error(), m.String())
							}
							rest, _, err := m.walkFrom(failed.Page, p.ahead)
							if err != nil {
								require.FailNow(t, err.Error(), m.String())
							}
							yielded = append(yielded, rest...)
						}
						if item := m.lost(yielded); item >= 0 {
							require.FailNow(t, fmt.Sprintf("item %d is lost: %v", item, yielded), m.String())
						}
					}
				}
			}
			require.Greater(t, resumed, 100)
		})
	}
}

package paging

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// This test checks the promise of the package with a model of a list that changes between requests.

// brokenPromise makes one run and says which part of the promise is broken; "" if none is. The
// first run may end at a request that fails, and another one then goes on.
func (m *model) brokenPromise(ahead int, failed *int) string {
	yielded, missing, err := m.walkFrom(m.first, ahead)
	if ended, ok := errors.AsType[*Error](err); ok && errors.Is(err, errModel) && ended.Page >= m.first {
		if len(m.list) < len(m.states[m.served]) {
			return "" // it shrank after the last response
		}
		*failed++
		var rest []int
		rest, missing, err = m.walkFrom(ended.Page, ahead)
		yielded = append(yielded, rest...)
	} else if twice(yielded) {
		return fmt.Sprintf("an item is yielded twice: %v", yielded)
	}
	pages := len(yielded)/m.limit + m.made/m.limit + 2
	switch {
	case err != nil:
		return fmt.Sprintf("error %v", err)
	case missing:
		return "pages were not read again"
	case m.requests > 2*pages+moreRereads:
		return fmt.Sprintf("%d requests for %d pages", m.requests, pages)
	}
	if item := m.lost(yielded); item >= 0 {
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
	{"one page ahead of a list that only grows", true, 1, 1, (*model).addAnywhere},
	{"two pages ahead of a list that only grows", true, 2, 0, (*model).addAnywhere},
	{"one page ahead of a list that only shrinks", true, 1, 6, func(m *model) { m.removeAny(0) }},
	{"three pages ahead of a list that only shrinks", true, 3, 3, func(m *model) { m.removeAny(0) }},
}

func TestThePromiseOfAWalkHoldsForAllChangesOfSmallLists(t *testing.T) {
	for _, p := range promises {
		for failures := range 2 {
			t.Run(fmt.Sprintf("%s, %d failures", p.name, failures), func(t *testing.T) {
				runs, failed := 0, 0
				for items := range 6 - failures {
					for limit := 1; limit <= 3; limit++ {
						changes := 2
						if items > p.twice || failures > 0 {
							changes = 1
						}
						if p.ahead > 1 && limit == 1 && items > 3 {
							continue // pages can overtake each other in too many ways
						}
						m := &model{items: items, limit: limit, first: 1 + items%2, changes: changes, total: p.total, change: p.change}
						for again := true; again; again = m.more() {
							runs++
							m.reset(failures)
							if broken := m.brokenPromise(p.ahead, &failed); broken != "" {
								require.FailNow(t, broken, m.String())
							}
						}
					}
				}
				t.Logf("%d runs, %d failures", runs, failed)
				require.Equal(t, failures > 0, failed > 100)
			})
		}
	}
}

// chooser makes the choices of a run. Each run has another combination.
type chooser struct {
	script, sizes []int
	at            int
}

func (c *chooser) choose(n int) int {
	if c.at == len(c.script) {
		c.script, c.sizes = append(c.script, 0), append(c.sizes, n)
	}
	c.at++
	return c.script[c.at-1]
}

// more prepares the next run, with the next alternative of the last choice that has one. It
// returns false if there was none.
func (c *chooser) more() bool {
	c.at = 0
	for i := len(c.script) - 1; i >= 0; i-- {
		if c.script[i]++; c.script[i] < c.sizes[i] {
			c.script, c.sizes = c.script[:i+1], c.sizes[:i+1]
			return true
		}
	}
	return false
}

// model is a list that changes, and the service that returns it.
type model struct {
	chooser
	items, limit, first, changes int
	total                        bool
	change                       func(m *model) // called before some requests

	list     []int
	states   [][]int // all states of the list; the last one is the present one
	made     int     // number of items made so far
	left     int     // number of changes that may still happen
	read     int     // the last page that was read in order
	requests int
	failures int // number of failures that may still happen
	served   int // the index in states of the last page served
}

// add puts new items into the list.
func (m *model) add(at, n int) {
	for range n {
		m.list = slices.Insert(m.list, at, m.made)
		m.made++
	}
}

// onlyAddOrRemove adds or removes any items anywhere.
func (m *model) onlyAddOrRemove() {
	if m.choose(2) == 0 {
		m.addAnywhere()
	} else {
		m.removeAny(0)
	}
}

func (m *model) addAnywhere() {
	m.add(m.choose(len(m.list)+1), []int{1, m.limit, 2*m.limit + 1}[m.choose(3)])
}

// removeAny removes items from a position on: any of them if there are at most four, and
// otherwise consecutive ones.
func (m *model) removeAny(from int) {
	n := len(m.list) - from
	if n <= 0 {
		return
	}
	if n > 4 {
		at := m.choose(n)
		m.list = slices.Delete(m.list, from+at, from+at+1+m.choose(n-at))
	} else {
		for set, at := 1+m.choose(1<<n-1), from; set > 0; set >>= 1 {
			if set&1 == 1 {
				m.list = slices.Delete(m.list, at, at+1)
			} else {
				at++
			}
		}
	}
}

// request may change the list, or reports that the request fails. After a failure the list does
// not change any more.
func (m *model) request() (fails bool) {
	m.requests++
	if m.failures > 0 && m.choose(2) == 1 {
		m.failures, m.left, fails = 0, 0, true
	}
	if m.requests > 1 && m.left > 0 && m.choose(2) == 1 {
		m.left--
		m.list = slices.Clone(m.list)
		m.change(m)
	}
	m.states = append(m.states, m.list)
	return fails
}

var errModel = errors.New("the request failed")

// serve returns a page of a state of the list.
func (m *model) serve(state, number int, fails bool) (*Page, error) {
	if fails {
		return nil, errModel
	}
	list := m.states[state]
	m.served = state
	begin := min((number-1)*m.limit, len(list))
	end := min(begin+m.limit, len(list))
	page := &Page{Items: new(slices.Clone(list[begin:end])), Number: number, Limit: m.limit, More: end-begin == m.limit}
	if m.total {
		page.Total, page.More = new(len(list)), end > begin && end < len(list)
	}
	ids := make([]string, len(numbers(page)))
	for i, item := range numbers(page) {
		ids[i] = modelIDs[item]
	}
	page.Identify(ids, nil)
	return page, nil
}

var modelIDs = func() (ids [5000]string) {
	for i := range ids {
		ids[i] = strconv.Itoa(i)
	}
	return ids
}()

// reset restores the first state of the list.
func (m *model) reset(failures int) {
	m.list, m.made = make([]int, m.items, m.items+8), m.items
	for i := range m.list {
		m.list[i] = i
	}
	m.states, m.left, m.read, m.requests, m.failures, m.served = nil, m.changes, 0, 0, failures, 0
}

// walkFrom reads the list, one page after the other or with the given read-ahead.
func (m *model) walkFrom(first, ahead int) (yielded []int, missing bool, err error) {
	fetch := func(_ context.Context, at At) (*Page, error) {
		fails := m.request()
		return m.serve(len(m.states)-1, at.Number, fails)
	}
	k := &walk{first: first, fetch: fetch, next: fetch, seen: make(map[string]struct{})}
	k.next = func(ctx context.Context, at At) (*Page, error) {
		page, err := fetch(ctx, at)
		m.read = at.Number
		return page, err
	}
	if ahead > 0 {
		var began []int // when each page was asked for
		k.ahead = true
		k.next = func(_ context.Context, at At) (*Page, error) {
			fails := m.request()
			now := len(m.states) - 1
			began = append(began, now)
			earliest := began[max(len(began)-1-ahead, 0)]
			return m.serve(earliest+m.choose(now-earliest+1), at.Number, fails)
		}
	}
	k.run(context.Background(), "", func(page *Page, e error) bool {
		if err = e; page != nil {
			yielded, missing = append(yielded, numbers(page)...), missing || page.MayMiss
		}
		return true
	})
	return yielded, missing, err
}

// lost returns an item that was not yielded although it was always in the list, on the first
// page to read or a later one. It is -1 if there is none.
func (m *model) lost(yielded []int) int {
	for _, item := range m.states[0] {
		if slices.Contains(yielded, item) {
			continue
		}
		if !slices.ContainsFunc(m.states, func(list []int) bool { return slices.Index(list, item) < (m.first-1)*m.limit }) {
			return item
		}
	}
	return -1
}

// twice reports whether an item was yielded twice.
func twice(yielded []int) bool {
	for i, item := range yielded {
		if slices.Contains(yielded[:i], item) {
			return true
		}
	}
	return false
}

func (m *model) String() string {
	return fmt.Sprintf("%d items, limit %d, from page %d, with a total: %t; the list at each request was %v", m.items, m.limit, m.first, m.total, m.states)
}

// numbers are the items of a page of the model.
func numbers(p *Page) []int { return *p.Items.(*[]int) }

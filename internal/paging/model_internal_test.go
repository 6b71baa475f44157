package paging

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// chooser makes the choices of a run. They are random, or each run has another combination.
type chooser struct {
	script, sizes []int
	at            int
	random        *rand.Rand
}

func (c *chooser) choose(n int) int {
	if c.random != nil {
		return c.random.IntN(n)
	}
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
	*chooser
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
	shrinks  int // number of changes that shrank the list
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
	if n > 4 || m.random != nil {
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
	m.shrinks++
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
func (m *model) serve(state, number int, fails bool) (*Page[int], error) {
	if fails {
		return nil, errModel
	}
	list := m.states[state]
	m.served = state
	begin := min((number-1)*m.limit, len(list))
	end := min(begin+m.limit, len(list))
	page := &Page[int]{Items: slices.Clone(list[begin:end]), Number: number, Limit: m.limit, More: end-begin == m.limit}
	if m.total {
		page.Total, page.More = new(len(list)), end > begin && end < len(list)
	}
	ids := make([]string, len(page.Items))
	for i, item := range page.Items {
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
	m.states, m.left, m.read, m.requests, m.shrinks, m.failures, m.served = nil, m.changes, 0, 0, 0, failures, 0
}

// walkFrom reads the list, one page after the other or with the given read-ahead.
func (m *model) walkFrom(first, ahead int) (yielded []int, missing bool, err error) {
	fetch := func(_ context.Context, at At) (*Page[int], error) {
		fails := m.request()
		return m.serve(len(m.states)-1, at.Number, fails)
	}
	k := &walk[int]{first: first, fetch: fetch, next: fetch, seen: make(map[string]struct{})}
	k.next = func(ctx context.Context, at At) (*Page[int], error) {
		page, err := fetch(ctx, at)
		m.read = at.Number
		return page, err
	}
	if ahead > 0 {
		var began []int // when each page was asked for
		k.ahead = true
		k.next = func(_ context.Context, at At) (*Page[int], error) {
			fails := m.request()
			now := len(m.states) - 1
			began = append(began, now)
			earliest := began[max(len(began)-1-ahead, 0)]
			return m.serve(earliest+m.choose(now-earliest+1), at.Number, fails)
		}
	}
	k.run(context.Background(), "", func(page *Page[int], e error) bool {
		if err = e; page != nil {
			yielded, missing = append(yielded, page.Items...), missing || page.MayMiss
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

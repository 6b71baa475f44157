package monitoring

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

// world is a list that changes, and the service that returns it.
type world struct {
	*chooser
	items, limit, first, changes int
	total                        bool
	change                       func(w *world) // called before some requests

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
func (w *world) add(at, n int) {
	for range n {
		w.list = slices.Insert(w.list, at, w.made)
		w.made++
	}
}

// onlyAddOrRemove adds or removes any items anywhere.
func (w *world) onlyAddOrRemove() {
	if w.choose(2) == 0 {
		w.addAnywhere()
	} else {
		w.removeAny(0)
	}
}

func (w *world) addAnywhere() {
	w.add(w.choose(len(w.list)+1), []int{1, w.limit, 2*w.limit + 1}[w.choose(3)])
}

// removeAny removes items from a position on: any of them if there are at most four, and
// otherwise consecutive ones.
func (w *world) removeAny(from int) {
	n := len(w.list) - from
	if n <= 0 {
		return
	}
	if n > 4 || w.random != nil {
		at := w.choose(n)
		w.list = slices.Delete(w.list, from+at, from+at+1+w.choose(n-at))
	} else {
		for set, at := 1+w.choose(1<<n-1), from; set > 0; set >>= 1 {
			if set&1 == 1 {
				w.list = slices.Delete(w.list, at, at+1)
			} else {
				at++
			}
		}
	}
	w.shrinks++
}

// request may change the list, or reports that the request fails. After a failure the list does
// not change any more.
func (w *world) request() (fails bool) {
	w.requests++
	if w.failures > 0 && w.choose(2) == 1 {
		w.failures, w.left, fails = 0, 0, true
	}
	if w.requests > 1 && w.left > 0 && w.choose(2) == 1 {
		w.left--
		w.list = slices.Clone(w.list)
		w.change(w)
	}
	w.states = append(w.states, w.list)
	return fails
}

var errModel = errors.New("the request failed")

// serve returns a page of a state of the list.
func (w *world) serve(state, number int, fails bool) (*Page[int], error) {
	if fails {
		return nil, errModel
	}
	list := w.states[state]
	w.served = state
	begin := min((number-1)*w.limit, len(list))
	end := min(begin+w.limit, len(list))
	page := &Page[int]{Items: slices.Clone(list[begin:end]), Page: number, Limit: w.limit, HasMore: end-begin == w.limit, print: 1}
	if w.total {
		page.Total, page.HasMore = new(len(list)), end > begin && end < len(list)
	}
	page.ids = make([]string, len(page.Items))
	for i, item := range page.Items {
		page.ids[i] = modelIDs[item]
		page.print = page.print*31 + uint64(item) + 1
	}
	return page, nil
}

var modelIDs = func() (ids [5000]string) {
	for i := range ids {
		ids[i] = strconv.Itoa(i)
	}
	return ids
}()

// reset restores the first state of the list.
func (w *world) reset(failures int) {
	w.list, w.made = make([]int, w.items, w.items+8), w.items
	for i := range w.list {
		w.list[i] = i
	}
	w.states, w.left, w.read, w.requests, w.shrinks, w.failures, w.served = nil, w.changes, 0, 0, 0, failures, 0
}

// walkFrom reads the list, one page after the other or with the given read-ahead.
func (w *world) walkFrom(first, ahead int) (yielded []int, missing bool, err error) {
	fetch := func(_ context.Context, number int) (*Page[int], error) {
		fails := w.request()
		return w.serve(len(w.states)-1, number, fails)
	}
	k := &walk[int]{first: first, fetch: fetch, next: fetch, seen: make(map[string]struct{})}
	k.next = func(ctx context.Context, number int) (*Page[int], error) {
		page, err := fetch(ctx, number)
		w.read = number
		return page, err
	}
	if ahead > 0 {
		var began []int // when each page was asked for
		k.ahead = true
		k.next = func(_ context.Context, number int) (*Page[int], error) {
			fails := w.request()
			now := len(w.states) - 1
			began = append(began, now)
			earliest := began[max(len(began)-1-ahead, 0)]
			return w.serve(earliest+w.choose(now-earliest+1), number, fails)
		}
	}
	k.run(context.Background(), func(page *Page[int], e error) bool {
		if err = e; page != nil {
			yielded, missing = append(yielded, page.Items...), missing || page.MayMissItems
		}
		return true
	})
	return yielded, missing, err
}

// lost returns an item that was not yielded although it was always in the list, on the first
// page to read or a later one. It is -1 if there is none.
func (w *world) lost(yielded []int) int {
	for _, item := range w.states[0] {
		if slices.Contains(yielded, item) {
			continue
		}
		if !slices.ContainsFunc(w.states, func(list []int) bool { return slices.Index(list, item) < (w.first-1)*w.limit }) {
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

func (w *world) String() string {
	return fmt.Sprintf("%d items, limit %d, from page %d, with a total: %t; the list at each request was %v", w.items, w.limit, w.first, w.total, w.states)
}

package monitoring

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// These tests check what VariablesService.All promises, with a model of a list that changes
// between requests: all changes of small lists, and random changes of larger ones.

// chooser makes the choices of a run: either all combinations, one per run, or random ones.
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

// more prepares the next run, in which the last choice that has alternatives is another one.
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
	told                         bool
	change                       func(w *world) // once in a while, before a request

	list     []int
	states   [][]int // all states of the list; the last one is the present one
	made     int     // number of items made so far
	left     int     // number of changes that may still happen
	read     int     // the last page that was read in order
	requests int
	failures int // number of failures that may still happen
	shrinks  int // number of changes that shrank the list
	served   int // the state that the last page showed
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

// request lets the list change, or not, and reports whether the request fails instead.
// After that the list changes no more.
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

var errModel = errors.New("unplugged")

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
	if w.told {
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

// lost returns an item that was in the list all the time, on the first page or a later one,
// and was not yielded; or -1.
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
	return fmt.Sprintf("%d items, limit %d, from page %d, told %t: the list at each request was %v", w.items, w.limit, w.first, w.told, w.states)
}

// hold makes one run and says which part of the promise is broken; "" if none is.
func (w *world) hold(ahead int) string {
	yielded, missing, err := w.walkFrom(w.first, ahead)
	pages := len(yielded)/w.limit + w.made/w.limit + 2
	switch {
	case err != nil && !w.told && w.random != nil && strings.Contains(err.Error(), "ignores the page"):
		return "" // as it may, after many additions that no total accounts for
	case err != nil:
		return fmt.Sprintf("error %v", err)
	case twice(yielded):
		return fmt.Sprintf("an item is yielded twice: %v", yielded)
	case missing && (w.random == nil || w.shrinks == 0):
		return "rereads came to an end"
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
	told   bool
	ahead  int
	twice  int // small lists with up to this many items change twice, larger ones once
	change func(*world)
}{
	{"the total is told, and items are only added or only removed between two requests", true, 0, 6, (*world).onlyAddOrRemove},
	{"no total is told, and no items are removed from pages that were read", false, 0, 3, func(w *world) {
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
						w := &world{chooser: &chooser{}, items: items, limit: limit, first: first, changes: changes, told: p.told, change: p.change}
						for again := true; again; again = w.more() {
							runs++
							w.reset(0)
							if broken := w.hold(p.ahead); broken != "" {
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
					first: 1 + random.IntN(3), changes: random.IntN(12), told: p.told, change: p.change,
				}
				w.reset(0)
				if broken := w.hold(p.ahead); broken != "" {
					require.FailNow(t, broken, w.String())
				}
			}
		})
	}
}

// TestThePromiseOfAllNeedsItsConditions finds lost items if a condition of the promise does not
// hold. So each condition is necessary.
func TestThePromiseOfAllNeedsItsConditions(t *testing.T) {
	addAndRemove := func(w *world) {
		w.removeAny(0)
		w.addAnywhere()
	}
	for _, c := range []struct {
		name   string
		told   bool
		ahead  int
		change func(*world)
	}{
		{"items added and removed between two requests", true, 0, addAndRemove},
		{"items removed from pages that were read, no total told", false, 0, (*world).onlyAddOrRemove},
		{"a list that grows and shrinks, read ahead", true, 1, (*world).onlyAddOrRemove},
		{"a list that only grows, read ahead, no total told", false, 2, (*world).addAnywhere},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &world{chooser: &chooser{}, items: 4, limit: 2, first: 1, changes: 2, told: c.told, change: c.change}
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
			t.Error("nothing is lost")
		})
	}
}

func TestResumingAtThePageOfTheErrorLosesNothing(t *testing.T) {
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			resumed := 0
			for items := range 6 {
				for limit := 1; limit <= 3; limit++ {
					w := &world{chooser: &chooser{}, items: items, limit: limit, first: 1 + items%2, changes: 1, told: p.told, change: p.change}
					for again := true; again; again = w.more() {
						w.reset(1)
						yielded, _, err := w.walkFrom(w.first, p.ahead)
						if err != nil {
							if len(w.list) < len(w.states[w.served]) {
								continue // it shrank after the last response
							}
							resumed++
							failed, ok := errors.AsType[*PageError](err)
							require.True(t, ok)
							require.ErrorIs(t, err, errModel)
							require.GreaterOrEqual(t, failed.Page, w.first)
							rest, _, err := w.walkFrom(failed.Page, p.ahead)
							require.NoError(t, err)
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

package paging

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// cut removes items from the front before the n-th page is made.
func cut(items map[int]int) func(*list, int, int) {
	return func(s *list, n, _ int) { s.keys = s.keys[items[n]:] }
}

func TestMorePagesAreReadAgainIfAPageWasShort(t *testing.T) {
	s := newList(60, 10, true)
	s.before = cut(map[int]int{4: 5})
	s.alter = func(number int, keys []string) []string {
		if number == 2 {
			return keys[:4] // so that five items can be all of page 3 and one of page 2
		}
		return keys
	}
	_, _, err := s.read(t, Options{})
	require.NoError(t, err)
	require.Equal(t, []int{1, 2, 3, 4, 3, 2, 5, 6}, s.pages)
}

type sourceFunc func(context.Context, At) (*Page, error)

func (f sourceFunc) Fetch(ctx context.Context, at At) (*Page, error) {
	return f(ctx, at)
}

func TestAPageThatIsTornEndsTheWalkAfterItsItems(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(*list, int, int)
		keys   int
		pages  []int
	}{
		{"in its turn", nil, 35, []int{1, 2, 3, 4}},
		{"when it is read again", cut(map[int]int{3: 11}), 20, []int{1, 2, 3, 2}},
	} {
		s, torn := newList(45, 10, true), errors.New("torn")
		s.before = c.before
		source := sourceFunc(func(ctx context.Context, at At) (*Page, error) {
			page, err := s.Fetch(ctx, at)
			if len(s.pages) == 4 {
				page.Torn = torn
				page.Retain(func(i int) bool { return i < 5 })
			}
			return page, err
		})
		var keys []string
		var errs []error
		for page, err := range Pages(t.Context(), source, Options{}) {
			if errs = append(errs, err); page != nil {
				keys = append(keys, texts(page)...)
			}
		}
		require.Len(t, keys, c.keys, c.name)
		require.Equal(t, c.pages, s.pages, c.name)
		last := errs[len(errs)-1].(*Error)
		require.Equal(t, torn, last.Err, c.name)
		require.LessOrEqual(t, last.Page, s.pages[3], c.name)
	}
}

// TestAnErrorNamesThePageToResumeAt also shows that the page is not earlier than needed. That
// nothing is lost is also tested with the model.
func TestAnErrorNamesThePageToResumeAt(t *testing.T) {
	for _, c := range []struct {
		name   string
		before func(*list, int, int)
		fails  int // the request that fails, counted from 1
		pages  []int
		resume int
	}{
		{"the page that failed", nil, 4, []int{1, 2, 3}, 4},
		{"pages that items have moved to", cut(map[int]int{6: 25}), 8, []int{1, 2, 3, 4, 5, 6, 5}, 3},
		{"pages that items moved to while it read again", cut(map[int]int{6: 5, 7: 15}), 9, []int{1, 2, 3, 4, 5, 6, 5, 4}, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newList(100, 10, true)
			s.before = c.before
			n := 0
			s.fail = func(int) error {
				if n++; n == c.fails {
					return errSource
				}
				return nil
			}
			first, _, err := s.read(t, Options{})
			require.Equal(t, &Error{Page: c.resume, Err: errSource}, err)
			require.Equal(t, c.pages, s.pages)

			s.fail = nil
			rest, _, err := s.read(t, Options{First: c.resume})
			require.NoError(t, err)
			requireAll(t, s.keys, append(first, rest...))
		})
	}
}

func TestAfterAFailedRereadAheadTheWalkResumesWhereItemsMayBeNow(t *testing.T) {
	for total, resume := range map[int]int{100: 6, 99: 5, 75: 3, 20: 1} {
		before := 100
		w := &walk{first: 1, ahead: true, total: &before, size: 10}
		w.next = func(context.Context, At) (*Page, error) { return &Page{Total: &total}, nil }
		w.fetch = func(context.Context, At) (*Page, error) { return nil, errSource }
		if total == before {
			w.next = w.fetch
		}
		_, err := w.read(t.Context(), At{Number: 6})
		require.Equal(t, &Error{Page: resume, Err: errSource}, err, "%d of 100 are left", total)
		require.ErrorIs(t, err, errSource)
	}
}

// TestAListThatChangesOftenIsReadToItsEnd has more changes than the lists of the model.
func TestAListThatChangesOftenIsReadToItsEnd(t *testing.T) {
	grows := func(by, from, to, each int) func(*list, int, int) {
		return func(s *list, n, _ int) {
			if from <= n && n <= to && n%each == 0 {
				s.insert(by)
			}
		}
	}
	loses := func(s *list, n, _ int) {
		if n > 1 && n < 12 {
			s.keys = s.keys[1:]
		}
	}
	for _, c := range []struct {
		name   string
		list   *list
		ahead  int
		before func(s *list, n, number int)
		most   int // requests
	}{
		{"it grows by 150 pages once", newList(55, 10, false), 0, grows(1500, 6, 6, 1), 156},
		{"it grows by a page before every second one", newList(200, 10, false), 0, grows(10, 2, 39, 2), 41},
		{"it grows by an item with each of fifty reads", newList(3, 1, true), 0, grows(1, 2, 49, 1), 51},
		{"it loses an item before each page, and pages are read ahead", newList(450, 100, true), 3, loses, 20},
		{"it loses more while pages are read again", newList(55, 10, true), 0, cut(map[int]int{4: 6, 5: 6}), 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole := slices.Clone(c.list.keys)
			c.list.before = c.before
			keys, missing, err := c.list.read(t, Options{Ahead: c.ahead})
			require.NoError(t, err)
			require.Empty(t, missing)
			requireOnce(t, keys)
			requireAll(t, slices.DeleteFunc(whole, func(key string) bool { return !slices.Contains(c.list.keys, key) }), keys)
			require.LessOrEqual(t, len(c.list.pages), c.most)
		})
	}
}

func TestAtMostThePagesOfTheListAndEightMoreAreReadAgain(t *testing.T) {
	for _, ahead := range []int{0, 4} {
		s := newList(200, 10, true)
		all := slices.Clone(s.keys)
		s.before = func(s *list, n, _ int) { // replicas of different lengths
			if s.keys = all; n%2 == 0 {
				s.keys = all[:150]
			}
		}
		keys, missing, err := s.read(t, Options{Ahead: ahead})
		require.NoError(t, err)
		requireAll(t, all[:150], keys)
		require.NotEmpty(t, missing, "a page says that items may be missing")
		require.Greater(t, len(s.pages), 20+8)
		require.LessOrEqual(t, len(s.pages), 20+20+8)
		if ahead == 0 {
			require.Len(t, s.pages, 20+20+8)
		}
	}
}

func TestAPageAheadThatMayBeOldSaysThatItemsMayBeMissing(t *testing.T) {
	before, total := 20, 30
	w := &walk{first: 1, ahead: true, total: &before, size: 10, rereads: 2 + moreRereads}
	w.next = func(context.Context, At) (*Page, error) {
		return &Page{Items: new([]string), Number: 2, Total: &total}, nil
	}
	page, err := w.read(t.Context(), At{Number: 2})
	require.NoError(t, err)
	require.True(t, page.MayMiss)
}

const ignores = "the service ignores the page number: it sent the items of earlier pages again"

func TestASourceThatIgnoresThePageNumberIsAnError(t *testing.T) {
	grows := func(by int) func(*list, int, int) {
		return func(s *list, n, _ int) {
			if n > 1 {
				s.insert(by)
			}
		}
	}
	for _, c := range []struct {
		name        string
		total, bare bool
		before      func(s *list, n, number int)
		alter       func(keys []string, number int) []string // of the whole list
		pages, keys int
	}{
		{name: "always the first page", alter: func(all []string, _ int) []string { return all[:10] }, pages: 5, keys: 10},
		{name: "always the first page, without ids", bare: true, alter: func(all []string, _ int) []string { return all[:10] }, pages: 5, keys: 40},
		{name: "three pages in a cycle: as many again, and a few", alter: func(all []string, n int) []string { return all[n%3*10:][:10] }, pages: 3 + 3 + maxStalePages + 1, keys: 30},
		{name: "a list that grows by a page with every read", before: grows(10), pages: 5, keys: 10},
		{name: "one that says so in its total", total: true, before: grows(10), pages: 106, keys: 10},
		{name: "one whose total grows by less than a page", total: true, before: grows(9), alter: func(all []string, _ int) []string { return all[len(all)-10:] }, pages: 5, keys: 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newList(30, 10, c.total)
			s.bare, s.before = c.bare, c.before
			if c.alter != nil {
				s.alter = func(number int, _ []string) []string { return c.alter(s.keys, number) }
			}
			keys, _, err := s.read(t, Options{})
			require.EqualError(t, err, fmt.Sprintf("page %d: %s", c.pages, ignores))
			require.Len(t, s.pages, c.pages)
			require.Len(t, keys, c.keys)
		})
	}
}

func TestReadAheadFetchesNoMorePagesThanAllowed(t *testing.T) {
	for _, c := range []struct {
		items, first, ahead int
		total               bool
	}{{500, 1, 5, true}, {500, 1, 1, false}, {500, 4, 5, true}, {5, 1, 0, false}} {
		synctest.Test(t, func(t *testing.T) {
			s := newList(c.items, 10, c.total)
			for page, err := range Pages(t.Context(), s, Options{First: c.first, Ahead: max(c.ahead, 1)}) {
				require.NoError(t, err)
				synctest.Wait()
				require.Equal(t, page.Number-c.first+1+c.ahead, s.asked())
				if page.Number == 10 {
					break
				}
			}
		})
	}
}

func TestLeavingTheLoopOrTheEndOfItsContextStopsThePagesAhead(t *testing.T) {
	for _, leave := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
			s := newList(450, 100, true)
			s.latency, s.slow = time.Second, map[int]bool{2: true, 3: true}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			began := time.Now()
			for page, err := range Pages(ctx, s, Options{Ahead: 2}) {
				require.Equal(t, page == nil, errors.Is(err, context.Canceled))
				synctest.Wait() // until the requests for the pages ahead are waiting
				if leave {
					break
				}
				cancel()
			}
			require.Equal(t, time.Second, time.Since(began))
			require.Equal(t, []int{1}, s.pages)
		})
	}
}

// TestNoItemIsLostIfPagesOvertakeEachOther adds an item between the responses to two
// concurrent requests, of which the later page is served first. The item at the edge of the two
// pages is then on neither of them.
func TestNoItemIsLostIfPagesOvertakeEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newList(450, 100, true)
		s.latency, s.slow = 10*time.Millisecond, map[int]bool{2: true}
		whole := slices.Clone(s.keys)
		s.before = func(s *list, n, number int) {
			if number == 2 && n == 5 { // after pages 1, 3, 4 and 5
				s.insert(1)
			}
		}
		keys, _, err := s.read(t, Options{Ahead: 4})
		require.NoError(t, err)
		require.Equal(t, []int{2, 2, 3, 4, 5}, s.pages[4:], "page 2 was the last of the first five; what may be older than the page before is fetched again")
		requireAll(t, whole, keys)
		requireOnce(t, keys)
	})
}

func TestAPanicOfASourceReachesTheLoop(t *testing.T) {
	type testCase struct {
		page, read int
		leave      bool // the loop after the first page
	}
	for _, c := range slices.Repeat([]testCase{{1, 0, false}, {4, 1, false}, {3, 1, true}}, 5) { // page 2 and the panic are noticed in any order
		synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
			s := newList(90, 10, true)
			s.latency, s.slow = time.Second, map[int]bool{2: true}
			s.fail = func(number int) error {
				if number == c.page {
					panic(io.ErrNoProgress)
				}
				return nil
			}
			read := 0
			panicked, _ := testkit.Ending(func() {
				for _, err := range Pages(t.Context(), s, Options{Ahead: 4}) {
					require.NoError(t, err, "that page 2 was stopped is no error of it")
					read++
					if synctest.Wait(); c.leave {
						break
					}
				}
			})
			require.ErrorIs(t, panicked.(error), io.ErrNoProgress)
			require.Equal(t, c.read, read)
		})
	}
}

// TestAWalkReadsNoPageBeforeItsFirst has a list that shrinks by more items than the pages of the
// walk have.
func TestAWalkReadsNoPageBeforeItsFirst(t *testing.T) {
	s := newList(100, 10, true)
	s.before = cut(map[int]int{3: 35})
	_, _, err := s.read(t, Options{First: 5})
	require.NoError(t, err)
	require.Equal(t, []int{5, 6, 7, 6, 5}, s.pages)
}

func TestACursorThatIsTooLongIsAnError(t *testing.T) {
	long := strings.Repeat("x", maxCursor)
	list := &chain{pages: map[string]string{"": "a:" + long, long: "b:" + long + "x"}}
	read, err := list.read(Options{})
	require.Equal(t, "a|b|", read)
	require.EqualError(t, err, "page 2: the cursor of the next page has 8193 bytes, and at most 8192 are sent")
	require.Len(t, list.asked, 2)
}

// TestAWalkKeepsLittleOfLongIDsAndCursors also shows that long ones are still told apart.
func TestAWalkKeepsLittleOfLongIDsAndCursors(t *testing.T) {
	long := strings.Repeat("x", 2000)
	list := &chain{pages: map[string]string{"": long + "1 b:" + long, long: long + "1 " + long + "2:" + long + "9", long + "9": "c:" + long}}
	seen := map[string]struct{}{}
	read, err := list.read(Options{Seen: seen})
	require.Equal(t, long+"1 b|"+long+"2|c|", read)
	require.ErrorContains(t, err, "repeated an earlier cursor")
	require.Len(t, seen, 4)
	for id := range seen {
		require.LessOrEqual(t, len(id), maxKept)
	}
}

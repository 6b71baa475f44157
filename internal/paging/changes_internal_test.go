package paging

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAListThatChangesOftenIsReadToItsEnd has more changes than the lists of the model.
func TestAListThatChangesOftenIsReadToItsEnd(t *testing.T) {
	grows := func(by int, when func(n int) bool) func(*list, int, int) {
		return func(s *list, n, _ int) {
			if when(n) {
				s.insert(by)
			}
		}
	}
	between := func(from, to int) func(n int) bool { return func(n int) bool { return from <= n && n <= to } }
	for _, c := range []struct {
		name   string
		list   *list
		ahead  int
		before func(s *list, n, number int)
		most   int // requests
	}{
		{"it grows by a page once", newList(55, 10, false), 0, grows(10, between(6, 6)), 7},
		{"it grows by 150 pages once", newList(55, 10, false), 0, grows(1500, between(6, 6)), 156},
		{"it grows by 150 pages once, with a total", newList(55, 10, true), 0, grows(1500, between(6, 6)), 156},
		{"it grows by a page before every second one", newList(200, 10, false), 0, grows(10, func(n int) bool { return n%2 == 0 && n < 40 }), 41},
		{"it grows by an item with each of fifty reads", newList(3, 1, true), 0, grows(1, between(2, 49)), 51},
		{"it grows by an item, and pages are read ahead", newList(450, 100, true), 3, grows(1, between(2, 2)), 9},
		{"it loses an item before each page", newList(5000, 100, true), 0, func(s *list, _, _ int) { s.keys = s.keys[1:] }, 109},
		{"it loses an item before each page, and pages are read ahead", newList(450, 100, true), 3, func(s *list, n, _ int) {
			if n > 1 && n < 12 {
				s.keys = s.keys[1:]
			}
		}, 20},
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
	w := &walk[int]{first: 1, ahead: true, total: &before, size: 10, rereads: 2 + moreRereads}
	w.next = func(context.Context, At) (*Page[int], error) { return &Page[int]{Number: 2, Total: &total}, nil }
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

func TestAPageThatComesAFewTimesBeforeNewItemsIsNoError(t *testing.T) {
	for _, bare := range []bool{false, true} {
		s := newList(100, 10, false)
		s.bare = bare
		s.alter = func(number int, _ []string) []string { return s.keys[number/4*10:][:10] } // each page comes four times
		s.fail = func(number int) error {
			if number == 40 {
				return errSource
			}
			return nil
		}
		_, _, err := s.read(t, Options{})
		require.Equal(t, &Error{Page: 40, Err: errSource}, err)
	}
}

func TestItemsWithoutIDsAreAllYielded(t *testing.T) {
	s := newList(25, 10, true)
	s.bare = true
	s.keys[3], s.keys[14] = "same", "same"
	keys, _, err := s.read(t, Options{})
	require.NoError(t, err)
	require.Equal(t, s.keys, keys)
}

func TestOnlyAPageWithoutItemsIsTheEndWhileTheTotalIsNotReached(t *testing.T) {
	for short, want := range map[int]struct{ keys, pages int }{3: {10 + 3 + 10, 3}, 0: {10, 2}} {
		s := newList(30, 10, true)
		s.alter = func(number int, keys []string) []string {
			if number == 2 {
				return keys[:short]
			}
			return keys
		}
		keys, _, err := s.read(t, Options{})
		require.NoError(t, err)
		require.Len(t, keys, want.keys)
		require.Len(t, s.pages, want.pages)
	}
}

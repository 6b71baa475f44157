package paging

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNoItemIsLostOrYieldedTwiceWhileTheListChanges(t *testing.T) {
	for _, c := range []struct {
		name   string
		total  bool
		before func(s *list, n, number int)
	}{
		{"one inserted at the front", true, func(s *list, n, _ int) {
			if n == 2 {
				s.insert(1)
			}
		}},
		{"one inserted at the front, without a total", false, func(s *list, n, _ int) {
			if n == 3 {
				s.insert(1)
			}
		}},
		{"a whole page inserted at the front", true, func(s *list, n, _ int) {
			if n == 2 {
				s.insert(130)
			}
		}},
		{"one removed from what was read", true, func(s *list, n, _ int) {
			if n == 2 {
				s.keys = slices.Delete(s.keys, 5, 6)
			}
		}},
		{"one removed before each page", true, func(s *list, n, _ int) {
			if n > 1 && n < 12 {
				s.keys = slices.Delete(s.keys, 0, 1)
			}
		}},
		{"more than a page removed", true, func(s *list, n, _ int) {
			if n == 4 {
				s.keys = slices.Delete(s.keys, 10, 145)
			}
		}},
		{"so many removed that this page is empty", true, func(s *list, n, _ int) {
			if n == 5 {
				s.keys = slices.Delete(s.keys, 0, 380)
			}
		}},
		{"more removed while pages are read again", true, func(s *list, n, _ int) {
			if n == 3 || n == 4 || n == 5 || n == 6 {
				s.keys = slices.Delete(s.keys, 0, 60)
			}
		}},
	} {
		for _, ahead := range []int{0, 3} {
			if ahead > 0 && !c.total {
				continue // not promised
			}
			t.Run(fmt.Sprintf("%s, read-ahead %d", c.name, ahead), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s := newList(450, 100, c.total)
					whole := slices.Clone(s.keys)
					s.before = c.before
					s.latency, s.jitter = time.Duration(ahead)*time.Millisecond, true
					keys, _, err := s.read(t, Options{Ahead: ahead})
					require.NoError(t, err)
					requireOnce(t, keys)
					stayed := slices.DeleteFunc(whole, func(key string) bool { return !slices.Contains(s.keys, key) })
					requireAll(t, stayed, keys)
				})
			})
		}
	}
}

func TestAListMayGrowByManyPagesBetweenTwoReads(t *testing.T) {
	for _, total := range []bool{true, false} {
		for _, pages := range []int{1, 4, 5, 150} {
			s := newList(55, 10, total)
			whole := slices.Clone(s.keys)
			s.before = func(s *list, n, _ int) {
				if n == 6 {
					s.insert(pages * 10)
				}
			}
			keys, _, err := s.read(t, Options{})
			require.NoError(t, err, "%d pages, with a total: %t", pages, total)
			requireAll(t, whole, keys)
		}
	}
}

func TestAListThatGrowsByAPageBetweenReadsIsReadToItsEnd(t *testing.T) {
	s := newList(200, 10, false)
	whole := slices.Clone(s.keys)
	s.before = func(s *list, n, _ int) {
		if n%2 == 0 && n < 40 {
			s.insert(10) // so that this page has the items of the page before
		}
	}
	keys, _, err := s.read(t, Options{})
	require.NoError(t, err)
	require.Equal(t, whole, keys)
}

func TestAListThatGrowsByOneItemWithEveryReadIsReadToItsEnd(t *testing.T) {
	s := newList(3, 1, true)
	whole := slices.Clone(s.keys)
	s.before = func(s *list, n, _ int) {
		if n > 1 && n < 50 {
			s.insert(1)
		}
	}
	keys, _, err := s.read(t, Options{})
	require.NoError(t, err)
	require.Equal(t, whole, keys)
}

func TestAListThatShrinksWithEveryReadIsReadToItsEnd(t *testing.T) {
	s := newList(5000, 100, true)
	s.before = func(s *list, _, _ int) { s.keys = s.keys[1:] }
	keys, _, err := s.read(t, Options{})
	require.NoError(t, err)
	requireAll(t, s.keys, keys)
	require.Less(t, len(s.pages), 110)
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

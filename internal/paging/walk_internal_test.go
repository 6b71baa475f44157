package paging

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhichPagesAWalkReads(t *testing.T) {
	for _, c := range []struct {
		name   string
		items  int
		before func(s *list, n, number int)
		first  int
		want   []int
	}{
		{"each page once", 35, nil, 0, []int{1, 2, 3, 4}},
		{"from the first page that was asked for", 35, nil, 3, []int{3, 4}},
		{"no page again if the list grows", 35, func(s *list, n, _ int) {
			if n == 3 {
				s.insert(3)
			}
		}, 1, []int{1, 2, 3, 4}},
		{"the page before if one item is gone", 35, func(s *list, n, _ int) {
			if n == 3 {
				s.keys = s.keys[1:]
			}
		}, 1, []int{1, 2, 3, 2, 4}},
		{"the page before if a page of items is gone", 35, func(s *list, n, _ int) {
			if n == 3 {
				s.keys = s.keys[10:]
			}
		}, 1, []int{1, 2, 3, 2}},
		{"two pages if one more is gone", 45, func(s *list, n, _ int) {
			if n == 4 {
				s.keys = s.keys[11:]
			}
		}, 1, []int{1, 2, 3, 4, 3, 2}},
		{"no page before the first", 45, func(s *list, n, _ int) {
			if n == 2 {
				s.keys = s.keys[25:]
			}
		}, 3, []int{3, 4, 3}},
		{"more pages if items are removed while it reads again", 55, func(s *list, n, _ int) {
			if n == 4 || n == 5 {
				s.keys = s.keys[6:]
			}
		}, 1, []int{1, 2, 3, 4, 3, 2, 5, 4}},
		{"a later page if the list grows meanwhile", 55, func(s *list, n, _ int) {
			switch n {
			case 4:
				s.keys = s.keys[15:]
			case 5:
				s.insert(10)
			}
		}, 1, []int{1, 2, 3, 4, 3, 4, 3, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newList(c.items, 10, true)
			s.before = c.before
			from := max(c.first-1, 0) * 10
			stayed := slices.Clone(s.keys[from:])
			keys, missing, err := s.read(t, Options{First: c.first})
			require.NoError(t, err)
			require.Empty(t, missing)
			require.Equal(t, c.want, s.pages)
			requireOnce(t, keys)
			stayed = slices.DeleteFunc(stayed, func(key string) bool { return slices.Index(s.keys, key) < from })
			requireAll(t, stayed, keys)
		})
	}
}

func TestItemsThatHaveMovedComeBeforeThoseOfThePage(t *testing.T) {
	s := newList(35, 10, true)
	s.before = func(s *list, n, _ int) {
		if n == 3 {
			s.keys = s.keys[12:] // K20 to K31 have moved to pages 1 and 2
		}
	}
	keys, _, err := s.read(t, Options{})
	require.NoError(t, err)
	require.Equal(t, keysOf("K", 35), keys)
	require.True(t, slices.IsSortedFunc(keys, func(a, b string) int { return number(a) - number(b) }))
}

func TestMorePagesAreReadAgainIfAPageWasShort(t *testing.T) {
	s := newList(60, 10, true)
	s.before = func(s *list, n, _ int) {
		if n == 4 {
			s.keys = s.keys[5:]
		}
	}
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

func TestWhatAPageSaysIsYieldedWithIt(t *testing.T) {
	s := newList(25, 10, true)
	var numbers []int
	for page, err := range Pages(t.Context(), s, Options{First: 2}) {
		require.NoError(t, err)
		require.Equal(t, 10, page.Limit)
		require.Equal(t, 25, *page.Total)
		require.Equal(t, page.Number < 3, page.More)
		require.False(t, page.MayMiss)
		numbers = append(numbers, page.Number)
	}
	require.Equal(t, []int{2, 3}, numbers)
}

func TestItemsThatWereSeenAreLeftOut(t *testing.T) {
	s := newList(25, 10, true)
	seen := map[string]struct{}{"K3": {}, "K24": {}}
	keys, _, err := s.read(t, Options{Seen: seen})
	require.NoError(t, err)
	require.Len(t, keys, 23)
	require.NotContains(t, keys, "K3")
	require.NotContains(t, keys, "K24")
	require.Len(t, seen, 25)

	keys, _, err = s.read(t, Options{Seen: seen})
	require.NoError(t, err)
	require.Empty(t, keys)
}

func TestEachRangeWalksAgain(t *testing.T) {
	for _, ahead := range []int{0, 2} {
		s := newList(25, 10, true)
		pages := Pages(t.Context(), s, Options{Ahead: ahead})
		require.Empty(t, s.pages, "nothing is fetched before")
		for range 2 {
			items := 0
			for page, err := range pages {
				require.NoError(t, err)
				items += len(page.Items)
			}
			require.Equal(t, 25, items)
		}
		require.Len(t, s.pages, 6)
	}
}

func TestAnErrorEndsTheWalk(t *testing.T) {
	for _, ahead := range []int{0, 3} {
		s := newList(65, 10, true)
		s.fail = func(number int) error {
			if number == 4 {
				return errSource
			}
			return nil
		}
		first, _, err := s.read(t, Options{Ahead: ahead})
		require.Equal(t, 4, resumeAt(t, err))
		require.ErrorIs(t, err, errSource)
		require.EqualError(t, err, "page 4: the source failed")
		require.Equal(t, s.keys[:30], first)

		s.fail = nil
		rest, _, err := s.read(t, Options{First: 4, Ahead: ahead})
		require.NoError(t, err)
		require.Equal(t, s.keys, append(first, rest...))
	}
}

func TestLeavingTheLoopEndsTheWalk(t *testing.T) {
	s := newList(65, 10, true)
	for range Pages(t.Context(), s, Options{}) {
		break
	}
	require.Equal(t, []int{1}, s.pages)
}

func TestAPageThatIsTornEndsTheWalkAfterIt(t *testing.T) {
	pages, torn := 0, errors.New("torn")
	source := sourceFunc(func(_ context.Context, number int) (*Page[string], error) {
		page := &Page[string]{Number: number, Limit: 1, Items: []string{"a"}, More: true, Torn: torn}
		page.Identify([]string{"a"}, nil)
		return page, nil
	})
	for page, err := range Pages(t.Context(), source, Options{First: 3}) {
		if pages++; pages == 1 {
			require.NoError(t, err)
			require.Equal(t, []string{"a"}, page.Items)
			continue
		}
		require.Nil(t, page)
		require.Equal(t, &Error{Page: 3, Err: torn}, err)
	}
	require.Equal(t, 2, pages)
}

func TestAPageThatIsTornWhenItIsReadAgainIsAnError(t *testing.T) {
	s, torn := newList(35, 10, true), errors.New("torn")
	s.before = func(s *list, n, _ int) {
		if n == 3 {
			s.keys = s.keys[1:]
		}
	}
	source := sourceFunc(func(ctx context.Context, number int) (*Page[string], error) {
		page, err := s.Fetch(ctx, number)
		if len(s.pages) == 4 {
			page.Torn = torn
		}
		return page, err
	})
	var last error
	for _, err := range Pages(t.Context(), source, Options{}) {
		last = err
	}
	require.Equal(t, &Error{Page: 2, Err: torn}, last)
}

type sourceFunc func(context.Context, int) (*Page[string], error)

func (f sourceFunc) Fetch(ctx context.Context, number int) (*Page[string], error) {
	return f(ctx, number)
}

func TestAFailedRereadNamesThePageToResumeAt(t *testing.T) {
	s := newList(100, 10, true)
	s.before = func(s *list, n, _ int) {
		if n == 6 {
			s.keys = slices.Delete(s.keys, 0, 25) // the items of page 6 are now on pages 3 and 4
		}
	}
	s.fail = func(int) error {
		if len(s.pages) == 7 {
			return errSource
		}
		return nil
	}
	first, _, err := s.read(t, Options{})
	require.ErrorIs(t, err, errSource)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 5}, s.pages)
	require.Equal(t, 3, resumeAt(t, err))
	require.Len(t, first, 50)

	s.fail = nil
	rest, _, err := s.read(t, Options{First: 3})
	require.NoError(t, err)
	requireAll(t, s.keys, append(first, rest...))
}

func TestAfterAnErrorTheWalkResumesEarlierIfTheListShrank(t *testing.T) {
	s := newList(100, 10, true)
	s.before = func(s *list, n, _ int) {
		switch n {
		case 6: // the first items of page 6 are on page 5 now
			s.keys = s.keys[5:]
		case 7: // and when that is read, those of page 7 on page 5
			s.keys = s.keys[15:]
		}
	}
	s.fail = func(number int) error {
		if number == 7 {
			return errSource
		}
		return nil
	}
	_, _, err := s.read(t, Options{})
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 5, 4}, s.pages)
	require.Equal(t, 5, resumeAt(t, err))
}

func TestAfterAFailedRereadAheadTheWalkResumesBeforeThePage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newList(450, 100, true)
		s.latency, s.slow = 10*time.Millisecond, map[int]bool{2: true}
		s.before = func(s *list, n, _ int) {
			if n == 5 { // page 2, after pages 1, 3, 4 and 5
				s.keys = s.keys[150:]
			}
		}
		s.fail = func(int) error {
			if s.asked() == 5 {
				return errSource
			}
			return nil
		}
		_, _, err := s.read(t, Options{Ahead: 4})
		require.Equal(t, 2, s.pages[4])
		require.Len(t, s.pages, 5)
		require.Equal(t, 1, resumeAt(t, err), "its items may have moved to the first page")
	})
}

func TestAfterAFailedRereadTheWalkResumesWhereItemsMayBeNow(t *testing.T) {
	for total, resume := range map[int]int{100: 6, 99: 5, 75: 3, 20: 1} {
		before := 100
		w := &walk[int]{first: 1, ahead: true, total: &before, size: 10}
		w.next = func(context.Context, int) (*Page[int], error) { return &Page[int]{Total: &total}, nil }
		w.fetch = func(context.Context, int) (*Page[int], error) { return nil, errSource }
		if total == before {
			w.next = w.fetch
		}
		_, err := w.read(t.Context(), 6)
		require.ErrorIs(t, err, errSource)
		require.Equal(t, resume, resumeAt(t, err), "%d of 100 are left", total)
	}
}

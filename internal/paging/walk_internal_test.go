package paging

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// cut removes items from the front before the n-th page is made.
func cut(items map[int]int) func(*list, int, int) {
	return func(s *list, n, _ int) { s.keys = s.keys[items[n]:] }
}

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
		{"the page before if one item is gone", 35, cut(map[int]int{3: 1}), 1, []int{1, 2, 3, 2, 4}},
		{"the page before if a page of items is gone", 35, cut(map[int]int{3: 10}), 1, []int{1, 2, 3, 2}},
		{"two pages if one more is gone", 45, cut(map[int]int{4: 11}), 1, []int{1, 2, 3, 4, 3, 2}},
		{"no page before the first", 45, cut(map[int]int{2: 25}), 3, []int{3, 4, 3}},
		{"more pages if items are removed while it reads again", 55, cut(map[int]int{4: 6, 5: 6}), 1, []int{1, 2, 3, 4, 3, 2, 5, 4}},
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
	s.before = cut(map[int]int{3: 12}) // K20 to K31 have moved to pages 1 and 2
	keys, _, err := s.read(t, Options{})
	require.NoError(t, err)
	require.Equal(t, keysOf("K", 35), keys)
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

func TestItemsThatWereSeenAreLeftOut(t *testing.T) {
	s := newList(25, 10, true)
	seen := map[string]struct{}{"K3": {}, "K24": {}}
	for _, want := range []int{23, 0} {
		keys, _, err := s.read(t, Options{Seen: seen})
		require.NoError(t, err)
		require.Len(t, keys, want)
		require.NotContains(t, keys, "K3")
		require.Len(t, seen, 25)
	}
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

type sourceFunc func(context.Context, At) (*Page[string], error)

func (f sourceFunc) Fetch(ctx context.Context, at At) (*Page[string], error) {
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
		source := sourceFunc(func(ctx context.Context, at At) (*Page[string], error) {
			page, err := s.Fetch(ctx, at)
			if len(s.pages) == 4 {
				page.Torn = torn
				page.retain(func(i int) bool { return i < 5 })
			}
			return page, err
		})
		var keys []string
		var errs []error
		for page, err := range Pages(t.Context(), source, Options{}) {
			if errs = append(errs, err); page != nil {
				keys = append(keys, page.Items...)
			}
		}
		require.Len(t, keys, c.keys, c.name)
		require.Equal(t, c.pages, s.pages, c.name)
		last := errs[len(errs)-1].(*Error)
		require.Equal(t, torn, last.Err, c.name)
		require.LessOrEqual(t, last.Page, s.pages[3], c.name)
	}
}

// TestAnErrorNamesThePageToResumeAt also shows that the page is not earlier than needed. That nothing is
// lost is also tested with the model.
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
		w := &walk[int]{first: 1, ahead: true, total: &before, size: 10}
		w.next = func(context.Context, At) (*Page[int], error) { return &Page[int]{Total: &total}, nil }
		w.fetch = func(context.Context, At) (*Page[int], error) { return nil, errSource }
		if total == before {
			w.next = w.fetch
		}
		_, err := w.read(t.Context(), At{Number: 6})
		require.Equal(t, &Error{Page: resume, Err: errSource}, err, "%d of 100 are left", total)
		require.ErrorIs(t, err, errSource)
	}
}

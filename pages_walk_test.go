package monitoring

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// insert puts n new items at the front of the list.
func (s *shelf) insert(n int) {
	s.keys = append(newShelfOf(fmt.Sprintf("new%d-", len(s.pages)), n), s.keys...)
}

func TestWhichPagesAWalkReads(t *testing.T) {
	for _, c := range []struct {
		name   string
		items  int
		before func(s *shelf, n, page int)
		page   int // the first one
		want   []int
	}{
		{"each page once", 35, nil, 1, []int{1, 2, 3, 4}},
		{"from the first page that was asked for", 35, nil, 3, []int{3, 4}},
		{"no page again if the list grows", 35, func(s *shelf, n, _ int) {
			if n == 3 {
				s.insert(3)
			}
		}, 1, []int{1, 2, 3, 4}},
		{"the page before if one item is gone", 35, func(s *shelf, n, _ int) {
			if n == 3 {
				s.keys = s.keys[1:]
			}
		}, 1, []int{1, 2, 3, 2, 4}},
		{"the page before if a page of items is gone", 35, func(s *shelf, n, _ int) {
			if n == 3 {
				s.keys = s.keys[10:]
			}
		}, 1, []int{1, 2, 3, 2}},
		{"two pages if one more is gone", 45, func(s *shelf, n, _ int) {
			if n == 4 {
				s.keys = s.keys[11:]
			}
		}, 1, []int{1, 2, 3, 4, 3, 2}},
		{"no page before the first", 45, func(s *shelf, n, _ int) {
			if n == 2 {
				s.keys = s.keys[25:]
			}
		}, 3, []int{3, 4, 3}},
		{"more pages if items are removed while it reads again", 55, func(s *shelf, n, _ int) {
			if n == 4 || n == 5 {
				s.keys = s.keys[6:]
			}
		}, 1, []int{1, 2, 3, 4, 3, 2, 5, 4}},
		{"a later page if the list grows meanwhile", 55, func(s *shelf, n, _ int) {
			switch n {
			case 4:
				s.keys = s.keys[15:]
			case 5:
				s.insert(10)
			}
		}, 1, []int{1, 2, 3, 4, 3, 4, 3, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf(c.items, true)
			s.before = c.before
			whole := slices.Clone(s.keys[(c.page-1)*10:])
			keys, err := s.read(t, VariableListOptions{ListOptions{Limit: 10, Page: c.page}})
			require.NoError(t, err)
			require.Equal(t, c.want, s.pages)
			for _, k := range whole {
				if at := slices.Index(s.keys, k); at >= (c.page-1)*10 {
					require.Contains(t, keys, k, "it stayed in the list")
				}
			}
			slices.Sort(keys)
			require.Len(t, slices.Compact(keys), len(keys), "no item is yielded twice")
		})
	}
}

func TestAfterAnErrorTheWalkResumesEarlierIfTheListShrank(t *testing.T) {
	s := newShelf(100, true)
	s.before = func(s *shelf, n, _ int) {
		switch n {
		case 6: // the first items of page 6 are on page 5 now
			s.keys = s.keys[5:]
		case 7: // and when that is read, those of page 7 on page 5
			s.keys = s.keys[15:]
		}
	}
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		if req.URL.Query().Get("page") == "7" {
			return respondWith(http.StatusForbidden, nil, ""), nil
		}
		return s.RoundTrip(req)
	}))
	_, err := s.readWith(t, client, VariableListOptions{ListOptions{Limit: 10}})
	failed, ok := errors.AsType[*PageError](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 5, 4}, s.pages)
	require.Equal(t, 5, failed.Page)
}

func TestAListThatGrowsByAPageBetweenReadsIsReadToItsEnd(t *testing.T) {
	s := newShelf(200, false)
	whole := slices.Clone(s.keys)
	s.before = func(s *shelf, n, _ int) {
		if n%2 == 0 && n < 40 {
			s.insert(10) // so that this page has the items of the page before
		}
	}
	keys, err := s.read(t, VariableListOptions{ListOptions{Limit: 10}})
	require.NoError(t, err)
	require.Equal(t, whole, keys)
}

func TestAListThatGrowsByOneItemWithEveryReadIsReadToItsEnd(t *testing.T) {
	s := newShelf(3, true)
	whole := slices.Clone(s.keys)
	s.before = func(s *shelf, n, _ int) {
		if n > 1 && n < 50 {
			s.insert(1)
		}
	}
	keys, err := s.read(t, VariableListOptions{ListOptions{Limit: 1}})
	require.NoError(t, err)
	require.Equal(t, whole, keys)
}

func TestTheWalkStopsAfterTooManyPagesWithoutNewItems(t *testing.T) {
	for _, c := range []struct {
		name  string
		total bool
		grows int // items added before each read except the first
		want  int // requests
	}{
		{"the same page four times", false, 0, 5},
		{"a growing list, its pages and a hundred more", true, 10, 106},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf(20, c.total)
			s.before = func(s *shelf, n, _ int) {
				if n > 1 {
					s.insert(c.grows)
				}
			}
			if c.grows == 0 {
				s.alter = func(int, int, []string) []string { return s.keys[:10] }
			}
			keys, err := s.readWith(t, testClient(t, s, WithoutRateLimit()), VariableListOptions{ListOptions{Limit: 10}})
			require.ErrorContains(t, err, "the service ignores the page")
			require.Len(t, keys, 10)
			require.Len(t, s.pages, c.want)
		})
	}
}

func TestAtMostThePagesOfTheListAndEightMoreAreReadAgain(t *testing.T) {
	s := newShelf(200, true)
	all := slices.Clone(s.keys)
	s.before = func(s *shelf, n, page int) { // replicas of different lengths
		if s.keys = all; n%2 == 0 {
			s.keys = all[:150]
		}
	}
	var missing []int
	client := testClient(t, s)
	for page, err := range client.Variables.Pages(t.Context(), VariableListOptions{ListOptions{Limit: 10}}) {
		require.NoError(t, err)
		if page.MayMissItems {
			missing = append(missing, page.Page)
		}
	}
	require.NotEmpty(t, missing)
	require.Len(t, s.pages, 20+20+8)
}

func TestAfterAFailedRereadTheWalkResumesBeforeThePage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(450, true)
		s.latency, s.slow = 10*time.Millisecond, map[string]bool{"2": true}
		s.before = func(s *shelf, n, page int) {
			if n == 5 { // page 2, after pages 1, 3, 4 and 5
				s.keys = s.keys[150:]
			}
		}
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			s.mu.Lock()
			n := len(s.pages)
			s.mu.Unlock()
			if n == 5 {
				return respondWith(http.StatusForbidden, nil, ""), nil
			}
			return s.RoundTrip(req)
		}))
		_, err := s.readWith(t, client, VariableListOptions{}, WithReadAhead(4))
		failed, ok := errors.AsType[*PageError](err)
		require.True(t, ok, "%v", err)
		require.Equal(t, []int{1, 3, 4, 5, 2}, append(s.pages[:1:1], append(slices.Sorted(slices.Values(s.pages[1:4])), s.pages[4:]...)...))
		require.Equal(t, 1, failed.Page, "its items may have moved to the first page")
	})
}

func TestAfterAFailedRereadTheWalkResumesWhereItemsMayBeNow(t *testing.T) {
	for total, resume := range map[int]int{100: 6, 99: 5, 75: 3, 20: 1} {
		before, failure := 100, errors.New("no")
		w := &walk[int]{first: 1, ahead: true, total: &before, size: 10}
		w.next = func(context.Context, int) (*Page[int], error) { return &Page[int]{Total: &total}, nil }
		w.fetch = func(context.Context, int) (*Page[int], error) { return nil, failure }
		if total == before {
			w.next = w.fetch
		}
		_, err := w.read(t.Context(), 6)
		var pageErr *PageError
		require.ErrorAs(t, err, &pageErr)
		require.ErrorIs(t, err, failure)
		require.Equal(t, resume, pageErr.Page, "%d of 100 are left", total)
	}
}

package monitoring

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNoItemIsLostOrYieldedTwiceWhileTheListChanges(t *testing.T) {
	for _, c := range []struct {
		name    string
		headers bool
		before  func(s *shelf, n, page int)
	}{
		{"one inserted at the front", true, func(s *shelf, n, _ int) {
			if n == 2 {
				s.keys = append([]string{"new"}, s.keys...)
			}
		}},
		{"one inserted at the front, without a total", false, func(s *shelf, n, _ int) {
			if n == 3 {
				s.keys = append([]string{"new"}, s.keys...)
			}
		}},
		{"a whole page inserted at the front", true, func(s *shelf, n, _ int) {
			if n == 2 {
				s.keys = append(newShelfOf("new", 130), s.keys...)
			}
		}},
		{"one removed from what was read", true, func(s *shelf, n, _ int) {
			if n == 2 {
				s.keys = slices.Delete(s.keys, 5, 6)
			}
		}},
		{"one removed before each page", true, func(s *shelf, n, _ int) {
			if n > 1 && n < 12 {
				s.keys = slices.Delete(s.keys, 0, 1)
			}
		}},
		{"more than a page removed", true, func(s *shelf, n, _ int) {
			if n == 4 {
				s.keys = slices.Delete(s.keys, 10, 145)
			}
		}},
		{"so many removed that this page is empty", true, func(s *shelf, n, _ int) {
			if n == 5 {
				s.keys = slices.Delete(s.keys, 0, 380)
			}
		}},
		{"more removed while pages are read again", true, func(s *shelf, n, _ int) {
			if n == 3 || n == 4 || n == 5 || n == 6 {
				s.keys = slices.Delete(s.keys, 0, 60)
			}
		}},
	} {
		for _, ahead := range []int{0, 3} {
			if ahead > 0 && !c.headers {
				continue // not promised by All
			}
			t.Run(fmt.Sprintf("%s, read-ahead %d", c.name, ahead), inBubble(func(t *testing.T) {
				s := newShelf(450, c.headers)
				whole := slices.Clone(s.keys)
				s.before = c.before
				s.latency, s.jitter = time.Duration(ahead)*time.Millisecond, true
				keys, err := s.read(t, VariableListOptions{}, WithReadAhead(ahead))
				require.NoError(t, err)
				seen := make(map[string]bool)
				for _, k := range keys {
					require.False(t, seen[k], "%s is yielded twice", k)
					seen[k] = true
				}
				for _, k := range whole {
					if slices.Contains(s.keys, k) {
						require.True(t, seen[k], "%s stayed in the list and is lost", k)
					}
				}
			}))
		}
	}
}

func TestAListMayGrowByManyPagesBetweenTwoReads(t *testing.T) {
	for _, headers := range []bool{true, false} {
		for _, pages := range []int{1, 4, 5, 150} {
			s := newShelf(55, headers)
			whole := slices.Clone(s.keys)
			s.before = func(s *shelf, n, _ int) {
				if n == 6 {
					s.keys = append(newShelfOf("new", pages*10), s.keys...)
				}
			}
			keys, err := s.readWith(t, testClient(t, s, WithoutRateLimit()), VariableListOptions{ListOptions{Limit: 10}})
			require.NoError(t, err, "%d pages, with a total: %t", pages, headers)
			requireAll(t, whole, keys)
		}
	}
}

func TestAListThatGrowsWithEveryReadIsAnErrorAtLast(t *testing.T) {
	for _, c := range []struct {
		name  string
		total bool
		most  int
	}{{"with a total", true, 110}, {"without a total", false, 8}} {
		s := newShelf(20, c.total)
		s.before = func(s *shelf, n, _ int) {
			if n > 1 {
				s.keys = append(newShelfOf(fmt.Sprint("new", n, "-"), 10), s.keys...)
			}
		}
		keys, err := s.readWith(t, testClient(t, s, WithoutRateLimit()), VariableListOptions{ListOptions{Limit: 10}})
		require.ErrorContains(t, err, "the service ignores the page", c.name)
		require.Len(t, keys, 10)
		require.LessOrEqual(t, len(s.pages), c.most, c.name)
		require.Greater(t, len(s.pages), c.most/2, c.name)
	}
}

func TestRereadsAreBoundedIfReplicasReturnDifferentTotals(t *testing.T) {
	for _, ahead := range []int{0, 4} {
		s := newShelf(9000, true)
		all := slices.Clone(s.keys)
		s.before = func(s *shelf, n, _ int) {
			if s.keys = all; n%2 == 0 {
				s.keys = all[:8150]
			}
		}
		client := testClient(t, s, WithRateLimit(RateLimit{Requests: 100_000, Per: time.Second}))
		variables, missing := make(map[string]bool), 0
		for page, err := range client.Variables.Pages(t.Context(), VariableListOptions{}, WithReadAhead(ahead)) {
			require.NoError(t, err)
			for _, v := range page.Items {
				variables[v.Key] = true
			}
			if page.MayMissItems {
				missing++
			}
		}
		require.GreaterOrEqual(t, len(variables), 8150)
		require.Positive(t, missing, "a page says that items may be missing")
		require.LessOrEqual(t, len(s.pages), 90+90+moreRereads)
		require.Greater(t, len(s.pages), 150)
	}
}

func TestAFailedRereadNamesThePageToResumeAt(t *testing.T) {
	s := newShelf(100, true)
	s.before = func(s *shelf, n, _ int) {
		if n == 6 {
			s.keys = slices.Delete(s.keys, 0, 25) // the items of page 6 are now on pages 3 and 4
		}
	}
	down := true
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		if down && len(s.pages) == 7 {
			return respondWith(http.StatusForbidden, nil, ""), nil
		}
		return s.RoundTrip(req)
	}))
	first, err := s.readWith(t, client, VariableListOptions{ListOptions{Limit: 10}})
	failed, ok := errors.AsType[*PageError](err)
	require.True(t, ok)
	require.ErrorIs(t, err, ErrForbidden)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 5}, s.pages)
	require.Equal(t, 3, failed.Page)
	require.Len(t, first, 50)

	down = false
	rest, err := s.readWith(t, client, VariableListOptions{ListOptions{Limit: 10, Page: failed.Page}})
	require.NoError(t, err)
	require.Subset(t, append(first, rest...), s.keys)
}

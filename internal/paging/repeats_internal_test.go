package paging

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const ignores = "the service ignores the page number: it sent the items of earlier pages again"

func TestASourceThatIgnoresThePageNumberIsAnError(t *testing.T) {
	for _, bare := range []bool{false, true} {
		s := newList(30, 10, false)
		s.bare = bare
		s.alter = func(int, []string) []string { return s.keys[:10] }
		keys, _, err := s.read(t, Options{})
		require.Equal(t, 5, resumeAt(t, err))
		require.EqualError(t, err, "page 5: "+ignores)
		require.Equal(t, []int{1, 2, 3, 4, 5}, s.pages)
		if !bare {
			require.Len(t, keys, 10, "the items were yielded once")
		}
	}
}

func TestASourceThatSendsPagesInACycleIsAnError(t *testing.T) {
	s := newList(30, 10, false)
	s.alter = func(number int, _ []string) []string { return s.keys[number%3*10:][:10] }
	keys, _, err := s.read(t, Options{})
	require.ErrorContains(t, err, ignores)
	require.Len(t, keys, 30)
	require.Len(t, s.pages, 3+3+maxStalePages+1, "the pages, as many with nothing new, and a few")
}

func TestAListThatGrowsWithEveryReadIsAnErrorAtLast(t *testing.T) {
	for _, c := range []struct {
		name  string
		total bool
		want  int // pages
	}{{"with a total", true, 106}, {"without a total", false, 5}} {
		s := newList(20, 10, c.total)
		s.before = func(s *list, n, _ int) {
			if n > 1 {
				s.insert(10)
			}
		}
		keys, _, err := s.read(t, Options{})
		require.ErrorContains(t, err, ignores, c.name)
		require.Len(t, keys, 10)
		require.Len(t, s.pages, c.want, c.name)
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
		require.ErrorIs(t, err, errSource)
		require.Equal(t, 40, resumeAt(t, err))
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

func TestAShortPageInTheMiddleIsNotTheEnd(t *testing.T) {
	s := newList(250, 100, true)
	s.alter = func(number int, keys []string) []string {
		if number == 2 {
			return keys[:37]
		}
		return keys
	}
	keys, _, err := s.read(t, Options{})
	require.NoError(t, err)
	require.Len(t, keys, 100+37+50)
}

func TestAnEmptyPageIsTheEnd(t *testing.T) {
	s := newList(30, 10, true)
	s.alter = func(number int, keys []string) []string { return keys[:10*(number%2)] }
	keys, _, err := s.read(t, Options{})
	require.NoError(t, err)
	require.Len(t, keys, 10)
	require.Equal(t, []int{1, 2}, s.pages)
}

func TestWhichRepeatsAreTooMany(t *testing.T) {
	type page struct {
		print uint64
		grown int // since the page before
		fresh int // of ten items
	}
	times := func(n int, pages ...page) (all []page) {
		for range n {
			all = append(all, pages...)
		}
		return all
	}
	first := []page{{1, 0, 10}}
	for _, c := range []struct {
		name  string
		pages []page
		want  int // the number of the page that is one too many; 0 for none
	}{
		{"new items on every page", times(50, page{1, 0, 10}, page{2, 0, 10}), 0},
		{"the same page", append(first, times(50, page{1, 0, 0})...), 5},
		{"the same page, and a list that grew once", append(first, append(times(1, page{1, 10, 0}), times(50, page{1, 0, 0})...)...), 6},
		{"the same page, and a list that grows by less", append(first, times(200, page{1, 9, 0})...), 5},
		{"the same page, and a list that grows by as much", append(first, times(200, page{1, 10, 0})...), 1 + 10 + 3 + 100 + 1},
		{"the same page without ids", times(50, page{1, 0, 10}), 5},
		{"other pages with nothing new", append(first, times(50, page{2, 0, 0}, page{3, 0, 0})...), 1 + 10 + 3 + 1},
		{"other pages, and a list that grew once", append(first, append(times(1, page{2, 1, 0}), times(200, page{3, 0, 0}, page{4, 0, 0})...)...), 1 + 10 + 3 + 100 + 1},
		{"the same page three times, and another one", append(first, times(3, page{1, 0, 0}, page{1, 0, 0}, page{1, 0, 0}, page{2, 0, 0})...), 0},
		{"new items in between", append(first, times(50, page{2, 0, 0}, page{2, 0, 0}, page{3, 0, 0}, page{4, 0, 10})...), 0},
		{"new items after a list that grew", append([]page{{1, 0, 10}, {2, 5, 0}, {3, 0, 10}}, times(50, page{4, 0, 0}, page{5, 0, 0})...), 3 + 10 + 3 + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, at := &repeats{}, 0
			for i, p := range c.pages {
				r.grown += p.grown
				r.count(p.print, 10, p.fresh)
				if r.tooMany(10) {
					at = i + 1
					break
				}
			}
			require.Equal(t, c.want, at)
		})
	}
	r := &repeats{stale: 100, same: 3, growth: true, print: 1}
	r.count(1, 0, 0)
	require.False(t, r.tooMany(1), "a page without items is the end anyway")
	require.Equal(t, &repeats{print: 1}, r)
}

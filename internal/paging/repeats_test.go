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

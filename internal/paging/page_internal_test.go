package paging

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFingerprintIsMadeOfTheIDsIfAllItemsHaveOne(t *testing.T) {
	print := func(body string, ids ...string) uint64 { return printOf([]byte(body), ids) }
	require.Equal(t, print("one", "a", "b"), print("two", "a", "b"), "with ids, the body does not matter")
	require.NotEqual(t, print("one", "a", "b"), print("one", "b", "a"))
	require.NotEqual(t, print("one", "a", "bc"), print("one", "ab", "c"), "ids are not joined")
	require.Equal(t, print("one", "a", ""), print("one", "", "b"), "if an item has no id, the body matters")
	require.NotEqual(t, print("one", "a", ""), print("two", "a", ""))
}

// TestItemsThatWereNotReadAreYieldedOnceAndInTheirPlace reads three pages of a list that loses its
// first item, so that the first page is read again. Items in upper case cannot be read.
func TestItemsThatWereNotReadAreYieldedOnceAndInTheirPlace(t *testing.T) {
	for name, keys := range map[string]string{
		"on each page": "aBcDe", "on the page read again": "abCde", "on the page after it": "abcDe", "next to each other": "aBCDe", "nowhere": "abcde",
	} {
		s := newList(0, 2, true)
		s.keys = strings.Split(keys, "")
		s.before = func(s *list, n, _ int) {
			if n == 2 {
				s.keys = s.keys[1:]
			}
		}
		source := sourceFunc(func(ctx context.Context, at At) (*Page[string], error) {
			page, err := s.Fetch(ctx, at)
			for i, key := range page.Items {
				if key < "a" {
					page.Unread = page.unread()
					page.Unread[i] = errors.New(key)
				}
			}
			return page, err
		})
		var got string
		for page, err := range Pages(t.Context(), source, Options{}) {
			require.NoError(t, err)
			require.Len(t, page.ids, len(page.Items), name)
			for i, unread := range page.unread() {
				got += page.Items[i]
				require.Equal(t, page.Items[i] < "a", unread != nil, name)
				require.True(t, unread == nil || unread.Error() == page.Items[i], name)
			}
		}
		require.Equal(t, keys, got, name)
		require.Equal(t, []int{1, 2, 1}, s.pages, name)
	}
}

func TestItemsThatAreLeftOutCanBeFreed(t *testing.T) {
	page := &Page[string]{Items: []string{"a", "b", "c"}}
	page.Identify([]string{"a", "b", "c"}, nil)
	page.retain(func(i int) bool { return i == 1 })
	require.Equal(t, []string{"b", "", ""}, page.Items[:3])
}

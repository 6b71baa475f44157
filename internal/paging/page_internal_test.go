package paging

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFingerprintIsMadeOfTheIDsIfAllItemsHaveOne(t *testing.T) {
	print := func(body string, ids ...string) uint64 { return printOf([]byte(body), ids) }
	require.Equal(t, print("one", "a", "b"), print("two", "a", "b"), "with ids, the body does not matter")
	require.NotEqual(t, print("one", "a", "b"), print("one", "b", "a"))
	require.NotEqual(t, print("one", "a", "b"), print("one", "ab"), "ids are not joined")
	require.NotEqual(t, print("one", "a", "bc"), print("one", "ab", "c"))
	require.Equal(t, print("one", "a", ""), print("one", "", "b"), "if an item has no id, the body matters")
	require.NotEqual(t, print("one", "a", ""), print("two", "a", ""))
}

// pageOf is a page with the given items, of which those that are in upper case were not read.
func pageOf(keys ...string) *Page[string] {
	page := &Page[string]{Items: keys}
	page.Identify(append([]string(nil), keys...), nil)
	for i, key := range keys {
		if key < "a" {
			page.Unread = page.unread()
			page.Unread[i] = errors.New(key)
		}
	}
	return page
}

func TestTheErrorsOfItemsStayWithTheirItems(t *testing.T) {
	page := pageOf("a", "B", "c", "D")
	page.retain(func(i int) bool { return i > 0 })
	require.Equal(t, []string{"B", "c", "D"}, page.Items)
	require.Equal(t, page.Items, page.ids)
	require.Equal(t, []error{errors.New("B"), nil, errors.New("D")}, page.Unread)
	require.Equal(t, []string{"B", "c", "D", ""}, page.Items[:4], "what was removed can be freed")

	for name, c := range map[string]struct{ front, back []string }{
		"none":        {[]string{"a", "b"}, []string{"c"}},
		"in front":    {[]string{"a", "B"}, []string{"c"}},
		"in the back": {[]string{"a", "b"}, []string{"C", "d"}},
		"in both":     {[]string{"A"}, []string{"B"}},
	} {
		page := pageOf(c.back...)
		page.prepend(pageOf(c.front...))
		both := append(append([]string(nil), c.front...), c.back...)
		require.Equal(t, both, page.Items, name)
		require.Equal(t, both, page.ids, name)
		require.Equal(t, pageOf(both...).Unread, page.Unread, name)
	}
}

func TestItemsThatWereNotReadAreYieldedOnceAndInTheirPlace(t *testing.T) {
	s := newList(5, 2, true)
	s.keys = []string{"a", "B", "c", "D", "e"}
	s.before = func(s *list, n, _ int) {
		if n == 2 {
			s.keys = s.keys[1:] // c has moved to the first page
		}
	}
	source := sourceFunc(func(ctx context.Context, number int) (*Page[string], error) {
		page, err := s.Fetch(ctx, number)
		page.Unread = pageOf(page.Items...).Unread
		return page, err
	})
	var keys []string
	var unread []error
	for page, err := range Pages(t.Context(), source, Options{}) {
		require.NoError(t, err)
		keys, unread = append(keys, page.Items...), append(unread, page.unread()...)
	}
	require.Equal(t, []int{1, 2, 1}, s.pages)
	require.Equal(t, []string{"a", "B", "c", "D", "e"}, keys)
	require.Equal(t, []error{nil, errors.New("B"), nil, errors.New("D"), nil}, unread)
}

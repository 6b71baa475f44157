package paging

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
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
		source := sourceFunc(func(ctx context.Context, at At) (*Page, error) {
			page, err := s.Fetch(ctx, at)
			for i, key := range texts(page) {
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
			require.Len(t, page.ids, len(texts(page)), name)
			for i, unread := range page.unread() {
				got += texts(page)[i]
				require.Equal(t, texts(page)[i] < "a", unread != nil, name)
				require.True(t, unread == nil || unread.Error() == texts(page)[i], name)
			}
		}
		require.Equal(t, keys, got, name)
		require.Equal(t, []int{1, 2, 1}, s.pages, name)
	}
}

func TestItemsThatAreLeftOutCanBeFreed(t *testing.T) {
	page := &Page{Items: &[]string{"a", "b", "c"}}
	page.Identify([]string{"a", "b", "c"}, nil)
	page.Retain(func(i int) bool { return i == 1 })
	require.Equal(t, []string{"b", "", ""}, texts(page)[:3])
}

func TestTotalAndHasMoreOfAPage(t *testing.T) {
	ranges := func(value string) http.Header { return http.Header{"Content-Range": {value}} }
	links := func(values ...string) http.Header { return http.Header{"Link": values} }
	none := -1
	for _, c := range []struct {
		name               string
		header             http.Header
		page, limit, items int
		total              int
		more               bool
	}{
		{"a short page", nil, 1, 10, 9, none, false},
		{"an empty page", nil, 3, 10, 0, none, false},
		{"a page longer than asked for", nil, 1, 10, 11, none, false},
		{"a page longer than asked for before the end", ranges("0-149/300"), 1, 100, 150, 300, true},
		{"the last page longer than asked for", ranges("150-299/300"), 2, 100, 150, 300, false},
		{"a total over a page longer than asked for", ranges("*/300"), 1, 100, 150, 300, true},
		{"a link after a page longer than asked for", links(`</x?page=2>; rel="next"`), 1, 100, 150, none, true},
		{"a range before the end", ranges("0-9/11"), 1, 10, 10, 11, true},
		{"a range of one item", ranges("0-0/3"), 1, 10, 1, 3, true},
		{"a range at the end", ranges("10-10/11"), 2, 10, 1, 11, false},
		{"a range with a unit", ranges(" items 0-9/11 "), 1, 10, 10, 11, true},
		{"a short page before the end", ranges("0-9/30"), 1, 10, 4, 30, true},
		{"an empty page before the end", ranges("0-9/30"), 1, 10, 0, 30, false},
		{"past the end", ranges("*/11"), 3, 10, 0, 11, false},
		{"a total without a range, more to come", ranges("*/11"), 1, 10, 10, 11, true},
		{"a total without a range, no more", ranges("*/11"), 2, 10, 1, 11, false},
		{"a total without a range, an empty page", ranges("*/11"), 1, 10, 0, 11, false},
		{"the largest total without a range", ranges(fmt.Sprintf("*/%d", math.MaxInt)), 1, 10, 10, math.MaxInt, true},
		{"a total of 0", ranges("*/0"), 1, 10, 0, 0, false},
		{"the largest total", ranges(fmt.Sprintf("0-9/%d", math.MaxInt)), 1, 10, 10, math.MaxInt, true},
		{"a range without a total", ranges("0-9"), 1, 10, 10, none, true},
		{"a range with an end below 0", ranges("0--1/10"), 1, 10, 10, none, true},
		{"no range at all, and a short page", ranges("x"), 1, 10, 3, none, false},
		{"a total that is not a number", ranges("0-9/many"), 1, 10, 10, none, true},
		{"a negative total", ranges("0-9/-3"), 1, 10, 10, none, true},
		{"a link to the next page", links(`</x?page=2>; rel="next"`), 1, 10, 4, none, true},
		{"a link to the next page of an empty one", links(`</x?page=2>; rel="next"`), 1, 10, 0, none, false},
		{"no link to a next page", links(`</x?page=1>; rel="prev", </x>; rel=first`), 2, 10, 10, none, false},
		{"a link to the last page", links(`</x?page=1>; rel="last"`), 1, 10, 10, none, false},
		{"several headers", links(`</x>; rel="self"`, `</x>; REL = "Last NEXT"`), 1, 10, 4, none, true},
		{"a link to the page itself, full", links(`</x>; rel="self"`), 1, 10, 10, none, true},
		{"an address with a relation in it", links(`</x?a;rel=next,b>; rel="prev"`), 2, 10, 10, none, false},
		{"a link that is cut off", links(`</x; rel="next"`), 1, 10, 10, none, true},
		{"next as a title, not a relation", links(`</x>; title="next"; rel="first"`), 1, 10, 10, none, false},
		{"a range and a link: the range is used", http.Header{"Content-Range": {"0-9/10"}, "Link": {`</x>; rel="next"`}}, 1, 10, 10, 10, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			total, more, told := Position(c.header, c.page, c.limit, c.items)
			if c.total == none {
				require.Nil(t, total)
			} else {
				require.Equal(t, c.total, *total)
			}
			require.Equal(t, c.more, more)
			_, full, _ := Position(c.header, c.page, 7, 7)
			_, longer, _ := Position(c.header, c.page, 7, 8)
			require.Equal(t, told, full == longer, "a header tells it, or the length of the page")
		})
	}
}

// chain is a list by cursor: its pages by their cursors, each as its items, a colon and the next
// cursor.
type chain struct {
	pages map[string]string
	asked []At
	fails bool // the next request
}

func (c *chain) Fetch(_ context.Context, at At) (*Page, error) {
	c.asked = append(c.asked, at)
	if c.fails {
		return nil, errSource
	}
	items, next, _ := strings.Cut(c.pages[at.Cursor], ":")
	if next == "new" {
		next = fmt.Sprint("new", at.Number)
	}
	page := &Page{Number: at.Number, Limit: 2, Items: new(strings.Fields(items)), Next: next, More: next != ""}
	page.Identify(strings.Fields(items), nil)
	return page, nil
}

// read walks over the list and returns its items with a bar after each page.
func (c *chain) read(options Options) (read string, err error) {
	for page, failed := range Pages(context.Background(), c, options) {
		if failed != nil {
			return read, failed
		}
		read += strings.Join(texts(page), " ") + "|"
		c.fails = read == "a b|c d|" && options.Cursor == "fail"
	}
	return read, nil
}

func TestAListByCursorIsReadWithoutNumbersAndReadAhead(t *testing.T) {
	list, seen := &chain{pages: map[string]string{"": "a b:x", "x": "c d:y", "y": ":z", "z": "d e:"}}, map[string]struct{}{"b": {}}
	read, err := list.read(Options{Ahead: 5, Seen: seen})
	require.NoError(t, err)
	require.Equal(t, "a|c d||e|", read, "what was seen is left out")
	require.Len(t, seen, 5)
	require.Equal(t, []At{{1, ""}, {2, "x"}, {3, "y"}, {4, "z"}}, list.asked)
}

func TestAnErrorNamesTheCursorToResumeAt(t *testing.T) {
	list := &chain{pages: map[string]string{"fail": "a b:x", "x": "c d:y", "y": "e:"}}
	_, err := list.read(Options{Cursor: "fail", Ahead: 2})
	require.Equal(t, &Error{Page: 3, Cursor: "y", Err: errSource}, err)
	rest, err := (&chain{pages: list.pages}).read(Options{Cursor: "y"})
	require.NoError(t, err)
	require.Equal(t, "e|", rest)
}

func TestAListByCursorThatDoesNotEndIsAnError(t *testing.T) {
	for _, c := range []struct {
		name          string
		pages         map[string]string
		start         string
		read          string // without empty pages
		resume        At
		asked         int
		wantErrorText string
	}{
		{"a page names itself", map[string]string{"": "a:x", "x": "b:x"}, "", "a|b|", At{2, "x"}, 2, "repeated an earlier cursor"},
		{"a page names the first one", map[string]string{"s": "a:x", "x": "b:s"}, "s", "a|b|", At{2, "x"}, 2, "repeated an earlier cursor"},
		{"pages in a circle", map[string]string{"": "a:x", "x": "b:y", "y": "c:z", "z": "d:x"}, "", "a|b|c|d|", At{4, "z"}, 4, "repeated an earlier cursor"},
		{"cursors that are made up", map[string]string{"": "a b:new"}, "", "a b|", At{1002, "new1001"}, 1002, "the last 1001 pages had nothing new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := &chain{pages: c.pages}
			if c.asked > 1000 {
				for n := range 2000 {
					list.pages[fmt.Sprint("new", n)] = "a b:new"
				}
			}
			read, err := list.read(Options{Cursor: c.start})
			require.Equal(t, c.read, strings.TrimRight(read, "|")+"|")
			require.ErrorContains(t, err, c.wantErrorText)
			ended := err.(*Error)
			require.Equal(t, c.resume, At{ended.Page, ended.Cursor})
			require.Len(t, list.asked, c.asked)
		})
	}
}

// TestAListWithoutPagesMayHaveExactlyTheLimit reads a list that comes whole, as far as the source
// knows.
func TestAListWithoutPagesMayHaveExactlyTheLimit(t *testing.T) {
	for _, c := range []struct {
		name        string
		bare, whole bool
		first       int
		pages       []int
		keys        int
	}{
		{"it comes whole", false, true, 1, []int{1, 2}, 10},
		{"it comes whole, from another page on", false, true, 3, []int{3, 4}, 10},
		{"it has pages", false, false, 1, []int{1, 2, 3, 4}, 30},
	} {
		s := newList(30, 10, false)
		if s.bare = c.bare; c.whole {
			s.alter = func(int, []string) []string { return s.keys[:10] }
		}
		source := sourceFunc(func(ctx context.Context, at At) (*Page, error) {
			page, err := s.Fetch(ctx, at)
			page.MayBeAll = page.More
			return page, err
		})
		keys := 0
		for page, err := range Pages(t.Context(), source, Options{First: c.first}) {
			require.NoError(t, err, c.name)
			keys += len(texts(page))
		}
		require.Equal(t, c.keys, keys, c.name)
		require.Equal(t, c.pages, s.pages, c.name)
	}
}

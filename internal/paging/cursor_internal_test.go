package paging

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// chain is a list by cursor: its pages by their cursors, each as its items, a colon and the next cursor.
type chain struct {
	pages map[string]string
	asked []At
	fails bool // the next request
}

func (c *chain) Fetch(_ context.Context, at At) (*Page[string], error) {
	c.asked = append(c.asked, at)
	if c.fails {
		return nil, errSource
	}
	items, next, _ := strings.Cut(c.pages[at.Cursor], ":")
	if next == "new" {
		next = fmt.Sprint("new", at.Number)
	}
	page := &Page[string]{Number: at.Number, Limit: 2, Items: strings.Fields(items), Next: next, More: next != ""}
	page.Identify(strings.Fields(items), nil)
	return page, nil
}

// read walks over the list and returns its items with a bar after each page.
func (c *chain) read(options Options) (read string, err error) {
	for page, failed := range Pages(context.Background(), c, options) {
		if failed != nil {
			return read, failed
		}
		read += strings.Join(page.Items, " ") + "|"
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
		{"a page names itself", map[string]string{"": "a:x", "x": "b:x"}, "", "a|b|", At{2, "x"}, 2, "names a page again"},
		{"a page names the first one", map[string]string{"s": "a:x", "x": "b:s"}, "s", "a|b|", At{2, "x"}, 2, "names a page again"},
		{"pages in a circle", map[string]string{"": "a:x", "x": "b:y", "y": "c:z", "z": "d:x"}, "", "a|b|c|d|", At{4, "z"}, 4, "names a page again"},
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

// TestAListWithoutPagesMayHaveExactlyTheLimit reads a list that comes whole, as far as the source knows.
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
		source := sourceFunc(func(ctx context.Context, at At) (*Page[string], error) {
			page, err := s.Fetch(ctx, at)
			page.MayBeAll = page.More
			return page, err
		})
		keys := 0
		for page, err := range Pages(t.Context(), source, Options{First: c.first}) {
			require.NoError(t, err, c.name)
			keys += len(page.Items)
		}
		require.Equal(t, c.keys, keys, c.name)
		require.Equal(t, c.pages, s.pages, c.name)
	}
}

package paging

import (
	"fmt"
	"math"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

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
		{"a full page", nil, 1, 10, 10, none, true},
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
		{"a full last page", ranges("0-9/10"), 1, 10, 10, 10, false},
		{"a range with a unit", ranges(" items 0-9/11 "), 1, 10, 10, 11, true},
		{"a short page before the end", ranges("0-9/30"), 1, 10, 4, 30, true},
		{"an empty page before the end", ranges("0-9/30"), 1, 10, 0, 30, false},
		{"past the end", ranges("*/11"), 3, 10, 0, 11, false},
		{"a total without a range, more to come", ranges("*/11"), 1, 10, 10, 11, true},
		{"a total without a range, no more", ranges("*/11"), 2, 10, 1, 11, false},
		{"a total without a range, an empty page", ranges("*/11"), 1, 10, 0, 11, false},
		{"a total without a range, one item", ranges("*/3"), 1, 1, 1, 3, true},
		{"a total of 0", ranges("*/0"), 1, 10, 0, 0, false},
		{"the largest total", ranges(fmt.Sprintf("0-9/%d", math.MaxInt)), 1, 10, 10, math.MaxInt, true},
		{"a range without a total", ranges("0-9"), 1, 10, 10, none, true},
		{"a range of an unknown total", ranges("0-9/*"), 1, 10, 10, none, true},
		{"no range at all, and a short page", ranges("x"), 1, 10, 3, none, false},
		{"a range that is not a number", ranges("0-x/11"), 1, 10, 10, none, true},
		{"a range without a dash", ranges("9/11"), 1, 10, 10, none, true},
		{"a total that is not a number", ranges("0-9/many"), 1, 10, 10, none, true},
		{"a negative total", ranges("0-9/-3"), 1, 10, 10, none, true},
		{"a negative end", ranges("0--9/3"), 1, 10, 10, none, true},
		{"a link to the next page", links(`</x?page=2>; rel="next"`), 1, 10, 4, none, true},
		{"a link to the next page of an empty one", links(`</x?page=2>; rel="next"`), 1, 10, 0, none, false},
		{"no link to a next page", links(`</x?page=1>; rel="prev", </x>; rel=first`), 2, 10, 10, none, false},
		{"a link to the last page", links(`</x?page=1>; rel="last"`), 1, 10, 10, none, false},
		{"several headers", links(`</x>; rel="self"`, `</x>; REL = "Last NEXT"`), 1, 10, 4, none, true},
		{"a link to the page itself, full", links(`</x>; rel="self"`), 1, 10, 10, none, true},
		{"a link to the page itself, short", links(`</x>; rel="self"`), 1, 10, 9, none, false},
		{"a link of another relation", links(`<https://x/docs>; rel="help"`), 1, 10, 10, none, true},
		{"links in one header", links(`<https://x/?page=1>; rel="first", <https://x/?page=2>; rel=next`), 1, 10, 10, none, true},
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

func TestTheNumberOfPagesOfAList(t *testing.T) {
	for _, c := range [][3]int{{0, 10, 0}, {-1, 10, 0}, {1, 10, 1}, {10, 10, 1}, {11, 10, 2}, {math.MaxInt, math.MaxInt, 1}} {
		require.Equal(t, c[2], pagesOf(c[0], c[1]), "%d items, %d on a page", c[0], c[1])
	}
}

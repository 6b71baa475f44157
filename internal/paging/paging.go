// Package paging walks over a list that others change meanwhile, and reads its pages ahead.
//
// [Pages] yields the pages of a [Source] in order. An item with an id is yielded at most once. If
// items are removed, others move to pages that were read already; the totals of the pages show it,
// and those pages are read again, a bounded number of times. So an item that stays in the list is
// yielded, or a page says with MayMiss that some may be missing. That needs a total in each page,
// and items that are only added or only removed between two of them; with pages that are read
// ahead, in the whole walk. A source that ignores the number of the page is found out. Whatever
// ends a walk early is an [*Error], which says at which page to resume.
//
// In a list by cursor each page names the next one. Then neither numbers nor read-ahead are used,
// and a source that names a page twice, or by a cursor that is too long to send, is found out. The
// walk keeps at most 64 bytes of each id and each cursor.
//
// The package knows pages, ids and totals; what an item is, and how a page is fetched, is the
// business of the source. No goroutine outlives the loop, and a panic or an exit of the source
// reaches it. [Position] reads the total from the headers of a response.
package paging

import (
	"cmp"
	"context"
	"fmt"
	"iter"
)

// At says which page is meant.
type At struct {
	// Number is the number of the page, from 1. In a list by cursor it counts the pages of the walk.
	Number int
	// Cursor is by what the page before named this one; "" for the first page of a list by cursor,
	// and in other lists.
	Cursor string
}

// Source is a list that has pages.
type Source interface {
	// Fetch returns a page as it is now. It is called concurrently if pages are read ahead. The
	// walk changes the page and its slices.
	Fetch(ctx context.Context, at At) (*Page, error)
}

// Options say how to walk. The zero Options walk from the first page and fetch one page at a time.
type Options struct {
	// First is the page to start at; 0 is 1. No page before it is read.
	First int
	// Cursor is where to start in a list by cursor; "" is its beginning.
	Cursor string
	// Ahead is how many pages after the current one are fetched concurrently, as soon as the
	// first page says that more follow; 0 fetches none ahead.
	Ahead int
	// Seen has the ids of items to leave out, and gets those of the items that were yielded: of an id
	// over 64 bytes its digest. nil leaves out none.
	Seen map[string]struct{}
}

// Error is why a walk ended before the end of the list.
type Error struct {
	// Page is the page to resume at: the one that Err is about, or an earlier one if items have
	// moved to it that were not yielded yet. No item is missed then, unless the list shrank after
	// the last response.
	Page int
	// Cursor is the cursor of that page, in a list by cursor; "" for its first page.
	Cursor string
	// Err is the error of the source, or what is wrong with the list.
	Err error
}

// Error returns the page and the reason.
func (e *Error) Error() string { return fmt.Sprintf("page %d: %v", e.Page, e.Err) }

// Unwrap returns the error of the source.
func (e *Error) Unwrap() error { return e.Err }

// Pages iterates over the pages of a source. A page that is yielded has the items that were not
// yielded before: its own ones, and in front of them those that have moved to earlier pages. It
// belongs to the loop. An [*Error] comes without a page, once, and is the end. Each range walks
// again from the first page.
func Pages(ctx context.Context, source Source, options Options) iter.Seq2[*Page, error] {
	return func(yield func(*Page, error) bool) {
		w := &walk{first: cmp.Or(options.First, 1), fetch: source.Fetch, next: source.Fetch, seen: options.Seen}
		w.cursors = map[string]struct{}{kept(options.Cursor): {}}
		if w.seen == nil {
			w.seen = make(map[string]struct{})
		}
		if options.Ahead > 0 {
			ahead := newReadAhead(ctx, source.Fetch, w.first, options.Ahead)
			defer ahead.stop()
			w.next, w.ahead = ahead.next, true
		}
		w.run(ctx, options.Cursor, yield)
	}
}

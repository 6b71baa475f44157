package paging

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
)

// walk is one iteration over the pages of a list that may change meanwhile.
//
// It reads the pages in order. Its invariant: every item that is still in the list, on a page
// that was read, was yielded. If items are added, others move to later pages, which are still
// to be read. If items are removed, others move to earlier pages, which were read already.
// The total in each response says how many were removed, and so how many positions before the
// current page such items can be.
type walk struct {
	first int
	next  func(context.Context, At) (*Page, error) // the pages in order
	fetch func(context.Context, At) (*Page, error) // a page as it is now
	ahead bool                                     // next fetched the pages ahead

	seen    map[string]struct{} // ids that were yielded
	met     int                 // number of items that were yielded
	size    int                 // number of items on a page, as the source has them; 0 if not known yet
	total   *int                // of the response before
	lost    int                 // by how many items the list shrank since the page before was read
	rereads int                 // number of pages that were read again
	repeats repeats
	cursors map[string]struct{} // by which pages were named
	idle    int                 // consecutive pages by cursor without new items
}

func (w *walk) run(ctx context.Context, cursor string, yield func(*Page, error) bool) {
	for at := (At{w.first, cursor}); ; at.Number++ {
		page, err := w.read(ctx, at)
		if err != nil {
			yield(nil, err)
			return
		}
		more, torn, next := page.More, page.Torn, page.Next
		if !yield(page, nil) {
			return
		}
		if torn != nil {
			yield(nil, w.failed(torn, at.Number, at.Cursor))
			return
		}
		if !more {
			return
		}
		at.Cursor = next
	}
}

// read returns a page with the items that were not yielded before: its own items, and items
// that have moved to earlier pages.
func (w *walk) read(ctx context.Context, at At) (*Page, error) {
	page, err := w.newest(ctx, at)
	if err != nil {
		return nil, err
	}
	if at.Cursor != "" || page.Next != "" {
		w.followCursor(page)
		return page, nil
	}
	if page.MayBeAll && at.Number == w.first+1 && page.print == w.repeats.print {
		page.Retain(func(int) bool { return false })
		page.More = false
		return page, nil
	}
	w.countTotal(page.Total)
	moved, err := w.reread(ctx, page)
	if err != nil {
		return nil, err
	}
	items := page.Len()
	if page.More && (w.size == 0 || items < w.size) {
		w.size = items
	}
	w.dropSeen(page)
	w.repeats.count(page.print, items, page.Len())
	if w.repeats.tooMany(pagesOf(w.met, max(w.size, 1))) {
		return nil, w.failed(errors.New("the service ignores the page number: it sent the items of earlier pages again"), at.Number, "")
	}
	if moved != nil {
		page.prepend(moved)
	}
	return page, nil
}

// newest returns the next page. If the list changed while that and the page before were fetched
// ahead, this one may be the older of the two, and an item can be on neither. Then it is fetched
// again.
func (w *walk) newest(ctx context.Context, at At) (*Page, error) {
	number := at.Number
	page, err := w.next(ctx, at)
	lost := w.lost
	if err == nil && w.ahead && w.total != nil && page.Total != nil && *page.Total != *w.total {
		if !w.mayReread(number) {
			page.MayMiss = true
			return page, nil
		}
		lost += *w.total - *page.Total // in case it is newer
		page, err = w.again(ctx, number)
	}
	if err != nil {
		return nil, w.failed(err, number-pagesOf(lost, w.size), at.Cursor)
	}
	return page, nil
}

// failed returns the error of a walk that can be resumed at a page.
func (w *walk) failed(err error, resume int, cursor string) error {
	return &Error{Page: max(resume, w.first), Cursor: cursor, Err: err}
}

// followCursor drops the items of a page by cursor that were yielded before. If the page names one
// that was named before, or if too many in a row have nothing new, it is the last one.
func (w *walk) followCursor(page *Page) {
	w.dropSeen(page)
	if w.idle++; page.Len() > 0 {
		w.idle = 0
	}
	_, named := w.cursors[kept(page.Next)]
	w.cursors[kept(page.Next)] = struct{}{}
	switch {
	case page.Next == "" || page.Torn != nil:
	case len(page.Next) > maxCursor:
		page.Torn = fmt.Errorf("the cursor of the next page has %d bytes, and at most %d are sent", len(page.Next), maxCursor)
	case named:
		page.Torn = errors.New("the service repeated an earlier cursor: the list does not end")
	case w.idle > maxIdlePages:
		page.Torn = fmt.Errorf("the last %d pages had nothing new: the list does not end", w.idle)
	}
}

// countTotal counts by how many items the list shrank or grew since the response before, and
// returns both.
func (w *walk) countTotal(total *int) (lost, grown int) {
	if total != nil && w.total != nil {
		lost, grown = max(*w.total-*total, 0), max(*total-*w.total, 0)
	}
	w.total = total
	w.lost += lost
	w.repeats.grown += grown
	return lost, grown
}

// mayReread reports whether one more page may be read again before a page. Their number is limited,
// because replicas of a service may return different totals of a list that does not change.
func (w *walk) mayReread(number int) bool { return w.rereads < number-w.first+1+moreRereads }

// again reads a page again, and counts that.
func (w *walk) again(ctx context.Context, number int) (*Page, error) {
	w.rereads++
	return w.fetch(ctx, At{Number: number})
}

// reread returns the items that were on this page or after it and have moved to an earlier
// page, because the list shrank; nil if there are none. It reads the pages again that can have
// them, but none before the first page of the walk.
//
// The items of the list have positions, from 0. If n items were removed, those that have moved
// are at the n positions before the page: from low on, and below high. The pages are read
// backwards, against the direction in which items move if the list shrinks meanwhile. So after
// each of them all that is still to be read is between low and high: a page that was read moves
// high down to its beginning. What is removed meanwhile moves low down, and what is added moves
// high up.
func (w *walk) reread(ctx context.Context, page *Page) (*Page, error) {
	floor, high := (w.first-1)*w.size, (page.Number-1)*w.size
	low := high - w.lost
	w.lost = 0
	var moved *Page
	for max(low, floor) < high {
		if !w.mayReread(page.Number) {
			page.MayMiss = true
			return moved, nil
		}
		number := pagesOf(high, w.size) // the last page with such positions
		again, err := w.again(ctx, number)
		if err == nil {
			err = again.Torn
		}
		if err != nil {
			return nil, w.failed(err, low/w.size+1, "")
		}
		lost, grown := w.countTotal(again.Total)
		low, high = low-lost, high+grown
		if begin := (number - 1) * w.size; high <= begin+w.size { // otherwise some have moved to a later page
			high = begin
		}
		w.dropSeen(again)
		if moved == nil {
			moved = again
		} else {
			moved.prepend(again)
		}
	}
	return moved, nil
}

// dropSeen removes the items that were yielded before, and counts the others as yielded.
func (w *walk) dropSeen(page *Page) {
	page.Retain(func(i int) bool {
		id := page.ids[i]
		if id == "" {
			return true
		}
		_, ok := w.seen[kept(id)]
		w.seen[kept(id)] = struct{}{}
		return !ok
	})
	w.met += page.Len()
}

// kept returns what a walk keeps of an id or a cursor: the text itself, or the digest of a long
// one, because texts of any length would take as much memory as the whole list.
func kept(text string) string {
	if len(text) <= maxKept {
		return text
	}
	digest := sha256.Sum256([]byte(text))
	return string(digest[:])
}

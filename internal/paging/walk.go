package paging

import (
	"context"
	"errors"
)

// walk is one iteration over the pages of a list that may change meanwhile.
//
// It reads the pages in order. Its invariant: every item that is still in the list, on a page
// that was read, was yielded. If items are added, others move to later pages, which are still
// to be read. If items are removed, others move to earlier pages, which were read already.
// The total in each response says how many were removed, and so how many positions before the
// current page such items can be.
type walk[I any] struct {
	first int
	next  func(context.Context, int) (*Page[I], error) // the pages in order
	fetch func(context.Context, int) (*Page[I], error) // a page as it is now
	ahead bool                                         // next fetched the pages ahead

	seen    map[string]struct{} // ids that were yielded
	met     int                 // number of items that were yielded
	size    int                 // number of items on a page of the service
	total   *int                // of the response before
	lost    int                 // by how many items the list shrank since the page before was read
	grown   int                 // by how many items it grew
	rereads int                 // number of pages that were read again

	print  uint64 // of the page before
	same   int    // consecutive pages that are like the one before
	stale  int    // consecutive pages without new items
	growth bool   // whether the list grew during these
}

// How many pages without new items are accepted, in addition to the pages whose items may
// come again because the list grows. After more of them, the service is taken to ignore the
// parameter page.
const (
	maxStalePages = 3
	maxGrownPages = 100 // while the total grows
)

// moreRereads is how many pages a walk may read again in addition to the pages of the list.
const moreRereads = 8

func (w *walk[I]) run(ctx context.Context, yield func(*Page[I], error) bool) {
	for number := w.first; ; number++ {
		page, err := w.read(ctx, number)
		if err != nil {
			yield(nil, err)
			return
		}
		more, torn := page.More, page.Torn
		if !yield(page, nil) {
			return
		}
		if torn != nil {
			yield(nil, w.failed(torn, number))
			return
		}
		if !more {
			return
		}
	}
}

// read returns a page with the items that were not yielded before: its own items, and items
// that have moved to earlier pages.
func (w *walk[I]) read(ctx context.Context, number int) (*Page[I], error) {
	page, err := w.next(ctx, number)
	outdated, lost := false, w.lost
	if err == nil && w.ahead && w.total != nil && page.Total != nil && *page.Total != *w.total {
		// The list changed while both pages were fetched. This page may be older than
		// the one before, so that an item can be on neither.
		if outdated = !w.mayReread(number); !outdated {
			lost += *w.total - *page.Total // in case it is newer
			page, err = w.fetch(ctx, number)
		}
	}
	if err != nil {
		return nil, w.failed(err, number-pagesOf(lost, w.size))
	}
	page.MayMiss = outdated
	w.observe(page.Total)
	moved, err := w.reread(ctx, page)
	if err != nil {
		return nil, err
	}
	items := len(page.Items)
	if page.More && (w.size == 0 || items < w.size) {
		w.size = items
	}
	w.dropSeen(page)
	if w.stuck(page, items) {
		return nil, w.failed(errors.New("the service ignores the page number: it sent the items of earlier pages again"), number)
	}
	if moved != nil {
		page.prepend(moved)
	}
	return page, nil
}

// failed returns the error of a walk that can be resumed at a page.
func (w *walk[I]) failed(err error, resume int) error {
	return &Error{Page: max(resume, w.first), Err: err}
}

// observe counts by how much the list grew or shrank since the response before.
func (w *walk[I]) observe(total *int) {
	if total != nil && w.total != nil {
		w.grown += max(*total-*w.total, 0)
		w.lost += max(*w.total-*total, 0)
	}
	w.total = total
}

// mayReread counts the pages that are read again. Their number is limited, because replicas of
// a service may return different totals of a list that does not change.
func (w *walk[I]) mayReread(number int) bool {
	if w.rereads >= number-w.first+1+moreRereads {
		return false
	}
	w.rereads++
	return true
}

// reread returns the items that were on this page or after it and have moved to an earlier
// page, because the list shrank. It reads the pages again that can have them, but none before
// the first page of the walk.
func (w *walk[I]) reread(ctx context.Context, page *Page[I]) (*Page[I], error) {
	// Such items are at positions from low up to high. It reads the pages backwards, against
	// the direction in which items move if the list shrinks meanwhile.
	floor, high := (w.first-1)*w.size, (page.Number-1)*w.size
	low := high - w.lost
	w.lost = 0
	var moved *Page[I]
	for max(low, floor) < high {
		number := (high-1)/w.size + 1
		if !w.mayReread(page.Number) {
			page.MayMiss = true
			return moved, nil
		}
		again, err := w.fetch(ctx, number)
		if err == nil {
			err = again.Torn
		}
		if err != nil {
			return nil, w.failed(err, low/w.size+1)
		}
		lost, grown := w.lost, w.grown
		w.observe(again.Total)
		low -= w.lost - lost
		high += w.grown - grown
		if high <= number*w.size {
			high = (number - 1) * w.size
		} // otherwise it grew, and some have moved to a later page
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
func (w *walk[I]) dropSeen(page *Page[I]) {
	page.retain(func(i int) bool {
		id := page.ids[i]
		if id == "" {
			return true
		}
		_, ok := w.seen[id]
		w.seen[id] = struct{}{}
		return !ok
	})
	w.met += len(page.Items)
}

// stuck reports whether the service ignores the parameter page. The page had this number of
// items before dropSeen.
func (w *walk[I]) stuck(page *Page[I], items int) bool {
	like := w.print == page.print
	w.print = page.print
	grown := w.grown
	w.grown = 0
	if items == 0 || len(page.Items) > 0 && !like {
		w.same, w.stale, w.growth = 0, 0, false
		return false
	}
	switch {
	case !like:
		w.same = 0
	case grown < items: // the growth of the total does not explain it
		w.same++
	}
	w.stale++
	w.growth = w.growth || grown > 0
	most := pagesOf(w.met, max(w.size, 1)) + maxStalePages
	if w.growth {
		most += maxGrownPages
	}
	return w.same > maxStalePages || w.stale > most
}

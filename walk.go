package monitoring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
)

// walk is one iteration over the pages of a list that may change meanwhile.
type walk[T any] struct {
	*lister[T]
	options ListOptions
	seen    map[string]struct{} // ids that were yielded
	total   *int                // as the page before told it
	raw     []byte              // the answer of the page before
	stale   int                 // pages in a row without anything new
	ahead   bool                // pages are fetched ahead
}

// How many pages without anything new are taken for insertions into the list; more than
// that is a service that ignores the page.
const (
	maxStalePages = 3
	maxGrownPages = 100 // where the total grows, which accounts for many
)

func (w *walk[T]) run(ctx context.Context, yield func(*Page[T], error) bool) {
	source, stop, err := w.source(ctx)
	if err != nil {
		yield(nil, err)
		return
	}
	defer stop()
	for number := w.options.Page; ; number++ {
		page, err := source(number)
		if err == nil && w.ahead && w.total != nil && page.Total != nil && *page.Total != *w.total {
			// The list changed while both pages were on their way, and this one may be
			// older than the one before, so that an item can be on neither.
			page, err = w.fetch(ctx, ListOptions{Limit: w.options.Limit, Page: number})
		}
		if err == nil {
			err = w.reconcile(ctx, page)
		}
		if err != nil {
			yield(nil, &PageError{Page: number, Err: err})
			return
		}
		w.filter(page)
		if !yield(page, nil) || !page.HasMore {
			return
		}
	}
}

// source returns a function that gives the pages in order, and one that ends it. With
// read-ahead the pages after the current one are fetched meanwhile.
func (w *walk[T]) source(ctx context.Context) (next func(int) (*Page[T], error), stop func(), err error) {
	if err := (&service{w.client}).ready(); err != nil {
		return nil, nil, err
	}
	settings, err := w.client.core.call.with(w.opts)
	if err != nil {
		return nil, nil, err
	}
	fetch := func(ctx context.Context, number int) (*Page[T], error) {
		return w.fetch(ctx, ListOptions{Limit: w.options.Limit, Page: number})
	}
	if settings.readAhead == 0 {
		return func(number int) (*Page[T], error) { return fetch(ctx, number) }, func() {}, nil
	}
	type result struct {
		page *Page[T]
		err  error
	}
	own := *w.lister // which other iterations share
	own.opts = concurrent(own.opts)
	w.lister, w.ahead = &own, true
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	pending := make(map[int]chan result)
	launched := w.options.Page - 1
	launch := func(upTo int) {
		for ; launched < upTo; launched++ {
			number, done := launched+1, make(chan result, 1)
			pending[number] = done
			workers.Go(func() {
				page, err := fetch(ctx, number)
				done <- result{page, err}
			})
		}
	}
	next = func(number int) (*Page[T], error) {
		launch(number)
		r := <-pending[number]
		delete(pending, number)
		if r.err == nil && r.page.HasMore {
			ahead := number + settings.readAhead
			if r.page.Total != nil {
				ahead = min(ahead, pagesOf(*r.page.Total, r.page.Limit))
			}
			launch(ahead)
		}
		return r.page, r.err
	}
	stop = func() {
		cancel()
		workers.Wait()
	}
	return next, stop, nil
}

func pagesOf(items, limit int) int { return (items + limit - 1) / limit }

// reconcile makes up for what happened to the list since the page before was read:
// items that moved here from it are dropped, items that moved there are fetched.
func (w *walk[T]) reconcile(ctx context.Context, page *Page[T]) error {
	if len(page.Items) > page.Limit {
		return fmt.Errorf("the service ignores the limit: it sent %d items where at most %d were asked for", len(page.Items), page.Limit)
	}
	moved, err := w.reread(ctx, page)
	if err != nil {
		return err
	}
	here := w.unseen(page.Items)
	same := len(page.Items) > 0 && bytes.Equal(page.raw, w.raw)
	w.raw, page.raw = page.raw, nil
	if len(page.Items) > 0 && (len(here) == 0 || same) {
		grown := page.Total != nil && w.total != nil && *page.Total > *w.total
		if w.stale++; !grown && w.stale > maxStalePages || w.stale > maxGrownPages {
			return errors.New("the service ignores the page: it sends the items of earlier pages again")
		}
	} else {
		w.stale = 0
	}
	page.Items = append(moved, here...)
	w.total = page.Total
	return nil
}

// reread returns the items that were on this page or after it and have moved to an
// earlier page, because the list shrank: it reads again the pages they can be on.
func (w *walk[T]) reread(ctx context.Context, page *Page[T]) ([]T, error) {
	if page.Total == nil || w.total == nil || *page.Total >= *w.total {
		return nil, nil
	}
	// From right to left, against the direction in which items move: one that has left a
	// page before it is read is met on a later one.
	var moved []T
	lost, total := *w.total-*page.Total, *page.Total
	for number := page.Page - 1; number >= w.options.Page && page.Page-number <= pagesOf(lost, page.Limit); number-- {
		earlier, err := w.fetch(ctx, ListOptions{Limit: page.Limit, Page: number})
		if err != nil {
			return nil, err
		}
		moved = append(w.unseen(earlier.Items), moved...)
		if earlier.Total != nil && *earlier.Total < total { // it shrinks while we read
			lost, total = lost+total-*earlier.Total, *earlier.Total
		}
	}
	return moved, nil
}

// unseen returns the items that were not yielded before, and counts them as yielded.
func (w *walk[T]) unseen(items []T) []T {
	fresh := items[:0]
	for i := range items {
		if id := w.id(&items[i]); id != "" {
			if _, ok := w.seen[id]; ok {
				continue
			}
			w.seen[id] = struct{}{}
		}
		fresh = append(fresh, items[i])
	}
	return fresh
}

package paging

import (
	"context"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

// readAhead fetches the pages after the current one concurrently and returns them in order.
type readAhead struct {
	ctx      context.Context
	cancel   context.CancelFunc
	fetch    func(context.Context, At) (*Page, error)
	most     int
	workers  *workers.Group
	pending  map[int]chan fetched
	launched int
}

type fetched struct {
	page *Page
	err  error
}

// newReadAhead fetches up to most pages ahead, starting with the page first. The caller must
// call stop.
func newReadAhead(ctx context.Context, fetch func(context.Context, At) (*Page, error), first, most int) *readAhead {
	ctx, cancel := context.WithCancel(ctx)
	return &readAhead{
		ctx: ctx, cancel: cancel, fetch: fetch, most: most, launched: first - 1,
		workers: workers.New(cancel), pending: make(map[int]chan fetched),
	}
}

// launch begins to fetch the pages up to a number. With a cursor that is one page.
func (a *readAhead) launch(upTo int, cursor string) {
	for ; a.launched < upTo; a.launched++ {
		number, done := a.launched+1, make(chan fetched, 1)
		a.pending[number] = done
		a.workers.Go(func() {
			page, err := a.fetch(a.ctx, At{number, cursor})
			done <- fetched{page, err}
		})
	}
}

// next returns the pages one after the other. It fetches ahead only after the first page,
// which says whether more pages follow, and not by cursor.
func (a *readAhead) next(_ context.Context, at At) (*Page, error) {
	number := at.Number
	a.launch(number, at.Cursor)
	var result fetched
	select {
	case result = <-a.pending[number]:
	case <-a.workers.Broken():
	}
	if result.page == nil {
		select {
		case <-a.workers.Broken(): // the error of the page, if any, only says that the fetch was stopped
			a.workers.Wait() // does not return
		default:
		}
	}
	delete(a.pending, number)
	if page := result.page; page != nil && page.More && page.Next == "" {
		upTo := number + a.most
		if page.Total != nil {
			upTo = min(upTo, pagesOf(*page.Total, page.Limit))
		}
		a.launch(upTo, "")
	}
	return result.page, result.err
}

// stop ends the workers. If one of them panicked or exited, stop does the same.
func (a *readAhead) stop() {
	a.cancel()
	a.workers.Wait()
}

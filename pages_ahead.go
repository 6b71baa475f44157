package monitoring

import (
	"context"

	"github.com/monitoring-api/monitoring-go/internal/workers"
)

// readAhead fetches the pages after the current one concurrently and returns them in order.
type readAhead[T any] struct {
	ctx      context.Context
	cancel   context.CancelFunc
	fetch    func(context.Context, int) (*Page[T], error)
	most     int
	workers  *workers.Group
	pending  map[int]chan fetched[T]
	launched int
}

type fetched[T any] struct {
	page *Page[T]
	err  error
}

// newReadAhead fetches up to most pages ahead, starting with the page first. The caller must
// call stop.
func newReadAhead[T any](ctx context.Context, fetch func(context.Context, int) (*Page[T], error), first, most int) *readAhead[T] {
	ctx, cancel := context.WithCancel(ctx)
	return &readAhead[T]{
		ctx: ctx, cancel: cancel, fetch: fetch, most: most, launched: first - 1,
		workers: workers.New(cancel), pending: make(map[int]chan fetched[T]),
	}
}

func (a *readAhead[T]) launch(upTo int) {
	for ; a.launched < upTo; a.launched++ {
		number, done := a.launched+1, make(chan fetched[T], 1)
		a.pending[number] = done
		a.workers.Go(func() {
			page, err := a.fetch(a.ctx, number)
			done <- fetched[T]{page, err}
		})
	}
}

// next returns the pages one after the other. It fetches ahead only after the first page,
// which says whether more pages follow.
func (a *readAhead[T]) next(_ context.Context, number int) (*Page[T], error) {
	a.launch(number)
	var result fetched[T]
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
	if page := result.page; page != nil && page.HasMore {
		upTo := number + a.most
		if page.Total != nil {
			upTo = min(upTo, pagesOf(*page.Total, page.Limit))
		}
		a.launch(upTo)
	}
	return result.page, result.err
}

// stop ends the workers. If one of them panicked or exited, stop does the same.
func (a *readAhead[T]) stop() {
	a.cancel()
	a.workers.Wait()
}

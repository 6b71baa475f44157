package monitoring

import "context"

// maxReadAhead is the most pages that an iterator may fetch ahead.
const maxReadAhead = 64

// readAhead fetches the pages after the current one meanwhile and gives them in order.
type readAhead[T any] struct {
	ctx      context.Context
	cancel   context.CancelFunc
	fetch    func(context.Context, int) (*Page[T], error)
	most     int
	workers  *workers
	pending  map[int]chan fetched[T]
	launched int
}

type fetched[T any] struct {
	page *Page[T]
	err  error
}

// newReadAhead reads ahead up to so many pages from the first one on. It must be stopped.
func newReadAhead[T any](ctx context.Context, fetch func(context.Context, int) (*Page[T], error), first, most int) *readAhead[T] {
	ctx, cancel := context.WithCancel(ctx)
	return &readAhead[T]{
		ctx: ctx, cancel: cancel, fetch: fetch, most: most, launched: first - 1,
		workers: newWorkers(cancel), pending: make(map[int]chan fetched[T]),
	}
}

func (a *readAhead[T]) launch(upTo int) {
	for ; a.launched < upTo; a.launched++ {
		number, done := a.launched+1, make(chan fetched[T], 1)
		a.pending[number] = done
		a.workers.run(func() {
			page, err := a.fetch(a.ctx, number)
			done <- fetched[T]{page, err}
		})
	}
}

// next gives the pages one after the other. Whether there are pages to fetch ahead is
// known from the first one on.
func (a *readAhead[T]) next(_ context.Context, number int) (*Page[T], error) {
	a.launch(number)
	var result fetched[T]
	select {
	case result = <-a.pending[number]:
	case <-a.workers.broken:
	}
	if result.page == nil {
		select {
		case <-a.workers.broken: // the error, if there is one, is only that the others were stopped
			a.workers.wait() // which does not return
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

// stop ends the workers, and goes on with the panic or the exit of one of them.
func (a *readAhead[T]) stop() {
	a.cancel()
	a.workers.wait()
}

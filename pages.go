package monitoring

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/paging"
)

// maxPageSize is the greatest number of items on a page; iterators ask for it.
const maxPageSize = 100

// defaultPageSize is the service's default for the number of items on a page.
const defaultPageSize = 10

// ListOptions selects a page of a list. For values out of range all methods of a list return
// a [*ValidationError], and nothing is sent.
type ListOptions struct {
	// Limit is the number of items on a page, 1 to 100. If it is 0, List uses the service's
	// default of 10, and iterators ask for 100.
	Limit int `url:"limit,omitempty"`
	// Page is the number of the page, from 1; 0 is 1. Iterators start at this page.
	Page int `url:"page,omitempty"`
}

// Validate returns a [*ValidationError] if Limit or Page is out of range, and nil otherwise.
// Its Operation is empty. Nothing is sent.
func (o ListOptions) Validate() error { return validateQuery("", o) }

func (o ListOptions) validate(v *violations) {
	if o.Limit < 0 || o.Limit > maxPageSize {
		v.add("limit", "%d is outside 1..%d", o.Limit, maxPageSize)
	}
	if o.Page < 0 {
		v.add("page", "%d is below 1", o.Page)
	}
}

// Page is one page of a list.
type Page[T any] struct {
	// Items are the items of the page. A service that ignores the limit may send more than
	// were asked for. Iterators leave out items that were on an earlier page, and put items
	// in front that have moved to an earlier page.
	Items []T
	// Page is the number of the page, and Limit how many items it can have.
	Page  int
	Limit int
	// From and To are the window of an iteration over alert notifications that the page is of;
	// zero for other lists, and for a page that List returned.
	From, To time.Time
	// Total is the number of items in the list; nil if the response does not have it.
	Total *int
	// HasMore says whether another page follows. If the response has neither the total nor a
	// link to the next page, it is true for a page with exactly Limit items.
	HasMore bool
	// MayMissItems says that items may be missing before this page: the list shrank, and the
	// iterator had already read too many pages again; see [VariablesService.All].
	MayMissItems bool

	bad []*ItemError // errors of items that were not decoded, in their order; Items does not have these
}

// PageError is the error of an iteration that stopped at a page. To resume, set Page of the
// options to Page of the error, and for alert notifications From to its From. No item is
// missed then, unless the list shrank after the last response. Items that were yielded before
// may be yielded again.
type PageError struct {
	// Page is the page to resume at: the page that could not be read, or an earlier one if
	// items have moved to it that were not yielded yet.
	Page int
	// From and To are the window of alert notifications, a day of the period or less; zero for
	// other lists. To is not that of the options: keep it to resume.
	From, To time.Time
	// Err is the error of the call, or what is wrong with the list.
	Err error
}

// Error returns the page, the window if there is one, and the reason.
func (e *PageError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	place := fmt.Sprintf("page %d", e.Page)
	if !e.From.IsZero() {
		place += fmt.Sprintf(" of %s to %s", e.From.UTC().Format(time.RFC3339), e.To.UTC().Format(time.RFC3339))
	}
	reason := "could not be read"
	if e.Err != nil {
		reason = strings.TrimPrefix(e.Err.Error(), "monitoring: ")
	}
	return fmt.Sprintf("monitoring: %s: %s", place, reason)
}

// Unwrap returns the error of the call.
func (e *PageError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Collect returns the items that an iterator yields, up to its first error. With an error it
// returns the items before it, too.
//
//	variables, err := monitoring.Collect(client.Variables.All(ctx, monitoring.VariableListOptions{}))
func Collect[T any](seq iter.Seq2[T, error]) ([]T, error) {
	var list []T
	for item, err := range seq {
		if err != nil {
			return list, err
		}
		list = append(list, item)
	}
	return list, nil
}

// lister lists one kind of items. Its methods are what all lists have in common.
type lister[T any] struct {
	core *core
	// operation builds the request of a page.
	operation func(ListOptions) *operation
	// id returns the id of an item; "" if it has none.
	id func(*T) string
	// idMember is the name of the member that has the id, for untyped items; id is nil then.
	idMember string
	// keep reports whether to keep an item of a response; nil keeps all.
	keep func(*T) bool
	opts []CallOption
}

// list fetches a page. It fails if an item cannot be decoded.
func (l *lister[T]) list(ctx context.Context, options ListOptions) (*Page[T], error) {
	fetched, err := l.fetch(ctx, options, l.opts)
	if err != nil {
		return nil, err
	}
	page, err := l.page(fetched)
	if err != nil {
		return nil, page.bad[0]
	}
	return page, nil
}

// fetch fetches a page as the service has it.
func (l *lister[T]) fetch(ctx context.Context, options ListOptions, opts []CallOption) (*paging.Page[T], error) {
	op := l.operation(options)
	page := &paging.Page[T]{Number: max(options.Page, 1), Limit: options.Limit}
	if page.Limit == 0 {
		page.Limit = defaultPageSize
	}
	op.decode = func(ctx context.Context, data []byte) error { return l.decode(ctx, op, data, page) }
	o, err := l.core.do(ctx, op, opts)
	if err != nil {
		return nil, err
	}
	for _, bad := range page.Unread {
		if bad != nil {
			bad.(*ItemError).scrub(o.scrubber())
		}
	}
	page.Total, page.More = paging.Position(o.result.Header, page.Number, page.Limit, len(page.Items))
	return page, nil
}

// page makes the page for the caller: the items that keep selects, without those that were not
// decoded, and these as an error.
func (l *lister[T]) page(p *paging.Page[T]) (*Page[T], error) {
	page := &Page[T]{Items: p.Items, Page: p.Number, Limit: p.Limit, Total: p.Total, HasMore: p.More, MayMissItems: p.MayMiss}
	if l.keep == nil && p.Unread == nil {
		return page, nil
	}
	var errs []error
	page.Items = p.Items[:0]
	for i := range p.Items {
		if p.Unread != nil && p.Unread[i] != nil {
			bad := p.Unread[i].(*ItemError)
			bad.before = len(page.Items)
			page.bad, errs = append(page.bad, bad), append(errs, bad)
		} else if l.keep == nil || l.keep(&p.Items[i]) {
			page.Items = append(page.Items, p.Items[i])
		}
	}
	clear(p.Items[len(page.Items):]) // so that the garbage collector can free them
	if len(errs) == 1 {
		return page, errs[0]
	}
	return page, errors.Join(errs...)
}

// pageError makes the error for the caller of the one with which a walk ended. The error of a
// request that was refused before it was sent is returned as it is.
func pageError(ended *paging.Error) error {
	if _, refused := errors.AsType[*ValidationError](ended.Err); refused {
		return ended.Err
	}
	return &PageError{Page: ended.Page, Err: ended.Err}
}

// items iterates over the items of pages. In place of an item that was not decoded it yields
// an error, after which the loop may go on.
func items[T any](pages iter.Seq2[*Page[T], error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range pages {
			if page == nil {
				yield(*new(T), err)
				return
			}
			bad := page.bad
			for i := 0; i <= len(page.Items); i++ {
				for ; len(bad) > 0 && bad[0].before == i; bad = bad[1:] {
					if !yield(*new(T), bad[0]) {
						return
					}
				}
				if i < len(page.Items) && !yield(page.Items[i], nil) {
					return
				}
			}
		}
	}
}

// pages iterates over the pages from options.Page on. Each range starts a new iteration. An
// error without a page is yielded once and ends the iteration.
func (l *lister[T]) pages(ctx context.Context, options ListOptions) iter.Seq2[*Page[T], error] {
	return l.pagesExcept(ctx, options, nil)
}

// pagesExcept is pages without the items whose ids are in seen.
func (l *lister[T]) pagesExcept(ctx context.Context, options ListOptions, seen map[string]struct{}) iter.Seq2[*Page[T], error] {
	if options.Limit == 0 {
		options.Limit = maxPageSize
	}
	if options.Page == 0 {
		options.Page = 1
	}
	return func(yield func(*Page[T], error) bool) {
		if err := (&service{l.core}).ready(); err != nil {
			yield(nil, err)
			return
		}
		settings, err := l.core.call.with(l.opts)
		if err != nil {
			yield(nil, err)
			return
		}
		source := source[T]{l, options.Limit, l.opts}
		if settings.readAhead > 0 {
			source.opts = concurrent(l.opts)
		}
		walk := paging.Options{First: options.Page, Ahead: settings.readAhead, Seen: seen}
		for page, err := range paging.Pages(ctx, source, walk) {
			if err != nil {
				yield(nil, pageError(err.(*paging.Error)))
				return
			}
			if !yield(l.page(page)) {
				return
			}
		}
	}
}

// source is a list for a walk.
type source[T any] struct {
	*lister[T]
	limit int
	opts  []CallOption
}

// Fetch returns a page with all its items.
func (s source[T]) Fetch(ctx context.Context, number int) (*paging.Page[T], error) {
	return s.fetch(ctx, ListOptions{Limit: s.limit, Page: number}, s.opts)
}

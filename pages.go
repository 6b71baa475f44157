package monitoring

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"
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

	ids   []string     // ids of the items, "" for none; until the page is yielded
	bad   []*ItemError // errors of items that were not decoded, as long as Items, or nil; see settle
	torn  error        // why the items after these were not read, nil if all were
	print uint64       // a fingerprint, to recognize a page that is sent again
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
	page, err := l.fetch(ctx, options, l.opts)
	if err != nil {
		return nil, err
	}
	for _, bad := range page.bad {
		if bad != nil {
			return nil, bad
		}
	}
	page.filter(l.keep)
	page.ids, page.bad, page.print = nil, nil, 0
	return page, nil
}

// fetch fetches a page as the service has it.
func (l *lister[T]) fetch(ctx context.Context, options ListOptions, opts []CallOption) (*Page[T], error) {
	op := l.operation(options)
	page := &Page[T]{Page: max(options.Page, 1), Limit: options.Limit}
	if page.Limit == 0 {
		page.Limit = defaultPageSize
	}
	op.decode = func(ctx context.Context, data []byte) error { return l.decode(ctx, op, data, page) }
	e, err := l.core.do(ctx, op, opts)
	if err != nil {
		return nil, err
	}
	for _, bad := range page.bad {
		if bad != nil {
			bad.scrub(e.scrubber())
		}
	}
	page.Total, page.HasMore = position(e.header, page.Page, page.Limit, len(page.Items))
	return page, nil
}

// filter keeps the items that keep selects, and those that were not decoded.
func (p *Page[T]) filter(keep func(*T) bool) {
	if keep != nil {
		p.retain(func(i int) bool { return p.bad != nil && p.bad[i] != nil || keep(&p.Items[i]) })
	}
}

// retain keeps the items whose index is selected.
func (p *Page[T]) retain(selected func(i int) bool) {
	n := 0
	for i := range p.Items {
		if !selected(i) {
			continue
		}
		p.Items[n], p.ids[n] = p.Items[i], p.ids[i]
		if p.bad != nil {
			p.bad[n] = p.bad[i]
		}
		n++
	}
	clear(p.Items[n:]) // so that the garbage collector can free them
	p.Items, p.ids = p.Items[:n], p.ids[:n]
	if p.bad != nil {
		p.bad = p.bad[:n]
	}
}

// prepend puts the items of another page in front.
func (p *Page[T]) prepend(front *Page[T]) {
	if p.bad != nil || front.bad != nil {
		p.bad = append(front.badItems(), p.badItems()...)
	}
	p.Items, p.ids = append(front.Items, p.Items...), append(front.ids, p.ids...)
}

func (p *Page[T]) badItems() []*ItemError {
	if p.bad == nil {
		return make([]*ItemError, len(p.Items))
	}
	return p.bad
}

// settle prepares a page for the caller: it removes the items that were not decoded and
// returns them as an error.
func (p *Page[T]) settle() error {
	p.ids, p.print = nil, 0
	if p.bad == nil {
		return nil
	}
	good, bad := p.Items[:0], []*ItemError(nil)
	var errs []error
	for i, e := range p.bad {
		if e == nil {
			good = append(good, p.Items[i])
			continue
		}
		e.before = len(good)
		bad, errs = append(bad, e), append(errs, e)
	}
	p.Items, p.bad = good, bad
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
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
		opts := l.opts
		fetch := func(ctx context.Context, number int) (*Page[T], error) {
			return l.fetch(ctx, ListOptions{Limit: options.Limit, Page: number}, opts)
		}
		w := &walk[T]{first: options.Page, fetch: fetch, keep: l.keep, seen: make(map[string]struct{})}
		if seen != nil {
			w.seen = seen
		}
		w.next = fetch
		if settings.readAhead > 0 {
			opts = concurrent(opts)
			ahead := newReadAhead(ctx, fetch, options.Page, settings.readAhead)
			defer ahead.stop()
			w.next, w.ahead = ahead.next, true
		}
		w.run(ctx, yield)
	}
}

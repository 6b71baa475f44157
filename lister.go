package monitoring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/paging"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// numberID returns an id that is a number as a text; "" if there is none.
func numberID(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

// lister lists one kind of items. Its methods are what all lists have in common.
type lister[T any] struct {
	core      *core
	operation func(ListOptions) *operation // builds the request of a page
	id        func(*T) string              // of an item; "" if it has none
	idMember  string                       // the member that has the id, for untyped items; id is nil then
	selects   func(*T) bool                // whether an item of a response belongs to the list; nil selects all
	opts      []CallOption
	seen      map[string]struct{} // ids of items that a walk leaves out; nil for none
	limit     int                 // of each page; 0 for the service's default
	byCursor  bool                // whether a page may be an object that names the next one
	from      string              // the cursor to start at; "" for the beginning
	unpaged   bool                // WithoutPaging
}

// listOf is the lister of a list without options of its own.
func listOf[T any](s *service, op *operation, id func(*T) string, opts []CallOption) *lister[T] {
	return &lister[T]{core: s.owner(), id: id, opts: opts, operation: func(page ListOptions) *operation {
		one := *op // a copy for each page
		return one.asks(page)
	}}
}

// list returns a page. It fails if an item cannot be decoded.
func (l *lister[T]) list(ctx context.Context, options ListOptions) (*Page[T], error) {
	l.limit = options.Limit
	fetched, err := l.Fetch(ctx, paging.At{Number: options.Page, Cursor: l.from})
	if err != nil {
		return nil, err
	}
	page, err := l.page(fetched)
	if err != nil {
		return nil, page.bad[0]
	}
	return page, nil
}

// pages iterates over the pages from options.Page on. Each range starts a new iteration. An
// error without a page is yielded once and ends the iteration.
func (l *lister[T]) pages(ctx context.Context, options ListOptions) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		if err := l.core.ready(); err != nil {
			yield(nil, err)
			return
		}
		settings, err := l.core.defaults.with(l.opts)
		if err != nil {
			yield(nil, err)
			return
		}
		source := *l // a copy, because several goroutines may range
		if source.limit = cmp.Or(options.Limit, maxPageSize); l.unpaged {
			source.limit = 0
		}
		if settings.readAhead > 0 {
			source.opts = concurrent(l.opts)
		}
		for page, err := range paging.Pages(ctx, &source, paging.Options{First: options.Page, Cursor: l.from,
			Ahead: settings.readAhead, Seen: l.seen}) {
			if err == nil {
				if !yield(l.page(page)) {
					return
				}
				continue
			}
			ended := err.(*paging.Error)
			if _, refused := errors.AsType[*ValidationError](ended.Err); refused { // nothing was sent
				yield(nil, ended.Err)
			} else {
				yield(nil, &PageError{Page: ended.Page, NextID: l.core.scrubberFor(l.opts).Text(ended.Cursor), Err: ended.Err})
			}
			return
		}
	}
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
				for ; len(bad) > 0 && bad[0].(*ItemError).before == i; bad = bad[1:] {
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

// page makes the page for the caller: the items that keep selects, without those that were not
// decoded, and these as an error.
func (l *lister[T]) page(p *paging.Page[T]) (*Page[T], error) {
	page := &Page[T]{Items: p.Items, Page: p.Number, Limit: p.Limit, Total: p.Total, HasMore: p.More, NextID: p.Next, MayMissItems: p.MayMiss}
	if l.selects == nil && p.Unread == nil {
		return page, nil
	}
	page.Items = p.Items[:0]
	for i := range p.Items {
		if p.Unread != nil && p.Unread[i] != nil {
			p.Unread[i].(*ItemError).before = len(page.Items)
			page.bad = append(page.bad, p.Unread[i])
		} else if l.selects == nil || l.selects(&p.Items[i]) {
			page.Items = append(page.Items, p.Items[i])
		}
	}
	clear(p.Items[len(page.Items):]) // so that the garbage collector can free them
	if len(page.bad) == 1 {
		return page, page.bad[0]
	}
	return page, errors.Join(page.bad...)
}

// Fetch returns a page as the service has it. The lister is the source of a walk.
func (l *lister[T]) Fetch(ctx context.Context, at paging.At) (*paging.Page[T], error) {
	asked := ListOptions{Limit: l.limit, Page: at.Number}
	if at.Cursor != "" || l.unpaged {
		asked.Page = 0
	}
	op, page := l.operation(asked), new(paging.Page[T])
	if at.Cursor != "" {
		values := url.Values{"nextId": {at.Cursor}}
		maps.Copy(values, op.values)
		op.values = values
	}
	byCursor := false
	op.byCursor = l.byCursor && l.typed()
	op.decode = func(ctx context.Context, data []byte) (err error) {
		*page = paging.Page[T]{Number: max(at.Number, 1), Limit: cmp.Or(l.limit, defaultPageSize)} // an earlier attempt may have set it
		byCursor, err = l.decode(ctx, op, data, page)
		return err
	}
	op.decodesTo = reflect.TypeFor[[]T]()
	o, err := l.core.do(ctx, op, l.opts)
	if err != nil {
		return nil, err
	}
	for _, bad := range page.Unread {
		if bad, ok := bad.(*ItemError); ok {
			bad.scrub(o.scrubber())
		}
	}
	if l.unpaged {
		page.Limit = len(page.Items) + 1 // more than it has, so that its length does not say that more follow
	}
	if page.More = page.Next != ""; !byCursor {
		told := false
		page.Total, page.More, told = paging.Position(o.result.Header, page.Number, page.Limit, len(page.Items))
		page.MayBeAll = l.idMember != "" && page.More && !told
	}
	if l.unpaged && page.More && page.Torn == nil {
		page.Torn = fmt.Errorf("monitoring: %s: more pages follow: read them without WithoutPaging", o.name())
	}
	return page, nil
}

// decode decodes the body of a page into a new page. If the body is not a list, the page is an
// error. If more than maxBadItems items cannot be read, the page ends there, and is torn.
func (l *lister[T]) decode(ctx context.Context, op *operation, data []byte, page *paging.Page[T]) (byCursor bool, err error) {
	list, member := data, ""
	if l.byCursor {
		if list, member, page.Next, byCursor = pageByCursor(data); !byCursor {
			list, member, page.Next = data, "", ""
		}
	}
	if (l.typed() || member != "") && rawjson.IsNull(list) {
		return byCursor, nullList(data, member)
	}
	if err := l.core.checkSize(list, reflect.TypeFor[[]T]()); err != nil {
		return byCursor, err
	}
	var bad []*ItemError
	unfit := func(i int, err error) bool {
		if len(bad) == maxBadItems {
			page.Torn = fmt.Errorf("monitoring: %s: more than %d items of the page cannot be read", op, maxBadItems)
			return false
		}
		bad = append(bad, &ItemError{Page: page.Number, Index: i, Path: inList(member, i, err), Err: err, operation: op.String()})
		return true
	}
	if err = unmarshalList(ctx, list, &page.Items, unfit); err != nil {
		return byCursor, err
	}
	ids := l.ids(ctx, list, page.Items)
	if l.typed() && slices.Contains(ids, "") { // a null was read into such an item
		for i := range nullItems(list) {
			if i >= len(page.Items) {
				break
			}
			if !unfit(i, nullItem()) {
				page.Items, ids = page.Items[:i], ids[:i]
				break
			}
		}
		slices.SortFunc(bad, func(a, b *ItemError) int { return cmp.Compare(a.Index, b.Index) })
		bad = slices.DeleteFunc(bad, func(e *ItemError) bool { return e.Index >= len(page.Items) })
	}
	if bad != nil {
		page.Unread = make([]error, len(page.Items))
		for _, e := range bad {
			page.Unread[e.Index], e.ID = e, ids[e.Index] // the readable part of the item often has the id
		}
	}
	page.Identify(ids, list)
	return byCursor, decodingEnded(ctx)
}

// typed reports whether the items are of a method of this package, which says what they are. The
// others are those of [All], whose items may be any JSON.
func (l *lister[T]) typed() bool { return l.id != nil }

// ids returns the ids of the items of a page.
func (l *lister[T]) ids(ctx context.Context, data []byte, items []T) []string {
	if l.id == nil {
		return lenient.IDs(ctx, data, l.idMember, len(items))
	}
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = l.id(&items[i])
	}
	return ids
}

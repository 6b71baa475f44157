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

// lister lists one kind of items: what all lists have in common. It knows the type of items
// only as a [reflect.Type], so that lists are compiled once. The functions that have a type
// parameter give results their types.
type lister struct {
	core      *core
	operation func(ListOptions) *operation // builds the request of a page
	items     reflect.Type                 // a slice of the items
	id        func(item any) string        // of an item, by a pointer to it; "" if it has none
	idMember  string                       // the member that has the id, for untyped items; id is nil then
	selects   func(item any) bool          // whether an item of a response belongs to the list; nil selects all
	opts      []CallOption
	seen      map[string]struct{} // ids of items that a walk leaves out; nil for none
	limit     int                 // of each page; 0 for the service's default
	byCursor  bool                // whether a page may be an object that names the next one
	from      string              // the cursor to start at; "" for the beginning
	unpaged   bool                // WithoutPaging
}

// listed is a page for the caller: items that were not decoded are not in it, but in bad. An error
// without a page comes with the zero one.
type listed struct {
	*paging.Page
	window period // of alerts; zero for other lists
	bad    []error
}

// itemsOf says what the items of a list are, and what tells them apart.
func itemsOf[T any](id func(*T) string) lister {
	return lister{items: reflect.TypeFor[[]T](), id: func(item any) string { return id(item.(*T)) }}
}

// listOf is the lister of a list without options of its own.
func listOf(s *service, op *operation, l lister, opts []CallOption) *lister {
	return l.of(s, opts, func(page ListOptions) *operation {
		one := *op // a copy for each page
		return one.asks(page)
	})
}

// of returns the lister of a service, whose pages are read by an operation.
func (l lister) of(s *service, opts []CallOption, operation func(ListOptions) *operation) *lister {
	l.core, l.opts, l.operation = s.owner(), opts, operation
	return &l
}

// list returns a page. It fails if an item cannot be decoded.
func list[T any](ctx context.Context, l *lister, options ListOptions) (*Page[T], error) {
	page, err := l.list(ctx, options)
	if err != nil {
		return nil, err
	}
	return pageOf[T](page), nil
}

// pages iterates over the pages from options.Page on. Each range starts a new iteration. An
// error without a page is yielded once and ends the iteration.
func pages[T any](ctx context.Context, l *lister, options ListOptions) iter.Seq2[*Page[T], error] {
	return pagesOf[T](l.pages(ctx, options))
}

// pagesOf gives pages their type.
func pagesOf[T any](pages iter.Seq2[listed, error]) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		for page, err := range pages {
			if !yield(pageOf[T](page), err) {
				return
			}
		}
	}
}

// pageOf gives a page its type; that of an error without a page is nil.
func pageOf[T any](p listed) *Page[T] {
	if p.Page == nil {
		return nil
	}
	return &Page[T]{Items: *p.Items.(*[]T), Page: p.Number, Limit: p.Limit, NextID: p.Next, From: p.window.from, To: p.window.to,
		Total: p.Total, HasMore: p.More, MayMissItems: p.MayMiss, bad: p.bad}
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

// list is the list above without the type of the items, and pages below is that of the pages.
func (l *lister) list(ctx context.Context, options ListOptions) (listed, error) {
	l.limit = options.Limit
	fetched, err := l.Fetch(ctx, paging.At{Number: options.Page, Cursor: l.from})
	if err != nil {
		return listed{}, err
	}
	page, err := l.page(fetched)
	if err != nil {
		return listed{}, page.bad[0]
	}
	return page, nil
}

func (l *lister) pages(ctx context.Context, options ListOptions) iter.Seq2[listed, error] {
	return func(yield func(listed, error) bool) {
		if err := l.core.ready(); err != nil {
			yield(listed{}, err)
			return
		}
		settings, err := l.core.defaults.with(l.opts)
		if err != nil {
			yield(listed{}, err)
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
				yield(listed{}, ended.Err)
			} else {
				yield(listed{}, &PageError{Page: ended.Page, NextID: l.core.scrubberFor(l.opts).Text(ended.Cursor), Err: ended.Err})
			}
			return
		}
	}
}

// page makes the page for the caller: the items that selects has, without those that were not
// decoded, and these as an error.
func (l *lister) page(p *paging.Page) (listed, error) {
	page := listed{Page: p}
	if l.selects == nil && p.Unread == nil {
		return page, nil
	}
	kept, all := 0, reflect.ValueOf(p.Items).Elem()
	p.Retain(func(i int) bool {
		if p.Unread != nil && p.Unread[i] != nil {
			p.Unread[i].(*ItemError).before = kept
			page.bad = append(page.bad, p.Unread[i])
			return false
		}
		selected := l.selects == nil || l.selects(all.Index(i).Addr().Interface())
		if selected {
			kept++
		}
		return selected
	})
	if len(page.bad) == 1 {
		return page, page.bad[0]
	}
	return page, errors.Join(page.bad...)
}

// fetched is a page as the service has it, which comes in a list or, by cursor, in an object.
type fetched struct {
	paging.Page
	byCursor bool
}

// Fetch returns a page as the service has it. The lister is the source of a walk.
func (l *lister) Fetch(ctx context.Context, at paging.At) (*paging.Page, error) {
	asked := ListOptions{Limit: l.limit, Page: at.Number}
	if at.Cursor != "" || l.unpaged {
		asked.Page = 0
	}
	op, page := l.operation(asked), new(fetched)
	if at.Cursor != "" {
		values := url.Values{"nextId": {at.Cursor}}
		maps.Copy(values, op.values)
		op.values = values
	}
	op.byCursor = l.byCursor && l.typed()
	op.into = decoded(func(ctx context.Context, data []byte) error {
		*page = fetched{} // an earlier attempt may have set it
		page.Items, page.Number, page.Limit = reflect.New(l.items).Interface(), max(at.Number, 1), cmp.Or(l.limit, defaultPageSize)
		err := l.decode(ctx, op, data, page)
		markReturned(page.Items, op.withGroup)
		return err
	})
	op.decodesTo = l.items
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
		page.Limit = page.Len() + 1 // more than it has, so that its length does not say that more follow
	}
	if page.More = page.Next != ""; !page.byCursor {
		told := false
		page.Total, page.More, told = paging.Position(o.result.Header, page.Number, page.Limit, page.Len())
		page.MayBeAll = l.idMember != "" && page.More && !told
	}
	if l.unpaged && page.More && page.Torn == nil {
		page.Torn = fmt.Errorf("monitoring: %s: more pages follow: read them without WithoutPaging", o.name())
	}
	return &page.Page, nil
}

// decode decodes the body of a page into a new page. If the body is not a list, the page is an
// error. If more than maxBadItems items cannot be read, the page ends there, and is torn.
func (l *lister) decode(ctx context.Context, op *operation, data []byte, page *fetched) error {
	list, member := data, ""
	if l.byCursor {
		if list, member, page.Next, page.byCursor = pageByCursor(data); !page.byCursor {
			list, member, page.Next = data, "", ""
		}
	}
	if (l.typed() || member != "") && rawjson.IsNull(list) {
		return nullList(data, member)
	}
	if err := l.core.checkSize(list, l.items); err != nil {
		return err
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
	if err := unmarshalList(ctx, list, page.Items, unfit); err != nil {
		return err
	}
	ids := l.ids(ctx, list, page)
	if l.typed() && slices.Contains(ids, "") { // a null was read into such an item
		for i := range nullItems(list) {
			if i >= page.Len() {
				break
			}
			if !unfit(i, nullItem()) {
				reflect.ValueOf(page.Items).Elem().SetLen(i)
				ids = ids[:i]
				break
			}
		}
		slices.SortFunc(bad, func(a, b *ItemError) int { return cmp.Compare(a.Index, b.Index) })
		bad = slices.DeleteFunc(bad, func(e *ItemError) bool { return e.Index >= page.Len() })
	}
	if bad != nil {
		page.Unread = make([]error, page.Len())
		for _, e := range bad {
			if ids[e.Index] == "" {
				ids[e.Index] = l.idIn(e.Err, page)
			}
			page.Unread[e.Index], e.ID = e, ids[e.Index] // the readable part of the item often has the id
		}
	}
	page.Identify(ids, list)
	return decodingEnded(ctx)
}

// typed reports whether the items are of a method of this package, which says what they are. The
// others are those of [All], whose items may be any JSON.
func (l *lister) typed() bool { return l.id != nil }

// The bytes of an item that are read once more for its id. Too low, and the error of a larger item
// lacks its id; too high, and one giant item takes more memory than a response may.
const longestPartial = 64 << 10

// idIn returns the id in the readable part of an item that is an object: it does not have that part
// itself.
func (l *lister) idIn(err error, page *fetched) string {
	d, ok := errors.AsType[*DecodeError](err)
	if !ok || l.id == nil || len(d.Partial) > longestPartial {
		return ""
	}
	one := reflect.New(reflect.TypeOf(page.Items).Elem().Elem()).Interface()
	if unmarshal(d.Partial, one) != nil {
		return ""
	}
	return l.id(one)
}

// ids returns the ids of the items of a page.
func (l *lister) ids(ctx context.Context, data []byte, page *fetched) []string {
	if l.id == nil {
		return lenient.IDs(ctx, data, l.idMember, page.Len())
	}
	items := reflect.ValueOf(page.Items).Elem()
	ids := make([]string, items.Len())
	for i := range ids {
		ids[i] = l.id(items.Index(i).Addr().Interface())
	}
	return ids
}

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
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/paging"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

const (
	maxPageSize     = 100 // items on a page, of the document; iterators ask for it
	defaultPageSize = 10  // of the service
	// Items that cannot be read, after which a walk ends: a whole page. Below: one such page ends it.
	// Above: more of them are read one by one (TestTooManyItemsThatCannotBeReadEndTheWalk).
	maxBadItems = 100
)

// ListOptions selects a page of a list. If a value is out of range, all methods of a list return a
// [*ValidationError], and nothing is sent.
type ListOptions struct {
	// Limit is the number of items on a page, 1 to 100. If it is 0, List uses the service's
	// default of 10, and iterators ask for 100.
	Limit int `url:"limit,omitempty"`
	// Page is the number of the page, from 1; 0 means 1. Iterators start at this page.
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
	// Page is the number of the page, and Limit how many items it can have. In a list by cursor
	// Page counts the pages of the iteration.
	Page  int
	Limit int
	// NextID is the cursor of the next page; empty at the end, and for lists with page numbers.
	NextID string
	// From and To are the window of an iteration over alert notifications that the page is of;
	// zero for other lists, and for a page that List returned.
	From, To time.Time
	// Total is the number of items in the list; nil if the response does not have it.
	Total *int
	// HasMore says whether another page follows. If the response has neither the total nor a
	// link to the next page, it is true for a page with exactly Limit items.
	HasMore bool
	// MayMissItems says that items may be missing before this page: the list shrank, and the
	// iterator had already read too many pages again; see the section Lists of the package
	// documentation.
	MayMissItems bool

	bad []error // an *ItemError for each item that was not decoded, in their order; Items has none of these
}

// PageError is the error of an iteration that stopped at a page. To resume, set Page of the
// options to Page of the error, and for alert notifications From to its From. For a list by
// cursor set NextID alone. No item is missed then, unless the list shrank after the last
// response. Items that were yielded before may be yielded again.
type PageError struct {
	// Page is the page to resume at: the page that could not be read, or an earlier one if
	// items have moved to it that were not yielded yet.
	Page int
	// NextID is the cursor of that page in a list by cursor; empty for its first page, and for lists
	// with page numbers. It is as received, except for secrets of the call, and left out of JSON.
	NextID string `json:"-" xml:"-"`
	// From and To are the window of alert notifications, a day of the period or less; zero for
	// other lists. To is not that of the options: keep it to resume.
	From, To time.Time
	// Err is the error of the call, or what is wrong with the list.
	Err error
}

// Format prints the text of the error with every verb: NextID is a text of the service.
func (e *PageError) Format(s fmt.State, verb rune) { formatError(s, verb, "PageError", e.Error()) }

// Error returns the page, the window if there is one, and the reason.
func (e *PageError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	text := fmt.Sprintf("monitoring: page %d", e.Page)
	if !e.From.IsZero() {
		text += fmt.Sprintf(" of %s to %s", e.From.UTC().Format(time.RFC3339), e.To.UTC().Format(time.RFC3339))
	}
	if e.Err == nil {
		return text + ": could not be read"
	}
	return text + ": " + strings.TrimPrefix(e.Err.Error(), "monitoring: ")
}

// Unwrap returns the error of the call.
func (e *PageError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// ItemError is an item of a list that does not fit its type. Iterators yield it in place of
// the item and go on with the next one if the loop goes on. After 100 of them on a page, the
// next one ends the iteration with a [*PageError]. List returns the first one as its error.
type ItemError struct {
	// Page is the number of the item's page, and Index its place on the page, from 0.
	Page  int
	Index int
	// Path is the JSON path of the member that could not be decoded, in the body of the page,
	// such as $[3].repeatInterval.
	Path string
	// ID is the id of the item; empty if it could not be read.
	ID string
	// Err is why it could not be decoded.
	Err error

	operation string
	before    int // index of the item that follows it on the page
}

// Error returns the operation, the page, the path and the reason.
func (e *ItemError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	text := fmt.Sprintf("page %d: decode %s", e.Page, cmp.Or(e.Path, "an item"))
	if e.operation != "" {
		text = e.operation + ": " + text
	}
	reason := e.Err
	if d, ok := errors.AsType[*DecodeError](reason); ok { // which has the same path
		reason = d.Err
	}
	if reason != nil {
		text += ": " + scrub.Clean(reason.Error())
	}
	return "monitoring: " + text
}

// Unwrap returns the error of the decoder.
func (e *ItemError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// scrub removes secrets from the error. The service may return them where another type is
// wanted, and an error quotes such a value.
func (e *ItemError) scrub(s *scrub.Scrubber) {
	e.Path, e.ID = s.LongLine(e.Path).String(), s.LongLine(e.ID).String()
	if d, ok := errors.AsType[*DecodeError](e.Err); ok {
		d.Path, d.Err = s.LongLine(d.Path).String(), s.Error(d.Err).Err()
	} else {
		e.Err = s.Error(e.Err).Err()
	}
}

// Collect returns the items that an iterator yields, up to its first error. With an error it
// returns the items before it, too. A nil iterator is an error.
//
//	variables, err := monitoring.Collect(client.Variables.All(ctx, monitoring.VariableListOptions{}))
func Collect[T any](seq iter.Seq2[T, error]) ([]T, error) {
	if seq == nil {
		return nil, errors.New("monitoring: collect: the iterator is nil")
	}
	var list []T
	for item, err := range seq {
		if err != nil {
			return list, err
		}
		list = append(list, item)
	}
	return list, nil
}

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

// nullList is the error of null in place of a list: a program that keeps an account in step would
// take an empty list for an empty account, and delete or create everything. member has the list; ""
// if it is the body.
func nullList(body []byte, member string) error {
	d := &DecodeError{Partial: body, Err: errors.New("want an array, got null")}
	if member != "" {
		d.Path = "$." + member
	}
	return d
}

// nullItem is the error of null in place of an item.
func nullItem() error {
	return &DecodeError{Path: "$", Partial: []byte("null"), Err: errors.New("want an object, got null")}
}

// nullItems iterates over the indexes of the items of a list that are null.
func nullItems(list []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		rawjson.EachItem(list, rawjson.SkipSpace(list, 0), func(index, item int) int {
			if rawjson.IsNull(list[item:]) && !yield(index) {
				return len(list)
			}
			return rawjson.EndOfValue(list, item)
		})
	}
}

// checkWhole returns the indexes of the items of a list that are null. It returns an error if the
// list, which comes whole, is null, or has such an item and must not.
func checkWhole(data []byte, nullsFit bool) (nulls []int, err error) {
	if rawjson.IsNull(data) {
		return nil, nullList(data, "")
	}
	for i := range nullItems(data) {
		if !nullsFit {
			d := nullItem()
			inList("", i, d)
			return nil, d
		}
		nulls = append(nulls, i)
	}
	return nulls, nil
}

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

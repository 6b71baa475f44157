package monitoring

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxPageSize is the most items the service puts on a page; iterators ask for it.
const maxPageSize = 100

// defaultPageSize is what the service takes when a request names no limit.
const defaultPageSize = 10

// ListOptions picks a page of a list.
type ListOptions struct {
	// Limit is the number of items on a page, 1 to 100. With 0 List gets the service's
	// default of 10, and iterators ask for 100.
	Limit int `url:"limit,omitempty"`
	// Page counts from 1, which is also what 0 gets. Iterators start at it.
	Page int `url:"page,omitempty"`
}

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	// Page is the number of the page, Limit how many items it can have.
	Page  int
	Limit int
	// Total is the number of items in the list; nil where the service does not tell.
	Total *int
	// HasMore says whether another page follows. Where the service does not tell, a full
	// page counts as one that others follow.
	HasMore bool

	raw []byte // the answer, until the walk has compared it with the next one
}

// PageError is an iteration that stopped at a page. To resume it, set the Page of the options to
// that of the error, and for alert notifications From to its From.
type PageError struct {
	// Page is the page that could not be had.
	Page int
	// From and To are the window of alert notifications; zero for other lists.
	From, To time.Time
	Err      error
}

// Error names the page.
func (e *PageError) Error() string {
	if e == nil || e.Err == nil {
		return "monitoring: list: no error"
	}
	where := fmt.Sprintf("page %d", e.Page)
	if !e.From.IsZero() {
		where += fmt.Sprintf(" of %s to %s", e.From.UTC().Format(time.RFC3339), e.To.UTC().Format(time.RFC3339))
	}
	return fmt.Sprintf("monitoring: %s: %s", where, strings.TrimPrefix(e.Err.Error(), "monitoring: "))
}

// Unwrap returns the error of the call.
func (e *PageError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// Collect gathers what an iterator yields, up to its first error, which it returns
// together with what came before.
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

// lister lists one kind of items. What all lists share is its methods.
type lister[T any] struct {
	client *Client
	// operation builds the request of a page.
	operation func(ListOptions) *operation
	// id tells items apart.
	id func(*T) string
	// keep filters what comes back; nil keeps everything.
	keep func(*T) bool
	opts []CallOption
}

// list fetches a page.
func (l *lister[T]) list(ctx context.Context, options ListOptions) (*Page[T], error) {
	page, err := l.fetch(ctx, options)
	if err != nil {
		return nil, err
	}
	l.filter(page)
	page.raw = nil
	return page, nil
}

func (l *lister[T]) filter(page *Page[T]) {
	if l.keep == nil {
		return
	}
	kept := page.Items[:0]
	for i := range page.Items {
		if l.keep(&page.Items[i]) {
			kept = append(kept, page.Items[i])
		}
	}
	page.Items = kept
}

// fetch fetches a page as the service has it.
func (l *lister[T]) fetch(ctx context.Context, options ListOptions) (*Page[T], error) {
	items, state, err := callExchange[[]T](ctx, l.client, l.operation(options), l.opts)
	if err != nil {
		return nil, err
	}
	page := &Page[T]{Items: *items, Page: max(options.Page, 1), Limit: options.Limit, raw: state.body}
	if page.Limit == 0 {
		page.Limit = defaultPageSize
	}
	page.Total, page.HasMore = position(state.header, page.Page, page.Limit, len(page.Items))
	return page, nil
}

// position reads where in the list a page is: from the content-range header
// (first-last/total), else from the link header, else from whether the page is full.
func position(h http.Header, page, limit, items int) (total *int, hasMore bool) {
	if last, n, ok := parseContentRange(h.Get("Content-Range")); ok {
		if last >= 0 {
			return &n, items > 0 && last+1 < n
		}
		return &n, items > 0 && page*limit < n
	}
	if next, ok := parseLink(h.Values("Link")); ok {
		return nil, next && items > 0
	}
	return nil, items >= limit
}

// parseContentRange reads "0-9/11", whose end is -1 when it is "*/11".
func parseContentRange(value string) (last, total int, ok bool) {
	value = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(value), "items "))
	span, size, found := strings.Cut(value, "/")
	total, err := strconv.Atoi(size)
	if !found || err != nil || total < 0 {
		return 0, 0, false
	}
	if span == "*" {
		return -1, total, true
	}
	_, end, found := strings.Cut(span, "-")
	last, err = strconv.Atoi(end)
	if !found || err != nil || last < 0 {
		return 0, 0, false
	}
	return last, total, true
}

// parseLink reads whether there is a next page; it is not ok where no link says where
// in the list the page is.
func parseLink(values []string) (next, ok bool) {
	for _, value := range values {
		for _, param := range strings.FieldsFunc(value, func(r rune) bool { return r == ';' || r == ',' }) {
			name, rel, _ := strings.Cut(strings.TrimSpace(param), "=")
			if !strings.EqualFold(name, "rel") {
				continue
			}
			for _, rel := range strings.Fields(strings.Trim(rel, `"`)) {
				switch strings.ToLower(rel) {
				case "next":
					return true, true
				case "first", "last", "prev", "self":
					ok = true
				}
			}
		}
	}
	return false, ok
}

// items iterates over the items of pages.
func items[T any](pages iter.Seq2[*Page[T], error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range pages {
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// pages iterates over the pages from options.Page on. Ranging again starts again. An
// error is yielded once, as the last thing.
func (l *lister[T]) pages(ctx context.Context, options ListOptions) iter.Seq2[*Page[T], error] {
	if options.Limit == 0 {
		options.Limit = maxPageSize
	}
	options.Page = max(options.Page, 1)
	return func(yield func(*Page[T], error) bool) {
		w := &walk[T]{lister: l, options: options, seen: make(map[string]struct{})}
		w.run(ctx, yield)
	}
}

package monitoring

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strconv"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// WithItemID sets the name of the member that has the id of an item of [All]: a string or a
// number. The default is "id". Typed lists ignore this option. An empty name is an error.
func WithItemID(member string) CallOption {
	return callOption(func(s *callSettings) error {
		if member == "" {
			return errors.New("WithItemID needs the name of a member")
		}
		s.itemID = member
		return nil
	})
}

// All iterates over any list of the service that has pages, for lists without a method in
// this package. Each item is decoded into a T.
//
//	for check, err := range monitoring.All[map[string]any](ctx, client, "/v1/checks", nil) {
//
// The path is as in [Do]. The query may be nil; limit and page in it are as in [ListOptions].
// Everything else is as for typed lists: read-ahead, [*PageError], [*ItemError], and what
// [VariablesService.All] promises. Items are identified by their ids; see [WithItemID]. An
// item without an id may be yielded twice if the list changes.
//
// If the limit is not 1 to 100, the path is not valid, or JSON cannot be decoded into a T, the
// error is a [*ValidationError], and nothing is sent.
func All[T any](ctx context.Context, c *Client, path string, query url.Values, opts ...CallOption) iter.Seq2[T, error] {
	query = maps.Clone(query)
	return func(yield func(T, error) bool) {
		l, options, err := newAnyLister[T](c, path, query, opts)
		if err != nil {
			yield(*new(T), err)
			return
		}
		items(l.pages(ctx, options))(yield)
	}
}

func newAnyLister[T any](c *Client, path string, query url.Values, opts []CallOption) (*lister[T], ListOptions, error) {
	var options ListOptions
	if c.inner() == nil {
		return nil, options, fmt.Errorf("monitoring: %w", errNoClient)
	}
	settings, err := c.core.call.with(opts)
	if err != nil {
		return nil, options, err
	}
	plain := &operation{method: http.MethodGet, path: pathTemplate{pattern: path, raw: true}, class: exchange.Read}
	v := &violations{}
	options.Limit = wholeParameter(v, query, "limit")
	options.Page = wholeParameter(v, query, "page")
	if reason := cannotHold(reflect.TypeFor[T]()); reason != "" {
		v.always("items", "%s", reason)
	}
	own := c.core.scrubberOf(settings)
	if err := v.err("GET "+plain.path.text(own), own); err != nil {
		return nil, options, err
	}
	l := &lister[T]{core: c.core, idMember: settings.itemID, opts: opts}
	if l.idMember == "" {
		l.idMember = "id"
	}
	l.operation = func(page ListOptions) *operation {
		op := *plain
		values := maps.Clone(query) // a copy for each page, because pages may be fetched concurrently
		if values == nil {
			values = make(url.Values)
		}
		values.Set("limit", strconv.Itoa(page.Limit))
		values.Set("page", strconv.Itoa(page.Page))
		op.query = pagedQuery{untyped{values}, page}
		return &op
	}
	return l, options, nil
}

// pagedQuery is the query of an untyped list, with the rules of ListOptions.
type pagedQuery struct {
	untyped
	page ListOptions
}

func (q pagedQuery) validate(v *violations) { q.page.validate(v) }

// wholeParameter reads a parameter that must be a whole number; 0 if it is missing.
func wholeParameter(v *violations, query url.Values, name string) int {
	values, given := query[name]
	if !given {
		return 0
	}
	if len(values) != 1 {
		v.always(name, "must be given once")
		return 0
	}
	n, err := strconv.Atoi(values[0])
	if err != nil {
		v.always(name, "%.40q is not a whole number", values[0])
	}
	return n
}

// cannotHold says why JSON cannot be decoded into a type; "" if it can.
func cannotHold(t reflect.Type) string {
	if t == reflect.TypeFor[[]byte]() {
		return "a []byte would hold base64: use a json.RawMessage for JSON as it comes"
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return "JSON cannot be decoded into a " + t.String()
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return "JSON cannot be decoded into the interface " + t.String()
		}
	}
	return ""
}

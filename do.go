package monitoring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// Do calls any operation, with the authentication, rate limit, retries and errors of typed methods.
// The response is decoded into a T. Do returns nil if and only if it returns an error.
//
//	me, err := monitoring.Do[map[string]any](ctx, client, "GET", "/v1/accounts/me", nil, nil)
//
// What to pass, and what happens:
//
//   - path begins with a slash and is relative to the base URL. Its segments may be escaped.
//   - query may be nil. in is encoded as JSON; nil sends no body, and a [json.RawMessage] is sent
//     as it is.
//   - Do[[]byte] returns the body of any content type. Do[struct{}] ignores the body, but fails for
//     HTML and error objects. For other types, a response without a body gives the zero T.
//   - GET, HEAD, OPTIONS, PUT and DELETE are retried like reads, other methods like creates.
//   - If path contains ids, name the operation with [WithOperation], so that hooks, logs and route
//     limits use one name.
//
// Do returns an error without sending anything if c is nil, method or path is invalid, in is a
// []byte or [io.Reader], or JSON cannot fill a T.
func Do[T any](ctx context.Context, c *Client, method, path string, query url.Values, in any, opts ...CallOption) (*T, error) {
	method = strings.ToUpper(method)
	op := untypedOp(method, path)
	op.values, op.optionalBody = query, true
	out := new(T)
	if bytes, ok := any(out).(*[]byte); ok {
		op.into = verbatim{bytes}
	} else if reason := lenient.CannotHold(reflect.TypeFor[T]()); reason != "" {
		return nil, repeatable(errors.New("monitoring: do: " + reason))
	}
	switch in.(type) {
	case nil:
	case []byte, io.Reader: // encoding/json would write base64, or nothing
		return nil, repeatable(fmt.Errorf("monitoring: do: a body of type %T cannot be sent: "+
			"pass a value to encode, or JSON as a json.RawMessage", in))
	default:
		op.sends(untyped{in})
	}
	if op.into != nil || reflect.TypeFor[T]() == reflect.TypeFor[struct{}]() {
		if _, err := c.inner().do(ctx, op, opts); err != nil {
			return nil, err
		}
		return out, nil
	}
	if _, err := c.inner().doInto(ctx, op, out, opts); err != nil {
		return nil, err
	}
	return out, nil
}

// All iterates over a list that has no method, decoding each item into a T.
//
//	for check, err := range monitoring.All[map[string]any](ctx, client, "/v1/checks", nil) {
//
// path and query are as for [Do]; limit and page of the query are as in [ListOptions]. Errors,
// read-ahead and promises are those of typed lists, with items identified by "id" or [WithItemID].
// An item without an id may be yielded twice if the list changes.
//
//   - A list by cursor, whose pages are objects with nextId, is read one page at a time. To resume,
//     set nextId of the query to NextID of the [*PageError]. All yields an error if a cursor is
//     repeated.
//   - A list without pages arrives in one response. If that has exactly limit items and no total,
//     All requests it once more to see whether it has ended. Use [WithoutPaging] if the service
//     refuses limit and page.
//
// All sends nothing and yields a [*ValidationError] if the limit is not 1 to 100, path is invalid,
// or JSON cannot fill a T.
func All[T any](ctx context.Context, c *Client, path string, query url.Values, opts ...CallOption) iter.Seq2[T, error] {
	query = maps.Clone(query)
	return func(yield func(T, error) bool) {
		l, options, err := untypedLister(c.inner(), reflect.TypeFor[[]T](), path, query, opts)
		if err != nil {
			yield(*new(T), err)
			return
		}
		items(pages[T](ctx, l, options))(yield)
	}
}

func untypedLister(c *core, items reflect.Type, path string, query url.Values, opts []CallOption) (*lister, ListOptions, error) {
	var options ListOptions
	if c == nil {
		return nil, options, errNoClient
	}
	settings, err := c.defaults.with(opts)
	if err != nil {
		return nil, options, err
	}
	plain := untypedOp(http.MethodGet, path)
	v := &violations{}
	options.Limit = wholeParameter(v, query, "limit")
	options.Page = wholeParameter(v, query, "page")
	if settings.unpaged && (query.Has("limit") || query.Has("page")) {
		v.always("query", "contains limit or page, which WithoutPaging omits")
	}
	if reason := lenient.CannotHold(items.Elem()); reason != "" {
		v.always("items", "%s", reason)
	}
	scrubber, first := c.scrubberFor(opts), query.Has("page")
	l := &lister{core: c, items: items, idMember: cmp.Or(settings.itemID, "id"), opts: opts, byCursor: true, from: query.Get("nextId"),
		unpaged: settings.unpaged}
	plain.values = maps.Clone(query)
	for _, name := range []string{"limit", "page", "nextId"} {
		plain.values.Del(name)
	}
	l.operation = func(page ListOptions) *operation {
		op := *plain // a copy for each page, because pages may be fetched concurrently
		if page.Page == 1 && !first {
			page.Page = 0 // a list by cursor may refuse it
		}
		return op.asks(page)
	}
	return l, options, v.err("GET "+plain.path.Text(shown(scrubber)), scrubber)
}

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

// WithItemID names the field that identifies the items of [All], a string or number. The default is
// "id". Typed lists ignore this option.
func WithItemID(field string) CallOption {
	return callOption(func(s *callSettings) error {
		if field == "" {
			return errors.New("WithItemID needs the name of a field")
		}
		s.itemID = field
		return nil
	})
}

// WithoutPaging makes [All] read a list that has no pages, with one request without limit and page.
// If the response reports that more pages follow, a [*PageError] comes after its items. Other
// methods ignore this option.
func WithoutPaging() CallOption {
	return callOption(func(s *callSettings) error {
		s.unpaged = true
		return nil
	})
}

// OpenAPI copies the machine-readable description of the service to w as it arrives (GET
// /openapi.json). A failure after something was written is not retried. OpenAPI returns an error if
// w is nil.
func (c *Client) OpenAPI(ctx context.Context, w io.Writer, opts ...CallOption) error {
	if w == nil {
		return errors.New("monitoring: copy OpenAPI description: the writer is nil")
	}
	description := op("GET /openapi.json")
	description.into = copied{w}
	return exec(ctx, c.inner().service(), description, opts)
}

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

// Do calls any operation of the service, in the same way as the typed methods: with the key, the
// limit, retries and errors. The path starts with a slash and is relative to the base address; its
// segments may be escaped. The query may be nil. in is sent as JSON, nil sends no body, and a
// [encoding/json.RawMessage] is sent as it is. The response is decoded into a T, which stays zero
// if the response has no body; Do[struct{}] drops it, unless it is HTML or an error object, which
// is an error. Do[[]byte] returns the body as it is, whatever its content type, such as a badge or
// a list of addresses as text. The result is nil if there is an error, and never nil otherwise.
//
// GET, HEAD, OPTIONS, PUT and DELETE are retried after failures, other methods only if
// the service certainly did not carry them out. Name the operation with [WithOperation] if
// its path has ids, so that hooks, logs and route limits use one name.
//
// These are errors: a nil client, an invalid method or path, an in of type []byte or [io.Reader],
// and a T that JSON cannot fill. Nothing is sent then.
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
		return nil, repeatable(fmt.Errorf("monitoring: do: a body of type %T is not sent: "+
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

// All iterates over any list of the service, for lists without a method in this package. Each
// item is decoded into a T.
//
//	for check, err := range monitoring.All[map[string]any](ctx, client, "/v1/checks", nil) {
//
// The path is as in [Do]. The query may be nil; limit and page in it are as in [ListOptions].
// Everything else is as for typed lists: read-ahead, [*PageError], [*ItemError], and what
// the section Lists of the package documentation promises. Items are identified by their ids; see
// [WithItemID]. An item without an id may be yielded twice if the list changes.
//
// A list by cursor, whose pages are objects with nextId, is read by its cursors, one page at a
// time. To resume, set nextId of the query to NextID of the [*PageError]. A cursor that is repeated
// ends the iteration with an error.
//
// A list without pages comes in one response. If it has exactly limit items and no total, it is
// requested once more, and the same response means that it has ended. Set [WithoutPaging] for a
// service that refuses limit and page there.
//
// The error is a [*ValidationError] if the limit is not 1 to 100, the path is not valid, or JSON
// cannot fill a T. Nothing is sent then.
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
		return nil, options, fmt.Errorf("monitoring: %w", errNoClient)
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
		v.always("query", "has limit or page, which WithoutPaging leaves out")
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
		op.query = page
		return &op
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

// WithoutPaging makes [All] read a list that has no pages: with one request, in which neither
// limit nor page is sent. If the response says that more pages follow, a [*PageError] comes
// after its items. Other methods ignore this option.
func WithoutPaging() CallOption {
	return callOption(func(s *callSettings) error {
		s.unpaged = true
		return nil
	})
}

// OpenAPI copies the machine-readable description of the service to w while it is
// received (GET /openapi.json). Once something was written, a failure is not retried. A nil w
// is an error.
//
//monitoring:operation GET /openapi.json
func (c *Client) OpenAPI(ctx context.Context, w io.Writer, opts ...CallOption) error {
	if w == nil {
		return errors.New("monitoring: copy the OpenAPI description: the writer is nil")
	}
	description := op("GET /openapi.json")
	description.into = copied{w}
	return exec(ctx, c.inner().service(), description, opts)
}

package monitoring

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// Do calls any operation of the service, in the same way as the typed methods: with the
// key, the limit, retries and errors. The path starts with a slash and is relative to the
// base address; its segments may be escaped. The query may be nil. in is sent as JSON, nil
// sends no body, and a [encoding/json.RawMessage] is sent as it is. The response is decoded
// into a T, which stays zero if the response has no body; Do[struct{}] drops it,
// unless it is HTML or an error object, which is an error. With an error the result is nil,
// without one it never is.
//
// GET, HEAD, OPTIONS, PUT and DELETE are retried after failures, other methods only if
// the service certainly did not carry them out. Name the operation with [WithOperation] if
// its path has ids, so that hooks, logs and route limits use one name.
//
// A nil client, an invalid method or path, an in of type []byte or [io.Reader], and a T that
// JSON cannot be decoded into, are errors. Nothing is sent then.
func Do[T any](ctx context.Context, c *Client, method, path string, query url.Values, in any, opts ...CallOption) (*T, error) {
	method = strings.ToUpper(method)
	op := &operation{method: method, path: pathTemplate{pattern: path, raw: true}, class: exchange.ClassOf(method), optionalBody: true}
	if reason := cannotHold(reflect.TypeFor[T]()); reason != "" {
		return nil, errors.New("monitoring: do: " + reason)
	}
	switch in.(type) {
	case nil:
	case []byte, io.Reader: // encoding/json would write base64, or nothing
		return nil, fmt.Errorf("monitoring: do: a body of type %T is not sent: pass a value to encode, or JSON as a json.RawMessage", in)
	default:
		op.body = bodyOf(untyped{in})
	}
	if query != nil {
		op.query = untyped{query}
	}
	if reflect.TypeFor[T]() == reflect.TypeFor[struct{}]() {
		if _, err := c.inner().do(ctx, op, opts); err != nil {
			return nil, err
		}
		return new(T), nil
	}
	out, _, err := callForAny[T](ctx, c.inner(), op, opts)
	return out, err
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
	return exec(ctx, &service{c.inner()}, &operation{
		method: http.MethodGet, path: path("/openapi.json"), class: exchange.Read, stream: w,
	}, opts)
}

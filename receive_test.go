package monitoring

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/stretchr/testify/require"
)

func TestAResponseMayHave32MiBByDefault(t *testing.T) {
	const most = 32 << 20
	for size, want := range map[int64]error{most: nil, most + 1: ErrResponseTooLarge} {
		client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
			resp := respondWith(200, nil, "")
			resp.ContentLength = -1
			resp.Body = io.NopCloser(io.LimitReader(endless{}, size))
			return resp, nil
		}), WithMaxRetries(0))
		require.ErrorIs(t, client.OpenAPI(t.Context(), io.Discard), want)
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestABodyThatIsNotReadDecidesNothing has bodies of successes that are of no use to an operation
// that returns only an error. The service has carried it out.
func TestABodyThatIsNotReadDecidesNothing(t *testing.T) {
	calls := map[string]func(context.Context, *Client, ...CallOption) error{
		"a delete": func(ctx context.Context, c *Client, opts ...CallOption) error {
			return c.Dashboards.Delete(ctx, "x", opts...)
		},
		"a cancel": func(ctx context.Context, c *Client, opts ...CallOption) error {
			return c.CheckSessions.Cancel(ctx, uuid1, CancelRequest{}, opts...)
		},
		"an untyped call": func(ctx context.Context, c *Client, opts ...CallOption) error {
			return second(Do[struct{}](ctx, c, "POST", "/v1/x", nil, nil, opts...))
		},
	}
	for name, c := range map[string]struct {
		announced int64
		body      func(context.Context) io.Reader
		kept      int // bytes in the Body of WithResponse
	}{
		"cut": {100, func(context.Context) io.Reader {
			return io.MultiReader(strings.NewReader(`{"ok"`), iotest.ErrReader(io.ErrUnexpectedEOF))
		}, 5},
		"announced too large": {1 << 40, func(context.Context) io.Reader { return strings.NewReader(`{}`) }, 2},
		"without an end":      {-1, func(context.Context) io.Reader { return endless{} }, 1 << 20},
		"stalled":             {-1, func(ctx context.Context) io.Reader { return io.MultiReader(strings.NewReader(`{}`), stalled{ctx}) }, 2},
	} {
		for of, call := range calls {
			t.Run(of+", "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					sent := 0
					client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
						sent++
						resp := respondWith(200, nil, "")
						resp.ContentLength, resp.Body = c.announced, io.NopCloser(c.body(req.Context()))
						return resp, nil
					}), WithMaxResponseSize(1<<20))
					var response Response
					require.NoError(t, call(t.Context(), client))
					require.NoError(t, call(t.Context(), client, WithResponse(&response)))
					require.Equal(t, 2, sent)
					require.Len(t, response.Body, c.kept)
					ctx, stop := context.WithTimeout(t.Context(), time.Second)
					defer stop()
					require.NoError(t, call(ctx, client), "it was carried out before the context ended")
				})
			})
		}
	}
}

// stalled is a body that does not arrive until the context has ended.
type stalled struct{ ctx context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func TestLittleIsReadOfABodyThatIsNotNeeded(t *testing.T) {
	read := &countingReader{Reader: endless{}}
	client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
		resp := respondWith(200, nil, "")
		resp.ContentLength, resp.Body = -1, io.NopCloser(read)
		return resp, nil
	}))
	require.NoError(t, client.Dashboards.Delete(t.Context(), "x"))
	require.Equal(t, 2*exchange.SkimmedBody, read.n, "the rest of a short body, so that the connection can be used again")
}

type countingReader struct {
	io.Reader
	n int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

func TestAHeadIsNotTooLarge(t *testing.T) {
	client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
		resp := respondWith(200, nil, "")
		resp.ContentLength = 64 << 20 // of the body that a GET would get
		return resp, nil
	}))
	require.NoError(t, second(Do[struct{}](t.Context(), client, "HEAD", "/v1/x", nil, nil)))
	require.NoError(t, second(Do[map[string]any](t.Context(), client, "head", "/v1/x", nil, nil)))
	require.ErrorIs(t, second(Do[map[string]any](t.Context(), client, "GET", "/v1/x", nil, nil)), ErrResponseTooLarge)
}

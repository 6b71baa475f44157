package monitoring

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/stretchr/testify/require"
)

func TestResponsesAreBounded(t *testing.T) {
	bomb := func() []byte {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		chunk := make([]byte, 1<<20)
		for range 40 {
			w.Write(chunk)
		}
		w.Close()
		return packed.Bytes()
	}()
	for name, handler := range map[string]http.HandlerFunc{
		"a long body with Content-Length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000000")
			w.Write(make([]byte, 1000))
		},
		"a long body without Content-Length": func(w http.ResponseWriter, _ *http.Request) {
			for range 10 {
				w.Write(make([]byte, 1<<20))
			}
		},
		"a gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb)
		},
		"very long headers": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 2<<20))
			w.Write([]byte("[]"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			client := loopback(t, server, WithHTTPClient(&http.Client{Transport: newTransport(http.DefaultTransport.(*http.Transport))}), WithMaxResponseSize(1<<20))
			defer client.CloseIdleConnections()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := client.Locations.List(t.Context())
			require.ErrorIs(t, err, ErrResponseTooLarge)
			if name != "very long headers" {
				err = client.OpenAPI(t.Context(), io.Discard)
				require.ErrorIs(t, err, ErrResponseTooLarge, "with a stream")
			}
			runtime.ReadMemStats(&after)
			if name == "a gzip bomb" {
				require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20), "the bomb has 40 MiB")
			}
		})
	}
}

func TestTheTimeoutOfAnAttemptEndsABodyThatNeverEnds(t *testing.T) {
	for name, code := range map[string]int{"of a success": 200, "of an error": 400} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
					resp := respondWith(code, nil, "")
					resp.ContentLength = -1
					resp.Body = &drip{ctx: req.Context()}
					return resp, nil
				}), WithTimeout(10*time.Second), WithMaxRetries(0))
				began := time.Now()
				_, err := client.Locations.List(t.Context())
				require.Error(t, err)
				require.Equal(t, 10*time.Second, time.Since(began))
				if code == 400 {
					require.ErrorIs(t, err, ErrBadRequest, "the status is known, although the body is not")
				} else {
					require.ErrorContains(t, err, "the attempt timed out after 10s")
				}
			})
		})
	}
}

// drip is a body that yields one byte per second.
type drip struct{ ctx context.Context }

func (d *drip) Read(p []byte) (int, error) {
	if err := exchange.Sleep(d.ctx, time.Second); err != nil {
		return 0, err
	}
	p[0] = ' '
	return 1, nil
}

func (d *drip) Close() error { return nil }

func TestNoGoroutineIsLeftAfterCallsOverRealConnections(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/0") {
			panic(http.ErrAbortHandler)
		}
		io.WriteString(w, "{}")
	}))
	before := runtime.NumGoroutine()
	client := loopback(t, server, WithHTTPClient(&http.Client{Transport: newTransport(http.DefaultTransport.(*http.Transport))}))
	for i := range 50 {
		Do[struct{}](t.Context(), client, "GET", fmt.Sprintf("/v1/%d", i%5), nil, nil)
	}
	client.CloseIdleConnections()
	server.Close()
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before }, 5*time.Second, 5*time.Millisecond)
}

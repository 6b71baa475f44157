package faults_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// keptBody is how many bytes of a body an error keeps.
const keptBody = 64 << 10

// ownTransport makes a client that sends through the transport that clients have by default.
func ownTransport(t *testing.T, server *httptest.Server, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	t.Cleanup(server.Close)
	client, err := monitoring.NewClient(server.URL, "key-123", append(opts, monitoring.WithMaxRetries(0))...)
	require.NoError(t, err)
	return client
}

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
			client := ownTransport(t, server, monitoring.WithMaxResponseSize(1<<20))
			defer client.CloseIdleConnections()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := client.Locations.List(t.Context())
			require.ErrorIs(t, err, monitoring.ErrResponseTooLarge)
			if name != "very long headers" {
				err = client.OpenAPI(t.Context(), io.Discard)
				require.ErrorIs(t, err, monitoring.ErrResponseTooLarge, "with a stream")
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
				client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					resp := testkit.Respond(code, nil, "")
					resp.ContentLength = -1
					resp.Body = &drip{ctx: req.Context()}
					return resp, nil
				}), monitoring.WithTimeout(10*time.Second), monitoring.WithMaxRetries(0))
				began := time.Now()
				_, err := client.Locations.List(t.Context())
				require.Error(t, err)
				require.Equal(t, 10*time.Second, time.Since(began))
				if code == 400 {
					require.ErrorIs(t, err, monitoring.ErrBadRequest, "the status is known, although the body is not")
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
	select {
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	case <-time.After(time.Second):
		p[0] = ' '
		return 1, nil
	}
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
	client := ownTransport(t, server)
	for i := range 50 {
		monitoring.Do[struct{}](t.Context(), client, "GET", fmt.Sprintf("/v1/%d", i%5), nil, nil)
	}
	client.CloseIdleConnections()
	server.Close()
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= before }, 5*time.Second, 5*time.Millisecond)
}

// TestLongErrorBodiesKeepTheConnection sends bodies that are longer than an error keeps. The
// rest must be read too, because net/http closes a connection whose body was not read.
func TestLongErrorBodiesKeepTheConnection(t *testing.T) {
	var connections atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, strings.Repeat("x", 2*keptBody))
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	client := kit.Loopback(t, server)
	defer client.CloseIdleConnections()
	for range 5 {
		_, err := client.CheckGroups.Get(t.Context(), 1)
		apiErr, ok := errors.AsType[*monitoring.APIError](err)
		require.True(t, ok)
		require.Len(t, apiErr.Body, keptBody)
	}
	require.Equal(t, int64(1), connections.Load())
}

func TestTheShortestTimeoutBoundsAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.Faults["response slower than the timeout"], monitoring.WithTimeout(1), monitoring.WithMaxRetries(0))
		require.ErrorContains(t, kit.Second(client.Locations.List(t.Context())), "the attempt timed out after 1ns")
	})
}

func TestAResponseMayHave32MiBByDefault(t *testing.T) {
	const most = 32 << 20
	for size, want := range map[int64]error{most: nil, most + 1: monitoring.ErrResponseTooLarge} {
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			resp := testkit.Respond(200, nil, "")
			resp.ContentLength = -1
			resp.Body = io.NopCloser(io.LimitReader(endless{}, size))
			return resp, nil
		}), monitoring.WithMaxRetries(0))
		require.ErrorIs(t, client.OpenAPI(t.Context(), io.Discard), want)
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestLittleIsReadOfABodyThatIsNotNeeded(t *testing.T) {
	read := &countingReader{Reader: endless{}}
	client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		resp := testkit.Respond(200, nil, "")
		resp.ContentLength, resp.Body = -1, io.NopCloser(read)
		return resp, nil
	}))
	require.NoError(t, client.Dashboards.Delete(t.Context(), "x"))
	require.Equal(t, 2*keptBody, read.n, "the rest of a short body, so that the connection can be used again")
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
	client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		resp := testkit.Respond(200, nil, "")
		resp.ContentLength = 64 << 20 // of the body that a GET would get
		return resp, nil
	}))
	require.NoError(t, kit.Second(monitoring.Do[struct{}](t.Context(), client, "HEAD", "/v1/x", nil, nil)))
	require.NoError(t, kit.Second(monitoring.Do[map[string]any](t.Context(), client, "head", "/v1/x", nil, nil)))
	require.ErrorIs(t, kit.Second(monitoring.Do[map[string]any](t.Context(), client, "GET", "/v1/x", nil, nil)), monitoring.ErrResponseTooLarge)
}

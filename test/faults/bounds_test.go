package faults_test

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
	t.Cleanup(client.CloseIdleConnections)
	return client
}

func TestResponsesOverRealConnectionsAreBounded(t *testing.T) {
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	w.Write(make([]byte, 40<<20))
	w.Close()
	for name, handler := range map[string]http.HandlerFunc{
		"a long body with Content-Length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100000000")
			w.Write(make([]byte, 1000))
		},
		"a gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb.Bytes())
		},
		"very long headers": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 2<<20))
			w.Write([]byte("[]"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			client := ownTransport(t, httptest.NewServer(handler), monitoring.WithMaxResponseSize(1<<20))
			var err error
			used := testkit.Allocated(func() { err = kit.Second(client.Locations.List(t.Context())) })
			require.ErrorIs(t, err, monitoring.ErrResponseTooLarge)
			require.Less(t, used, uint64(16<<20), "the bomb has 40 MiB")
		})
	}
}

func TestTheTimeoutOfAnAttemptEndsABodyThatNeverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, stallingAfter(200, "["), monitoring.WithTimeout(10*time.Second), monitoring.WithMaxRetries(0))
		began := time.Now()
		err := kit.Second(client.Locations.List(t.Context()))
		require.ErrorContains(t, err, "the attempt timed out after 10s")
		require.NotErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 10*time.Second, time.Since(began))
	})
}

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

func TestAResponseMayHave16MiBByDefault(t *testing.T) {
	const most = 16 << 20
	for size, want := range map[int64]error{most: nil, most + 1: monitoring.ErrResponseTooLarge} {
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			resp := testkit.Respond(200, nil, "")
			resp.ContentLength, resp.Body = -1, io.NopCloser(io.LimitReader(endless{}, size))
			return resp, nil
		}), monitoring.WithMaxRetries(0))
		require.ErrorIs(t, client.OpenAPI(t.Context(), io.Discard), want)
	}
}

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

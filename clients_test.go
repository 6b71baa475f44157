package monitoring

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// makeClient makes every client of the tests of this package. It sends through the given
// http.Client, so a test can pass a user's client.
func makeClient(t testing.TB, base, key string, sender *http.Client, opts ...ClientOption) *Client {
	t.Helper()
	client, err := NewClient(base, key, append([]ClientOption{WithHTTPClient(sender)}, opts...)...)
	require.NoError(t, err)
	return client
}

// testClient makes a client with default options and the given transport.
func testClient(t testing.TB, transport http.RoundTripper, opts ...ClientOption) *Client {
	t.Helper()
	return makeClient(t, "https://monitoring.test", "key-123", &http.Client{Transport: transport}, opts...)
}

// respondWith makes a response. A nil header is allowed.
func respondWith(status int, header http.Header, body string) *http.Response {
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{
		StatusCode: status, Header: header, ContentLength: int64(len(body)),
		Body: io.NopCloser(bytes.NewReader([]byte(body))),
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

package monitoring

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
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

// The helpers that need no client, under the names that they have in the tests of this package.
type (
	roundTripper = testkit.RoundTripper
)

const canary = testkit.Canary

var (
	faults      = testkit.Faults
	status      = testkit.Status
	respondWith = testkit.Respond
	inTurn      = testkit.InTurn

	requireHidden = testkit.RequireHidden
	netError      = testkit.NetError
)

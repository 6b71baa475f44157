package monitoring

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// Helpers of tests inside the package. Tests from outside have them in test/internal/kit, which they
// cannot import.

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	testBase = "https://api.service.test/prefix"
	testKey  = "key-1234567890"
	uuid1    = "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
)

type roundTripper = testkit.RoundTripper

var (
	faults      = testkit.Faults
	status      = testkit.Status
	respondWith = testkit.Respond
	inTurn      = testkit.InTurn
)

func second[T any](_ T, err error) error { return err }

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

// newTestClient makes a client without a network. Each request gets a response with the status
// and the body.
func newTestClient(t *testing.T, status int, body string, opts ...ClientOption) (*Client, *testkit.Recorder) {
	t.Helper()
	r := testkit.NewRecorder(status, body)
	opts = append([]ClientOption{WithMaxRetries(0), WithRateLimit(RateLimit{Requests: 1e6, Per: time.Second})}, opts...)
	return makeClient(t, testBase, testKey, &http.Client{Transport: r}, opts...), r
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

func parseJSON(t testing.TB, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&v))
	return v
}

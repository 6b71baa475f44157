package monitoring_test

import (
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const (
	uuid1 = "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
	uuid2 = "1f0a7c0e-6d0b-4a69-b1f5-0d9a6f3c2b71"
)

// The helpers that need no client, under the names that tests inside the package use.
type roundTripper = testkit.RoundTripper

var (
	faults      = testkit.Faults
	status      = testkit.Status
	respondWith = testkit.Respond
)

// testClient makes a client with default options and the given transport.
func testClient(t testing.TB, transport http.RoundTripper, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	return clientAt(t, "https://monitoring.test", &http.Client{Transport: transport}, opts...)
}

// newClient makes a client of the in-process fake.
func newClient(t testing.TB, svc *monitoringtest.Service, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	client, err := svc.Client(opts...)
	require.NoError(t, err)
	return client
}

// newTestClient makes a client without a network. Each request gets a response with the status
// and the body.
func newTestClient(t *testing.T, status int, body string) (*monitoring.Client, *testkit.Recorder) {
	t.Helper()
	r := testkit.NewRecorder(status, body)
	limit := monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1e6, Per: time.Second})
	return testClient(t, r, monitoring.WithMaxRetries(0), limit), r
}

func clientAt(t testing.TB, base string, sender *http.Client, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	client, err := monitoring.NewClient(base, "key-123", append([]monitoring.ClientOption{monitoring.WithHTTPClient(sender)}, opts...)...)
	require.NoError(t, err)
	return client
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

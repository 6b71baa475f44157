package monitoring

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// Helpers of tests inside the package. Tests from outside have them in test/internal/kit, which they
// cannot import.

func TestMain(m *testing.M) { testkit.Main(m) }

func second[T any](_ T, err error) error { return err }

// testClient makes a client with default options and the given transport.
func testClient(t testing.TB, transport http.RoundTripper, opts ...ClientOption) *Client {
	t.Helper()
	sender := WithHTTPClient(&http.Client{Transport: transport})
	client, err := NewClient("https://monitoring.test", "key-123", append([]ClientOption{sender}, opts...)...)
	require.NoError(t, err)
	return client
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

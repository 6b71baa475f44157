// Package kit has the helpers of tests that use the SDK from outside: clients without a network,
// the ids that tests use, and the files of testdata. What needs no client is in package testkit.
package kit

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// What the clients of this package are made with.
const (
	Base    = "https://api.service.test/prefix"
	Key     = "key-1234567890"
	Account = "8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"
)

// Ids of objects. SampleID and SampleRun are those of the objects and of their sessions in the
// files all-members.json of testdata.
const (
	UUID1     = "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
	UUID2     = "1f0a7c0e-6d0b-4a69-b1f5-0d9a6f3c2b71"
	SampleID  = "00000000-0000-4000-8000-000000000001"
	SampleRun = "00000000-0000-4000-8000-000000000003"
)

// NewClient makes every client of this package. It sends through the given http.Client, so a test
// can pass a user's client.
func NewClient(t testing.TB, base, key string, sender *http.Client, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	client, err := monitoring.NewClient(base, key, append([]monitoring.ClientOption{monitoring.WithHTTPClient(sender)}, opts...)...)
	require.NoError(t, err)
	return client
}

// Client makes a client with default options and the given transport. Its key is key-123.
func Client(t testing.TB, transport http.RoundTripper, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	return NewClient(t, "https://monitoring.test", "key-123", &http.Client{Transport: transport}, opts...)
}

// Once is [Client] without retries. It fails the test if a request is sent again all the same.
func Once(t testing.TB, transport http.RoundTripper, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	return Client(t, testkit.AtMost(t, 1, testkit.NoRetry, transport), append(opts, monitoring.WithMaxRetries(0))...)
}

// Recorded makes a client that never waits for its limit. Each of its requests is recorded, and
// gets a response with the status and the body.
func Recorded(t testing.TB, status int, body string, opts ...monitoring.ClientOption) (*monitoring.Client, *testkit.Recorder) {
	t.Helper()
	r := testkit.NewRecorder(status, body)
	wide := monitoring.RateLimit{Requests: 1e6, Per: time.Second}
	opts = append([]monitoring.ClientOption{
		monitoring.WithMaxRetries(0),
		monitoring.WithRateLimit(wide),
		monitoring.WithRouteRateLimit("GET /v1/alert-notifications", wide),
	}, opts...)
	return NewClient(t, Base, Key, &http.Client{Transport: r}, opts...), r
}

// Loopback makes a client without retries for a server with a real listener, and closes the server
// at the end of the test.
func Loopback(t testing.TB, server *httptest.Server, opts ...monitoring.ClientOption) *monitoring.Client {
	t.Helper()
	t.Cleanup(server.Close)
	return NewClient(t, server.URL, "key-123", server.Client(), append([]monitoring.ClientOption{monitoring.WithMaxRetries(0)}, opts...)...)
}

// Planned reads an object as it was changed and stored with what it was.
func Planned[T any](plan string) *T {
	object := new(T)
	if err := json.Unmarshal([]byte(plan), object); err != nil {
		panic(err)
	}
	return object
}

// Second is the error of a call whose value does not matter.
func Second[T any](_ T, err error) error { return err }

// Returned returns an object as a client returns it, of which the service shows this JSON.
func Returned[T any](data string) *T {
	respond := testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return testkit.Respond(200, nil, data), nil })
	client, err := monitoring.NewClient(Base, Key, monitoring.WithHTTPClient(&http.Client{Transport: respond}))
	if err != nil {
		panic(err)
	}
	object, err := monitoring.Do[T](context.Background(), client, http.MethodGet, "/v1/object", nil, nil)
	if err != nil {
		panic(err)
	}
	return object
}

// Path returns the path of a file of the module, given from its root.
func Path(name string) string { return filepath.Join(root(), filepath.FromSlash(name)) }

// root is the folder of the module, in which or under which each test runs.
var root = sync.OnceValue(func() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module github.com/monitoring-api/monitoring-go\n") {
			return dir
		}
		if dir == filepath.Dir(dir) {
			panic("kit: the test does not run in the module")
		}
	}
})

// File returns a file of the module, given from its root.
func File(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(Path(name))
	require.NoError(t, err)
	return string(data)
}

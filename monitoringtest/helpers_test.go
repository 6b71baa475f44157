package monitoringtest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// callAny calls any operation and decodes the response into out, unless that is nil.
func callAny(ctx context.Context, client *monitoring.Client, method, path string, query url.Values, in, out any, opts ...monitoring.CallOption) error {
	response, err := monitoring.Do[json.RawMessage](ctx, client, method, path, query, in, opts...)
	if err != nil || out == nil {
		return err
	}
	return json.Unmarshal(*response, out)
}

// newRequest is a request with the key of a service.
func newRequest(t *testing.T, method, path, body string) *http.Request {
	t.Helper()
	request, err := http.NewRequest(method, monitoringtest.BaseURL+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+monitoringtest.APIKey)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	return request
}

func TestMain(m *testing.M) { testkit.Main(m) }

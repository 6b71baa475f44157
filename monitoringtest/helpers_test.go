package monitoringtest_test

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/stretchr/testify/require"
)

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

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

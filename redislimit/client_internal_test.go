package redislimit

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
)

func TestAClientWithTheLimiterKeepsTheLimitsOfRoutesAndRetriesA429AfterThePause(t *testing.T) {
	t.Parallel()
	server := startRedis(t)
	settle(t, clientOf(t, server.addr()), "client", time.Second)
	l := newLimiter(t, server.addr(), "client", fastLimit)
	refusals := 1
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if refusals > 0 {
			refusals--
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = w.Write([]byte("[]"))
	}))
	defer service.Close()
	client, err := monitoring.NewClient(service.URL, "key", monitoring.WithLimiter(l),
		monitoring.WithRouteRateLimit("GET /v1/locations", monitoring.RateLimit{Requests: 2, Per: 2 * time.Second, Burst: 1}))
	require.NoError(t, err)
	began := time.Now()
	var response monitoring.Response
	_, err = client.Locations.List(t.Context(), monitoring.WithResponse(&response))
	require.NoError(t, err)
	require.Equal(t, 2, response.Attempts)
	require.Greater(t, time.Since(began), time.Second, "the pause that the service asked for")
	for range 2 {
		_, err = client.Locations.List(t.Context())
		require.NoError(t, err)
	}
	require.Greater(t, time.Since(began), 3*time.Second, "two of them in two seconds")
	require.Len(t, l.lines, 1+len(monitoring.DefaultRouteLimits())+1)
}

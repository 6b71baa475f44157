package main

import (
	"bytes"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestTheProgramPrintsSpansAndMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		require.NoError(t, run(t.Context(), true, &out))
		for _, line := range []string{
			"\nspan GET /v1/locations monitoring.attempts=3,",
			"\n  span GET /v1/locations error.type=503,http.request.method=GET,http.response.status_code=503,",
			"\n  span GET /v1/locations http.request.method=GET,http.request.resend_count=2,http.response.status_code=200,",
			"monitoring.retries 2 error.type=503,monitoring.operation=GET /v1/locations\n",
			"monitoring.call.duration count=1 monitoring.operation=GET /v1/locations\n",
			"monitoring.limiter.waiters 0 monitoring.class=ordinary\n",
			"http.client.request.duration count=2 error.type=503,http.request.method=GET,",
		} {
			require.Contains(t, out.String(), line)
		}
	})
}

func TestWithoutSettingsThereIsNoMadeUpData(t *testing.T) {
	for _, name := range []string{"MONITORING_BASE_URL", "MONITORING_API_KEY", "MONITORING_ACCOUNT_ID"} {
		t.Setenv(name, "")
	}
	require.ErrorContains(t, run(t.Context(), false, new(bytes.Buffer)), "set MONITORING_BASE_URL and MONITORING_API_KEY")
}

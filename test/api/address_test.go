package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func TestANewClientNeedsAValidBaseAddress(t *testing.T) {
	for address, why := range map[string]string{
		"https://user:pw@api.test": "it has a user name or a password",
		"https://api.test/a/../b":  "has a segment that must not be a dot segment",
		"http://api.test":          "plain http would send the API key unencrypted",
	} {
		_, err := monitoring.NewClient(address, "key-123")
		require.ErrorContains(t, err, "monitoring: new client: base address: "+why)
		require.NotContains(t, err.Error(), "pw")
	}
	_, err := monitoring.NewClient("http://api.test", "k", monitoring.WithInsecureHTTP())
	require.NoError(t, err)
	t.Setenv("MONITORING_BASE_URL", "http://api.test")
	t.Setenv("MONITORING_API_KEY", "k")
	_, err = monitoring.NewClientFromEnv()
	require.EqualError(t, err, "monitoring: new client: MONITORING_BASE_URL: plain http would send the API key unencrypted: use https, or set MONITORING_INSECURE_HTTP=1 if plain http is meant")
	t.Setenv("MONITORING_INSECURE_HTTP", "1")
	_, err = monitoring.NewClientFromEnv()
	require.NoError(t, err)
}

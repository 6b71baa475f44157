package monitoring

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlainHTTPIsForLoopbackAddressesOnly(t *testing.T) {
	for host, loopback := range map[string]bool{
		"localhost": true, "LOCALHOST": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true,
		"8.8.8.8": false, "10.0.0.1": false, "::2": false, "localhost.test": false, "": false, "128.0.0.1": false,
	} {
		require.Equal(t, loopback, isLoopback(host), host)
	}
	for _, address := range []string{"http://8.8.8.8", "http://[::2]", "HTTP://h.test"} {
		_, err := parseBaseURL(address, false)
		require.ErrorContains(t, err, "plain http would send the API key unencrypted", address)
		_, err = parseBaseURL(address, true)
		require.NoError(t, err, address)
	}
}

func TestABaseAddressWithAZoneIsRefused(t *testing.T) {
	_, err := parseBaseURL("https://[fe80::1%25eth0]/x", false)
	require.EqualError(t, err, "base address: want https://host[:port][/prefix], got something that is not a URL")
}

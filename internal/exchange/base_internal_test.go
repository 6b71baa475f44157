package exchange

import (
	"net/url"
	"strings"
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
	_, err := ParseBase("HTTP://h.test", false)
	require.ErrorContains(t, err, "plain http would send the API key unencrypted")
	_, err = ParseBase("HTTP://h.test", true)
	require.NoError(t, err)
}

func TestWhichBaseAddressesAreValid(t *testing.T) {
	for address, want := range map[string]string{
		"https://api.test":              "https://api.test",
		"https://api.test/":             "https://api.test",
		"HTTPS://API.test:8443/prefix/": "https://api.test:8443/prefix",
		"https://api.test/a/b%2Fc":      "https://api.test/a/b%2Fc",
		"https://api.test/a%2F/":        "https://api.test/a%2F",
		"http://localhost:8080":         "http://localhost:8080",
		"http://127.0.0.1":              "http://127.0.0.1",
		"http://[::1]:80/x":             "http://[::1]:80/x",
	} {
		base, err := ParseBase(address, false)
		require.NoError(t, err, address)
		require.Equal(t, want, base.String())
	}
	for address, why := range map[string]string{
		"":                           "want https://",
		"api.test":                   "want https://",
		"ftp://api.test":             "want https://",
		"https://":                   "want https://",
		"https:api.test":             "want https://",
		"https://user:pw@api.test":   "it has a user name or a password",
		"https://api.test?x=1":       "it has a query or a fragment",
		"https://api.test#":          "it has a query or a fragment",
		"https://api.test/a/../b":    "dot segment",
		"https://api.test/a/%2e%2e":  "dot segment",
		"https://api.test//a":        "must not be empty",
		"http://127.0.0.1.evil.test": "plain http",
		"http://localhost.evil.test": "plain http",
		"https://api.test:port":      "not a URL",
		"https://a b.test":           "not a URL",
		"https://[fe80::1%25eth0]/x": "base address: want https://host[:port][/prefix], got something that is not a URL",
	} {
		_, err := ParseBase(address, false)
		require.ErrorContains(t, err, why, address)
		require.ErrorContains(t, err, "base address: ")
		require.NotContains(t, err.Error(), "pw")
	}
}

func TestAnAddressIsUnderTheBaseAddressIfOriginAndPathAre(t *testing.T) {
	for _, c := range []struct {
		address, base string
		belongs       bool
	}{
		{"https://h.test/p/x", "https://h.test/p", true},
		{"https://h.test/p", "https://h.test/p", true},
		{"https://h.test/p?x", "https://h.test/p", true},
		{"HTTPS://H.test/p/x", "https://h.test/p", true},
		{"https://h.test:443/p/x", "https://h.test/p", true},
		{"http://h.test:80/p/x", "http://h.test/p", true},
		{"https://h.test:80/p/x", "https://h.test/p", false},
		{"http://h.test:443/p/x", "http://h.test/p", false},
		{"http://h.test/p/x", "https://h.test/p", false},
		{"http://h.test:443/p/x", "https://h.test/p", false},
		{"https://g.test/p/x", "https://h.test/p", false},
		{"https://h.test/q/x", "https://h.test/p", false},
		{"https://h.test/px", "https://h.test/p", false},
		{"https://h.test/p/../q", "https://h.test/p", false},
		{"https://h.test/p/./q", "https://h.test/p", false},
		{"https://h.test/p/%2e%2e/q", "https://h.test/p", false},
		{"https://h.test", "https://h.test", true},
	} {
		u, err := url.Parse(c.address)
		require.NoError(t, err)
		base, err := url.Parse(c.base)
		require.NoError(t, err)
		require.Equal(t, c.belongs, belongs(u, base), "%s %s", c.address, c.base)
	}
}

func FuzzBaseAddress(f *testing.F) {
	f.Add("https://api.test/a%2F")
	f.Fuzz(func(t *testing.T, address string) {
		base, err := ParseBase(address, false)
		if err != nil {
			return
		}
		require.Nil(t, base.User)
		require.Empty(t, base.RawQuery+base.Fragment)
		require.False(t, strings.HasSuffix(base.EscapedPath(), "/"), "an escaped slash at the end is a part of the segment")
		full, err := url.Parse(base.String() + "/v1/locations")
		require.NoError(t, err)
		require.Equal(t, []string{base.Scheme, base.Host}, []string{full.Scheme, full.Host})
		require.True(t, full.Scheme == "https" || isLoopback(full.Hostname()))
	})
}

package monitoring

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

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

func TestTheErrorOfARefusedRedirectSaysWhy(t *testing.T) {
	for location, why := range map[string]string{
		"https://evil.test/prefix/x": "it leads to https://evil.test, which is another host, port or scheme",
		"/other":                     "it leads out of the path of the base address",
		"/prefix/v1/x":               "it changes the method from POST to GET",
	} {
		client := makeClient(t, testBase, testKey, &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) {
			return respondWith(http.StatusFound, http.Header{"Location": {location}}, ""), nil
		})}, WithMaxRetries(0))
		err := second(client.CheckSessions.Trigger(t.Context(), TriggerRequest{AllChecks: true}))
		require.ErrorIs(t, err, ErrRedirect, location)
		require.ErrorContains(t, err, why, location)
	}
}

package exchange

import (
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

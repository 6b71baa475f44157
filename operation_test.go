package monitoring

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCleanPathEscapesInOneWay(t *testing.T) {
	for given, want := range map[string]string{
		"/": "/", "/v1": "/v1", "/v1/": "/v1/", "/v1/x/": "/v1/x/", "/%61%7Eb": "/a~b", "/a b": "/a%20b", "/a%2fb": "/a%2Fb", "/a%2fb/": "/a%2Fb/", "/%20/x": "/%20/x",
	} {
		path, err := cleanPath(given)
		require.NoError(t, err, given)
		require.Equal(t, want, path)
	}
	for given, why := range map[string]string{
		"": "must start with a slash", "v1": "must start with a slash", "/v1?x": "must not have a query", "/v1#x": "must not have a query",
		"/v1/%zz": "has an escape that is not valid", "//v1": "has a segment that must not be empty", "/v1//": "has a segment that must not be empty",
		"/v1/../x": "dot segment", "/v1/%2E": "dot segment", "/v1/é": "non-ASCII byte at position 0", "/v1/%00": "control", "/v1/a%0a": "position 1",
		"/" + strings.Repeat("x", 1025): "is longer than 1024 bytes",
	} {
		_, err := cleanPath(given)
		require.ErrorContains(t, err, why, given)
	}
}

func TestAnIDConsistsOfVisibleASCIIAndSpaces(t *testing.T) {
	for _, id := range []string{" ", "~", "a", "...", ".a", strings.Repeat("x", 1024)} {
		require.Empty(t, badSegment(id), id)
	}
	for id, why := range map[string]string{
		"": "must not be empty", ".": "dot", "..": "dot", "\x1f": "position 0", "ab\x7f": "position 2", strings.Repeat("x", 1025): "longer than 1024 bytes",
	} {
		require.Contains(t, badSegment(id), why, "%q", id)
	}
}

func TestAMethodConsistsOfCapitalsAndHyphens(t *testing.T) {
	for _, method := range []string{"GET", "A", "Z", "AZ", "-", "M-SEARCH", strings.Repeat("X", 24)} {
		require.True(t, validMethod(method), method)
	}
	for _, method := range []string{"", "get", "@", "[", "G T", "GET\n", "É", "_", "CONNECT", "TRACE", strings.Repeat("X", 25)} {
		require.False(t, validMethod(method), method)
	}
}

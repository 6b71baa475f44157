package monitoring

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
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

// FuzzID checks that an id is refused, or is sent as exactly one segment that decodes to the id.
func FuzzID(f *testing.F) {
	f.Add(strings.Repeat("x", 10_000))
	f.Fuzz(func(t *testing.T, id string) {
		v := &violations{}
		escaped := path("/v1/check-results/{checkId}/{checkResultId}", id, "r").expand(v)
		if len(v.list) > 0 {
			return
		}
		u, err := url.Parse("https://monitoring.test/p" + escaped)
		require.NoError(t, err)
		require.Empty(t, u.RawQuery+u.Fragment)
		parts := strings.Split(u.EscapedPath(), "/")
		require.Len(t, parts, 6)
		plain, err := url.PathUnescape(parts[4])
		require.NoError(t, err)
		require.Equal(t, id, plain)
		require.NotContains(t, []string{".", "..", ""}, plain)
	})
}

// FuzzPath checks the same for the paths of Do.
func FuzzPath(f *testing.F) {
	f.Fuzz(func(t *testing.T, given string) {
		escaped, err := cleanPath(given)
		if err != nil {
			return
		}
		u, err := url.Parse("https://monitoring.test/p" + escaped)
		require.NoError(t, err)
		require.Equal(t, "monitoring.test", u.Host)
		require.Empty(t, u.RawQuery+u.Fragment)
		require.Equal(t, u.EscapedPath(), u.JoinPath().EscapedPath(), "the path is clean")
		again, err := cleanPath(escaped)
		require.NoError(t, err)
		require.Equal(t, escaped, again)
	})
}

// oddQuery is a query that cannot be encoded.
type oddQuery struct {
	Odd oddParameter `url:"odd"`
}

type oddParameter struct{}

func (oddQuery) Validate() error      { return nil }
func (oddQuery) validate(*violations) {}

func (oddParameter) EncodeValues(string, *url.Values) error { return errors.New("odd") }

func TestARequestThatCannotBeBuiltIsNotSent(t *testing.T) {
	client, sent := newTestClient(t, 200, "{}")
	op := func() *operation { return &operation{method: "GET", path: path("/v1/x"), class: exchange.Read} }
	withQuery := op()
	withQuery.query = oddQuery{}
	require.EqualError(t, second(client.core.do(t.Context(), withQuery, nil)), "monitoring: GET /v1/x: encode the query: odd")
	client.core.prefix = "://"
	require.EqualError(t, second(client.core.do(t.Context(), op(), nil)), "monitoring: GET /v1/x: build the request: missing protocol scheme")
	require.Empty(t, sent.Sent)
}

package route_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

func TestCleanPathEscapesInOneWay(t *testing.T) {
	for given, want := range map[string]string{
		"/": "/", "/v1": "/v1", "/v1/": "/v1/", "/v1/x/": "/v1/x/", "/%61%7Eb": "/a~b", "/a b": "/a%20b", "/a%2fb": "/a%2Fb", "/a%2fb/": "/a%2Fb/", "/%20/x": "/%20/x", "/...": "/...",
		"/" + strings.Repeat("x", 1024): "/" + strings.Repeat("x", 1024),
	} {
		path, err := route.Clean(given)
		require.NoError(t, err, given)
		require.Equal(t, want, path)
	}
	for given, why := range map[string]string{
		"": "must start with a slash", "v1": "must start with a slash", "/v1?x": "must not contain a query", "/v1#x": "must not contain a query",
		"/v1/%zz": "contains an invalid escape", "//v1": "a segment must not be empty", "/v1//": "a segment must not be empty",
		"/v1/../x": "dot segment", "/v1/%2E": "dot segment",
		"/v1/a%2f..%2fb": "dot segment between slashes", "/v1/..%2Fb": "dot segment between slashes", "/v1/a%5c.": "dot segment between slashes", "/v1/é": "non-ASCII character at position 0", "/v1/%00": "control", "/v1/a%0a": "position 1", "/%1f": "position 0", "/ab%7F": "position 2",
		"/" + strings.Repeat("x", 1025): "is longer than 1024 bytes",
	} {
		_, err := route.Clean(given)
		require.ErrorContains(t, err, why, given)
	}
}

func TestAMethodConsistsOfCapitalsAndHyphens(t *testing.T) {
	for _, method := range []string{"GET", "A", "Z", "AZ", "-", "M-SEARCH", strings.Repeat("X", 24)} {
		require.True(t, route.ValidMethod(method), method)
	}
	for _, method := range []string{"", "get", "@", "[", "G T", "GET\n", "É", "_", "CONNECT", "TRACE", strings.Repeat("X", 25)} {
		require.False(t, route.ValidMethod(method), method)
	}
}

// FuzzID checks that an id is refused, or is sent as exactly one segment that decodes to the id.
func FuzzID(f *testing.F) {
	f.Add(strings.Repeat("x", 10_000))
	f.Fuzz(func(t *testing.T, id string) {
		refused := false
		path := route.Path{Pattern: "/v1/check-results/{checkId}/{checkResultId}", Args: []string{id, "r"}}
		escaped := path.Expand(func(name, _ string) {
			require.Equal(t, "checkId", name)
			refused = true
		})
		if refused {
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
		escaped, err := route.Clean(given)
		if err != nil {
			return
		}
		u, err := url.Parse("https://monitoring.test/p" + escaped)
		require.NoError(t, err)
		require.Equal(t, "monitoring.test", u.Host)
		require.Empty(t, u.RawQuery+u.Fragment)
		require.Equal(t, u.EscapedPath(), u.JoinPath().EscapedPath(), "the path is clean")
		again, err := route.Clean(escaped)
		require.NoError(t, err)
		require.Equal(t, escaped, again)
	})
}

func TestATextShowsAllOfAPathButTheAccount(t *testing.T) {
	loud := strings.ToUpper
	path := route.Path{Pattern: "/v1/accounts/{accountId}/x/{id}/y", Args: []string{"account", "a b"}}
	require.Equal(t, "/v1/accounts/{accountId}/x/A%20B/y", path.Text(loud))
	require.Equal(t, "/V1/A B", route.Path{Pattern: "/v1/a b?key=k", Raw: true}.Text(loud))
}

func TestTheNumberOfAnIDIsPositive(t *testing.T) {
	require.Equal(t, "9223372036854775807", route.Number(1<<63-1))
	require.Equal(t, "1", route.Number(1))
	for _, id := range []int64{0, -1} {
		reason := ""
		route.Path{Pattern: "/v1/x/{id}", Args: []string{route.Number(id)}}.Expand(func(_, r string) { reason = r })
		require.Equal(t, "must be positive", reason)
	}
}

func TestOnlyAKeyMayBeAnyText(t *testing.T) {
	for arg, refused := range map[string][2]bool{"a/b": {true, false}, `a\b`: {true, false}, "../x": {true, true}, `a\..\x`: {true, true}, "a..b": {},
		"ü": {true, false}, "a\nb": {true, false}, "a\xff": {true, true}, ".": {true, true}, "..": {true, true}, "": {true, true},
		strings.Repeat("x", 1024): {}, strings.Repeat("x", 1025): {true, true}} {
		for i, name := range []string{"id", "key"} {
			got := false
			route.Path{Pattern: "/v1/x/{" + name + "}", Args: []string{arg}}.Expand(func(_, _ string) { got = true })
			require.Equal(t, refused[i], got, "%s %s", name, arg)
		}
	}
}

func TestARawPathIsCleanOrAProblem(t *testing.T) {
	problems := map[string]string{}
	problem := func(name, reason string) { problems[name] = reason }
	require.Equal(t, "/a%20b", route.Path{Pattern: "/a b", Raw: true}.Expand(problem))
	require.Empty(t, problems)
	require.Empty(t, route.Path{Pattern: "a", Raw: true}.Expand(problem))
	require.Equal(t, map[string]string{"path": "must start with a slash"}, problems)
}

func TestAPatternMatchesWhatDiffersInItsBracesAlone(t *testing.T) {
	for operation, want := range map[string]bool{
		"GET /v1/checks/{id}": true, "GET /v1/checks/17": true, "GET /v1/checks/{checkId}": true,
		"PUT /v1/checks/17": false, "GET /v1/checks/17/results": false, "GET /v1/checks": false, "GET /v1/groups/17": false, "": false,
	} {
		pattern, err := route.Parse("GET /v1/checks/{id}")
		require.NoError(t, err)
		require.Equal(t, want, pattern.Matches(operation), operation)
	}
}

func TestAPatternThatIsNoMethodAndPathIsRefused(t *testing.T) {
	for _, operation := range []string{"", "/v1/checks", "GET", "GET v1", "get /v1/checks", " /v1/checks"} {
		_, err := route.Parse(operation)
		require.ErrorContains(t, err, "want a method and a path", operation)
	}
}

package monitoring

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/stretchr/testify/require"
)

func TestErrorsMatchTheirStatusForEveryBody(t *testing.T) {
	values := map[int]error{
		400: ErrBadRequest, 401: ErrUnauthorized, 402: ErrPaymentRequired, 403: ErrForbidden, 404: ErrNotFound,
		409: ErrConflict, 429: ErrRateLimited, 500: ErrServer, 503: ErrServer,
	}
	bodies := map[string]struct {
		body, message, reason string
		attributes            bool
	}{
		"as documented":                  {`{"statusCode":1,"error":"E","message":"M","attributes":{"a":1}}`, "M", "E", true},
		"without a message":              {`{"statusCode":401,"error":"E"}`, "E", "E", false},
		"only a string as error":         {`{"error":"text"}`, "text", "text", false},
		"an object as error":             {`{"error":{"message":"deep"}}`, "", "", false},
		"message and code":               {`{"message":"text","errorCode":"CODE"}`, "text", "", false},
		"a bare string":                  {`"text"`, "text", "", false},
		"an array":                       {`[1]`, "", "", false},
		"null":                           {`null`, "", "", false},
		"HTML":                           {`<html><body>Bad Gateway</body></html>`, "", "", false},
		"nothing":                        {``, "", "", false},
		"cut off":                        {`{"statusCode":401,"error":"Unauth`, "", "", false},
		"members of other types":         {`{"statusCode":"x","error":1,"message":["m"],"attributes":"a"}`, "", "", true},
		"a long message":                 {`{"message":"` + strings.Repeat("long ", 50_000) + `"}`, "", "", false},
		"an empty attributes":            {`{"error":"E","message":"M","attributes":{}}`, "M", "E", true},
		"null members":                   {`{"error":null,"message":null,"attributes":null}`, "", "", false},
		"a message of two lines":         {`{"message":"a\nb\u0000c"}`, "a\nb\x00c", "", false},
		"validation of older operations": {`{"statusCode":400,"error":"Bad Request","message":"m","validation":{"source":"payload","keys":["frequency"]}}`, "m", "Bad Request", false},
	}
	for status, value := range values {
		for name, c := range bodies {
			client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
				return respondWith(status, nil, c.body), nil
			}), WithMaxRetries(0))
			_, err := client.CheckGroups.Get(t.Context(), 42)
			require.ErrorIs(t, err, value, name)
			var e *APIError
			require.ErrorAs(t, err, &e)
			require.Equal(t, status, e.StatusCode)
			require.Equal(t, c.message, e.Message, name)
			require.Equal(t, c.reason, e.Reason, name)
			require.Equal(t, c.attributes, e.Attributes != nil, name)
			require.Equal(t, "GET", e.Method)
			require.Equal(t, "/v1/check-groups/42", e.Path)
			require.Equal(t, 1, e.Attempts)
			require.True(t, strings.HasPrefix(e.Error(), "monitoring: GET /v1/check-groups/42 at monitoring.test: "), e)
			require.NotContains(t, e.Error(), "\n")
			require.Less(t, len(e.Error()), 1000)
			require.LessOrEqual(t, len(e.Body), exchange.SkimmedBody)
			for other, sentinel := range values {
				require.Equal(t, sentinel == value, e.Is(sentinel), "%d is not %d", status, other)
			}
		}
	}
}

func FuzzErrorBody(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*.json")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 1000 {
			f.Add(data)
		}
	}
	f.Add([]byte(`{"statusCode":401,"error":"Unauthorized","message":"Bad Token","attributes":{"error":"Bad Token"}}`))
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		e := &APIError{StatusCode: 401, Method: "GET", Path: "/"}
		e.readBody(body)
		require.ErrorIs(t, e, ErrUnauthorized)
		require.Less(t, len(e.Error()), 1000)
		require.NotContains(t, e.Error(), "\n")
		require.True(t, e.Attributes == nil || json.Valid(e.Attributes))
	})
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
		base, err := parseBaseURL(address, false)
		require.NoError(t, err, address)
		require.Equal(t, want, base.String())
	}
	for address, why := range map[string]string{
		"":                           "want https://",
		"api.test":                   "want https://",
		"//api.test":                 "want https://",
		"ftp://api.test":             "want https://",
		"https://":                   "want https://",
		"https:api.test":             "want https://",
		"https://user:pw@api.test":   "it has a user name or a password",
		"https://api.test?x=1":       "it has a query or a fragment",
		"https://api.test?":          "it has a query or a fragment",
		"https://api.test#f":         "it has a query or a fragment",
		"https://api.test#":          "it has a query or a fragment",
		"https://api.test/a/../b":    "dot segment",
		"https://api.test/a/%2e%2e":  "dot segment",
		"https://api.test//a":        "must not be empty",
		"http://api.test":            "plain http would send the API key unencrypted",
		"http://127.0.0.1.evil.test": "plain http",
		"http://localhost.evil.test": "plain http",
		"https://api.test:port":      "not a URL",
		"https://a b.test":           "not a URL",
	} {
		_, err := NewClient(address, "key-123")
		require.ErrorContains(t, err, why, address)
		require.ErrorContains(t, err, "monitoring: new client: base address")
		require.NotContains(t, err.Error(), "pw")
	}
	_, err := NewClient("http://api.test", "k", WithInsecureHTTP())
	require.NoError(t, err)
}

func FuzzBaseAddress(f *testing.F) {
	f.Add("https://api.test/a%2F")
	f.Fuzz(func(t *testing.T, address string) {
		base, err := parseBaseURL(address, false)
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

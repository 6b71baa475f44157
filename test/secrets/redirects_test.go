package secrets_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestRedirectsAwayFromTheBaseAddressAreRefused(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		for name, secure := range map[string]bool{"from http to https": false, "from https to http": true, "to another port": false} {
			t.Run(fmt.Sprintf("%d %s", code, name), func(t *testing.T) {
				var leaked atomic.Int32
				handler := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { leaked.Add(1) })
				target := httptest.NewServer(handler)
				if name == "from http to https" {
					target.Close()
					target = httptest.NewTLSServer(handler)
				}
				defer target.Close()
				redirect := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					http.Redirect(w, r, target.URL+r.URL.Path, code)
				})
				server := httptest.NewServer(redirect)
				if secure {
					server.Close()
					server = httptest.NewTLSServer(redirect)
				}
				client := kit.Loopback(t, server, monitoring.WithAccount(kit.UUID1))
				for kind, do := range kit.FirstOfKind {
					err := do(t.Context(), client)
					require.ErrorIs(t, err, monitoring.ErrRedirect, kind)
					unsafe := kind == "trigger" || kind == "create"
					require.Equal(t, unsafe && code <= http.StatusSeeOther, errors.Is(err, monitoring.ErrOutcomeUnknown), "the service may respond like this after it has carried out the request")
				}
				require.Zero(t, leaked.Load())
			})
		}
	}
}

func TestRedirectsWithinTheBaseAddressAreFollowedIfTheMethodIsKept(t *testing.T) {
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization")+" "+string(body))
		if code := r.URL.Query().Get("to"); code != "" {
			status := 0
			fmt.Sscan(code, &status)
			http.Redirect(w, r, "/moved", status)
			return
		}
		io.WriteString(w, "{}")
	}))
	client := kit.Loopback(t, server)
	do := func(method string, code int) error {
		seen = nil
		return kit.Second(monitoring.Do[map[string]any](t.Context(), client, method, "/v1/things", map[string][]string{"to": {fmt.Sprint(code)}}, map[string]int{"a": 1}))
	}
	for _, code := range []int{307, 308} {
		for _, method := range []string{"POST", "PUT"} {
			require.NoError(t, do(method, code))
			require.Equal(t, method+` /moved Bearer key-123 {"a":1}`, seen[1], "method and body are kept")
		}
	}
	for _, code := range []int{301, 302, 303} {
		require.ErrorIs(t, do("POST", code), monitoring.ErrRedirect, "net/http would change the method to GET")
		require.Len(t, seen, 1)
		require.NoError(t, do("GET", code))
	}
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) })
	require.ErrorIs(t, do("GET", 302), monitoring.ErrRedirect, "a loop of redirects ends")
}

func TestARedirectThatWritesTheHostInOtherLettersKeepsTheKey(t *testing.T) {
	for name, opt := range map[string]monitoring.ClientOption{
		"a fixed key":  monitoring.WithHeader("X-Any", "1"),
		"a key source": monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) { return "key-123", nil }),
	} {
		key, keys := "key-123", []string(nil)
		if name == "a key source" {
			key = ""
		}
		client := kit.NewClient(t, "https://monitoring.test", key, &http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			keys = append(keys, r.URL.Host+" "+r.Header.Get("Authorization"))
			if r.URL.Host == "monitoring.test" {
				return testkit.Respond(http.StatusPermanentRedirect, http.Header{"Location": {"https://MONITORING.test/v1/locations"}}, ""), nil
			}
			return testkit.Respond(http.StatusOK, nil, "[]"), nil
		})}, opt)
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err, name)
		require.Equal(t, []string{"monitoring.test Bearer key-123", "MONITORING.test Bearer key-123"}, keys, name)
	}
}

package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

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
		e.readBody(body, scrub.New())
		require.ErrorIs(t, e, ErrUnauthorized)
		require.Less(t, len(e.Error()), 1000)
		require.NotContains(t, e.Error(), "\n")
		require.True(t, e.Attributes == nil || json.Valid(e.Attributes))
	})
}

func TestABodyIsBrokenIfARetryMayHelp(t *testing.T) {
	plain := errors.New("does not fit")
	o := &ongoing{call: exchange.Call{Texts: exchange.Texts{Own: scrub.New()}}}
	for body, want := range map[string]exchange.Fault{
		`{"a":1}`: exchange.Unreadable, `[1`: exchange.Unreadable, "<html>": exchange.Useless, "<svg>": exchange.Useless, "Bad Gateway": exchange.Useless, "": exchange.Lost,
	} {
		for _, err := range []error{plain, &DecodeError{Err: plain}} {
			failed := o.decodingFailed(http.Header{}, []byte(body), err)
			require.Equal(t, want, failed.means(), body)
			require.Equal(t, want != exchange.Useless, errors.Is(failed, plain), body)
		}
		cut := o.decodingFailed(http.Header{}, []byte(body), &DecodeError{Err: plain, fault: exchange.Lost})
		require.Equal(t, want != exchange.Useless, cut.means() == exchange.Lost, body)
	}
	require.NoError(t, (*DecodeError)(nil).Unwrap())
	require.Equal(t, "monitoring: no error", (*DecodeError)(nil).Error())
}

func TestAProxyThatRefusesToConnectIsSaidInWords(t *testing.T) {
	for status, attempts := range map[int]int{403: 1, 407: 1, 502: 3} {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		address, err := url.Parse(proxy.URL)
		require.NoError(t, err)
		standard := http.DefaultTransport.(*http.Transport).Clone()
		standard.Proxy = http.ProxyURL(address)
		client, err := NewClient("https://monitoring.test", "key-123", WithHTTPClient(&http.Client{Transport: newTransport(standard)}),
			WithRetryPolicy(RetryPolicy{MaxRetries: 2, MinBackoff: 1, MaxBackoff: 1}))
		require.NoError(t, err)
		var response Response
		_, err = client.CheckSessions.Trigger(t.Context(), TriggerRequest{AllChecks: true}, WithResponse(&response))
		require.ErrorContains(t, err, fmt.Sprintf("the proxy %s refused to connect to the service: %d %s: check the proxy, or HTTPS_PROXY and NO_PROXY", address.Host, status, http.StatusText(status)))
		require.NotErrorIs(t, err, ErrOutcomeUnknown)
		require.Equal(t, attempts, response.Attempts)
		proxy.Close()
	}
}

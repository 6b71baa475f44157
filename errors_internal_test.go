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
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

func TestTheTextOfAnAPIErrorHasWhatIsKnown(t *testing.T) {
	const unknown = "it may or may not have been carried out: check before you send it again"
	for name, c := range map[string]struct {
		err  APIError
		want string
	}{
		"a status alone":                       {APIError{StatusCode: 409}, "monitoring: 409 Conflict"},
		"an operation":                         {APIError{StatusCode: 409, Method: "GET", Path: "/v1/x"}, "monitoring: GET /v1/x: 409 Conflict"},
		"an address":                           {APIError{StatusCode: 409, Method: "GET", Path: "/v1/x", base: "h.test/p"}, "monitoring: GET /v1/x at h.test/p: 409 Conflict"},
		"an address without operation":         {APIError{StatusCode: 409, base: "h.test/p"}, "monitoring: 409 Conflict"},
		"a message":                            {APIError{StatusCode: 409, Message: "why\nnot"}, "monitoring: 409 Conflict: why not"},
		"a message that repeats":               {APIError{StatusCode: 409, Message: "Conflict"}, "monitoring: 409 Conflict"},
		"the shortest wait":                    {APIError{StatusCode: 409, RetryAfter: 1}, "monitoring: 409 Conflict: retry after 1ns"},
		"an unknown outcome":                   {APIError{StatusCode: 500, Kind: ErrOutcomeUnknown}, "monitoring: 500 Internal Server Error: " + unknown},
		"another kind":                         {APIError{StatusCode: 408, Kind: ErrNotCompleted}, "monitoring: 408 Request Timeout"},
		"one attempt":                          {APIError{StatusCode: 409, Attempts: 1}, "monitoring: 409 Conflict"},
		"a note":                               {APIError{StatusCode: 409, note: "n"}, "monitoring: 409 Conflict (n)"},
		"a key that is refused":                {APIError{StatusCode: 401}, "monitoring: 401 Unauthorized: check the API key"},
		"a plan without the feature":           {APIError{StatusCode: 402}, "monitoring: 402 Payment Required: the plan of the account does not include it"},
		"a key without the permission":         {APIError{StatusCode: 403}, "monitoring: 403 Forbidden: the API key has no permission for this in this account"},
		"a limit":                              {APIError{StatusCode: 429}, "monitoring: 429 Too Many Requests: the limit of the account or of this route is used up"},
		"a version at the end":                 {APIError{StatusCode: 404, base: "h.test/v2"}, "monitoring: 404 Not Found: every path begins with /v2 already: remove it from the end of the base address"},
		"a version and another status":         {APIError{StatusCode: 409, base: "h.test/v2"}, "monitoring: 409 Conflict"},
		"JSON":                                 {APIError{StatusCode: 404, form: exchange.FormJSON}, "monitoring: 404 Not Found"},
		"HTML":                                 {APIError{StatusCode: 409, form: exchange.FormHTML}, "monitoring: 409 Conflict: the response is HTML, not JSON: check the base address and any proxy in front of the service"},
		"HTML with 403, which a gateway sends": {APIError{StatusCode: 403, form: exchange.FormHTML}, "monitoring: 403 Forbidden: the response is HTML, not JSON: check the base address and any proxy in front of the service"},
		"HTML of a wrong prefix":               {APIError{StatusCode: 404, form: exchange.FormHTML, base: "h.test/v1"}, "monitoring: 404 Not Found: every path begins with /v1 already: remove it from the end of the base address"},
		"a poll without a result":              {APIError{StatusCode: 408, form: exchange.FormEmpty}, "monitoring: 408 Request Timeout"},
		"all parts":                            {APIError{StatusCode: 500, Method: "POST", Path: "/v1/x", Message: "m", Kind: ErrOutcomeUnknown, RetryAfter: time.Minute, Attempts: 2, base: "h", note: "n"}, "monitoring: POST /v1/x at h: 500 Internal Server Error: m: retry after 1m0s: " + unknown + " (after 2 attempts, n)"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, c.err.Error()) })
	}
}

func TestTheTextOfACallErrorHasWhatIsKnown(t *testing.T) {
	refused, prefixed := errors.New("refused"), errors.New("monitoring: refused\nagain")
	for name, c := range map[string]struct {
		err  CallError
		want string
	}{
		"nothing":                  {CallError{}, "monitoring: no response"},
		"an operation":             {CallError{Operation: "GET /v1/x", Err: refused}, "monitoring: GET /v1/x: refused"},
		"an address":               {CallError{Operation: "GET /v1/x", Attempts: 1, Err: refused, base: "h/p"}, "monitoring: GET /v1/x at h/p: refused"},
		"an address without send":  {CallError{Operation: "GET /v1/x", Err: refused, base: "h/p"}, "monitoring: GET /v1/x: refused"},
		"an address alone":         {CallError{Attempts: 1, Err: refused, base: "h/p"}, "monitoring: refused"},
		"a reason with the prefix": {CallError{Err: prefixed}, "monitoring: refused again"},
		"a reason of decoding":     {CallError{Err: &DecodeError{Operation: "GET /v1/y", Path: "$.id", Err: refused}}, "monitoring: read the response: $.id: refused"},
		"an earlier failure":       {CallError{Err: refused, last: prefixed}, "monitoring: refused: the last attempt failed: refused again"},
		"an unknown outcome":       {CallError{Err: refused, unknown: true}, "monitoring: refused: it may or may not have been carried out: check before you send it again"},
		"all notes":                {CallError{Err: refused, Attempts: 3, LastStatus: 503, note: "n"}, "monitoring: refused (after 3 attempts, last status 503, n)"},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, c.err.Error()) })
	}
	require.NotErrorIs(t, (*CallError)(nil), ErrOutcomeUnknown)
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
		e.readBody(body, scrub.New())
		require.ErrorIs(t, e, ErrUnauthorized)
		require.Less(t, len(e.Error()), 1000)
		require.NotContains(t, e.Error(), "\n")
		require.True(t, e.Attributes == nil || json.Valid(e.Attributes))
	})
}

func TestABodyIsBrokenIfARetryMayHelp(t *testing.T) {
	plain := errors.New("does not fit")
	o := &activeCall{call: exchange.Call{Texts: exchange.Texts{Own: scrub.New()}}}
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
	keep := func(http.RoundTripper) http.RoundTripper { return nil }
	wrap := func(t http.RoundTripper) http.RoundTripper { return struct{ http.RoundTripper }{t} }
	for status, attempts := range map[int]int{403: 1, 407: 1, 502: 3, -403: 1, -407: 1, -502: 3} {
		transport, hook := newTransport, keep
		if status < 0 { // the transport is the user's
			status, transport, hook = -status, func(t *http.Transport) http.RoundTripper { return t }, wrap
		}
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		address, err := url.Parse(proxy.URL)
		require.NoError(t, err)
		standard := http.DefaultTransport.(*http.Transport).Clone()
		standard.Proxy = http.ProxyURL(address)
		client, err := NewClient("https://monitoring.test", "key-123", WithHTTPClient(&http.Client{Transport: transport(standard)}),
			WithTransportHook(hook), WithRetryPolicy(RetryPolicy{MaxRetries: 2, MinBackoff: 1, MaxBackoff: 1}))
		require.NoError(t, err)
		var response Response
		_, err = client.CheckSessions.Trigger(t.Context(), TriggerRequest{AllChecks: true}, WithResponse(&response))
		require.ErrorContains(t, err, fmt.Sprintf("the proxy %s refused to connect to the service: %d %s: check the proxy, or HTTPS_PROXY and NO_PROXY", address.Host, status, http.StatusText(status)))
		require.NotErrorIs(t, err, ErrOutcomeUnknown)
		require.Equal(t, attempts, response.Attempts)
		proxy.Close()
	}
}

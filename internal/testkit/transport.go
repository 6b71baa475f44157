package testkit

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// RoundTripper is a function as a transport.
type RoundTripper func(*http.Request) (*http.Response, error)

// RoundTrip calls the function.
func (f RoundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// Respond makes a response. A nil header is allowed.
func Respond(status int, header http.Header, body string) *http.Response {
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{
		StatusCode: status, Header: header, ContentLength: int64(len(body)),
		Body: io.NopCloser(strings.NewReader(body)),
	}
}

// AtMost passes this many requests on. The next one fails the test and says what was promised. It
// gets a 400, which no call sends again: so a promise that is broken is seen at once, and not by a
// test that does not end.
func AtMost(t testing.TB, n int, promise string, transport http.RoundTripper) RoundTripper {
	var sent atomic.Int64
	return func(req *http.Request) (*http.Response, error) {
		if sent.Add(1) <= int64(n) {
			return transport.RoundTrip(req)
		}
		t.Errorf("%s: this is request %d of at most %d: %s %s", promise, sent.Load(), n, req.Method, req.URL)
		return Respond(http.StatusBadRequest, nil, ""), nil
	}
}

// NoRetry is what [AtMost] says of a call that must not be retried.
const NoRetry = "WithMaxRetries(0) never retries"

// InTurn passes each request to the next of the transports; the last one gets all that follow.
func InTurn(transports ...RoundTripper) RoundTripper {
	sent := 0
	return func(req *http.Request) (*http.Response, error) {
		sent++
		return transports[min(sent, len(transports))-1](req)
	}
}

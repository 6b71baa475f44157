package testkit

import (
	"io"
	"net/http"
	"strings"
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

// InTurn passes each request to the next of the transports; the last one gets all that follow.
func InTurn(transports ...RoundTripper) RoundTripper {
	sent := 0
	return func(req *http.Request) (*http.Response, error) {
		sent++
		return transports[min(sent, len(transports))-1](req)
	}
}

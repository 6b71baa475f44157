package exchange

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAttemptToAnotherAddressThanTheBaseIsNotSent(t *testing.T) {
	s := sender(t, func(*http.Request) (*http.Response, error) {
		t.Error("the request was sent")
		return nil, io.EOF
	})
	c := &call{Call: &Call{}, sender: s}
	for _, address := range []string{"https://evil.test/v1/locations", "http://service.test/", "https://service.test/../x"} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		_, err = c.RoundTrip((&http.Request{Method: "GET", URL: u}).WithContext(t.Context()))
		require.Equal(t, &failed{errRedirect, Impossible}, err)
	}
}

func TestARequestMayHaveBeenSentUnlessTheTransportOrTheErrorSaysNo(t *testing.T) {
	reset := errors.New("reset")
	for name, c := range map[string]struct {
		report func(*httptrace.ClientTrace)
		err    error
		may    bool
	}{
		"the header was written":    {func(tr *httptrace.ClientTrace) { tr.GetConn("x"); tr.WroteHeaders() }, syscall.ECONNREFUSED, true},
		"the request was written":   {func(tr *httptrace.ClientTrace) { tr.GetConn("x"); tr.WroteRequest(httptrace.WroteRequestInfo{}) }, syscall.ECONNREFUSED, true},
		"there was no connection":   {func(tr *httptrace.ClientTrace) { tr.GetConn("x") }, reset, false},
		"no report, any error":      {nil, reset, true},
		"no report, a refusal":      {nil, fmt.Errorf("x: %w", syscall.ECONNREFUSED), false},
		"no report, a dial":         {nil, &net.OpError{Op: "dial", Err: reset}, false},
		"no report, a read":         {nil, &net.OpError{Op: "read", Err: reset}, true},
		"no report, no DNS name":    {nil, &net.DNSError{}, false},
		"no report, a certificate":  {nil, &tls.CertificateVerificationError{Err: reset}, false},
		"no report, an alert":       {nil, tls.AlertError(40), false},
		"no report, no TLS at all":  {nil, tls.RecordHeaderError{}, false},
		"no report, a remote alert": {nil, &net.OpError{Op: "remote error", Err: reset}, false},
		"no report, our own alert":  {nil, &net.OpError{Op: "local error", Err: reset}, false},
	} {
		var sent sentTrace
		if trace := sent.trace(); c.report != nil {
			c.report(trace)
		}
		require.Equal(t, c.may, sent.may(c.err), name)
	}
}

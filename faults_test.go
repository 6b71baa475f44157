package monitoring

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// tracing calls the hooks of net/http/httptrace as the transport of net/http does, up to the
// moment at which the fault happens.
func tracing(req *http.Request, connected, written bool) {
	trace := httptrace.ContextClientTrace(req.Context())
	trace.GetConn(req.URL.Host)
	if connected && written {
		trace.WroteHeaders()
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
}

func netError(op string, errno syscall.Errno) error {
	return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(op, errno)}
}

// brokenBody returns some bytes and then an error.
type brokenBody struct {
	io.Reader
	err error
}

func (b *brokenBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		err = b.err
	}
	return n, err
}

func (b *brokenBody) Close() error { return nil }

// faults are the failures that can happen to an attempt.
var faults = map[string]roundTripper{
	"refused connection": func(req *http.Request) (*http.Response, error) {
		tracing(req, false, false)
		return nil, netError("dial", syscall.ECONNREFUSED)
	},
	"reset before the request is written": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, false)
		return nil, netError("write", syscall.ECONNRESET)
	},
	"reset after the request is written": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return nil, netError("read", syscall.ECONNRESET)
	},
	"reset in mid-response": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		resp := respondWith(okStatus(req), nil, "")
		resp.ContentLength = 1000
		resp.Body = &brokenBody{strings.NewReader(`{"sessions":`), netError("read", syscall.ECONNRESET)}
		return resp, nil
	},
	"response slower than the timeout": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		<-req.Context().Done()
		return nil, req.Context().Err()
	},
	"truncated JSON": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return respondWith(okStatus(req), nil, `{"sessions": [{"checkSessi`), nil
	},
	"empty 200": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return respondWith(http.StatusOK, nil, ""), nil
	},
	"502 in HTML": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return respondWith(http.StatusBadGateway, http.Header{"Content-Type": {"text/html"}}, "<html><h1>Bad Gateway</h1>"), nil
	},
	"HTML 200": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return respondWith(okStatus(req), http.Header{"Content-Type": {"text/html"}}, "<!doctype html><title>Sign in</title>"), nil
	},
	"error object 200": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return respondWith(okStatus(req), nil, `{"statusCode":503,"error":"Service Unavailable","message":"later"}`), nil
	},
	"JSON of another type": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return respondWith(okStatus(req), nil, `7`), nil
	},
	"504": status(http.StatusGatewayTimeout, ""),
	"501": status(http.StatusNotImplemented, ""),
	"408": status(http.StatusRequestTimeout, ""),
	"499": status(statusClientClosed, ""),
	"303 with an invalid Location": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return respondWith(http.StatusSeeOther, http.Header{"Location": {"https://monitoring.test/%zz"}}, ""), nil
	},
	"500": status(http.StatusInternalServerError, ""),
	"503": status(http.StatusServiceUnavailable, ""),
	"503 with Retry-After": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return respondWith(http.StatusServiceUnavailable, http.Header{"Retry-After": {"3"}}, ""), nil
	},
	"429": func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return respondWith(http.StatusTooManyRequests, http.Header{"Retry-After": {"2"}}, `{"statusCode":429,"error":"Too Many Requests","message":"Too Many Requests"}`), nil
	},
	"TLS failure": func(req *http.Request) (*http.Response, error) {
		tracing(req, false, false)
		return nil, &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
	},
	"TLS alert": func(req *http.Request) (*http.Response, error) {
		tracing(req, false, false)
		return nil, &net.OpError{Op: "remote error", Err: errors.New("tls: protocol version not supported")}
	},
	"dial timeout": func(req *http.Request) (*http.Response, error) {
		tracing(req, false, false)
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: timeoutError{}}
	},
	"DNS failure": func(req *http.Request) (*http.Response, error) {
		tracing(req, false, false)
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "monitoring.test", IsNotFound: true}}
	},
	"400": status(http.StatusBadRequest, `{"statusCode":400,"error":"Bad Request","message":"no"}`),
	"401": status(http.StatusUnauthorized, `{"statusCode":401,"error":"Unauthorized","message":"Bad Token"}`),
	"404": status(http.StatusNotFound, `{"statusCode":404,"error":"Not Found","message":"Not Found"}`),
}

// timeoutError matches the error of a context's deadline, as the timeout of a dialer does.
type timeoutError struct{}

func (timeoutError) Error() string { return "i/o timeout" }

func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

func status(code int, body string) roundTripper {
	return func(req *http.Request) (*http.Response, error) {
		tracing(req, true, true)
		return respondWith(code, nil, body), nil
	}
}

func okStatus(req *http.Request) int {
	if req.Method == http.MethodPost {
		return http.StatusCreated
	}
	return http.StatusOK
}

func second[T any](_ T, err error) error { return err }

// kinds has the first operation of each kind.
var kinds = func() map[string]func(context.Context, *Client) error {
	first := make(map[string]func(context.Context, *Client) error)
	for _, c := range operationCalls {
		if first[c.kind] == nil {
			first[c.kind] = c.try
		}
	}
	return first
}()

// outcome is the result of a call if each of its attempts has the fault.
type outcome struct {
	attempts int
	errs     []error // errors that errors.Is must match
	text     string  // a part of its text
	unknown  bool    // whether it matches ErrOutcomeUnknown
}

var (
	retried = 6 // attempts, five of them retries
	ok      = outcome{attempts: 1}
)

// TestTheOutcomeOfEachFaultForEachKindOfOperation is the contract for failures. A key of a row
// lists the kinds of operations for which the outcome holds.
func TestTheOutcomeOfEachFaultForEachKindOfOperation(t *testing.T) {
	reset := []error{syscall.ECONNRESET}
	matrix := map[string]map[string]outcome{
		"refused connection": {
			"read poll list update delete stream cancel trigger create": {attempts: retried, errs: []error{syscall.ECONNREFUSED}},
		},
		"reset before the request is written": {
			"read poll list update delete stream cancel trigger create": {attempts: retried, errs: reset},
		},
		"reset after the request is written": {
			"read poll list update delete stream cancel": {attempts: retried, errs: reset},
			"trigger create": {attempts: 1, errs: reset, unknown: true},
		},
		"reset in mid-response": {
			"read poll list update": {attempts: retried, errs: reset, text: "last status 20"},
			"delete cancel":         ok,                                                 // these operations ignore the response body
			"stream":                {attempts: 1, errs: reset, text: "last status 20"}, // a part of the body was already written
			"trigger create":        {attempts: 1, errs: reset, unknown: true, text: "last status 201"},
		},
		"response slower than the timeout": {
			"read poll list update delete stream cancel": {attempts: retried, text: "the attempt timed out"},
			"trigger create": {attempts: 1, text: "the attempt timed out", unknown: true},
		},
		"truncated JSON": {
			"read poll list update": {attempts: retried, text: "read the response"},
			"delete stream cancel":  ok,
			"trigger create":        {attempts: 1, text: "read the response", unknown: true},
		},
		"empty 200": {
			"read poll list update stream": {attempts: retried, text: "the response is empty"},
			"delete cancel":                ok,
			"trigger create":               {attempts: 1, text: "the response is empty", unknown: true},
		},
		"502 in HTML": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{ErrServer}, text: "502 Bad Gateway"},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, text: "502 Bad Gateway", unknown: true},
		},
		"HTML 200": {
			"read poll list update delete cancel": {attempts: 1, text: "it is HTML, not JSON"},
			"stream":                              ok, // it takes any body
			"trigger create":                      {attempts: 1, text: "it is HTML, not JSON", unknown: true},
		},
		"error object 200": {
			"read poll update delete cancel": {attempts: 1, text: "read the response: "}, // the one of locations is a list
			"list":                           {attempts: 1, text: "want an array, got an object"},
			"stream":                         ok,
			"trigger create":                 {attempts: 1, text: "it is an error object with status 503: Service Unavailable: later", unknown: true},
		},
		"JSON of another type": {
			"read poll list update": {attempts: 1, text: "read the response"},
			"delete stream cancel":  ok,
			"trigger create":        {attempts: 1, text: "it was carried out, but its response cannot be read"},
		},
		"504": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{ErrServer}},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"501": {
			"read poll list update delete stream cancel": {attempts: 1, errs: []error{ErrServer}},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"408": {
			"read list update delete stream cancel": {attempts: retried, text: "408 Request Timeout"},
			"poll":                                  {attempts: 1, text: "408 Request Timeout", errs: []error{ErrNotCompleted}},
			"trigger create":                        {attempts: 1, text: "408 Request Timeout", unknown: true},
		},
		"499": {
			"read poll list update delete stream cancel": {attempts: retried, text: "499"},
			"trigger create": {attempts: 1, text: "499", unknown: true},
		},
		"303 with an invalid Location": {
			"read poll list update delete stream cancel": {attempts: 1, text: "Location"},
			"trigger create": {attempts: 1, text: "Location", unknown: true},
		},
		"500": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{ErrServer}},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"503": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{ErrServer}},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"503 with Retry-After": {
			"read poll list update delete stream cancel": {attempts: retried, errs: []error{ErrServer}, text: "retry after 3s"},
			"trigger create": {attempts: 1, errs: []error{ErrServer}, unknown: true},
		},
		"429": {
			"read poll list update delete stream cancel trigger create": {attempts: retried, errs: []error{ErrRateLimited}, text: "retry after 2s"},
		},
		"TLS failure": {
			"read poll list update delete stream cancel trigger create": {attempts: 1, text: "certificate"},
		},
		"TLS alert": {
			"read poll list update delete stream cancel trigger create": {attempts: 1, text: "protocol version"},
		},
		"dial timeout": {
			"read poll list update delete stream cancel trigger create": {attempts: retried, text: "i/o timeout"},
		},
		"DNS failure": {
			"read poll list update delete stream cancel trigger create": {attempts: 1, text: "no such host"},
		},
		"400": {"read poll list update delete stream cancel trigger create": {attempts: 1, errs: []error{ErrBadRequest}}},
		"401": {"read poll list update delete stream cancel trigger create": {attempts: 1, errs: []error{ErrUnauthorized}}},
		"404": {"read poll list update delete stream cancel trigger create": {attempts: 1, errs: []error{ErrNotFound}}},
	}
	for fault := range faults {
		require.Contains(t, matrix, fault)
	}
	for fault, row := range matrix {
		cells := 0
		for names, want := range row {
			for _, kind := range strings.Fields(names) {
				cells++
				for _, c := range operationCalls {
					if c.kind == kind {
						t.Run(c.operation+", "+fault, func(t *testing.T) { testCell(t, faults[fault], c, want) })
					}
				}
			}
		}
		require.Equal(t, len(kinds), cells, fault)
	}
}

func testCell(t *testing.T, fault roundTripper, c operationCall, want outcome) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			sent++
			return fault(req)
		}))
		err := c.try(t.Context(), client)
		require.Equal(t, want.attempts, sent, "attempts: %q in operationCalls and the retry class of the method must fit", c.kind)
		if want.errs == nil && want.text == "" {
			require.NoError(t, err)
			return
		}
		for _, target := range want.errs {
			require.ErrorIs(t, err, target)
		}
		require.ErrorContains(t, err, want.text)
		require.Equal(t, want.unknown, errors.Is(err, ErrOutcomeUnknown), "%q in operationCalls and the retry class of the method must fit: %s", c.kind, err)
		require.Equal(t, 1, strings.Count(err.Error(), "monitoring:"), err)
		require.NotContains(t, err.Error(), "key-123")
		if want.attempts > 1 {
			require.ErrorContains(t, err, fmt.Sprintf("after %d attempts", want.attempts))
		}

		// If the fault happens once, a call that is retried succeeds.
		if want.attempts == 1 {
			return
		}
		sent = 0
		client = testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return fault(req)
			}
			return respondWith(c.status, nil, successFor(t, c)), nil
		}))
		require.NoError(t, c.try(t.Context(), client))
		require.Equal(t, 2, sent)
	})
}

func TestACallOfANewClientHasAllItsRetries(t *testing.T) {
	testCell(t, faults["503"], operationCalls[0], outcome{attempts: retried, errs: []error{ErrServer}})
}

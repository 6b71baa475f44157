package testkit

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strings"
	"syscall"
)

// Tracing calls the hooks of net/http/httptrace as the transport of net/http does: connected says
// that there is a connection, and written that the request was written to it.
func Tracing(req *http.Request, connected, written bool) {
	trace := httptrace.ContextClientTrace(req.Context())
	if trace == nil {
		return
	}
	if trace.GetConn != nil {
		trace.GetConn(req.URL.Host)
	}
	if !connected || !written {
		return
	}
	if trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}
}

// NetError is the error of a connection, as the net package makes it.
func NetError(op string, errno syscall.Errno) error {
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

// Cut is a response that ends before its Content-Length, after a part of its body.
func Cut(status int, part string) *http.Response {
	resp := Respond(status, nil, "")
	resp.ContentLength = 1000
	resp.Body = &brokenBody{strings.NewReader(part), io.ErrUnexpectedEOF}
	return resp
}

// Faults are the failures that can happen to an attempt, each as a transport. Those that happen
// before a request is written say so by the hooks of net/http/httptrace.
var Faults = map[string]RoundTripper{
	"refused connection": func(req *http.Request) (*http.Response, error) {
		Tracing(req, false, false)
		return nil, NetError("dial", syscall.ECONNREFUSED)
	},
	"reset before the request is written": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, false)
		return nil, NetError("write", syscall.ECONNRESET)
	},
	"reset after the request is written": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return nil, NetError("read", syscall.ECONNRESET)
	},
	"reset in mid-response": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		resp := Respond(okStatus(req), nil, "")
		resp.ContentLength = 1000
		resp.Body = &brokenBody{strings.NewReader(`{"sessions":`), NetError("read", syscall.ECONNRESET)}
		return resp, nil
	},
	"response slower than the timeout": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		<-req.Context().Done()
		return nil, req.Context().Err()
	},
	"truncated JSON": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return Respond(okStatus(req), nil, `{"sessions": [{"checkSessi`), nil
	},
	"empty 200": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return Respond(http.StatusOK, nil, ""), nil
	},
	"502 in HTML": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return Respond(http.StatusBadGateway, http.Header{"Content-Type": {"text/html"}}, "<html><h1>Bad Gateway</h1>"), nil
	},
	"HTML 200": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return Respond(okStatus(req), http.Header{"Content-Type": {"text/html"}}, "<!doctype html><title>Sign in</title>"), nil
	},
	"error object 200": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return Respond(okStatus(req), nil, `{"statusCode":503,"error":"Service Unavailable","message":"later"}`), nil
	},
	"JSON of another type": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return Respond(okStatus(req), nil, `7`), nil
	},
	"504": Status(http.StatusGatewayTimeout, ""),
	"501": Status(http.StatusNotImplemented, ""),
	"408": Status(http.StatusRequestTimeout, ""),
	"499": Status(499, ""),
	"303 with an invalid Location": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return Respond(http.StatusSeeOther, http.Header{"Location": {"https://monitoring.test/%zz"}}, ""), nil
	},
	"500": Status(http.StatusInternalServerError, ""),
	"503": Status(http.StatusServiceUnavailable, ""),
	"503 with Retry-After": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return Respond(http.StatusServiceUnavailable, http.Header{"Retry-After": {"3"}}, ""), nil
	},
	"429": func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return Respond(http.StatusTooManyRequests, http.Header{"Retry-After": {"2"}},
			`{"statusCode":429,"error":"Too Many Requests","message":"Too Many Requests"}`), nil
	},
	"TLS failure": func(req *http.Request) (*http.Response, error) {
		Tracing(req, false, false)
		return nil, &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
	},
	"TLS alert": func(req *http.Request) (*http.Response, error) {
		Tracing(req, false, false)
		return nil, &net.OpError{Op: "remote error", Err: errors.New("tls: protocol version not supported")}
	},
	"dial timeout": func(req *http.Request) (*http.Response, error) {
		Tracing(req, false, false)
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: TimeoutError{}}
	},
	"DNS failure": func(req *http.Request) (*http.Response, error) {
		Tracing(req, false, false)
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "monitoring.test", IsNotFound: true}}
	},
	"400": Status(http.StatusBadRequest, `{"statusCode":400,"error":"Bad Request","message":"no"}`),
	"401": Status(http.StatusUnauthorized, `{"statusCode":401,"error":"Unauthorized","message":"Bad Token"}`),
	"404": Status(http.StatusNotFound, `{"statusCode":404,"error":"Not Found","message":"Not Found"}`),
}

// TimeoutError matches the error of a context's deadline, as the timeout of a dialer does.
type TimeoutError struct{}

func (TimeoutError) Error() string { return "i/o timeout" }

func (TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// Status responds to each request with a status and a body.
func Status(code int, body string) RoundTripper {
	return func(req *http.Request) (*http.Response, error) {
		Tracing(req, true, true)
		return Respond(code, nil, body), nil
	}
}

// okStatus is the status of a success: 201 for a POST.
func okStatus(req *http.Request) int {
	if req.Method == http.MethodPost {
		return http.StatusCreated
	}
	return http.StatusOK
}

package exchange

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

// Class says whether an operation can be done twice.
type Class uint8

const (
	Read       Class = iota + 1 // changes nothing
	Poll                        // changes nothing, and a 408 says that there is no result yet
	Idempotent                  // safe to do twice
	Unsafe                      // not safe to do twice
)

// ClassOf returns the class of an operation of which only the method is known.
func ClassOf(method string) Class {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return Read
	case http.MethodPut, http.MethodDelete:
		return Idempotent
	}
	return Unsafe
}

// Fault says what has become of a request that has no usable response.
type Fault uint8

const (
	NoFault    Fault = iota // there is a response, which says it by its status
	NotSent                 // it was not sent, and may be sent again
	Impossible              // it was not sent, and would not be if it were tried again
	Lost                    // it may have been carried out: the response is lost, cut off, or empty
	Useless                 // it may have been carried out: a retry would get no better response
	Unreadable              // it was carried out: the response does not fit its type
	Unfollowed              // the response was a redirect that net/http could not follow
)

// meaning is what the result of an attempt means for its call.
type meaning struct {
	ok        bool // a success
	retry     bool // a retry may succeed and is safe
	throttled bool // 429
	// unknown: it is not known whether the operation was carried out.
	unknown bool
	// lost: the operation may have been carried out and only its response was lost. If a retry
	// of a delete then finds nothing, the delete has succeeded.
	lost bool
	// carriedOut: the operation was carried out, and its response cannot be used.
	carriedOut bool
}

// judge says what the result of an attempt means for an operation of a class. The status is that of
// the response, 0 if there was none. The table in docs/errors-and-retries.md is this function in
// words.
func judge(class Class, status int, fault Fault) meaning {
	m := meaningOf(class, status, fault)
	if class == Unsafe && m.unknown {
		m.retry = false // it must not be done twice
	}
	return m
}

func meaningOf(class Class, status int, fault Fault) meaning {
	switch fault {
	case NotSent:
		return meaning{retry: true}
	case Lost:
		return meaning{unknown: true, lost: true, retry: true}
	case Useless:
		return meaning{unknown: true, lost: true}
	case Unreadable:
		return meaning{carriedOut: true}
	case Impossible:
		return meaning{}
	}
	switch {
	case status/100 == 2:
		return meaning{ok: true}
	case status == http.StatusTooManyRequests:
		return meaning{throttled: true, retry: true}
	case status == http.StatusRequestTimeout && class == Poll: // the normal response while there is no result
		return meaning{}
	case status == http.StatusRequestTimeout, status == StatusClientClosed, status == http.StatusBadGateway,
		status == http.StatusGatewayTimeout:
		return meaning{unknown: true, lost: true, retry: true} // a gateway lost the service, or did not wait for it
	case status == http.StatusInternalServerError, status == http.StatusServiceUnavailable:
		return meaning{unknown: true, retry: true}
	case status >= 500:
		return meaning{unknown: true}
	case status/100 == 1: // 101, which nobody asked for
		return meaning{unknown: true}
	case status == http.StatusMovedPermanently, status == http.StatusFound, status == http.StatusSeeOther:
		return meaning{unknown: true} // such a redirect may come after the operation was carried out
	}
	return meaning{}
}

// MayBeCarriedOut reports whether an operation that must not be done twice may have been carried
// out although the response has a status that is no success.
func MayBeCarriedOut(status int) bool { return judge(Unsafe, status, NoFault).unknown }

// StatusClientClosed is the status of some gateways for a request that took too long.
const StatusClientClosed = 499

// faultOf returns the fault of an attempt from its error. finals are the caller's errors after
// which a retry cannot help.
func faultOf(err error, sent bool, finals ...error) Fault {
	switch final := isFinal(err, finals); {
	case sent && final:
		return Useless
	case sent:
		return Lost
	case final:
		return Impossible
	}
	return NotSent
}

// isFinal reports whether an error would come again.
func isFinal(err error, finals []error) bool {
	if d, ok := errors.AsType[*net.DNSError](err); ok && d.IsNotFound {
		return true
	}
	for _, final := range append(finals, context.Canceled, context.DeadlineExceeded, http.ErrSchemeMismatch) {
		if errors.Is(err, final) {
			return true
		}
	}
	if p, ok := errors.AsType[*proxyRefusal](err); ok {
		return !meaningOf(Read, p.status, NoFault).retry
	}
	return isTLSError(err)
}

// proxyRefusal is the error of a proxy that did not connect to the service.
type proxyRefusal struct {
	proxy  string
	status int
}

func (e *proxyRefusal) Error() string {
	return fmt.Sprintf("the proxy %s refused to connect to the service: %d %s: check the proxy, or HTTPS_PROXY and NO_PROXY",
		e.proxy, e.status, http.StatusText(e.status))
}

// CheckProxy is the OnProxyConnectResponse of a transport: it returns an error with the host of the
// proxy and its status, where net/http only says Forbidden.
func CheckProxy(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyRefusal{proxy.Host, resp.StatusCode}
}

// refusedByProxy returns the error of a proxy that did not connect to the service, or nil. A
// transport without CheckProxy, such as one of the user, returns the text of the proxy's status as
// its whole error.
func refusedByProxy(transport http.RoundTripper, req *http.Request, err error) error {
	proxy := proxyOf(transport, req)
	if proxy == nil || req.URL.Scheme != "https" {
		return nil
	}
	for status := http.StatusBadRequest; status < 600; status++ {
		if text := http.StatusText(status); text != "" && text == err.Error() {
			return &proxyRefusal{proxy.Host, status}
		}
	}
	return nil
}

// proxyOf returns the proxy through which a transport sends a request; nil if there is none.
func proxyOf(transport http.RoundTripper, req *http.Request) *url.URL {
	t, ok := transport.(*http.Transport)
	if !ok || t.Proxy == nil {
		return nil
	}
	proxy, err := t.Proxy(req)
	if err != nil {
		return nil
	}
	return proxy
}

// isTLSError reports whether the TLS handshake failed.
func isTLSError(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return true
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "remote error" || op.Op == "local error") {
		return true // crypto/tls wraps alerts in this way
	}
	_, ok := errors.AsType[tls.AlertError](err)
	return ok
}

package exchange

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
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// attempt has the result of one attempt.
type attempt struct {
	placed   bool          // it got its place, and the request was handed to the transport
	wait     time.Duration // for its place
	again    time.Duration // the part of wait that came after it was sent; see sentTrace
	lost     time.Duration // of sends that the transport has repeated
	unplaced bool          // it got no place to be sent again
	duration time.Duration // from sending to the end of the response, without again
	status   int           // of the response, 0 if there was none
}

// RoundTrip makes one attempt: it takes a place, sends, and reads the response to its end,
// all within the time of the attempt, so that a response that breaks off is a failed
// attempt like any other.
func (c *call) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	ctx := req.Context()
	c.backedOff()
	c.last = attempt{}
	c.result.Body = nil
	if !belongs(req.URL, c.sender.Base) { // checkRedirect has checked it, but a wrapping transport may have changed it
		return nil, &failed{c.sender.ErrRedirect, Impossible}
	}
	err = EndOf(ctx)
	if err == nil {
		err = c.key.take(ctx)
	}
	if err == nil {
		err = c.takePlace(ctx)
	}
	if err != nil {
		return nil, &failed{err, Impossible}
	}
	c.last.placed = true
	c.result.Attempts++
	began := time.Now()
	req = c.key.authorize(req)
	if c.Wire != nil {
		defer func() { c.wired(req, began, err) }()
	}
	defer func() { // also when the transport panics
		c.last.duration = time.Since(began) - c.last.again
		c.result.InFlight += c.last.duration
		c.ended()
	}()
	return c.send(req)
}

// wired shows an attempt to Wire.
func (c *call) wired(req *http.Request, began time.Time, err error) {
	w := Wired{Number: c.result.Attempts, Request: req, Began: began, LimiterWait: c.last.wait, Duration: c.last.duration}
	if c.last.status != 0 {
		w.StatusCode, w.Header, w.Body = c.last.status, c.result.Header, c.result.Body
	}
	if err != nil {
		w.Err = c.Texts.Error(err)
	}
	c.Wire(w)
}

// takePlace waits for a place in the limit.
func (c *call) takePlace(ctx context.Context) error {
	began := time.Now()
	defer func() {
		c.last.wait = time.Since(began)
		c.result.LimiterWait += c.last.wait
	}()
	err := c.Caller.Place(ctx)
	if err != nil && ctx.Err() == nil {
		err = ownTimeout(err) // a deadline of the limit's own
	}
	return err
}

// ended tells the limiter how the attempt ended, or the last send of it.
func (c *call) ended() {
	if c.last.unplaced {
		return
	}
	var asked time.Duration
	if c.last.status == http.StatusTooManyRequests {
		asked, _ = c.sender.Clock.RetryAfter(c.last.status, c.result.Header)
	}
	c.Caller.Ended(c.last.status, asked, c.last.duration-c.last.lost)
}

// send sends once and reads the response, within the time of an attempt.
func (c *call) send(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	var limited context.Context
	var cancel context.CancelFunc
	if c.Timeout > 0 {
		limited, cancel = context.WithTimeoutCause(ctx, c.Timeout, &attemptTimeout{c.Timeout})
	} else {
		limited, cancel = context.WithCancel(ctx)
	}
	defer cancel()
	sent := sentTrace{transport: c.transport, req: req, began: time.Now(), caller: c.Caller, cancel: cancel, most: mostUnread}
	out := req.WithContext(httptrace.WithClientTrace(limited, sent.trace(limited)))
	if c.Class == Unsafe {
		sent.most = 1
		if c.sender.http2.Load() {
			out.GetBody = nil
		}
	}
	resp, err := c.through.RoundTrip(out)
	c.last.again = time.Duration(sent.waited.Load())
	c.last.lost, c.last.unplaced = time.Duration(sent.last.Load())-c.last.again, sent.refused != nil
	c.last.wait += c.last.again
	c.result.LimiterWait += c.last.again
	if err == nil && resp == nil {
		err = errors.New("the transport returned neither a response nor an error")
	}
	if err == nil && resp.StatusCode < 100 {
		err = fmt.Errorf("the response has the status %03d", resp.StatusCode)
	}
	if err != nil {
		if resp != nil && resp.Body != nil {
			resp.Body.Close()
		}
		may := sent.may(err)
		switch {
		case sent.refused != nil:
			err = sent.refused
		case sent.unread.Load() >= sent.most:
			err = errReset
		case strings.HasPrefix(err.Error(), cannotRetry):
			err, may = errReset, !isUnread(err.Error())
		}
		if refused := refusedByProxy(c.transport, req, err); refused != nil && !may {
			err = refused
		}
		err = c.reason(ctx, limited, err)
		return nil, &failed{err, c.faultOf(err, may)}
	}
	c.sender.Clock.hear(resp.Header)
	c.sender.http2.Store(resp.ProtoMajor == 2)
	c.last.status = resp.StatusCode
	c.result.StatusCode, c.result.Header = resp.StatusCode, resp.Header
	fault, err := c.receive(ctx, limited, resp)
	if err == nil {
		return resp, nil
	}
	return nil, c.unusable(ctx, limited, fault, err)
}

// unusable returns the error of a response that cannot be used. The context, or the time of the
// attempt, may have ended meanwhile, which is then the reason. But what was carried out stays so.
func (c *call) unusable(ctx, limited context.Context, fault Fault, err error) error {
	err = c.reason(ctx, limited, err)
	if fault == NoFault || fault == Lost && limited.Err() != nil {
		fault = c.faultOf(err, true)
	}
	if c.last.status == http.StatusNoContent && len(c.result.Body) == 0 { // another one would have no body either
		fault = Unreadable
	}
	return &failed{err, fault}
}

func (c *call) faultOf(err error, sent bool) Fault {
	return faultOf(err, sent, c.sender.ErrTooLarge, c.sender.ErrRedirect)
}

// reason returns an error of sending or receiving as the caller sees it.
func (c *call) reason(ctx, limited context.Context, err error) error {
	if end := EndOf(ctx); end != nil {
		return end
	}
	if timeout, ok := context.Cause(limited).(*attemptTimeout); ok {
		return timeout
	}
	if text := err.Error(); strings.Contains(text, "server response headers exceeded") ||
		strings.Contains(text, "response header list larger") {
		return fmt.Errorf("%w: the header is over the limit of the transport", c.sender.ErrTooLarge)
	}
	// net/http replaces only the outermost error
	if e, ok := errors.AsType[tls.RecordHeaderError](err); ok && string(e.RecordHeader[:]) == "HTTP/" {
		return fmt.Errorf("%w: check the scheme and the port of the base URL", http.ErrSchemeMismatch)
	}
	if err == io.EOF {
		return &StepError{What: "the connection was closed before a response came", Err: err}
	}
	if advice := adviceFor(err); advice != "" {
		return &StepError{Err: err, Advice: advice}
	}
	return ownTimeout(err)
}

// adviceFor says what to do about an error of the network; "" if that depends.
func adviceFor(err error) string {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "trust that authority, which may belong to a proxy that inspects the connection"
	}
	op, isOp := errors.AsType[*net.OpError](err)
	dns, isDNS := errors.AsType[*net.DNSError](err)
	switch {
	case isOp && op.Op == "proxyconnect":
		return "check the proxy, or HTTPS_PROXY and NO_PROXY"
	case isDNS && dns.IsNotFound:
		return "check the host of the base URL"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "check the host and the port of the base URL"
	}
	return ""
}

// mostUnread is how often a transport may send a request again that the service has refused unread,
// unless it must not be done twice. net/http itself stops after six of them on one connection, and
// pauses between these.
const mostUnread = 10

var errReset = errors.New("the service reset or refused the request (HTTP/2)")

// cannotRetry begins the error of net/http for a request that HTTP/2 would send again if it had a
// GetBody. It goes on with the reason.
const cannotRetry = "http2: Transport: cannot retry err ["

// isUnread reports whether the service has certainly not read a request that cannot be sent again.
func isUnread(why string) bool {
	return strings.Contains(why, "REFUSED_STREAM") || strings.Contains(why, "graceful shutdown GOAWAY")
}

// sentTrace watches whether a request may have been sent to the service. If the transport
// calls no hooks, its error decides.
//
// A transport may send a request once more by itself: net/http does so with a read if the
// connection, which it had kept, is closed before a response. That takes another place, because the
// service counts it.
//
// With HTTP/2 it does so with any request that the service has refused unread, and the hook may hold
// a lock of the transport, so nothing waits there. If the service refuses all of them, by a GOAWAY on
// each connection, net/http does not pause between two, so that the attempt ends after mostUnread.
// Up to Go 1.26 it also sends again what was reset with PROTOCOL_ERROR, which may have been carried
// out. What must not be done twice is therefore not sent again: it has no GetBody once the service
// has spoken HTTP/2, and before that the attempt ends.
//
// What a transport of the user sends elsewhere, such as for a token, is not the request.
type sentTrace struct {
	transport    http.RoundTripper
	req          *http.Request
	began        time.Time
	caller       Caller
	cancel       context.CancelFunc // ends the attempt
	most         int32              // how often it may be sent again over HTTP/2, and one more
	reports      atomic.Bool
	wrote        atomic.Bool  // something may have been sent
	address      atomic.Value // of the connection, a string
	written      atomic.Bool  // a request was written to it
	http1        atomic.Bool  // with a field Host, which HTTP/2 does not have
	unread       atomic.Int32
	last, waited atomic.Int64 // nanoseconds until it was sent again, and of waits for other places
	refused      error        // the limit gave no other place
}

func (t *sentTrace) trace(ctx context.Context) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(address string) {
			t.reports.Store(true)
			http1, written, before := t.http1.Swap(false), t.written.Swap(false), t.address.Swap(address)
			again := written && before == address && t.isService(address)
			switch {
			case !again:
			case http1:
				t.sentAgain(ctx)
			case t.unread.Add(1) >= t.most:
				t.cancel()
			}
		},
		WroteHeaderField: func(name string, _ []string) {
			if name == "Host" {
				t.http1.Store(true)
			}
		},
		GotFirstResponseByte: func() { t.unread.Store(0) },
		WroteHeaders: func() {
			t.wrote.Store(true)
			t.written.Store(true)
		},
		WroteRequest: func(httptrace.WroteRequestInfo) { t.wrote.Store(true) },
	}
}

// sentAgain gives the place back, and waits for another within the time of the attempt, which ends
// if there is none.
func (t *sentTrace) sentAgain(ctx context.Context) {
	if t.refused != nil {
		return
	}
	lost := time.Since(t.began)
	t.caller.Ended(0, 0, lost-time.Duration(t.last.Load()))
	if t.refused = t.caller.Place(ctx); t.refused != nil {
		t.cancel()
	}
	now := time.Since(t.began)
	t.last.Store(int64(now))
	t.waited.Add(int64(now - lost))
}

// isService reports whether an address is that of the service or of the proxy to it. The proxy is
// asked for only if the request is sent again: a program may take another one each time.
func (t *sentTrace) isService(address string) bool {
	if address == addressOf(t.req.URL) {
		return true
	}
	proxy := proxyOf(t.transport, t.req)
	return proxy != nil && address == addressOf(proxy)
}

// addressOf returns the address of a URL as net/http says it. If that says another, such as for a host
// in other letters than ASCII, nobody sees that a request is sent again.
func addressOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

func (t *sentTrace) may(err error) bool {
	if t.wrote.Load() {
		return true
	}
	if t.reports.Load() {
		return false
	}
	op, isOp := errors.AsType[*net.OpError](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	neverConnected := isOp && op.Op == "dial" || isDNS || errors.Is(err, syscall.ECONNREFUSED) || isTLSError(err)
	return !neverConnected
}

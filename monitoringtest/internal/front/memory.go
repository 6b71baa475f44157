package front

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strconv"
	"syscall"
	"time"
)

// Memory is a front as a round tripper: it responds in the caller's goroutine.
type Memory Front

// RoundTrip returns the response to a request, or the error that a fault asks for.
func (m *Memory) RoundTrip(req *http.Request) (*http.Response, error) {
	front := (*Front)(m)
	in, done, err := front.newInbound(req, req.URL.Scheme+"://"+req.URL.Host)
	defer done()
	if req.Body != nil {
		if closeErr := req.Body.Close(); err == nil {
			err = closeErr
		}
	}
	if err != nil {
		return nil, err
	}
	ctx := req.Context()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	trace := httptrace.ContextClientTrace(ctx)
	if trace == nil {
		trace = new(httptrace.ClientTrace)
	}
	if trace.GetConn != nil {
		trace.GetConn(hostPort(req))
	}
	f := front.pick(in)
	if f != nil && f.Kind == FaultRefuse {
		if err := front.world.Clock.Sleep(ctx, f.Delay); err != nil {
			return nil, err
		}
		return nil, networkError("dial", "connect", syscall.ECONNREFUSED)
	}
	if trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{Conn: conn{}})
	}
	if f != nil && f.Kind == FaultResetBeforeWrite {
		if err := front.world.Clock.Sleep(ctx, f.Delay); err != nil {
			return nil, err
		}
		return nil, networkError("write", "write", syscall.ECONNRESET)
	}
	if trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
	if trace.WroteRequest != nil {
		trace.WroteRequest(httptrace.WroteRequestInfo{})
	}

	out := front.serve(ctx, in, f)
	if out.err != nil {
		return nil, out.err
	}
	if out.reset {
		return nil, networkError("read", "read", syscall.ECONNRESET)
	}
	if trace.GotFirstResponseByte != nil {
		trace.GotFirstResponseByte()
	}
	return out.httpResponse(req), nil
}

func (o *outcome) httpResponse(req *http.Request) *http.Response {
	a := &o.response
	resp := &http.Response{
		Status: strconv.Itoa(a.status) + " " + http.StatusText(a.status), StatusCode: a.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.headers(), Body: http.NoBody, ContentLength: int64(len(a.body)), Request: req,
	}
	if req.URL.Scheme == "https" {
		resp.TLS = &tls.ConnectionState{Version: tls.VersionTLS13, HandshakeComplete: true, ServerName: req.URL.Hostname()}
	}
	if req.Method != http.MethodHead && len(a.body) > 0 {
		resp.Body = o.reader(req.Context())
	}
	return resp
}

func networkError(op, call string, errno syscall.Errno) error {
	return &net.OpError{Op: op, Net: "tcp", Addr: remoteAddr, Err: os.NewSyscallError(call, errno)}
}

func hostPort(req *http.Request) string {
	port := req.URL.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[req.URL.Scheme]
	}
	return net.JoinHostPort(req.URL.Hostname(), port)
}

// The addresses are reserved for documentation (RFC 5737).
var (
	localAddr  = &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 49152}
	remoteAddr = &net.TCPAddr{IP: net.IPv4(192, 0, 2, 2), Port: 443}
)

// conn stands for the connection in the hooks of httptrace; nothing can be sent over it.
type conn struct{}

func (conn) Read([]byte) (int, error) { return 0, net.ErrClosed }

func (conn) Write([]byte) (int, error) { return 0, net.ErrClosed }

func (conn) Close() error { return nil }

func (conn) LocalAddr() net.Addr { return localAddr }

func (conn) RemoteAddr() net.Addr { return remoteAddr }

func (conn) SetDeadline(time.Time) error { return nil }

func (conn) SetReadDeadline(time.Time) error { return nil }

func (conn) SetWriteDeadline(time.Time) error { return nil }

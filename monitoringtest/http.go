package monitoringtest

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"
)

// ServeHTTP serves a request over a listener. Faults that reset a connection do so with
// a TCP reset.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	in, err := s.newInbound(r, scheme+"://"+r.Host)
	if err != nil {
		panic(http.ErrAbortHandler) // the client went away
	}
	out := s.serve(r.Context(), in, s.pick(in))
	if out.err != nil {
		panic(http.ErrAbortHandler) // nobody waits for the response
	}
	if out.reset {
		reset(w)
		return
	}
	header := w.Header()
	for name, values := range out.response.headers() {
		header[name] = values
	}
	w.WriteHeader(out.response.status)
	if r.Method == http.MethodHead {
		return
	}
	control := http.NewResponseController(w)
	for piece := range out.pieces(r.Context()) {
		if _, err := w.Write(piece); err != nil {
			return // the client went away
		}
		if out.bodyTime > 0 {
			control.Flush()
		}
	}
	if out.cut || r.Context().Err() != nil {
		control.Flush()
		panic(http.ErrAbortHandler)
	}
}

// bodyPieces is the number of pieces in which a slow body is sent.
const bodyPieces = 10

// pieces yields the body as it is sent: whole, or in pieces with a wait after each.
func (o *outcome) pieces(ctx context.Context) func(yield func([]byte) bool) {
	body := o.response.body
	if o.cut {
		body = body[:len(body)/2]
	}
	return func(yield func([]byte) bool) {
		if o.bodyTime <= 0 {
			if len(body) > 0 {
				yield(body)
			}
			return
		}
		size := max((len(body)+bodyPieces-1)/bodyPieces, 1)
		for len(body) > 0 {
			n := min(size, len(body))
			if sleep(ctx, o.bodyTime/bodyPieces) != nil || !yield(body[:n]) {
				return
			}
			body = body[n:]
		}
	}
}

// bodyReader reads a body in memory with the waits between its pieces, and fails at the
// point at which the body breaks off.
type bodyReader struct {
	ctx   context.Context
	rest  []byte
	size  int           // of a piece; 0: no pieces
	pause time.Duration // before each piece
	ready int           // of the rest
	cut   bool
}

func (o *outcome) reader(ctx context.Context) *bodyReader {
	r := &bodyReader{ctx: ctx, rest: o.response.body, cut: o.cut}
	if o.cut {
		r.rest = r.rest[:len(r.rest)/2]
	}
	r.ready = len(r.rest)
	if o.bodyTime > 0 {
		r.ready, r.pause = 0, o.bodyTime/bodyPieces
		r.size = max((len(r.rest)+bodyPieces-1)/bodyPieces, 1)
	}
	return r
}

func (r *bodyReader) Read(p []byte) (int, error) {
	switch {
	case len(p) == 0:
		return 0, nil
	case len(r.rest) == 0 && r.cut:
		return 0, io.ErrUnexpectedEOF
	case len(r.rest) == 0:
		return 0, io.EOF
	case r.ready == 0:
		if err := sleep(r.ctx, r.pause); err != nil {
			return 0, err
		}
		r.ready = min(r.size, len(r.rest))
	}
	n := copy(p, r.rest[:r.ready])
	r.rest, r.ready = r.rest[n:], r.ready-n
	return n, nil
}

func (r *bodyReader) Close() error {
	r.rest, r.cut = nil, false
	return nil
}

// reset closes the connection of a request without a response: with a TCP reset if the
// connection allows it.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // HTTP/2 resets the stream
	}
	if tcp, isTCP := conn.(*net.TCPConn); isTCP {
		tcp.SetLinger(0)
	}
	conn.Close()
}

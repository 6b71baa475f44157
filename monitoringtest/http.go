package monitoringtest

import (
	"net"
	"net/http"
)

// ServeHTTP serves a request over a listener. Faults that reset a connection do so with
// a TCP reset.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	in, err := newInbound(r, scheme+"://"+r.Host)
	if err != nil {
		panic(http.ErrAbortHandler) // the client went away
	}
	out := s.serve(r.Context(), in, s.pick(in.operation))
	if out.err != nil {
		panic(http.ErrAbortHandler) // nobody waits for the answer
	}
	if out.reset {
		reset(w)
		return
	}
	header := w.Header()
	for name, values := range out.answer.headers() {
		header[name] = values
	}
	w.WriteHeader(out.answer.status)
	if r.Method == http.MethodHead {
		return
	}
	body := out.answer.body
	if out.cut {
		body = body[:len(body)/2]
	}
	if len(body) > 0 {
		w.Write(body) // fails only when the client went away
	}
	if out.cut {
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// reset closes the connection of a request without an answer, with a reset where that
// is possible.
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

package front

import (
	"io"
	"net"
	"net/http"
)

// ServeHTTP serves a request over a listener. Faults that reset a connection do so with a TCP
// reset.
func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	in, done, err := f.newInbound(r, scheme+"://"+r.Host)
	defer done()
	if err != nil {
		panic(http.ErrAbortHandler) // the client went away
	}
	in.listener = true
	if in.tooLarge {
		ThrowAway(r)
	}
	out := f.serve(r.Context(), in, f.pick(in))
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
	if in.unread {
		header.Set("Connection", "close") // else net/http reads on before it sends the response
	}
	w.WriteHeader(out.response.status)
	if r.Method == http.MethodHead || len(out.response.body) == 0 {
		return
	}
	sender := http.NewResponseController(w)
	if _, err := io.Copy(flushing{w, sender}, out.reader(r.Context())); err != nil {
		sender.Flush() // the header, if nothing else was sent
		panic(http.ErrAbortHandler)
	}
	if in.unread && !in.tooLarge { // the response is there, also for a client that sends nothing more
		ThrowAway(r)
	}
}

// flushing is a writer that sends each piece of a body at once.
type flushing struct {
	http.ResponseWriter
	sender *http.ResponseController
}

func (f flushing) Write(p []byte) (int, error) {
	n, err := f.ResponseWriter.Write(p)
	f.sender.Flush()
	return n, err
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

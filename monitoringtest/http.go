package monitoringtest

import (
	"context"
	"io"
	"net"
	"net/http"
	"time"
)

// ServeHTTP serves a request over a listener. Faults that reset a connection do so with
// a TCP reset. Behind an [http.ServeMux] some unknown paths are not 404: it redirects
// requests for a path such as //v1/locations.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	in, done, err := s.newInbound(r, scheme+"://"+r.Host)
	defer done()
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
	if in.unread {
		header.Set("Connection", "close") // else net/http reads on before it sends the response
	}
	w.WriteHeader(out.response.status)
	if r.Method == http.MethodHead || len(out.response.body) == 0 {
		return
	}
	control := http.NewResponseController(w)
	if _, err := io.Copy(flushing{w, control}, out.reader(r.Context())); err != nil {
		control.Flush() // the header, if nothing else was sent
		panic(http.ErrAbortHandler)
	}
}

// flushing is a writer that sends each piece of a body at once.
type flushing struct {
	http.ResponseWriter
	control *http.ResponseController
}

func (f flushing) Write(p []byte) (int, error) {
	n, err := f.ResponseWriter.Write(p)
	f.control.Flush()
	return n, err
}

// bodyReader reads the body of a response as it arrives: at once, or in pieces with a wait
// before each of them.
type bodyReader struct {
	ctx   context.Context
	body  []byte
	read  int           // how much of the body was read
	there int           // how much of it has arrived
	piece int           // how many pieces have arrived
	pause time.Duration // before each piece
	end   error         // after the last one
}

func (o *outcome) reader(ctx context.Context) *bodyReader {
	r := &bodyReader{ctx: ctx, body: o.response.body, end: io.EOF}
	if o.cut {
		r.body, r.end = r.body[:len(r.body)/2], io.ErrUnexpectedEOF
	}
	if r.pause = o.bodyTime / bodyPieces; r.pause == 0 {
		r.there, r.piece = len(r.body), bodyPieces
	}
	return r
}

func (r *bodyReader) Read(p []byte) (int, error) {
	for r.read == r.there {
		if r.piece == bodyPieces {
			return 0, r.end
		}
		if err := sleep(r.ctx, r.pause); err != nil {
			return 0, err
		}
		r.piece++
		r.there = len(r.body) * r.piece / bodyPieces
	}
	n := copy(p, r.body[r.read:r.there])
	r.read += n
	return n, nil
}

func (r *bodyReader) Close() error {
	r.read, r.there, r.piece, r.end = 0, 0, bodyPieces, http.ErrBodyReadAfterClose
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

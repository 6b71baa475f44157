package front

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// bodyReader reads the body of a response as it arrives: at once, or in pieces with a wait
// before each of them.
type bodyReader struct {
	ctx   context.Context
	clock fakeclock.Clock
	body  []byte
	read  int           // how much of the body was read
	there int           // how much of it has arrived
	piece int           // how many pieces have arrived
	pause time.Duration // before each piece
	end   error         // after the last one
}

func (o *outcome) reader(ctx context.Context) *bodyReader {
	r := &bodyReader{ctx: ctx, clock: o.clock, body: o.response.body, end: io.EOF}
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
		if err := r.clock.Sleep(r.ctx, r.pause); err != nil {
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

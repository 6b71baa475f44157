package exchange

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// errTooLarge is the error of a body that is longer than the limit.
var errTooLarge = errors.New("the body is too large")

// readAll reads a body up to the limit in bytes. size is its Content-Length, -1 if that is unknown.
// join is called before the parts of a body are joined.
//
// A body with a Content-Length is read into one buffer. If the length is over trustedSize, a
// quarter of it must have been received before the whole buffer is allocated, and so on for that
// quarter: a third more than its size at most. Other bodies are read in chunks that are joined
// at the end, which takes twice their size. A body that is too large is an error as soon as it is
// over the limit, before anything is joined.
func readAll(body io.Reader, size, limit int64, join func(total int64) error) ([]byte, error) {
	if size < 0 {
		return readChunks(body, nil, limit, join)
	}
	whole := min(size, limit) + 1 // one more, to see the end without growing
	room := whole
	for room > trustedSize {
		room = room/4 + 1
	}
	read, err := fill(body, make([]byte, 0, room))
	for err == nil && room < whole {
		room = min(4*room, whole)
		read, err = fill(body, append(make([]byte, 0, room), read...))
	}
	switch {
	case int64(len(read)) > limit:
		return nil, errTooLarge
	case err == nil:
		return readChunks(body, read, limit, join) // it is longer than its Content-Length
	}
	return read, unlessEnd(err)
}

// readChunks reads the rest of a body in chunks, after the part that was already read.
func readChunks(body io.Reader, read []byte, limit int64, join func(total int64) error) ([]byte, error) {
	chunks, total, err := chunksOf(body, read, limit+1)
	switch {
	case total > limit:
		return nil, errTooLarge
	case err != nil:
		return nil, err
	}
	if err = join(total); err != nil {
		return nil, err
	}
	return bytes.Join(chunks, nil), nil
}

// chunksOf reads the rest of a body until its end, or until there are most bytes. An error is not
// that of the end.
func chunksOf(body io.Reader, read []byte, most int64) (chunks [][]byte, total int64, err error) {
	chunks, total = [][]byte{read}, int64(len(read))
	for size := int64(leastChunk); total < most && err == nil; size = min(2*size, mostChunk) {
		var chunk []byte
		chunk, err = fill(body, make([]byte, 0, min(size, most-total)))
		chunks, total = append(chunks, chunk), total+int64(len(chunk))
	}
	return chunks, total, unlessEnd(err)
}

// fill reads until the buffer is full, or until an error, which may be io.EOF.
func fill(body io.Reader, buffer []byte) ([]byte, error) {
	for len(buffer) < cap(buffer) {
		n, err := body.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		if err != nil {
			return buffer, err
		}
	}
	return buffer, nil
}

func unlessEnd(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// turn is that of a large body: only one is joined and decoded at a time. Otherwise several at once
// would take several times their memory together.
type turn struct{ taken bool }

var turns = make(chan struct{}, 1) // of all senders, because they share the memory

// take waits for the turn of a body of this many bytes.
func (t *turn) take(ctx context.Context, size int64) error {
	if t.taken || size <= largeBody {
		return nil
	}
	select {
	case turns <- struct{}{}:
		t.taken = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *turn) end() {
	if t.taken {
		<-turns
	}
}

package exchange

import (
	"bytes"
	"errors"
	"io"
)

// errTooLarge is the error of a body that is longer than the limit.
var errTooLarge = errors.New("the body is too large")

// readAll reads a body up to the limit in bytes. size is its Content-Length, -1 if that is unknown.
//
// A body with a Content-Length is read into one buffer. If the length is over trustedSize, a
// quarter of it must have been received before the whole buffer is allocated, and so on for that
// quarter: a third more than its size at most. Other bodies are read in chunks that are joined
// at the end, which takes twice their size. A body that is too large is an error as soon as it is
// over the limit, before anything is joined.
func readAll(body io.Reader, size, limit int64) ([]byte, error) {
	if size < 0 {
		return readChunks(body, nil, limit)
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
	if err == nil {
		return readChunks(body, read, limit) // it is longer than its Content-Length, or than the limit
	}
	return checked(read, err, limit)
}

// readChunks reads the rest of a body in chunks, after the part that was already read.
func readChunks(body io.Reader, read []byte, limit int64) ([]byte, error) {
	chunks, total := [][]byte{read}, int64(len(read))
	for size := int64(leastChunk); total <= limit; size = min(2*size, mostChunk) {
		chunk, err := fill(body, make([]byte, 0, min(size, limit+1-total)))
		chunks, total = append(chunks, chunk), total+int64(len(chunk))
		if err != nil && total <= limit {
			return checked(bytes.Join(chunks, nil), err, limit)
		}
	}
	return nil, errTooLarge
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

func checked(read []byte, err error, limit int64) ([]byte, error) {
	if int64(len(read)) > limit {
		return nil, errTooLarge
	}
	if err == io.EOF {
		err = nil
	}
	return read, err
}

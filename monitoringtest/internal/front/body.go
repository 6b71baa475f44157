package front

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// ErrTooLarge says that a body is over the limit of the service.
var ErrTooLarge = fmt.Errorf("the body is over %d bytes", mostBody)

// receive reads the body of a request to its end, unless it is too large or the request has not
// the key. When the request was handled, done must be called.
func (f *Front) receive(in *inbound, r *http.Request) (done func(), err error) {
	if !in.hasKey && r.Body != nil && r.Body != http.NoBody {
		in.unread = true
		return func() {}, nil
	}
	in.body, done, err = f.ReadAll(r)
	if in.tooLarge = errors.Is(err, ErrTooLarge); in.tooLarge {
		in.unread = true
		return done, nil
	}
	return done, err
}

// ThrowAway reads what is left of a body that is refused, so that a client that sends all before
// it reads sees the response. A client that waits for a go-ahead sees it at once.
func ThrowAway(r *http.Request) {
	if r.Header.Get("Expect") == "" {
		io.CopyN(io.Discard, r.Body, mostThrownAway) // the response is sent after an error, too
	}
}

// ReadAll reads the body of a request. It returns ErrTooLarge for one that is declared as too
// large, or turns out to be. When the body is not needed any more, done must be called.
func (f *Front) ReadAll(r *http.Request) (body []byte, done func(), err error) {
	done = func() {}
	if r.Body == nil || r.Body == http.NoBody {
		return nil, done, nil
	}
	if r.ContentLength > mostBody {
		return nil, done, ErrTooLarge
	}
	body, err = io.ReadAll(io.LimitReader(r.Body, largeBody+1))
	if err != nil || len(body) <= largeBody {
		return body, done, err
	}
	select {
	case f.large <- struct{}{}:
		done = func() { <-f.large }
	case <-r.Context().Done():
		return nil, done, context.Cause(r.Context())
	}
	whole := bytes.NewBuffer(body)
	if left := r.ContentLength - int64(len(body)); left > 0 { // the rest is copied once, not at each doubling
		whole.Grow(int(left) + bytes.MinRead)
	}
	_, err = whole.ReadFrom(io.LimitReader(r.Body, mostBody+1-int64(len(body))))
	if err == nil && whole.Len() > mostBody {
		return nil, done, ErrTooLarge
	}
	return whole.Bytes(), done, err
}

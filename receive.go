package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	transfer "github.com/monitoring-api/monitoring-go/internal/exchange"
)

// bodyForm is the format of a response's body, found out from its beginning.
type bodyForm uint8

const (
	formUnset bodyForm = iota
	formJSON
	formHTML
	formMarkup // XML, SVG, or a piece of HTML
	formText
	formEmpty
)

func (f bodyForm) String() string {
	switch f {
	case formJSON:
		return "JSON"
	case formHTML:
		return "HTML"
	case formMarkup:
		return "markup"
	case formEmpty:
		return "empty"
	}
	return "plain text"
}

// byteOrderMark is what some gateways write before JSON.
var byteOrderMark = []byte("\ufeff")

func formOf(body []byte) bodyForm {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, byteOrderMark))
	switch {
	case len(body) == 0:
		return formEmpty
	case beginsHTML(body):
		return formHTML
	case body[0] == '<':
		return formMarkup
	case body[0] == '{' || body[0] == '[' || json.Valid(body):
		return formJSON
	}
	return formText
}

var errEmptyResponse = errors.New("the response is empty")

// receive reads the response and decodes it if it is a success. ctx is the context of the call,
// limited the same with the time of the attempt.
func (e *exchange) receive(ctx, limited context.Context, resp *http.Response) error {
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	body := resp.Body
	defer body.Close()
	resp.Body = http.NoBody
	limit, size := e.core.maxResponse, resp.ContentLength
	if e.op.method == http.MethodHead {
		size = -1 // it is the length of a body that is not sent
	}
	switch {
	case resp.StatusCode/100 != 2:
		e.skim(ctx, body, maxErrorBody)
		return nil
	case e.op.decode == nil && e.op.stream == nil:
		most := int64(maxErrorBody)
		if e.settings.response != nil { // the caller may want to see all of it
			most = limit
		}
		e.skim(ctx, body, most)
		return e.checkUnread()
	case size > limit:
		return tooLarge(limit)
	case e.op.stream != nil:
		return e.copyTo(e.op.stream, body)
	}
	var err error
	if e.body, err = readAll(body, size, limit); err != nil {
		return &stepError{"read the response", err}
	}
	data := bytes.TrimPrefix(e.body, byteOrderMark)
	if len(bytes.TrimSpace(data)) == 0 {
		if e.op.optionalBody {
			return nil
		}
		return &DecodeError{Err: errEmptyResponse, broken: true}
	}
	checks := e.op.object && !e.settings.unchecked
	if checks {
		if err := e.checkObject(data); err != nil {
			return err
		}
	}
	if err := e.op.decode(limited, data); err != nil {
		if _, stopped := err.(*stepError); stopped { // too large, or the context has ended
			return err
		}
		return e.decodeError(err)
	}
	if checks {
		return e.checkID(data)
	}
	return nil
}

// skim reads the body of a response that is not decoded, whatever its body is and however it ends.
// It keeps the beginning, and reads a bit more, so that the connection can be used again.
// If the context ends before the beginning has arrived, e.interrupted has its error.
func (e *exchange) skim(ctx context.Context, body io.Reader, most int64) {
	var err error
	e.interrupted = nil
	if e.body, err = io.ReadAll(io.LimitReader(body, most)); err != nil {
		e.interrupted = endOf(ctx)
		return
	}
	io.CopyN(io.Discard, body, maxErrorBody)
}

// decodeError returns the error of a body, and sets whether it is broken or foreign.
func (e *exchange) decodeError(err error) error {
	d, ok := errors.AsType[*DecodeError](err)
	if !ok {
		d = &DecodeError{Err: err}
	}
	switch form := formOf(e.body); form {
	case formHTML, formMarkup:
		d.foreign, d.broken = true, false
		d.Err = notJSON(form)
	default:
		d.broken = d.broken || form != formJSON
	}
	return d
}

func notJSON(form bodyForm) error {
	return fmt.Errorf("it is %s, not JSON: check the base address and any proxy in front of the service", form)
}

const maxErrorBody = 64 << 10

// copyTo copies the response to a writer while it is received.
func (e *exchange) copyTo(w io.Writer, body io.Reader) error {
	limit := e.core.maxResponse
	out := &watchedWriter{w: w}
	n, err := io.Copy(out, io.LimitReader(body, limit))
	e.streamed, e.writerFailed = e.streamed || n > 0, out.failed
	if err == nil && n == limit {
		more, end := transfer.Fill(body, make([]byte, 0, 1))
		if len(more) > 0 {
			err = tooLarge(limit)
		} else if end != io.EOF {
			err = end // it breaks off here
		}
	}
	if err == nil && n == 0 {
		return &DecodeError{Err: errEmptyResponse, broken: true}
	}
	if err != nil {
		return &stepError{"copy the response", err}
	}
	return nil
}

func tooLarge(limit int64) error {
	return fmt.Errorf("%w: it is over %d bytes", ErrResponseTooLarge, limit)
}

// watchedWriter remembers whether it was the writer that failed.
type watchedWriter struct {
	w      io.Writer
	failed bool
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.failed = w.failed || err != nil
	return n, err
}

// readAll reads a body up to the limit. size is its Content-Length, -1 if that is unknown.
func readAll(body io.Reader, size, limit int64) ([]byte, error) {
	read, err := transfer.ReadAll(body, size, limit)
	if err == transfer.ErrTooLarge {
		err = tooLarge(limit)
	}
	return read, err
}

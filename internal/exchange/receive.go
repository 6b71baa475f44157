package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// receive reads the response, and lets the caller take it if it is a success. ctx is the context of
// the call, limited the same with the time of the attempt.
func (c *call) receive(ctx, limited context.Context, resp *http.Response) (Fault, error) {
	var turn turn
	defer turn.end()
	if wanted, fault, err := c.readBody(ctx, limited, resp, &turn); !wanted {
		return fault, err
	}
	return c.Caller.Accept(limited, resp.Header, c.result.Body)
}

// readBody reads the body of a response, and says whether the caller wants it. Its locals are gone
// when the caller decodes the body, like those of prepare.
func (c *call) readBody(ctx, limited context.Context, resp *http.Response, turn *turn) (wanted bool, fault Fault, err error) {
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	body := resp.Body
	defer body.Close()
	resp.Body = http.NoBody
	join := func(size int64) error { return turn.take(limited, size) }
	limit, size := c.sender.MaxResponse, resp.ContentLength
	if c.Method == http.MethodHead {
		size = -1 // it is the length of a body that is not sent
	}
	switch {
	case resp.StatusCode == http.StatusSwitchingProtocols: // its body is the connection, which no context ends
		return false, NoFault, nil
	case resp.StatusCode/100 != 2:
		c.skim(ctx, body, SkimmedBody, join)
		return false, NoFault, nil
	case c.Whole && resp.StatusCode == http.StatusPartialContent && c.Header.Get("Range") == "":
		return false, Unreadable, &StepError{What: "read the response", Err: errPart}
	case c.Skim > 0:
		if err := c.skim(ctx, body, c.Skim, join); err != nil && c.Skim > SkimmedBody {
			return false, NoFault, &StepError{What: "read the response", Err: err} // all of it is wanted
		}
	case size > limit:
		return false, NoFault, c.tooLarge()
	case c.Stream != nil:
		if n, fault, err := c.copyTo(c.Stream, body); n > 0 || err != nil {
			return false, fault, err
		}
	default:
		read, err := readAll(body, size, limit, join)
		if err == nil {
			c.result.Body, err = read, turn.take(limited, int64(len(read)))
		}
		if err != nil {
			if err == errTooLarge {
				err = c.tooLarge()
			}
			return false, NoFault, &StepError{What: "read the response", Err: err}
		}
	}
	return true, NoFault, nil
}

var errPart = errors.New("only a part of what was asked for was sent (206 Partial Content)")

func (c *call) tooLarge() error {
	return fmt.Errorf("%w: over %d bytes: raise WithMaxResponseSize", c.sender.ErrTooLarge, c.sender.MaxResponse)
}

// skim reads the body of a response that is not needed, whatever its body is. It returns how it
// ends. It keeps the beginning, and reads a bit more, so that the connection can be used again. If
// the context ends before the beginning has arrived, Interrupted has its error.
func (c *call) skim(ctx context.Context, body io.Reader, most int64, join func(size int64) error) error {
	c.result.Interrupted = nil
	chunks, size, err := chunksOf(body, nil, most)
	if err == nil { // before its turn, which must not wait for a body that does not end
		io.CopyN(io.Discard, body, SkimmedBody)
	}
	if join(size) == nil {
		c.result.Body = bytes.Join(chunks, nil)
	}
	if err != nil {
		if end := EndOf(ctx); end != nil {
			c.result.Interrupted = c.Texts.Error(end)
		}
	}
	return err
}

// copyTo copies the response to a writer while it is received. After a part was written, or if the
// writer failed, a retry is of no use.
func (c *call) copyTo(w io.Writer, body io.Reader) (n int64, fault Fault, err error) {
	limit := c.sender.MaxResponse
	out := &watchedWriter{w: w}
	n, err = io.Copy(out, io.LimitReader(body, limit))
	if err == nil && n == limit {
		more, end := fill(body, make([]byte, 0, 1))
		if len(more) > 0 {
			err = c.tooLarge()
		} else if end != io.EOF {
			err = end // it breaks off here
		}
	}
	if err == nil {
		return n, NoFault, nil
	}
	if n > 0 || out.failed {
		fault = Useless
	}
	return n, fault, &StepError{What: "copy the response", Err: err}
}

// watchedWriter remembers whether it was the writer that failed.
type watchedWriter struct {
	w      io.Writer
	failed bool
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	w.failed = w.failed || err != nil || n != len(p)
	return n, err
}

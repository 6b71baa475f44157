package front

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/routes"
)

// Teach teaches an operation that the API does not have, or replaces one.
func (f *Front) Teach(pattern string, h http.Handler) error {
	p, err := routes.ParsePattern(pattern)
	if err != nil {
		return err
	}
	if h == nil {
		return fmt.Errorf("the handler of %q is nil", pattern)
	}
	f.world.Lock()
	defer f.world.Unlock()
	var list []*target
	if old := f.taught.Load(); old != nil {
		for _, r := range *old {
			if r.Operation != pattern {
				list = append(list, r)
			}
		}
	}
	list = append(list, &target{Route: &routes.Route{Operation: pattern, Pattern: p}, taught: h})
	f.taught.Store(&list)
	return nil
}

// Taught returns how many operations are taught.
func (f *Front) Taught() int {
	if taught := f.taught.Load(); taught != nil {
		return len(*taught)
	}
	return 0
}

// Know refuses an operation that the API does not have and that was not taught.
func (f *Front) Know(operation string) error {
	if routes.Has(operation) {
		return nil
	}
	taught := f.taught.Load()
	if taught != nil {
		for _, r := range *taught {
			if r.Operation == operation {
				return nil
			}
		}
	}
	return fmt.Errorf("there is no operation %q: use one of Operations, such as %q, or teach it with Handle",
		operation, "GET /v1/check-groups/{id}")
}

// callTaught makes the response with the handler that a test gave to Handle.
func (f *Front) callTaught(ctx context.Context, in *inbound) (out response, err error) {
	target := in.path
	if len(in.query) > 0 {
		target += "?" + in.query.Encode()
	}
	p := &passed{inbound: in, front: f}
	body := &sentBody{bytes.NewReader(in.body), in.body}
	req := httptest.NewRequestWithContext(context.WithValue(ctx, passedKey{}, p), in.method, target, body)
	req.Header, req.ContentLength = in.header.Clone(), int64(len(in.body))
	_, req.Host, _ = strings.Cut(in.base, "://")
	i := 0
	for _, segment := range in.route.Segments {
		if segment.Value {
			req.SetPathValue(segment.Text, in.params[i])
			i++
		}
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			if panicked != http.ErrAbortHandler {
				panic(panicked)
			}
			if err = p.failed; err == nil {
				err = errAborted
			}
		}
	}()
	w := &taughtWriter{header: make(http.Header)}
	in.route.taught.ServeHTTP(w, req)
	out = w.response()
	if ctx.Err() == nil && out.status < 300 && !in.carriedOut && in.method != http.MethodGet && in.method != http.MethodHead {
		f.world.Lock()
		f.journal.did(in.operation, in.params...)
		in.carriedOut = true
		f.world.Unlock()
	}
	return out, nil
}

// taughtWriter keeps what a handler writes.
type taughtWriter struct {
	header, sent http.Header
	status       int
	body         bytes.Buffer
}

func (w *taughtWriter) Header() http.Header { return w.header }

func (w *taughtWriter) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status, w.sent = status, w.header.Clone()
	}
}

func (w *taughtWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// Flush only sends the status, as handlers expect. The response is sent when the handler
// returns.
func (w *taughtWriter) Flush() { w.WriteHeader(http.StatusOK) }

func (w *taughtWriter) response() response {
	w.WriteHeader(http.StatusOK)
	if len(w.sent["Content-Type"]) == 0 && w.body.Len() > 0 {
		w.sent.Set("Content-Type", http.DetectContentType(w.body.Bytes()))
	}
	return response{status: w.status, header: w.sent, body: w.body.Bytes()}
}

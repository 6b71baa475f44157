package monitoringtest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
)

// Handle teaches the service an operation that it does not have, or replaces one. The
// pattern is a method and a path with values in braces, such as "GET /v1/checks/{id}". A
// last value that is written {name...} takes the rest of the path. If two patterns match,
// the one that has a text in the first segment in which they differ is taken; if both
// have a value there, a taught operation is taken before one of the service. Teaching a
// pattern again replaces its handler.
//
// Everything else is as for an operation of the service: requests need the key and the
// account, take places in the limits, are recorded and counted, and faults happen to
// them. The handler reads the values of the path with [http.Request.PathValue]. It runs
// in the goroutine of the request and may call methods of the service. A panic with
// [http.ErrAbortHandler] resets the connection. A response from 200 to 299 to anything
// but a GET counts as carried out; see [Service.Executed].
//
// It panics for a text that is not a pattern, and for a nil handler.
func (s *Service) Handle(pattern string, h http.Handler) {
	p := mustParsePattern(pattern)
	if h == nil {
		panic(fmt.Sprintf("monitoringtest: the handler of %q is nil", pattern))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*route
	if old := s.taught.Load(); old != nil {
		for _, r := range *old {
			if r.operation != pattern {
				list = append(list, r)
			}
		}
	}
	list = append(list, &route{operation: pattern, taught: h, pattern: p})
	s.taught.Store(&list)
}

// mustKnow panics for an operation that the service neither has nor was taught.
func (s *Service) mustKnow(operation string) {
	if err := s.know(operation); err != nil {
		panic("monitoringtest: " + err.Error())
	}
}

func (s *Service) know(operation string) error {
	if routesByOperation[operation] != nil {
		return nil
	}
	taught := s.taught.Load()
	if taught != nil {
		for _, r := range *taught {
			if r.operation == operation {
				return nil
			}
		}
	}
	return fmt.Errorf("there is no operation %q: Operations lists those that there are, such as %q; or teach it with Handle", operation, "GET /v1/check-groups/{id}")
}

// teach makes the response with the handler that a test gave to Handle.
func (s *Service) teach(ctx context.Context, in *inbound) (out response, err error) {
	target := in.path
	if len(in.query) > 0 {
		target += "?" + in.query.Encode()
	}
	req := httptest.NewRequestWithContext(ctx, in.method, target, bytes.NewReader(in.body))
	req.Header = in.header.Clone()
	_, req.Host, _ = strings.Cut(in.base, "://")
	i := 0
	for _, segment := range in.route.segments {
		if segment.value {
			req.SetPathValue(segment.text, in.params[i])
			i++
		}
	}
	defer func() {
		if p := recover(); p != nil {
			if p != http.ErrAbortHandler {
				panic(p)
			}
			err = errAborted
		}
	}()
	w := &taughtWriter{header: make(http.Header)}
	in.route.taught.ServeHTTP(w, req)
	out = w.response()
	if ctx.Err() == nil && out.status < 300 && in.method != http.MethodGet && in.method != http.MethodHead {
		s.mu.Lock()
		s.journal.did(in.operation, in.params...)
		s.mu.Unlock()
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

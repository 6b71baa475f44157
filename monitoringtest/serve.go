package monitoringtest

import (
	"context"
	"crypto/subtle"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// inbound is a request as it came in, in memory or over a listener.
type inbound struct {
	method    string
	path      string // escaped
	base      string // scheme and host, for links
	query     url.Values
	header    http.Header
	body      []byte
	operation string
	route     *route   // nil when there is none
	params    []string // of the path, unescaped
}

// newInbound reads a request to its end and closes its body.
func newInbound(r *http.Request, base string) (*inbound, error) {
	in := &inbound{method: r.Method, path: r.URL.EscapedPath(), base: base, header: r.Header}
	if in.method == "" {
		in.method = http.MethodGet
	}
	if r.URL.RawQuery != "" {
		in.query = r.URL.Query()
	}
	in.route, in.params = findRoute(in.method, in.path)
	in.operation = in.method + " " + in.path
	if in.route != nil {
		in.operation = in.route.operation
	}
	if r.Body == nil || r.Body == http.NoBody {
		return in, nil
	}
	body, err := io.ReadAll(r.Body)
	if closeErr := r.Body.Close(); err == nil {
		err = closeErr
	}
	in.body = body
	return in, err
}

// outcome is what became of a request that arrived.
type outcome struct {
	answer answer
	reset  bool  // the connection is reset instead
	cut    bool  // the body breaks off in the middle
	err    error // the context ended
}

// serve handles a request that arrived, with the fault that happens to it, if any.
func (s *Service) serve(ctx context.Context, in *inbound, f *Fault) outcome {
	now := time.Now()
	s.mu.Lock()
	record := s.journal.arrived(in, now)
	throttled := s.admit(in.operation, now)
	s.mu.Unlock()

	delay := time.Duration(0)
	if s.latency != nil {
		delay = s.latency()
	}
	if f != nil {
		delay += f.Delay
	}
	if err := sleep(ctx, delay); err != nil {
		return outcome{err: err}
	}
	if f != nil && f.Kind != FaultNone && f.Kind != FaultResetAfter && f.Kind != FaultCutBody {
		return outcome{reset: true}
	}
	var a answer
	switch {
	case f != nil && f.answers():
	case throttled > 0:
		a = s.tooMany(throttled)
	default:
		var err error
		if a, err = s.dispatch(ctx, in); err != nil {
			return outcome{err: err}
		}
	}
	if f != nil {
		a = f.spoil(a)
	}
	if record != nil {
		s.mu.Lock()
		record.Status = a.status
		s.mu.Unlock()
	}
	return outcome{
		answer: a,
		reset:  f != nil && f.Kind == FaultResetAfter,
		cut:    f != nil && f.Kind == FaultCutBody && len(a.body) > 0,
	}
}

func (s *Service) tooMany(wait time.Duration) answer {
	a := fail(http.StatusTooManyRequests, "Too Many Requests")
	if s.retryAfter {
		a.setHeader("Retry-After", strconv.Itoa(max(int(math.Ceil(wait.Seconds())), 1)))
	}
	return a
}

// call is a request on its way to its handler.
type call struct {
	*inbound
	now time.Time
}

// dispatch lets the handler of the route answer, if the caller may call it and the
// request is in order. The error is that of the context.
func (s *Service) dispatch(ctx context.Context, in *inbound) (answer, error) {
	if a, refused := s.authorize(in.header); refused {
		return a, nil
	}
	if in.route == nil {
		return notFound(), nil
	}
	if problem := in.checkQuery(); problem != nil {
		return problem.answer(), nil
	}
	if a, refused := in.checkContentType(); refused {
		return a, nil
	}
	c := &call{inbound: in, now: time.Now()}
	if in.route.wait != nil {
		return in.route.wait(s, ctx, c)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return in.route.handle(s, c), nil
}

func (s *Service) authorize(h http.Header) (answer, bool) {
	scheme, key, _ := strings.Cut(h.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(key), []byte(s.key)) == 0 {
		return fail(http.StatusUnauthorized, "Bad Token"), true
	}
	if account := h.Get(s.accountHeader); account != "" && !strings.EqualFold(account, s.account) {
		return fail(http.StatusForbidden, "Forbidden"), true
	}
	return answer{}, false
}

// checkQuery refuses parameters the operation does not have, and repeated ones.
func (in *inbound) checkQuery() *bad {
	for _, name := range slices.Sorted(maps.Keys(in.query)) {
		values := in.query[name]
		known := false
		for _, p := range in.route.query {
			known = known || p == name || p != "" && strings.HasSuffix(p, "[]") && strings.HasPrefix(name, p[:len(p)-1])
		}
		if !known {
			return badQuery(name, "is not allowed")
		}
		if len(values) != 1 {
			return badQuery(name, "must be given once")
		}
	}
	return nil
}

// checkContentType refuses bodies that are not declared as JSON.
func (in *inbound) checkContentType() (answer, bool) {
	if len(in.body) == 0 {
		return answer{}, false
	}
	kind, _, _ := strings.Cut(in.header.Get("Content-Type"), ";")
	if !strings.EqualFold(strings.TrimSpace(kind), "application/json") {
		return fail(http.StatusUnsupportedMediaType, "Unsupported Media Type"), true
	}
	return answer{}, false
}

// sleep waits on the clock, or returns the cause why the context ended.
func sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

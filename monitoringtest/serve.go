package monitoringtest

import (
	"context"
	"crypto/subtle"
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// inbound is a request that arrived, in memory or over a listener.
type inbound struct {
	method    string
	path      string // escaped
	base      string // scheme and host, for links
	query     url.Values
	header    http.Header
	body      []byte
	hasKey    bool // that of the service
	unread    bool // there is more of the body than was read
	tooLarge  bool // is the body
	operation string
	route     *route   // nil if no operation has this path
	params    []string // of the path, unescaped
}

// newInbound reads a request, and its body if it has the key. It does not close the body. When
// the request was handled, done must be called, also after an error.
func (s *Service) newInbound(r *http.Request, base string) (in *inbound, done func(), err error) {
	in = &inbound{method: r.Method, path: r.URL.EscapedPath(), base: base, header: r.Header}
	if in.method == "" {
		in.method = http.MethodGet
	}
	if r.URL.RawQuery != "" {
		in.query = r.URL.Query()
	}
	in.route, in.params = s.findRoute(in.method, in.path)
	in.operation = in.method + " " + in.path
	if in.route != nil {
		in.operation = in.route.operation
	}
	in.hasKey = s.isKey(r.Header.Get("Authorization"))
	done, err = s.receive(in, r)
	return in, done, err
}

// family returns the family of the operation. An unknown path gets the errors of the
// older family.
func (in *inbound) family() family {
	if in.route == nil {
		return legacy
	}
	return in.route.family
}

// outcome is how a request that arrived ends.
type outcome struct {
	response response
	reset    bool          // the connection is reset instead
	cut      bool          // the body breaks off in the middle
	bodyTime time.Duration // how long the body takes to arrive
	err      error         // the context ended
}

var (
	errAborted = errors.New("the handler aborted the request")
	errGateway = errors.New("the gateway cut the request")
)

// serve handles a request that arrived, with the fault that happens to it, if any.
func (s *Service) serve(ctx context.Context, in *inbound, f *Fault) outcome {
	if f == nil {
		f = &Fault{}
	}
	now := time.Now()
	record, throttled := s.arrive(in, now)
	w := &work{Service: s, in: in, fault: f, throttled: throttled}
	var r response
	var err error
	if f.CutAfter > 0 {
		r, err = w.throughGateway(ctx)
	} else {
		r, err = w.run(ctx)
	}
	switch {
	case errors.Is(err, errAborted), errors.Is(err, errGateway):
		return outcome{reset: true}
	case err != nil:
		return outcome{err: err}
	}
	s.respond(in, record, &r, now, !w.spoilt)
	return outcome{
		response: r,
		reset:    f.Kind == FaultResetAfter && f.CutAfter == 0,
		cut:      f.Kind == FaultCutBody,
		bodyTime: f.BodyTime,
	}
}

// arrive records a request and takes a place in the limits for it. If there is none, it
// returns how long the request would have to wait.
func (s *Service) arrive(in *inbound, now time.Time) (*Request, time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick(now)
	return s.journal.arrived(in, now), s.admit(in.operation, now)
}

// respond records the response to a request, and whether it is the service's own.
func (s *Service) respond(in *inbound, record *Request, r *response, now time.Time, genuine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.journal.responded(in, record, r, now, genuine)
}

// work is the handling of one request.
type work struct {
	*Service
	in        *inbound
	fault     *Fault
	throttled time.Duration // until the limit has a place again; 0: it has one
	done      bool
	spoilt    bool // the response is the fault's, not the service's
}

// run waits, handles the request and waits again.
func (w *work) run(ctx context.Context) (r response, err error) {
	delay := w.fault.Delay
	if w.latency != nil {
		delay += w.latency()
	}
	if err := sleep(ctx, delay); err != nil {
		return r, err
	}
	if w.fault.unhandled() {
		return r, errAborted
	}
	if r, err = w.handle(ctx); err != nil {
		return r, err
	}
	if err := sleep(ctx, w.fault.DelayAfter); err != nil {
		return r, err
	}
	if w.fault.CutAfter == 0 && w.fault.spoils() {
		r, w.spoilt = w.fault.spoil(r, w.in.family()), true
	}
	return r, nil
}

// handle carries out the request, unless the request is over the limit or the fault gives
// the response.
func (w *work) handle(ctx context.Context) (r response, err error) {
	switch {
	case w.fault.Status != 0 && w.fault.CutAfter == 0:
		return response{}, nil
	case w.throttled > 0:
		r = w.tooMany(w.throttled)
	default:
		if r, err = w.dispatch(ctx, w.in); err != nil {
			return r, err
		}
	}
	w.done = true
	r.shape(w.in.family())
	return r, nil
}

// throughGateway is run behind a gateway that gives up after some time. The service does
// not notice: it still carries out the request, but nobody waits for it.
func (w *work) throughGateway(ctx context.Context) (response, error) {
	inner, cancel := context.WithTimeoutCause(ctx, w.fault.CutAfter, errGateway)
	defer cancel()
	r, err := w.run(inner)
	if !errors.Is(err, errGateway) || ctx.Err() != nil {
		return r, err
	}
	if !w.done && w.in.route != nil && w.in.route.handle != nil {
		w.handle(ctx)
	}
	if w.fault.Kind == FaultResetAfter {
		return r, errGateway
	}
	return w.fault.gatewayResponse(), nil
}

func (s *Service) tooMany(wait time.Duration) response {
	r := fail(http.StatusTooManyRequests, "Too Many Requests")
	if s.retryAfter {
		r.setHeader("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
	}
	return r
}

// call is a request as its handler gets it.
type call struct {
	*inbound
	now  time.Time
	sent object // its body; nil for an operation that takes none
}

// dispatch checks the caller and the request and calls the handler of the route. The
// error is that of the context.
func (s *Service) dispatch(ctx context.Context, in *inbound) (response, error) {
	if r, refused := s.authorize(in); refused {
		return r, nil
	}
	if in.route == nil {
		return notFound(), nil
	}
	if in.tooLarge {
		return fail(http.StatusRequestEntityTooLarge, "Payload content length greater than maximum allowed: "+strconv.Itoa(mostBody)), nil
	}
	if in.route.taught != nil {
		return s.teach(ctx, in)
	}
	c := &call{inbound: in, now: time.Now()}
	if r, refused := s.refuse(c); refused {
		return r, nil
	}
	if in.route.wait != nil {
		return in.route.wait(s, ctx, c)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return in.route.handle(s, c), nil
}

// refuse refuses a request that breaks a rule of its operation, and reads its body.
func (s *Service) refuse(c *call) (response, bool) {
	problem := c.checkParams()
	if problem == nil {
		problem = s.checkQuery(c.inbound)
	}
	if problem != nil {
		return problem.response(), true
	}
	if r, refused := c.checkContentType(); refused {
		return r, true
	}
	if c.sent, problem = s.readBody(c.inbound); problem != nil {
		return problem.response(), true
	}
	return response{}, false
}

// isKey reports whether the header Authorization has the key of the service.
func (s *Service) isKey(authorization string) bool {
	scheme, key, _ := strings.Cut(authorization, " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(key), []byte(s.key)) == 1
}

func (s *Service) authorize(in *inbound) (response, bool) {
	if !in.hasKey {
		return fail(http.StatusUnauthorized, "Bad Token"), true
	}
	account := in.header.Get(s.accountHeader)
	switch {
	case account == "" || strings.EqualFold(account, s.account):
		return response{}, false
	case !schema.IsUUID(account):
		return badHeader(s.accountHeader, "must be a valid GUID").response(), true
	}
	return fail(http.StatusForbidden, "Forbidden"), true
}

// checkParams refuses ids in the path that do not have the form of the service's ids.
func (in *inbound) checkParams() *bad {
	i := 0
	for _, segment := range in.route.segments {
		if !segment.value || i >= len(in.route.ids) {
			continue
		}
		switch value := in.params[i]; {
		case in.route.ids[i] == operations.UUID && !schema.IsUUID(value):
			return badParam(segment.text, "must be a valid GUID")
		case in.route.ids[i] == operations.Number && !isPositive(value):
			return badParam(segment.text, "must be a positive integer")
		}
		i++
	}
	return nil
}

// isPositive reports whether a text is an integer above 0, in digits.
func isPositive(s string) bool {
	n, err := strconv.ParseUint(s, 10, 63)
	return err == nil && n > 0
}

// checkQuery refuses parameters that the operation does not have, and bad values.
func (s *Service) checkQuery(in *inbound) *bad {
	if found := in.route.rules.CheckQuery(in.query, schema.Service); len(found) > 0 {
		return badQuery(found[0])
	}
	return nil
}

// checkContentType refuses bodies that are not declared as JSON.
func (in *inbound) checkContentType() (response, bool) {
	if len(in.body) == 0 {
		return response{}, false
	}
	kind, _, _ := strings.Cut(in.header.Get("Content-Type"), ";")
	if !strings.EqualFold(strings.TrimSpace(kind), "application/json") {
		return fail(http.StatusUnsupportedMediaType, "Unsupported Media Type"), true
	}
	return response{}, false
}

// sleep waits for a time. If the context ends before, it returns the cause.
func sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if d <= 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

package monitoringotel

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/semconv/v1.43.0/httpconv"
	"go.opentelemetry.io/otel/trace"
)

// transport begins the span of each request on its way. The attempt hook ends it, because only the
// client knows whether the response could be used.
type transport struct {
	telemetry *telemetry
	next      http.RoundTripper
}

// request is one request of an attempt. An attempt has several if it follows redirects.
type request struct {
	ctx      context.Context // with the span
	began    time.Time
	status   int // of the response; 0 if there is none
	protocol []attribute.KeyValue
	method   string // _OTHER if it is not a usual one
	host     string
	port     int
	template string
}

// RoundTrip sends a request.
func (tr *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	t := tr.telemetry
	c := t.callOf(req.Context())
	if c == nil { // not a request of a call
		return tr.next.RoundTrip(req)
	}
	if c.request != nil { // its redirect was followed
		t.finish(c, c.request.status, nil, time.Since(c.request.began))
	}
	r := &request{began: time.Now(), method: methodOf(req), host: req.URL.Hostname(), port: portOf(req.URL)}
	_, r.template, _ = strings.Cut(c.operation, " ")
	attributes := []attribute.KeyValue{
		semconv.HTTPRequestMethodKey.String(r.method), semconv.ServerAddress(r.host), semconv.ServerPort(r.port),
		semconv.URLTemplate(r.template), semconv.URLFull(addressOf(req.URL, r.template)),
	}
	name := r.method + " " + r.template
	if r.method == otherMethod {
		name = "HTTP " + r.template
		attributes = append(attributes, semconv.HTTPRequestMethodOriginal(req.Method))
	}
	if c.sent > 0 {
		attributes = append(attributes, semconv.HTTPRequestResendCount(c.sent))
	}
	r.ctx, _ = t.tracer.Start(req.Context(), name, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(t.common...), trace.WithAttributes(attributes...))
	c.sent++
	c.request = r
	req = req.WithContext(r.ctx)
	if t.propagator != nil {
		req.Header = req.Header.Clone()
		t.propagator.Inject(r.ctx, propagation.HeaderCarrier(req.Header))
	}
	resp, err := tr.next.RoundTrip(req)
	if err == nil && resp != nil {
		r.status = resp.StatusCode
		r.protocol = protocolOf(resp)
	}
	return resp, err
}

// finish ends the span of the request that is on its way, and measures it.
func (t *telemetry) finish(c *call, status int, err error, duration time.Duration) {
	r := c.request
	if r == nil {
		return
	}
	c.request = nil
	ended := r.protocol
	if status != 0 {
		ended = append(ended, semconv.HTTPResponseStatusCode(status))
	}
	span := trace.SpanFromContext(r.ctx)
	if err != nil || status >= 400 {
		ended = append(ended, semconv.ErrorTypeKey.String(errorType(status, err)))
		description := ""
		if status < 400 { // else the status says it, by the semantic conventions
			description = err.Error()
		}
		span.SetStatus(codes.Error, description)
	}
	span.SetAttributes(ended...)
	span.End()
	t.requests.Record(r.ctx, duration.Seconds(), httpconv.RequestMethodAttr(r.method), r.host, r.port,
		slices.Concat(ended, []attribute.KeyValue{semconv.URLTemplate(r.template)}, t.common)...)
}

// otherMethod is the method of the semantic conventions for all that are not usual.
const otherMethod = "_OTHER"

func methodOf(req *http.Request) string {
	switch req.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return req.Method
	}
	return otherMethod
}

// protocolOf returns the version of HTTP that was spoken, such as 1.1 or 2; nothing if not known.
func protocolOf(resp *http.Response) []attribute.KeyValue {
	version, known := strings.CutPrefix(resp.Proto, "HTTP/")
	if !known {
		return nil
	}
	if resp.ProtoMajor > 1 {
		version = strconv.Itoa(resp.ProtoMajor)
	}
	return []attribute.KeyValue{semconv.NetworkProtocolVersion(version)}
}

func portOf(u *url.URL) int {
	if port, err := strconv.Atoi(u.Port()); err == nil {
		return port
	}
	if u.Scheme == "http" {
		return 80
	}
	return 443
}

// addressOf returns an address with the names of the ids in its path instead of the ids, and
// without a query. Of an address with another path, where a redirect leads, it is only the host.
func addressOf(u *url.URL, template string) string {
	path, names := strings.Split(u.EscapedPath(), "/"), strings.Split(strings.TrimPrefix(template, "/"), "/")
	prefix := len(path) - len(names)
	host := u.Scheme + "://" + u.Host
	if prefix < 1 {
		return host
	}
	for i, name := range names {
		if path[prefix+i] != name && !strings.HasPrefix(name, "{") {
			return host
		}
	}
	return host + strings.Join(path[:prefix], "/") + template
}

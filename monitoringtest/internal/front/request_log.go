package front

import (
	"net/http"
	"net/url"
	"slices"
	"time"
	"unicode/utf8"
)

// Request is a request that arrived. What its members mean stands at monitoringtest.Request.
type Request struct {
	Time      time.Time
	Operation string
	Method    string
	Path      string
	Query     url.Values
	Header    http.Header
	Body      []byte
	BodyCut   bool
	Status    int
	Refusal   string
	Dropped   []string
}

func newRequest(in *inbound, now time.Time) *Request {
	r := &Request{
		Time: now, Operation: in.operation, Method: in.method, Path: in.path,
		Query: in.query, Header: in.header.Clone(), Body: in.body, BodyCut: in.unread,
	}
	if r.Header.Get("Authorization") != "" {
		r.Header.Set("Authorization", "[redacted]")
	}
	return r
}

// clone returns a copy that a caller may change.
func (r *Request) clone() Request {
	c := *r
	c.Header, c.Body, c.Query = r.Header.Clone(), slices.Clone(r.Body), make(url.Values, len(r.Query))
	c.Dropped = slices.Clone(r.Dropped)
	for name, values := range r.Query {
		c.Query[name] = slices.Clone(values)
	}
	return c
}

// requestLog keeps the last requests, and the last bodies among them.
type requestLog struct {
	most  int
	list  []*Request
	bytes int // of the bodies in list
	cut   int // how many requests, from the start of list, have lost their bodies
}

func (l *requestLog) add(r *Request) {
	if len(r.Body) > mostRecorded {
		r.Body, r.BodyCut = slices.Clone(r.Body[:wholeRunes(r.Body, mostRecorded)]), true
	}
	l.list = append(l.list, r)
	l.bytes += len(r.Body)
	for len(l.list) > l.most {
		l.bytes -= len(l.list[0].Body)
		l.list[0], l.list = nil, l.list[1:]
		l.cut = max(l.cut-1, 0)
	}
	for l.bytes > mostRecorded {
		oldest := l.list[l.cut]
		l.bytes -= len(oldest.Body)
		oldest.BodyCut = oldest.BodyCut || len(oldest.Body) > 0
		oldest.Body = nil
		l.cut++
	}
}

// wholeRunes returns the greatest length up to n at which a text can be cut.
func wholeRunes(text []byte, n int) int {
	for i := n; i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	return n
}

func (l *requestLog) copies() []Request {
	list := make([]Request, len(l.list))
	for i, r := range l.list {
		list[i] = r.clone()
	}
	return list
}

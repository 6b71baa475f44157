package testkit

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/jarcoal/httpmock"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Sent is a request as a service receives it.
type Sent struct {
	Method, URL, Body string
	Header            http.Header
}

// Query returns the query of the request, unescaped.
func (s Sent) Query(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	query, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		t.Fatal(err)
	}
	return query
}

// Recorder is a transport that gives every request the same JSON response and records the
// requests. It is for one goroutine.
type Recorder struct {
	*httpmock.MockTransport
	Sent []Sent
}

// NewRecorder makes a recorder that responds with a status and a body. An update of an object that
// was read before gets the object with what it sent.
func NewRecorder(status int, body string) *Recorder {
	r := &Recorder{MockTransport: httpmock.NewMockTransport()}
	r.RegisterNoResponder(func(req *http.Request) (*http.Response, error) {
		sent := Sent{Method: req.Method, URL: req.URL.String(), Header: req.Header.Clone()}
		if req.Body != nil {
			data, err := io.ReadAll(req.Body)
			if err != nil {
				return nil, err
			}
			sent.Body = string(data)
		}
		r.Sent = append(r.Sent, sent)
		answer := body
		isRead := func(s Sent) bool { return s.Method == http.MethodGet }
		if req.Method == http.MethodPut && slices.ContainsFunc(r.Sent, isRead) {
			answer = updated(body, sent.Body)
		}
		resp := httpmock.NewStringResponse(status, answer)
		resp.Header.Set("Content-Type", "application/json; charset=utf-8")
		return resp, nil
	})
	return r
}

// updated returns an object with what an update of it sends. What is no object stays as it is.
func updated(object, update string) string {
	var sent map[string]json.RawMessage
	if err := json.Unmarshal([]byte(update), &sent); err != nil || rawjson.Kind([]byte(object)) != '{' {
		return object
	}
	doc := []byte(object)
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		doc = rawjson.With(doc, name, sent[name])
	}
	return string(doc)
}

// FailingWriter is a writer that cannot write: its error is "disk full".
type FailingWriter struct{}

// Write fails.
func (FailingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

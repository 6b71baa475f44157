package monitoringtest

import (
	"encoding/json"
	"net/http"
	"net/textproto"
	"strconv"
)

// response is what the service responds with.
type response struct {
	status int
	header http.Header // besides those that follow from the body; may be nil
	body   []byte      // must not be changed
	failed *failure    // becomes the body; nil when there is none
}

func (r *response) setHeader(name string, values ...string) {
	if r.header == nil {
		r.header = make(http.Header)
	}
	r.header[textproto.CanonicalMIMEHeaderKey(name)] = values
}

// headers returns the header of the response as a copy that the reader may change.
func (r *response) headers() http.Header {
	h := make(http.Header)
	if len(r.body) > 0 {
		h["Content-Type"] = []string{"application/json; charset=utf-8"}
	}
	if r.status != http.StatusNoContent {
		h["Content-Length"] = []string{strconv.Itoa(len(r.body))}
	}
	for name, values := range r.header {
		if name == "Content-Length" {
			continue
		}
		h[name] = append([]string(nil), values...)
	}
	return h
}

// success responds 200 with a value, which may already be JSON.
func success(v any) response { return reply(http.StatusOK, v) }

func reply(status int, v any) response {
	if raw, isRaw := v.(json.RawMessage); isRaw {
		return response{status: status, body: raw}
	}
	return response{status: status, body: mustMarshal(v)}
}

func noContent() response { return response{status: http.StatusNoContent} }

// failure is the content of an error. Its JSON depends on the family of the operation.
type failure struct {
	message string
	bad     *bad // has the message when a part of the request is wrong; else nil
}

// validation says which part of a request was wrong.
type validation struct {
	Source string   `json:"source"`
	Keys   []string `json:"keys"`
}

// fail responds with the service's error body.
func fail(status int, message string) response {
	return response{status: status, failed: &failure{message: message}}
}

func notFound() response { return fail(http.StatusNotFound, "Not Found") }

// shape writes the body of an error in the form of a family of operations.
func (r *response) shape(f family) {
	if r.failed == nil {
		return
	}
	b := r.failed.bad
	if b != nil {
		r.failed.message = b.message(f)
	}
	body := struct {
		StatusCode int         `json:"statusCode"`
		Error      string      `json:"error"`
		Message    string      `json:"message"`
		Attributes any         `json:"attributes,omitempty"`
		Validation *validation `json:"validation,omitempty"`
	}{StatusCode: r.status, Error: http.StatusText(r.status), Message: r.failed.message}
	if f == legacy {
		if b != nil {
			body.Validation = &validation{b.source, b.keys()}
		}
		switch r.status {
		case http.StatusUnauthorized:
			body.Attributes = map[string]string{"error": r.failed.message}
		case http.StatusPaymentRequired, http.StatusTooManyRequests:
			body.Attributes = map[string]string{}
		}
	}
	r.body = mustMarshal(body)
}

func (b *bad) response() response {
	return response{status: http.StatusBadRequest, failed: &failure{bad: b}}
}

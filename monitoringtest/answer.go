package monitoringtest

import (
	"encoding/json"
	"net/http"
	"net/textproto"
	"strconv"
)

// answer is what the service answers.
type answer struct {
	status int
	header http.Header // besides those that follow from the body; may be nil
	body   []byte      // must not be changed
}

func (a *answer) setHeader(name string, values ...string) {
	if a.header == nil {
		a.header = make(http.Header)
	}
	a.header[textproto.CanonicalMIMEHeaderKey(name)] = values
}

// headers makes the header of the answer, which its reader owns.
func (a *answer) headers() http.Header {
	h := make(http.Header, len(a.header)+2)
	if len(a.body) > 0 {
		h["Content-Type"] = []string{"application/json; charset=utf-8"}
	}
	if a.status != http.StatusNoContent {
		h["Content-Length"] = []string{strconv.Itoa(len(a.body))}
	}
	for name, values := range a.header {
		if name == "Content-Length" {
			continue
		}
		h[name] = append([]string(nil), values...)
	}
	return h
}

// ok answers 200 with a value, which may be JSON already.
func ok(v any) answer { return reply(http.StatusOK, v) }

func reply(status int, v any) answer {
	if raw, isRaw := v.(json.RawMessage); isRaw {
		return answer{status: status, body: raw}
	}
	return answer{status: status, body: mustMarshal(v)}
}

func noContent() answer { return answer{status: http.StatusNoContent} }

type errorBody struct {
	StatusCode int         `json:"statusCode"`
	Error      string      `json:"error"`
	Message    string      `json:"message"`
	Attributes any         `json:"attributes,omitempty"`
	Validation *validation `json:"validation,omitempty"`
}

// validation says which part of a request was wrong.
type validation struct {
	Source string   `json:"source"`
	Keys   []string `json:"keys"`
}

// fail answers with the service's error body.
func fail(status int, message string) answer {
	body := errorBody{StatusCode: status, Error: http.StatusText(status), Message: message}
	switch status {
	case http.StatusUnauthorized:
		body.Attributes = map[string]string{"error": message}
	case http.StatusPaymentRequired, http.StatusTooManyRequests:
		body.Attributes = map[string]string{}
	}
	return reply(status, body)
}

func notFound() answer { return fail(http.StatusNotFound, "Not Found") }

// bad is a request that breaks a rule.
type bad struct{ source, key, message string }

func (b *bad) answer() answer {
	body := errorBody{StatusCode: http.StatusBadRequest, Error: http.StatusText(http.StatusBadRequest), Message: b.message}
	if b.key != "" {
		body.Validation = &validation{b.source, []string{b.key}}
	}
	return reply(http.StatusBadRequest, body)
}

func badQuery(key, message string) *bad {
	return &bad{"query", key, strconv.Quote(key) + " " + message}
}

func badParam(key, message string) *bad {
	return &bad{"params", key, strconv.Quote(key) + " " + message}
}

func badBody(key, message string) *bad {
	return &bad{"payload", key, strconv.Quote(key) + " " + message}
}

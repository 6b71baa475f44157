package front

import (
	"errors"
	"net/http"
	"net/textproto"
	"strconv"
)

// response is what the service responds with.
type response struct {
	status int
	header http.Header // besides those that follow from the body; may be nil
	body   []byte      // must not be changed
	failed *failure    // what the body says; nil when there is none
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

// failure is an error. Its JSON depends on the operation.
type failure struct {
	message string
	broken  *broken // the rule that the request broke, which has the message; else nil
}

func fail(status int, message string) response {
	return response{status: status, failed: &failure{message: message}}
}

func (b *broken) response() response {
	return response{status: http.StatusBadRequest, failed: &failure{broken: b}}
}

var (
	errAborted = errors.New("the handler aborted the request")
	errGateway = errors.New("the gateway cut the request")
)

package exchange

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Form is the format of a body, found out from its beginning.
type Form uint8

const (
	FormUnset Form = iota
	FormJSON
	FormHTML
	FormSVG
	FormXML
	FormMarkup // other markup, such as a piece of HTML
	FormCSV
	FormText
	FormEmpty
)

// String returns the form as texts name it.
func (f Form) String() string {
	switch f {
	case FormJSON:
		return "JSON"
	case FormHTML:
		return "HTML"
	case FormSVG:
		return "SVG"
	case FormXML:
		return "XML"
	case FormCSV:
		return "CSV"
	case FormMarkup:
		return "markup"
	case FormEmpty:
		return "empty"
	}
	return "plain text"
}

// FormIn returns the form of a body with a Content-Type. What begins as JSON is JSON, whatever it
// is called.
func FormIn(contentType string, body []byte) Form {
	form := FormOf(body)
	mediaType, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	mediaType = strings.TrimSpace(mediaType)
	switch {
	case form == FormJSON, form == FormEmpty, form == FormHTML:
	case mediaType == "image/svg+xml":
		return FormSVG
	case mediaType == "text/html":
		return FormHTML
	case form == FormText && mediaType == "text/csv":
		return FormCSV
	}
	return form
}

// FormOf returns the form of a body.
func FormOf(body []byte) Form {
	body = bytes.TrimSpace(WithoutMark(body))
	switch {
	case len(body) == 0:
		return FormEmpty
	case begins(body, "<!doctype html", "<html"):
		return FormHTML
	case begins(body, "<svg") || begins(body, "<?xml", "<!doctype svg") && bytes.Contains(body[:min(len(body), 1024)], []byte("<svg")):
		return FormSVG
	case begins(body, "<?xml"):
		return FormXML
	case body[0] == '<':
		return FormMarkup
	case body[0] == '{' || body[0] == '[' || json.Valid(body):
		return FormJSON
	}
	return FormText
}

// byteOrderMark is what some gateways write before JSON.
var byteOrderMark = []byte("\ufeff")

// WithoutMark returns a body without a byte order mark.
func WithoutMark(body []byte) []byte { return bytes.TrimPrefix(body, byteOrderMark) }

// begins reports whether a body begins with one of these texts, in any case of letters.
func begins(body []byte, starts ...string) bool {
	for _, start := range starts {
		if len(body) >= len(start) && strings.EqualFold(string(body[:len(start)]), start) {
			return true
		}
	}
	return false
}

// ErrorObject returns the status and the text of an error object: an object with a number from
// 400 as its statusCode, and a text as its error. The status is empty if the body is none. The
// body may be cut off.
func ErrorObject(body []byte) (status, message string) {
	// Much faster than looking at every member: few names have a capital C, where the search begins.
	if !bytes.Contains(body, []byte("Code\"")) && !bytes.Contains(body, []byte(`\u`)) {
		return "", ""
	}
	code := rawjson.Find(body, "statusCode")
	if n, err := strconv.ParseFloat(string(code), 64); err != nil || n < http.StatusBadRequest {
		return "", ""
	}
	reason := rawjson.Find(body, "error")
	if rawjson.Kind(reason) != '"' {
		return "", ""
	}
	message = rawjson.Unquote(reason)
	if more := rawjson.Find(body, "message"); rawjson.Kind(more) == '"' {
		message = strings.TrimPrefix(message+": "+rawjson.Unquote(more), ": ")
	}
	return string(code), message
}

// IsEmptyObject reports whether a body is {}.
func IsEmptyObject(body []byte) bool {
	inside, begins := bytes.CutPrefix(bytes.TrimSpace(body), []byte("{"))
	inside, ends := bytes.CutSuffix(inside, []byte("}"))
	return begins && ends && len(bytes.TrimSpace(inside)) == 0
}

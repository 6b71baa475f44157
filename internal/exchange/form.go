package exchange

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Form is the format of a body, found out from its beginning.
type Form uint8

const (
	FormUnset Form = iota
	FormJSON
	FormHTML
	FormMarkup // XML, SVG, or a piece of HTML
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
	case FormMarkup:
		return "markup"
	case FormEmpty:
		return "empty"
	}
	return "plain text"
}

// FormOf returns the form of a body.
func FormOf(body []byte) Form {
	body = bytes.TrimSpace(WithoutMark(body))
	switch {
	case len(body) == 0:
		return FormEmpty
	case beginsHTML(body):
		return FormHTML
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

// IsHTMLType reports whether a Content-Type is that of HTML.
func IsHTMLType(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(mediaType), "text/html")
}

// beginsHTML reports whether a body begins as a page of HTML does.
func beginsHTML(body []byte) bool {
	for _, start := range []string{"<!doctype html", "<html"} {
		if len(body) >= len(start) && strings.EqualFold(string(body[:len(start)]), start) {
			return true
		}
	}
	return false
}

package monitoring

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// A response may have the status of a success and still not be the answer to its request. This
// file finds such responses by their body: a page of HTML, an error object, an object without
// members, and an object with another id than the one that was asked for.

// checkUnread returns an error if the body of a success that is not decoded is HTML, such as the
// login page of a proxy, or an error object. Every other body is fine, also one that is empty or
// cut off: the service has carried out the operation.
func (e *exchange) checkUnread() error {
	body := bytes.TrimPrefix(e.body, byteOrderMark)
	switch form := formOf(body); {
	case form == formEmpty, isEmptyObject(body):
		return nil
	case form == formHTML, isHTMLType(e.header.Get("Content-Type")):
		return &DecodeError{Err: notJSON(formHTML), foreign: true}
	}
	return e.checkErrorObject(body)
}

// isHTMLType reports whether a Content-Type is that of HTML.
func isHTMLType(contentType string) bool {
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

// checkObject returns an error unless the body can be the one object that was asked for. The
// body was not decoded yet. JSON that is cut off is left to the decoder.
func (e *exchange) checkObject(body []byte) error {
	if err := e.checkErrorObject(body); err != nil && json.Valid(body) {
		return err
	}
	if e.op.class == classUnsafe { // it was carried out: what its response lacks is told by completer
		return nil
	}
	switch {
	case string(bytes.TrimSpace(body)) == "null":
		return &DecodeError{Partial: body, Err: errors.New("it is null, not an object")}
	case isEmptyObject(body):
		return &DecodeError{Partial: body, Err: errors.New("it is an object without members")}
	}
	return nil
}

// checkErrorObject returns an error if the body is an error object, such as
// {"statusCode": 503, "error": "Service Unavailable"}. Nothing says then that the operation was
// carried out.
func (e *exchange) checkErrorObject(body []byte) error {
	status, message := errorObject(body)
	if status == "" {
		return nil
	}
	failed := &DecodeError{foreign: true, Err: fmt.Errorf("it is an error object with status %.10s: %s", status, scrub.Clean(e.scrubber().Text(message)))}
	if json.Valid(body) {
		failed.Partial = body
	}
	return failed
}

// checkID returns an error if an object has another id than the one that was asked for.
func (e *exchange) checkID(body []byte) error {
	if e.op.ownID == "" {
		return nil
	}
	got, args := rawjson.Find(body, e.op.ownID), e.op.path.args
	if got == nil || rawjson.IsNull(got) || string(got) == `""` || isID(got, args[len(args)-1]) {
		return nil
	}
	shown := scrub.Clean(e.scrubber().Text(string(got)))
	return &DecodeError{
		Path: "$." + e.op.ownID, Partial: body,
		Err: fmt.Errorf("it is %.64s, so the response is about another object: a proxy or gateway in front of the service may mix up responses", shown),
	}
}

// isID reports whether a JSON value is an id: a number by its value, a UUID without regard to case.
func isID(value []byte, id string) bool {
	if rawjson.Kind(value) == '"' {
		text := rawjson.Unquote(value)
		return text == id || schema.IsUUID(text) && strings.EqualFold(text, id)
	}
	whole, exact := lenient.Whole(string(value))
	return exact && whole == id
}

// errorObject returns the status and the text of an error object: an object with a number from
// 400 as its statusCode, and a text as its error. The status is empty if the body is none. The
// body may be cut off.
func errorObject(body []byte) (status, message string) {
	if !bytes.Contains(body, []byte("statusCode")) && !bytes.Contains(body, []byte(`\u`)) { // much faster than looking at every member
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

// isEmptyObject reports whether a body is {}.
func isEmptyObject(body []byte) bool {
	inside, begins := bytes.CutPrefix(bytes.TrimSpace(body), []byte("{"))
	inside, ends := bytes.CutSuffix(inside, []byte("}"))
	return begins && ends && len(bytes.TrimSpace(inside)) == 0
}

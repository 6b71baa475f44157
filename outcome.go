package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// outcome turns the result of a call into its error. What package exchange says becomes public
// here.
func (o *activeCall) outcome() error {
	result := &o.result
	switch {
	case result.Err != nil:
		return o.callError(result.Err)
	case result.StatusCode/100 == 2:
		return nil
	case result.StatusCode == http.StatusNotFound && o.op.method == http.MethodDelete && result.MayHaveDone:
		return nil // an earlier attempt, whose response was lost, has deleted it
	}
	response := o.apiError()
	if result.Interrupted != nil {
		return o.callError(o.call.Texts.Own.Error(&interruptedResponse{result.Interrupted.Err(), response}))
	}
	return response
}

// apiError returns the error of a response that is not a success.
func (o *activeCall) apiError() *APIError {
	result, own := &o.result, o.scrubber().ForResponse()
	e := &APIError{
		StatusCode: result.StatusCode, Method: o.method(), Path: o.op.path.Text(shown(own)),
		Attempts: result.Attempts, Header: result.Header.Clone(), base: o.core.address(), class: o.op.class, note: result.Note,
		listed: o.op.class == exchange.Read && !o.op.path.Raw && len(o.op.path.Args) == 0, object: inBrackets(o.op.creates, own),
	}
	e.readBody(result.Body, own)
	e.needsAccount = o.settings.account.IsWithheld() && strings.Contains(strings.ToLower(e.Message), strings.ToLower(o.core.accountHeader))
	e.RetryAfter, _ = o.core.sender.Clock.RetryAfter(result.StatusCode, result.Header)
	switch {
	case result.Unknown:
		e.Kind = ErrOutcomeUnknown
	case o.op.class == exchange.Poll && e.StatusCode == http.StatusRequestTimeout:
		e.Kind = ErrNotCompleted
	case o.op.startsChecks && e.saysNoMatch():
		e.Kind = ErrNoMatchingChecks
	}
	return e
}

// interruptedResponse is a response without success whose body was being received when the
// context ended. It matches both: the status still says what has become of the operation.
type interruptedResponse struct {
	end    error
	status *APIError
}

func (e *interruptedResponse) Error() string   { return "read the response: " + e.end.Error() }
func (e *interruptedResponse) Unwrap() []error { return []error{e.end, e.status} }

// callError returns the error of a call without a usable response.
func (o *activeCall) callError(reason scrub.Safe) error {
	result, err := &o.result, reason.Err()
	e := &CallError{
		Operation: o.method() + " " + o.op.path.Text(shown(o.scrubber())), Attempts: result.Attempts, LastStatus: result.StatusCode,
		Err: err, last: scrub.Err(result.LastFailure), base: o.core.address(), class: o.op.class,
		unknown: result.Unknown, carriedOut: result.CarriedOut, note: result.Note, retry: result.Temporary,
		object: inBrackets(o.op.creates, o.scrubber()),
	}
	if d, ok := errors.AsType[*DecodeError](err); ok {
		d.Operation = o.name()
	}
	if result.Attempts > 0 && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		notes := []string{"ended after " + time.Since(o.began).Round(time.Millisecond).String()}
		if said := o.lastSaid(); said != "" {
			notes = append(notes, "the last response said "+said)
		}
		e.note = strings.Join(append(notes, e.note), ", ")
		e.note = strings.TrimSuffix(e.note, ", ")
	}
	return e
}

// lastSaid returns the message of a response without success, in quotation marks; "" if there is
// none.
func (o *activeCall) lastSaid() string {
	if o.result.StatusCode/100 == 2 || len(o.result.Body) == 0 {
		return ""
	}
	said := &APIError{StatusCode: o.result.StatusCode}
	said.readMembers(o.result.Body, o.scrubber())
	if said.Message == "" {
		return ""
	}
	return o.scrubber().Quote(said.Message, shownBeginning).String()
}

var errEmptyResponse = errors.New("empty body")

// Accept decodes the body of a success, and says what it means if it cannot be used. A response may
// have the status of a success and still not be the answer to its request. That is found out by its
// body: a page of HTML, an error object, an object without members, and an object about something
// else than what was asked for.
func (o *activeCall) Accept(ctx context.Context, h http.Header, body []byte) (exchange.Fault, error) {
	err := o.accept(ctx, h, body)
	if d, ok := err.(*DecodeError); ok {
		return d.means(), d
	}
	return exchange.NoFault, err
}

func (o *activeCall) accept(ctx context.Context, h http.Header, body []byte) error {
	if o.op.into == nil {
		return o.checkUnread(h, body)
	}
	return o.op.into.accept(ctx, o, h, body)
}

func (to verbatim) accept(_ context.Context, _ *activeCall, _ http.Header, body []byte) error {
	*to.out = body
	return nil
}

// accept gets no other body than an empty one, because every other was copied. JSON is never empty.
func (copied) accept(context.Context, *activeCall, http.Header, []byte) error {
	return &DecodeError{Err: errEmptyResponse, fault: exchange.Lost}
}

func (copiedFile) accept(context.Context, *activeCall, http.Header, []byte) error { return nil }

func (decode decoded) accept(ctx context.Context, o *activeCall, h http.Header, body []byte) error {
	data := exchange.WithoutMark(body)
	if len(bytes.TrimSpace(data)) == 0 {
		if o.op.optionalBody {
			return nil
		}
		return &DecodeError{Err: errEmptyResponse, fault: exchange.Lost}
	}
	checks := o.op.object && !o.settings.unchecked
	if checks {
		if err := o.checkObject(data); err != nil {
			return err
		}
	}
	if o.op.byCursor { // whose entries may be an empty list
		if err := o.checkErrorObject(data); err != nil && json.Valid(data) {
			return err
		}
	}
	err := decode(ctx, data)
	if _, stopped := err.(*exchange.StepError); stopped { // too large, or the context has ended
		return err
	}
	// What a create cannot read may be about something else; then it was perhaps not carried out.
	if checks && (err == nil || o.op.class == exchange.Unsafe && json.Valid(data)) {
		if other := o.checkAbout(data, err == nil); other != nil {
			return other
		}
	}
	if err != nil {
		return o.decodingFailed(h, body, err)
	}
	return nil
}

// decodingFailed returns the error of a body that could not be decoded.
func (o *activeCall) decodingFailed(h http.Header, body []byte, err error) *DecodeError {
	d, ok := errors.AsType[*DecodeError](err)
	if !ok {
		d = &DecodeError{Err: err}
	}
	switch form := exchange.FormIn(h.Get("Content-Type"), body); form {
	case exchange.FormJSON:
		if said, ok := o.checkErrorObject(exchange.WithoutMark(body)).(*DecodeError); ok && json.Valid(body) {
			return said // where a list is expected
		}
	case exchange.FormEmpty:
		d.fault = exchange.Lost
	default:
		return o.notJSON(form, body)
	}
	return d
}

// notJSON returns the error of a body in another form. Another attempt would get the same.
func (o *activeCall) notJSON(form exchange.Form, body []byte) *DecodeError {
	return &DecodeError{Err: saying(form.String()+", not JSON (%s)", beginningOf(body, o.scrubber())), advice: checkAddress, fault: exchange.Useless}
}

// beginningOf returns the beginning of a body in quotation marks. The scrubber gets more than it looks
// at, because it removes a secret that is cut off only if it sees the cut.
func beginningOf(body []byte, s *scrub.Scrubber) scrub.Line {
	return s.Quote(string(body[:min(len(body), scrub.MaxText+1)]), shownBeginning)
}

// checkUnread returns an error if the body of a success that is not decoded is HTML, such as the
// login page of a proxy, or an error object. Every other body is fine, also one that is empty, or
// cut off unless the caller wants to see it: the service has carried out the operation.
func (o *activeCall) checkUnread(h http.Header, body []byte) error {
	body = exchange.WithoutMark(body)
	switch form := exchange.FormIn(h.Get("Content-Type"), body); {
	case form == exchange.FormEmpty, exchange.IsEmptyObject(body):
		return nil
	case form == exchange.FormHTML:
		return o.notJSON(form, body)
	case form == exchange.FormJSON && o.settings.response != nil && int64(len(body)) < o.core.maxResponse:
		if err := unmarshal(body, new(json.RawMessage)); err != nil {
			return err // it is cut off
		}
	}
	return o.checkErrorObject(body)
}

// checkObject returns an error unless the body can be the one object that was asked for. The
// body was not decoded yet. JSON that is cut off is left to the decoder.
func (o *activeCall) checkObject(body []byte) error {
	if err := o.checkErrorObject(body); err != nil && json.Valid(body) {
		return err
	}
	if o.op.class == exchange.Unsafe { // it was carried out: what its response lacks is told by checkComplete
		return nil
	}
	switch {
	case string(bytes.TrimSpace(body)) == "null":
		if o.op.mayBeNull {
			return nil
		}
		return &DecodeError{Partial: body, Err: errors.New("want an object, got null")}
	case exchange.IsEmptyObject(body):
		return &DecodeError{Partial: body, Err: errors.New("want an object with members, got {}")}
	}
	return nil
}

// checkErrorObject returns an error if the body is an error object, such as
// {"statusCode": 503, "error": "Service Unavailable"}. Nothing says then that the operation was
// carried out.
func (o *activeCall) checkErrorObject(body []byte) error {
	status, message := exchange.ErrorObject(body)
	if status == "" {
		return nil
	}
	failed := &DecodeError{fault: exchange.Useless, Err: saying("error object with status "+status+": %s",
		o.scrubber().Line(message))}
	if json.Valid(body) {
		failed.Partial = body
	}
	return failed
}

// checkAbout returns an error if an object is about something else than what was asked for: it has
// another id, or another key or kind than what was created. It does not say what has become of
// that.
func (o *activeCall) checkAbout(body []byte, decoded bool) error {
	for _, want := range o.op.about {
		if decoded && textIn(o.op.out, want.member) == want.value {
			continue // a look at every member of the body would take as long as decoding it
		}
		got := rawjson.Find(body, want.member)
		if got == nil || rawjson.IsNull(got) || string(got) == `""` || isID(got, want.value) {
			continue
		}
		if want.member == "checkType" && !schema.IsCheckType(rawjson.Text(got)) {
			continue // a newer name; such values are kept
		}
		return &DecodeError{
			Path: "$." + want.member, Partial: body, fault: exchange.Useless,
			Err: saying("%.64s is another object: a proxy or gateway in front of the service may mix up responses",
				o.scrubber().Line(string(got))),
		}
	}
	return nil
}

// saying returns an error with a text of the service in it.
func saying(format string, said scrub.Line) error { return fmt.Errorf(format, said) }

// shown returns what makes the values in a path fit for texts.
func shown(s *scrub.Scrubber) func(string) string {
	return func(value string) string { return s.Line(value).String() }
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

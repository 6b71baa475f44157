// Package lenient decodes JSON so that one odd member does not cost the whole value. A [Reader]
// decodes in one scan what encoding/json decodes, and makes a value that does not fit its Go type
// fit where it stands, with as few changes as possible. What can be read in no way is an [Error]
// with its JSON path and the part that can be read. In the structs of one package, whose author
// knows that services are loose, more is accepted than in those of other packages: see [Traits].
// Members without a field are put into the field Extra of a struct that has one, and
// [Reader.WriteObject] writes them again, also of the structs inside it. A type that reads itself
// is left to its method; only what that refuses is made to fit.
// [Reader.CheckSize] bounds the memory that hostile JSON takes before it is decoded, and [ReadList]
// asks the context while it decodes a long list.
package lenient

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/memo"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Reader decodes JSON. It must not be copied after its first use.
type Reader struct {
	// Package is the import path of the types that are read loosely: a single text is read into a
	// list of texts of theirs, and what does not fit goes to their Extra.
	Package string
	// Measures are the names of members of these types that are measures, such as seconds: the
	// fraction of one is left out in an integer. In any other it is a value that cannot be read.
	Measures []string
	// Traits says how a type is read where its fields do not show it. It is asked a few times per type.
	Traits func(reflect.Type) Traits
	// Hidden is the type of the field Extra of a struct in which members without a field may be
	// secrets, and Hide makes one of an object with these members. Hidden is nil if there is no such
	// type.
	Hidden reflect.Type
	Hide   func(object []byte) any
	// Reason returns the reason in an error that an UnmarshalJSON returned, without what only
	// the caller's own error types add; nil if there is nothing to take off.
	Reason func(error) error

	shapes memo.Map // of reflect.Type to *shape
}

// Traits is how a type is read, where its fields do not show it. The zero Traits is that of an
// ordinary type.
type Traits struct {
	// Raw is true for a type that takes any JSON as it is.
	Raw bool
	// Wraps is the type of the JSON of a type that only wraps another one, such as an optional
	// value; nil for others.
	Wraps reflect.Type
	// OneOf are the structs of a type that is one of several objects; nil for others.
	OneOf []reflect.Type
	// Members is a struct whose fields are the members of a struct that reads several names of a
	// member; nil for structs that are read by their own fields.
	Members reflect.Type
	// KindOf returns which of OneOf an object is, given JSON that begins with it.
	KindOf func(object []byte) reflect.Type
	// OnlyObjects is true for a type of the Reader's package whose UnmarshalJSON reads objects
	// and null, by calling the Reader.
	OnlyObjects bool
	// Text is true for a type of strings that services write as other values, too: numbers,
	// booleans and objects are read as their JSON text. Texts are the members of a struct of
	// which this is so.
	Text  bool
	Texts []string
	// Numbers are the members of a struct that are whole numbers, and that services also write as
	// texts.
	Numbers []string
	// AnyItem is true for a type that accepts any JSON: a list of it may be a single value.
	AnyItem bool
	// Keeps is true for a struct that keeps the JSON it was read from.
	Keeps bool
	// Fixed is true for a struct of the Reader's package with an Extra in which values must fit their
	// fields. In others, values that do not fit are put into Extra, unless it is a hidden one.
	Fixed bool
	// Odd are the members of such a struct that need not fit, and are put into Extra as in the others.
	Odd []string
}

// Error is JSON that cannot be read.
type Error struct {
	// Path is the JSON path of the first value that cannot be read, such as $[3].name. It is
	// empty if nothing can be read.
	Path string
	// Partial is the part that can be read, as JSON that fits the type: what cannot be read is
	// null. It is the JSON itself if nothing can be read, and nil if it is not JSON, or if so much
	// cannot be read that the part would be longer than the JSON.
	Partial []byte
	// Err is the reason.
	Err error
	// NotJSON says that the data is cut off, or not JSON at all.
	NotJSON bool
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Err.Error()
	}
	return e.Path + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// notJSON returns the error for data that is not JSON.
func notJSON(data []byte) error {
	failed := &Error{Err: errors.New("not JSON"), NotJSON: true}
	err := json.Unmarshal(data, new(json.RawMessage))
	if kind := rawjson.Kind(data); strings.Contains(err.Error(), "unexpected end") && (kind == '{' || kind == '[') {
		failed.Err = fmt.Errorf("cut off after %d bytes: %w", len(data), io.ErrUnexpectedEOF)
	}
	return failed
}

// reasonOf returns the error of a type with an UnmarshalJSON. It replaces errors of
// encoding/json, which name Go types and differ between versions of Go.
func (r *Reader) reasonOf(err error) error {
	if r.Reason != nil {
		if reason := r.Reason(err); reason != nil {
			return reason
		}
	}
	if failed, ok := errors.AsType[*Error](err); ok {
		return failed.Err
	}
	_, kind := errors.AsType[*json.UnmarshalTypeError](err)
	_, syntax := errors.AsType[*json.SyntaxError](err)
	if err == nil || kind || syntax || strings.HasPrefix(err.Error(), "json: ") { // a kind that does not fit has no error
		return errors.New("the value does not fit its type")
	}
	return err
}

// CannotHold says why JSON cannot be decoded into a type; "" if it can.
func CannotHold(t reflect.Type) string {
	if t == reflect.TypeFor[[]byte]() {
		return "a []byte would hold base64: use a json.RawMessage for JSON as received"
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return "JSON cannot be decoded into a " + t.String()
	case reflect.Interface:
		if t.NumMethod() > 0 {
			return "JSON cannot be decoded into the interface " + t.String()
		}
	}
	return ""
}

// Package lenient decodes JSON so that one odd member does not cost the whole value. A [Reader]
// first decodes as encoding/json does. If that fails, it makes a copy of the JSON that fits the
// Go type, with as few changes as possible, and decodes the copy; so a response that fits costs
// nothing more. What can be read in no way is an [Error] with its JSON path and the part that can
// be read. In the structs of one package, whose author knows that services are loose, more is
// accepted than in those of other packages: see [Traits]. Members without a field are put into
// the field Extra of a struct that has one, by [Reader.ReadObject], and [Reader.WriteObject] writes
// them again, also of the structs inside it.
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
	// Traits says how a type is read where its fields do not show it. It is asked once per type.
	Traits func(reflect.Type) Traits
	// Hidden is the type of the field Extra of a struct in which members without a field may be
	// secrets, and Hide makes one of an object with these members. Hidden is nil if there is no such
	// type.
	Hidden reflect.Type
	Hide   func(object []byte) any
	// Reason returns the reason in an error that an UnmarshalJSON returned, without what only
	// the caller's own error types add; nil if there is nothing to take off.
	Reason func(error) error

	traits memo.Map // of reflect.Type to *Traits
	shapes memo.Map // of reflect.Type to *shape
	mosts  memo.Map // of reflect.Type to sizesOf
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

// decoder is json.Unmarshal, or does the same.
type decoder func(data []byte, out any) error

// Fallback decodes what Quick does not. Tests replace it, to find responses that get this far.
var Fallback = func(data []byte, out any) error { return strict(data, out) }

// slowly reads JSON that is not as services usually write it. decode reads JSON that fits the type
// of out. It returns the positions of values that belong to an Extra, in ascending order.
func (r *Reader) slowly(data []byte, out any, decode func(data []byte, unmarshal decoder) error) (moved []int, err error) {
	v := reflect.ValueOf(out).Elem()
	v.SetZero() // some fields may have been set
	if decode(data, Fallback) == nil {
		return nil, nil
	}
	if !json.Valid(data) {
		return nil, notJSON(data)
	}
	if len(data) > roomForTexts { // what has been set takes memory
		v.SetZero()
	}
	f := r.fit(data, v.Type())
	switch {
	case f.over && f.unreadable == 0:
		return nil, &Error{Partial: data, Err: errors.New("too many values do not fit their type")}
	case f.over:
		return nil, &Error{Path: f.first.path, Err: f.first.err}
	case f.unreadable == 0:
		v.SetZero()
		if err = decode(f.out, json.Unmarshal); err == nil {
			return f.moved, nil
		}
		return nil, &Error{Partial: data, Err: r.reasonOf(err)}
	}
	first := f.first
	if first.path == "$" { // nothing can be read
		return nil, &Error{Partial: data, Err: first.err}
	}
	return nil, &Error{Path: first.path, Partial: f.out, Err: first.err}
}

// notJSON returns the error for data that is not JSON.
func notJSON(data []byte) error {
	failed := &Error{Err: errors.New("not JSON"), NotJSON: true}
	err := json.Unmarshal(data, new(json.RawMessage))
	if kind := rawjson.Kind(data); strings.Contains(err.Error(), "unexpected end") && (kind == '{' || kind == '[') {
		failed.Err = fmt.Errorf("cut off after %d bytes: %w", len(data), io.ErrUnexpectedEOF)
	}
	return failed
}

// traitsOf returns the traits of a type.
func (r *Reader) traitsOf(t reflect.Type) *Traits {
	if known, ok := r.traits.Load(t); ok {
		return known.(*Traits)
	}
	found := &Traits{}
	if r.Traits != nil {
		*found = r.Traits(t)
	}
	known, _ := r.traits.LoadOrStore(t, found)
	return known.(*Traits)
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
	if kind || syntax || strings.HasPrefix(err.Error(), "json: ") {
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

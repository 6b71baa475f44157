// Package reveal writes values as JSON, as encoding/json does, except that it opens types that
// hide their content, and that it escapes only what JSON must escape: <, >, & and the separators
// U+2028 and U+2029 are written as they are. It is used for requests, and for snapshots that the
// user asks for.
//
// The package does not know the hiding types: functions of an [Encoder] recognize and open
// them. Types that hide nothing keep their own MarshalJSON and MarshalText.
package reveal

import (
	"encoding/json"
	"reflect"
	"sync"
)

// Hiding says whether a type hides its content.
type Hiding uint8

const (
	// Nothing is hidden: the type is written as encoding/json writes it.
	Nothing Hiding = iota
	// Itself means that the type hides its content: it is opened.
	Itself
	// Embedded means that the type embeds a hiding type and so has its methods. It may have
	// a MarshalJSON of its own, so that is called first; it is opened only if that writes
	// null.
	Embedded
)

// Kind says what the content of a hiding value is.
type Kind uint8

const (
	// Withheld is a secret whose text is unknown. It is written as null and reported.
	Withheld Kind = iota
	// Null is written as null.
	Null
	// Text is a secret text, written as a JSON string and reported.
	Text
	// JSON is secret JSON, written like a [json.RawMessage]. Its strings are reported.
	JSON
	// Value is another value, which is written in place of the hiding one.
	Value
	// Encoded is JSON that the same encoder wrote before.
	Encoded
)

// Content is the content of a hiding value.
type Content struct {
	Kind Kind
	Text string // of the kinds Text and JSON
	// Value points to the value, of the kind Value. It is written as encoding/json writes a
	// value that is not addressable.
	Value any
	// Result is the earlier result, of the kind Encoded.
	Result Result
}

// Encoder writes values. It remembers how each type is written and may be used by many
// goroutines. Hides and Open are required.
type Encoder struct {
	// Hides is called once for each type, never for a pointer type.
	Hides func(reflect.Type) Hiding
	// Open returns the content of a value whose type hides something, given a pointer to
	// it. With hidden, the content will not be written.
	Open func(pointer any, hidden bool) Content

	// Keeps says whether structs of a type can keep the JSON that they were read from. They
	// are then written as that JSON, with what has changed since. Nil means that no type can.
	Keeps func(reflect.Type) bool
	// Kept returns the JSON that a struct was read from, given a pointer to it; nil if it
	// keeps none.
	Kept func(pointer any) []byte
	// Read decodes the JSON that Kept returned into a new struct and returns a pointer to
	// it. The struct itself keeps nothing, but structs inside it do.
	Read func(t reflect.Type, data []byte) (pointer any, err error)

	plans sync.Map // of reflect.Type to *plan
	walks sync.Pool
}

// Result is a value as JSON, and the secrets in it.
type Result struct {
	JSON []byte
	// Secrets are the texts that were revealed, without the empty one.
	Secrets []string
	// Withheld are the paths at which a withheld secret was written as null, for example
	// environmentVariables[2].value. The path of the whole value is $.
	Withheld []string
}

// mostKept is the size up to which a buffer is kept for the next call, in bytes.
const mostKept = 64 << 10

// Encode writes v. Its errors are those of encoding/json.
func (e *Encoder) Encode(v any) (Result, error) { return e.encode(v, false) }

// EncodeHidden writes v with null in place of each secret. It is the output of
// encoding/json without its escapes for HTML, plus the members that structs keep.
func (e *Encoder) EncodeHidden(v any) ([]byte, error) {
	result, err := e.encode(v, true)
	return result.JSON, err
}

func (e *Encoder) encode(v any, hide bool) (Result, error) {
	w, _ := e.walks.Get().(*walk)
	if w == nil {
		w = &walk{encoder: e}
		w.json = json.NewEncoder(w)
		w.json.SetEscapeHTML(false)
	}
	w.hide = hide
	if err := w.dynamic(reflect.ValueOf(v)); err != nil {
		return Result{}, err
	}
	result := Result{JSON: append(make([]byte, 0, len(w.out)), w.out...), Secrets: w.secrets, Withheld: w.withheld}
	if cap(w.out) <= mostKept {
		clear(w.out) // no secret stays in a buffer that waits for its next use
		w.out, w.secrets, w.withheld = w.out[:0], nil, nil
		e.walks.Put(w)
	}
	return result, nil
}

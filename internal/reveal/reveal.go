// Package reveal writes values as JSON, byte for byte as encoding/json does, except that
// the types that hide what they hold are opened. It is for the request on its way, and
// for snapshots that the user asks for.
//
// The package does not know the types that hide: an [Encoder] is told how to recognize
// and to open them. Types that hide nothing keep their own MarshalJSON and MarshalText.
package reveal

import (
	"encoding/json"
	"reflect"
	"sync"
)

// Hiding says whether a type hides what it holds.
type Hiding uint8

const (
	// Nothing is hidden: the type is written as encoding/json writes it.
	Nothing Hiding = iota
	// Itself hides: the type is opened.
	Itself
	// Embedded means that the type hides nothing itself but embeds a type that does, and
	// so has its methods. It may have a MarshalJSON of its own, which is called first; it
	// is opened only if that writes null.
	Embedded
)

// Kind says what was found in a value that hides.
type Kind uint8

const (
	// Withheld is a secret whose text is not known. It is written as null and reported.
	Withheld Kind = iota
	// Null is written as null.
	Null
	// Text is a secret text, written as a JSON string and reported.
	Text
	// JSON is secret JSON, written like a [json.RawMessage]. Its strings are reported.
	JSON
	// Value is another value, which is written in turn.
	Value
	// Encoded is a value that was encoded before, with the same encoder.
	Encoded
)

// Content is what a value that hides holds.
type Content struct {
	Kind Kind
	Text string // of the kinds Text and JSON
	// Value points to the value, of the kind Value. encoding/json is taken to write what
	// it points to as it writes a value that is not addressable.
	Value any
	// Result is what was encoded, of the kind Encoded.
	Result Result
}

// Encoder writes values. It remembers how each type is written and may be used by many
// goroutines. Hides and Open are required.
type Encoder struct {
	// Hides is asked once for each type, never for a pointer type.
	Hides func(reflect.Type) Hiding
	// Open opens a value, given a pointer to it, whose type Hides is not Nothing for.
	// Hidden says that what it holds will not be shown.
	Open func(pointer any, hidden bool) Content

	// Keeps says whether structs of a type can keep the JSON that they were read from;
	// they are then written as that JSON with what was changed since. It may be nil.
	Keeps func(reflect.Type) bool
	// Kept is the JSON that a struct was read from, given a pointer to it; nil if it keeps
	// none.
	Kept func(pointer any) []byte
	// Read makes a struct of the JSON that Kept returned, and returns a pointer to it. The
	// struct itself keeps nothing, but what is inside it does.
	Read func(t reflect.Type, data []byte) (pointer any, err error)

	plans sync.Map // of reflect.Type to *plan
	walks sync.Pool
}

// Result is a value as JSON, and what was found on the way.
type Result struct {
	JSON []byte
	// Secrets are the texts that were revealed, without the empty one.
	Secrets []string
	// Withheld are the paths at which a withheld secret was written as null, for example
	// environmentVariables[2].value. The path of the whole value is $.
	Withheld []string
}

// mostKept is the size in bytes up to which a buffer is kept for the next call.
const mostKept = 64 << 10

// Encode writes v. Its errors are those of encoding/json.
func (e *Encoder) Encode(v any) (Result, error) { return e.encode(v, false) }

// EncodeHidden writes v without its secrets: null stands in their places, and the result
// names none. It is what encoding/json writes, with what structs keep.
func (e *Encoder) EncodeHidden(v any) ([]byte, error) {
	result, err := e.encode(v, true)
	return result.JSON, err
}

func (e *Encoder) encode(v any, hide bool) (Result, error) {
	w, _ := e.walks.Get().(*walk)
	if w == nil {
		w = &walk{encoder: e}
		w.json = json.NewEncoder(w)
	}
	w.hide = hide
	if err := w.dynamic(reflect.ValueOf(v)); err != nil {
		return Result{}, err
	}
	result := Result{JSON: append(make([]byte, 0, len(w.out)), w.out...), Secrets: w.secrets, Withheld: w.withheld}
	if cap(w.out) <= mostKept {
		clear(w.out) // no secret stays in memory that is not in use
		w.out, w.secrets, w.withheld = w.out[:0], nil, nil
		e.walks.Put(w)
	}
	return result, nil
}

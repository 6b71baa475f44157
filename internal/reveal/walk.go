package reveal

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// walk writes one value.
type walk struct {
	encoder  *Encoder
	hide     bool          // secrets are written as null
	json     *json.Encoder // writes to out
	out      []byte
	secrets  []string
	withheld []string
	path     []step
	depth    int
	seen     map[visit]bool
}

// Write appends what encoding/json writes.
func (w *walk) Write(p []byte) (int, error) {
	w.out = append(w.out, p...)
	return len(p), nil
}

// asJSON lets encoding/json write a value. Which methods it finds depends on whether the
// value is addressable, so addressable says what encoding/json would see by itself.
func (w *walk) asJSON(v reflect.Value, addressable bool) error {
	if addressable && v.CanAddr() {
		return w.marshal(v.Addr().Interface())
	}
	return w.marshal(v.Interface())
}

func (w *walk) marshal(v any) error {
	from := len(w.out)
	if err := w.json.Encode(v); err != nil {
		return err
	}
	written := rawjson.PlainSeparators(w.out[from : len(w.out)-1]) // without the line feed that json.Encoder adds
	w.out = w.out[:from+len(written)]
	return nil
}

func (w *walk) null() error {
	w.out = append(w.out, "null"...)
	return nil
}

// dynamic writes the value in an interface.
func (w *walk) dynamic(v reflect.Value) error {
	if !v.IsValid() {
		return w.null()
	}
	return w.encoder.planOf(v.Type()).write(w, v, false)
}

// settled returns v, or a copy of it that has an address.
func settled(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	copied := reflect.New(v.Type()).Elem()
	copied.Set(v)
	return copied
}

// hidden opens a value and writes its content.
func (w *walk) hidden(v reflect.Value, _ bool) error {
	return w.content(w.encoder.Open(settled(v).Addr().Interface(), w.hide))
}

// embedded writes a value of a type that embeds a hiding type. It first calls the method
// of the type. If the method is the one of the hiding type, it writes null, and the value
// is opened. Any other output comes from a method of the type's own and is kept.
func (w *walk) embedded(v reflect.Value, addressable bool) error {
	from := len(w.out)
	if err := w.asJSON(v, addressable); err != nil || w.hide || string(w.out[from:]) != "null" {
		return err
	}
	c := w.encoder.Open(settled(v).Addr().Interface(), false)
	if c.Kind == Value {
		return nil // the value inside is null
	}
	w.out = w.out[:from]
	return w.content(c)
}

func (w *walk) content(c Content) error {
	if w.hide && (c.Kind == Text || c.Kind == JSON || c.Kind == Withheld) {
		return w.null()
	}
	switch c.Kind {
	case Withheld:
		w.withheld = append(w.withheld, w.at())
		return w.null()
	case Text:
		if c.Text != "" {
			w.secrets = append(w.secrets, c.Text)
		}
		return w.text(c.Text)
	case JSON:
		return w.raw(c.Text)
	case Value:
		inner := reflect.ValueOf(c.Value).Elem()
		return w.encoder.planOf(inner.Type()).write(w, inner, false)
	case Encoded:
		w.out = append(w.out, c.Result.JSON...)
		w.secrets = append(w.secrets, c.Result.Secrets...)
		for _, path := range c.Result.Withheld {
			w.withheld = append(w.withheld, Under(w.at(), path))
		}
		return nil
	}
	return w.null()
}

// Under returns a path that is relative to a value, given the path of that value.
func Under(outer, path string) string {
	switch {
	case outer == "$":
		return path
	case path == "$":
		return outer
	case path[0] == '[':
		return outer + path
	}
	return outer + "." + path
}

// raw writes secret JSON. The error for invalid JSON shows nothing of it.
func (w *walk) raw(text string) error {
	var value any
	if !json.Valid([]byte(text)) {
		return errors.New("json: the text of a SecretJSON is not valid JSON")
	}
	if json.Unmarshal([]byte(text), &value) == nil { // fails for numbers outside the range of float64
		w.reportTexts(value)
	}
	w.out = append(w.out, rawjson.Compact([]byte(text))...)
	return nil
}

// reportTexts reports the strings in JSON as secrets. It does not report the names of
// members: they are ordinary words, and scrubbing them would damage error texts.
func (w *walk) reportTexts(value any) {
	switch v := value.(type) {
	case string:
		if v != "" {
			w.secrets = append(w.secrets, v)
		}
	case []any:
		for _, item := range v {
			w.reportTexts(item)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			w.reportTexts(v[name])
		}
	}
}

// text writes a string. Plain strings are copied; encoding/json escapes the others.
func (w *walk) text(s string) error {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return w.marshal(s)
		}
	}
	w.out = append(append(append(w.out, '"'), s...), '"')
	return nil
}

// step is a part of a path: the name of a member, or the index of an item.
type step struct {
	name  string
	index int // from 0; -1 for a member
}

// at returns the path of the value that is written.
func (w *walk) at() string {
	if len(w.path) == 0 {
		return "$"
	}
	var text []byte
	for _, s := range w.path {
		switch {
		case s.index >= 0:
			text = append(strconv.AppendInt(append(text, '['), int64(s.index), 10), ']')
		case len(text) > 0:
			text = append(append(text, '.'), s.name...)
		default:
			text = append(text, s.name...)
		}
	}
	return string(text)
}

func (w *walk) down(s step) { w.path = append(w.path, s) }
func (w *walk) up()         { w.path = w.path[:len(w.path)-1] }

// visit is a place in memory that is being written.
type visit struct {
	typ    reflect.Type
	memory unsafe.Pointer
	length int
}

// mostDepth is the depth from which the walk looks for cycles, as encoding/json does.
const mostDepth = 1000

// enter begins a pointer, a map or a slice, and leave ends it. It fails if the walk is
// already inside the same one: that is a cycle.
func (w *walk) enter(v reflect.Value) error {
	if w.depth++; w.depth <= mostDepth {
		return nil
	}
	at := visitOf(v)
	if w.seen[at] {
		return &json.UnsupportedValueError{Value: v, Str: "encountered a cycle via " + v.Type().String()}
	}
	if w.seen == nil {
		w.seen = make(map[visit]bool)
	}
	w.seen[at] = true
	return nil
}

func (w *walk) leave(v reflect.Value) {
	if w.depth--; w.depth >= mostDepth {
		delete(w.seen, visitOf(v))
	}
}

func visitOf(v reflect.Value) visit {
	at := visit{typ: v.Type(), memory: v.UnsafePointer()}
	if v.Kind() == reflect.Slice {
		at.length = v.Len()
	}
	return at
}

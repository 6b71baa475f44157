package lenient

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// WriteObject is the MarshalJSON of a struct with a field Extra, which object points to, that
// embeds nothing: it writes the fields, the members of Extra, which replace fields of the same
// name, and what was omitted if nothing else has that name. The structs with an Extra inside it are
// written in the same way, so they need no methods.
func (r *Reader) WriteObject(object any) ([]byte, error) {
	w := &writer{reader: r}
	w.encoder = json.NewEncoder(&w.out)
	w.encoder.SetEscapeHTML(false) // callers of MarshalJSON may escape it
	w.object(reflect.ValueOf(object).Elem())
	return w.out.Bytes(), w.err
}

type writer struct {
	reader  *Reader
	out     bytes.Buffer
	encoder *json.Encoder
	err     error // the first one
}

// part returns the shape of the structs in values of a type if they have an Extra, or else nil.
func (w *writer) part(t reflect.Type) *shape {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		if s := w.reader.shapeOf(t); s.extra != nil && !s.hides {
			return s
		}
	}
	return nil
}

func (w *writer) value(v reflect.Value) {
	switch t := v.Type(); {
	case w.part(t) == nil, t.Kind() != reflect.Struct && v.IsNil():
		w.encode(v.Interface())
	case t.Kind() == reflect.Pointer:
		w.value(v.Elem())
	case t.Kind() == reflect.Slice:
		w.out.WriteByte('[')
		for i := range v.Len() {
			w.comma(i > 0)
			w.value(v.Index(i))
		}
		w.out.WriteByte(']')
	default:
		w.object(v)
	}
}

func (w *writer) encode(v any) {
	err := w.encoder.Encode(v)
	if w.err == nil {
		w.err = err
	}
	w.out.Truncate(max(0, w.out.Len()-1)) // the line break
}

func (w *writer) object(v reflect.Value) {
	s := w.part(v.Type())
	extra := v.FieldByIndex(s.extra).Interface().(map[string]json.RawMessage)
	written := make([]string, 0, len(s.members))
	begin := func(name string) {
		w.comma(len(written) > 0)
		written = append(written, name)
		w.out.Write(append(rawjson.AppendText(w.out.AvailableBuffer(), name), ':'))
	}
	w.out.WriteByte('{')
	for _, f := range jsontype.Fields(v.Type()) {
		field := v.FieldByIndex(f.Index)
		if _, replaced := extra[f.Name]; !replaced && !f.Omits(field) {
			begin(f.Name)
			w.value(field)
		}
	}
	if s.omits {
		for member, value := range rawjson.Each([]byte(*v.Addr().Interface().(Omitter).itself())) {
			name := string(member)
			if _, replaced := extra[name]; !replaced && !slices.Contains(written, name) {
				begin(name)
				w.out.Write(value) // it was read, so it is valid
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		begin(name)
		w.encode(extra[name])
	}
	w.out.WriteByte('}')
}

func (w *writer) comma(needed bool) {
	if needed {
		w.out.WriteByte(',')
	}
}

package monitoring

import (
	"bytes"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// kept is embedded in types that are read and written back. It keeps the JSON that a value was
// read from. Responses always keep it. Objects inside them keep their JSON only if the fields
// do not represent all of it, so that the others are still equal to literals. A copy of the
// value has it, too. It is never changed, and fmt, log/slog and encoders do not show it. The tag
// of the embedded field is needed: encoding/json/v2 refuses embedded structs without exported
// fields.
type kept struct{ from *original }

// original is JSON as it was read. It is behind two pointers, because fmt follows one pointer
// with some verbs.
type original struct{ data *[]byte }

func newOriginal(data []byte) *original { return &original{&data} }

// keeper is a pointer to a struct that embeds kept.
type keeper interface{ keeps() *kept }

var keeperType = reflect.TypeFor[keeper]()

func (k *kept) keeps() *kept { return k }

// json returns the JSON that is kept, nil if there is none.
func (k *kept) json() []byte {
	if k.from == nil {
		return nil
	}
	return *k.from.data
}

// reader is a response that keeps the JSON that it is read from. It keeps data without a copy,
// so the caller must not change data.
type reader interface{ read(data []byte) error }

// readKeeping reads JSON into a value that keeps it. P has the fields of the type but not its
// methods. After an error the value is as it was before. null changes nothing.
func readKeeping[P any](to *P, data []byte) error {
	if rawjson.IsNull(data) {
		return nil
	}
	before := *to
	*to = *new(P)
	if err := unmarshal(data, to); err != nil {
		*to = before
		return err
	}
	data = nullForWithheld(data)
	keepInside(reflect.ValueOf(to).Elem(), data)
	any(to).(keeper).keeps().from = newOriginal(data)
	return nil
}

// nullForWithheld returns the JSON of a group or a check with null for each variable that is
// secret and empty. So a withheld value has one form in all JSON that is kept.
func nullForWithheld(data []byte) []byte {
	if !bytes.Contains(data, []byte(`""`)) { // an empty text has no other spelling
		return data
	}
	var items [][]byte
	changed := false
	for item := range rawjson.Items(rawjson.Get(data, "environmentVariables")) {
		if isEmptySecret(item) {
			item, changed = withMember(item, "value", []byte("null")), true
		}
		items = append(items, item)
	}
	if !changed {
		return data
	}
	list := append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
	return withMember(data, "environmentVariables", list)
}

// isEmptySecret reports whether the JSON of a variable has an empty value that is secret.
func isEmptySecret(variable []byte) bool {
	value := rawjson.Get(variable, "value")
	return rawjson.Kind(value) == '"' && rawjson.Text(value) == "" && string(rawjson.Get(variable, "secret")) == "true"
}

// textReader is an object whose JSON may also be a text.
type textReader interface{ readTextOrObject(data []byte) error }

// readKept is readKeeping for the encoder: only objects inside the value keep their JSON.
func readKept(t reflect.Type, data []byte) (any, error) {
	v := reflect.New(t)
	if r, ok := v.Interface().(textReader); ok {
		return v.Interface(), r.readTextOrObject(data)
	}
	if err := unmarshal(data, v.Interface()); err != nil {
		return nil, err
	}
	keepInside(v.Elem(), data)
	return v.Interface(), nil
}

// plainContent gives the encoder a value without its methods, to be written by its fields.
func plainContent[T, P any](value *T, plain *P) reveal.Content {
	if value == nil {
		return reveal.Content{Kind: reveal.Null}
	}
	return reveal.Content{Kind: reveal.Value, Value: plain}
}

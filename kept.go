package monitoring

import (
	"bytes"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// kept is embedded in types that are read and written back; see package keep. Responses always
// keep their JSON. Objects inside them keep theirs only if the fields do not represent all of it,
// so that the others are still equal to literals.
type kept = keep.JSON

// keeping reads values that keep their JSON.
var keeping = &keep.Types{
	Decode: unmarshal,
	Clean:  nullForWithheld,
	Traits: func(t reflect.Type) keep.Traits {
		pointer := reflect.New(t).Interface()
		_, orText := pointer.(textReader)
		traits := keep.Traits{Any: t == secretJSONType, Secret: t == reflect.TypeFor[Secret](), Text: t == reflect.TypeFor[Timestamp](), OrText: orText}
		if _, ok := pointer.(nullable); ok {
			traits.Inner = func(pointer any) any { return pointer.(nullable).inner() }
		}
		return traits
	},
}

// reader is a response that keeps the JSON that it is read from. It keeps data without a copy,
// so the caller must not change data.
type reader interface{ read(data []byte) error }

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

// readKept reads a value for the encoder: only objects inside the value keep their JSON.
func readKept(t reflect.Type, data []byte) (any, error) {
	v := reflect.New(t).Interface()
	if r, ok := v.(textReader); ok {
		return v, r.readTextOrObject(data)
	}
	if err := unmarshal(data, v); err != nil {
		return nil, err
	}
	keeping.Inside(v, data)
	return v, nil
}

// plainContent gives the encoder a value without its methods, to be written by its fields.
func plainContent[T, P any](value *T, plain *P) reveal.Content {
	if value == nil {
		return reveal.Content{Kind: reveal.Null}
	}
	return reveal.Content{Kind: reveal.Value, Value: plain}
}

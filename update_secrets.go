package monitoring

import (
	"bytes"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// keepSecrets refuses to overwrite secrets that the service withholds. If a list or an object
// with such secrets is changed, each of them needs a value.
func (b *requestBody) keepSecrets(v *violations) {
	source, body := originOf(b.update), nullForWithheld(b.json)
	for _, place := range secretPlaces {
		was := place.withheld(source)
		sent, cleared := place.in(body)
		leftOut := rawjson.Get(body, place.path[0]) == nil && slices.Contains(b.merged.left, place.path[0])
		if len(was) == 0 || cleared || leftOut {
			continue
		}
		given := func(value []byte) bool { // in a variable the empty text means withheld
			return rawjson.Kind(value) == '"' && (rawjson.Text(value) != "" || place.path[0] != "environmentVariables")
		}
		for _, name := range place.secrets(sent, given) {
			if i := slices.Index(was, name); i >= 0 {
				was = slices.Delete(was, i, i+1)
			}
		}
		if len(was) > 0 {
			v.always(strings.Join(place.path, "."), "would overwrite what the service withholds (%s): "+
				"give each a value with NewSecret, or leave %s as it was read", strings.Join(was, ", "), place.path[0])
		}
	}
}

// secretPlace is a part of a body that has secrets: a list of items with a key and a value, or
// an object with a user name and a password.
type secretPlace struct {
	path []string
	list bool
}

var secretPlaces = []secretPlace{
	{[]string{"environmentVariables"}, true},
	{[]string{"apiCheckDefaults", "headers"}, true},
	{[]string{"apiCheckDefaults", "queryParameters"}, true},
	{[]string{"apiCheckDefaults", "basicAuth"}, false},
}

// in returns the list or object of the place, and whether the body clears it.
func (p secretPlace) in(body []byte) (value []byte, cleared bool) {
	value = body
	for _, name := range p.path {
		value = rawjson.Get(value, name)
	}
	for range rawjson.Items(value) {
		return value, false
	}
	return value, rawjson.IsNull(value) || p.list && value != nil
}

// secrets returns the names of the secrets in a place whose value f accepts.
func (p secretPlace) secrets(place []byte, f func(value []byte) bool) []string {
	if !p.list {
		if rawjson.Kind(place) == '{' && f(rawjson.Get(place, "password")) {
			return []string{"password"}
		}
		return nil
	}
	var names []string
	for item := range rawjson.Items(place) {
		if f(rawjson.Get(item, "value")) {
			names = append(names, rawjson.Text(rawjson.Get(item, "key")))
		}
	}
	return names
}

// withheld returns the names of the secrets of the place that were withheld in a response.
func (p secretPlace) withheld(source []byte) []string {
	value, _ := p.in(source)
	return p.secrets(value, func(value []byte) bool { return value == nil || rawjson.IsNull(value) })
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
			item, changed = rawjson.With(item, "value", []byte("null")), true
		}
		items = append(items, item)
	}
	if !changed {
		return data
	}
	list := append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
	return rawjson.With(data, "environmentVariables", list)
}

// isEmptySecret reports whether the JSON of a variable has an empty value that is secret.
func isEmptySecret(variable []byte) bool {
	value := rawjson.Get(variable, "value")
	return rawjson.Kind(value) == '"' && rawjson.Text(value) == "" && string(rawjson.Get(variable, "secret")) == "true"
}

package monitoring

import (
	"bytes"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// secretPlaces are the parts of bodies in which the service withholds secrets.
var secretPlaces = []updates.Place{
	{Path: []string{"environmentVariables"}, List: true, EmptyIsWithheld: true},
	{Path: []string{"apiCheckDefaults", "headers"}, List: true},
	{Path: []string{"apiCheckDefaults", "queryParameters"}, List: true},
	{Path: []string{"apiCheckDefaults", "basicAuth"}},
}

// keepSecrets refuses to overwrite secrets that the service withholds.
func (b *requestBody) keepSecrets(v *violations) {
	sent := nullForWithheld(b.json)
	for _, place := range secretPlaces {
		if lost := b.merged.Overwritten(place, b.origin, sent); len(lost) > 0 {
			v.always(strings.Join(place.Path, "."), "would overwrite what the service withholds (%s): "+
				"give each a value with NewSecret, or leave %s as it was read", strings.Join(lost, ", "), place.Path[0])
		}
	}
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

package updates

import (
	"bytes"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Place is a part of a body that has secrets: a list of items with a key and a value, or an object
// with a user name and a password.
type Place struct {
	Path []string
	List bool
	// EmptyIsWithheld says that the empty text is no value for a secret.
	EmptyIsWithheld bool
	// Remedy says how each secret gets its value.
	Remedy string
}

// overwritten returns the names of the withheld secrets of the place that a body would overwrite.
// was and sent are the member that has the place, as it was read and in the body. If a list or an
// object with such secrets is changed, each of them needs a value, unless it may be removed.
func (p Place) overwritten(was, sent []byte, removed []string) []string {
	withheld := p.secrets(p.in(was), func(value []byte) bool { return value == nil || rawjson.IsNull(value) })
	if p.List && len(p.Path) == 1 && len(withheld) > 0 {
		may := set(removed)
		withheld = slices.DeleteFunc(withheld, func(key string) bool { return may[key] })
	}
	if len(withheld) == 0 {
		return nil
	}
	value := p.in(sent)
	if rawjson.IsNull(value) || p.List && value != nil && len(itemsOf(value)) == 0 {
		return nil
	}
	given := func(value []byte) bool {
		return rawjson.Kind(value) == '"' && !(p.EmptyIsWithheld && rawjson.Text(value) == "")
	}
	times := make(map[string]int) // that a value is given for a name, which several items may have
	for _, name := range p.secrets(value, given) {
		times[name]++
	}
	return slices.DeleteFunc(withheld, func(name string) bool {
		times[name]--
		return times[name] >= 0
	})
}

// in returns the list or object of the place, given the member that has it.
func (p Place) in(value []byte) []byte {
	for _, name := range p.Path[1:] {
		value = rawjson.Get(value, name)
	}
	return value
}

// secrets returns the names of the secrets in a place whose value f accepts.
func (p Place) secrets(place []byte, f func(value []byte) bool) []string {
	if !p.List {
		if rawjson.Kind(place) == '{' && f(rawjson.Get(place, "password")) {
			return []string{"password"}
		}
		return nil
	}
	var names []string
	for item := range rawjson.Items(place) {
		if rawjson.Kind(item) == '{' && f(rawjson.Get(item, "value")) {
			names = append(names, rawjson.Text(rawjson.Get(item, "key")))
		}
	}
	return names
}

// paths returns where the secrets with some names are, given the member that has the place.
func (p Place) paths(member []byte, names []string) (paths []string) {
	at := strings.Join(p.Path, ".")
	if !p.List {
		return []string{at + ".password"}
	}
	named, index := set(names), 0
	for item := range rawjson.Items(p.in(member)) {
		if named[rawjson.Text(rawjson.Get(item, "key"))] {
			paths = append(paths, rawjson.Step{Index: index}.After(at)+".value")
		}
		index++
	}
	return paths
}

// NullForWithheld returns the JSON of a group or a check with null for each variable that is
// secret and empty. So a withheld value has one form in all JSON that is kept.
func NullForWithheld(data []byte) []byte {
	if !mayHaveEmptyValue(data) {
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
	return rawjson.With(data, "environmentVariables", listOf(items))
}

// mayHaveEmptyValue reports whether an empty text is written behind the name "value", or a name may
// be spelled with escapes. It is much faster than a walk, and most objects have empty texts
// elsewhere.
func mayHaveEmptyValue(data []byte) bool {
	if bytes.Contains(data, []byte(`\u`)) {
		return true
	}
	for {
		before, behind, found := bytes.Cut(data, []byte(`""`))
		if !found {
			return false
		}
		if bytes.HasSuffix(bytes.TrimRight(before, " \t\r\n:"), []byte(`"value"`)) {
			return true
		}
		data = behind
	}
}

// isEmptySecret reports whether the JSON of a variable has an empty value that is secret.
func isEmptySecret(variable []byte) bool {
	return string(rawjson.Get(variable, "value")) == `""` && string(rawjson.Get(variable, "secret")) == "true"
}

func set(names []string) map[string]bool {
	has := make(map[string]bool, len(names))
	for _, name := range names {
		has[name] = true
	}
	return has
}

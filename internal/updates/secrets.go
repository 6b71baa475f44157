package updates

import (
	"bytes"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Place is a part of a body that has secrets: a list of items with a key and a value, or an object
// with a user name and a password.
type Place struct {
	Path []string
	List bool
	// EmptyIsWithheld says that the empty text is no value for a secret.
	EmptyIsWithheld bool
}

// Overwritten returns the names of the withheld secrets of a place that a body would overwrite. If
// a list or an object with such secrets is changed, each of them needs a value, unless it may be
// removed.
func (u *Update) Overwritten(b Body, p Place, sent []byte) []string {
	was := p.withheld(u.Read)
	if read := u.index(u.Read)[p.Path[0]]; read != nil { // also by a name in another case
		was = p.withheld(rawjson.Join([]rawjson.Member{{Name: p.Path[0], Value: read}}))
	}
	if p.List && len(p.Path) == 1 {
		removed := make(map[string]bool, len(u.Removed))
		for _, key := range u.Removed {
			removed[key] = true
		}
		was = slices.DeleteFunc(was, func(key string) bool { return removed[key] })
	}
	value, cleared := p.in(sent)
	left := rawjson.Get(sent, p.Path[0]) == nil && (u.Patches || slices.Contains(b.Left, p.Path[0]))
	if len(was) == 0 || cleared || left {
		return nil
	}
	given := func(value []byte) bool {
		return rawjson.Kind(value) == '"' && !(p.EmptyIsWithheld && rawjson.Text(value) == "")
	}
	times := make(map[string]int) // that a value is given for a name, which several items may have
	for _, name := range p.secrets(value, given) {
		times[name]++
	}
	return slices.DeleteFunc(was, func(name string) bool {
		times[name]--
		return times[name] >= 0
	})
}

// in returns the list or object of the place, and whether the body clears it.
func (p Place) in(body []byte) (value []byte, cleared bool) {
	value = body
	for _, name := range p.Path {
		value = rawjson.Get(value, name)
	}
	for range rawjson.Items(value) {
		return value, false
	}
	return value, rawjson.IsNull(value) || p.List && value != nil
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

// withheld returns the names of the secrets of the place that were withheld in a response.
func (p Place) withheld(source []byte) []string {
	value, _ := p.in(source)
	return p.secrets(value, func(value []byte) bool { return value == nil || rawjson.IsNull(value) })
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
	list := append(append([]byte{'['}, bytes.Join(items, []byte{','})...), ']')
	return rawjson.With(data, "environmentVariables", list)
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

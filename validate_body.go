package monitoring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// validateBody checks a request against all rules of its operation, without a call.
func validateBody(operation string, r request) error {
	v := &violations{}
	r.validate(v)
	body, err := newBody(r, nil)
	if err != nil {
		return fmt.Errorf("monitoring: %s: encode the body: %w", operation, err)
	}
	body.validate(v, schema.Lookup(operation).Body)
	return v.err(operation, scrub.New(body.secrets...))
}

// description returns the description of the operation's body; nil for untyped operations.
func (op *operation) description() *schema.Node {
	if o := schema.Lookup(op.String()); o != nil && !op.path.raw {
		return o.Body
	}
	return nil
}

const withheldMessage = "is withheld by the service: set it with NewSecret, or leave the list or object out"

// validate collects the violations of a body. Members that the caller did not set are not
// checked.
func (b *requestBody) validate(v *violations, node *schema.Node) {
	if node != nil && !v.lenient {
		for _, found := range b.brokenRules(node) {
			v.add(found.Path, "%s", found.Message)
		}
	}
	for _, member := range b.merged.unset {
		if !slices.ContainsFunc(b.own, func(own string) bool { return isUnder(own, member) }) {
			v.always(member, "cannot be unset: the service has no null for it; set a value, or leave it as it was read")
		}
	}
	for _, path := range b.withheld {
		v.always(path, withheldMessage)
	}
	if b.update != nil {
		b.keepSecrets(v)
	}
}

// brokenRules returns the rules that the body breaks, except for those that the response it
// was made from breaks in the same way.
func (b *requestBody) brokenRules(node *schema.Node) []schema.Violation {
	found := node.Check(b.json, schema.Client, func(member string) bool { return b.merged.unchanged[member] })
	found = slices.DeleteFunc(found, func(f schema.Violation) bool {
		return slices.Contains(b.withheld, f.Path) || slices.ContainsFunc(b.own, func(own string) bool { return isUnder(f.Path, own) })
	})
	if len(found) == 0 || b.update == nil {
		return found
	}
	before := make(map[string]int)
	for _, f := range node.Check(b.update.origin(), schema.Client, nil) {
		before[withoutIndexes(f)]++
	}
	return slices.DeleteFunc(found, func(f schema.Violation) bool {
		before[withoutIndexes(f)]--
		return before[withoutIndexes(f)] >= 0
	})
}

// withoutIndexes returns a broken rule without the indexes of list items, because items may
// have moved.
func withoutIndexes(v schema.Violation) string {
	inIndex := false
	return strings.Map(func(r rune) rune {
		inIndex = r == '[' || inIndex && r >= '0' && r <= '9'
		if inIndex && r != '[' {
			return -1
		}
		return r
	}, v.Path) + ": " + v.Message
}

// keepSecrets refuses to overwrite secrets that the service withholds. If a list or an object
// with such secrets is changed, each of them needs a value.
func (b *requestBody) keepSecrets(v *violations) {
	source, body := b.update.origin(), nullForWithheld(b.json)
	for _, place := range secretPlaces {
		was := withheldIn(source, place)
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

// leaveNothingOut refuses an update that leaves members out because of withheld secrets, or
// because it does not know them.
func (b *requestBody) leaveNothingOut(v *violations) {
	for _, member := range b.merged.left {
		if rawjson.Get(b.json, member) == nil {
			v.always(member, "is left out, because the service withholds a secret in it: give each a value with NewSecret")
		}
	}
	for _, member := range b.merged.unknown {
		if rawjson.Get(b.json, member) == nil {
			v.always(scrub.Clean(member), "is left out, because this package does not know it: send it with WithBodyMember")
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

// withheldIn returns the names of the secrets of a place that were withheld in a response.
func withheldIn(source []byte, p secretPlace) []string {
	value, _ := p.in(source)
	return p.secrets(value, func(value []byte) bool { return value == nil || rawjson.IsNull(value) })
}

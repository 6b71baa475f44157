package updates

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Member is a member that is set in a body beside the fields.
type Member struct {
	Path  []string
	Value any
}

// New returns a body with JSON that was made elsewhere, for Set.
func New(plans *jsontype.Plans, json []byte) *Body {
	return &Body{JSON: json, update: &Update{Plans: plans}}
}

// Set puts a member into the body.
func (b *Body) Set(m Member) error {
	path := strings.Join(m.Path, ".")
	value, secrets, err := b.update.write(m.Value, path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if rawjson.Kind(b.JSON) != '{' {
		return fmt.Errorf("%s: what it would be set in is not a JSON object", path)
	}
	if b.JSON, err = rawjson.Set(b.JSON, m.Path, value); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	b.set = append(b.set, path)
	b.Withheld = slices.DeleteFunc(b.Withheld, func(at string) bool { return rawjson.IsUnder(at, path) })
	b.collect(secrets, false)
	return nil
}

// Rules are what a body is held to besides that no secret is lost.
type Rules struct {
	// Lenient leaves out the rules of the description.
	Lenient bool
	// Complete refuses to leave out what the object had.
	Complete bool
}

// Broken returns the rules that the body breaks. What the caller did not set is not checked.
func (b *Body) Broken(rules Rules) []schema.Violation {
	var found []schema.Violation
	add := func(path, format string, args ...any) {
		found = append(found, schema.Violation{Path: path, Message: fmt.Sprintf(format, args...)})
	}
	if b.update.Node != nil && !rules.Lenient {
		found = b.brokenRules()
	}
	for _, member := range b.Unset {
		if !b.sets(member) && !slices.ContainsFunc(found, func(f schema.Violation) bool { return f.Path == member }) {
			add(member, "cannot be unset, because the service does not accept null: %s, or leave the field as it was read",
				toSet(b.update.Node, member))
		}
	}
	for _, member := range b.left {
		if b.update.Node.Member(member).Required && !b.sets(member) {
			add(member, "is required, and the service withholds its value: set it")
		}
	}
	var named map[string]bool // with all of their place
	if b.update.Read != nil {
		named = b.keepSecrets(add)
	}
	for _, path := range b.Withheld {
		if !named[path] {
			add(path, "has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with %s", b.update.toGive(path))
		}
	}
	if rules.Complete {
		b.leaveNothingOut(add)
	}
	for _, path := range NotUTF8(b.JSON, b.update.Read) {
		add(cmp.Or(path, "$"), "must be valid UTF-8")
	}
	return found
}

// toSet says what a member that cannot be null is set to instead.
func toSet(n *schema.Node, member string) string {
	var kinds schema.Kind
	if m := n.Member(member); m != nil {
		kinds = m.Node.KindsAt(schema.Client)
	}
	switch {
	case kinds == schema.Boolean:
		return "set it to true or false"
	case kinds&schema.Array != 0:
		return "set an empty list to remove its items"
	}
	return "set a value"
}

// toGive says what gives a secret a value, and what else there is to do about one inside of a list
// or object.
func (u *Update) toGive(path string) string {
	if strings.ContainsAny(path, ".[") {
		return "NewSecret, or omit the list or object"
	}
	if u.Node != nil {
		if m := u.Node.Member(path); m != nil && m.Node.KindsAt(schema.Client)&schema.Object != 0 {
			return "NewSecretJSON"
		}
	}
	return "NewSecret"
}

// sets reports whether Set has set what is at a path, or a part of it.
func (b *Body) sets(path string) bool {
	return slices.ContainsFunc(b.set, func(set string) bool { return rawjson.IsUnder(set, path) })
}

// brokenRules returns the rules of the description that the body breaks, except for those that the
// object that was read breaks in the same way.
func (b *Body) brokenRules() []schema.Violation {
	u := b.update
	found := u.Node.Check(b.JSON, schema.Client, b.isUnchanged)
	if len(found) == 0 {
		return nil
	}
	withheld := set(b.Withheld)
	found = slices.DeleteFunc(found, func(f schema.Violation) bool {
		return withheld[f.Path] || slices.Contains(b.left, f.Path) ||
			slices.ContainsFunc(b.set, func(set string) bool { return rawjson.IsUnder(f.Path, set) })
	})
	if len(found) == 0 || u.Read == nil {
		return found
	}
	before := make(map[string]int)
	noSetting := func(member string) bool { return u.Node.Member(member).Node.TakesNothing() }
	for _, f := range u.Node.Check(u.Read, schema.Client, noSetting) {
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

// keepSecrets refuses to overwrite secrets that the service withholds, and returns the paths of
// those that it names.
func (b *Body) keepSecrets(add func(path, format string, args ...any)) (named map[string]bool) {
	u := b.update
	sent := index(u.Node, NullForWithheld(b.JSON))
	for _, place := range u.Secrets {
		top := place.Path[0]
		value := sent.get(top)
		if value == nil && (u.Patches || slices.Contains(b.left, top)) {
			continue
		}
		if lost := place.overwritten(u.members().get(top), value, u.Removed); len(lost) > 0 {
			add(strings.Join(place.Path, "."), "would overwrite secrets that the service withholds (%s): %s, or leave %s as it was read",
				strings.Join(lost, ", "), place.Remedy, top)
			if named == nil {
				named = make(map[string]bool)
			}
			maps.Copy(named, set(place.paths(value, lost)))
		}
	}
	return named
}

// LeftOut returns the members that the update leaves out although the object had them.
func (b *Body) LeftOut() []string {
	names := slices.Clip(b.left)
	for _, name := range slices.Concat(b.unknown, b.absent) {
		names = append(names, scrub.Clean(name))
	}
	return names
}

// leaveNothingOut refuses to leave members out because of withheld secrets, or because the update
// does not know them.
func (b *Body) leaveNothingOut(add func(path, format string, args ...any)) {
	sent := rawjson.Index(b.JSON)
	for _, left := range []struct {
		names  []string
		reason string
	}{
		{b.left, "would be omitted, because the service withholds a secret in it: give each a value with NewSecret"},
		{b.unknown, "would be omitted, because this package does not know it: send it with WithBodyField"},
		{b.absent, "would be omitted, because the object was read without it: set it, or send it with WithBodyField"},
	} {
		for _, name := range left.names {
			if sent[name] == nil {
				add(scrub.Clean(name), "%s", left.reason)
			}
		}
	}
}

// NotRestored returns what an edit leaves out because of a withheld secret although the object
// differs there from what the update was made from. If it changes nothing else, nothing would be
// written, which must not look like a success.
func (b *Body) NotRestored() (broken []schema.Violation) {
	for _, member := range b.notRestored(b.update.There.members()) {
		broken = append(broken, schema.Violation{Path: member,
			Message: "cannot be restored, because the service withholds a secret in it: give each a value with NewSecret"})
	}
	return broken
}

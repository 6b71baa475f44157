package monitoring

import (
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// reader is a response that keeps the JSON that it is read from. It keeps data without a copy,
// so the caller must not change data.
type reader interface{ read(data []byte) error }

// keeping reads and writes values that keep their JSON, or have secrets. It is a literal without
// calls, so that a program that neither writes nor reads back does not contain what it refers to.
var keeping = &keep.Types{Owns: isOfPackage, Decode: unmarshal, Plans: &plans, Clean: cleaned, Traits: traitsOf}

// plans says how objects and the fields of updates are written. It is a literal without calls, too,
// and no pointer: then the linker sees who uses it.
var plans = jsontype.Plans{Traits: planTraitsOf}

// planTraitsOf asks the methods of a type.
func planTraitsOf(t reflect.Type) jsontype.Traits {
	traits := jsontype.Traits{Meaning: meaningOf(t)}
	pointer := reflect.New(t).Interface()
	if t.PkgPath() != packagePath {
		return traits
	}
	if _, ok := pointer.(revealer); ok {
		traits.Reveal = func(pointer any) (string, bool) { return pointer.(revealer).revealed() }
	}
	if _, ok := pointer.(nullable); ok {
		traits.Inner = func(pointer any) (any, bool) {
			n := pointer.(nullable).parts()
			return n.value, n.hasValue()
		}
	}
	if _, ok := pointer.(textual); ok {
		traits.Text = func(pointer any) (string, bool) { return pointer.(textual).asText() }
	}
	if _, ok := pointer.(blank); ok {
		traits.Blank = func(pointer any) bool { return pointer.(blank).isWithheld() }
	}
	_, traits.Completes = pointer.(keeper)
	if r, ok := pointer.(interface{ readAs() []string }); ok {
		traits.ReadAs = r.readAs()
	}
	return traits
}

type (
	// revealer is a secret. The text of one that takes any JSON is JSON.
	revealer interface {
		revealed() (text string, withheld bool)
	}
	// textual is an object that may be written as a text instead.
	textual interface {
		asText() (text string, ok bool)
	}
	// blank is an object whose secrets may be withheld although they have a text.
	blank interface{ isWithheld() bool }
)

// cleaned returns the JSON of an object as it is kept: a withheld value has one form in it, and
// nothing in it can be taken for a plan.
func cleaned(data []byte) []byte {
	if rawjson.Get(data, planMember) != nil {
		isPlan := func(m rawjson.Member) bool { return m.Name == planMember }
		data = rawjson.Join(slices.DeleteFunc(rawjson.Members(data), isPlan))
	}
	return updates.NullForWithheld(data)
}

func isOfPackage(t reflect.Type) bool { return t.PkgPath() == packagePath }

func traitsOf(t reflect.Type) keep.Traits {
	pointer := reflect.New(t).Interface()
	_, orText := pointer.(interface{ mayBeText() })
	traits := keep.Traits{Meaning: meaningOf(t), Text: t == reflect.TypeFor[Timestamp](), OrText: orText}
	if t.PkgPath() != packagePath { // such as a struct that embeds a type of this package
		return traits
	}
	if _, ok := pointer.(ofSeveralKinds); ok {
		traits.AsKind = func(pointer any) any { return pointer.(ofSeveralKinds).asKind() }
	}
	if k, ok := pointer.(interface{ kinds() []reflect.Type }); ok {
		traits.Kinds = k.kinds()
	}
	n, isNullable := pointer.(nullable)
	if isNullable {
		traits.Inner = func(pointer any) any { return pointer.(nullable).parts().value }
	}
	if _, ok := pointer.(opener); ok {
		traits.Open = func(pointer any) ([]string, error) { return pointer.(opener).open() }
	}
	if _, ok := pointer.(withholder); ok {
		traits.Withheld = func(pointer any) []string { return pointer.(withholder).withheld() }
	} else if isNullable && n.parts().valueType() == reflect.TypeFor[Secret]() {
		traits.Withheld = func(pointer any) []string { return pointer.(nullable).parts().withheld() }
	}
	return traits
}

// opener is a type whose copy must be prepared before it is sent; see keep.Traits.
type opener interface {
	open() (texts []string, err error)
}

// withoutNull returns an object without a member, if that is null.
func withoutNull(object []byte, member string) []byte {
	if value := rawjson.Get(object, member); value == nil || !rawjson.IsNull(value) {
		return object
	}
	return rawjson.Join(slices.DeleteFunc(rawjson.Members(object), func(m rawjson.Member) bool { return m.Name == member }))
}

// secretPlaces are the parts of bodies in which the service withholds secrets.
var secretPlaces = []updates.Place{
	{Path: []string{"environmentVariables"}, List: true, EmptyIsWithheld: true,
		Remedy: "give each a value with SetVariable, remove it with RemoveVariable"},
	{Path: []string{"apiCheckDefaults", "headers"}, List: true, Remedy: giveEach},
	{Path: []string{"apiCheckDefaults", "queryParameters"}, List: true, Remedy: giveEach},
	{Path: []string{"apiCheckDefaults", "basicAuth"}, Remedy: giveEach},
	{Path: []string{"request", "headers"}, List: true, Remedy: giveEach},
	{Path: []string{"request", "queryParameters"}, List: true, Remedy: giveEach},
	{Path: []string{"request", "basicAuth"}, Remedy: giveEach},
}

const giveEach = "give each a value with NewSecret"

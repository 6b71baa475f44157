package monitoring

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// kept is embedded in types that are read and written back; see package keep. Responses always
// keep their JSON. Objects inside them keep theirs only if the fields do not represent all of it,
// so that the others are still equal to literals.
type kept = keep.JSON

// keeper is a pointer to a struct that embeds kept.
type keeper interface{ keep.Keeper }

// reader is a response that keeps the JSON that it is read from. It keeps data without a copy,
// so the caller must not change data.
type reader interface{ read(data []byte) error }

// keeping reads and writes values that keep their JSON, or have secrets.
var keeping = &keep.Types{
	Owns:   func(t reflect.Type) bool { return t.PkgPath() == packagePath },
	Decode: unmarshal,
	Clean:  nullForWithheld,
	Traits: func(t reflect.Type) keep.Traits {
		pointer := reflect.New(t).Interface()
		_, orText := pointer.(*RetryStrategy)
		traits := keep.Traits{
			Any: t == secretJSONType, Text: t == reflect.TypeFor[Timestamp](), Secret: t == reflect.TypeFor[Secret]() || t == secretJSONType, OrText: orText,
		}
		if t.PkgPath() != packagePath { // such as a struct that embeds a type of this package
			return traits
		}
		if _, ok := pointer.(nullable); ok {
			traits.Inner = func(pointer any) any { return pointer.(nullable).inner() }
		}
		if _, ok := pointer.(opener); ok {
			traits.Open = func(pointer any) ([]string, error) { return pointer.(opener).open() }
		}
		if _, ok := pointer.(withholder); ok {
			traits.Withheld = func(pointer any) []string { return pointer.(withholder).withheld() }
		}
		return traits
	},
}

type (
	// opener is a type whose copy must be prepared before it is sent; see keep.Traits.
	opener interface {
		open() (texts []string, err error)
	}
	// withholder is a type in which a secret may be withheld; see keep.Traits.
	withholder interface{ withheld() (paths []string) }
)

// updateOfRead is an update that ToUpdate can make.
type updateOfRead interface {
	// source returns what the update keeps: the response that ToUpdate started from.
	source() *kept
	// plain returns a pointer to the fields of the update, without its methods.
	plain() any
	// asRead returns plain of the update that ToUpdate makes if nothing is changed.
	asRead() any
	// response returns the type that the update is made of.
	response() reflect.Type
	operation() string
}

// updateOf returns the update for package updates.
func updateOf(u updateOfRead) *updates.Update {
	return &updates.Update{
		Types: keeping, Node: schema.Lookup(u.operation()).Body, Object: u.response(),
		Read: keep.Of(*u.source()), Fields: u.plain(), AsRead: u.asRead,
		AsTyped: func(member string, read []byte) bool { // the update of a group does not accept sslCertificates
			return member == "alertSettings" && bytes.Contains(read, []byte("sslCertificates"))
		},
	}
}

// marshalUpdate is the MarshalJSON of an update: the body that is sent, with null for each secret
// outside of a copy in which they are open.
func marshalUpdate(u updateOfRead) ([]byte, error) {
	body, err := updateOf(u).Body(!keep.IsOpen(*u.source()))
	return body.JSON, err
}

// openUpdate marks an update that is a copy in which secrets are open.
func openUpdate(u updateOfRead) ([]string, error) {
	*u.source() = keep.Open(*u.source())
	return nil, nil
}

// withheldIn returns the paths of withheld secrets in the body of an update.
func withheldIn(u updateOfRead) []string {
	body, _ := updateOf(u).Body(false)
	return body.Withheld
}

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

// readMembers are the members of the response; nil if there was none.
type readMembers map[string][]byte

// membersRead returns the members of the response that a value keeps.
func membersRead(k kept) readMembers { return rawjson.Index(keep.Of(k)) }

// has reports whether there was a member that is not null.
func (r readMembers) has(member string) bool {
	value := r[member]
	return value != nil && !rawjson.IsNull(value)
}

// carry returns v for an update if the response had it, or if it was set since.
func carry[T comparable](r readMembers, member string, v T) *T {
	var zero T
	if v == zero && !r.has(member) {
		return nil
	}
	return &v
}

// carryNull is carry for a nullable member; null stays null.
func carryNull[T any](r readMembers, member string, v *T) Nullable[T] {
	switch {
	case v != nil:
		return Value(*v)
	case r[member] != nil:
		return Null[T]()
	}
	return Nullable[T]{}
}

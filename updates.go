package monitoring

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
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
		if _, ok := pointer.(united); ok {
			traits.Whole = func(pointer any) any { return pointer.(united).whole() }
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
		if _, ok := pointer.(updateOfRead); ok {
			traits.Open = func(pointer any) ([]string, error) {
				made := pointer.(updateOfRead).parts().made
				made.kept = keep.Open(made.kept)
				return nil, nil
			}
			traits.Withheld = func(pointer any) []string {
				p := pointer.(updateOfRead).parts()
				body, _ := p.Body(false)
				return body.Withheld
			}
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

// An update that ToUpdate makes joins in by one method, parts; see partsOf. Its MarshalJSON, Withheld,
// Diff and DiffFrom, and ToUpdate of its object, are one line each.
type updateOfRead interface{ parts() updateParts }

// updateParts is what the code for all updates knows of one.
type updateParts struct {
	operation string
	made      *origin
	fields    any       // a pointer to what is sent, of a type without methods
	auto      *bool     // the query parameter autoAssignAlerts
	checkType CheckType // that the object must have; "" for a group

	*updates.Update // partsOf sets it
}

// origin is what an update was made from.
type origin struct {
	kept kept // the response that ToUpdate started from; nothing for an update of the caller's own
}

type (
	// source is a pointer to an object O of which updates of type U are made.
	source[O, U any] interface {
		*O
		reader
		keeper
		update() U // the fields of the object as an update
	}
	// target is a pointer to an update.
	target[U any] interface {
		*U
		updateOfRead
	}
)

// partsOf returns the parts of an update of the object O. It completes what the update says of itself.
func partsOf[O any, P source[O, U], U any, Q target[U]](_ Q, p updateParts) updateParts {
	read := keep.Of(p.made.kept)
	p.Update = &updates.Update{
		Types: keeping, Node: schema.Lookup(p.operation).Body, Object: reflect.TypeFor[O](), Read: read, Fields: p.fields,
		AsRead: func() any {
			var from P = new(O)
			if from.read(read) != nil {
				return nil // does not happen: the same JSON was decoded before
			}
			u := from.update()
			return Q(&u).parts().fields
		},
		AsTyped: func(member string, read []byte) bool { // the update of a group does not accept sslCertificates
			return member == "alertSettings" && bytes.Contains(read, []byte("sslCertificates"))
		},
	}
	return p
}

// toUpdate is the ToUpdate of an object.
func toUpdate[O any, P source[O, U], U any, Q target[U]](object P) U {
	u := object.update()
	Q(&u).parts().made.kept = keep.Kept(object)
	keeping.Copy(&u)
	return u
}

// marshalUpdate is the MarshalJSON of an update: the body that is sent, with null for each secret
// outside of a copy in which they are open.
func marshalUpdate(u updateOfRead) ([]byte, error) {
	p := u.parts()
	body, err := p.Body(!keep.IsOpen(p.made.kept))
	return body.JSON, err
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

// editObject reads an object, lets a function change its update, and writes it if that changes anything.
// what names the object for errors, get reads it, and put sends the update.
func editObject[O any, P source[O, U], U any, Q target[U]](what string, change func(Q) error, opts []CallOption,
	get func([]CallOption) (P, error), put func(U, []CallOption) (P, error)) (P, error) {
	if change == nil {
		return nil, fmt.Errorf("monitoring: edit %s: %w", what, errors.New("the function is nil"))
	}
	var sets bool // whether WithBodyMember is given, which is for the update only
	object, err := get(append(opts[:len(opts):len(opts)], callOption(func(c *callSettings) error {
		sets, c.members = len(c.members) > 0, nil
		return nil
	})))
	if err != nil {
		return nil, err
	}
	update := toUpdate[O, P, U, Q](object)
	present := Q(&update).parts()
	if is := CheckType(rawjson.Text(rawjson.Get(present.Read, "checkType"))); is != "" && is != cmp.Or(present.checkType, is) {
		return nil, fmt.Errorf("monitoring: edit %s: %w", what, fmt.Errorf("its type is %s, want %s; nothing was written", scrub.Clean(string(is)), present.checkType))
	}
	if err := change(&update); err != nil {
		return nil, fmt.Errorf("monitoring: edit %s: %w", what, err)
	}
	now := toUpdate[O, P, U, Q](object)
	if p := Q(&update).parts(); !sets && !changes(p, Q(&now).parts()) {
		if err := notWritten(p, keep.Of(keep.Kept(object))).err(p.operation, scrub.New()); err != nil {
			return nil, err
		}
		return object, nil
	}
	return put(update, opts)
}

// changes reports whether an update would change anything of the object that was read, whose update
// is present. An edit may have put another update in place of it, such as that of a snapshot.
func changes(u, present updateParts) bool {
	if u.Read == nil || u.auto != nil {
		return true
	}
	body, err := u.Body(false)
	if err != nil || len(body.Unset)+len(body.Withheld) > 0 {
		return true // the call says what is wrong
	}
	if u.made.kept != present.made.kept {
		return len(u.DiffFrom(present.Update)) > 0
	}
	return body.Changed > 0
}

// notWritten finds what an update of another state of the object, such as a snapshot, leaves out
// although the object differs from that state there. If nothing else differs, nothing would be
// written, which must not look like a success.
func notWritten(u updateParts, now []byte) *violations {
	v := &violations{}
	for _, member := range u.NotRestored(now) {
		v.always(member, "is not restored, because the service withholds a secret in it: give each a value with NewSecret")
	}
	return v
}

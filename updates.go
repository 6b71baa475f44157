package monitoring

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
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
	// asRead returns the update that ToUpdate makes if nothing is changed.
	asRead() updateOfRead
	// response returns the type that the update is made of.
	response() reflect.Type
	operation() string
}

// originOf returns the JSON of the response that ToUpdate started from; nil if there is none.
func originOf(u updateOfRead) []byte { return keep.Of(*u.source()) }

// merged is the body of an update that ToUpdate made.
type merged struct {
	keep.Result
	unchanged map[string]bool // members that have not changed since they were read
	changed   int             // how many changed members are sent
	unset     []string        // members that were set to nil although they cannot be null
	left      []string        // members that are left out, because the service withholds a secret in them
	unknown   []string        // members of the response that are left out, because the update does not know them
}

// sentFor returns what is sent for an update. With hide, secrets are null.
func sentFor(u updateOfRead, hide bool) (merged, error) {
	now, err := encodeFields(u, hide)
	if err != nil || originOf(u) == nil {
		return merged{Result: now}, err
	}
	original := u.asRead()
	if original == nil {
		return merged{}, errors.New("the JSON that ToUpdate started from cannot be decoded; read the object again")
	}
	was, err := encodeFields(original, hide)
	if err != nil {
		return merged{}, err
	}
	open, wasOpen := now, was
	if hide { // a changed secret is seen only in the open
		if open, err = encodeFields(u, false); err != nil {
			return merged{}, err
		}
		if wasOpen, err = encodeFields(original, false); err != nil {
			return merged{}, err
		}
	}
	held := holders(wasOpen)
	m := merged{Result: now, unchanged: make(map[string]bool), unknown: unknownIn(u)}
	for _, member := range held {
		if rawjson.Equal(rawjson.Get(open.JSON, member), rawjson.Get(wasOpen.JSON, member)) {
			m.left = append(m.left, member)
		}
	}
	m.Withheld = slices.DeleteFunc(m.Withheld, func(path string) bool { return slices.Contains(m.left, topMember(path)) })
	m.merge(u, was.JSON, held, hide)
	return m, nil
}

// merge makes the body of an update. was is the JSON of the update as ToUpdate made it, and held
// are the members of it in which a secret is withheld. Each member is sent by the first of these
// rules that fits:
//
//	it has a withheld secret, and is unchanged       left out
//	it has a withheld secret, and is set to nil      refused
//	it is unchanged                                  sent as it was read
//	a list that had items is set to nil              sent as []
//	a member that may be null is set to nil          sent as null
//	another member is set to nil                     refused
//	it is changed                                    sent as it is
func (m *merged) merge(u updateOfRead, was []byte, held []string, hide bool) {
	node, source := schema.Lookup(u.operation()).Body, originOf(u)
	var body []rawjson.Member
	values, befores, read := rawjson.Index(m.JSON), rawjson.Index(was), rawjson.Index(source)
	for _, member := range membersOf(node, m.JSON, was, source) {
		value, before := values[member], befores[member]
		nullable := node.Member(member).Node.Nullable()
		unset := value == nil
		switch {
		case slices.Contains(m.left, member):
			m.unchanged[member], value = true, nil
		case unset && slices.Contains(held, member):
			m.unset = append(m.unset, member)
		case rawjson.Equal(value, before), unset && rawjson.IsNull(before), unset && string(before) == "[]":
			m.unchanged[member], value = true, sentAsRead(read[member], member, before, nullable, hide)
		case unset && rawjson.Kind(before) == '[':
			value = []byte("[]")
		case unset && nullable:
			value = []byte("null")
		case unset:
			m.unset = append(m.unset, member)
		}
		if value == nil {
			continue
		}
		if !m.unchanged[member] {
			m.changed++
		}
		body = append(body, rawjson.Member{Name: member, Value: rawjson.Compact(value)})
	}
	m.JSON = rawjson.Join(body)
}

// sentAsRead returns the value that is sent for an unchanged member; nil sends nothing.
func sentAsRead(read []byte, member string, typed []byte, nullable, hide bool) []byte {
	switch {
	case read == nil, rawjson.IsNull(read) && !nullable:
		return nil
	case member == "alertSettings" && bytes.Contains(read, []byte("sslCertificates")):
		return typed // the update of a group does not accept sslCertificates
	case hide && strings.IndexByte("{[", rawjson.Kind(read)) >= 0:
		return typed // the JSON that was read may contain secrets
	}
	return read
}

// encodeFields writes the fields of an update.
func encodeFields(u updateOfRead, hide bool) (keep.Result, error) {
	if hide {
		data, err := keeping.Hidden(u.plain())
		return keep.Result{JSON: data}, err
	}
	return keeping.Encode(u.plain())
}

// holders returns the members of an update in which a secret is withheld.
func holders(encoded keep.Result) []string {
	var members []string
	for _, path := range encoded.Withheld {
		if member := topMember(path); !slices.Contains(members, member) {
			members = append(members, member)
		}
	}
	return members
}

// topMember returns the member with which a JSON path begins.
func topMember(path string) string {
	if end := strings.IndexAny(path, ".["); end >= 0 {
		return path[:end]
	}
	return path
}

// membersOf returns the members of an update, in the order of the first object. Of the
// response it adds only members that were null, because the fields of an update may not
// distinguish null from absent.
func membersOf(node *schema.Node, now, was, source []byte) []string {
	var names []string
	for i, object := range [][]byte{now, was, source} {
		for name, value := range rawjson.Each(object) {
			if i == 2 && (!rawjson.IsNull(value) || node.Member(string(name)) == nil) {
				continue
			}
			if !slices.Contains(names, string(name)) {
				names = append(names, string(name))
			}
		}
	}
	return names
}

// marshalUpdate is the MarshalJSON of an update: the body that is sent, with null for each secret
// outside of a copy in which they are open.
func marshalUpdate(u updateOfRead) ([]byte, error) {
	m, err := sentFor(u, !keep.IsOpen(*u.source()))
	return m.JSON, err
}

// openUpdate marks an update that is a copy in which secrets are open.
func openUpdate(u updateOfRead) ([]string, error) {
	*u.source() = keep.Open(*u.source())
	return nil, nil
}

// withheldIn returns the paths of withheld secrets in the body of an update.
func withheldIn(u updateOfRead) []string {
	m, _ := sentFor(u, false)
	return m.Withheld
}

// leftOut returns the members that an update leaves out although the response had them.
func leftOut(u updateOfRead) []string {
	m, _ := sentFor(u, false)
	for _, name := range m.unknown {
		m.left = append(m.left, scrub.Clean(name))
	}
	return m.left
}

// unknownIn returns the members of the response that no update sends although they have a value,
// without those that only responses have. A member that differs only in case from one of the
// update is read like it, but not sent, so it is among them.
func unknownIn(u updateOfRead) []string {
	node, source := schema.Lookup(u.operation()).Body, originOf(u)
	values := rawjson.Index(source)
	onlyRead := func(name string) bool {
		return slices.ContainsFunc(jsontype.Fields(u.response()), func(f jsontype.Field) bool {
			return strings.EqualFold(f.Name, name) && node.Member(f.Name) == nil
		})
	}
	var names []string
	for name := range rawjson.Each(source) {
		name := string(name)
		value, first := values[name]
		delete(values, name) // a member may be there several times
		if first && !rawjson.IsNull(value) && node.Member(name) == nil && !onlyRead(name) {
			names = append(names, name)
		}
	}
	return names
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

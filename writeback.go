package monitoring

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/reveal"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// updateOfRead is an update that ToUpdate can make.
type updateOfRead interface {
	// origin returns the JSON of the response that ToUpdate started from; nil if there is none.
	origin() []byte
	// plain returns a pointer to the fields of the update, without its methods.
	plain() any
	// asRead returns the update that ToUpdate makes if nothing is changed.
	asRead() updateOfRead
	// response returns the type that the update is made of.
	response() reflect.Type
	operation() string
}

// merged is the body of an update that ToUpdate made.
type merged struct {
	reveal.Result
	unchanged map[string]bool // members that have not changed since they were read
	changed   int             // how many changed members are sent
	unset     []string        // members that were set to nil although they cannot be null
	left      []string        // members that are left out, because the service withholds a secret in them
	unknown   []string        // members of the response that are left out, because the update does not know them
}

// merge makes the body of an update. Members that the caller did not change are sent as they
// were read, or left out if the service withholds a secret in them.
func merge(u updateOfRead, hide bool) (merged, error) {
	now, err := encodeUpdate(u.plain(), false)
	if err != nil {
		return merged{}, err
	}
	original := u.asRead()
	if original == nil {
		return merged{}, errors.New("the JSON that ToUpdate started from cannot be decoded; read the object again")
	}
	was, err := encodeUpdate(original.plain(), false)
	if err != nil {
		return merged{}, err
	}
	held := holders(was)
	left := slices.DeleteFunc(slices.Clone(held), func(member string) bool {
		return !rawjson.Equal(rawjson.Get(now.JSON, member), rawjson.Get(was.JSON, member))
	})
	now.Withheld = slices.DeleteFunc(now.Withheld, func(path string) bool { return slices.Contains(left, topMember(path)) })
	if hide {
		if now, err = encodeUpdate(u.plain(), true); err != nil {
			return merged{}, err
		}
		if was, err = encodeUpdate(original.plain(), true); err != nil {
			return merged{}, err
		}
	}
	m := merged{Result: now, unchanged: make(map[string]bool), left: left, unknown: unknownIn(u)}
	node, source := schema.Lookup(u.operation()).Body, u.origin()
	var body []rawjson.Member
	values, befores, read := rawjson.Index(now.JSON), rawjson.Index(was.JSON), rawjson.Index(source)
	for _, member := range membersOf(node, now.JSON, was.JSON, source) {
		value, before := values[member], befores[member]
		nullable := node.Member(member).Node.Nullable()
		switch {
		case slices.Contains(left, member):
			m.unchanged[member], value = true, nil
		case value == nil && slices.Contains(held, member):
			m.unset = append(m.unset, member)
		case rawjson.Equal(value, before) || value == nil && (rawjson.IsNull(before) || string(before) == "[]"):
			m.unchanged[member] = true
			value = sentAsRead(read[member], member, before, nullable, hide)
		case value == nil && rawjson.Kind(before) == '[':
			value = []byte("[]")
		case value == nil && nullable:
			value = []byte("null")
		case value == nil:
			m.unset = append(m.unset, member)
		}
		if value != nil {
			if !m.unchanged[member] {
				m.changed++
			}
			body = append(body, rawjson.Member{Name: member, Value: rawjson.Compact(value)})
		}
	}
	m.JSON = rawjson.Join(body)
	return m, nil
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

func encodeUpdate(plain any, hide bool) (reveal.Result, error) {
	if hide {
		data, err := revealer.EncodeHidden(plain)
		return reveal.Result{JSON: data}, err
	}
	return revealer.Encode(plain)
}

// holders returns the members of an update in which a secret is withheld.
func holders(encoded reveal.Result) []string {
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

// openUpdate gives the encoder the body that is sent for an update.
func openUpdate(u updateOfRead, hidden bool) reveal.Content {
	if u.origin() == nil {
		return reveal.Content{Kind: reveal.Value, Value: u.plain()}
	}
	m, err := merge(u, hidden)
	if err != nil { // encoding the fields returns the same error
		return reveal.Content{Kind: reveal.Value, Value: u.plain()}
	}
	return reveal.Content{Kind: reveal.Encoded, Result: m.Result}
}

func hiddenUpdate(u updateOfRead) ([]byte, error) {
	if u.origin() == nil {
		return revealer.EncodeHidden(u.plain())
	}
	m, err := merge(u, true)
	return m.JSON, err
}

// withheldOf returns the members that an update leaves out although the response had them.
func withheldOf(u updateOfRead) []string {
	if u.origin() == nil {
		return nil
	}
	m, _ := merge(u, false)
	for _, name := range m.unknown {
		m.left = append(m.left, scrub.Clean(name))
	}
	return m.left
}

// unknownIn returns the members of the response that no update sends although they have a value,
// without those that only responses have. A member that differs only in case from one of the
// update is read like it, but not sent, so it is among them.
func unknownIn(u updateOfRead) []string {
	node, source := schema.Lookup(u.operation()).Body, u.origin()
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

// Package updates makes the body of an update of an object that was read. An update is made from the
// object: what was not changed since is sent as it was read, and a member in which the service
// withholds a secret is left out, unless every such secret is given. [Update.Body] is the body, and
// says what it leaves out and what cannot be sent. [Update.Diff] lists what it would change, without
// secrets. The package knows objects only by their JSON and the description of the body.
package updates

import (
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

// Update is an update of an object.
type Update struct {
	Types  *keep.Types
	Node   *schema.Node // of the body
	Object reflect.Type // the type of the object
	Read   []byte       // the JSON of the object that the update was made from; nil if there is none
	Fields any          // a pointer to the fields of the update
	// AsRead returns the fields of the update as it was made; nil if Read cannot be decoded.
	AsRead func() any
	// AsTyped reports whether an unchanged member is sent as its field is, not as it was read.
	AsTyped func(member string, read []byte) bool
}

// Body is the body of an update.
type Body struct {
	keep.Result
	Unchanged map[string]bool // members that have not changed since they were read
	Changed   int             // how many changed members are sent
	Unset     []string        // members that were set to nil although they cannot be null
	Left      []string        // members that are left out, because the service withholds a secret in them
	Unknown   []string        // members of the object that are left out, because the update does not know them
}

// Body returns what is sent. With hide, secrets are null.
func (u *Update) Body(hide bool) (Body, error) {
	now, err := u.encode(u.Fields, hide)
	if err != nil || u.Read == nil {
		return Body{Result: now}, err
	}
	original := u.AsRead()
	if original == nil {
		return Body{}, errors.New("the JSON that ToUpdate started from cannot be decoded; read the object again")
	}
	was, err := u.encode(original, hide)
	if err != nil {
		return Body{}, err
	}
	open, wasOpen := now, was
	if hide { // a changed secret is seen only in the open
		if open, err = u.encode(u.Fields, false); err != nil {
			return Body{}, err
		}
		if wasOpen, err = u.encode(original, false); err != nil {
			return Body{}, err
		}
	}
	held := holders(wasOpen)
	b := Body{Result: now, Unchanged: make(map[string]bool)}
	for _, member := range held {
		if rawjson.Equal(rawjson.Get(open.JSON, member), rawjson.Get(wasOpen.JSON, member)) {
			b.Left = append(b.Left, member)
		}
	}
	b.Withheld = slices.DeleteFunc(b.Withheld, func(path string) bool { return slices.Contains(b.Left, topMember(path)) })
	b.merge(u, was.JSON, held, hide)
	return b, nil
}

// encode writes fields of an update.
func (u *Update) encode(fields any, hide bool) (keep.Result, error) {
	if hide {
		data, err := u.Types.Hidden(fields)
		return keep.Result{JSON: data}, err
	}
	return u.Types.Encode(fields)
}

// merge puts the body together. was is the JSON of the update as it was made, and held are the
// members of it in which a secret is withheld. Each member is sent by the first of these
// rules that fits:
//
//	it has a withheld secret, and is unchanged       left out
//	it has a withheld secret, and is set to nil      refused
//	it is unchanged                                  sent as it was read
//	a list that had items is set to nil              sent as []
//	a member that may be null is set to nil          sent as null
//	another member is set to nil                     refused
//	it is changed                                    sent as it is
func (b *Body) merge(u *Update, was []byte, held []string, hide bool) {
	var members []rawjson.Member
	values, befores, read := rawjson.Index(b.JSON), rawjson.Index(was), rawjson.Index(u.Read)
	for _, member := range membersOf(u.Node, b.JSON, was, u.Read) {
		value, before := values[member], befores[member]
		nullable := u.Node.Member(member).Node.Nullable()
		unset := value == nil
		switch {
		case slices.Contains(b.Left, member):
			b.Unchanged[member], value = true, nil
		case unset && slices.Contains(held, member):
			b.Unset = append(b.Unset, member)
		case rawjson.Equal(value, before), unset && rawjson.IsNull(before), unset && string(before) == "[]":
			b.Unchanged[member], value = true, u.sentAsRead(member, read[member], before, nullable, hide)
		case unset && rawjson.Kind(before) == '[':
			value = []byte("[]")
		case unset && nullable:
			value = []byte("null")
		case unset:
			b.Unset = append(b.Unset, member)
		}
		if value == nil {
			continue
		}
		if !b.Unchanged[member] {
			b.Changed++
		}
		members = append(members, rawjson.Member{Name: member, Value: rawjson.Compact(value)})
	}
	b.JSON, b.Unknown = rawjson.Join(members), u.unknown(read)
}

// sentAsRead returns the value that is sent for an unchanged member; nil sends nothing.
func (u *Update) sentAsRead(member string, read, typed []byte, nullable, hide bool) []byte {
	switch {
	case read == nil, rawjson.IsNull(read) && !nullable:
		return nil
	case u.AsTyped(member, read):
		return typed
	case hide && strings.IndexByte("{[", rawjson.Kind(read)) >= 0:
		return typed // the JSON that was read may contain secrets
	}
	return read
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
// object it adds only members that were null, because the fields of an update may not
// distinguish null from absent.
func membersOf(node *schema.Node, now, was, read []byte) []string {
	var names []string
	for i, object := range [][]byte{now, was, read} {
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

// unknown returns the members of the object that no update sends although they have a value,
// without those that only objects have. A member that differs only in case from one of the
// update is read like it, but not sent, so it is among them. values are the members of the object by
// their names; those that were looked at are deleted.
func (u *Update) unknown(values map[string][]byte) []string {
	onlyRead := func(name string) bool {
		return slices.ContainsFunc(jsontype.Fields(u.Object), func(f jsontype.Field) bool {
			return strings.EqualFold(f.Name, name) && u.Node.Member(f.Name) == nil
		})
	}
	var names []string
	for _, m := range rawjson.Members(u.Read) {
		value, first := values[m.Name]
		delete(values, m.Name) // a member may be there several times
		if first && !rawjson.IsNull(value) && u.Node.Member(m.Name) == nil && !onlyRead(m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// LeftOut returns the members that the update leaves out although the object had them.
func (u *Update) LeftOut() []string {
	b, _ := u.Body(false)
	for _, name := range b.Unknown {
		b.Left = append(b.Left, scrub.Clean(name))
	}
	return b.Left
}

// NotRestored returns the members that the update leaves out because of a withheld secret, although
// the object is another one there now than when the update was made from it.
func (u *Update) NotRestored(now []byte) []string {
	b, err := u.Body(false)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(b.Left, func(member string) bool {
		return restored(rawjson.Get(u.Read, member), rawjson.Get(now, member))
	})
}

// restored reports whether a value is that of another state already. What is null or absent in
// that state, as withheld values are, may be anything.
func restored(state, now []byte) bool {
	switch rawjson.Kind(state) {
	case 'n', 0:
		return true
	case '{':
		for _, m := range rawjson.Members(state) {
			if !restored(m.Value, rawjson.Get(now, m.Name)) {
				return false
			}
		}
		return rawjson.Kind(now) == '{'
	case '[':
		was, is := slices.Collect(rawjson.Items(state)), slices.Collect(rawjson.Items(now))
		return slices.EqualFunc(was, is, restored)
	}
	return rawjson.Equal(state, now)
}

// Package updates makes the body of an update of an object that was read. An update is made from
// the object: what was not changed since is sent as it was read, and a member in which the service
// withholds a secret is left out, unless every such secret is given. [Update.Body] is the body, and
// says what it leaves out and what cannot be sent. [Update.Diff] lists what it would change,
// without secrets, and [Update.Reset] what the service has lost by it. The package knows objects
// only by their JSON and the description of the body.
package updates

import (
	"errors"
	"maps"
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
	// Now is the update of the object as it is there now, nil if that is not known. It may be
	// another state than Read. Then null is no list, so a list that was null is emptied.
	Now *Update
	// Patches says that the service keeps what is left out. So what Now has already is left out.
	Patches bool
	// Lacks are members of the object that can be changed, but not by this update.
	Lacks []string
	// Compared says that an answer is compared with what was sent and what was left out; see NotTaken.
	Compared bool
	// Follows are members that the service changes on its own when something else is changed.
	Follows []string
	// Removed are the keys of items that may be removed although their secret is withheld.
	Removed []string
}

// Body is the body of an update.
type Body struct {
	keep.Result
	Unchanged map[string]bool // members that have not changed since they were read
	Changed   int             // how many changed members are sent
	Unset     []string        // members that were set to nil although they cannot be null
	Left      []string        // members that are left out, because the service withholds a secret in them
	Unknown   []string        // members of the object that are left out, because the update does not know them
	Absent    []string        // lists that are there now, and are left out because Read does not have them
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
	values, befores := rawjson.Index(open.JSON), rawjson.Index(wasOpen.JSON)
	for _, member := range held {
		if rawjson.Equal(values[member], befores[member]) {
			b.Left = append(b.Left, member)
		}
	}
	b.Withheld = slices.DeleteFunc(b.Withheld, func(path string) bool { return slices.Contains(b.Left, topMember(path)) })
	b.merge(u, was.JSON, held, hide)
	return b, nil
}

// index returns the members of an object by the names that the body has for them. A member whose
// name differs in case counts only if there is none with the very name, as when it is decoded.
func (u *Update) index(object []byte) map[string][]byte {
	exact := rawjson.Index(object)
	members := maps.Clone(exact)
	for _, m := range rawjson.Members(object) {
		if name := u.nameOf(m.Name); name != m.Name && exact[name] == nil {
			members[name] = m.Value
			delete(members, m.Name)
		}
	}
	return members
}

// nameOf returns the name that the body has for a member of the object.
func (u *Update) nameOf(member string) string {
	if u.Node.Member(member) == nil {
		for _, m := range u.Node.Members {
			if strings.EqualFold(m.Name, member) {
				return m.Name
			}
		}
	}
	return member
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
//	it is unchanged, and no longer there as it was   sent as it was read, null for a list as []
//	it is unchanged                                  sent as it was read
//	a list that had items is set to nil              sent as []
//	a member that may be null is set to nil          sent as null
//	another member is set to nil                     refused
//	it is changed                                    sent as it is
//
// A patch is then rid of what is there already.
func (b *Body) merge(u *Update, was []byte, held []string, hide bool) {
	var members []rawjson.Member
	values, befores, read := rawjson.Index(b.JSON), rawjson.Index(was), u.index(u.Read)
	var there, present map[string][]byte
	if u.Now != nil {
		there = u.index(u.Now.Read)
		now, _ := u.Now.Body(false)
		present = rawjson.Index(now.JSON)
	}
	for _, member := range u.members(b.JSON, was) {
		value, before := values[member], befores[member]
		node := u.Node.Member(member).Node
		unset := value == nil
		switch {
		case slices.Contains(b.Left, member):
			b.Unchanged[member], value = true, nil
		case unset && slices.Contains(held, member):
			b.Unset = append(b.Unset, member)
		case rawjson.Equal(value, before), unset && rawjson.IsNull(before), unset && string(before) == "[]":
			b.Unchanged[member], value = true, u.sentAsRead(member, read[member], before, node.Nullable(), hide)
			if u.Now != nil && rawjson.IsNull(read[member]) && node.Kinds&schema.Array != 0 && !rawjson.IsNull(there[member]) {
				value = nil
				if there[member] != nil {
					value = []byte("[]")
				}
			}
		case unset && rawjson.Kind(before) == '[':
			value = []byte("[]")
		case unset && node.Nullable():
			value = []byte("null")
		case unset:
			b.Unset = append(b.Unset, member)
		case !hide && before != nil && read[member] != nil:
			value = rawjson.Respell(read[member], before, value)
		}
		if b.Unchanged[member] && u.Patches && string(value) == `""` && len(node.Check(value, schema.Service, nil)) > 0 {
			continue // a service that refuses an empty text may still return one, and a patch need not send it
		}
		if value == nil || u.Patches && u.Now != nil && rawjson.Equal(value, present[member]) {
			continue
		}
		if !b.Unchanged[member] {
			b.Changed++
		}
		members = append(members, rawjson.Member{Name: member, Value: rawjson.Compact(value)})
	}
	b.JSON, b.Unknown = rawjson.Join(members), u.unknown()
	for _, m := range u.Node.Members {
		now := there[m.Name]
		hasItems := m.Node.Kinds&schema.Array != 0 && rawjson.Kind(now) == '[' && !rawjson.IsEmpty(now)
		if read[m.Name] == nil && values[m.Name] == nil && hasItems {
			b.Absent = append(b.Absent, m.Name)
		}
	}
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

// members returns the members of an update, in the order of the first object. Of the object it adds
// only members that were null, because the fields of an update may not distinguish null from
// absent.
func (u *Update) members(now, was []byte) []string {
	var names []string
	for i, object := range [][]byte{now, was, u.Read} {
		for name, value := range rawjson.Each(object) {
			member := u.nameOf(string(name))
			if i == 2 && (!rawjson.IsNull(value) || u.Node.Member(member) == nil) {
				continue
			}
			if !slices.Contains(names, member) {
				names = append(names, member)
			}
		}
	}
	return names
}

// unknown returns the members of the object that no update sends although they have a value,
// without those that only objects have. Of two members that differ in case the inexact one is among
// them.
func (u *Update) unknown() []string {
	known := func(name string) bool {
		return u.Node.Member(name) != nil || slices.ContainsFunc(jsontype.Fields(u.Object), func(f jsontype.Field) bool {
			return strings.EqualFold(f.Name, name) && u.Node.Member(f.Name) == nil && !slices.Contains(u.Lacks, f.Name)
		})
	}
	var names []string
	members := u.index(u.Read)
	for _, m := range rawjson.Members(u.Read) {
		value, first := members[m.Name]
		delete(members, m.Name) // a member may be there several times
		if first && !rawjson.IsNull(value) && !known(m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// LeftOut returns the members that the update leaves out although the object had them.
func (u *Update) LeftOut() []string {
	b, _ := u.Body(false)
	for _, name := range slices.Concat(b.Unknown, b.Absent) {
		b.Left = append(b.Left, scrub.Clean(name))
	}
	return b.Left
}

// Reset returns those of the members that a body left out that an answer no longer has: they are
// empty there, or parts of what has a withheld secret are gone. Members that the update does not
// know may be absent in an answer. An answer without an id says nothing.
func (u *Update) Reset(b Body, answer []byte) []string {
	was, is, sent := u.index(u.Read), u.index(answer), rawjson.Index(b.JSON)
	if u.Now != nil {
		was = u.index(u.Now.Read)
	}
	if is["id"] == nil {
		return nil
	}
	var names []string
	for _, name := range b.Left {
		if sent[name] == nil && lost(was[name], is[name], rawjson.Levels) {
			names = append(names, name)
		}
	}
	for _, name := range b.Unknown {
		if sent[name] == nil && !isNothing(was[name]) && is[name] != nil && isNothing(is[name]) {
			names = append(names, scrub.Clean(name))
		}
	}
	return names
}

// lost reports whether something of a value is no longer there. Another value is no loss. What is
// deeper than so many levels is one value.
func lost(was, is []byte, levels int) bool {
	switch kind := rawjson.Kind(was); {
	case isNothing(was):
		return false
	case isNothing(is):
		return true
	case levels == 0:
	case kind == '{':
		now := rawjson.Index(is)
		for name, value := range rawjson.Each(was) {
			if lost(value, now[string(name)], levels-1) {
				return true
			}
		}
	case kind == '[':
		before, after := itemsOf(was), itemsOf(is)
		partner, gone := match(before, after)
		for i, from := range partner {
			if from >= 0 && lost(before[from], after[i], levels-1) {
				return true
			}
		}
		return slices.Contains(gone, true)
	}
	return false
}

// isNothing reports whether a value is absent, null, false or empty.
func isNothing(value []byte) bool {
	switch rawjson.Kind(value) {
	case 0, 'n', 'f':
		return true
	case '"':
		return rawjson.Text(value) == ""
	case '[', '{':
		return rawjson.IsEmpty(value)
	}
	return false
}

// NotRestored returns the members that the update leaves out because of a withheld secret, although
// the object is another one there now than when the update was made from it.
func (u *Update) NotRestored(now []byte) []string {
	b, err := u.Body(false)
	if err != nil {
		return nil
	}
	was, is := u.index(u.Read), u.index(now)
	return slices.DeleteFunc(b.Left, func(member string) bool { return restored(was[member], is[member], rawjson.Levels) })
}

// restored reports whether a value is that of another state already. What is null or absent in
// that state, as withheld values are, may be anything. What is deeper than so many levels is one
// value.
func restored(state, now []byte, levels int) bool {
	switch kind := rawjson.Kind(state); {
	case kind == 'n' || kind == 0:
		return true
	case levels == 0:
	case kind == '{':
		values := rawjson.Index(now)
		for _, m := range rawjson.Members(state) {
			if !restored(m.Value, values[m.Name], levels-1) {
				return false
			}
		}
		return rawjson.Kind(now) == '{'
	case kind == '[':
		return slices.EqualFunc(itemsOf(state), itemsOf(now), func(a, b []byte) bool { return restored(a, b, levels-1) })
	}
	return rawjson.Equal(state, now)
}

// Package updates makes the body of a request, above all that of an update of an object that was
// read. Such an update is made from the object: what was not changed since is sent as it was read,
// and a member in which the service withholds a secret is left out, unless every such secret is
// given. [Update.Body] is the body with all that is to say about it: what it leaves out, what is
// broken ([Body.Broken]), what it changes ([Update.Diff]) and, once the service has answered, what
// was lost or not taken by it ([Body.Reset], [Body.NotTaken]). What was read is decoded and encoded
// once for all of that. The package knows objects only by their JSON and the description of the
// body. An Update and its Body are for one goroutine.
package updates

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Update is an update of an object. With Types, Node and Fields alone it is any other request. Its
// fields must not change once it was asked for something.
type Update struct {
	Types  *keep.Types
	Node   *schema.Node // of the body; nil if nothing describes it
	Fields any          // what is sent; for an update of an object a pointer to its fields
	Object reflect.Type // the type of the object
	Read   []byte       // the JSON of the object that the update was made from; nil if there is none
	// AsRead returns the fields of the update as it was made; nil if Read cannot be decoded. Without
	// AsRead they are Fields, which nobody has changed.
	AsRead func() any
	// Now is the update of the object as it is there now, nil if that is not known. It may be
	// another state than Read. Then null is no list, so a list that was null is emptied.
	Now *Update
	// Patches says that the service keeps what is left out. So what Now has already is left out.
	Patches bool
	// Keeps are members that the service keeps if they are left out, although the update is no patch.
	// So what Now has already, or else Read, is left out.
	Keeps []string
	// Lacks are members of the object that can be changed, but not by this update.
	Lacks []string
	// Secrets are the parts of the body in which the service withholds secrets.
	Secrets []Place
	// Removed are the keys of items that may be removed although their secret is withheld.
	Removed []string
	// Form returns an object in the form in which Read is; nil if there is no other.
	Form func(object []byte) []byte
	// Follows are members that the service changes on its own when something else is changed. Without
	// it nobody asks whether what was not sent came back as it was; see NotTaken.
	Follows []string

	read map[string][]byte // the members of Read; see members
	was  *keep.Result      // the update as it was made; see asRead
	from any               // its fields
	body *Body             // see Body
}

// Body is the body of a request.
type Body struct {
	keep.Result
	Unset []string // members that were set to nil although they cannot be null

	update    *Update
	unchanged map[string]bool // members that have not changed since they were read
	changed   int             // how many changed members are sent
	left      []string        // members that are left out, because the service withholds a secret in them
	unknown   []string        // members of the object that are left out, because the update does not know them
	absent    []string        // lists and secrets that are there now, and are left out because Read does not have them
	set       []string        // the paths of members that Set has set
}

// Body returns what is sent. It is made once.
func (u *Update) Body() (*Body, error) {
	if u.body != nil {
		return u.body, nil
	}
	if u.Read == nil {
		now, err := u.encode(u.Fields)
		if err == nil {
			u.body = &Body{Result: now, update: u}
		}
		return u.body, err
	}
	was, err := u.asRead()
	now := was
	if err == nil && u.AsRead != nil {
		now, err = u.encode(u.Fields)
	}
	if err != nil {
		return nil, err
	}
	b := &Body{Result: now, update: u}
	held := holders(was)
	values, befores := rawjson.Index(now.JSON), rawjson.Index(was.JSON)
	for _, member := range held {
		if same(nodeOf(u.Node, member), befores[member], values[member]) {
			b.left = append(b.left, member)
		}
	}
	b.Withheld = slices.DeleteFunc(slices.Clone(b.Withheld), func(path string) bool { return slices.Contains(b.left, topMember(path)) })
	b.merge(now.JSON, was.JSON, held, false)
	u.body = b
	return b, nil
}

// OfRead reports whether it is the body of an update that was made from an object that was read.
func (b *Body) OfRead() bool { return b.update.Read != nil }

// Hidden returns the body with null for each secret, and without what may be one.
func (u *Update) Hidden() ([]byte, error) {
	now, err := u.hidden(u.Fields)
	if err != nil || u.Read == nil {
		return now, err
	}
	open, err := u.Body() // a changed secret is seen only in the open
	if err != nil {
		return nil, err
	}
	was, err := u.hidden(u.from)
	if err != nil {
		return nil, err
	}
	b := &Body{update: u, left: open.left}
	b.merge(now, was, holders(*u.was), true)
	return b.JSON, nil
}

// asRead returns the update as it was made, with its secrets. An update of the object as it is
// there now was made from the same.
func (u *Update) asRead() (keep.Result, error) {
	if u.was == nil && u.Now != nil && bytes.Equal(u.Read, u.Now.Read) {
		was, err := u.Now.asRead()
		u.was, u.from, u.read = u.Now.was, u.Now.from, u.Now.members()
		return was, err
	}
	if u.was == nil {
		if u.from = u.Fields; u.AsRead != nil {
			u.from = u.AsRead()
		}
		if u.from == nil {
			return keep.Result{}, errors.New("the JSON that ToUpdate started from cannot be decoded; read the object again")
		}
		was, err := u.encode(u.from)
		if err != nil {
			return keep.Result{}, err
		}
		u.was = &was
	}
	return *u.was, nil
}

// members returns the members of Read by the names that the body has for them. The caller must not
// change them.
func (u *Update) members() map[string][]byte {
	if u.read == nil {
		u.read = u.index(u.Read)
	}
	return u.read
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

// encode writes a value with its secrets. A json.RawMessage is sent as it is, if it is valid.
func (u *Update) encode(v any) (keep.Result, error) {
	if raw, ok := v.(json.RawMessage); ok && raw != nil {
		if !json.Valid(raw) {
			return keep.Result{}, errors.New("the json.RawMessage is not valid JSON")
		}
		return keep.Result{JSON: raw}, nil
	}
	result, err := u.Types.Encode(v)
	result.JSON = u.accepted(result.JSON)
	return result, err
}

// hidden writes fields with null for each secret.
func (u *Update) hidden(fields any) ([]byte, error) {
	data, err := u.Types.Hidden(fields)
	return u.accepted(data), err
}

// accepted returns an object without what only answers have inside of its members.
func (u *Update) accepted(object []byte) []byte {
	if u.Node == nil {
		return object
	}
	for _, m := range u.Node.Members {
		if m.Node.Narrower() {
			value := rawjson.Get(object, m.Name)
			if taken := taken(m.Node, value); len(taken) < len(value) {
				object = rawjson.With(object, m.Name, taken)
			}
		}
	}
	return object
}

// taken returns a value without the members that only answers have: those that the description has
// without a value, and those that a closed object does not have.
func taken(n *schema.Node, value []byte) []byte {
	if !n.Narrower() || rawjson.Kind(value) != '{' {
		return value
	}
	var left []rawjson.Member
	changed := false
	for _, is := range rawjson.Members(value) {
		known := n.MemberLike(is.Name)
		if known == nil && n.Closed || known != nil && known.Node.TakesNothing() {
			changed = true
			continue
		}
		if known != nil {
			inside := taken(known.Node, is.Value)
			changed = changed || len(inside) < len(is.Value)
			is.Value = inside
		}
		left = append(left, is)
	}
	if !changed {
		return value
	}
	return rawjson.Join(left)
}

// merge puts the body together. now and was are the JSON of the update as it is and as it was made,
// and held are the members in which a secret is withheld. Each member is sent by the first of these
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
func (b *Body) merge(now, was []byte, held []string, hide bool) {
	u := b.update
	var members []rawjson.Member
	values, befores, read := rawjson.Index(now), rawjson.Index(was), u.members()
	var there, present map[string][]byte
	is := read
	if u.Now != nil {
		there = u.Now.members()
		is = there
		if body, err := u.Now.Body(); err == nil {
			present = rawjson.Index(body.JSON)
		}
	}
	b.unchanged = make(map[string]bool)
	for _, member := range u.names(now, was) {
		value, before := values[member], befores[member]
		node := u.Node.Member(member).Node
		unset := value == nil
		switch {
		case slices.Contains(b.left, member):
			b.unchanged[member], value = true, nil
		case unset && slices.Contains(held, member):
			b.Unset = append(b.Unset, member)
		case same(node, before, value), unset && rawjson.IsNull(before), unset && string(before) == "[]":
			b.unchanged[member], value = true, u.sentAsRead(node, member, before, hide)
			if u.Now != nil && rawjson.IsNull(read[member]) && node.Kinds&schema.Array != 0 && !rawjson.IsNull(there[member]) {
				value = nil
				if there[member] != nil {
					value = []byte("[]")
				}
			}
		case unset && rawjson.Kind(before) == '[':
			value = []byte("[]")
		case unset && (node.Nullable() || node.TakesNothing()):
			value = []byte("null")
		case unset:
			b.Unset = append(b.Unset, member)
		case !hide && before != nil && read[member] != nil:
			value = asRead(node, taken(node, read[member]), before, value, rawjson.Levels)
		}
		if b.unchanged[member] && u.Patches && string(value) == `""` && len(node.Check(value, schema.Service, nil)) > 0 {
			continue // a service that refuses an empty text may still return one, and a patch need not send it
		}
		if value == nil || u.Patches && u.Now != nil && same(node, present[member], value) ||
			slices.Contains(u.Keeps, member) && same(node, is[member], value) {
			continue
		}
		if !b.unchanged[member] {
			b.changed++
		}
		members = append(members, rawjson.Member{Name: member, Value: rawjson.Compact(value)})
	}
	b.JSON, b.unknown = rawjson.Join(members), u.unknown()
	for _, m := range u.Node.Members {
		now := there[m.Name]
		hasItems := m.Node.Kinds&schema.Array != 0 && rawjson.Kind(now) == '[' && !rawjson.IsEmpty(now)
		isSecret := m.Node.Secret && rawjson.Kind(now) == '"'
		if read[m.Name] == nil && values[m.Name] == nil && (hasItems || isSecret) {
			b.absent = append(b.absent, m.Name)
		}
	}
}

// sentAsRead returns the value that is sent for an unchanged member, of which typed is the value of
// its field; nil sends nothing.
func (u *Update) sentAsRead(node *schema.Node, member string, typed []byte, hide bool) []byte {
	read := u.members()[member]
	switch {
	case read == nil, rawjson.IsNull(read) && !node.Nullable(), node.TakesNothing():
		return nil
	case hide && (node.Secret || strings.IndexByte("{[", rawjson.Kind(read)) >= 0):
		return typed // the JSON that was read may contain secrets
	}
	return taken(node, read)
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

// names returns the members of an update, in the order of the first object. Of the object it adds
// members that were null, because the fields of an update may not distinguish null from absent. If
// the update is no patch, it adds all that the body can have, so that none is lost.
func (u *Update) names(now, was []byte) []string {
	var names []string
	for i, object := range [][]byte{now, was, u.Read} {
		for name, value := range rawjson.Each(object) {
			member := u.nameOf(string(name))
			if i == 2 && (u.Patches && !rawjson.IsNull(value) || u.Node.Member(member) == nil) {
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
	members := maps.Clone(u.members())
	for _, m := range rawjson.Members(u.Read) {
		value, first := members[m.Name]
		delete(members, m.Name) // a member may be there several times
		if first && !rawjson.IsNull(value) && !known(m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

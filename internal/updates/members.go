package updates

import (
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// manyMembers is how many members are found by looking through a list.
const manyMembers = 64

// members are the members of an object, each name once, with the value that counts. Nil has none.
type members struct {
	list   []rawjson.Member
	places map[string]int // in the list; nil if there are not many
}

// get returns the value of a member, nil if there is none.
func (m *members) get(name string) []byte {
	if at := m.place(name); at >= 0 {
		return m.list[at].Value
	}
	return nil
}

func (m *members) place(name string) int {
	if m == nil {
		return -1
	}
	if m.places != nil {
		if at, ok := m.places[name]; ok {
			return at
		}
		return -1
	}
	for i := range m.list {
		if m.list[i].Name == name {
			return i
		}
	}
	return -1
}

func (m *members) set(name string, value []byte) {
	if at := m.place(name); at >= 0 {
		m.list[at].Value = value
		return
	}
	m.list = append(m.list, rawjson.Member{Name: name, Value: value})
	switch {
	case m.places != nil:
		m.places[name] = len(m.list) - 1
	case len(m.list) == manyMembers:
		m.places = make(map[string]int)
		for i, one := range m.list {
			m.places[one.Name] = i
		}
	}
}

// mostScanned is the size in bytes of an object that is scanned for each member that is looked for.
// Below: each small object costs a map. Above: to look for all members takes longer than the map.
const mostScanned = 1 << 10

// lookup finds the members of an object, of several with a name the last one. The zero lookup finds
// none.
type lookup struct {
	object []byte
	large  map[string][]byte // nil if the object is small
}

func lookIn(object []byte) lookup {
	if len(object) > mostScanned {
		return lookup{large: rawjson.Index(object)}
	}
	return lookup{object: object}
}

func (l lookup) get(name string) []byte {
	if l.large != nil {
		return l.large[name]
	}
	return rawjson.Get(l.object, name)
}

// all visits the members until visit returns false, and reports whether it never did.
func (l lookup) all(visit func(name, value []byte) bool) bool {
	for name, value := range l.large {
		if !visit([]byte(name), value) {
			return false
		}
	}
	for name := range rawjson.Each(l.object) {
		if !visit(name, l.get(string(name))) {
			return false
		}
	}
	return true
}

// index returns the members of an object by the names that a body has for them. A member whose name
// differs in case counts only if there is none with the very name, as when it is decoded.
func index(n *schema.Node, object []byte) *members {
	found, folded := indexed(n, object, nil)
	if folded {
		found, _ = indexed(n, object, found)
	}
	return found
}

// shortMember is how many bytes a member has at least, but for very few.
const shortMember = len(`"id":12,`)

// indexed is index, given the members by the names that they have themselves. Without these it
// returns them, and reports whether a name differs in case from that of the body.
func indexed(n *schema.Node, object []byte, own *members) (found *members, folded bool) {
	found = &members{list: make([]rawjson.Member, 0, min(len(n.Members), len(object)/shortMember))}
	last := -1
	for text, value := range rawjson.Each(object) {
		if known := memberAfter(n, text, &last); known != nil {
			found.set(known.Name, value)
			continue
		}
		name := string(text)
		if known := nameOf(n, name); known != name {
			folded = true
			if own != nil && own.get(known) == nil {
				name = known
			}
		}
		found.set(name, value)
	}
	return found, folded
}

// memberAfter returns the member of a body with a name. It looks first behind the one that was
// found before.
func memberAfter(n *schema.Node, name []byte, last *int) *schema.Member {
	at := *last
	for range n.Members {
		if at++; at >= len(n.Members) {
			at = 0
		}
		if n.Members[at].Name == string(name) {
			*last = at
			return &n.Members[at]
		}
	}
	return nil
}

// nameOf returns the name that a body has for a member of the object.
func nameOf(n *schema.Node, member string) string {
	for _, m := range n.Members {
		if m.Name == member {
			return member
		}
	}
	for _, m := range n.Members {
		if strings.EqualFold(m.Name, member) {
			return m.Name
		}
	}
	return member
}

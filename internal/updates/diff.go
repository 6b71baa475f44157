package updates

import (
	"fmt"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Change is a change that an update would make to one value.
type Change struct {
	Path          string // the JSON path of the value
	Item          string // the key of the list item that has the value
	Before, After string // its JSON without secrets, empty if there is none
	Secret        bool   // it is a secret, or may be one
	Withheld      bool   // it is a secret that was withheld before; Before is null then
}

// Diff returns the changes to the object that the update was made from.
func (u *Update) Diff() []Change {
	b, err := u.Body(false)
	if err != nil {
		return nil
	}
	return u.diff(b, func(name string, value []byte) []byte {
		if b.Unchanged[name] {
			return value
		}
		return rawjson.Get(u.Read, name)
	})
}

// DiffFrom returns the changes to an object, of which present is the update. The update may have
// been made from another state of the object. present is nil if there is no object.
func (u *Update) DiffFrom(present *Update) []Change {
	b, _ := u.Body(false) // what cannot be encoded changes nothing
	var now Body
	var read []byte
	if present != nil {
		now, _ = present.Body(false)
		read = present.Read
	}
	return u.diff(b, func(name string, _ []byte) []byte {
		if before := rawjson.Get(now.JSON, name); before != nil {
			return before
		}
		return rawjson.Get(read, name) // left out, because the service withholds a secret in it
	})
}

// diff compares a body with what is there before, which may depend on the value that is sent.
func (u *Update) diff(b Body, before func(name string, value []byte) []byte) []Change {
	d := &differ{}
	for _, m := range rawjson.Members(b.JSON) {
		d.value(nodeOf(u.Node, m.Name), m.Name, before(m.Name, m.Value), m.Value)
	}
	for _, name := range b.Unset { // the call refuses these
		d.value(nodeOf(u.Node, name), name, before(name, nil), nil)
	}
	return d.changes
}

// differ collects the changes. A node is nil for members that the description does not have.
type differ struct {
	changes []Change
	item    string // the key of the item that is compared
}

func (d *differ) value(n *schema.Node, path string, before, after []byte) {
	switch kind := rawjson.Kind(before); {
	case rawjson.Equal(before, after):
	case n == nil || n.Secret || kind != rawjson.Kind(after) || kind != '{' && kind != '[':
		d.changes = append(d.changes, Change{
			Path: path, Item: d.item, Before: redact(n, before), After: redact(n, after),
			Secret: n == nil || n.Secret, Withheld: n != nil && n.Secret && kind == 'n',
		})
	case kind == '{':
		d.members(n, path, before, after)
	default:
		d.items(n, path, before, after)
	}
}

func (d *differ) members(n *schema.Node, path string, before, after []byte) {
	for _, m := range rawjson.Members(after) {
		d.value(nodeOf(n, m.Name), inside(path, m.Name), rawjson.Get(before, m.Name), m.Value)
	}
	for _, m := range rawjson.Members(before) {
		if rawjson.Get(after, m.Name) == nil {
			d.value(nodeOf(n, m.Name), inside(path, m.Name), m.Value, nil)
		}
	}
}

// items compares two lists without their common beginning and end, so that adding or removing
// one item is one change.
func (d *differ) items(n *schema.Node, path string, before, after []byte) {
	was, is := itemsOf(before), itemsOf(after)
	start := 0
	for start < min(len(was), len(is)) && rawjson.Equal(was[start], is[start]) {
		start++
	}
	end := 0
	for end < min(len(was), len(is))-start && rawjson.Equal(was[len(was)-1-end], is[len(is)-1-end]) {
		end++
	}
	for i := start; i < max(len(was), len(is))-end; i++ {
		var old, new []byte
		if i < len(was)-end {
			old = was[i]
		}
		if i < len(is)-end {
			new = is[i]
		}
		around := d.item
		if key := nodeOf(n.Items, "key"); key != nil && !key.Secret && old != nil && new != nil { // a whole item shows its key
			d.item = rawjson.Text(rawjson.Get(new, "key"))
		}
		d.value(n.Items, rawjson.Step{Index: i}.After(path), old, new)
		d.item = around
	}
}

func itemsOf(array []byte) [][]byte {
	var list [][]byte
	for item := range rawjson.Items(array) {
		list = append(list, rawjson.Compact(item))
	}
	return list
}

func nodeOf(n *schema.Node, member string) *schema.Node {
	if m := n.Member(member); m != nil {
		return m.Node
	}
	return nil
}

func inside(path, member string) string {
	return rawjson.Step{Name: scrub.Clean(member), Index: -1}.After(path)
}

// redact returns a value without secrets, and without values that may be secrets.
func redact(n *schema.Node, value []byte) string {
	kind := rawjson.Kind(value)
	switch {
	case value == nil:
		return ""
	case kind == 'n':
		return "null"
	case n == nil || n.Secret:
		return scrub.Redacted
	case kind == '{':
		members := rawjson.Members(value)
		for i, m := range members {
			members[i].Value = redactedJSON(nodeOf(n, m.Name), m.Value)
		}
		return string(rawjson.Join(members))
	case kind == '[':
		out := []byte{'['}
		for i, item := range itemsOf(value) {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, redactedJSON(n.Items, item)...)
		}
		return string(append(out, ']'))
	}
	return string(rawjson.Compact(value))
}

// redactedJSON is redact for a part of a JSON text.
func redactedJSON(n *schema.Node, value []byte) []byte {
	if text := redact(n, value); text != scrub.Redacted {
		return []byte(text)
	}
	return fmt.Appendf(nil, "%q", scrub.Redacted)
}

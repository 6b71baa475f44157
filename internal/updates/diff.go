package updates

import (
	"fmt"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Kind says what a change is.
type Kind uint8

const (
	Shown    Kind = iota // a value is added, removed or changed
	Hidden               // the same, but the value is not shown
	Secret               // a secret is added, removed or changed
	Withheld             // a secret that was withheld is set; Before is null
	Order                // the items of a list have another order; Before and After have what identifies them
	Left                 // the value stays as it is, because a secret in what the update was made from is withheld
	Absent               // the value stays as it is, because what the update was made from does not have it
)

// Change is a change that an update would make to one value.
type Change struct {
	Path          string // the JSON path of the value
	Item          string // the key of the list item that has the value
	Before, After string // its JSON without secrets, empty if there is none
	Kind          Kind
	Value         []byte // what is sent, if After does not show all of it
	// Open is the change with the values of items that are neither secret nor locked; nil if it shows
	// no more.
	Open *Change
}

// differ collects the changes. A node is nil for members that the description does not have.
type differ struct {
	comparer
	changes []Change
	values  bool
	item    string    // the key of the item that is compared
	flags             // of that item
	answer  *answered // only what it still has as before is a change
}

// flags say of a secret in an item of a list what the item says of it.
type flags struct {
	told   bool // the item can say it
	secret bool // it is one
	open   bool // it is none, and not locked either
}

// flagsOf returns the flags of an item before and after a change. It is as secret as its more
// secret state.
func flagsOf(n *schema.Node, states ...[]byte) flags {
	f := flags{told: nodeOf(n, "locked") != nil, open: nodeOf(n, "secret") != nil}
	for _, state := range states {
		secret, locked := string(rawjson.Get(state, "secret")) == "true", string(rawjson.Get(state, "locked")) == "true"
		f.secret, f.open = f.secret || secret, f.open && !secret && !locked
	}
	return f
}

func (d *differ) value(n *schema.Node, path string, before, after []byte) {
	switch kind := rawjson.Kind(before); {
	case d.same(n, before, after) || d.answer.takes(n, after):
	case n == nil || n.Secret || kind != rawjson.Kind(after) || kind != '{' && kind != '[':
		switch {
		case !d.answer.keeps(n, before):
		case n != nil && n.Secret && kind == '{' && rawjson.Kind(after) == '{':
			d.hidden(n, path, before, after)
		default:
			d.add(n, path, before, after)
		}
	case kind == '{':
		d.members(n, path, before, after)
	default:
		d.items(n, path, before, after)
	}
}

func (d *differ) add(n *schema.Node, path string, before, after []byte) {
	d.note(func(d *differ) Change { return d.change(n, path, before, after) })
}

// note adds a change, as it is and with values.
func (d *differ) note(change func(*differ) Change) {
	c := change(d)
	if !d.values && strings.Contains(c.Before+c.After, scrub.Redacted) {
		open := *d
		open.values = true
		if o := change(&open); o.Before != c.Before || o.After != c.After {
			c.Open = &o
		}
	}
	d.changes = append(d.changes, c)
}

func (d *differ) change(n *schema.Node, path string, before, after []byte) Change {
	c := Change{Path: path, Item: d.item, Before: d.redact(n, before), After: d.redact(n, after)}
	switch {
	case n == nil || n.Secret && d.told && !d.secret && !(d.values && d.open):
		c.Kind = Hidden
	case n.Secret && !(d.told && !d.secret):
		c.Kind = Secret
	}
	if n != nil && n.Secret && rawjson.IsNull(before) && after != nil {
		c.Kind = Withheld
	}
	if after != nil && !rawjson.Equal([]byte(c.After), after) {
		c.Value = after
	}
	return c
}

// hidden compares objects whose values are secrets, and names the members that differ.
func (d *differ) hidden(n *schema.Node, path string, before, after []byte) {
	was, is := lookIn(before), lookIn(after)
	for member := range rawjson.Each(after) {
		name := string(member)
		if old, value := was.get(name), is.get(name); !d.sameInside(nil, old, value) {
			d.add(n, inside(path, name), old, value)
		}
	}
	for member := range rawjson.Each(before) {
		name := string(member)
		if old := was.get(name); is.get(name) == nil && !d.sameInside(nil, old, nil) {
			d.add(n, inside(path, name), old, nil)
		}
	}
}

func (d *differ) members(n *schema.Node, path string, before, after []byte) {
	was, is := lookIn(before), lookIn(after)
	ofOneType := ofOneType(was, is)
	answered, answer := d.answer != nil, d.answer.members()
	for member := range rawjson.Each(after) {
		if node, old, value := nodeOf(n, string(member)), was.get(string(member)), is.get(string(member)); !d.sameInside(node, old, value) {
			name := string(member) // a copy, only for a change
			d.answer = answer(name)
			d.value(node, inside(path, name), old, value)
		}
	}
	for member := range rawjson.Each(before) {
		node, value := nodeOf(n, string(member)), was.get(string(member))
		stays := ofOneType && d.sameInside(node, value, nil)
		if answered { // the service may fill in what it knows of its own, or what another type has
			stays = stays || !ofOneType || node == nil
		}
		if node != nil { // the service has it on its own
			stays = stays || node.TakesNothing() || node.OtherName != "" && is.get(node.OtherName) != nil
		}
		if is.get(string(member)) == nil && !stays {
			name := string(member)
			d.answer = answer(name)
			d.value(node, inside(path, name), value, nil)
		}
	}
}

// items compares two lists. Their items are told apart by what identifies them, so an item that is
// added, removed or moved does not change the others.
func (d *differ) items(n *schema.Node, path string, before, after []byte) {
	was, is := itemsOf(before), itemsOf(after)
	partner, gone := d.match(was, is)
	var again map[int]bool // places of items of a set that are there elsewhere
	if n.Set {
		again = d.againIn(was, is, partner, gone)
	}
	around := *d
	answer, stays := d.answer, d.answer.keeps(n, before)
	if n.Set && stays {
		answer = nil // it has none of the changes, in whatever order it is
	}
	sent, left := answer.items(was, is, gone)
	last, moved := -1, false
	for i := range max(len(was), len(is)) {
		at := rawjson.Step{Index: i}.After(path)
		if i < len(was) && gone[i] {
			d.flags, d.answer = flagsOf(n.Items, was[i]), left(i)
			d.value(n.Items, at, was[i], nil)
		}
		if i < len(is) && !again[i] && (partner[i] >= 0 || stays) {
			var old []byte
			d.answer = nil
			if from := partner[i]; from >= 0 {
				old, moved, last, d.answer = was[from], moved || from < last, from, sent(i)
				if key := nodeOf(n.Items, "key"); key != nil && !key.Secret { // a whole item shows its key
					d.item = rawjson.Text(rawjson.Get(is[i], "key"))
				}
			}
			d.flags = flagsOf(n.Items, old, is[i])
			d.value(n.Items, at, old, is[i])
		}
		d.item, d.flags, d.answer = around.item, around.flags, around.answer
	}
	if moved && stays && !n.Set {
		d.note(func(d *differ) Change {
			return Change{Path: path, Item: d.item, Before: d.names(n, was), After: d.names(n, is), Kind: Order}
		})
	}
}

// againIn returns the places of items of a set that it had already, and says of those that are gone
// whether they are there nevertheless.
func (c comparer) againIn(was, is [][]byte, partner []int, gone []bool) map[int]bool {
	texts := c.contents(was)
	before, after, again := set(texts), make(map[string]bool), make(map[int]bool)
	for i, text := range c.contents(is) {
		again[i] = after[text] || before[text]
		after[text] = true
		if from := partner[i]; again[i] && from >= 0 {
			gone[from] = true // unless it is found below
		}
	}
	for i, text := range texts {
		gone[i] = gone[i] && !after[text]
	}
	return again
}

// names returns a list of what identifies the items of a list.
func (d *differ) names(n *schema.Node, items [][]byte) string {
	out := []byte{'['}
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		name := d.redactedJSON(n.Items, item)
		for _, member := range []string{"key", "id", "alertChannelId"} {
			if value := rawjson.Get(item, member); value != nil && nodeOf(n.Items, member) != nil {
				name = d.redactedJSON(nodeOf(n.Items, member), value)
				break
			}
		}
		out = append(out, name...)
	}
	return string(append(out, ']'))
}

func inside(path, member string) string {
	return rawjson.Step{Name: scrub.Clean(member), Index: -1}.After(path)
}

// redact returns a value without secrets, and without values that may be secrets.
func (d *differ) redact(n *schema.Node, value []byte) string {
	kind := rawjson.Kind(value)
	switch {
	case value == nil:
		return ""
	case kind == 'n':
		return "null"
	case n == nil || n.Secret && !(d.values && d.open):
		return scrub.Redacted
	case kind == '{':
		members := rawjson.Members(value)
		for i, m := range members {
			members[i].Value = d.redactedJSON(nodeOf(n, m.Name), m.Value)
		}
		return string(rawjson.Join(members))
	case kind == '[':
		out := []byte{'['}
		for i, item := range itemsOf(value) {
			if i > 0 {
				out = append(out, ',')
			}
			inner := differ{values: d.values, flags: flagsOf(n.Items, item)}
			out = append(out, inner.redactedJSON(n.Items, item)...)
		}
		return string(append(out, ']'))
	case kind == '"' && rawjson.IsUnicode(value):
		value, _ = rawjson.Encode(rawjson.Text(value)) // never fails for a string
	}
	return string(rawjson.Compact(value))
}

// redactedJSON is redact for a part of a JSON text.
func (d *differ) redactedJSON(n *schema.Node, value []byte) []byte {
	if text := d.redact(n, value); text != scrub.Redacted {
		return []byte(text)
	}
	return fmt.Appendf(nil, "%q", scrub.Redacted)
}

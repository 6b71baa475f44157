package monitoring

import (
	"fmt"
	"strconv"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Change is a change that an update would make to one value; see [CheckGroupUpdate.Diff].
type Change struct {
	// Path is the JSON path of the value, such as tags[1] or alertSettings.reminders.amount.
	// Items that are removed from a list have the index that they had.
	Path string
	// Item is the key of the list item that has the value, such as URL for the variable with
	// this key. It is empty outside of lists, for items without a key, and if the item
	// itself is added or removed.
	Item string
	// Before and After are the JSON of the value as it was read and as it would be sent.
	// They are empty if there is none: the value is added or removed. Secrets, and members
	// that this package does not know, are [redacted].
	Before, After string
	// Secret says that the value is a secret, or may be one. A changed secret is [redacted]
	// before and after; one that the service withheld is null before.
	Secret bool

	withheld bool // before; Before is null then
}

// mostShown is how many characters of a value String shows at most.
const mostShown = 100

// String returns the change as one line: tags[1]: "a" -> "b".
func (c Change) String() string {
	at := c.Path
	if c.Item != "" {
		at += " (" + shorten(c.Item) + ")"
	}
	switch {
	case c.withheld && c.After != "":
		return at + ": a withheld secret is set"
	case c.Secret && c.Before != "" && c.After != "":
		return at + ": a secret is changed"
	case c.Before == "":
		return at + ": added " + shorten(c.After)
	case c.After == "":
		return at + ": removed " + shorten(c.Before)
	}
	return at + ": " + shorten(c.Before) + " -> " + shorten(c.After)
}

func shorten(text string) string {
	if runes := []rune(scrub.Clean(text)); len(runes) > mostShown {
		return string(runes[:mostShown]) + "…"
	}
	return scrub.Clean(text)
}

// diffOf returns the changes of an update.
func diffOf(u updateOfRead) []Change {
	node := schema.Lookup(u.operation()).Body
	d := &differ{}
	m, err := sentFor(u, false)
	if err != nil {
		return nil
	}
	read := originOf(u)
	if read == nil {
		d.members(node, "", nil, m.JSON)
		return d.changes
	}
	for name, value := range rawjson.Each(m.JSON) {
		if name := string(name); !m.unchanged[name] {
			d.value(node.Member(name).Node, name, rawjson.Get(read, name), value)
		}
	}
	for _, name := range m.unset { // the call refuses these
		d.value(node.Member(name).Node, name, rawjson.Get(read, name), nil)
	}
	return d.changes
}

// diffFrom returns the changes that an update would make to an object, of which present is the
// update. The update may have been made from another state of the object. present is nil if
// there is no object.
func diffFrom(u, present updateOfRead) []Change {
	node := schema.Lookup(u.operation()).Body
	m, _ := sentFor(u, false) // what cannot be encoded changes nothing
	var now merged
	var read []byte
	if present != nil {
		now, _ = sentFor(present, false)
		read = originOf(present)
	}
	d := &differ{}
	compare := func(name string, value []byte) {
		before := rawjson.Get(now.JSON, name)
		if before == nil { // left out, because the service withholds a secret in it
			before = rawjson.Get(read, name)
		}
		d.value(node.Member(name).Node, name, before, value)
	}
	for name, value := range rawjson.Each(m.JSON) {
		compare(string(name), value)
	}
	for _, name := range m.unset { // the call refuses these
		compare(name, nil)
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
			Secret: n == nil || n.Secret, withheld: n != nil && n.Secret && kind == 'n',
		})
	case kind == '{':
		d.members(n, path, before, after)
	default:
		d.items(n, path, before, after)
	}
}

func (d *differ) members(n *schema.Node, path string, before, after []byte) {
	for name, value := range rawjson.Each(after) {
		d.value(nodeOf(n, string(name)), inside(path, string(name)), rawjson.Get(before, string(name)), value)
	}
	for name, value := range rawjson.Each(before) {
		if rawjson.Get(after, string(name)) == nil {
			d.value(nodeOf(n, string(name)), inside(path, string(name)), value, nil)
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
		d.value(n.Items, path+"["+strconv.Itoa(i)+"]", old, new)
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
	if path == "" {
		return scrub.Clean(member)
	}
	return path + "." + scrub.Clean(member)
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

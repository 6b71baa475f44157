package updates

import (
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/isotime"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// same reports whether a value means the same to the service as it did before. That is so if both
// are the same JSON value, the same point in time, or sets with the same items, or if they differ
// only in members inside of them that are absent in one and have their default in the other. It is
// the one rule of equality for what is sent, shown and compared with an answer. Nil is no value,
// and equal to no other here.
func (c comparer) same(n *schema.Node, before, after []byte) bool {
	switch kind := rawjson.Kind(before); {
	case c.ended():
		return true
	case n == nil:
		return rawjson.Equal(before, after)
	case rawjson.Equal(before, after):
		return true
	case n.IsTime() && kind == '"' && rawjson.Kind(after) == '"':
		was, okBefore := isotime.Parse(rawjson.Text(before))
		is, okAfter := isotime.Parse(rawjson.Text(after))
		return okBefore && okAfter && was.Equal(is)
	case n.Set && isSet(kind) && isSet(rawjson.Kind(after)):
		return slices.Equal(c.setOf(before), c.setOf(after))
	case kind != rawjson.Kind(after):
	case kind == '{':
		was, is := lookIn(before), lookIn(after)
		return was.all(func(name, value []byte) bool {
			return c.sameInside(nodeOf(n, string(name)), value, is.get(string(name)))
		}) &&
			is.all(func(name, value []byte) bool {
				return was.get(string(name)) != nil || c.sameInside(nodeOf(n, string(name)), nil, value)
			})
	case kind == '[':
		return slices.EqualFunc(itemsOf(before), itemsOf(after), func(a, b []byte) bool { return c.same(n.Items, a, b) })
	}
	return false
}

// sameAtTop is same for a member of a body, where what is absent is null, unless null is a setting
// of its own.
func (c comparer) sameAtTop(n *schema.Node, before, after []byte) bool {
	none := func(value []byte) bool { return value == nil || rawjson.IsNull(value) }
	return c.same(n, before, after) || n != nil && !n.Secret && !n.NullMeans && none(before) && none(after)
}

// sameInside is same for a member of a value, where what is absent is its default.
func (c comparer) sameInside(n *schema.Node, before, after []byte) bool {
	return c.same(n, before, after) || n != nil && isDefault(n, before, true) && isDefault(n, after, false)
}

// ofOneType reports whether two objects have the same type, which says what defaults a retry
// strategy has. No other member says that: an escalation has the same defaults whether or not it is
// that of the escalationType.
func ofOneType(before, after lookup) bool {
	return rawjson.Equal(before.get("type"), after.get("type"))
}

// isDefault reports whether a member inside of a value says no more than its absence. A withheld
// secret does: its null stands for a value. Some defaults are known only from what was read.
func isDefault(n *schema.Node, value []byte, read bool) bool {
	switch rawjson.Kind(value) {
	case 0:
		return true
	case 'n':
		return n.Nullable() && !n.Secret
	case '[':
		return rawjson.IsEmpty(value)
	case '{':
		return lookIn(value).all(func(name, inside []byte) bool {
			node := nodeOf(n, string(name))
			return node != nil && isDefault(node, inside, read)
		})
	}
	return n.Default != "" && rawjson.Equal(value, []byte(n.Default)) ||
		read && n.FilledIn != "" && rawjson.Equal(value, []byte(n.FilledIn))
}

// isSet reports whether a value may be a set: the text of an older service is a set of one item.
func isSet(kind byte) bool { return kind == '[' || kind == '"' }

// setOf returns what is in a set, in an order of its own.
func (c comparer) setOf(value []byte) []string {
	if rawjson.Kind(value) == '"' {
		value = listOf([][]byte{value})
	}
	var items []string
	for item := range rawjson.Items(value) {
		if c.ended() {
			break
		}
		items = append(items, string(rawjson.Canonical(item)))
	}
	slices.Sort(items)
	return slices.Compact(items)
}

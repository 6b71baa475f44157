package updates

import (
	"maps"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Reset returns those of the members that the body left out that an answer no longer has: they are
// empty there, or parts of what has a withheld secret are gone. Members that the update does not
// know may be absent in an answer. An answer without an id says nothing.
func (b *Body) Reset(answer []byte) []string {
	u := b.update
	was, is, sent := u.members(), u.index(answer), rawjson.Index(b.JSON)
	if u.Now != nil {
		was = u.Now.members()
	}
	if is["id"] == nil {
		return nil
	}
	var names []string
	for _, name := range b.left {
		if sent[name] == nil && lost(was[name], is[name], rawjson.Levels) {
			names = append(names, name)
		}
	}
	for _, name := range b.unknown {
		if sent[name] == nil && !isNothing(was[name]) && is[name] != nil && isNothing(is[name]) {
			names = append(names, scrub.Clean(name))
		}
	}
	return names
}

// lost reports whether something of a value is no longer there. Another value is no loss. What is
// deeper than the given levels is one value.
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

// NotTaken compares the answer to an update with the body, if the update says so. missed are the
// changes that were sent, of members that the answer still has as before. unasked are the changes
// of members that were not sent. What the answer does not have says nothing; neither does an answer
// without an id.
func (b *Body) NotTaken(answer []byte) (missed, unasked []Change) {
	u := b.update
	if !u.Compared {
		return nil, nil
	}
	was, is, sent := maps.Clone(u.Now.members()), u.index(answer), rawjson.Index(b.JSON)
	if is["id"] == nil {
		return nil, nil
	}
	asked, other := &differ{}, &differ{}
	for _, m := range rawjson.Members(b.JSON) {
		before, after := was[m.Name], is[m.Name]
		node := nodeOf(u.Node, m.Name)
		stays := same(node, before, after) || before == nil && rawjson.IsNull(after)
		if after != nil && stays && !same(node, after, m.Value) {
			asked.value(node, m.Name, before, m.Value)
		}
	}
	for _, m := range rawjson.Members(u.Now.Read) {
		name := u.nameOf(m.Name)
		before, after := was[name], is[name]
		delete(was, name)
		if before != nil && after != nil && sent[name] == nil && !slices.Contains(u.Follows, name) {
			other.value(nodeOf(u.Node, name), inside("", name), before, after)
		}
	}
	return asked.changes, other.changes
}

// notRestored returns the members that the update leaves out because of a withheld secret, although
// the object is another one there now than when the update was made from it.
func (b *Body) notRestored(now map[string][]byte) (names []string) {
	was := b.update.members()
	for _, member := range b.left {
		if !restored(nodeOf(b.update.Node, member), was[member], now[member], rawjson.Levels) {
			names = append(names, member)
		}
	}
	return names
}

// restored reports whether a value is that of another state already. What is null or absent in that
// state, as withheld values are, may be anything. What is deeper than the given levels is one
// value.
func restored(n *schema.Node, state, now []byte, levels int) bool {
	switch kind := rawjson.Kind(state); {
	case kind == 'n' || kind == 0 || same(n, now, state):
		return true
	case levels == 0:
	case kind == '{':
		values := rawjson.Index(now)
		for _, m := range rawjson.Members(state) {
			node := nodeOf(n, m.Name)
			if !sameInside(node, values[m.Name], m.Value) && !restored(node, m.Value, values[m.Name], levels-1) {
				return false
			}
		}
		return rawjson.Kind(now) == '{'
	case kind == '[':
		return slices.EqualFunc(itemsOf(state), itemsOf(now), func(a, b []byte) bool { return restored(itemOf(n), a, b, levels-1) })
	}
	return false
}

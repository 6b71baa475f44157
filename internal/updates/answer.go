package updates

import (
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
	was, is, sent := u.before(), u.answered(answer), index(u.Node, b.JSON)
	if is == nil {
		return nil
	}
	var names []string
	for _, name := range b.left {
		if sent.get(name) == nil && lost(was.get(name), is.get(name), rawjson.Levels) {
			names = append(names, name)
		}
	}
	for _, name := range b.unknown {
		if sent.get(name) == nil && !isNothing(was.get(name)) && is.get(name) != nil && isNothing(is.get(name)) {
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

// NotTaken compares the answer to an update with what was there before. missed are the changes that
// were sent, of values that the answer still has as before. Another value than both is what the
// service made of the change. What the answer does not have says nothing; neither does an answer
// without an id, and a secret that it withholds. unasked are the changes of members that were not
// sent; see Follows.
func (b *Body) NotTaken(answer []byte) (missed, unasked []Change) {
	u := b.update
	was, is := u.before(), u.answered(answer)
	if is == nil {
		return nil, nil
	}
	sent := index(u.Node, b.JSON)
	for _, m := range sent.list {
		node, before := nodeOf(u.Node, m.Name), was.get(m.Name)
		if sameAtTop(node, before, m.Value) {
			continue
		}
		d := &differ{answer: &answered{value: is.get(m.Name)}}
		d.value(node, m.Name, before, m.Value)
		missed = append(missed, d.changes...)
	}
	if u.Follows == nil {
		return missed, nil
	}
	other := &differ{}
	for _, m := range was.list {
		if after := is.get(m.Name); after != nil && sent.get(m.Name) == nil && !slices.Contains(u.Follows, m.Name) {
			other.value(nodeOf(u.Node, m.Name), inside("", m.Name), m.Value, after)
		}
	}
	return missed, other.changes
}

// answered returns the members of the answer to the update; nil if it has neither an id nor a key,
// so that nothing says what it is about.
func (u *Update) answered(answer []byte) *members {
	if u.Form != nil {
		answer = u.Form(answer)
	}
	if is := index(u.Node, answer); is.get("id") != nil || is.get("key") != nil {
		return is
	}
	return nil
}

// notRestored returns the members that the update leaves out because of a withheld secret, although
// the object is another one there now than when the update was made from it.
func (b *Body) notRestored(now *members) (names []string) {
	was := b.update.members()
	for _, member := range b.left {
		if !restored(nodeOf(b.update.Node, member), was.get(member), now.get(member), rawjson.Levels) {
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

package updates

import (
	"bytes"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Answer is what the answer to an update tells about it.
type Answer struct {
	// Reset are those of the members that the body left out that the answer no longer has: they are
	// empty there, or parts of what has a withheld secret are gone. Members that the update does not
	// know may be absent. Dropped are the same of Keeps, which may be absent, too.
	Reset, Dropped []string
	// Missed are the changes that were sent, of values that the answer still has as before. Another
	// value than both is what the service made of the change. What the answer does not have says
	// nothing; neither does a secret that it withholds.
	Missed []Change
	// Unasked are the changes of members that were not sent; see Follows.
	Unasked []Change
}

// Answered compares the answer to an update with what was there before. One that has neither an id
// nor a key says nothing.
func (b *Body) Answered(answer []byte) Answer {
	u := b.update
	if u.Form != nil {
		answer = u.Form(answer)
	}
	is := index(u.Node, answer)
	if is.get("id") == nil && is.get("key") == nil {
		return Answer{}
	}
	was, sent := u.before(), index(u.Node, b.JSON)
	dropped := func(names []string) (gone []string) {
		for _, name := range names {
			if sent.get(name) == nil && !isNothing(was.get(name)) && is.get(name) != nil && isNothing(is.get(name)) {
				gone = append(gone, scrub.Clean(name))
			}
		}
		return gone
	}
	return Answer{
		Reset: append(b.reset(was, is, sent), dropped(b.unknown)...), Dropped: dropped(u.Keeps),
		Missed: b.missed(was, is, sent), Unasked: b.unasked(was, is, sent),
	}
}

// reset returns the members with a withheld secret that were left out and are lost.
func (b *Body) reset(was, is, sent *members) (names []string) {
	for _, name := range b.left {
		if sent.get(name) == nil && b.update.comparer().lost(was.get(name), is.get(name), rawjson.Levels) {
			names = append(names, name)
		}
	}
	return names
}

// lost reports whether something of a value is no longer there. Another value is no loss. What is
// deeper than the given levels is one value; a list takes half of them, because each look at one is
// a look at all that is in it.
func (c comparer) lost(was, is []byte, levels int) bool {
	switch kind := rawjson.Kind(was); {
	case c.ended(), isNothing(was):
		return false
	case isNothing(is):
		return true
	case levels == 0:
	case kind == '{':
		has := lookIn(is)
		return !lookIn(was).all(func(name, value []byte) bool { return !c.lost(value, has.get(string(name)), levels-1) })
	case kind == '[':
		before, after := itemsOf(was), itemsOf(is)
		partner, gone := c.match(before, after)
		for i, from := range partner {
			if from >= 0 && c.lost(before[from], after[i], levels/2) {
				return true
			}
		}
		return slices.Contains(gone, true)
	}
	return false
}

func (b *Body) missed(was, is, sent *members) []Change {
	d := &differ{comparer: b.update.comparer()}
	for _, m := range sent.list {
		node, before := nodeOf(b.update.Node, m.Name), was.get(m.Name)
		if !d.sameAtTop(node, before, m.Value) {
			d.answer = &answered{comparer: d.comparer, value: is.get(m.Name)}
			d.value(node, m.Name, before, m.Value)
		}
	}
	return d.changes
}

func (b *Body) unasked(was, is, sent *members) []Change {
	if b.update.Follows == nil {
		return nil
	}
	d := &differ{comparer: b.update.comparer()}
	for _, m := range was.list {
		node, after := nodeOf(b.update.Node, m.Name), is.get(m.Name)
		switch {
		case after == nil || sent.get(m.Name) != nil || slices.Contains(b.update.Follows, m.Name):
		case rawjson.IsEmpty(m.Value) && rawjson.IsEmpty(after):
		case !rawjson.IsNull(m.Value) && d.restored(node, m.Value, after, rawjson.Levels): // it may have more inside
		default:
			d.value(node, inside("", m.Name), m.Value, after)
		}
	}
	return d.changes
}

// notRestored returns the members that the update leaves out because of a withheld secret, although
// the object is another one there now than when the update was made from it.
func (b *Body) notRestored(there *members) (names []string) {
	was := b.update.members()
	for _, member := range b.left {
		if !b.update.comparer().restored(nodeOf(b.update.Node, member), was.get(member), there.get(member), rawjson.Levels) {
			names = append(names, member)
		}
	}
	return names
}

// restored reports whether a value is that of another state already. What is null or absent in that
// state, as withheld values are, may be anything. What is deeper than the given levels is one
// value.
func (c comparer) restored(n *schema.Node, state, there []byte, levels int) bool {
	kind := rawjson.Kind(state)
	if kind == 'n' || kind == 0 || bytes.Equal(state, there) || c.ended() {
		return true
	}
	if levels == 0 || kind != rawjson.Kind(there) || kind != '{' && kind != '[' {
		return c.same(n, there, state)
	}
	if kind == '{' {
		values := lookIn(there)
		return lookIn(state).all(func(name, value []byte) bool {
			node, is := nodeOf(n, string(name)), values.get(string(name))
			return c.restored(node, value, is, levels-1) || node != nil && isDefault(node, is, true) && isDefault(node, value, false)
		})
	}
	return n != nil && n.Set && c.same(n, there, state) ||
		slices.EqualFunc(itemsOf(state), itemsOf(there), func(a, b []byte) bool { return c.restored(itemOf(n), a, b, levels-1) })
}

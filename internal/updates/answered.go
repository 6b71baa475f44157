package updates

import (
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// answered is what the answer to an update has in place of a value that was sent. There is none if
// it is nil.
type answered struct {
	comparer
	value  []byte // nil if the answer lacks it
	inside bool   // it is a member inside of a value, so its default may stand for its absence
}

// takes reports whether the answer has what was sent, or does not say what it has.
func (a *answered) takes(n *schema.Node, sent []byte) bool {
	return a != nil && (a.value == nil || n != nil && n.Secret && (isNothing(a.value) || a.hides(a.value, sent, rawjson.Levels)) || a.same(n, a.value, sent))
}

// hides reports whether the answer is what was sent, with null in place of what it withholds.
func (c comparer) hides(answer, sent []byte, levels int) bool {
	switch kind := rawjson.Kind(answer); {
	case c.ended(), kind == 'n', rawjson.Equal(answer, sent):
		return true
	case levels == 0 || kind != rawjson.Kind(sent):
	case kind == '{':
		has, had := lookIn(answer), lookIn(sent)
		return had.all(func(name, value []byte) bool {
			is := has.get(string(name))
			return is != nil && c.hides(is, value, levels-1)
		}) && has.all(func(name, value []byte) bool { return had.get(string(name)) != nil || rawjson.IsNull(value) })
	case kind == '[':
		return slices.EqualFunc(itemsOf(answer), itemsOf(sent), func(is, was []byte) bool { return c.hides(is, was, levels-1) })
	}
	return false
}

// keeps reports whether the answer has what was there before.
func (a *answered) keeps(n *schema.Node, before []byte) bool {
	return a == nil || a.same(n, a.value, before) || before == nil && rawjson.IsNull(a.value)
}

// same is the one rule of equality, where a service may also return null for a list without items.
func (a *answered) same(n *schema.Node, read, other []byte) bool {
	if n != nil && n.Kinds&schema.Array != 0 && isNothing(read) && isNothing(other) {
		return true
	}
	return a.comparer.same(n, read, other) || a.inside && a.sameInside(n, read, other)
}

// members returns what the answer has in place of a member.
func (a *answered) members() func(name string) *answered {
	if a == nil {
		return func(string) *answered { return nil }
	}
	members := lookIn(a.value)
	return func(name string) *answered { return &answered{a.comparer, members.get(name), true} }
}

// items returns what the answer has in place of an item that was sent, and of one that was there
// before and is gone. What stands for an item that was sent is not the old one.
func (a *answered) items(was, is [][]byte, gone []bool) (sent, left func(index int) *answered) {
	if a == nil {
		none := func(int) *answered { return nil }
		return none, none
	}
	var rest, old [][]byte
	var places []int // of the old ones
	ofSent, ofLeft := make([][]byte, len(is)), make([][]byte, len(was))
	items := itemsOf(a.value)
	partner, _ := a.match(is, items)
	for i, item := range partner {
		if item >= 0 {
			ofSent[item] = items[i]
		} else {
			rest = append(rest, items[i])
		}
	}
	for i, item := range was {
		if gone[i] {
			old, places = append(old, item), append(places, i)
		}
	}
	partner, _ = a.match(old, rest)
	for i, item := range partner {
		if item >= 0 {
			ofLeft[places[item]] = rest[i]
		}
	}
	in := func(list [][]byte) func(int) *answered {
		return func(i int) *answered { return &answered{comparer: a.comparer, value: list[i]} }
	}
	return in(ofSent), in(ofLeft)
}

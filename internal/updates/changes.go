package updates

import (
	"bytes"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Diff returns the changes to the object that the update was made from. With values, it shows those
// of items that are neither secret nor locked, if such items may be secret at all.
func (u *Update) Diff(values bool) []Change {
	b, err := u.Body()
	if err != nil {
		return nil
	}
	return b.diff(values, b.asRead)
}

// asRead returns what was read for a member. Of one that nobody has changed, that is what is sent.
func (b *Body) asRead(name string, sent []byte) []byte {
	if b.isUnchanged(name) && !b.sets(name) {
		return sent
	}
	return b.update.members().get(name)
}

// DiffFrom returns the changes to an object that is there, given the update of that; nil if there is
// no object. The update may have been made from another state of the object: then it also names what
// is left as it is.
func (u *Update) DiffFrom(there *Update) []Change {
	if u.There != there {
		over := *u
		over.There, over.body = there, nil
		u = &over
	}
	b, err := u.Body()
	if err != nil {
		b = &Body{update: u} // what cannot be encoded changes nothing
	}
	var read *members
	if there != nil {
		read = there.members()
	}
	changes := b.Changes()
	for _, name := range b.notRestored(read) {
		changes = append(changes, Change{Path: name, Kind: Left})
	}
	for _, name := range b.absent {
		changes = append(changes, Change{Path: name, Kind: Absent})
	}
	return changes
}

// Changes returns what the body changes of the object as it is there now, also by what Set has set.
func (b *Body) Changes() []Change {
	if b.update.isThere() {
		return b.diff(false, b.asRead)
	}
	return b.diff(false, func(name string, _ []byte) []byte { return b.update.There.has(name) })
}

// Changes reports whether the update changes anything of the object as it is there now. An update
// that cannot be sent does: the call says what is wrong.
func (u *Update) Changes() bool {
	b, err := u.Body()
	if err != nil || u.Read == nil || len(b.Unset)+len(b.Withheld)+len(b.Foreign) > 0 {
		return true
	}
	if u.There == nil || bytes.Equal(u.Read, u.There.Read) {
		return b.changed > 0
	}
	return slices.ContainsFunc(u.DiffFrom(u.There), func(c Change) bool { return c.Kind != Left && c.Kind != Absent })
}

// Changed reports whether the body has something that was not read so.
func (b *Body) Changed() bool {
	return b.changed > 0 || !b.OfRead() && len(b.sent) > 0 || len(b.set) > 0
}

// Since returns what is another value in the object that the update was made from than it was in an
// older state of it, of the members that an update could send.
func (u *Update) Since(older []byte) []Change {
	d := &differ{comparer: u.comparer()}
	was, is := index(u.Node, older), u.members()
	none := func(value []byte) bool { return value == nil || rawjson.IsNull(value) }
	compare := func(name string, before, after []byte) {
		if node := nodeOf(u.Node, name); node != nil && !(none(before) && none(after)) {
			d.value(node, name, before, after)
		}
	}
	for _, m := range is.list {
		compare(m.Name, was.get(m.Name), m.Value)
	}
	for _, m := range was.list {
		if is.get(m.Name) == nil {
			compare(m.Name, m.Value, nil)
		}
	}
	return d.changes
}

// diff compares the body with what is there before, which may depend on the value that is sent.
func (b *Body) diff(values bool, before func(name string, value []byte) []byte) []Change {
	d := &differ{comparer: b.update.comparer(), values: values}
	for _, m := range rawjson.Members(b.JSON) {
		node, was := nodeOf(b.update.Node, m.Name), before(m.Name, m.Value)
		if !d.sameAtTop(node, was, m.Value) {
			d.value(node, m.Name, was, m.Value)
		}
	}
	for _, name := range b.Unset { // the call refuses these
		d.value(nodeOf(b.update.Node, name), name, before(name, nil), nil)
	}
	return d.changes
}

package document

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Patch writes what a value has become. read is the JSON from which was was read.
func (w *Writer) Patch(p *jsontype.Plan, read []byte, was, now reflect.Value) []byte {
	start := len(w.out)
	w.patch(p, read, was, now)
	return w.out[start:len(w.out):len(w.out)]
}

func (w *Writer) patch(p *jsontype.Plan, read []byte, was, now reflect.Value) {
	kind := rawjson.Kind(read)
	if !(w.Hide && p.Deep && kind != 'n') && Equal(p, was, now) {
		w.out = rawjson.AppendCompact(w.out, read)
		return
	}
	switch {
	case kind == 'n':
	case p.Form == jsontype.FormNullable:
		before, wasThere := p.Inside(was)
		if after, isThere := p.Inside(now); wasThere && isThere {
			w.patch(p.Elem, read, before, after)
			return
		}
	case p.Form == jsontype.FormPointer && !was.IsNil() && !now.IsNil():
		w.patch(p.Elem, read, was.Elem(), now.Elem())
		return
	case p.Form == jsontype.FormObject && kind == '{':
		if _, isText := p.AsText(now); !isText && isOneObject(p, was, now) {
			w.patchObject(p, read, was, now)
			return
		}
	case p.Form == jsontype.FormList && kind == '[' && !now.IsNil() && w.patchList(p, read, was, now):
		return
	}
	w.value(p, now)
}

// isOneObject reports whether an object is still the same one: it has the type that it had.
func isOneObject(p *jsontype.Plan, was, now reflect.Value) bool {
	if p.Kind < 0 {
		return true
	}
	m := &p.Members[p.Kind]
	return Equal(m.Plan, m.In(was), m.In(now))
}

// part is a member of an object, or an item of a list, as it was read.
type part struct {
	name   []byte // with quotation marks
	value  []byte
	member int  // its place in the plan; -1 if it has no field
	folded bool // its name differs from that of the field in the case of letters
}

// partsOf returns the members of an object as they were read, and for each member of the plan the
// place of the one that it was read from: the last one with its very name, or else the last one
// whose name differs in case. It is -1 if there is none.
func partsOf(p *jsontype.Plan, read []byte) (parts []part, from []int) {
	parts, from = make([]part, 0, len(p.Members)), make([]int, len(p.Members))
	for i := range from {
		from[i] = -1
	}
	last := -1
	rawjson.EachMember(read, rawjson.SkipSpace(read, 0), func(name []byte, value int) int {
		end := rawjson.EndOfValue(read, value)
		text := name[1 : len(name)-1]
		if bytes.IndexByte(text, '\\') >= 0 {
			text = []byte(rawjson.Unquote(name))
		}
		one := part{name: name, value: read[value:end], member: p.Find(string(text), last)}
		if one.member >= 0 {
			last = one.member
		} else if one.member = p.Folded(string(text)); one.member >= 0 {
			one.folded = true
		}
		if at := one.member; at >= 0 && (from[at] < 0 || !one.folded || parts[from[at]].folded) {
			from[at] = len(parts)
		}
		parts = append(parts, one)
		return end
	})
	return parts, from
}

func (w *Writer) patchObject(p *jsontype.Plan, read []byte, was, now reflect.Value) {
	parts, from := partsOf(p, read)
	blank := p.IsBlank(now)
	w.depth++
	w.out = append(w.out, '{')
	for i, one := range parts {
		if one.member >= 0 && from[one.member] == i {
			w.patchMember(&p.Members[one.member], one, was, now, blank)
			continue
		}
		overridden := one.member >= 0 && !(one.folded && !parts[from[one.member]].folded)
		mayBeSecret := w.Hide && one.member >= 0 && p.Members[one.member].Deep
		if !overridden && !mayBeSecret {
			w.unknown(p, one)
		}
	}
	for i := range p.Members {
		m := &p.Members[i]
		if from[i] < 0 && !m.Omits(m.In(now)) && (p.ReadAs != nil || m.Omits(m.In(was)) || !Equal(m.Plan, m.In(was), m.In(now))) {
			w.name(m.Name)
			w.member(m, m.In(now), blank)
		}
	}
	w.out = append(w.out, '}')
	w.depth--
}

// unknown writes a member that has no field.
func (w *Writer) unknown(p *jsontype.Plan, one part) {
	if p.ReadAs != nil && slices.Contains(p.ReadAs, rawjson.Unquote(one.name)) {
		return
	}
	value := one.value
	switch {
	case w.Unknown != nil && w.depth == 1:
		value = w.Unknown(rawjson.Unquote(one.name), value)
	case w.Hide && p.Hides: // it may be the secret, too
		return
	}
	w.comma('{')
	w.out = rawjson.AppendCompact(append(append(w.out, one.name...), ':'), value)
}

// patchMember writes a member that was read. One that has changed gets the name of its field.
func (w *Writer) patchMember(m *jsontype.Member, read part, was, now reflect.Value, blank bool) {
	before, after := m.In(was), m.In(now)
	equal := Equal(m.Plan, before, after)
	switch {
	case equal:
		w.comma('{')
		w.out = append(append(w.out, read.name...), ':')
	case m.Omits(after):
		return
	default:
		w.name(m.Name)
	}
	switch {
	case blank && m.Form == jsontype.FormSecret:
		w.null()
	case equal && !(w.Hide && m.Deep):
		w.out = rawjson.AppendCompact(w.out, read.value)
	default:
		w.patch(m.Plan, read.value, before, after)
	}
}

// patchList reports false if the list must be written anew, because its JSON has other items.
func (w *Writer) patchList(p *jsontype.Plan, read []byte, was, now reflect.Value) bool {
	items := slices.Collect(rawjson.Items(read))
	if len(items) != was.Len() {
		return false
	}
	w.out = append(w.out, '[')
	for i, from := range match(p.Elem, was, now) {
		w.comma('[')
		if from >= 0 {
			w.patch(p.Elem, items[from], was.Index(from), now.Index(i))
		} else {
			w.value(p.Elem, now.Index(i))
		}
	}
	w.out = append(w.out, ']')
	return true
}

// match finds for each item the one that it was before, -1 if there was none. Of several items with
// one key it is the one with the same content. Of those that are left the first was the first; one
// that is there once more is the last of them.
func match(p *jsontype.Plan, was, now reflect.Value) (partner []int) {
	keyed, name := identity(p)
	used := make([]bool, was.Len())
	partner = slices.Repeat([]int{-1}, now.Len())
	places := placesOf(was, name)
	if keyed && len(places) < was.Len() {
		content := contentOf(p)
		pair(partner, used, placesOf(was, content), now, content)
	}
	pair(partner, used, places, now, name)
	if keyed {
		return partner
	}
	for i, from := range partner {
		if from >= 0 {
			continue
		}
		before, after := -1, len(used)
		if i > 0 {
			before = partner[i-1]
		}
		if i+1 < len(partner) {
			after = partner[i+1]
		}
		switch {
		case len(used) == len(partner) && !used[i]:
			partner[i], used[i] = i, true
		case after-before == 2 && !used[before+1]: // between the same neighbors
			partner[i], used[before+1] = before+1, true
		}
	}
	return partner
}

func placesOf(list reflect.Value, name func(reflect.Value) string) map[string][]int {
	places := make(map[string][]int)
	for i := range list.Len() {
		text := name(list.Index(i))
		places[text] = append(places[text], i)
	}
	return places
}

// pair gives each item without a partner the first with its name that is not used, or else the
// last.
func pair(partner []int, used []bool, places map[string][]int, now reflect.Value, name func(reflect.Value) string) {
	for i := range partner {
		if partner[i] >= 0 {
			continue
		}
		text := name(now.Index(i))
		found := places[text]
		for len(found) > 1 && used[found[0]] {
			found = found[1:]
		}
		if len(found) > 0 {
			partner[i], used[found[0]], places[text] = found[0], true, found
		}
	}
}

// identity returns what tells the items of a list apart: their key, or else their content.
func identity(p *jsontype.Plan) (keyed bool, name func(reflect.Value) string) {
	object := p
	if p.Form == jsontype.FormPointer {
		object = p.Elem
	}
	if object.Form != jsontype.FormObject || object.Key < 0 {
		return false, contentOf(p)
	}
	var w Writer
	m := &object.Members[object.Key]
	return true, func(v reflect.Value) string {
		if v = reflect.Indirect(v); !v.IsValid() {
			return ""
		}
		return string(w.Value(m.Plan, m.In(v)))
	}
}

func contentOf(p *jsontype.Plan) func(reflect.Value) string {
	var w Writer
	return func(v reflect.Value) string {
		w.out = w.out[:0]
		return string(w.Value(p, v))
	}
}

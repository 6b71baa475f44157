package document

import (
	"bytes"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// part is a member of an object, or an item of a list, as it was read.
type part struct {
	name   []byte // with quotation marks
	value  []byte
	member int  // its place in the plan; -1 if it has no field
	folded bool // its name differs from that of the field in the case of letters
}

// isOverridden reports whether another member of the same name counts, which has its very name.
func (p *part) isOverridden(by part) bool { return p.folded && !by.folded }

// find returns the place of the member with a name, which has quotation marks, and whether the name
// differs in the case of letters. last is the one that was found before.
func find(p *jsontype.Plan, name []byte, last int) (member int, folded bool) {
	text := name[1 : len(name)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		text = []byte(rawjson.Unquote(name))
	}
	if at := p.Find(string(text), last); at >= 0 {
		return at, false
	}
	at := p.Folded(string(text))
	return at, at >= 0
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
		one := part{name: name, value: read[value:end]}
		if one.member, one.folded = find(p, name, last); one.member >= 0 && !one.folded {
			last = one.member
		}
		if at := one.member; at >= 0 && (from[at] < 0 || !one.folded || parts[from[at]].folded) {
			from[at] = len(parts)
		}
		parts = append(parts, one)
		return end
	})
	return parts, from
}

// appendText appends JSON of a type anew. Hidden it has null for each secret, and for what may
// contain one and does not fit the type. Otherwise it lacks members that are overridden.
func appendText(out []byte, p *jsontype.Plan, value []byte, hidden bool) []byte {
	kind := rawjson.Kind(value)
	switch {
	case kind == 'n' || hidden && !p.Deep:
	case p.Form == jsontype.FormNullable, p.Form == jsontype.FormPointer:
		return appendText(out, p.Elem, value, hidden)
	case p.Form == jsontype.FormList && kind == '[':
		out = append(out, '[')
		for item := range rawjson.Items(value) {
			out = appendText(appendComma(out, '['), p.Elem, item, hidden)
		}
		return append(out, ']')
	case p.Form == jsontype.FormObject && kind == '{':
		out = append(out, '{')
		parts, from := partsOf(p, value)
		for _, one := range parts {
			known := one.member >= 0
			if !known && hidden && p.Hides || known && one.isOverridden(parts[from[one.member]]) {
				continue
			}
			out = append(append(appendComma(out, '{'), one.name...), ':')
			if known {
				out = appendText(out, p.Members[one.member].Plan, one.value, hidden)
			} else {
				out = rawjson.AppendCompact(out, one.value)
			}
		}
		return append(out, '}')
	case hidden:
		return append(out, "null"...)
	}
	return rawjson.AppendCompact(out, value)
}

// appendComma appends a comma, unless an object or a list has just begun.
func appendComma(out []byte, begin byte) []byte {
	if out[len(out)-1] != begin {
		out = append(out, ',')
	}
	return out
}

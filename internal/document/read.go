package document

import (
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Read reads JSON into the value that out points to, which is zero. Of two members whose names
// differ in the case of letters the one with the very name of the field counts.
func Read(plans *jsontype.Plans, data []byte, out any) error {
	err := plans.Decode(data, out)
	v := reflect.ValueOf(out).Elem()
	if p := plans.Of(v.Type()); err == nil && isFolded(p, data) {
		data = appendText(nil, p, data, false)
		v.SetZero()
		return plans.Decode(data, out)
	}
	return err
}

// isFolded reports whether a member has a name that differs from that of its field in case: then
// encoding/json may have taken that one although there is one with the very name. The JSON was
// decoded before, so it is valid.
func isFolded(p *jsontype.Plan, data []byte) (folded bool) {
	var value func(p *jsontype.Plan, at int) int
	value = func(p *jsontype.Plan, at int) int {
		for data[at] != 'n' && (p.Form == jsontype.FormNullable || p.Form == jsontype.FormPointer) {
			p = p.Elem
		}
		switch {
		case p.Form == jsontype.FormList && data[at] == '[':
			return rawjson.EachItem(data, at, func(_, item int) int { return value(p.Elem, item) })
		case p.Form == jsontype.FormObject && data[at] == '{':
			last := -1
			return rawjson.EachMember(data, at, func(name []byte, at int) int {
				found, isFold := find(p, name, last)
				if folded = folded || isFold; found < 0 || isFold {
					return rawjson.EndOfValue(data, at)
				}
				last = found
				return value(p.Members[found].Plan, at)
			})
		}
		return rawjson.EndOfValue(data, at)
	}
	if at := rawjson.SkipSpace(data, 0); at < len(data) {
		value(p, at)
	}
	return folded
}

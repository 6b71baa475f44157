package document

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Secret is a secret in a value.
type Secret struct {
	Text string // of a secret that takes any JSON its JSON
	Raw  bool   // it takes any JSON
	// Withheld is the path of a secret that is withheld, which has no text; "" for others.
	Withheld string
}

// Secrets appends the secrets in a value that is at a path. data is the JSON of the value: an
// object that is null in it has none. The path of a value that has none is $.
func Secrets(list []Secret, p *jsontype.Plan, v reflect.Value, data, path []byte) []Secret {
	if !p.Deep {
		return list
	}
	switch p.Form {
	case jsontype.FormSecret:
		text, withheld := p.Reveal(v.Addr().Interface())
		if withheld {
			return append(list, Secret{Withheld: cmp.Or(string(path), "$")})
		}
		return append(list, Secret{Text: text, Raw: p.Raw})
	case jsontype.FormNullable:
		if inner, there := p.Inside(v); there {
			return Secrets(list, p.Elem, inner, data, path)
		}
	case jsontype.FormPointer:
		if !v.IsNil() {
			return Secrets(list, p.Elem, v.Elem(), data, path)
		}
	case jsontype.FormMap:
		values := rawjson.Index(data)
		for _, e := range entriesOf(v) {
			list = Secrets(list, p.Elem, e.value, values[e.name], rawjson.Step{Name: e.name, Index: -1}.AppendTo(path))
		}
	case jsontype.FormAny:
		if inner, ok := inside(v); ok {
			return Secrets(list, p.Plans.OfCopy(inner.Type()), inner, data, path)
		}
	case jsontype.FormEmbeds:
		if m := p.Embeds; m.Deep {
			found := Secrets(nil, m.Plan, m.In(v), data, path)
			if !rawjson.IsNull(data) { // its own method wrote it
				found = slices.DeleteFunc(found, func(s Secret) bool { return s.Withheld != "" })
			}
			return append(list, found...)
		}
	case jsontype.FormList, jsontype.FormArray:
		at := 0
		for item := range rawjson.Items(data) {
			if at < v.Len() && !(p.Elem.Form == jsontype.FormObject && rawjson.IsNull(item)) {
				list = Secrets(list, p.Elem, v.Index(at), item, rawjson.Step{Index: at}.AppendTo(path))
			}
			at++
		}
		for ; at < v.Len(); at++ {
			list = Secrets(list, p.Elem, v.Index(at), nil, rawjson.Step{Index: at}.AppendTo(path))
		}
	case jsontype.FormObject:
		p, v, _ := whole(p, v)
		blank := p.IsBlank(v)
		for i := range p.Members {
			m := &p.Members[i]
			omitted := m.Omits(m.In(v)) && !(m.Form == jsontype.FormSecret && rawjson.Get(data, m.Name) != nil)
			if !m.Deep || omitted {
				continue
			}
			at := rawjson.Step{Name: m.Name, Index: -1}.AppendTo(path)
			if blank && m.Form == jsontype.FormSecret {
				list = append(list, Secret{Withheld: string(at)})
			} else {
				list = Secrets(list, m.Plan, m.In(v), rawjson.Get(data, m.Name), at)
			}
		}
	}
	return list
}

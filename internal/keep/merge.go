package keep

import (
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/document"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// merge patches the JSON that a struct keeps: unchanged members are written exactly as they were
// read, and members unknown to the type stay. To see what has changed it reads what was kept.
func (w *writer) merge(k *jsonType, read []byte, now reflect.Value) []byte {
	was := reflect.New(k.typ)
	if w.err = w.types.decode(was.Interface(), read); w.err != nil {
		return nil
	}
	patch := document.Writer{Hide: !w.opens}
	if patch.Hide && k.Kinds != nil {
		patch.Unknown = func(name string, value []byte) []byte {
			return w.types.hiddenElsewhere(k, rawjson.Member{Name: name, Value: value})
		}
	}
	plan := w.types.Plans.Of(k.typ)
	data := patch.Patch(plan, read, was.Elem(), now)
	w.err = patch.Err
	if w.opens {
		for _, secret := range document.Secrets(nil, plan, now, data, nil) {
			if secret.Withheld != "" {
				w.withheld = append(w.withheld, Under(w.at(), secret.Withheld))
			}
		}
	}
	return data
}

// ofKind is a field with a secret that another kind of an object has.
type ofKind struct {
	kind  reflect.Type
	field *field
}

// elsewhere returns the fields with secrets that the kinds of an object have, by their folded
// names.
func (t *Types) elsewhere(k *jsonType) map[string][]ofKind {
	if known, ok := t.kinds.Load(k); ok {
		return known.(map[string][]ofKind)
	}
	all := make(map[string][]ofKind)
	for _, kind := range k.Kinds {
		for _, f := range t.typeOf(kind).fields {
			same := func(one ofKind) bool { return one.field.typ == f.typ }
			if name := folded(f.name); f.hides(make(map[*jsonType]bool)) && !slices.ContainsFunc(all[name], same) {
				all[name] = append(all[name], ofKind{kind, f})
			}
		}
	}
	t.kinds.Store(k, all)
	return all
}

// folded returns a name in which the case of letters does not count, as for strings.EqualFold.
func folded(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// hides reports whether a value may contain a secret.
func (k *jsonType) hides(seen map[*jsonType]bool) bool {
	if seen[k] {
		return false
	}
	seen[k] = true
	inside := func(f *field) bool { return f.hides(seen) }
	return k.Secret || k.elem != nil && k.elem.hides(seen) || slices.ContainsFunc(k.fields, inside)
}

// hiddenElsewhere returns a member that the kind of an object has no field for, without what other
// kinds call a secret. What they cannot read is null.
func (t *Types) hiddenElsewhere(k *jsonType, m rawjson.Member) []byte {
	for _, other := range t.elsewhere(k)[folded(m.Name)] {
		if rawjson.IsNull(m.Value) {
			break
		}
		object := reflect.New(other.kind).Interface()
		var data []byte
		err := t.decode(object, rawjson.Join([]rawjson.Member{{Name: other.field.name, Value: m.Value}}))
		if err == nil {
			data, err = t.Hidden(object)
		}
		if m.Value = rawjson.Get(data, other.field.name); err != nil || m.Value == nil {
			return []byte("null")
		}
	}
	return m.Value
}

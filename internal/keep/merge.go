package keep

import (
	"bytes"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// merge combines the JSON that a struct keeps with the members that were just written: unchanged
// members are written exactly as they were read, and members unknown to the type are added. To
// see what has changed it reads and writes again what was kept.
func (w *writer) merge(k *jsonType, read []byte, now []rawjson.Member) []byte {
	before := reflect.New(k.typ).Interface()
	if w.err = w.types.decode(before, read); w.err != nil {
		return nil
	}
	*before.(Keeper).keeps() = JSON{}
	var was Result
	if w.opens {
		was, w.err = w.types.Encode(before)
	} else {
		was.JSON, w.err = w.types.Hidden(before)
	}
	if w.err != nil {
		return nil
	}
	return rawjson.Join(w.join(k, rawjson.Members(read), rawjson.Index(was.JSON), now))
}

// join returns the members of an object. read are the members as they were read, was is
// their JSON after decoding and encoding them again, and now is the JSON of the struct. A
// member has changed if was and now differ.
func (w *writer) join(k *jsonType, read []rawjson.Member, was map[string][]byte, now []rawjson.Member) []rawjson.Member {
	hide := !w.opens
	current := make(map[string][]byte, len(now))
	for _, m := range now {
		current[m.Name] = m.Value
	}
	out := make([]rawjson.Member, 0, len(read)+len(now))
	written := make(map[string]bool, len(now))
	for _, m := range read {
		name, f := m.Name, k.named(m.Name)
		if f != nil {
			name = f.name
		}
		value, there := current[name]
		before, wasThere := was[name]
		switch {
		case f == nil && hide && k.Kinds != nil:
			m.Value = w.types.hiddenElsewhere(k, m)
		case f == nil:
			if hide && k.hasSecret() { // it may contain the secret, too
				continue
			}
		case there != wasThere || !bytes.Equal(value, before): // changed
			if !there || written[name] {
				continue
			}
			if there && wasThere && !(hide && f.deep) {
				value = rawjson.Respell(m.Value, before, value)
			}
			m = rawjson.Member{Name: name, Value: value}
		case hide && f.deep && !rawjson.IsNull(m.Value):
			m.Value = value
		}
		written[name] = true
		m.Value = rawjson.Compact(m.Value)
		out = append(out, m)
	}
	for _, m := range now {
		before, wasThere := was[m.Name]
		if !written[m.Name] && (!wasThere || !bytes.Equal(m.Value, before)) {
			out = append(out, m)
		}
	}
	return out
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

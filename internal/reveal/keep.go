package reveal

import (
	"bytes"
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// keeper writes structs of one type whose values keep the JSON they were read from.
type keeper struct {
	typ    reflect.Type
	fields map[string]bool // by name: whether the field can contain a hiding type
	secret bool            // it has a secret field, so unknown members may contain the secret too
}

// newKeeper returns nil for a type whose structs keep nothing.
func (e *Encoder) newKeeper(t reflect.Type, fields []jsontype.Field) *keeper {
	if !e.keeps(t) {
		return nil
	}
	k := &keeper{typ: t, fields: make(map[string]bool, len(fields))}
	for _, f := range fields {
		k.fields[f.Name] = e.holds(f.Type, make(map[reflect.Type]bool))
		k.secret = k.secret || e.isSecret(jsontype.Elem(f.Type))
	}
	return k
}

// isSecret reports whether a type is a secret: its zero value is a withheld one.
func (e *Encoder) isSecret(t reflect.Type) bool {
	return e.hides(t) == Itself && e.Open(reflect.New(t).Interface(), false).Kind == Withheld
}

// merge combines the JSON that a struct keeps with the JSON just written: unchanged members
// are written exactly as they were read, and members unknown to the type are added.
func (k *keeper) merge(w *walk, v reflect.Value, from int) error {
	read := w.encoder.Kept(v.Addr().Interface())
	if read == nil {
		return nil
	}
	before, err := w.encoder.Read(k.typ, read)
	if err != nil {
		return err
	}
	was, err := w.encoder.encode(before, w.hide)
	if err != nil {
		return err
	}
	merged := k.join(rawjson.Members(read), rawjson.Index(was.JSON), rawjson.Members(w.out[from:]), w.hide)
	w.out = append(w.out[:from], rawjson.Join(merged)...)
	return nil
}

// join returns the members of an object. read are the members as they were read, was is
// their JSON after decoding and encoding them again, and now is the JSON of the struct. A
// member has changed if was and now differ.
func (k *keeper) join(read []rawjson.Member, was map[string][]byte, now []rawjson.Member, hide bool) []rawjson.Member {
	current := make(map[string][]byte, len(now))
	for _, m := range now {
		current[m.Name] = m.Value
	}
	out := make([]rawjson.Member, 0, len(read)+len(now))
	written := make(map[string]bool, len(now))
	for _, m := range read {
		name, known := k.fieldOf(m.Name)
		value, there := current[name]
		before, wasThere := was[name]
		switch {
		case !known:
			if hide && k.secret {
				continue
			}
		case there != wasThere || !bytes.Equal(value, before): // changed
			if !there || written[name] {
				continue
			}
			m = rawjson.Member{Name: name, Value: value}
		case hide && k.fields[name] && !rawjson.IsNull(m.Value):
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

// fieldOf returns the field that a member was read into. Like encoding/json it ignores case
// if no field has exactly this name.
func (k *keeper) fieldOf(member string) (name string, known bool) {
	if _, ok := k.fields[member]; ok {
		return member, true
	}
	for name := range k.fields {
		if strings.EqualFold(name, member) {
			return name, true
		}
	}
	return member, false
}

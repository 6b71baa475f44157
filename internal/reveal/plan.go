package reveal

import (
	"encoding"
	"encoding/json"
	"reflect"
	"sync/atomic"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
)

// plan is how values of a type are written.
type plan struct {
	write func(w *walk, v reflect.Value, addressable bool) error
}

// lazyPlan is the plan of a part of a type. It is looked up when it is first used,
// because a type may contain itself.
type lazyPlan struct {
	typ  reflect.Type
	plan atomic.Pointer[plan]
}

func (l *lazyPlan) get(e *Encoder) *plan {
	p := l.plan.Load()
	if p == nil {
		p = e.planOf(l.typ)
		l.plan.Store(p)
	}
	return p
}

func (e *Encoder) planOf(t reflect.Type) *plan {
	if p, ok := e.plans.Load(t); ok {
		return p.(*plan)
	}
	p, _ := e.plans.LoadOrStore(t, e.newPlan(t))
	return p.(*plan)
}

// newPlan decides how a type is written. The order is that of encoding/json: methods
// first, then the kind. Pointers come before both: the methods of the type they point to
// are found when that type is planned.
func (e *Encoder) newPlan(t reflect.Type) *plan {
	if t.Kind() == reflect.Pointer {
		return &plan{e.pointerWriter(t)}
	}
	hiding := e.hides(t)
	switch {
	case hiding == Itself:
		return &plan{(*walk).hidden}
	case marshals(t) && hiding == Embedded:
		return &plan{(*walk).embedded}
	case marshals(t):
		return &plan{(*walk).asJSON}
	case marshals(reflect.PointerTo(t)): // encoding/json finds this method only on an addressable value
		byKind := e.kindWriter(t)
		return &plan{func(w *walk, v reflect.Value, addressable bool) error {
			if addressable {
				return w.asJSON(v, true)
			}
			return byKind(w, v, false)
		}}
	}
	return &plan{e.kindWriter(t)}
}

func (e *Encoder) hides(t reflect.Type) Hiding {
	if t.Kind() == reflect.Interface {
		return Nothing
	}
	return e.Hides(t)
}

func (e *Encoder) keeps(t reflect.Type) bool {
	return e.Keeps != nil && t.Kind() == reflect.Struct && e.Keeps(t)
}

func (e *Encoder) kindWriter(t reflect.Type) func(*walk, reflect.Value, bool) error {
	switch t.Kind() {
	case reflect.Interface:
		return func(w *walk, v reflect.Value, _ bool) error { return w.dynamic(v.Elem()) }
	case reflect.Struct:
		if e.holds(t, make(map[reflect.Type]bool)) {
			return e.structWriter(t)
		}
	case reflect.Slice, reflect.Array:
		if e.walksItems(t.Elem()) {
			return e.listWriter(t)
		}
	case reflect.Map:
		if isKey(t.Key()) && e.holds(t.Elem(), make(map[reflect.Type]bool)) {
			return e.mapWriter(t)
		}
	default:
		if write := scalarWriter(t); write != nil {
			return write
		}
	}
	return (*walk).asJSON
}

// walksItems reports whether the items of a list are written one by one. This includes
// strings and numbers, because it is cheaper than a call of encoding/json. Bytes are
// written as base64 instead.
func (e *Encoder) walksItems(item reflect.Type) bool {
	if item.Kind() == reflect.Uint8 {
		return false
	}
	return !marshals(reflect.PointerTo(item)) && scalarWriter(item) != nil || e.holds(item, make(map[reflect.Type]bool))
}

// holds reports whether values of a type can contain a hiding type. If not, encoding/json
// writes the whole value. An interface can contain anything.
func (e *Encoder) holds(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch {
	case t.Kind() == reflect.Pointer:
		return e.holds(t.Elem(), seen)
	case e.hides(t) != Nothing || e.keeps(t):
		return true
	case marshals(t):
		return false
	}
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice, reflect.Array, reflect.Map:
		return e.holds(t.Elem(), seen)
	case reflect.Struct:
		for _, f := range jsontype.Fields(t) {
			if e.holds(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

var marshalerTypes = []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()}

// marshals reports whether a type has a method that writes it. It is false for an
// interface, because the type of the value in it decides.
func marshals(t reflect.Type) bool {
	if t.Kind() == reflect.Interface {
		return false
	}
	for _, m := range marshalerTypes {
		if t.Implements(m) {
			return true
		}
	}
	return false
}

// isKey reports whether encoding/json accepts a type as the key of a map.
func isKey(t reflect.Type) bool {
	return plainKey(t) || marshalsText(t)
}

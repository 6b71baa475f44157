package keep

import (
	"encoding/json"
	"reflect"
	"unsafe"
)

// Copy replaces everything that the value that to points to contains by copies, so that changes
// of a copied value do not change the original. What is kept stays shared.
func (t *Types) Copy(to any) {
	v := reflect.ValueOf(to).Elem()
	c := copier{types: t}
	c.copy(t.typeOf(v.Type()), v) // fails only if it opens, or for a cycle, which a response has not
}

// copier replaces the parts of a value by copies.
type copier struct {
	types *Types
	opens bool // it opens secrets, and copies only what may contain some
	texts []string
	// completes says that there is an object that keeps its JSON, or a secret that may be withheld.
	completes bool

	depth int
	seen  map[visit]bool
}

// copy copies what a value contains. The value itself is a copy that can be set.
func (c *copier) copy(k *jsonType, v reflect.Value) error {
	if c.opens {
		if !k.deep {
			return nil
		}
		if k.isForeign() || k.form == formPointer && k.elem.isForeign() { // also the memory behind the pointer stays its own
			c.completes = true
			return nil
		}
		if err := c.open(k, v); err != nil {
			return err
		}
	}
	if k.Inner != nil {
		return c.copy(k.elem, reflect.ValueOf(k.Inner(v.Addr().Interface())).Elem())
	}
	switch v.Kind() {
	case reflect.Struct:
		return c.fields(k, v)
	case reflect.Array:
		return c.items(k, v)
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if v.IsNil() || k.elem == nil {
			return nil
		}
		at := visitOf(v) // of the original, before it is replaced
		if err := c.enter(v, at); err != nil {
			return err
		}
		defer c.leave(at)
		return c.shared(k, v)
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		copied := reflect.New(v.Elem().Type()).Elem()
		copied.Set(v.Elem())
		err := c.copy(c.types.typeOf(copied.Type()), copied)
		v.Set(copied)
		return err
	}
	return nil
}

func (c *copier) open(k *jsonType, v reflect.Value) error {
	if k.keeps {
		kept := v.Addr().Interface().(Keeper).keeps()
		*kept = Open(*kept)
		c.completes = c.completes || Of(*kept) != nil
	}
	if k.Withheld != nil && !c.completes {
		c.completes = !k.Secret || len(k.Withheld(v.Addr().Interface())) > 0
	}
	if k.Open == nil {
		return nil
	}
	texts, err := k.Open(v.Addr().Interface())
	c.texts = append(c.texts, texts...)
	return err
}

// shared copies the memory behind a pointer, a list or a map.
func (c *copier) shared(k *jsonType, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Pointer:
		copied := reflect.New(k.elem.typ)
		c.assign(k.elem, copied.Elem(), v.Elem())
		v.Set(copied.Convert(v.Type()))
		return c.copy(k.elem, copied.Elem())
	case reflect.Slice:
		copied := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		if c.reads(k.elem) {
			for i := range v.Len() {
				c.assign(k.elem, copied.Index(i), v.Index(i))
			}
		} else {
			reflect.Copy(copied, v)
		}
		v.Set(copied)
		return c.items(k, copied)
	}
	copied := reflect.MakeMapWithSize(v.Type(), v.Len())
	for at := v.MapRange(); at.Next(); {
		value := settled(at.Value())
		if err := c.copy(k.elem, value); err != nil {
			return err
		}
		copied.SetMapIndex(at.Key(), value)
	}
	v.Set(copied)
	return nil
}

// reads reports whether only the parts of a struct are copied: what encoding/json does not read,
// such as a mutex, others may change meanwhile.
func (c *copier) reads(k *jsonType) bool {
	return c.opens && k.typ.Kind() == reflect.Struct && !k.ours && !k.writes
}

func (c *copier) assign(k *jsonType, to, from reflect.Value) {
	if !c.reads(k) {
		to.Set(from)
		return
	}
	for _, p := range k.parts {
		to, from := exported(to.Field(p.index)), exported(from.Field(p.index))
		if p.omitZero { // any field may say that it is not zero
			to.Set(from)
		} else {
			c.assign(p.jsonType, to, from)
		}
	}
}

func (c *copier) items(k *jsonType, v reflect.Value) error {
	for i := range v.Len() {
		if err := c.copy(k.elem, v.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func (c *copier) fields(k *jsonType, v reflect.Value) error {
	for _, p := range k.parts {
		if c.opens && p.apart && p.deep {
			c.completes = true
			continue
		}
		f := v.Field(p.index)
		if p.omitZero && f.IsZero() { // it is left out, and must stay zero for that
			continue
		}
		if !p.exported { // encoding/json sees the fields of an embedded struct, whatever its name is
			f = exported(f)
		}
		if err := c.copy(p.jsonType, f); err != nil {
			return err
		}
	}
	return nil
}

// settled returns a copy of a value that has an address.
func settled(v reflect.Value) reflect.Value {
	copied := reflect.New(v.Type()).Elem()
	copied.Set(v)
	return copied
}

// exported returns a field as one that can be used; that of an embedded struct may be unexported.
func exported(f reflect.Value) reflect.Value {
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// visit is a place in memory that is being copied.
type visit struct {
	typ    reflect.Type
	memory unsafe.Pointer
	length int
}

// mostDepth is the depth from which the copier looks for cycles, as encoding/json does.
const mostDepth = 1000

// enter begins a pointer, a map or a slice, and leave ends it. It fails if the copier is already
// inside the same one: that is a cycle.
func (c *copier) enter(v reflect.Value, at visit) error {
	if c.depth++; c.depth <= mostDepth {
		return nil
	}
	if c.seen[at] {
		return &json.UnsupportedValueError{Value: v, Str: "encountered a cycle via " + v.Type().String()}
	}
	if c.seen == nil {
		c.seen = make(map[visit]bool)
	}
	c.seen[at] = true
	return nil
}

func (c *copier) leave(at visit) {
	if c.depth--; c.depth >= mostDepth {
		delete(c.seen, at)
	}
}

func visitOf(v reflect.Value) visit {
	at := visit{typ: v.Type(), memory: v.UnsafePointer()}
	if v.Kind() == reflect.Slice {
		at.length = v.Len()
	}
	return at
}

package lenient

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// maxDepth is how deep JSON may be nested. encoding/json refuses JSON that is deeper.
const maxDepth = 10000

// SizeError is the error of JSON whose values would take too much memory. Most is what they may take,
// in bytes.
type SizeError struct{ Most int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("its values would take over %d bytes of memory", e.Most)
}

// CheckSize returns a *SizeError if JSON takes too much memory as a value of the type. It is
// exact for lists: each item takes the size of its type. It reads only as much of the JSON as it
// needs to know, and the JSON need not be valid.
func (r *Reader) CheckSize(data []byte, t reflect.Type) error {
	budget := sizeFree + sizePerByte*len(data)
	most := r.mostOf(t)
	if most == (sizes{}) {
		return nil
	}
	if quickBound(data, most) <= budget { // nearly all responses
		return nil
	}
	c := sizeCounter{reader: r, data: data, left: budget}
	c.value(t, rawjson.SkipSpace(data, 0))
	if c.left < 0 {
		return &SizeError{budget}
	}
	return nil
}

// quickBound is what a response takes at most: every object begins with a brace, and every value
// but the outermost one follows a brace, a bracket or a comma. A brace before an escape is inside
// a text, such as the JSON in the log of a result.
func quickBound(data []byte, most sizes) int {
	objects := bytes.Count(data, []byte("{")) - bytes.Count(data, []byte(`{\`))
	values := objects + bytes.Count(data, []byte("[")) + bytes.Count(data, []byte(","))
	return values*most.value + objects*most.object
}

type sizeCounter struct {
	reader *Reader
	data   []byte
	left   int // what may still be taken
	depth  int
}

// value counts what the value at a position takes in addition to the size of its type, and
// returns its end.
func (c *sizeCounter) value(t reflect.Type, at int) int {
	if c.left < 0 || c.depth > maxDepth || at >= len(c.data) {
		return len(c.data)
	}
	kind := c.data[at]
	if kind != '{' && kind != '[' || c.reader.mostOf(t) == (sizes{}) { // most values
		return rawjson.EndOfValue(c.data, at)
	}
	for t.Kind() == reflect.Pointer {
		c.left -= sizeBehind(t)
		t = t.Elem()
	}
	if value := c.reader.traitsOf(t).Value; value != nil {
		return c.value(value, at)
	}
	if form := c.reader.traitsOf(t).Form; form != nil && kind == '{' {
		t = form(c.data[at:])
		c.left -= int(t.Size())
	}
	c.depth++
	defer func() { c.depth-- }()
	switch {
	case c.reader.isObject(t) && kind == '{':
		return c.object(t, at)
	case t.Kind() == reflect.Slice && kind == '[':
		return c.list(t.Elem(), at)
	case t.Kind() == reflect.Array && kind == '[':
		return rawjson.EachItem(c.data, at, func(_, item int) int { return c.value(t.Elem(), item) })
	case t.Kind() == reflect.Map && kind == '{':
		return c.dictionary(t, at)
	case t.Kind() == reflect.Interface && kind == '{':
		return c.dictionary(reflect.TypeFor[map[string]any](), at)
	case t.Kind() == reflect.Interface:
		return c.list(t, at)
	}
	return rawjson.EndOfValue(c.data, at)
}

func (c *sizeCounter) list(item reflect.Type, at int) int {
	size, begin := int(item.Size()), beginOf(item)
	return rawjson.EachItem(c.data, at, func(_, value int) int {
		c.left -= size
		if first := c.data[value]; begin != 0 && first != begin && first != 'n' {
			c.left -= sizeOfError
		}
		return c.value(item, value)
	})
}

// beginOf is the first byte of the JSON of a small item; 0 if there are several, or if an error is
// small beside the item.
func beginOf(item reflect.Type) byte {
	switch {
	case int(item.Size()) >= sizeOfError || jsontype.ReadsItself(item):
	case item.Kind() == reflect.String:
		return '"'
	case item.Kind() == reflect.Struct:
		return '{'
	}
	return 0
}

func (c *sizeCounter) dictionary(t reflect.Type, at int) int {
	size := int(t.Key().Size() + t.Elem().Size())
	c.left -= sizeOfMap
	return rawjson.EachMember(c.data, at, func(_ []byte, value int) int {
		c.left -= size
		return c.value(t.Elem(), value)
	})
}

func (c *sizeCounter) object(t reflect.Type, at int) int {
	s := c.reader.shapeOf(t)
	extra := s.extra != nil
	if c.reader.traitsOf(t).Keeps {
		c.left -= sizeOfKept
	}
	return rawjson.EachMember(c.data, at, func(name []byte, value int) int {
		if m := s.find(name); m != nil {
			return c.value(m.typ, value)
		}
		if extra {
			extra = false
			c.left -= sizeOfExtra
		}
		return rawjson.EndOfValue(c.data, value)
	})
}

// sizes are the most that values inside a value of a type take in addition to the size of the type.
type sizes struct {
	value  int // each of them, as an item or an entry
	object int // each object in addition, as what a pointer points to, and for what it keeps
}

// mostOf returns the sizes of a type. They are 0 if all values of the type take the same.
func (r *Reader) mostOf(t reflect.Type) sizes {
	if s, ok := r.mosts.Load(t); ok {
		return s.(sizes)
	}
	var s sizes
	s.add(r, t, map[reflect.Type]bool{})
	r.mosts.Store(t, s)
	return s
}

func (s *sizes) add(r *Reader, t reflect.Type, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if t.Kind() == reflect.Pointer {
		s.object = max(s.object, sizeBehind(t)+r.sizeInside(t.Elem()))
		s.add(r, t.Elem(), seen)
		return
	}
	if value := r.traitsOf(t).Value; value != nil {
		s.add(r, value, seen)
		return
	}
	for _, form := range r.traitsOf(t).Forms {
		s.object = max(s.object, int(form.Size())+r.sizeInside(form))
		s.add(r, form, seen)
	}
	switch {
	case r.isObject(t):
		s.object = max(s.object, r.sizeInside(t))
		for _, m := range r.shapeOf(t).members {
			s.add(r, m.typ, seen)
		}
	case jsontype.ReadsItself(t):
	case t.Kind() == reflect.Slice:
		s.value = max(s.value, int(t.Elem().Size()))
		if beginOf(t.Elem()) != 0 {
			s.value = max(s.value, int(t.Elem().Size())+sizeOfError)
		}
		s.add(r, t.Elem(), seen)
	case t.Kind() == reflect.Array:
		s.add(r, t.Elem(), seen)
	case t.Kind() == reflect.Map:
		s.value, s.object = max(s.value, int(t.Key().Size()+t.Elem().Size())), max(s.object, sizeOfMap)
		s.add(r, t.Elem(), seen)
	case t.Kind() == reflect.Interface:
		s.add(r, reflect.TypeFor[[]any](), seen)
		s.add(r, reflect.TypeFor[map[string]any](), seen)
	}
}

// isObject reports whether a type is a struct that is read by its fields.
func (r *Reader) isObject(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && (r.owns(t) && len(r.shapeOf(t).members) > 0 || !jsontype.ReadsItself(t))
}

// sizeInside is the most that an object keeps beside its fields.
func (r *Reader) sizeInside(t reflect.Type) (size int) {
	if !r.isObject(t) {
		return 0
	}
	if r.traitsOf(t).Keeps {
		size += sizeOfKept
	}
	if r.shapeOf(t).extra != nil {
		size += sizeOfExtra
	}
	return size
}

// sizeBehind is the size of the struct that a pointer points to, 0 if it points to another value:
// that is about the size of its JSON.
func sizeBehind(pointer reflect.Type) int {
	if t := pointer.Elem(); t.Kind() == reflect.Struct {
		return int(t.Size())
	}
	return 0
}

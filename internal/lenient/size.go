package lenient

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// SizeError is the error of JSON whose values would take too much memory. Most is what they may
// take, in bytes.
type SizeError struct{ Most int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("its values would take over %d bytes of memory", e.Most)
}

// CheckSize returns an error if JSON would take more than most bytes as a value of the type: the
// values, and the JSON once more, for its texts. Each item, entry and object is counted with what
// Go allocates for it. CheckSize reads only as much of the JSON as it needs to know, and the JSON
// need not be valid.
func (r *Reader) CheckSize(data []byte, t reflect.Type, most int) error {
	content := len(data)
	if len(data) > most/growthOfInvalid {
		if token := longToken(data); token != "" {
			return fmt.Errorf("a %s of over %d bytes", token, longest)
		}
		if !utf8.Valid(data) { // each byte that is not UTF-8 becomes three
			content *= growthOfInvalid
		}
	}
	c := sizeCounter{reader: r, data: data, left: most - content}
	if c.left >= 0 {
		sizes := r.shapeOf(t).most()
		if sizes == (sizesOf{}) || quickBound(data, sizes) <= c.left { // nearly all responses
			return nil
		}
		c.value(t, rawjson.SkipSpace(data, 0))
	}
	if c.left < 0 {
		return &SizeError{most}
	}
	return nil
}

// longToken returns which token of JSON is longer than any in honest JSON: a name or a number. It
// is empty if there is none.
func longToken(data []byte) string {
	for at := 0; at < len(data); {
		end := at + bytes.IndexByte(data[at:], '"')
		if end < at {
			end = len(data)
		}
		if hasLongNumber(data[at:end]) {
			return "number"
		}
		text := end
		at = rawjson.EndOfString(data, text)
		if colon := rawjson.SkipSpace(data, at); at-text > longest && colon < len(data) && data[colon] == ':' {
			return "name"
		}
	}
	return ""
}

// hasLongNumber reports whether a part without texts has a long number. It looks only at a few
// bytes, because such a number covers one of them.
func hasLongNumber(part []byte) bool {
	for at := longest; at < len(part); at += longest {
		if at+1 < len(part) && bytes.ContainsAny(part[at:at+1], digits) {
			length := len(bytes.TrimLeft(part[at:], digits))
			length = len(part) - at - length + at - len(bytes.TrimRight(part[:at], digits))
			if length > longest {
				return true
			}
		}
	}
	return false
}

const digits = "0123456789+-.eE" // that a number has

// quickBound is what the values of a response take at most: every object begins with a brace, and
// every value but the outermost one follows a brace, a bracket or a comma. A brace before an escape
// is inside a text, such as the JSON in the log of a result.
func quickBound(data []byte, most sizesOf) int {
	objects := bytes.Count(data, []byte("{")) - bytes.Count(data, []byte(`{\`))
	values := 1 + objects + bytes.Count(data, []byte("[")) + bytes.Count(data, []byte(","))
	return values*(most.slot+most.behind+most.boxed+most.form) + objects*most.object + len(data)*most.copies
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
	if c.left < 0 || c.depth > rawjson.MaxDepth || at >= len(c.data) {
		return len(c.data)
	}
	kind := c.data[at]
	if kind == 'n' {
		return rawjson.EndOfValue(c.data, at)
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
		c.left -= int(t.Size())
	}
	s := c.reader.shapeOf(t)
	if s.Wraps != nil {
		c.left -= int(s.Wraps.Size())
		return c.value(s.Wraps, at)
	}
	if s.KindOf != nil && kind == '{' {
		t = s.KindOf(c.data[at:])
		s = c.reader.shapeOf(t)
		c.left -= int(t.Size())
	}
	if t.Kind() == reflect.Interface {
		c.left -= sizeBoxed(kind)
	}
	if kind != '{' && kind != '[' || s.most() == (sizesOf{}) { // most values
		return rawjson.EndOfValue(c.data, at)
	}
	c.depth++
	defer func() { c.depth-- }()
	switch {
	case s.object && kind == '{':
		return c.object(s, at)
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
	size := sizeOfItem(item)
	if c.depth == 1 { // ReadList makes it as long as it becomes
		size = int(item.Size())
	}
	return rawjson.EachItem(c.data, at, func(_, value int) int {
		c.left -= size
		return c.value(item, value)
	})
}

func (c *sizeCounter) dictionary(t reflect.Type, at int) int {
	entry, n, room := sizeOfEntry(t), 0, entriesOfMap
	c.left -= sizeOfMap
	return rawjson.EachMember(c.data, at, func(_ []byte, value int) int {
		if n++; n == 1 {
			c.left -= room * entry
		} else if n > entriesOfMap && n > room/8*7 { // the map doubles
			c.left -= room * entry
			room *= 2
		}
		return c.value(t.Elem(), value)
	})
}

func (c *sizeCounter) object(s *shape, at int) int {
	extra := s.extra != nil
	if s.Keeps {
		c.left -= sizeOfKept
	}
	last := -1
	return rawjson.EachMember(c.data, at, func(name []byte, value int) int {
		m := s.find(name, &last)
		if m != nil && !((s.loose || m.odd) && value < len(c.data) && mayNotFit(m.Type, c.data[value])) {
			end := c.value(m.Type, value)
			if s.omits && m.omits() {
				c.left -= min(end-value, longestOmitted) + len(name)
			}
			return end
		}
		if extra {
			extra = false
			c.left -= sizeOfExtraOf(s)
		}
		if s.extra != nil {
			c.left -= sizeOfExtraMember
		}
		end := rawjson.EndOfValue(c.data, value)
		if s.hides {
			c.left -= copiesOfHidden * (end - value)
		}
		return end
	})
}

// sizeOfExtraOf returns what an Extra of a shape takes, without its members.
func sizeOfExtraOf(s *shape) int {
	if s.hides {
		return sizeOfHidden
	}
	return sizeOfExtra
}

// mayNotFit reports whether JSON that begins with a byte may be no value of a type.
func mayNotFit(t reflect.Type, begin byte) bool {
	begins := "-0123456789"
	switch t = elem(t); {
	case begin == 'n', t == rawMessageType, t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return false
	case jsontype.ReadsItself(t):
		return true
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Map:
		begins = "{"
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		begins = "["
	case t.Kind() == reflect.String:
		begins = `"`
	case t.Kind() == reflect.Bool:
		begins = "tf"
	}
	return strings.IndexByte(begins, begin) < 0
}

// sizesOf are the most that values inside a value of a type take in addition to the size of the
// type.
type sizesOf struct {
	slot   int // each of them, as an item or an entry, or in an Extra
	behind int // each of them, as what a pointer points to
	boxed  int // each of them, in an interface
	form   int // each of them, as one of several objects
	object int // each object in addition
	copies int // how often its JSON is kept, at most
}

// add adds what values inside a value of a type may take.
func (s *sizesOf) add(r *Reader, t reflect.Type, seen map[reflect.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	behind := 0
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
		behind += int(t.Size())
	}
	shape := r.shapeOf(t)
	if shape.Wraps != nil {
		for v := shape.Wraps; ; v = v.Elem() {
			if behind += int(v.Size()); v.Kind() != reflect.Pointer {
				break
			}
		}
	}
	s.behind = max(s.behind, behind)
	for _, form := range shape.OneOf {
		s.form = max(s.form, int(form.Size()))
		s.add(r, form, seen)
	}
	switch {
	case shape.Wraps != nil:
		s.add(r, shape.Wraps, seen)
	case shape.object:
		inside := 0
		if shape.Keeps {
			inside = sizeOfKept
		}
		if shape.extra != nil {
			inside += sizeOfExtraOf(shape)
			s.slot = max(s.slot, sizeOfExtraMember)
		}
		if shape.hides {
			s.copies = copiesOfHidden
		} else if shape.omits {
			s.copies = max(s.copies, 1)
		}
		s.object = max(s.object, inside)
		for _, m := range shape.members {
			s.add(r, m.Type, seen)
		}
	case jsontype.ReadsItself(t):
	case t.Kind() == reflect.Slice:
		s.slot = max(s.slot, sizeOfItem(t.Elem()))
		s.add(r, t.Elem(), seen)
	case t.Kind() == reflect.Array:
		s.add(r, t.Elem(), seen)
	case t.Kind() == reflect.Map:
		entry := sizeOfEntry(t)
		s.slot, s.object = max(s.slot, growthOfMap*entry), max(s.object, sizeOfMap+entriesOfMap*entry)
		s.add(r, t.Elem(), seen)
	case t.Kind() == reflect.Interface:
		s.boxed = sizeBoxed('[')
		s.add(r, reflect.TypeFor[[]any](), seen)
		s.add(r, reflect.TypeFor[map[string]any](), seen)
	}
}

// sizeOfItem is what an item of a list takes. The list grows while it is decoded, so that it may be
// there twice.
func sizeOfItem(item reflect.Type) int { return 2 * int(item.Size()) }

// sizeOfEntry is what an entry of a map takes, with the byte by which the map finds it.
func sizeOfEntry(t reflect.Type) int { return int(t.Key().Size()+t.Elem().Size()) + 1 }

// sizeBoxed is what an interface points to, for JSON that begins with a byte.
func sizeBoxed(begin byte) int {
	switch begin {
	case '[':
		return 24
	case '"':
		return 16
	case '{', 't', 'f':
		return 0
	}
	return 8
}

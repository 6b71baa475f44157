package lenient

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// shape is what is known of a type. It extends the fields of package jsontype by what only reading
// asks for: which members are loose texts, which values go to an Extra, and what all of it takes.
type shape struct {
	Traits
	// object says that it is a struct that is read by its fields, and not from a text.
	object  bool
	members []member
	// extra is the index of the field Extra, nil if there is none. Only the Reader's package has such.
	extra []int
	// hides says that the Extra is of the Reader's Hidden type.
	hides bool
	// omits says that it embeds an Omitted.
	omits bool
	// loose says that values that do not fit their field go to Extra.
	loose bool
	// most is what values inside may take. It is 0 if all values of the type take the same.
	most func() sizesOf
}

// member is a member of the object.
type member struct {
	jsontype.Field
	// ours says that it is a member of a type of the Reader's package.
	ours bool
	// text says that it is a string that services may write as another type; see Traits.
	text bool
	// number says that it is a whole number that services may write as a text; see Traits.
	number bool
	// measure says that it is an integer whose fraction is left out; see Reader.
	measure bool
	// odd says that a value that does not fit goes to Extra although those of other members must fit.
	odd bool
	// alone says that it is left to encoding/json, as an object with this member alone.
	alone bool
}

// A value that is no member, such as an item of a list, is read as one of these.
var ours, theirs = member{ours: true}, member{}

// inside returns the member as which the items of a member are read.
func (m *member) inside() *member {
	if m.ours {
		return &ours
	}
	return &theirs
}

// omits says that it is not written if it is zero or empty.
func (m *member) omits() bool { return m.OmitEmpty || m.OmitZero }

var (
	extraType      = reflect.TypeFor[map[string]json.RawMessage]()
	rawMessageType = reflect.TypeFor[json.RawMessage]()
)

// shapeOf returns the shape of a type.
func (r *Reader) shapeOf(t reflect.Type) *shape {
	if s, ok := r.shapes.Load(t); ok {
		return s.(*shape)
	}
	s, _ := r.shapes.LoadOrStore(t, r.newShape(t))
	return s.(*shape)
}

func (r *Reader) newShape(t reflect.Type) *shape {
	s, own, wire := &shape{Traits: r.Traits(t)}, r.owns(t), t
	s.most = sync.OnceValue(func() (most sizesOf) {
		most.add(r, t, make(map[reflect.Type]bool))
		return most
	})
	if t.Kind() != reflect.Struct {
		return s
	}
	if f, ok := t.FieldByName("Extra"); ok && own && r.isExtra(f) {
		s.extra, s.hides = f.Index, f.Type == r.Hidden
		s.loose = !s.Fixed && !s.hides
	}
	if s.Members != nil {
		wire = s.Members
	} else {
		s.omits = own && reflect.PointerTo(t).Implements(reflect.TypeFor[Omitter]())
	}
	for _, f := range jsontype.Fields(wire) {
		s.members = append(s.members, member{
			Field: f, ours: own,
			text:    slices.Contains(r.Traits(f.Owner).Texts, f.Name) || r.isText(f.Type),
			number:  slices.Contains(r.Traits(f.Owner).Numbers, f.Name),
			odd:     slices.Contains(s.Odd, f.Name),
			measure: own && slices.Contains(r.Measures, f.Name),
			alone:   f.String || f.Unexported || f.Type.Kind() == reflect.Struct && isLeft(f.Type),
		})
	}
	s.object = !reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) &&
		(own && len(s.members) > 0 || !jsontype.ReadsItself(t))
	return s
}

// moves reports whether a value that cannot be read into a member goes to Extra, or, without one, is
// left out.
func (r *Reader) moves(s *shape, m *member) bool {
	t := elem(m.Type)
	return s.loose || m.odd || s.extra != nil && t.Kind() == reflect.Struct && r.shapeOf(t).loose
}

// isText reports whether a type, or what it wraps, is one of strings that services write as other
// values, too.
func (r *Reader) isText(t reflect.Type) bool {
	traits := r.Traits(elem(t))
	return traits.Text || traits.Wraps != nil && r.isText(traits.Wraps)
}

// isExtra reports whether a field is for the members without one.
func (r *Reader) isExtra(f reflect.StructField) bool {
	return f.Tag.Get("json") == "-" && (f.Type == extraType || f.Type == r.Hidden)
}

// owns reports whether a type belongs to the Reader's package.
func (r *Reader) owns(t reflect.Type) bool { return t.PkgPath() == r.Package }

// find returns the member with a name, which is given with its quotation marks. If none is equal, it
// returns one that differs only in case, or nil. It looks first behind the last one, which is where
// the one before was found: most services write the members in the order of the fields.
func (s *shape) find(token []byte, last *int) *member {
	if len(token) < 2 { // no name
		return nil
	}
	name := token[1 : len(token)-1] // as nearly all names are written
	for range s.members {
		if *last++; *last >= len(s.members) {
			*last = 0
		}
		if m := &s.members[*last]; m.Name == string(name) {
			return m
		}
	}
	if bytes.IndexByte(name, '\\') >= 0 {
		name = []byte(rawjson.Unquote(token))
	}
	var found *member
	for i := range s.members {
		m := &s.members[i]
		if m.Name == string(name) {
			return m
		}
		if found == nil && strings.EqualFold(m.Name, string(name)) {
			found = m
		}
	}
	return found
}

// elem returns the type that a pointer type points to, or the type itself.
func elem(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

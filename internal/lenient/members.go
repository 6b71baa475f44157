package lenient

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// shape describes a struct as a JSON object. It is a model of its own, because it has what only
// reading asks for: which members are loose texts, and which values go to an Extra.
type shape struct {
	members []member
	// extra is the index of the field Extra, nil if there is none. Only the Reader's package has such.
	extra []int
	// hides says that the Extra is of the Reader's Hidden type.
	hides bool
	// omits says that it embeds an Omitted.
	omits bool
	// ours says that it is a type of the Reader's package.
	ours bool
	// loose says that values that do not fit their field go to Extra.
	loose bool
	// deep says that it has an Extra, or contains one somewhere.
	deep bool
	// self says that it reads itself, and calls that it does so by calling the Reader.
	self, calls bool
}

// member is a member of the object.
type member struct {
	name  string
	typ   reflect.Type
	index []int
	// text says that it is a string that services may write as another type; see Traits.
	text bool
	// number says that it is a whole number that services may write as a text; see Traits.
	number bool
	// measure says that it is an integer whose fraction is left out; see Reader.
	measure bool
	// odd says that a value that does not fit goes to Extra although those of other members must fit.
	odd bool
	// unseen says that it has the option "string" and is left to encoding/json.
	unseen bool
	// deep says that it contains an Extra somewhere.
	deep bool
	// omits says that it is not written if it is zero or empty.
	omits bool
}

var (
	extraType      = reflect.TypeFor[map[string]json.RawMessage]()
	rawMessageType = reflect.TypeFor[json.RawMessage]()
)

// shapeOf returns the shape of a struct.
func (r *Reader) shapeOf(t reflect.Type) *shape {
	if s, ok := r.shapes.Load(t); ok {
		return s.(*shape)
	}
	s, _ := r.shapes.LoadOrStore(t, r.newShape(t))
	return s.(*shape)
}

func (r *Reader) newShape(t reflect.Type) *shape {
	traits := r.traitsOf(t)
	s := &shape{ours: r.owns(t), self: jsontype.ReadsItself(t), calls: traits.OnlyObjects}
	if f, ok := t.FieldByName("Extra"); ok && s.ours && r.isExtra(f) {
		s.extra, s.hides = f.Index, f.Type == r.Hidden
		s.loose = !traits.Fixed && !s.hides
	}
	wire := t
	if traits.Members != nil {
		wire = traits.Members
	} else {
		s.omits = s.ours && reflect.PointerTo(t).Implements(reflect.TypeFor[Omitter]())
	}
	for _, f := range jsontype.Fields(wire) {
		s.members = append(s.members, member{
			name: f.Name, typ: f.Type, index: f.Index, unseen: f.String,
			text:    slices.Contains(r.traitsOf(f.Owner).Texts, f.Name) || r.isText(f.Type),
			number:  slices.Contains(r.traitsOf(f.Owner).Numbers, f.Name),
			odd:     slices.Contains(traits.Odd, f.Name),
			measure: s.ours && slices.Contains(r.Measures, f.Name),
			deep:    r.hasExtra(f.Type, map[reflect.Type]bool{t: true}),
			omits:   f.OmitEmpty || f.OmitZero,
		})
	}
	s.deep = s.extra != nil || slices.ContainsFunc(s.members, func(m member) bool { return m.deep })
	return s
}

// shapeIn returns the shape of the structs in values of a type, nil if there are none.
func (r *Reader) shapeIn(t reflect.Type) *shape {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return r.shapeOf(t)
}

// isText reports whether a type, or what it wraps, is one of strings that services write as other
// values, too.
func (r *Reader) isText(t reflect.Type) bool {
	traits := r.traitsOf(elem(t))
	return traits.Text || traits.Wraps != nil && r.isText(traits.Wraps)
}

// isExtra reports whether a field is for the members without one.
func (r *Reader) isExtra(f reflect.StructField) bool {
	return f.Tag.Get("json") == "-" && (f.Type == extraType || f.Type == r.Hidden)
}

// owns reports whether a type belongs to the Reader's package.
func (r *Reader) owns(t reflect.Type) bool { return t.PkgPath() == r.Package }

// find returns the member with a name, which is given with its quotation marks. If none is
// equal, it returns one that differs only in case, or nil.
func (s *shape) find(token []byte) *member {
	name, ok := rawjson.Plain(token)
	if !ok {
		name = []byte(rawjson.Unquote(token))
	}
	for i := range s.members {
		if s.members[i].name == string(name) {
			return &s.members[i]
		}
	}
	for i := range s.members {
		if bytes.EqualFold([]byte(s.members[i].name), name) {
			return &s.members[i]
		}
	}
	return nil
}

// hasExtra reports whether values of a type contain an Extra somewhere.
func (r *Reader) hasExtra(t reflect.Type, above map[reflect.Type]bool) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return r.hasExtra(t.Elem(), above)
	case reflect.Struct:
		if above[t] || !r.owns(t) {
			return false
		}
		above[t] = true
		for f := range t.Fields() {
			if r.isExtra(f) || f.IsExported() && r.hasExtra(f.Type, above) {
				return true
			}
		}
	}
	return false
}

// elem returns the type that a pointer type points to, or the type itself.
func elem(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

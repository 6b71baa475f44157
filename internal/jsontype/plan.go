package jsontype

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/memo"
)

// Traits is what JSON a type has, where its kind does not show it. Functions get a pointer to a
// value of the type; they are nil for types that they do not concern.
type Traits struct {
	// Raw is true for a type that takes any JSON as it is.
	Raw bool
	// Inner returns a pointer to the value of one that may be null, and whether there is one.
	Inner func(pointer any) (value any, there bool)
	// Reveal returns the text of a secret, or its JSON if any JSON is taken, and whether it is
	// withheld.
	Reveal func(pointer any) (text string, withheld bool)
	// Text returns the text that an object is written as instead, and whether it is.
	Text func(pointer any) (text string, ok bool)
	// Blank reports whether the secrets in an object are withheld although they have a text.
	Blank func(pointer any) bool
	// Object returns the JSON that an object was read from, nil if there is none, and a pointer to the
	// struct with its members; nil if these are its own.
	Object func(pointer any) (fields any, read []byte)
	// Extra returns two objects: with the members that have no field, or did not fit it, which is a
	// secret, and with those that would not be written again, because they were null or empty.
	Extra func(pointer any) (extra, omitted []byte)
	// Kinds returns the structs of the objects of which an object is one. A member without a field may
	// be that of another one, in which it is a secret.
	Kinds func() []reflect.Type
	// KindOf returns the struct that an object is read into if it is one of several; nil for other
	// types.
	KindOf func(object []byte) reflect.Type
	// Masked are the members that are shown like secrets, although their types are none.
	Masked []string
	// ReadAs are names that a member has in what is read, but never in what is sent: what is read so
	// is in other fields, and is written by these.
	ReadAs []string
}

// Form is the form of the JSON of a type.
type Form uint8

const (
	FormOther Form = iota // encoding/json writes it
	FormRaw               // JSON as it is
	FormSecret
	FormText
	FormBool
	FormInt
	FormUint
	FormFloat
	FormNullable // null, or the value inside
	FormPointer
	FormList
	FormArray
	FormMap
	FormAny // an interface
	FormObject
	FormEmbeds // a struct with the method of what it embeds, unless it has one of its own
)

// Plan says what the JSON of a type is. It is made once for a type, and must not be changed.
type Plan struct {
	Traits
	Type    reflect.Type
	Form    Form
	Elem    *Plan    // of a pointer, a list, a map, or a value that may be null
	Members []Member // of a struct
	ExtraAt []int    // the index of its field Extra that is a secret; nil if there is none
	Embeds  *Member  // what a struct may have its method from
	Key     int      // the place of the member that tells objects in a list apart; -1 if there is none
	Kind    int      // the place of the member that says which object it is, its type; -1 if there is none
	Hides   bool     // it is an object with a secret, or with a secret Extra: members without a field may be secrets, too
	Deep    bool     // it may contain a secret
	// Comparable says that == compares values.
	Comparable bool
	// ByPointer says that only a pointer to a value has the method that writes it.
	ByPointer bool
	Plans     *Plans // which made it
}

// Member is a member of an object that has a field.
type Member struct {
	*Plan
	Name   string
	Quoted bool // its value is a text with what would else stand there
	Masked bool // see Traits
	field  Field
	asks   bool // a method says whether it is left out
}

// Plans makes the plans of types. It must not be copied after its first use.
type Plans struct {
	// Traits is asked at most twice per type.
	Traits func(reflect.Type) Traits
	// Decode reads the JSON that an object was read from.
	Decode func(data []byte, out any) error

	known, copies memo.Map // of reflect.Type to *Plan
}

// place is a type, and whether its values are addressable: then encoding/json also calls the
// methods of a pointer to it.
type place struct {
	reflect.Type
	addressable bool
}

// Of returns the plan of a type of which there are pointers to the values.
func (p *Plans) Of(t reflect.Type) *Plan { return p.of(&p.known, place{t, true}) }

// OfCopy returns the plan of a type of whose values encoding/json would get copies.
func (p *Plans) OfCopy(t reflect.Type) *Plan { return p.of(&p.copies, place{t, false}) }

// OfAny returns the plan of any value, and the value, of which encoding/json would get a copy.
func (p *Plans) OfAny(v *any) (*Plan, reflect.Value) {
	value := reflect.ValueOf(v).Elem()
	return p.Of(value.Type()), value
}

func (p *Plans) of(table *memo.Map, at place) *Plan {
	known, ok := table.Load(at.Type)
	if !ok {
		made := make(map[place]*Plan)
		plan := p.newPlan(at, made)
		for more := true; more; { // a type may contain itself
			more = false
			for _, one := range made {
				if !one.Deep && one.isDeep() {
					one.Deep, more = true, true
				}
			}
		}
		known, _ = table.LoadOrStore(at.Type, plan)
	}
	return known.(*Plan)
}

// isDeep reports whether a part of a value may contain a secret.
func (p *Plan) isDeep() bool {
	return p.Elem != nil && p.Elem.Deep || p.Embeds != nil && p.Embeds.Deep || slices.ContainsFunc(p.Members, func(m Member) bool { return m.Deep })
}

// newPlan makes the plan of a type. made has those that are being made.
func (p *Plans) newPlan(at place, made map[place]*Plan) *Plan {
	if plan := made[at]; plan != nil {
		return plan
	}
	t := at.Type
	plan := &Plan{Traits: p.Traits(t), Type: t, Key: -1, Kind: -1, Plans: p}
	made[at] = plan
	plan.Comparable = isComparable(t)
	kind := t.Kind()
	writes := kind != reflect.Pointer && WritesItself(t, at.addressable)
	plan.ByPointer = writes && !WritesItself(t, false)
	elem := func(addressable bool) *Plan { return p.newPlan(place{t.Elem(), addressable}, made) }
	switch {
	case plan.Reveal != nil:
		plan.Form, plan.Deep = FormSecret, true
	case plan.Inner != nil:
		value, _ := plan.Inner(reflect.New(t).Interface())
		plan.Form, plan.Elem = FormNullable, p.newPlan(place{reflect.TypeOf(value).Elem(), true}, made)
	case t == reflect.TypeFor[json.RawMessage]():
		plan.Form = FormRaw
	case kind == reflect.Struct:
		if !writes || plan.Text != nil || plan.Object != nil {
			plan.Form, plan.Deep = FormObject, plan.Object != nil // its members may stand elsewhere
		} else {
			p.addEmbedded(plan, at, made)
		}
		p.addMembers(plan, at, made)
	case writes, t == numberType:
	case kind == reflect.Interface:
		plan.Form, plan.Deep = FormAny, true
	case kind == reflect.Pointer:
		plan.Form, plan.Elem = FormPointer, elem(true)
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		plan.Form, plan.Elem = FormList, elem(true)
	case kind == reflect.Array:
		plan.Form, plan.Elem = FormArray, elem(at.addressable)
	case kind == reflect.Map && isKey(t.Key()):
		plan.Form, plan.Elem = FormMap, elem(false)
	case kind == reflect.String:
		plan.Form = FormText
	case kind == reflect.Bool:
		plan.Form = FormBool
	case kind >= reflect.Int && kind <= reflect.Int64:
		plan.Form = FormInt
	case kind >= reflect.Uint && kind <= reflect.Uint64:
		plan.Form = FormUint
	case kind == reflect.Float64:
		plan.Form = FormFloat
	}
	return plan
}

var numberType = reflect.TypeFor[json.Number]()

// isComparable reports whether == compares all values of a type. An interface may have others.
func isComparable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Array:
		return isComparable(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !isComparable(t.Field(i).Type) {
				return false
			}
		}
	}
	return t.Comparable()
}

// isKey reports whether a map may have keys of a type.
func isKey(t reflect.Type) bool {
	kind := t.Kind()
	return kind == reflect.String || kind >= reflect.Int && kind <= reflect.Uintptr || t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// addEmbedded adds the field from which a struct may have its method. If several could give it, the
// struct has one of its own.
func (p *Plans) addEmbedded(plan *Plan, at place, made map[place]*Plan) {
	var found []*Member
	for i := range plan.Type.NumField() {
		if f := plan.Type.Field(i); f.Anonymous && Promotes(f.Type) {
			found = append(found, &Member{Plan: p.newPlan(place{f.Type, at.addressable}, made), field: Field{Index: f.Index, Unexported: !f.IsExported()}})
		}
	}
	if len(found) == 1 {
		plan.Form, plan.Embeds = FormEmbeds, found[0]
	}
}

func (p *Plans) addMembers(plan *Plan, at place, made map[place]*Plan) {
	for _, f := range Fields(plan.Type) {
		addressable := at.addressable || behindPointer(plan.Type, f.Index)
		m := Member{Plan: p.newPlan(place{f.Type, addressable}, made), Name: f.Name, field: f}
		m.asks = f.OmitZero && KnowsZero(f.Type) && m.Form != FormNullable && m.Form != FormSecret
		m.Quoted, m.Masked = f.String && isScalar(f.Type, addressable), slices.Contains(plan.Traits.Masked, f.Name)
		plan.Hides = plan.Hides || m.Form == FormSecret || m.Elem != nil && m.Elem.Form == FormSecret
		plan.Members = append(plan.Members, m)
	}
	if extra, ok := plan.Type.FieldByName("Extra"); ok && p.Traits(extra.Type).Reveal != nil {
		plan.Hides, plan.Deep, plan.ExtraAt = true, true, extra.Index
	}
	for _, name := range []string{"alertChannelId", "id", "key"} { // the last one that there is counts
		if at := plan.Find(name, -1); at >= 0 {
			plan.Key = at
		}
	}
	plan.Kind = plan.Find("type", -1)
}

// Find returns the place of the member with a name, -1 if there is none. It looks first behind the
// one that was found before: most services write members in the order of the fields.
func (p *Plan) Find(name string, last int) int {
	for range p.Members {
		if last++; last >= len(p.Members) {
			last = 0
		}
		if p.Members[last].Name == name {
			return last
		}
	}
	return -1
}

// Folded is Find for a name in which the case of letters does not count.
func (p *Plan) Folded(name string) int {
	for i := range p.Members {
		if strings.EqualFold(p.Members[i].Name, name) {
			return i
		}
	}
	return -1
}

// behindPointer reports whether a field of a struct is in one that is embedded by a pointer.
func behindPointer(t reflect.Type, index []int) bool {
	for i := 1; i < len(index); i++ {
		if t.FieldByIndex(index[:i]).Type.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

// isScalar reports whether values of a type can be written as texts by the option of a tag.
func isScalar(t reflect.Type, addressable bool) bool {
	elem := unnamedElem(t)
	if elem == numberType || WritesItself(elem, addressable || t.Kind() == reflect.Pointer) {
		return elem == numberType
	}
	kind := elem.Kind()
	return kind >= reflect.Bool && kind <= reflect.Float64 || kind == reflect.String
}

// Owner returns the struct that declares the field.
func (m *Member) Owner() reflect.Type { return m.field.Owner }

// In returns the value of the member in an object. It is invalid in an embedded struct that is not
// there.
func (m *Member) In(object reflect.Value) reflect.Value {
	v := object.Field(m.field.Index[0])
	for _, i := range m.field.Index[1:] {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	if m.field.Unexported { // encoding/json sees what is exported in it
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
	}
	return v
}

// Omits reports whether the member is left out when it has a value.
func (m *Member) Omits(value reflect.Value) bool {
	if m.asks || !value.IsValid() {
		return !value.IsValid() || m.field.Omits(value)
	}
	return m.field.OmitZero && value.IsZero() || m.field.OmitEmpty && isEmpty(value)
}

// Behind returns the plan of what stands behind pointers and wrappers.
func (p *Plan) Behind() *Plan {
	for p.Form == FormNullable || p.Form == FormPointer {
		p = p.Elem
	}
	return p
}

// IsStruct reports whether the values are structs that are read by their fields.
func (p *Plan) IsStruct() bool { return p.Type.Kind() == reflect.Struct && p.Form != FormSecret }

// Inside returns the value of one that may be null, and whether there is one.
func (p *Plan) Inside(v reflect.Value) (inner reflect.Value, there bool) {
	pointer, there := p.Inner(v.Addr().Interface())
	return reflect.ValueOf(pointer).Elem(), there
}

// AsText returns the text that a value is written as although it is an object.
func (p *Plan) AsText(v reflect.Value) (text string, ok bool) {
	if p.Text == nil {
		return "", false
	}
	return p.Text(v.Addr().Interface())
}

// IsBlank reports whether the secrets in an object are withheld although they have a text.
func (p *Plan) IsBlank(v reflect.Value) bool { return p.Blank != nil && p.Blank(v.Addr().Interface()) }

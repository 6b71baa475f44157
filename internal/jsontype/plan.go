package jsontype

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/memo"
)

// Traits is what JSON a type has, where its kind does not show it. Functions get a pointer to a
// value of the type; they are nil for types that they do not concern.
type Traits struct {
	Meaning
	// Inner returns a pointer to the value of one that may be null, and whether there is one.
	Inner func(pointer any) (value any, there bool)
	// Reveal returns the text of a secret, or its JSON if any JSON is taken, and whether it is
	// withheld.
	Reveal func(pointer any) (text string, withheld bool)
	// Text returns the text that an object is written as instead, and whether it is.
	Text func(pointer any) (text string, ok bool)
	// Blank reports whether the secrets in an object are withheld although they have a text.
	Blank func(pointer any) bool
	// Completes says that the method that writes an object writes its fields, and what it was read
	// from, so that it is an object as any other.
	Completes bool
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
	FormObject
)

// Plan says what the JSON of a type is. It is made once for a type, and must not be changed.
type Plan struct {
	Traits
	Type    reflect.Type
	Form    Form
	Elem    *Plan    // of a pointer, a list, or a value that may be null
	Members []Member // of an object
	Key     int      // the place of the member that tells objects in a list apart; -1 if there is none
	Kind    int      // the place of the member that says which object it is, its type; -1 if there is none
	Hides   bool     // it is an object with a secret, or with a secret Extra: members without a field may be secrets, too
	Deep    bool     // it may contain a secret
}

// Member is a member of an object that has a field.
type Member struct {
	*Plan
	Name  string
	field Field
}

// Plans makes the plans of types. It must not be copied after its first use.
type Plans struct {
	// Traits is asked once per type.
	Traits func(reflect.Type) Traits

	known memo.Map // of reflect.Type to *Plan
}

// Of returns the plan of a type.
func (p *Plans) Of(t reflect.Type) *Plan {
	known, ok := p.known.Load(t)
	if !ok {
		made := make(map[reflect.Type]*Plan)
		plan := p.newPlan(t, made)
		for more := true; more; { // a type may contain itself
			more = false
			for _, one := range made {
				if !one.Deep && one.isDeep() {
					one.Deep, more = true, true
				}
			}
		}
		known, _ = p.known.LoadOrStore(t, plan)
	}
	return known.(*Plan)
}

// isDeep reports whether a part of a value may contain a secret.
func (p *Plan) isDeep() bool {
	return p.Elem != nil && p.Elem.Deep || slices.ContainsFunc(p.Members, func(m Member) bool { return m.Deep })
}

// newPlan makes the plan of a type. made has those that are being made.
func (p *Plans) newPlan(t reflect.Type, made map[reflect.Type]*Plan) *Plan {
	if known, ok := p.known.Load(t); ok {
		return known.(*Plan)
	}
	if plan := made[t]; plan != nil {
		return plan
	}
	plan := &Plan{Traits: p.Traits(t), Type: t, Key: -1, Kind: -1}
	made[t] = plan
	writes := t.Kind() != reflect.Pointer && WritesItself(t, true)
	switch kind := t.Kind(); {
	case plan.Reveal != nil:
		plan.Form, plan.Deep = FormSecret, true
	case plan.Inner != nil:
		value, _ := plan.Inner(reflect.New(t).Interface())
		plan.Form, plan.Elem = FormNullable, p.newPlan(reflect.TypeOf(value).Elem(), made)
	case t == reflect.TypeFor[json.RawMessage]():
		plan.Form = FormRaw
	case kind == reflect.Struct && (!writes || plan.Text != nil || plan.Completes):
		plan.Form = FormObject
		p.addMembers(plan, made)
	case writes:
	case kind == reflect.Pointer:
		plan.Form, plan.Elem = FormPointer, p.newPlan(t.Elem(), made)
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		plan.Form, plan.Elem = FormList, p.newPlan(t.Elem(), made)
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

func (p *Plans) addMembers(plan *Plan, made map[reflect.Type]*Plan) {
	for _, f := range Fields(plan.Type) {
		m := Member{p.newPlan(f.Type, made), f.Name, f}
		plan.Hides = plan.Hides || m.Form == FormSecret || m.Elem != nil && m.Elem.Form == FormSecret
		plan.Members = append(plan.Members, m)
	}
	if extra, ok := plan.Type.FieldByName("Extra"); ok && p.Traits(extra.Type).Secret {
		plan.Hides, plan.Deep = true, true
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

// In returns the value of the member in an object.
func (m *Member) In(object reflect.Value) reflect.Value {
	if len(m.field.Index) == 1 {
		return object.Field(m.field.Index[0])
	}
	return object.FieldByIndex(m.field.Index)
}

// Omits reports whether the member is left out when it has a value.
func (m *Member) Omits(value reflect.Value) bool {
	switch m.Form {
	case FormOther, FormObject:
		return m.field.Omits(value)
	case FormNullable, FormSecret:
		return m.field.OmitZero && value.IsZero()
	}
	return (m.field.OmitZero || m.field.OmitEmpty) && value.IsZero() || m.field.OmitEmpty && m.Form == FormList && value.Len() == 0
}

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

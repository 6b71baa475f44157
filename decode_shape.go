package monitoring

import (
	"bytes"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// shape describes a struct as a JSON object.
type shape struct {
	members []shapeMember
	// extra is the index of the field Extra, nil if there is none.
	extra []int
	// ours says that it is a type of this package: its integers may have a fraction in JSON.
	ours bool
	// loose says that it is part of a payload of a result, whose form the document does not
	// fix: values that do not fit their field go to Extra.
	loose bool
}

// shapeMember is a member of the object.
type shapeMember struct {
	name  string
	typ   reflect.Type
	index []int
	depth int
	// text says that it is a string that services may write as another type; see looseTexts.
	text bool
	// unseen says that it has the option "string" and is left to encoding/json.
	unseen bool
	// deep says that it contains an Extra somewhere.
	deep bool
}

// Types that are read in a special way say so by a method. With a table of types, every program
// would contain all of them.
type (
	// loose is a struct with members that the document shows as strings only by an example, or
	// only in requests. Numbers, booleans and objects are read as their JSON text.
	loose interface{ looseTexts() []string }
	// looseText is a string that is read in the same way, in whatever member it is.
	looseText interface{ isLooseText() }
	// fixed is a struct with an Extra whose own members the document fixes.
	fixed interface{ hasFixedMembers() }
	// spelled is a type that reads several names of a member.
	spelled interface {
		// spellings returns a struct with a field for each name.
		spellings() reflect.Type
	}
	// readerOfAny is a type that accepts any JSON.
	readerOfAny interface{ readsAny() }
	// nullable is implemented by every Nullable.
	nullable interface{ valueType() reflect.Type }
)

func (Assertion) looseTexts() []string           { return []string{"property", "target", "regex"} }
func (TCPRequest) looseTexts() []string          { return []string{"data"} }
func (KeyValue) looseTexts() []string            { return []string{"value"} }
func (EnvironmentVariable) looseTexts() []string { return []string{"value"} }
func (AlertSMS) looseTexts() []string            { return []string{"number"} }
func (AlertNotification) looseTexts() []string   { return []string{"notificationResult"} }
func (ErrorGroup) looseTexts() []string          { return []string{"rawErrorMessage"} }
func (RuntimeID) isLooseText()                   {}
func (CheckResult) hasFixedMembers()             {}
func (ResultAssertion) readsAny()                {}
func (ResultError) readsAny()                    {}

// has reports whether a type of this package has the method of one of the interfaces above.
func has[I any](t reflect.Type) bool {
	_, ok := reflect.Zero(t).Interface().(I)
	return ok
}

var (
	extraType      = reflect.TypeFor[map[string]json.RawMessage]()
	rawMessageType = reflect.TypeFor[json.RawMessage]()
	secretJSONType = reflect.TypeFor[SecretJSON]()

	shapes sync.Map // of reflect.Type to *shape
)

// shapeOf returns the shape of a struct.
func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s, _ := shapes.LoadOrStore(t, newShape(t))
	return s.(*shape)
}

func newShape(t reflect.Type) *shape {
	s := &shape{ours: isOfPackage(t)}
	if f, ok := t.FieldByName("Extra"); ok && f.Type == extraType && f.Tag.Get("json") == "-" {
		s.extra = f.Index
		s.loose = s.ours && !has[fixed](t)
	}
	wire := t
	if other, ok := reflect.Zero(reflect.PointerTo(t)).Interface().(spelled); ok && s.ours {
		wire = other.spellings()
	}
	s.collect(wire, nil, map[reflect.Type]bool{})
	for i := range s.members {
		m := &s.members[i]
		m.deep = hasExtra(m.typ, map[reflect.Type]bool{t: true})
	}
	return s
}

func isOfPackage(t reflect.Type) bool { return t.PkgPath() == packagePath }

// collect adds the fields of a struct, those of embedded structs included. Of two fields with
// the same name the less nested one counts, as in encoding/json.
func (s *shape) collect(t reflect.Type, index []int, above map[reflect.Type]bool) {
	if above[t] {
		return
	}
	above[t] = true
	defer delete(above, t)
	var texts []string
	if l, ok := reflect.Zero(t).Interface().(loose); ok {
		texts = l.looseTexts()
	}
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		at := append(slices.Clone(index), i)
		if f.Anonymous && name == "" && elem(f.Type).Kind() == reflect.Struct {
			s.collect(elem(f.Type), at, above)
			continue
		}
		if tag == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		s.add(shapeMember{
			name: name, typ: f.Type, index: at, depth: len(at),
			text:   slices.Contains(texts, name) || has[looseText](elem(f.Type)),
			unseen: slices.Contains(strings.Split(options, ","), "string"),
		})
	}
}

func (s *shape) add(m shapeMember) {
	for i := range s.members {
		if s.members[i].name == m.name {
			if m.depth < s.members[i].depth {
				s.members[i] = m
			}
			return
		}
	}
	s.members = append(s.members, m)
}

// find returns the member with a name, which is given with its quotation marks. If none is
// equal, it returns one that differs only in case, or nil.
func (s *shape) find(token []byte) *shapeMember {
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
func hasExtra(t reflect.Type, above map[reflect.Type]bool) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return hasExtra(t.Elem(), above)
	case reflect.Struct:
		if above[t] || !isOfPackage(t) {
			return false
		}
		above[t] = true
		for f := range t.Fields() {
			if f.Type == extraType || f.IsExported() && hasExtra(f.Type, above) {
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

// unmarshalerTypes are the methods with which a type reads JSON itself.
var unmarshalerTypes = []reflect.Type{reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextUnmarshaler]()}

// readsItself reports whether a type has such a method.
func readsItself(t reflect.Type) bool {
	return slices.ContainsFunc(unmarshalerTypes, reflect.PointerTo(t).Implements)
}

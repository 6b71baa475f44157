package monitoring

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/memo"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// reader is a response that keeps the JSON that it is read from. It keeps data without a copy,
// so the caller must not change data.
type reader interface{ read(data []byte) error }

// keeping reads and writes values that keep their JSON, or have secrets. storing is the same for
// MarshalWithSecrets, which writes an update with what it was made from.
//
// They are literals without calls, so that a program that neither writes nor reads back does not
// contain what they refer to.
var (
	keeping = &keep.Types{Owns: isOfPackage, Decode: unmarshal, Plans: &plans, Clean: cleaned, Traits: traitsOfSent}
	storing = &keep.Types{Owns: isOfPackage, Decode: unmarshal, Plans: &plans, Clean: cleaned, Traits: traitsOfStored}
)

// plans says how objects and the fields of updates are written. It is a literal without calls, too,
// and no pointer: then the linker sees who uses it.
var plans = jsontype.Plans{Traits: planTraitsOf}

// planTraitsOf asks the methods of a type.
func planTraitsOf(t reflect.Type) jsontype.Traits {
	traits := jsontype.Traits{Meaning: meaningOf(t)}
	pointer := reflect.New(t).Interface()
	if t.PkgPath() != packagePath {
		return traits
	}
	if _, ok := pointer.(revealer); ok {
		traits.Reveal = func(pointer any) (string, bool) { return pointer.(revealer).revealed() }
	}
	if _, ok := pointer.(nullable); ok {
		traits.Inner = func(pointer any) (any, bool) {
			n := pointer.(nullable).parts()
			return n.value, n.hasValue()
		}
	}
	if _, ok := pointer.(textual); ok {
		traits.Text = func(pointer any) (string, bool) { return pointer.(textual).asText() }
	}
	if _, ok := pointer.(blank); ok {
		traits.Blank = func(pointer any) bool { return pointer.(blank).isWithheld() }
	}
	_, traits.Completes = pointer.(keeper)
	if r, ok := pointer.(interface{ readAs() []string }); ok {
		traits.ReadAs = r.readAs()
	}
	return traits
}

type (
	// revealer is a secret. The text of one that takes any JSON is JSON.
	revealer interface {
		revealed() (text string, withheld bool)
	}
	// textual is an object that may be written as a text instead.
	textual interface {
		asText() (text string, ok bool)
	}
	// blank is an object whose secrets may be withheld although they have a text.
	blank interface{ isWithheld() bool }
)

// cleaned returns the JSON of an object as it is kept: a withheld value has one form in it, and
// nothing in it can be taken for the plan of an update.
func cleaned(data []byte) []byte {
	for _, stored := range []string{updateMember, planMember} {
		if rawjson.Get(data, stored) != nil {
			isStored := func(m rawjson.Member) bool { return m.Name == stored }
			data = rawjson.Join(slices.DeleteFunc(rawjson.Members(data), isStored))
		}
	}
	return updates.NullForWithheld(data)
}

func isOfPackage(t reflect.Type) bool { return t.PkgPath() == packagePath }

func traitsOfSent(t reflect.Type) keep.Traits   { return traitsOf(t, false) }
func traitsOfStored(t reflect.Type) keep.Traits { return traitsOf(t, true) }

func traitsOf(t reflect.Type, stored bool) keep.Traits {
	pointer := reflect.New(t).Interface()
	_, orText := pointer.(interface{ mayBeText() })
	traits := keep.Traits{Meaning: meaningOf(t), Text: t == reflect.TypeFor[Timestamp](), OrText: orText}
	if t.PkgPath() != packagePath { // such as a struct that embeds a type of this package
		return traits
	}
	if _, ok := pointer.(ofSeveralKinds); ok {
		traits.AsKind = func(pointer any) any { return pointer.(ofSeveralKinds).asKind() }
	}
	if k, ok := pointer.(interface{ kinds() []reflect.Type }); ok {
		traits.Kinds = k.kinds()
	}
	n, isNullable := pointer.(nullable)
	if isNullable {
		traits.Inner = func(pointer any) any { return pointer.(nullable).parts().value }
	}
	if _, ok := pointer.(opener); ok {
		traits.Open = func(pointer any) ([]string, error) { return pointer.(opener).open() }
	}
	if _, ok := pointer.(withholder); ok {
		traits.Withheld = func(pointer any) []string { return pointer.(withholder).withheld() }
	} else if isNullable && n.parts().valueType() == reflect.TypeFor[Secret]() {
		traits.Withheld = func(pointer any) []string { return pointer.(nullable).parts().withheld() }
	}
	if _, ok := pointer.(writesBack); ok {
		traits.Open = func(pointer any) ([]string, error) {
			from := pointer.(writesBack).madeFrom()
			from.kept, from.stored = keep.Open(from.kept), stored
			from.update = pointer.(writesBack).writeBack().Update // its body is made once for all that asks for it
			return nil, nil
		}
		traits.Withheld = func(pointer any) []string {
			if body, err := pointer.(writesBack).writeBack().Body(); err == nil {
				return body.Withheld
			}
			return nil
		}
	}
	return traits
}

// opener is a type whose copy must be prepared before it is sent; see keep.Traits.
type opener interface {
	open() (texts []string, err error)
}

// writesBack is a pointer to an update that ToUpdate makes. It says what it is by one method,
// writeBack, and embeds an origin.
type writesBack interface {
	request
	writeBack() *writeBack
	madeFrom() *origin
}

// writeBack is what the code for all updates knows of one: how its body is made, and what is no
// part of the body.
type writeBack struct {
	*updates.Update

	operation string
	from      *origin
	auto      **bool    // the query parameter autoAssignAlerts; points to nil if it has none
	checkType CheckType // that the object must have; "" for a group
}

// origin is what an update was made from. It is embedded in the update.
type origin struct {
	kept    kept     // the response that ToUpdate started from; nothing for an update of the caller's own
	removed []string // the keys of variables that RemoveVariable removed
	edited  bool     // the object was read by Edit: what the response does not have is not there
	stored  bool     // it is in a copy for MarshalWithSecrets
	// refused is the Validate of an update in an edit, which knows its options; nil for others.
	refused func(update any) error
	// update makes the body of a copy that nobody changes any more; nil for others.
	update *updates.Update
}

func (o *origin) madeFrom() *origin { return o }

// validate has no rules: most updates have only those of their description.
func (*origin) validate(*violations) {}

type (
	// source is a pointer to an object O of which updates are made.
	source[O any] interface {
		*O
		reader
		keeper
	}
	// target is a pointer to an update.
	target[U any] interface {
		*U
		writesBack
	}
)

// updatable is a pointer to an object of which updates are made.
type updatable interface {
	reader
	keeper
}

// newObject returns an empty object of a type.
func newObject(t reflect.Type) updatable { return reflect.New(t).Interface().(updatable) }

// writeBackOf returns what an update of the object O is. fields points to it, as a type without
// methods, and auto to its AutoAssignAlerts; auto is nil if it has none.
func writeBackOf[O any, P source[O]](u writesBack, operation string, fields any, auto **bool) *writeBack {
	return newWriteBack(u, reflect.TypeFor[O](), operation, fields, auto)
}

func newWriteBack(u writesBack, of reflect.Type, operation string, fields any, auto **bool) *writeBack {
	from := u.madeFrom()
	if auto == nil {
		auto = new(*bool)
	}
	w := &writeBack{operation: operation, from: from, auto: auto, Update: from.update}
	if w.Update != nil {
		return w
	}
	read := keep.Of(from.kept)
	w.Update = &updates.Update{
		Types: keeping, Plans: &plans, Node: schema.Lookup(operation).Body, Fields: fields, Object: of, Read: read,
		AsRead: func() any {
			object := newObject(of)
			if object.read(read) != nil {
				return nil // does not happen: the same JSON was decoded before
			}
			was := emptyLike(u)
			fill(was, object)
			return was.writeBack().Fields
		},
		Secrets: secretPlaces, Removed: from.removed,
	}
	return w
}

// emptyLike returns an empty update of the type of another one.
func emptyLike(u writesBack) writesBack {
	return reflect.New(reflect.TypeOf(u).Elem()).Interface().(writesBack)
}

// copyOf returns a copy of an update, which shares with it what it points to.
func copyOf(u writesBack) writesBack {
	one := emptyLike(u)
	reflect.ValueOf(one).Elem().Set(reflect.ValueOf(u).Elem())
	return one
}

// ofCheck says that the object is a check of a kind, whose updates are patches.
func (w *writeBack) ofCheck(kind CheckType) *writeBack {
	w.checkType, w.Patches = kind, true
	return w
}

// lacking names members of the object that can be changed, but not by the update.
func (w *writeBack) lacking(members ...string) *writeBack {
	w.Lacks = members
	return w
}

// formed says that the update has another form of the object than the service.
func (w *writeBack) formed(form func(object []byte) []byte) *writeBack {
	if w.from.update == nil {
		w.Form, w.Read = form, form(w.Read)
	}
	return w
}

// withoutNull returns an object without a member, if that is null.
func withoutNull(object []byte, member string) []byte {
	if value := rawjson.Get(object, member); value == nil || !rawjson.IsNull(value) {
		return object
	}
	return rawjson.Join(slices.DeleteFunc(rawjson.Members(object), func(m rawjson.Member) bool { return m.Name == member }))
}

// leftOut is the Withheld of an update.
func (w *writeBack) leftOut() []string {
	if body, err := w.Body(); err == nil {
		return body.LeftOut()
	}
	return nil
}

// toUpdate is the ToUpdate of an object.
func toUpdate[U any, Q target[U]](object keeper) (u U) {
	makeUpdate(Q(&u), object)
	return u
}

// makeUpdate makes an empty update that of an object. It shares nothing with the object.
func makeUpdate(u writesBack, object keeper) {
	viewUpdate(u, object)
	keeping.Copy(u)
}

// viewUpdate makes an empty update that of an object, and shares with it what it points to. So it
// is for updates that nobody changes, of objects that nobody changes meanwhile.
func viewUpdate(u writesBack, object keeper) {
	fill(u, object)
	u.madeFrom().kept = keep.Kept(object)
}

// differsInUpdates is a field that has another type in updates.
type differsInUpdates interface{ inUpdate() any }

// fill gives an empty update the fields of an object, by the names of their members. Null stays
// null if an update may have it; what the response did not have, and nobody has set since, stays
// away.
func fill(u writesBack, object keeper) {
	from, to := reflect.ValueOf(object).Elem(), reflect.ValueOf(u).Elem()
	var filled []string
	if filler, ok := u.(interface{ fill(object any) []string }); ok {
		filled = filler.fill(object)
	}
	shared := sharedFields(from.Type(), to.Type())
	read, last := make([][]byte, len(shared)), -1
	for name, text := range rawjson.Each(keep.Of(keep.Kept(object))) {
		for range shared { // members mostly stand in the order of the fields
			if last++; last >= len(shared) {
				last = 0
			}
			if shared[last].name == string(name) {
				read[last] = text
				break
			}
		}
	}
	for i, pair := range shared {
		if slices.Contains(filled, pair.name) {
			continue
		}
		value, field := from.FieldByIndex(pair.from), to.FieldByIndex(pair.to)
		set := !value.IsZero() || read[i] != nil && !rawjson.IsNull(read[i])
		if pair.differs {
			value = reflect.ValueOf(value.Interface().(differsInUpdates).inUpdate())
		}
		if value.Type() == field.Type() {
			field.Set(value)
			continue
		}
		n, isNullable := field.Addr().Interface().(nullable)
		switch {
		case isNullable && (set || value.Kind() == reflect.Pointer):
			n.parts().carry(value.Interface(), read[i] != nil)
		case set && !isNullable:
			field.Set(reflect.New(value.Type()))
			field.Elem().Set(value)
		}
	}
}

// sharedField is a field that an object and its update have by one name.
type sharedField struct {
	name     string
	from, to []int
	differs  bool // see differsInUpdates
}

var sharedByTypes memo.Map // of [2]reflect.Type to []sharedField

// sharedFields returns the fields that both of two structs have, in the order of the first.
func sharedFields(from, to reflect.Type) []sharedField {
	key := [2]reflect.Type{from, to}
	known, ok := sharedByTypes.Load(key)
	if !ok {
		var list []sharedField
		for _, f := range jsontype.Fields(from) {
			for _, t := range jsontype.Fields(to) {
				if f.Name == t.Name {
					list = append(list, sharedField{f.Name, f.Index, t.Index, f.Type.Implements(reflect.TypeFor[differsInUpdates]())})
				}
			}
		}
		known, _ = sharedByTypes.LoadOrStore(key, list)
	}
	return known.([]sharedField)
}

// marshalUpdate is the MarshalJSON of an update: the body that is sent, with null for each secret
// outside of a copy in which they are open. Stored is also what the body alone does not say.
func marshalUpdate(u writesBack) ([]byte, error) {
	w := u.writeBack()
	if !keep.IsOpen(w.from.kept) {
		return w.Hidden()
	}
	body, err := w.Body()
	if err != nil {
		return nil, err
	}
	if !w.from.stored || w.Read == nil && *w.auto == nil {
		return body.JSON, nil
	}
	plan := make(map[string]any)
	if w.Read != nil {
		plan["madeFrom"] = json.RawMessage(w.Read)
	}
	if body.Unset != nil {
		plan["unset"] = body.Unset
	}
	if w.Removed != nil {
		plan["removed"] = w.Removed
	}
	if *w.auto != nil {
		plan["autoAssignAlerts"] = *w.auto
	}
	data, err := rawjson.Encode(plan)
	return rawjson.With(body.JSON, updateMember, data), err
}

// updateMember is the member of a stored update that no body has, and storedUpdate what is read of it.
const updateMember = "$update"

type storedUpdate struct {
	MadeFrom         json.RawMessage
	Unset, Removed   []string // what was set to nil, which cannot be sent; and see origin
	AutoAssignAlerts *bool
}

// readUpdate is the UnmarshalJSON of an update. Of a stored update of the object O, it makes the
// update again that was stored.
func readUpdate[O any, P source[O]](u writesBack, data []byte) error {
	return readUpdateOf(reflect.TypeFor[O](), u, data)
}

func readUpdateOf(of reflect.Type, u writesBack, data []byte) error {
	if rawjson.IsNull(data) {
		return nil
	}
	data = bytes.Clone(data)
	var stored storedUpdate
	if text := rawjson.Get(data, updateMember); text != nil {
		if err := json.Unmarshal(text, &stored); err != nil {
			return err
		}
	}
	reflect.ValueOf(u).Elem().SetZero()
	if stored.MadeFrom != nil {
		object := newObject(of)
		if err := object.read(stored.MadeFrom); err != nil {
			return err
		}
		makeUpdate(u, object)
	}
	to := reflect.ValueOf(u.writeBack().Fields).Elem()
	sent := reflect.New(to.Type())
	if err := unmarshal(data, sent.Interface()); err != nil {
		return err
	}
	members := rawjson.Index(data)
	for _, f := range jsontype.Fields(to.Type()) {
		if members[f.Name] != nil || slices.Contains(stored.Unset, f.Name) { // what is sent counts, not what was read
			to.FieldByIndex(f.Index).Set(sent.Elem().FieldByIndex(f.Index))
			n, isNullable := to.FieldByIndex(f.Index).Addr().Interface().(nullable)
			if isNullable && stored.MadeFrom != nil && rawjson.IsNull(members[f.Name]) { // also of a secret
				n.parts().carry(nil, true)
			}
		}
	}
	u.madeFrom().removed, *u.writeBack().auto = stored.Removed, stored.AutoAssignAlerts
	return nil
}

// secretPlaces are the parts of bodies in which the service withholds secrets.
var secretPlaces = []updates.Place{
	{Path: []string{"environmentVariables"}, List: true, EmptyIsWithheld: true,
		Remedy: "give each a value with SetVariable, remove it with RemoveVariable"},
	{Path: []string{"apiCheckDefaults", "headers"}, List: true, Remedy: giveEach},
	{Path: []string{"apiCheckDefaults", "queryParameters"}, List: true, Remedy: giveEach},
	{Path: []string{"apiCheckDefaults", "basicAuth"}, Remedy: giveEach},
	{Path: []string{"request", "headers"}, List: true, Remedy: giveEach},
	{Path: []string{"request", "queryParameters"}, List: true, Remedy: giveEach},
	{Path: []string{"request", "basicAuth"}, Remedy: giveEach},
}

const giveEach = "give each a value with NewSecret"

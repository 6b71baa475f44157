package monitoring

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// kept is embedded in types that are read and written back; see package keep. Responses always
// keep their JSON. Objects inside them keep theirs only if the fields do not represent all of it,
// so that the others are still equal to literals.
type kept = keep.JSON

// keeper is a pointer to a struct that embeds kept.
type keeper interface{ keep.Keeper }

// reader is a response that keeps the JSON that it is read from. It keeps data without a copy,
// so the caller must not change data.
type reader interface{ read(data []byte) error }

// keeping reads and writes values that keep their JSON, or have secrets. storing is the same for
// MarshalWithSecrets, which writes an update with what it was made from.
//
// They are literals without calls, so that a program that neither writes nor reads back does not
// contain what they refer to.
var (
	keeping = &keep.Types{Owns: isOfPackage, Decode: unmarshal, Clean: cleaned, Traits: traitsOfSent}
	storing = &keep.Types{Owns: isOfPackage, Decode: unmarshal, Clean: cleaned, Traits: traitsOfStored}
)

// cleaned returns the JSON of an object as it is kept: a withheld value has one form in it, and
// nothing in it can be taken for the plan of an update.
func cleaned(data []byte) []byte {
	if rawjson.Get(data, planMember) != nil {
		isPlan := func(m rawjson.Member) bool { return m.Name == planMember }
		data = rawjson.Join(slices.DeleteFunc(rawjson.Members(data), isPlan))
	}
	return updates.NullForWithheld(data)
}

func isOfPackage(t reflect.Type) bool { return t.PkgPath() == packagePath }

func traitsOfSent(t reflect.Type) keep.Traits   { return traitsOf(t, false) }
func traitsOfStored(t reflect.Type) keep.Traits { return traitsOf(t, true) }

func traitsOf(t reflect.Type, stored bool) keep.Traits {
	pointer := reflect.New(t).Interface()
	_, orText := pointer.(*RetryStrategy)
	traits := keep.Traits{Meaning: meaningOf(t), Text: t == reflect.TypeFor[Timestamp](), OrText: orText}
	if t.PkgPath() != packagePath { // such as a struct that embeds a type of this package
		return traits
	}
	if _, ok := pointer.(united); ok {
		traits.Whole = func(pointer any) any { return pointer.(united).whole() }
	}
	if k, ok := pointer.(interface{ kinds() []reflect.Type }); ok {
		traits.Kinds = k.kinds()
	}
	if _, ok := pointer.(nullable); ok {
		traits.Inner = func(pointer any) any { return pointer.(nullable).inner() }
	}
	if _, ok := pointer.(opener); ok {
		traits.Open = func(pointer any) ([]string, error) { return pointer.(opener).open() }
	}
	if _, ok := pointer.(withholder); ok {
		traits.Withheld = func(pointer any) []string { return pointer.(withholder).withheld() }
	}
	if _, ok := pointer.(updateOfRead); ok {
		traits.Open = func(pointer any) ([]string, error) {
			made := pointer.(updateOfRead).parts().made
			made.kept, made.stored = keep.Open(made.kept), stored
			return nil, nil
		}
		traits.Withheld = func(pointer any) []string {
			p := pointer.(updateOfRead).parts()
			body, _ := p.Body(false)
			return body.Withheld
		}
	}
	return traits
}

type (
	// opener is a type whose copy must be prepared before it is sent; see keep.Traits.
	opener interface {
		open() (texts []string, err error)
	}
	// withholder is a type in which a secret may be withheld; see keep.Traits.
	withholder interface{ withheld() (paths []string) }
)

// An update that ToUpdate makes joins in by one method, parts; see partsOf. Its MarshalJSON,
// Withheld, Diff and DiffFrom, and ToUpdate of its object, are one line each.
type updateOfRead interface{ parts() updateParts }

// updateParts is what the code for all updates knows of one.
type updateParts struct {
	operation string
	made      *origin
	fields    any                    // a pointer to what is sent, of a type without methods
	auto      **bool                 // the query parameter autoAssignAlerts; nil if it has none
	checkType CheckType              // that the object must have; "" for a group
	variables *[]EnvironmentVariable // nil if it has none
	lacks     []string               // members of the object that can be changed, but not by this update

	*updates.Update // partsOf sets it
}

// origin is what an update was made from.
type origin struct {
	kept    kept         // the response that ToUpdate started from; nothing for an update of the caller's own
	removed []string     // the keys of variables that RemoveVariable removed
	now     updateOfRead // of the object as it is there now; nil if that is not known
	edited  bool         // the object was read by Edit: what the response does not have is not there
	stored  bool         // it is in a copy for MarshalWithSecrets
}

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
		updateOfRead
	}
)

// partsOf returns the parts of an update of the object O. It completes what the update says of
// itself.
func partsOf[O any, P source[O], U any, Q target[U]](_ Q, p updateParts) updateParts {
	if p.auto == nil {
		p.auto = new(*bool)
	}
	read := keep.Of(p.made.kept)
	p.Update = &updates.Update{
		Types: keeping, Node: schema.Lookup(p.operation).Body, Object: reflect.TypeFor[O](), Read: read, Fields: p.fields,
		Patches: p.checkType != "", Removed: p.made.removed, Lacks: p.lacks,
		AsRead: func() any {
			var from P = new(O)
			if from.read(read) != nil {
				return nil // does not happen: the same JSON was decoded before
			}
			u := fieldsOf[U](from)
			return Q(&u).parts().fields
		},
		AsTyped: func(member string, read []byte) bool { // the update of a group does not accept sslCertificates
			return member == "alertSettings" && hasCertificates(read)
		},
	}
	if p.made.now != nil {
		p.Now = p.made.now.parts().Update
	}
	return p
}

// toUpdate is the ToUpdate of an object.
func toUpdate[U any, Q target[U]](object keeper) U {
	u := fieldsOf[U](object)
	Q(&u).parts().made.kept = keep.Kept(object)
	keeping.Copy(&u)
	return u
}

// sentOtherwise is a field whose type differs in updates.
type sentOtherwise interface{ asSent() any }

// fieldsOf returns the fields of an object as an update, by the names of their members. Null stays
// null if an update may have it; what the response did not have, and nobody has set since, stays
// away.
func fieldsOf[U any](object keeper) (u U) {
	read := rawjson.Index(keep.Of(keep.Kept(object)))
	from, to := reflect.ValueOf(object).Elem(), reflect.ValueOf(&u).Elem()
	values := make(map[string]reflect.Value)
	for _, f := range jsontype.Fields(from.Type()) {
		values[f.Name] = from.FieldByIndex(f.Index)
	}
	for _, f := range jsontype.Fields(to.Type()) {
		value, field := values[f.Name], to.FieldByIndex(f.Index)
		if !value.IsValid() {
			continue
		}
		set := !value.IsZero() || read[f.Name] != nil && !rawjson.IsNull(read[f.Name])
		if r, ok := value.Interface().(sentOtherwise); ok {
			value = reflect.ValueOf(r.asSent())
		}
		n, isNullable := field.Addr().Interface().(nullable)
		switch {
		case value.Type() == field.Type():
			field.Set(value)
		case isNullable:
			n.carry(value.Interface(), read[f.Name] != nil)
		case set:
			field.Set(reflect.New(value.Type()))
			field.Elem().Set(value)
		}
	}
	return u
}

// marshalUpdate is the MarshalJSON of an update: the body that is sent, with null for each secret
// outside of a copy in which they are open. Stored is also what the body alone does not say.
func marshalUpdate(u updateOfRead) ([]byte, error) {
	p := u.parts()
	body, err := p.Body(!keep.IsOpen(p.made.kept))
	if err != nil || !p.made.stored || p.Read == nil && *p.auto == nil {
		return body.JSON, err
	}
	plan := make(map[string]any)
	if p.Read != nil {
		plan["madeFrom"] = json.RawMessage(p.Read)
	}
	if body.Unset != nil {
		plan["unset"] = body.Unset
	}
	if p.made.removed != nil {
		plan["removed"] = p.made.removed
	}
	if *p.auto != nil {
		plan["autoAssignAlerts"] = *p.auto
	}
	data, err := rawjson.Encode(plan)
	return rawjson.With(body.JSON, planMember, data), err
}

// planMember is the member of a stored update that no body has, and planned what is read of it.
const planMember = "$update"

type planned struct {
	MadeFrom         json.RawMessage
	Unset, Removed   []string // what was set to nil, which cannot be sent; and see origin
	AutoAssignAlerts *bool
}

// readUpdate is the UnmarshalJSON of an update. fields points to the update, as a type without
// methods. Of a stored update of the object O, it makes the update again that was stored.
func readUpdate[O any, P source[O], U any, Q target[U]](u Q, fields any, data []byte) error {
	if rawjson.IsNull(data) {
		return nil
	}
	data = bytes.Clone(data)
	var plan planned
	if stored := rawjson.Get(data, planMember); stored != nil {
		if err := json.Unmarshal(stored, &plan); err != nil {
			return err
		}
	}
	*u = *new(U)
	if plan.MadeFrom != nil {
		var object P = new(O)
		if err := object.read(plan.MadeFrom); err != nil {
			return err
		}
		*u = toUpdate[U, Q](object)
	}
	to := reflect.ValueOf(fields).Elem()
	sent := reflect.New(to.Type())
	if err := unmarshal(data, sent.Interface()); err != nil {
		return err
	}
	keeping.Inside(sent.Interface(), data)
	members := rawjson.Index(data)
	for _, f := range jsontype.Fields(to.Type()) {
		if members[f.Name] != nil || slices.Contains(plan.Unset, f.Name) { // what is sent counts, not what was read
			to.FieldByIndex(f.Index).Set(sent.Elem().FieldByIndex(f.Index))
		}
	}
	p := u.parts()
	p.made.removed, *p.auto = plan.Removed, plan.AutoAssignAlerts
	return nil
}

// secretPlaces are the parts of bodies in which the service withholds secrets.
var secretPlaces = []updates.Place{
	{Path: []string{"environmentVariables"}, List: true, EmptyIsWithheld: true},
	{Path: []string{"apiCheckDefaults", "headers"}, List: true},
	{Path: []string{"apiCheckDefaults", "queryParameters"}, List: true},
	{Path: []string{"apiCheckDefaults", "basicAuth"}},
	{Path: []string{"request", "headers"}, List: true},
	{Path: []string{"request", "queryParameters"}, List: true},
	{Path: []string{"request", "basicAuth"}},
}

// keepSecrets refuses to overwrite secrets that the service withholds.
func (b *requestBody) keepSecrets(v *violations) {
	sent := updates.NullForWithheld(b.json)
	for _, place := range secretPlaces {
		lost := b.update.Overwritten(b.merged, place, sent)
		if len(lost) == 0 {
			continue
		}
		remedy := "give each a value with NewSecret"
		if place.Path[0] == "environmentVariables" {
			remedy = "give each a value with SetVariable, remove it with RemoveVariable"
		}
		v.always(strings.Join(place.Path, "."), "would overwrite what the service withholds (%s): %s, or leave %s as it was read",
			strings.Join(lost, ", "), remedy, place.Path[0])
	}
}

// access reads an object and writes its update. For errors, does is what is done with it, and what
// is its name.
type access[O, U any] struct {
	ctx        context.Context
	does, what string
	get        func([]CallOption) (*O, error)
	put        func(U, []CallOption) (*O, error)
}

// accessTo reads and writes an object by two methods of its service.
func accessTo[ID any, O any, U any](ctx context.Context, what string, id ID, get func(context.Context, ID, ...CallOption) (*O, error),
	update func(context.Context, ID, U, ...CallOption) (*O, error)) access[O, U] {
	return access[O, U]{
		ctx, "edit", fmt.Sprintf("%s %v", what, id), func(opts []CallOption) (*O, error) { return get(ctx, id, opts...) },
		func(u U, opts []CallOption) (*O, error) { return update(ctx, id, u, opts...) },
	}
}

// ended returns an error if the context has ended. It is asked before each step that takes long
// for a large object.
func (a access[O, U]) ended() error {
	if err := a.ctx.Err(); err != nil {
		return a.failed(fmt.Errorf("nothing was written: %w", err))
	}
	return nil
}

func (a access[O, U]) failed(err error) error {
	return fmt.Errorf("monitoring: %s %s: %w", a.does, a.what, insideAnother{err})
}

// insideAnother is an error that stands in the text of another one of this package.
type insideAnother struct{ error }

func (e insideAnother) Error() string { return strings.TrimPrefix(e.error.Error(), "monitoring: ") }
func (e insideAnother) Unwrap() error { return e.error }

// editObject reads an object, lets a function change its update, and writes it if that changes
// anything.
func editObject[O any, P source[O], U any, Q target[U]](at access[O, U], change func(Q) error, opts []CallOption) (P, error) {
	if change == nil {
		return nil, unsent(at.failed(errors.New("the function is nil")))
	}
	var sets bool // whether WithBodyMember is given, which is for the update only
	read, err := at.get(forRead(opts, &sets))
	if err != nil {
		return nil, err
	}
	return editRead[O, P](at, read, sets, change, opts)
}

// forRead returns the options of an edit for its read, and notes whether they have body members,
// which are for its write only.
func forRead(opts []CallOption, sets *bool) []CallOption {
	return append(opts[:len(opts):len(opts)], callOption(func(c *callSettings) error {
		*sets, c.members = len(c.members) > 0, nil
		return nil
	}))
}

// editRead is editObject for an object that was read. sets says that there is something to write
// also if the function changes nothing.
func editRead[O any, P source[O], U any, Q target[U]](at access[O, U], object P, sets bool, change func(Q) error,
	opts []CallOption) (P, error) {
	update := toUpdate[U, Q](object)
	present := Q(&update).parts()
	present.made.edited = true
	if is := CheckType(rawjson.Text(rawjson.Get(present.Read, "checkType"))); is != "" && is != cmp.Or(present.checkType, is) {
		return nil, unsent(at.failed(fmt.Errorf("its type is %s, want %s; nothing was written", scrub.Clean(string(is)), present.checkType)))
	}
	if err := at.ended(); err != nil {
		return nil, err
	}
	if err := change(&update); err != nil {
		return nil, at.failed(err)
	}
	if err := at.ended(); err != nil {
		return nil, err
	}
	now := toUpdate[U, Q](object)
	p := Q(&update).parts()
	p.made.now = Q(&now)
	p = Q(&update).parts()
	changed := sets || changes(p)
	if err := at.ended(); err != nil {
		return nil, err
	}
	if !changed {
		if err := notWritten(p).err(p.operation, scrub.New()); err != nil {
			return nil, err
		}
		return object, nil
	}
	return at.put(update, opts)
}

// changes reports whether an update would change anything of the object as it is there now. An edit
// may have put another update in place of that of the object, such as that of a snapshot.
func changes(u updateParts) bool {
	if u.Read == nil || *u.auto != nil {
		return true
	}
	body, err := u.Body(false)
	if err != nil || len(body.Unset)+len(body.Withheld) > 0 {
		return true // the call says what is wrong
	}
	if u.made.kept == u.made.now.parts().made.kept {
		return body.Changed > 0
	}
	return slices.ContainsFunc(changesOf(u.DiffFrom(u.Now)), func(c Change) bool { return !c.Left })
}

// notWritten finds what an update of another state of the object, such as a snapshot, leaves out
// although the object differs from that state there. If nothing else differs, nothing would be
// written, which must not look like a success.
func notWritten(u updateParts) *violations {
	v := &violations{}
	for _, member := range u.NotRestored(u.Now.Read) {
		v.always(member, "is not restored, because the service withholds a secret in it: give each a value with NewSecret")
	}
	return v
}

// notReset returns an error if the answer to an update is not what was asked for, or no longer has
// what the update left out.
func (o *ongoing) notReset(answer any) error {
	k, ok := answer.(keeper)
	if !ok {
		return nil
	}
	if o.taken != nil {
		if err := o.notTaken(k); err != nil {
			return err
		}
	}
	if reset := o.reset(keep.Of(keep.Kept(k))); len(reset) > 0 {
		return &WithheldResetError{Operation: o.name(), Reset: reset, Object: answer}
	}
	return nil
}

// WithheldResetError is the error of an update that was carried out, after which the service no
// longer has what the update left out: it is empty there, or items of it are gone. What an update
// leaves out is named by [CheckGroupUpdate.Withheld]. The method returns the object with the error.
// [WithCompleteUpdates] refuses such updates instead.
type WithheldResetError struct {
	// Operation is the operation, such as PUT /v2/check-groups/{id}.
	Operation string
	// Reset are the members that were reset.
	Reset []string
	// Object is the object as it came back, such as a [*CheckGroup].
	Object any
}

func (e *WithheldResetError) Error() string {
	return fmt.Sprintf("monitoring: %s: the update was carried out, but the service no longer has what it left out (%s): "+
		"set it again, and use WithCompleteUpdates with this service", e.Operation, strings.Join(e.Reset, ", "))
}

// applyObject writes an update that was made earlier, if the object has not changed since.
func applyObject[O any, P source[O], U any, Q target[U]](at access[O, U], plan U, opts []CallOption) (P, error) {
	made := Q(&plan).parts()
	at.does = "apply the update to"
	return editObject[O, P](at, func(u Q) error {
		if made.Read == nil {
			return errors.New("the update does not say what it was made from, so it cannot be told what has changed since: make it " +
				"with ToUpdate, and keep it with MarshalWithSecrets; json.Marshal loses this")
		}
		now := u.parts()
		found := changesOf(now.Since(made.Read))
		if len(found) > 0 || !rawjson.Equal(rawjson.Get(made.Read, "updated_at"), rawjson.Get(now.Read, "updated_at")) {
			return &ChangedError{Changes: found}
		}
		*u = plan
		return nil
	}, opts)
}

// ChangedError is the error of [CheckGroupsService.Apply] if the object has changed since the
// update was made from it. Nothing was written.
type ChangedError struct {
	// Changes are the values that have changed, with those that the update was made from as Before. It
	// is empty if only the time of the last change differs: then a value that is not shown may have
	// changed.
	Changes []Change
}

func (e *ChangedError) Error() string {
	changes := []string{"only the time of its last change differs, so perhaps a secret that is not shown"}
	if len(e.Changes) > 0 {
		changes = changes[:0]
	}
	for _, c := range e.Changes {
		changes = append(changes, c.String())
	}
	return "it has changed since the update was made, so nothing was written: " + strings.Join(changes, "; ") +
		": make the update again, or use Update to write it nevertheless"
}

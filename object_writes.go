package monitoring

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/document"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/route"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// write is the request that creates or changes an object, which nobody changes meanwhile.
type write struct {
	*updates.Update
	form
	operation string
	creating  bool
	facts     facts
	read      []byte // what the client has returned; nil for an object of the caller's own
}

// writeOf returns the request that creates an object, or that changes it.
func writeOf(object resource, creating bool) *write {
	f, known := object.form(), factsOf(object.itself())
	w := &write{form: f, operation: f.updates, creating: creating, facts: known}
	if creating {
		w.operation = f.creates
		if f.complements != nil {
			f.complements(f.fields)
		}
	} else if known.returned {
		w.read = jsonOf(object.itself())
	}
	sent := f.fields
	if f.sent != nil {
		sent = f.sent(f.fields)
	}
	w.Update = &updates.Update{
		Plans: &plans, Fields: sent, Made: f.made,
		Patches: f.patches, Keeps: f.keeps, Follows: f.follows, Form: f.inBodies, Secrets: secretPlaces, Removed: known.removed,
		Lacks: f.lacks, Unsent: f.unsent, Read: w.read,
	}
	if !creating {
		w.Tokens = f.tokens
	}
	if f.auto != nil && *f.auto != nil && f.follows != nil {
		w.Follows = append(slices.Clip(f.follows), "alertChannelSubscriptions")
	}
	w.Node = schema.Lookup(cmp.Or(w.operation, updateOfAnyKind)).Body // see possible
	if w.read == nil {
		return w
	}
	if w.auto != nil && *w.auto != nil && rawjson.Equal(rawjson.Get(w.read, "autoAssignAlerts"), w.member("autoAssignAlerts")) {
		w.auto = nil // a service that returns it does not ask for it
	}
	if f.inBodies != nil {
		w.Read = f.inBodies(w.read)
	}
	w.AsRead = func() any {
		was := newLike(object)
		if was.read(w.Read) != nil {
			return nil // does not happen: the same JSON was decoded before
		}
		markReturned(was, false)
		fields := was.form().fields
		if reflect.TypeOf(fields) != reflect.TypeOf(w.Fields) {
			return nil // it has another kind now, which is refused
		}
		return fields
	}
	return w
}

// newLike returns an empty object of the type of another one.
func newLike(object resource) resource {
	return reflect.New(reflect.TypeOf(object).Elem()).Interface().(resource)
}

// shallow returns a copy of an object that shares with it what it points to.
func shallow(object resource) resource {
	one := newLike(object)
	reflect.ValueOf(one).Elem().Set(reflect.ValueOf(object).Elem())
	return one
}

// op returns the operation that sends the request.
func (w *write) op() *operation {
	var o *operation
	if w.creating {
		o = op(w.operation)
	} else {
		o = op(w.operation, w.key)
	}
	o.is(w.id)
	if w.creating {
		o.isAbout(w.id, w.key)
		o.creates = w.name()
	}
	if w.checkType != "" {
		o.isCheck(w.checkType)
	}
	if w.auto != nil {
		o.assigns(*w.auto)
	}
	return o.sends(w)
}

// Validate is that of an object.
func (w *write) Validate() error {
	if err := w.possible(scrub.New()); err != nil {
		return err
	}
	return validateBody(w.operation, w)
}

func (w *write) validate(v *violations) {
	if w.rules == nil {
		return
	}
	if body, err := w.Body(); err == nil { // who asks for the body gets the error
		w.rules(w.form.fields, body, v)
	}
}

func (w *write) body() *updates.Update { return w.Update }

const (
	otherFixed = "cannot be changed: create a Template instead"
	idFixed    = "cannot be changed: create a Template to make a copy, or use SetFrom to change another %s"
)

// possible returns an error if there is no operation for the object, or nothing that says which one
// it is.
func (w *write) possible(s *scrub.Scrubber) error {
	v := &violations{list: slices.Clone(w.broken), object: w}
	operation := w.operation
	why := ""
	switch {
	case operation != "":
	case w.creating:
		operation, why = "create "+w.one(), "is missing: set the field of a kind, such as API"
		if w.checkType != "" {
			why = "Create has no operation for " + scrub.Clean(string(w.checkType)) + " checks: use Do if your service has one"
		}
	default:
		operation, why = "update "+w.one(), "is missing: set it, or the field of the kind"
	}
	if why != "" && len(v.list) == 0 {
		v.always("checkType", "%s", why)
	}
	if w.read != nil && len(w.broken) == 0 && slices.Contains(w.fixed, "checkType") && w.checkType != typeIn(w.read) {
		v.always("checkType", otherFixed)
	}
	switch {
	case w.creating || w.key != "":
	case w.read == nil:
		v.always(w.id, "is required in an update")
	default:
		v.always(w.id, idFixed, w.what)
	}
	if len(v.list) == 0 {
		return nil
	}
	return v.err(operation, s)
}

// refuse adds what is wrong with the object, and not only with its body.
func (w *write) refuse(b *updates.Body, v *violations) {
	own := w.read == nil
	v.object = w
	w.nameField(v)
	if w.facts.applied {
		v.always("check", "was read with the settings of its group, and an update would make them its own: use Edit")
	}
	if own && !w.creating {
		v.subscribesAlone(w.facts.subscribed)
	}
	if own && !w.creating && w.whollyRead {
		v.list = slices.DeleteFunc(v.list, func(one Violation) bool { return strings.HasPrefix(one.Message, "is required") })
		v.always(w.what, "was not read by the client, and an update resets the fields that it omits: use Edit")
	}
	for _, name := range b.Foreign {
		w.refuseMember(name, v)
	}
	if w.changesExtra() {
		v.always("Extra", "can only be read: send unknown fields with WithBodyField")
	}
	if own && slices.ContainsFunc(b.Foreign, w.onlyRead) {
		w.refuseStored(v)
	}
	if w.creating && w.key != "" {
		if reason := route.BadKey(w.key); reason != "" { // no other operation could name it
			v.always(w.id, "%s", reason)
		}
	}
	if !own {
		w.refuseIdentity(b, v)
	} else if !w.creating {
		for _, name := range w.needs {
			if rawjson.Get(b.JSON, name) == nil && !v.has(name) {
				v.always(name, "is missing, and an update would reset it: set it, or use Edit")
			}
		}
	}
	if w.auto != nil && *w.auto != nil && !w.creating && !b.Changed() {
		v.always("autoAssignAlerts", "cannot be the only change: change another field as well")
	}
}

// changesExtra reports whether Extra has something else than the object was read with. Nothing
// sends it.
func (w *write) changesExtra() bool {
	typ := reflect.TypeOf(w.form.fields).Elem()
	at := plans.Of(typ).ExtraAt
	if at == nil {
		return false
	}
	extraOf := func(fields any) SecretJSON {
		return reflect.ValueOf(fields).Elem().FieldByIndex(at).Interface().(SecretJSON)
	}
	now := extraOf(w.form.fields)
	if now.IsZero() || w.facts.read == nil {
		return !now.IsZero()
	}
	if w.read != nil && w.inBodies == nil { // the update has decoded it
		was, err := w.Was()
		return err == nil && !rawjson.Equal(extraOf(was).Reveal(), now.Reveal())
	}
	was := reflect.New(typ).Interface()
	return document.Read(&plans, *w.facts.read, was) != nil || !rawjson.Equal(extraOf(was).Reveal(), now.Reveal())
}

// nameField says which field of a check sets what is missing, because the JSON has another name.
func (w *write) nameField(v *violations) {
	for i := range v.list {
		if w.field == "" || v.list[i].Message != "is required" {
			continue
		}
		switch v.list[i].Path {
		case "request", "heartbeat":
			v.list[i].Message += ": set " + w.field
		case "script":
			v.list[i].Message += ": set " + w.field + ".Script, to Null for a check without a script"
		}
	}
}

// refuseMember refuses a member that is set, or was changed, and that the body cannot have.
func (w *write) refuseMember(name string, v *violations) {
	switch {
	case name == "autoAssignAlerts": // it is in the query
	case name == w.id && w.creating:
		v.always(name, "is set by the service: create a Template to make a copy")
	case name == "checkType", name == w.id: // it says what is written
	case slices.Contains(w.fixed, name) && w.read != nil: // refuseIdentity says so
	case slices.Contains(w.fixed, name):
		v.always(name, "cannot be changed: omit it")
	case !slices.Contains(w.made, name):
		v.always(name, "is not a setting of %s", w.one())
	default:
		v.always(name, "can only be read")
	}
}

// onlyRead reports whether a member of an object is one that only the service makes, besides its
// id and what only a create has.
func (w *write) onlyRead(name string) bool {
	return slices.Contains(w.made, name) && name != w.id && !slices.Contains(w.fixed, name)
}

// refuseStored says what to do with an object that came from JSON with members that can only be
// read.
func (w *write) refuseStored(v *violations) {
	switch {
	case w.creating && w.key != "" || v.has(w.what): // which says what to do
	case !w.creating:
		v.always(w.what, "is a stored copy, which the client did not read: use Edit with SetFrom, or create a Template")
	default:
		v.always(w.what, "is a stored copy: create a Template")
	}
}

// refuseIdentity refuses an object that was read and is another one now.
func (w *write) refuseIdentity(b *updates.Body, v *violations) {
	for _, name := range append([]string{w.id}, w.fixed...) {
		switch {
		case !slices.Contains(b.Foreign, name):
		case name == w.id:
			v.always(name, idFixed, w.what)
		default:
			v.always(name, otherFixed)
		}
	}
}

// name returns what people know the object by; "" if nothing is set.
func (w *write) name() string {
	for _, member := range []string{"name", "type"} {
		if name := rawjson.Text(w.member(member)); name != "" {
			return name
		}
	}
	return w.key
}

// member returns the JSON of a field, which is an id, a text or a flag; nil if there is none, or
// if it is not set.
func (w *write) member(name string) []byte {
	fields := reflect.ValueOf(w.Fields).Elem()
	p := plans.Of(fields.Type())
	at := p.Find(name, -1)
	if at < 0 || p.Members[at].Omits(p.Members[at].In(fields)) {
		return nil
	}
	data, _ := rawjson.Encode(p.Members[at].In(fields).Interface())
	return data
}

// leftOut is the Omitted of an object.
func leftOut(object resource) []string {
	if body, err := writeOf(object, false).Body(); err == nil {
		return body.LeftOut()
	}
	return nil
}

// validateObject is the Validate of an object. In an edit it says what the write would say.
func validateObject(object resource) error {
	known := factsOf(object.itself())
	if known.validates != nil {
		return known.validates(object)
	}
	f := object.form()
	named := f.key != "" && f.id == "id" // which only an update has; the key of a variable is in its create
	w := writeOf(shallow(object), !known.returned && !named)
	w.Alone = true // as in Update
	if w.possible(scrub.New()) == nil && !w.changes() {
		return nil // then nothing is sent
	}
	return w.Validate()
}

// diffOf is the Diff of an object, and diffWith its DiffFrom.
func diffOf(object resource) []Change { return changesOf(writeOf(object, false).Diff(false)) }

func diffWith(object, now resource) []Change {
	w := writeOf(object, false)
	if isNilObject(now) {
		return changesOf(w.DiffFrom(nil))
	}
	present := writeOf(now, false)
	if present.Read == nil { // of the caller's own
		written, err := writeOpen(now)
		if err != nil {
			return nil
		}
		present.Read, present.AsRead = written, nil
		if present.inBodies != nil {
			present.Read = present.inBodies(written)
		}
	}
	return changesOf(w.DiffFrom(present.Update))
}

// createObject makes an object.
func createObject[O any, P resourceOf[O]](ctx context.Context, s *service, object P, opts []CallOption) (*O, error) {
	o, err := creation[O](s, object, opts)
	if err != nil {
		return nil, err
	}
	return call[O](ctx, s, o, opts)
}

// creation returns the operation that creates an object.
func creation[O any, P resourceOf[O]](s *service, object P, opts []CallOption) (*operation, error) {
	if object == nil {
		return nil, repeatable(errors.New("monitoring: create: the object is nil"))
	}
	w := writeOf(shallow(object), true)
	if err := w.possible(s.owner().scrubberFor(opts)); err != nil {
		return nil, repeatable(err)
	}
	return w.op(), nil
}

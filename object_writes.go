package monitoring

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/keep"
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
		w.read = keep.Of(object.itself().kept)
	}
	sent := f.fields
	if f.sent != nil {
		sent = f.sent(f.fields)
	}
	w.Update = &updates.Update{
		Types: keeping, Plans: &plans, Fields: sent, Object: reflect.TypeOf(f.fields).Elem(), OfObject: true, Made: f.made,
		Patches: f.patches, Keeps: f.keeps, Follows: f.follows, Form: f.inBodies, Secrets: secretPlaces, Removed: known.removed,
		Lacks: f.lacks, Read: w.read,
	}
	if !creating {
		w.Tokens = f.tokens
	}
	if f.checkType != "" {
		w.Unsent = []string{"checkType"} // the operation says it
	}
	if f.auto != nil && *f.auto != nil && f.follows != nil {
		w.Follows = append(slices.Clip(f.follows), "alertChannelSubscriptions")
	}
	if described := schema.Lookup(w.operation); described != nil {
		w.Node = described.Body
	}
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
	}
	if w.checkType != "" {
		o.isCheck(w.checkType)
	}
	if w.auto != nil && *w.auto != nil {
		o.assigns(*w.auto)
	}
	return o.sends(w)
}

// Validate is that of an object.
func (w *write) Validate() error {
	if err := w.possible(); err != nil {
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

// possible returns an error if there is no operation for the object, or nothing that says which one
// it is.
func (w *write) possible() error {
	v := &violations{list: slices.Clone(w.broken)}
	operation := w.operation
	switch {
	case len(v.list) > 0:
	case w.creating && operation == "":
		operation = "create " + w.one()
		why := "is missing: set the field of the kind, such as API"
		if w.checkType != "" {
			why = "is of a kind that cannot be created: " + scrub.Clean(string(w.checkType))
		}
		v.always("checkType", "%s", why)
	case operation == "":
		operation = "update " + w.one()
		v.always("checkType", "is missing: set it, or the field of its kind")
	}
	if is := typeIn(w.read); is != "" && w.checkType != is {
		v.always("checkType", "cannot be changed: use Template or SetFrom")
	}
	switch {
	case w.creating || w.key != "":
	case w.read == nil:
		v.always(w.id, "is missing: it says what is changed")
	default:
		v.always(w.id, "cannot be changed: use Template or SetFrom")
	}
	return v.err(operation, scrub.New())
}

// refuse adds what is wrong with the object, and not only with its body.
func (w *write) refuse(b *updates.Body, v *violations) {
	own := w.read == nil
	if w.facts.applied {
		v.always("check", "was read with the settings of its group, which would become its own: use Edit")
	}
	if own && !w.creating {
		v.subscribesAlone(w.facts.subscribed)
	}
	if own && !w.creating && w.whollyRead {
		v.always(w.what, "was not read, and its update may reset what is left out of it: use Edit")
	}
	for _, name := range b.Foreign {
		w.refuseMember(name, v)
	}
	if w.creating && w.key != "" {
		if reason := route.BadKey(w.key); reason != "" { // no other operation could name it
			v.always(w.id, "%s", reason)
		}
	}
	if !own {
		w.refuseIdentity(v)
	} else if !w.creating {
		for _, name := range w.needs {
			if rawjson.Get(b.JSON, name) == nil && !v.has(name) {
				v.always(name, "is missing, and the service would reset it: use Edit, or set it")
			}
		}
	}
	if w.auto != nil && *w.auto != nil && !w.creating && !b.Changed() {
		v.always("autoAssignAlerts", "cannot be sent alone: change something else, too")
	}
}

// refuseMember refuses a member that is set, or was changed, and that the body cannot have.
func (w *write) refuseMember(name string, v *violations) {
	switch {
	case name == "autoAssignAlerts": // it is in the query
	case name == "checkType" && w.read == nil: // it says what is written
	case name == w.id && w.creating:
		v.always(name, "is made by the service: use Template for a copy")
	case name == w.id && w.read == nil: // it says what is written
	case name == w.id || slices.Contains(w.fixed, name):
		if w.read == nil {
			v.always(name, "cannot be changed: leave it out")
		} // else refuseIdentity says so
	case !slices.Contains(w.made, name):
		v.always(name, "is not a setting of %s", w.one())
	case w.read == nil:
		v.always(name, "can only be read; this is a stored copy: give what it has to the present %s with Edit and SetFrom, or create a Template",
			w.what)
	default:
		v.always(name, "can only be read")
	}
}

// refuseIdentity refuses an object that was read and is another one now.
func (w *write) refuseIdentity(v *violations) {
	for _, name := range append([]string{w.id}, w.fixed...) {
		was, is := rawjson.Get(w.read, name), w.member(name)
		if is != nil && was != nil && !rawjson.Equal(was, is) {
			v.always(name, "cannot be changed: use Template or SetFrom")
		}
	}
}

// member returns the JSON that a member of the object has; nil if it is not set.
func (w *write) member(name string) []byte {
	fields := reflect.ValueOf(w.Fields).Elem()
	p := plans.Of(fields.Type())
	at := p.Find(name, -1)
	if at < 0 || p.Members[at].Omits(p.Members[at].In(fields)) {
		return nil
	}
	data, err := rawjson.Encode(p.Members[at].In(fields).Interface())
	if err != nil {
		return nil
	}
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
	w := writeOf(shallow(object), !known.returned)
	if w.read != nil && w.possible() == nil && !w.changes() {
		return nil // then nothing is sent
	}
	return w.Validate()
}

// diffOf is the Diff of an object, and diffWith its DiffFrom.
func diffOf(object resource) []Change { return changesOf(writeOf(object, false).Diff(false)) }

func diffWith(object, now resource) []Change {
	w := writeOf(object, false)
	if isNilPointer(now) {
		return changesOf(w.DiffFrom(nil))
	}
	present := writeOf(now, false)
	if present.Read == nil { // of the caller's own
		written, err := keeping.Encode(now)
		if err != nil {
			return nil
		}
		present.Read, present.AsRead = written.JSON, nil
		if present.inBodies != nil {
			present.Read = present.inBodies(written.JSON)
		}
	}
	return changesOf(w.DiffFrom(present.Update))
}

// create makes an object.
func createObject[O any, P resourceOf[O]](ctx context.Context, s *service, object P, opts []CallOption) (*O, error) {
	o, err := creation[O](object)
	if err != nil {
		return nil, err
	}
	return call[O](ctx, s, o, opts)
}

// creation returns the operation that creates an object.
func creation[O any, P resourceOf[O]](object P) (*operation, error) {
	if object == nil {
		return nil, repeatable(errors.New("monitoring: create: the object is nil"))
	}
	w := writeOf(shallow(object), true)
	if err := w.possible(); err != nil {
		return nil, repeatable(err)
	}
	return w.op(), nil
}

// place is an object of the service: how it is read, and how it is written.
type place struct {
	ctx        context.Context
	service    *service
	does, what string
	get        func([]CallOption) (resource, error)
	put        func(*operation, []CallOption) (resource, error)
}

// placeOf is the object with an id.
func placeOf[O any, P resourceOf[O]](
	ctx context.Context, s *service, what string, id any, get func([]CallOption) (*O, error),
) *place {
	return &place{
		ctx, s, "edit", fmt.Sprint(what, " ", id),
		func(opts []CallOption) (resource, error) { return asResource[O, P](get(opts)) },
		func(o *operation, opts []CallOption) (resource, error) {
			return asResource[O, P](call[O](ctx, s, o, opts))
		},
	}
}

// asResource returns an object without its type; a nil one is nil.
func asResource[O any, P resourceOf[O]](o P, err error) (resource, error) {
	if o == nil {
		return nil, err
	}
	return o, err
}

// ended returns an error if the context has ended. It is asked before each step that takes long
// for a large object.
func (p *place) ended() error {
	if err := p.ctx.Err(); err != nil {
		return p.failed(fmt.Errorf("nothing was written: %w", err))
	}
	return nil
}

// turn waits until no other edit of the object has the turn. The caller must call end.
func (p *place) turn(opts []CallOption) (end func(), err error) {
	if end, err = p.service.editTurn(p.ctx, p.what, opts); err != nil {
		err = repeatable(p.failed(err))
	}
	return end, err
}

// updateObject writes an object that the caller has. at says where it is, if it is not nil.
func updateObject[O any, P resourceOf[O]](object P, at func() *place, opts []CallOption) (*O, error) {
	if object == nil {
		return nil, repeatable(errors.New("monitoring: update: the object is nil"))
	}
	written, err := at().update(shallow(object), opts)
	answer, _ := written.(P)
	return answer, err
}

func (p *place) update(object resource, opts []CallOption) (resource, error) {
	w := writeOf(object, false)
	if err := w.possible(); err != nil {
		return nil, repeatable(err)
	}
	c := p.service.owner()
	if c == nil || p.ctx == nil {
		return p.put(w.op(), opts) // which says so
	}
	settings, err := c.defaults.with(opts)
	switch {
	case err != nil:
		return nil, repeatable(err)
	case settings.unchanged:
		return p.apply(w, object, opts)
	}
	w.Alone = true
	if w.operation != updateOfAnyKind { // of which nobody states that it keeps what is left out
		w.Follows = nil // another program may have changed the rest since
	}
	if w.read != nil && len(settings.members) == 0 && !w.changes() {
		if err := p.ended(); err != nil {
			return nil, err
		}
		return object, nil
	}
	return p.put(w.op(), opts)
}

// changes reports whether there is something to send of an object that the client has returned, or
// something to refuse.
func (w *write) changes() bool {
	b, err := w.Body()
	if err != nil {
		return true
	}
	v := &violations{}
	w.refuse(b, v)
	return len(v.list) > 0 || w.Changes()
}

// apply writes an object that the client has returned, if the service still has it as it was then.
func (p *place) apply(w *write, object resource, opts []CallOption) (resource, error) {
	p.does = "update"
	return p.edit(func(now resource) error {
		if w.read == nil {
			return errors.New("it is not known what it was, so changes since then cannot be detected: WithUnchanged is for an object that " +
				"the client has returned, and that MarshalPlan stores")
		}
		present := writeOf(now, false)
		found := changesOf(present.Since(w.Read))
		if len(found) > 0 || !rawjson.Equal(rawjson.Get(w.read, "updated_at"), rawjson.Get(present.read, "updated_at")) {
			return &StaleUpdateError{Changes: found}
		}
		validates := factsOf(now.itself()).validates
		reflect.ValueOf(now).Elem().Set(reflect.ValueOf(object).Elem())
		note(now.itself(), func(f *facts) { f.validates = validates })
		return nil
	}, opts)
}

// WithUnchanged lets the Update of an object that the client has returned read it again first. If it
// has changed since, the error is a [*StaleUpdateError], and nothing is written. It is an error for an
// object of your own, and on all other calls.
func WithUnchanged() CallOption {
	return callOption(func(s *callSettings) error {
		s.unchanged = true
		return nil
	})
}

// editObjectAt reads an object, lets a function change it, and writes what has changed. Until it
// returns, no other edit of the object begins.
func editObjectAt[O any, P resourceOf[O]](at *place, change func(*O) error, opts []CallOption) (*O, error) {
	var f func(resource) error
	if change != nil {
		f = func(r resource) error { return change(r.(P)) }
	}
	edited, err := at.edit(f, opts)
	answer, _ := edited.(P)
	return answer, err
}

func (p *place) edit(change func(resource) error, opts []CallOption) (resource, error) {
	if change == nil {
		return nil, repeatable(p.failed(errors.New("the function is nil")))
	}
	if c := p.service.owner(); c != nil && p.does == "edit" {
		if settings, err := c.defaults.with(opts); err == nil && settings.unchanged {
			return nil, repeatable(p.failed(errors.New("WithUnchanged works only with Update: an edit reads the object itself")))
		}
	}
	end, err := p.turn(opts)
	if err != nil {
		return nil, err
	}
	defer end()
	var sets bool // whether WithBodyField is given, which is for the update only
	read, err := p.get(forRead(opts, &sets))
	if err != nil {
		return nil, err
	}
	if err := p.ended(); err != nil {
		return nil, err
	}
	return p.editRead(read, sets, change, opts)
}

// editRead is edit for an object that was read. sets says that there is something to write also if
// the function changes nothing.
func (p *place) editRead(read resource, sets bool, change func(resource) error, opts []CallOption) (resource, error) {
	first := writeOf(shallow(read), false)
	present := first.Update
	present.AsRead = nil // it is as it was read
	work := shallow(read)
	keeping.Copy(work)
	finish := func(object resource, dry error, opts []CallOption) (resource, error) {
		object = shallow(object)
		note(object.itself(), func(f *facts) { f.validates = nil })
		w := writeOf(object, false)
		w.Now = present
		if err := p.ended(); err != nil {
			return nil, err
		}
		another := w.key != first.key
		if w.read != nil { // else refuseIdentity says it of a changed field
			another = !rawjson.Equal(rawjson.Get(w.read, w.id), rawjson.Get(first.read, w.id))
		}
		if len(w.broken) == 0 && (w.what != first.what || another) {
			v, name := &violations{}, w.id
			if !another {
				name = "checkType"
			}
			v.always(name, "cannot be changed: use Template or SetFrom")
			return nil, repeatable(v.err(first.operation, scrub.New()))
		}
		if err := w.possible(); err != nil {
			return nil, repeatable(err)
		}
		if sets || w.read == nil || w.changes() {
			answer, err := p.put(w.op(), forWrite(opts, &writeOfEdit{dry: dry}))
			if errors.Is(err, ErrDryRun) {
				return read, nil
			}
			return answer, err
		}
		if body, err := w.Body(); err == nil {
			v := &violations{}
			v.take(body.NotRestored())
			if err := v.err(w.operation, scrub.New()); err != nil {
				return nil, err
			}
		}
		return read, nil
	}
	note(work.itself(), func(f *facts) {
		f.validates = func(object any) error {
			_, err := finish(object.(resource), ErrDryRun, append(opts[:len(opts):len(opts)], quiet))
			return err
		}
	})
	dry, err := dryRun(change(work))
	if err != nil {
		return nil, p.failed(err)
	}
	if err := p.ended(); err != nil {
		return nil, err
	}
	return finish(work, dry, opts)
}

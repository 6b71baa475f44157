package monitoring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/turns"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

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
	if err := exchange.EndOf(p.ctx); err != nil {
		return repeatable(p.failed(err))
	}
	return nil
}

// large is how many bytes an object has that takes long to compare. What ends at once is not worth a
// context: its end would hide what was found.
const large = 16 << 10

// limit ends the comparisons of a large object with the context.
func (p *place) limit(u *updates.Update) {
	if len(u.Read) > large {
		u.End = func() error { return exchange.EndOf(p.ctx) }
	}
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
	p.does = "update"
	w := writeOf(object, false)
	if err := w.possible(p.service.owner().scrubberFor(opts)); err != nil {
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
	p.limit(w.Update)
	sends := len(settings.members) > 0 || w.changes()
	if w.Err() != nil {
		return nil, p.ended()
	}
	if !sends {
		if err := p.ended(); err != nil {
			return nil, err
		}
		if err := (&activeCall{op: w.op(), settings: settings}).misplaced(); err != nil {
			return nil, repeatable(err)
		}
		if settings.response != nil {
			*settings.response = Response{}
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
	if w.read == nil {
		return nil, repeatable(p.failed(errors.New("WithUnchanged cannot tell whether the object has changed, because the client did not " +
			"read it: pass one that the client returned, or one stored by MarshalPlan")))
	}
	return p.edit(func(now resource) error {
		present := writeOf(now, false)
		p.limit(present.Update)
		found := changesOf(present.Since(w.Read))
		if present.Err() != nil {
			return p.ended()
		}
		if len(found) > 0 || !isOneMoment(rawjson.Get(w.read, "updated_at"), rawjson.Get(present.read, "updated_at")) {
			return &StaleUpdateError{Changes: found}
		}
		reflect.ValueOf(now).Elem().Set(reflect.ValueOf(object).Elem())
		return nil
	}, opts)
}

// WithUnchanged makes Update read the object first, and refuse the update with a
// [*StaleUpdateError] if it has changed since the client returned it. Other calls return an error
// if they get this option, and so does an Update of an object that you built yourself.
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
			return nil, repeatable(p.failed(errors.New("WithUnchanged is for Update: Edit always reads the object first")))
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
	first := writeOf(read, false)
	present := first.Update
	present.AsRead = nil // it is as it was read
	p.limit(present)
	work := shallow(read)
	copyInside(reflect.ValueOf(work).Elem())
	finish := func(object resource, dry error, opts []CallOption) (resource, error) {
		w := writeOf(object, false)
		w.There = present
		p.limit(w.Update)
		if err := p.ended(); err != nil {
			return nil, err
		}
		another := w.key != first.key
		if w.read != nil { // else refuseIdentity says it of a changed field
			another = !bytes.Equal(w.read, first.read) && !rawjson.Equal(rawjson.Get(w.read, w.id), rawjson.Get(first.read, w.id))
		}
		if len(w.broken) == 0 && (w.what != first.what || another) {
			v := &violations{}
			if another {
				v.always(w.id, idFixed, first.what)
			} else {
				v.always("checkType", otherFixed)
			}
			return nil, p.unwritten(v.err(first.operation, scrub.New()))
		}
		if err := w.possible(p.service.owner().scrubberFor(opts)); err != nil {
			return nil, p.unwritten(err)
		}
		sends := sets || w.changes()
		if w.Err() != nil {
			return nil, p.ended()
		}
		if sends {
			answer, err := p.put(w.op(), forWrite(opts, &writeOfEdit{dry: dry}))
			if errors.Is(err, ErrDryRun) {
				return read, nil
			}
			return answer, p.unwritten(err)
		}
		body, _ := w.Body() // with an error there would be changes
		v := &violations{}
		v.take(body.NotRestored())
		if w.Err() != nil {
			return nil, p.ended()
		}
		if err := v.err(w.operation, scrub.New()); err != nil {
			return nil, p.unwritten(err)
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

// editTurn waits for the turn of an edit of what is named so, such as check group 7. A call that
// cannot be made needs no turn: its read says what is wrong.
func (s *service) editTurn(ctx context.Context, what string, opts []CallOption) (end func(), err error) {
	c := s.owner()
	if c == nil || ctx == nil {
		return func() {}, nil
	}
	settings, err := c.defaults.with(opts)
	if err != nil {
		return func() {}, nil
	}
	return c.turns.Take(ctx, turns.Object{Account: settings.account.Reveal(), Name: strings.ToLower(what)}) // a UUID is one in any case
}

// unwritten lets the error of a request that breaks rules say what was not written. Other errors
// stay as they are.
func (p *place) unwritten(err error) error {
	if broken, ok := err.(*ValidationError); ok {
		broken.edit = p.does + " " + p.what
	}
	return err
}

// failed says of what nothing was written. An edit inside the function of another one of the same
// object has said it already, maybe without the type of a check.
func (p *place) failed(err error) error {
	for _, does := range []string{p.does, "update"} {
		if inner, ok := strings.CutPrefix(err.Error(), "monitoring: "+does+" "); ok {
			if what, _, _ := strings.Cut(inner, ": "); strings.HasSuffix(" "+p.what, " "+what) {
				return err
			}
		}
	}
	return fmt.Errorf("monitoring: %s %s: nothing was written: %w", p.does, p.what, insideAnother{err})
}

// insideAnother is an error that stands in the text of another one of this package.
type insideAnother struct{ error }

func (e insideAnother) Error() string { return strings.TrimPrefix(e.error.Error(), "monitoring: ") }
func (e insideAnother) Unwrap() error { return e.error }

// forRead returns the options of an edit for its read, and notes whether they have body members,
// which are for its write only.
func forRead(opts []CallOption, sets *bool) []CallOption {
	return append(opts[:len(opts):len(opts)], callOption(func(c *callSettings) error {
		*sets, c.members, c.changes, c.unchanged = len(c.members) > 0, nil, nil, false
		return nil
	}))
}

// StaleUpdateError means that an update with [WithUnchanged] wrote nothing, because the object has
// changed since it was read.
type StaleUpdateError struct {
	// Changes are the values that have changed; Before is what was read. It is empty if only the
	// time of the last change differs: then a hidden value may have changed.
	Changes []Change
}

// Error lists the changes, and what to do.
func (e *StaleUpdateError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	changes := []string{"only its updated_at differs, so a withheld secret may have changed"}
	if len(e.Changes) > 0 {
		changes = changes[:0]
	}
	for _, c := range e.Changes {
		changes = append(changes, c.String())
	}
	return "monitoring: the object has changed since it was read: " + strings.Join(changes, "; ") +
		": read it again and repeat your change, or call Update without WithUnchanged"
}

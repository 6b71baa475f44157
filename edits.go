package monitoring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/turns"
)

// remote is an object of the service: how it is read, and how its update is written. For errors,
// does is what is done with it, and what is its name.
type remote struct {
	ctx        context.Context
	service    *service
	does, what string
	get        func([]CallOption) (updatable, error)
	put        func(writesBack, []CallOption) (updatable, error)
}

// remoteObject is an object that two methods of a service read and write.
func remoteObject[ID, O any, P source[O], U any, Q target[U]](
	ctx context.Context, s *service, what string, id ID,
	get func(context.Context, ID, ...CallOption) (*O, error), update func(context.Context, ID, U, ...CallOption) (*O, error),
) remote {
	return remote{
		ctx, s, "edit", fmt.Sprint(what, " ", id),
		func(opts []CallOption) (updatable, error) { return asObject[O, P](get(ctx, id, opts...)) },
		func(u writesBack, opts []CallOption) (updatable, error) {
			return asObject[O, P](update(ctx, id, *u.(Q), opts...))
		},
	}
}

// asObject returns an object without its type; a nil one is nil.
func asObject[O any, P source[O]](o P, err error) (updatable, error) {
	if o == nil {
		return nil, err
	}
	return o, err
}

// ended returns an error if the context has ended. It is asked before each step that takes long
// for a large object.
func (r remote) ended() error {
	if err := r.ctx.Err(); err != nil {
		return r.failed(fmt.Errorf("nothing was written: %w", err))
	}
	return nil
}

// turn waits until no other edit of the object has the turn. The caller must call end.
func (r remote) turn(opts []CallOption) (end func(), err error) {
	if end, err = r.service.editTurn(r.ctx, r.what, opts); err != nil {
		err = repeatable(r.failed(err))
	}
	return end, err
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

// failed says what was done with what. An edit inside the function of another one of the same
// object has said it already, maybe without the type of a check.
func (r remote) failed(err error) error {
	for _, does := range []string{r.does, "update"} {
		if inner, ok := strings.CutPrefix(err.Error(), "monitoring: "+does+" "); ok {
			if what, _, said := strings.Cut(inner, ": "); said && strings.HasSuffix(" "+r.what, " "+what) {
				return err
			}
		}
	}
	return fmt.Errorf("monitoring: %s %s: %w", r.does, r.what, insideAnother{err})
}

// insideAnother is an error that stands in the text of another one of this package.
type insideAnother struct{ error }

func (e insideAnother) Error() string { return strings.TrimPrefix(e.error.Error(), "monitoring: ") }
func (e insideAnother) Unwrap() error { return e.error }

// editObject reads an object, lets a function change its update, and writes it if that changes
// anything. Until it returns, no other edit of the object begins.
func editObject[O any, P source[O], U any, Q target[U]](at remote, change func(Q) error, opts []CallOption) (P, error) {
	var f func(writesBack) error
	if change != nil {
		f = func(u writesBack) error { return change(u.(Q)) }
	}
	edited, err := at.edit(Q(new(U)), f, opts)
	answer, _ := edited.(P)
	return answer, err
}

// edit is editObject for an empty update.
func (r remote) edit(empty writesBack, change func(writesBack) error, opts []CallOption) (updatable, error) {
	if change == nil {
		return nil, repeatable(r.failed(errors.New("the function is nil")))
	}
	end, err := r.turn(opts)
	if err != nil {
		return nil, err
	}
	defer end()
	var sets bool // whether WithBodyMember is given, which is for the update only
	read, err := r.get(forRead(opts, &sets))
	if err != nil {
		return nil, err
	}
	return r.editRead(empty, read, sets, change, opts)
}

// forRead returns the options of an edit for its read, and notes whether they have body members,
// which are for its write only.
func forRead(opts []CallOption, sets *bool) []CallOption {
	return append(opts[:len(opts):len(opts)], callOption(func(c *callSettings) error {
		*sets, c.members, c.changes, c.unchanged = len(c.members) > 0, nil, nil, false
		return nil
	}))
}

// editRead is editObject for an object that was read. sets says that there is something to write
// also if the function changes nothing.
func (r remote) editRead(update writesBack, read updatable, sets bool, change func(writesBack) error, opts []CallOption) (updatable, error) {
	now := emptyLike(update)
	makeUpdate(update, read)
	viewUpdate(now, read)
	present := now.writeBack().Update
	present.AsRead = nil // it is as it was made
	w := update.writeBack()
	w.from.edited = true
	if is := CheckType(rawjson.Text(rawjson.Get(w.Read, "checkType"))); is != "" && is != cmp.Or(w.checkType, is) {
		return nil, repeatable(r.failed(fmt.Errorf("its type is %s, want %s; nothing was written", scrub.Clean(string(is)), w.checkType)))
	}
	if err := r.ended(); err != nil {
		return nil, err
	}
	write := func(sent writesBack, dry error, opts []CallOption) (updatable, error) {
		w := sent.writeBack()
		w.Now, w.from.refused = present, nil
		changes := sets || *w.auto != nil || w.Changes()
		if err := r.ended(); err != nil {
			return nil, err
		}
		if changes {
			w.from.update = w.Update // the call sends the body that was made here
			answer, err := r.put(sent, forWrite(opts, &writeOfEdit{dry: dry}))
			return written(answer, err, read)
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
	w.from.refused = func(u any) error {
		_, err := write(copyOf(u.(writesBack)), ErrDryRun, append(opts[:len(opts):len(opts)], quiet))
		return err
	}
	dry, err := dryRun(change(update))
	if err != nil {
		return nil, r.failed(err)
	}
	if err := r.ended(); err != nil {
		return nil, err
	}
	return write(copyOf(update), dry, opts) // a copy, because the function may have kept the pointer
}

// applyObject writes an update that was made earlier, if the object has not changed since.
func applyObject[O any, P source[O], U any, Q target[U]](at remote, plan U, opts []CallOption) (P, error) {
	applied, err := at.apply(Q(&plan), opts)
	answer, _ := applied.(P)
	return answer, err
}

func (r remote) apply(plan writesBack, opts []CallOption) (updatable, error) {
	planned := plan.writeBack()
	r.does = "apply the update to"
	return r.edit(emptyLike(plan), func(u writesBack) error {
		if planned.Read == nil {
			return errors.New("the update does not say what it was made from, so changes since then cannot be detected: make it " +
				"with ToUpdate, and keep it with MarshalWithSecrets; json.Marshal loses this")
		}
		now := u.writeBack()
		found := changesOf(now.Since(planned.Read))
		if len(found) > 0 || !rawjson.Equal(rawjson.Get(planned.Read, "updated_at"), rawjson.Get(now.Read, "updated_at")) {
			return &ChangedError{Changes: found}
		}
		reflect.ValueOf(u).Elem().Set(reflect.ValueOf(plan).Elem())
		return nil
	}, opts)
}

// ChangedError means that an object has changed since it was read, so that an update with
// [WithUnchanged] wrote nothing. So it is for a method Apply of checks.
type ChangedError struct {
	// Changes are the values that have changed, with those that the update was made from as Before. It
	// is empty if only the time of the last change differs: then a value that is not shown may have
	// changed.
	Changes []Change
}

// Error lists the changes, and says what to do.
func (e *ChangedError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	changes := []string{"only the time of its last change differs, so a secret that is not shown may have changed"}
	if len(e.Changes) > 0 {
		changes = changes[:0]
	}
	for _, c := range e.Changes {
		changes = append(changes, c.String())
	}
	return "monitoring: it has changed since the update was made, so nothing was written: " + strings.Join(changes, "; ") +
		": make the update again, or use Update to write it anyway"
}

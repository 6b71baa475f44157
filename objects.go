package monitoring

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/monitoring-api/monitoring-go/internal/document"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/route"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// Object is a pointer to an object, such as a [Check].
type Object interface {
	Diff() []Change
	Omitted() []string
	Validate() error
}

// resource is a pointer to an object.
type resource interface {
	reader
	itself() *object
	form() form
}

// resourceOf is a pointer to an object of type O.
type resourceOf[O any] interface {
	*O
	resource
}

// blueprint is what is known of all objects of a type, or of all checks of a kind.
type blueprint struct {
	what      string    // for errors, such as "check group"
	checkType CheckType // of checks
	creates   string    // the operations; "" if there is none
	updates   string
	id        string   // the member that says which object it is
	made      []string // the members that no update changes: those that only the service makes, the id, and those of fixed
	fixed     []string // those that only a create has
	lacks     []string // those of made that are named among what an update leaves out
	unsent    []string // those that no body has, although a description does
	patches   bool     // the service keeps what an update leaves out
	keeps     []string // or at least these; see updates.Update
	// needs are what an update that replaces an object must have, if nobody has read the object. Where
	// this is wholly read, an update cannot do without reading.
	needs       []string
	whollyRead  bool
	follows     []string          // see updates.Update
	tokens      map[string]string // of an update; see updates.Update
	complements func(fields any)  // sets what a create requires although it means nothing; nil for most
	// inBodies returns what was read in the form of bodies, and sent a copy of fields in it. Both are
	// nil if there is no other form.
	inBodies func(object []byte) []byte
	sent     func(fields any) any
	// rules adds the rules that are not in the description of the bodies, and that WithoutValidation
	// does not turn off; nil if there are none.
	rules func(fields any, b *updates.Body, v *violations)
}

// one returns what an object is, with its article.
func (b *blueprint) one() string {
	for _, sound := range []string{"A", "E", "I", "O", "SSL"} {
		if strings.HasPrefix(b.what, sound) {
			return "an " + b.what
		}
	}
	return "a " + b.what
}

// form is an object as the code for all objects sees it.
type form struct {
	*blueprint
	key    string      // the value of its id; "" if it has none
	fields any         // a pointer to a struct without methods that has its members
	auto   **bool      // its AutoAssignAlerts; nil if it has none
	broken []Violation // what is wrong with the object, beside its body
	field  string      // the field of the kind of a check; "" if there is none
	store  func()      // puts the fields back into the object; nil if they are those of the object
}

// keyOf returns an id as the key of a form.
func keyOf(id int64) string {
	if id == 0 {
		return ""
	}
	return route.Number(id)
}

// readOwn is the UnmarshalJSON of an object: that of a file is the caller's own, and a plan is what
// it was when it was stored. After an error the object is as it was before.
func readOwn(object resource, data []byte) error {
	if rawjson.IsNull(data) {
		return nil
	}
	r, v := object, reflect.ValueOf(object).Elem()
	if !v.IsZero() {
		r = newLike(object)
	}
	if err := readStored(r, bytes.Clone(data)); err != nil {
		return err
	}
	v.Set(reflect.ValueOf(r).Elem())
	return nil
}

func readStored(r resource, data []byte) error {
	stored := planIn(data)
	if stored == nil {
		return r.read(data)
	}
	var plan plan
	if err := json.Unmarshal(stored, &plan); err != nil {
		return err
	}
	own := cleaned(data)
	if err := r.read(own); err != nil {
		return err
	}
	known := facts{read: &own, own: &own, applied: plan.Applied, subscribed: plan.Subscribed, removed: plan.Removed}
	if plan.Read != nil {
		markReturned(r, false)
		known.read, known.returned = new(cleaned(plan.Read)), true
	}
	r.itself().facts = &known
	r.form().setNull(plan.Null)
	return nil
}

// setNull sets members to null that their JSON does not tell from a withheld secret.
func (f form) setNull(names []string) {
	fields := reflect.ValueOf(f.fields).Elem()
	p := plans.Of(fields.Type())
	for _, name := range names {
		if at := p.Find(name, -1); at >= 0 {
			if n, ok := p.Members[at].In(fields).Addr().Interface().(nullable); ok {
				n.parts().setNull()
			}
		}
	}
	if f.store != nil {
		f.store()
	}
}

// MarshalPlan returns the JSON of an object together with what it was when the client returned it,
// so that another process can write your changes: it unmarshals the plan into the object's type and
// calls Update with [WithUnchanged]. The plan contains secrets.
//
//	plan, err := monitoring.MarshalPlan(check)
func MarshalPlan(object Object) ([]byte, error) {
	r, ok := object.(resource)
	if !ok || isNilObject(r) {
		return nil, errors.New("monitoring: marshal plan: the object is nil, or not one of this package")
	}
	f := r.form()
	if len(f.broken) > 0 {
		return nil, fmt.Errorf("monitoring: marshal plan: %s", f.broken[0])
	}
	written, err := writeOpen(r)
	if err != nil {
		return nil, fmt.Errorf("monitoring: marshal plan: %w", err)
	}
	if paths := updates.NotUTF8(written, jsonOf(r.itself())); len(paths) > 0 {
		return nil, fmt.Errorf("monitoring: marshal plan: %s: must be valid UTF-8", paths[0])
	}
	known := factsOf(r.itself())
	stored := plan{Applied: known.applied, Subscribed: known.subscribed, Removed: known.removed, Null: f.nulls()}
	if known.returned {
		stored.Read = jsonOf(r.itself())
	}
	data, err := rawjson.Encode(stored)
	if err != nil {
		return nil, fmt.Errorf("monitoring: marshal plan: %w", err)
	}
	return rawjson.With(written, planMember, data), nil
}

// nulls returns the members that are null.
func (f form) nulls() (names []string) {
	fields := reflect.ValueOf(f.fields).Elem()
	p := plans.Of(fields.Type())
	for i := range p.Members {
		if n, ok := p.Members[i].In(fields).Addr().Interface().(nullable); ok && *n.parts().state == stateNull {
			names = append(names, p.Members[i].Name)
		}
	}
	return names
}

// clone returns a copy of an object that shares nothing with it. It has no type parameter: a
// package that names a Client would compile it for each type.
func clone(object resource) resource {
	if isNilObject(object) {
		return object
	}
	copied := shallow(object)
	copyInside(reflect.ValueOf(copied).Elem())
	return copied
}

// template is the Template of an object. The object is written and read again, because what has no
// field does not belong to a copy.
func template(object resource) resource {
	made := newLike(object)
	if !isNilObject(object) {
		fillTemplate(made, object)
	}
	return made
}

func fillTemplate(made, object resource) {
	f := object.form()
	if len(f.broken) > 0 { // JSON cannot have all of it, and its create says what is wrong
		reflect.ValueOf(made).Elem().Set(reflect.ValueOf(clone(object)).Elem())
	} else if f.copyTo(made) != nil {
		return
	}
	own := made.itself()
	own.facts = nil
	if factsOf(object.itself()).applied {
		note(own, func(f *facts) { f.applied = true })
	}
	if auto := made.form().auto; auto != nil {
		*auto = new(false)
		if asked := f.auto; *asked != nil {
			*auto = new(**asked)
		}
	}
}

// copyTo copies to a new object what the create of one may have.
func (f form) copyTo(made resource) error {
	fields := reflect.ValueOf(f.fields).Elem()
	data, unfit := writeFit(fields)
	operation := cmp.Or(f.creates, f.updates, updateOfAnyKind) // a check may have no kind, and so neither
	if f.inBodies != nil {
		data = f.inBodies(data)
	}
	body := schema.Lookup(operation).Body
	err := made.read(accepted(body, plans.Of(fields.Type()), data))
	if err != nil || len(unfit) == 0 {
		return err
	}
	copied := made.form()
	to := reflect.ValueOf(copied.fields).Elem()
	for _, m := range unfit {
		if body.Member(m.Name) != nil {
			m.In(to).Set(m.In(fields))
			copyInside(m.In(to))
		}
	}
	if copied.store != nil {
		copied.store()
	}
	return nil
}

// writeFit writes fields without those that cannot be sent, which it returns.
func writeFit(fields reflect.Value) (data []byte, unfit []*jsontype.Member) {
	p := plans.Of(fields.Type())
	w := document.Writer{Exact: true}
	if data = w.Value(p, fields); w.Err == nil && utf8.Valid(data) {
		return data, nil
	}
	fit := reflect.New(fields.Type()).Elem()
	fit.Set(fields)
	for i := range p.Members {
		m, w := &p.Members[i], document.Writer{Exact: true}
		if value := w.Value(m.Plan, m.In(fit)); w.Err != nil || !utf8.Valid(value) {
			m.In(fit).SetZero()
			unfit = append(unfit, m)
		}
	}
	w = document.Writer{}
	return w.Value(p, fit), unfit
}

// setFrom is the SetFrom of an object.
func setFrom(object, wish resource) error {
	if isNilObject(wish) {
		return errors.New("monitoring: set from: the object to copy from is nil")
	}
	f, from := object.form(), wish.form()
	if len(from.broken) > 0 {
		return fmt.Errorf("monitoring: set from: %s", from.broken[0])
	}
	if from.checkType != "" && f.checkType != from.checkType {
		return fmt.Errorf("monitoring: set from: %s cannot take the settings of %s", f.one(), from.one())
	}
	if own, ok := wish.(interface{ kindless() error }); ok {
		if err := own.kindless(); err != nil {
			return fmt.Errorf("monitoring: set from: %w", err)
		}
	}
	wished := reflect.New(reflect.TypeOf(from.fields).Elem())
	wished.Elem().Set(reflect.ValueOf(from.fields).Elem())
	copyInside(wished.Elem())
	setMembers(reflect.ValueOf(f.fields).Elem(), wished.Elem(), append(f.made[:len(f.made):len(f.made)], "autoAssignAlerts")...)
	if f.store != nil {
		f.store()
	}
	if factsOf(wish.itself()).applied {
		note(object.itself(), func(f *facts) { f.applied = true })
	}
	return nil
}

// lineOf is the String of an object: what it is, its name, its id.
func lineOf(r resource, name string) string {
	f := r.form()
	text := f.what
	if name != "" {
		text += fmt.Sprintf(" %q", scrub.Clean(name))
	}
	if f.key != "" && f.key != name {
		text += " (" + scrub.Clean(f.key) + ")"
	}
	return text
}

// formatObject is the Format of an object: one line, and with %+v its JSON with secrets masked.
func formatObject(s fmt.State, verb rune, o interface {
	json.Marshaler
	fmt.Stringer
}) {
	if verb == 'v' && s.Flag('+') {
		if data, err := o.MarshalJSON(); err == nil {
			s.Write(data)
			return
		}
	}
	if verb == 'q' {
		fmt.Fprintf(s, "%q", o.String())
		return
	}
	io.WriteString(s, o.String())
}

// isNilObject reports whether an object is a nil pointer.
func isNilObject(object resource) bool { return reflect.ValueOf(object).IsNil() }

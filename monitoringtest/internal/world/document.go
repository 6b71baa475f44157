package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// Kind is a kind of records that are only stored: what a request or a test writes is what is read,
// with an id and the moments of its changes. All that is said of such a record is said here.
type Kind struct {
	Name    string // in messages; ids are made of it
	List    string // in a seed
	ID      string // the member that has the id; "" if there is no other
	Form    Form   // of the id
	Short   bool   // ids have 8 characters
	Repeats bool   // a test may add an id twice

	Made     string     // the member that has the moment at which it was added; "" for none
	Moments  []string   // other members that are moments
	Members  []string   // those besides
	Needs    []string   // what a seed must have
	Own      []string   // members of a seed that Own of a document has
	Runs     []string   // members of the member runs, which Own has as well
	Defaults Object     // what it has for members that it lacks
	Resets   Object     // what an update sets what it leaves out to; without a member it keeps it
	Example  func() any // the type in the root, as which a seed must be readable

	complete func(o Object)                             // writes values in the form of the service
	added    func(o Object)                             // gives what a test adds what it may leave out
	vet      func(s *Store, o Object) *schema.Violation // rules that a body alone does not show
	needs    func(w *World, o Object) error             // what must be there when a test adds one
	vetAdded func(o Object) error                       // of what a test adds
}

// Form is the form of the ids of a kind.
type Form uint8

// The forms.
const (
	OfNumbers Form = iota
	OfUUIDs
	OfTexts // any
)

// Document is a record. Its Members are never changed: a change gives it others.
type Document struct {
	ID      string
	Members Object
	Own     Object // what only the fake has, and a dump; nil for nothing
	parsed  any
}

// Store has the records of a kind in the order in which they were added.
type Store struct {
	All  []*Document
	byID byID[*Document] // of several with an id, the first
}

// Of returns the records of a kind.
func (w *World) Of(k *Kind) *Store {
	s := w.stores[k]
	if s == nil {
		s = &Store{byID: make(byID[*Document])}
		w.stores[k] = s
	}
	return s
}

// Find returns the record with an id; nil if there is none.
func (s *Store) Find(id string) *Document { return s.byID.of(id) }

func (w *World) add(k *Kind, d *Document) *Document {
	s := w.Of(k)
	w.hold(d.Members)
	s.All = append(s.All, d)
	if s.Find(d.ID) == nil {
		s.byID.set(d.ID, d)
	}
	return d
}

// remove removes the records for which a function returns true, and reports whether there were any.
func (s *Store) remove(matches func(*Document) bool) bool {
	before := len(s.All)
	s.All = slices.DeleteFunc(s.All, func(d *Document) bool {
		gone := matches(d)
		if gone {
			s.byID.delete(d.ID)
		}
		return gone
	})
	return len(s.All) < before
}

// forget forgets the oldest records.
func (s *Store) forget(n int) {
	for _, d := range s.All[:n] {
		s.byID.delete(d.ID)
	}
	s.All = slices.Delete(s.All, 0, n)
}

// forgetOldest forgets the oldest records of a kind that nobody deletes, if the account forgets old
// data and there are too many.
func (w *World) forgetOldest(k *Kind) {
	if s := w.Of(k); w.Retention.Age > 0 && len(s.All) > w.Retention.Most {
		s.forget(len(s.All) - w.Retention.Most)
	}
}

// set gives a record other members.
func (d *Document) set(m Object) { d.Members, d.parsed = m, nil }

// change changes some members of a record.
func (d *Document) change(changes Object) { d.set(join(d.Members, changes)) }

// own gives a record another value that only the fake has.
func (d *Document) own(name string, value any) {
	d.Own, d.parsed = join(d.Own, Object{name: JSON(value)}), nil
}

// parsed returns what a record was read as, which is kept until it changes.
func parsed[T any](d *Document, read func(*Document) T) T {
	v, is := d.parsed.(T)
	if !is {
		v = read(d)
		d.parsed = v
	}
	return v
}

// Add adds a record as a test or a seed writes it, and returns it. An id and a moment that are
// missing are made, and other members that are missing or null have their default.
func (w *World) Add(k *Kind, o, own Object) (*Document, error) {
	if err := w.Vet(k, o); err != nil {
		return nil, err
	}
	if k.needs != nil {
		if err := k.needs(w, o); err != nil {
			return nil, err
		}
	}
	now := w.Clock.Now()
	o = k.whole(o, now)
	generated := w.newID(k)
	if k.IDOf(o) == "" {
		k.identify(o, generated)
	}
	return w.add(k, &Document{ID: k.IDOf(o), Members: o, Own: own}), nil
}

// Restore adds a record of a dump as it is.
func (w *World) restore(k *Kind, o, own Object) *Document {
	return w.add(k, &Document{ID: k.IDOf(o), Members: o, Own: own})
}

// Vet returns the first mistake in a record that a test adds.
func (w *World) Vet(k *Kind, o Object) error {
	id := k.IDOf(o)
	switch {
	case k.Form == OfNumbers && strings.HasPrefix(id, "-"):
		return fmt.Errorf("the id of %s is %s: it must be positive", A(k.Name), id)
	case k.Form == OfUUIDs && id != "" && !schema.IsUUID(id):
		return VetUUID(A(k.Name), id)
	case !k.Repeats && id != "" && w.Of(k).Find(id) != nil:
		return fmt.Errorf("%s with the id %s exists already", A(k.Name), id)
	}
	o = k.whole(o, w.Clock.Now())
	if k.vetAdded != nil {
		if err := k.vetAdded(o); err != nil {
			return err
		}
	}
	if k.vet != nil {
		if problem := k.vet(w.Of(k), o); problem != nil {
			return fmt.Errorf("%s %q: its %s %s", k.Name, o.Text("name"), problem.Path, problem.Message)
		}
	}
	return nil
}

// Create creates the record of a body, or returns the rule that it breaks.
func (w *World) Create(k *Kind, sent Object, now time.Time) (*Document, *schema.Violation) {
	if k.complete != nil {
		k.complete(sent)
	}
	m := k.Defaults.With(sent)
	if k.vet != nil {
		if problem := k.vet(w.Of(k), m); problem != nil {
			return nil, problem
		}
	}
	if k.IDOf(m) == "" {
		k.identify(m, w.newID(k))
	}
	if k.Made != "" {
		m.Set(k.Made, fakeclock.Stamp(now))
	}
	return w.add(k, &Document{ID: k.IDOf(m), Members: m}), nil
}

// Update changes a record by a body, or returns the rule that it breaks.
func (w *World) Update(k *Kind, d *Document, sent Object, now time.Time) *schema.Violation {
	if k.complete != nil {
		k.complete(sent)
	}
	delete(sent, k.idMember())
	merged := join(d.Members, k.Resets).With(sent)
	if k.vet != nil {
		if problem := k.vet(w.Of(k), merged); problem != nil {
			return problem
		}
	}
	if k.Defaults["updated_at"] != nil {
		merged.Set("updated_at", fakeclock.Stamp(now))
	}
	w.hold(merged)
	d.set(merged)
	return nil
}

// Delete deletes the records with an id and reports whether there were any.
func (w *World) Delete(k *Kind, id string) bool {
	return w.Of(k).remove(func(d *Document) bool { return IDKey(d.ID) == IDKey(id) })
}

// Names returns the members that a record has in a seed.
func (k *Kind) Names() []string {
	return slices.Concat([]string{k.ID, k.Made}, k.Moments, k.Members, k.Own)
}

// A returns the name of a kind with an article.
func A(kind string) string {
	if strings.ContainsRune("aeiou", rune(kind[0])) {
		return "an " + kind
	}
	return "a " + kind
}

// IDOf returns the id in a record; "" if there is none.
func (k *Kind) IDOf(o Object) string {
	if k.Form != OfNumbers {
		return o.Text(k.idMember())
	}
	var n int64
	if !o.Get(k.idMember(), &n) || n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func (k *Kind) idMember() string {
	if k.ID == "" {
		return "id"
	}
	return k.ID
}

// identify gives a record an id.
func (k *Kind) identify(o Object, id string) {
	if o[k.idMember()] = Raw(id); k.Form != OfNumbers {
		o.Set(k.idMember(), id)
	}
}

// newID makes an id that no record has.
func (w *World) newID(k *Kind) string {
	for {
		var id string
		switch k.Form {
		case OfNumbers:
			id = strconv.FormatInt(w.ids.number(k.Name), 10)
		default:
			id = w.ids.text(k.Name)
		}
		if k.Short {
			id = id[:8]
		}
		if w.Of(k).Find(id) == nil {
			return id
		}
	}
}

// whole returns a record that is added with all its members, its moments in the form of the
// service.
func (k *Kind) whole(added Object, now time.Time) Object {
	o := make(Object, len(added)+len(k.Defaults))
	for name, value := range k.Defaults {
		o[name] = value
	}
	for name, value := range added {
		if !rawjson.IsNull(value) || o[name] == nil {
			o[name] = value
		}
	}
	for _, name := range append(slices.Clone(k.Moments), k.Made) {
		if at, err := time.Parse(time.RFC3339Nano, o.Text(name)); err == nil && at.Format(time.RFC3339Nano) == o.Text(name) {
			o.Set(name, fakeclock.Stamp(at)) // it was made in Go
		}
	}
	if k.Made != "" && !o.Has(k.Made) {
		o.Set(k.Made, fakeclock.Stamp(now))
	}
	if k.added != nil {
		k.added(o)
	}
	if k.complete != nil {
		k.complete(o)
	}
	return o
}

// ObjectOf returns a value of the root as the service has it.
func ObjectOf(v any) (o Object) {
	MustUnmarshal(JSON(v), &o)
	return o
}

// Shown returns a record as it is read.
func (w *World) Shown(d *Document) Object { return d.Members }

// Listed returns the members of the records of a kind as a list.
func (s *Store) Listed() json.RawMessage {
	list := make([]Object, len(s.All))
	for i, d := range s.All {
		list[i] = d.Members
	}
	return JSON(list)
}

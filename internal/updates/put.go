package updates

import (
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"reflect"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/document"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Body returns what is sent. It is made once.
func (u *Update) Body() (*Body, error) {
	if u.body != nil {
		return u.body, nil
	}
	now := reflect.ValueOf(u.Fields).Elem()
	if u.Read == nil {
		b, err := u.literal(now)
		u.body = b
		return b, err
	}
	was, err := u.asRead()
	if err != nil {
		return nil, err
	}
	b := &Body{update: u}
	if err := b.put(was, now); err != nil {
		return nil, err
	}
	u.body = b
	return b, nil
}

// Request returns the body of a request that is no object. node describes it; nil if nothing does.
func Request(plans *jsontype.Plans, node *schema.Node, value any) (*Body, error) {
	b := &Body{update: &Update{Plans: plans, Node: node}}
	data, secrets, err := b.update.write(value, "")
	if err != nil {
		return nil, err
	}
	b.JSON = data
	b.collect(secrets, false)
	return b, nil
}

// write writes a value that is at a path in the body. A json.RawMessage is sent as it is, if it is
// valid.
func (u *Update) write(v any, path string) (data []byte, secrets []document.Secret, err error) {
	if raw, ok := v.(json.RawMessage); ok && raw != nil {
		if !json.Valid(raw) {
			return nil, nil, errors.New("the json.RawMessage is not valid JSON")
		}
		return raw, nil, nil
	}
	w := document.Writer{Exact: true}
	p, value := u.Plans.OfAny(&v)
	if data = w.Value(p, value); w.Err != nil {
		return nil, nil, w.Err
	}
	return data, document.Secrets(nil, p, value, data, []byte(path)), nil
}

// literal puts the body together of an object that nobody has read.
func (u *Update) literal(now reflect.Value) (*Body, error) {
	b, w := &Body{update: u}, &document.Writer{Exact: true}
	plan := u.Plans.Of(now.Type())
	for i := range plan.Members {
		m := &plan.Members[i]
		v := m.In(now)
		switch {
		case m.Omits(v):
		case !u.takes(m.Name):
			b.Foreign = append(b.Foreign, m.Name)
		default:
			s := &slot{name: m.Name, node: u.Node.Member(m.Name).Node, field: m, now: v}
			value := s.json(w, v)
			b.sent = append(b.sent, rawjson.Member{Name: m.Name, Value: value})
			b.collect(u.secrets(nil, s, v, value), false)
		}
	}
	if b.JSON = joined(b.sent); w.Err != nil {
		return nil, w.Err
	}
	return b, nil
}

// takes reports whether a body can have a member.
func (u *Update) takes(name string) bool {
	m := u.Node.Member(name)
	return m != nil && !m.Node.TakesNothing() && !slices.Contains(u.Unsent, name)
}

// foreign returns the members that were changed although the body cannot have them.
func (u *Update) foreign(was, now reflect.Value) (names []string) {
	plan := u.Plans.Of(now.Type())
	for i := range plan.Members {
		m := &plan.Members[i]
		before, after := m.In(was), m.In(now)
		if !u.takes(m.Name) && !document.Equal(m.Plan, before, after) && !(isNothingIn(m, before) && isNothingIn(m, after)) {
			names = append(names, m.Name)
		}
	}
	return names
}

// isNothingIn reports whether a member with a value is left out, or null.
func isNothingIn(m *jsontype.Member, v reflect.Value) bool {
	w := &document.Writer{Exact: true}
	return m.Omits(v) || rawjson.IsNull(w.Value(m.Plan, v))
}

// slots iterates over the members of an update: those that are set, those that were, and of the
// object those that were null, because the fields of an update may not distinguish null from
// absent. If the update is no patch, it adds all that the body can have, so that none is lost. The
// slot is the same in each step.
func (u *Update) slots(was, now reflect.Value) iter.Seq[*slot] {
	return func(yield func(*slot) bool) {
		var s slot
		plan, read := u.Plans.Of(now.Type()), u.members()
		listed := make([]bool, len(plan.Members))
		for _, of := range []reflect.Value{now, was} {
			for i := range plan.Members {
				m := &plan.Members[i]
				if listed[i] || m.Omits(m.In(of)) || !u.takes(m.Name) {
					continue
				}
				listed[i], s = true, u.slot(m.Name, m, was, now, read.get(m.Name))
				if !yield(&s) {
					return
				}
			}
		}
		last := -1
		for _, m := range read.list {
			if u.Patches && !rawjson.IsNull(m.Value) || !u.takes(m.Name) {
				continue
			}
			var field *jsontype.Member
			if at := plan.Find(m.Name, last); at >= 0 {
				if last = at; listed[at] {
					continue
				}
				field = &plan.Members[at]
			}
			if s = u.slot(m.Name, field, was, now, m.Value); !yield(&s) {
				return
			}
		}
	}
}

func (u *Update) slot(name string, field *jsontype.Member, was, now reflect.Value, read []byte) slot {
	s := slot{name: name, node: u.Node.Member(name).Node, field: field, read: read}
	if field != nil {
		if v := field.In(was); !field.Omits(v) {
			s.was = v
		}
		if v := field.In(now); !field.Omits(v) {
			s.now = v
		}
	}
	return s
}

// equal reports whether the field has what it had.
func (s *slot) equal() bool {
	if !s.was.IsValid() || !s.now.IsValid() {
		return s.was.IsValid() == s.now.IsValid()
	}
	return document.Equal(s.field.Plan, s.was, s.now)
}

// json returns what the field has as JSON, without what only answers have; nil if it is left out.
func (s *slot) json(w *document.Writer, v reflect.Value) []byte {
	if !v.IsValid() {
		return nil
	}
	return taken(s.node, w.Value(s.field.Plan, v))
}

// patched returns what was read with what has changed.
func (s *slot) patched(w *document.Writer) []byte {
	if s.read == nil || !s.was.IsValid() {
		return s.json(w, s.now)
	}
	return taken(s.node, w.Patch(s.field.Plan, s.read, s.was, s.now))
}

// secrets returns the secrets that a field has, in the memory of a list. data is its JSON.
func (u *Update) secrets(list []document.Secret, s *slot, v reflect.Value, data []byte) []document.Secret {
	list = list[:0]
	if !v.IsValid() || !s.field.Deep {
		return list
	}
	path := append(make([]byte, 0, 64), s.name...)
	list = document.Secrets(list, s.field.Plan, v, data, path)
	if token := u.Tokens[s.name]; token != "" && rawjson.Kind(data) == '{' && rawjson.Get(data, token) == nil {
		list = append(list, document.Secret{Withheld: s.name + "." + token})
	}
	return list
}

func isWithheld(s document.Secret) bool { return s.Withheld != "" }

// put puts the body together. now and was are the fields of the update as it is and as it was made.
// Each member is sent by the first of these rules that fits:
//
//	it has a withheld secret, and is unchanged       left out
//	it has a withheld secret, and is set to nil      refused
//	it is unchanged, and no longer there as it was   sent as it was read, null for a list as []
//	it is unchanged                                  sent as it was read
//	a list that had items is set to nil              sent as []
//	a member that may be null is set to nil          sent as null
//	another member is set to nil                     refused
//	it is changed                                    patched into what was read
//
// A patch is then rid of what is there already.
func (b *Body) put(was, now reflect.Value) error {
	u := b.update
	c, w, isThere := u.comparer(), &document.Writer{Exact: true}, u.isThere()
	b.unchanged = make([]string, 0, len(u.Node.Members))
	if !u.Patches { // a patch sends little
		b.sent = make([]rawjson.Member, 0, len(u.Node.Members))
	}
	for s := range u.slots(was, now) {
		if err := u.Err(); err != nil {
			return err
		}
		value, asRead := b.member(s, w)
		if value == nil {
			continue
		}
		if u.Patches && (u.Alone || isThere) && b.isUnchanged(s.name) {
			continue // the service keeps it
		}
		there := s.read
		if u.There != nil && !isThere {
			there = u.There.has(s.name)
		}
		if u.Patches && asRead && string(value) == `""` && len(s.node.Check(value, schema.Service, nil)) > 0 {
			// A service that refuses an empty text may still return one: it is nothing.
			if rawjson.IsEmpty(there) {
				continue
			}
			value = []byte("null")
		}
		if there == nil && c.sameAtTop(s.node, nil, value) ||
			u.Patches && u.There != nil && c.sameAtTop(s.node, there, value) ||
			slices.Contains(u.Keeps, s.name) && c.sameAtTop(s.node, u.before().get(s.name), value) {
			continue
		}
		if !b.isUnchanged(s.name) {
			b.changed++
		}
		b.sent = append(b.sent, rawjson.Member{Name: s.name, Value: value})
	}
	b.JSON, b.unknown = joined(b.sent), u.unknown()
	b.absent, b.Foreign = u.absent(was, now), u.foreign(was, now)
	return cmp.Or(w.Err, u.Err())
}

// member decides about a member. It returns the value to send, nil for none, and whether that is
// what was read, because it has not changed.
func (b *Body) member(s *slot, w *document.Writer) (value []byte, asRead bool) {
	u := b.update
	secrets := u.secrets(b.found, s, s.was, s.read)
	held := slices.ContainsFunc(secrets, isWithheld)
	isEqual := s.equal()
	isSame := isEqual
	var before, after []byte
	if !isSame {
		before, after = s.json(w, s.was), s.json(w, s.now)
		isSame = u.comparer().same(s.node, before, after)
	}
	unset := !s.now.IsValid()
	switch {
	case held && isSame:
		b.left, b.unchanged = append(b.left, s.name), append(b.unchanged, s.name)
	case held && unset:
		b.Unset = append(b.Unset, s.name)
	case isSame, unset && rawjson.IsNull(before), unset && string(before) == "[]":
		b.unchanged, asRead, value = append(b.unchanged, s.name), true, s.asRead()
		if u.There != nil && rawjson.IsNull(s.read) && s.node.Kinds&schema.Array != 0 {
			if there := u.There.members().get(s.name); there != nil && !rawjson.IsNull(there) {
				value, asRead = []byte("[]"), false
			}
		}
	case unset && rawjson.Kind(before) == '[':
		value = []byte("[]")
	case unset && s.node.Nullable():
		value = []byte("null")
	case unset:
		b.Unset = append(b.Unset, s.name)
	default:
		value = s.patched(w)
	}
	if !isEqual {
		data := value
		if data == nil {
			data = s.read
		}
		secrets = u.secrets(secrets, s, s.now, data)
	}
	b.collect(secrets, held && isSame)
	b.found = secrets
	return value, asRead
}

func (b *Body) isUnchanged(name string) bool { return slices.Contains(b.unchanged, name) }

// asRead returns the value that is sent for an unchanged member; nil sends nothing.
func (s *slot) asRead() []byte {
	if rawjson.IsNull(s.read) && !s.node.Nullable() {
		return nil
	}
	return taken(s.node, s.read)
}

// collect notes the secrets of a member, and those that are withheld unless it is left out.
func (b *Body) collect(secrets []document.Secret, left bool) {
	b.Secrets = slices.Grow(b.Secrets, len(secrets))
	for _, one := range secrets {
		switch {
		case one.Withheld != "":
			if !left {
				b.Withheld = append(b.Withheld, one.Withheld)
			}
		case one.Raw:
			b.Secrets = append(b.Secrets, rawjson.Texts([]byte(one.Text))...)
		case one.Text != "":
			b.Secrets = append(b.Secrets, one.Text)
		}
	}
}

// value returns what the body sends for a member, without what Set has set.
func (b *Body) value(name string) []byte {
	for i := range b.sent {
		if b.sent[i].Name == name {
			return b.sent[i].Value
		}
	}
	return nil
}

// has returns what the object has for a member: what the update sends, or else what was read, such
// as what it leaves out because the service withholds a secret in it. Nil has none.
func (u *Update) has(name string) []byte {
	if u == nil {
		return nil
	}
	if node := nodeOf(u.Node, name); u.Read != nil && u.AsRead == nil && !(node != nil && node.Narrower()) {
		return u.members().get(name) // nobody has changed it
	}
	if b, err := u.Body(); err == nil {
		if value := b.value(name); value != nil {
			return value
		}
	}
	return u.members().get(name)
}

// joined returns the object with the members that are sent.
func joined(sent []rawjson.Member) []byte {
	size := 2
	for _, m := range sent {
		size += len(m.Name) + len(m.Value) + len(`"":,`)
	}
	out := append(make([]byte, 0, size), '{')
	for i, m := range sent {
		if i > 0 {
			out = append(out, ',')
		}
		out = rawjson.AppendCompact(append(rawjson.AppendText(out, m.Name), ':'), m.Value)
	}
	return append(out, '}')
}

// absent returns the lists and secrets that are there now, and are left out because what the update
// was made from does not have them.
func (u *Update) absent(was, now reflect.Value) (names []string) {
	if u.There == nil {
		return nil
	}
	plan := u.Plans.Of(now.Type())
	for _, m := range u.Node.Members {
		there := u.There.members().get(m.Name)
		hasItems := m.Node.Kinds&schema.Array != 0 && rawjson.Kind(there) == '[' && !rawjson.IsEmpty(there)
		isSecret := m.Node.Secret && rawjson.Kind(there) == '"'
		if !hasItems && !isSecret || u.members().get(m.Name) != nil {
			continue
		}
		if at := plan.Find(m.Name, -1); at < 0 || plan.Members[at].Omits(plan.Members[at].In(now)) {
			names = append(names, m.Name)
		}
	}
	return names
}

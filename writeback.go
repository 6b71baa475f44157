package monitoring

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/reveal"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// made is what ToUpdate made an update from. It is not followed by fmt and encoders, and
// never changed.
type made struct {
	kept             // the response, as it was read
	leftOut []string // members in which the service withholds a secret
}

// updateOfRead is an update that ToUpdate can make.
type updateOfRead interface {
	origin() *made
	// plain points to what the update holds, for the encoder.
	plain() any
	// asRead is the update as ToUpdate made it if nothing was changed.
	asRead() updateOfRead
	operation() string
}

// merged is the body of an update that ToUpdate made.
type merged struct {
	reveal.Result
	unchanged map[string]bool // members that are as they were read, if they are sent at all
	changed   int             // how many others are sent
	unset     []string        // members that were set to nil, and have no null
}

// merge makes the body of an update: what the caller did not change is as it was read.
func merge(u updateOfRead, hide bool) (merged, error) {
	now, err := encodeUpdate(u.plain(), hide)
	if err != nil {
		return merged{}, err
	}
	original := u.asRead()
	if original == nil {
		return merged{}, errors.New("what was read cannot be read again")
	}
	was, err := encodeUpdate(original.plain(), hide)
	if err != nil {
		return merged{}, err
	}
	m := merged{Result: now, unchanged: make(map[string]bool)}
	node, source := schema.Lookup(u.operation()).Body, u.origin().json()
	var body []rawjson.Member
	values, befores, read := rawjson.Index(now.JSON), rawjson.Index(was.JSON), rawjson.Index(source)
	for _, member := range membersOf(node, now.JSON, was.JSON, source) {
		value, before := values[member], befores[member]
		nullable := node.Member(member).Node.Nullable()
		switch {
		case bytes.Equal(value, before) || value == nil && (rawjson.IsNull(before) || string(before) == "[]"):
			m.unchanged[member] = true
			value = sentAsRead(read[member], member, before, nullable, hide)
		case value == nil && rawjson.Kind(before) == '[':
			value = []byte("[]")
		case value == nil && nullable:
			value = []byte("null")
		case value == nil:
			m.unset = append(m.unset, member)
		}
		if value != nil {
			if !m.unchanged[member] {
				m.changed++
			}
			body = append(body, rawjson.Member{Name: member, Value: rawjson.Compact(value)})
		}
	}
	m.JSON = rawjson.Join(body)
	return m, nil
}

// sentAsRead is what is sent for a member that was not changed: nil sends nothing.
func sentAsRead(read []byte, member string, typed []byte, nullable, hide bool) []byte {
	switch {
	case read == nil, rawjson.IsNull(read) && !nullable:
		return nil
	case member == "alertSettings" && bytes.Contains(read, []byte("sslCertificates")):
		return typed // a group does not take all that was read
	case hide && strings.IndexByte("{[", rawjson.Kind(read)) >= 0:
		return typed // not all that was read may be shown
	}
	return read
}

func encodeUpdate(plain any, hide bool) (reveal.Result, error) {
	if hide {
		data, err := revealer.EncodeHidden(plain)
		return reveal.Result{JSON: data}, err
	}
	return revealer.Encode(plain)
}

// membersOf are the members of an update, in the order of the first object. What was read
// has more members than a request: of those only the ones count that were null, which
// the fields of an update may not tell from absent.
func membersOf(node *schema.Node, now, was, source []byte) []string {
	var names []string
	for i, object := range [][]byte{now, was, source} {
		for name, value := range rawjson.Each(object) {
			if i == 2 && (!rawjson.IsNull(value) || node.Member(string(name)) == nil) {
				continue
			}
			if !slices.Contains(names, string(name)) {
				names = append(names, string(name))
			}
		}
	}
	return names
}

// openUpdate gives the encoder what is sent for an update.
func openUpdate(u updateOfRead, hidden bool) reveal.Content {
	if u.origin() == nil {
		return reveal.Content{Kind: reveal.Value, Value: u.plain()}
	}
	m, err := merge(u, hidden)
	if err != nil { // it is told where the fields are written
		return reveal.Content{Kind: reveal.Value, Value: u.plain()}
	}
	return reveal.Content{Kind: reveal.Encoded, Result: m.Result}
}

func hiddenUpdate(u updateOfRead) ([]byte, error) {
	if u.origin() == nil {
		return revealer.EncodeHidden(u.plain())
	}
	m, err := merge(u, true)
	return m.JSON, err
}

// leaveOut sets the members to nil that are as they were read and in which the service
// withholds a secret, and returns their names. What was changed stays: it is refused if
// a secret is withheld in it.
func leaveOut(u, was updateOfRead, variables *[]EnvironmentVariable, defaults **APICheckDefaults) []string {
	now, err := revealer.Encode(u.plain())
	if err != nil || len(now.Withheld) == 0 {
		return nil
	}
	read, err := revealer.Encode(was.plain())
	if err != nil {
		return nil
	}
	var names []string
	for _, path := range now.Withheld {
		member, _, _ := strings.Cut(strings.ReplaceAll(path, "[", "."), ".")
		if slices.Contains(names, member) || !bytes.Equal(rawjson.Get(now.JSON, member), rawjson.Get(read.JSON, member)) {
			continue
		}
		names = append(names, member)
		if member == "environmentVariables" {
			*variables = nil
		} else {
			*defaults = nil
		}
	}
	return names
}

// withheldOf names what an update leaves out and nobody has set since.
func withheldOf(u updateOfRead) []string {
	if u.origin() == nil || len(u.origin().leftOut) == 0 {
		return nil
	}
	now, err := revealer.Encode(u.plain())
	if err != nil {
		return nil
	}
	return leftOutOf(u.origin(), now.JSON)
}

func leftOutOf(made *made, body []byte) []string {
	var names []string
	for _, member := range made.leftOut {
		if rawjson.Get(body, member) == nil {
			names = append(names, member)
		}
	}
	return names
}

// readMembers are the members of what was read; nil if nothing was.
type readMembers map[string][]byte

// has reports whether there was a member that is not null.
func (r readMembers) has(member string) bool {
	value := r[member]
	return value != nil && !rawjson.IsNull(value)
}

// carry returns v for an update if it was read, or was set since.
func carry[T comparable](r readMembers, member string, v T) *T {
	var zero T
	if v == zero && !r.has(member) {
		return nil
	}
	return &v
}

// carryNull is carry for a nullable member: what was null is null again.
func carryNull[T any](r readMembers, member string, v *T) Nullable[T] {
	switch {
	case v != nil:
		return Value(*v)
	case r[member] != nil:
		return Null[T]()
	}
	return Nullable[T]{}
}

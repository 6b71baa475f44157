package schema

import (
	"slices"
	"strings"
)

// Kind is a set of JSON types.
type Kind uint8

// The JSON types. An Integer is a whole Number; the level Client accepts fractions, too.
const (
	String Kind = 1 << iota
	Number
	Integer
	Boolean
	Array
	Object
	Null
)

// Level says how strict a check is.
type Level uint8

const (
	// Client refuses what every edition of the service refuses.
	Client Level = iota
	// Service refuses what any edition of the service refuses.
	Service
)

// Node describes a JSON value. Nodes are shared and never changed.
type Node struct {
	// Name is the name of an object that several bodies share, and "" for others.
	Name string
	// Kinds are the types the value may have.
	Kinds Kind
	// Members are the members of an object, in the order in which broken rules are listed.
	Members []Member
	// Free says that the object may have further members, which are not described.
	Free bool
	// Dropped are members that the service takes and drops: it does nothing with them, and no answer
	// is described to have them. The SDK has no fields for them and does not write them back.
	Dropped []Member
	// Closed says that the service refuses further members. Answers may have some, which are not
	// written back.
	Closed bool
	// Items describes each item of an array; it is required for one.
	Items *Node
	// Unit is the word for the items of an array in messages; "" is items.
	Unit string
	// Limits apply at both levels, unless Service replaces them.
	Limits Limits
	// Service replaces Limits at the level Service, limit by limit. Its Kinds, if they are
	// set, replace those of the node.
	Service struct {
		Kinds Kind
		Limits
	}
	// Rules are rules across the members of an object.
	Rules []Rule
	// Refusals are messages for values of a type that is not in Kinds. They replace the
	// usual message, which lists the types.
	Refusals map[Kind]string
	// Beyond is the message for a number outside its Range; "" is the usual message, which
	// names the bounds.
	Beyond string
	// WhenEmpty is the message for an empty array that must have items; "" is the usual
	// message.
	WhenEmpty string
	// Set says that the items of an array have no order, and that one item twice is one.
	Set bool
	// Default is the JSON of what the service has for an absent member of an object inside a body;
	// "" if that is not known. An empty array, an object of defaults and null need none.
	Default string
	// FilledIn is the JSON of what the service was seen to fill in for an absent member. A request
	// that names it may mean another thing.
	FilledIn string
	// NullMeans says that null at the top of a body is a setting of its own, unlike an absent member.
	NullMeans bool
	// Sparse says that the service fills in none of the members of an object, although their
	// default is known.
	Sparse bool
	// Unless is the text of another member of the object beside which the service fills in nothing.
	Unless struct{ Member, Text string }
	// OtherName is the member of the object for which this one is another name.
	OtherName string
	// Lax says that clients of the service send an empty text for the value, or leave out the member
	// although it is required.
	Lax bool
	// Secret says that messages must not quote the value.
	Secret bool
}

// Member is a member of an object.
type Member struct {
	Name string
	Node *Node
	// Required members must be there. A required string whose length has a lower bound
	// must not be empty either.
	Required bool
}

// Limits bound a value. The zero value has no limits.
type Limits struct {
	// Enum are the values a string may have.
	Enum []string
	// Numbers are the values a number may have.
	Numbers []float64
	// Range bounds a number, Length the characters of a string, Count the items of an
	// array.
	Range, Length, Count Range
	// Format is the form of a string.
	Format Format
}

// Format is the form of a string.
type Format string

// The formats.
const (
	UUID     Format = "uuid"
	Hostname Format = "hostname"
	// OneLine is any text without control characters.
	OneLine Format = "line"
	// Tag is a tag of a trigger: a leading ! excludes the tag.
	Tag Format = "tag"
	// Date is a day or a timestamp, in a query parameter.
	Date Format = "date"
)

// Range is a lower and an upper bound, both inclusive. The zero Range has neither.
type Range struct {
	Min, Max       float64
	HasMin, HasMax bool
	// Above says that the lower bound itself is outside.
	Above bool
}

// Rule is a rule across members of one object.
type Rule struct {
	// Text is the rule as a sentence.
	Text string
	// Members are the members it compares. If members are left out of a check, the rule is
	// still checked, unless all of its members are left out.
	Members []string

	check func(object)
}

// Violation is a broken rule: the JSON path of the member, and what is wrong with it.
type Violation struct{ Path, Message string }

func atLeast(n float64) Range         { return Range{Min: n, HasMin: true} }
func atMost(n float64) Range          { return Range{Max: n, HasMax: true} }
func between(low, high float64) Range { return Range{Min: low, Max: high, HasMin: true, HasMax: true} }

func (r Range) isZero() bool { return !r.HasMin && !r.HasMax }

func (r Range) has(n float64) bool {
	return (!r.HasMin || n > r.Min || n == r.Min && !r.Above) && (!r.HasMax || n <= r.Max)
}

// KindsAt returns the types the value may have at a level.
func (n *Node) KindsAt(level Level) Kind {
	if level == Service && n.Service.Kinds != 0 {
		return n.Service.Kinds
	}
	return n.Kinds
}

// Nullable reports whether the value may be null.
func (n *Node) Nullable() bool { return n.Kinds&Null != 0 }

// TakesNothing reports whether no value is taken: it is a member that only answers have.
func (n *Node) TakesNothing() bool { return n.Kinds == 0 }

// IsTime reports whether a value is a point in time.
func (n *Node) IsTime() bool { return n.Limits.Format == Date || n.Service.Format == Date }

// Narrower reports whether answers may have members in the object, or in objects inside of it, that
// no body may have.
func (n *Node) Narrower() bool {
	return n.Closed || slices.ContainsFunc(n.Members, func(m Member) bool { return m.Node.TakesNothing() || m.Node.Narrower() })
}

// LimitsAt returns the limits of the value at a level.
func (n *Node) LimitsAt(level Level) Limits {
	l := n.Limits
	if level == Service {
		l.replace(&n.Service.Limits)
	}
	return l
}

// replace replaces each limit that s has.
func (l *Limits) replace(s *Limits) {
	if s.Enum != nil {
		l.Enum = s.Enum
	}
	if s.Numbers != nil {
		l.Numbers = s.Numbers
	}
	if !s.Range.isZero() {
		l.Range = s.Range
	}
	if !s.Length.isZero() {
		l.Length = s.Length
	}
	if !s.Count.isZero() {
		l.Count = s.Count
	}
	if s.Format != "" {
		l.Format = s.Format
	}
}

// Member returns the member with a name, nil if the object has none.
func (n *Node) Member(name string) *Member {
	for i := range n.Members {
		if n.Members[i].Name == name {
			return &n.Members[i]
		}
	}
	return nil
}

// Drops returns the member with a name that the service takes and drops, nil if there is none.
func (n *Node) Drops(name string) *Member {
	for i := range n.Dropped {
		if n.Dropped[i].Name == name {
			return &n.Dropped[i]
		}
	}
	return nil
}

// MemberLike is Member, and if there is none with the very name, the first whose name differs only
// in case.
func (n *Node) MemberLike(name string) *Member {
	if m := n.Member(name); m != nil {
		return m
	}
	for i := range n.Members {
		if strings.EqualFold(n.Members[i].Name, name) {
			return &n.Members[i]
		}
	}
	return nil
}

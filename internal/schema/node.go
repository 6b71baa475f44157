package schema

// Kind is a set of JSON types.
type Kind uint8

// The JSON types. An Integer is a Number that is whole; only the levels of a service insist.
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
	// Newer is Service with the wider bounds of the newer edition.
	Newer
)

// strict reports whether the level is one of a service.
func (l Level) strict() bool { return l != Client }

// Node describes a JSON value. Nodes are shared and never changed.
type Node struct {
	// Name is the name of an object that several bodies share, and "" for others.
	Name string
	// Kinds are the types the value may have.
	Kinds Kind
	// Members are those of an object, in the order of the document.
	Members []Member
	// Free says that the object has further members that nobody lists.
	Free bool
	// Items describes each item of an array.
	Items *Node
	// Unit is what the items of an array are called in messages; "" is items.
	Unit string
	// Limits hold at both levels.
	Limits Limits
	// Service is what the level Service has in place of Limits, limit by limit. Its Kinds
	// replace those of the node.
	Service struct {
		Kinds Kind
		Limits
	}
	// Newer is what the level Newer has in place of those of Service, limit by limit.
	Newer Limits
	// Rules hold across the members of an object.
	Rules []Rule
	// Refusals are the messages for values of a type that is not in Kinds, where more
	// can be said than which types are.
	Refusals map[Kind]string
	// Beyond is said of a number outside its Range in place of the bounds; "" tells them.
	Beyond string
	// WhenEmpty is the message for an empty array that must have items; "" is the usual one.
	WhenEmpty string
	// Secret says that messages must not quote the value.
	Secret bool
}

// Member is a member of an object.
type Member struct {
	Name string
	Node *Node
	// Required members must be there; a required string is not empty if its length has a
	// lower bound.
	Required bool
}

// Limits are what a value must keep to. The zero value has none.
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

// Range is a lower and an upper bound, both inclusive. The zero Range has neither.
type Range struct {
	Min, Max       float64
	HasMin, HasMax bool
}

// Rule is a rule across members of one object.
type Rule struct {
	// Text says the rule in a sentence.
	Text string
	// Members are those it looks at. In a body of which some members are left out of the
	// check, a rule holds unless all of its members are.
	Members []string

	check func(object)
}

// Violation is a broken rule: the JSON path of the member, and what is wrong with it.
type Violation struct{ Path, Message string }

func atLeast(n float64) Range         { return Range{Min: n, HasMin: true} }
func atMost(n float64) Range          { return Range{Max: n, HasMax: true} }
func between(low, high float64) Range { return Range{low, high, true, true} }

func (r Range) isZero() bool { return !r.HasMin && !r.HasMax }

func (r Range) has(n float64) bool {
	return (!r.HasMin || n >= r.Min) && (!r.HasMax || n <= r.Max)
}

// KindsAt are the types the value may have at a level.
func (n *Node) KindsAt(level Level) Kind {
	if level.strict() && n.Service.Kinds != 0 {
		return n.Service.Kinds
	}
	return n.Kinds
}

// Nullable says whether null is taken.
func (n *Node) Nullable() bool { return n.Kinds&Null != 0 }

// LimitsAt are the limits of the value at a level.
func (n *Node) LimitsAt(level Level) Limits {
	l := n.Limits
	if level.strict() {
		l.replace(&n.Service.Limits)
	}
	if level == Newer {
		l.replace(&n.Newer)
	}
	return l
}

// replace puts the limits that others have in place of its own.
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

// Member returns the member of a name, and nil if the object has none.
func (n *Node) Member(name string) *Member {
	for i := range n.Members {
		if n.Members[i].Name == name {
			return &n.Members[i]
		}
	}
	return nil
}

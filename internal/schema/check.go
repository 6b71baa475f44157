package schema

import (
	"slices"
	"sync"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// The tuned constants of this package. Below and above say what is worse with a smaller and with a
// larger value; the test that is named shows it.
const (
	// maxViolations is how many broken rules a check reports at most. Below: mistakes of a large group
	// are left out. Above: a list of violations takes more memory (TestTheListOfViolationsIsBounded).
	maxViolations = 1000

	// maxQuoted is how many characters of a value a message quotes at most. Below: part of a mistyped
	// UUID is hidden. Above: messages are long (TestQuotedTextsAreShort).
	maxQuoted = 50
)

// checker checks a body against a description.
type checker struct {
	data  []byte
	level Level
	skips func(member string) bool
	path  rawjson.Path
	spans []span // of the members of the objects that are being read
	found []Violation
	cuts  *[]cut // what is left out of the body; nil if nothing may be
}

// span is the start and the end of a value in the body. The zero span means that the value
// is absent.
type span struct{ start, end int }

var checkers = sync.Pool{New: func() any { return new(checker) }}

// Check returns every rule that a body breaks at a level, nil if there is none. Bytes that
// are not JSON are one violation. At most 1,000 are returned.
//
// Members of the body for which skip returns true are left out: they are neither checked
// nor required, and a rule across members is not checked if all its members are left out.
// A nil skip leaves out nothing.
func (n *Node) Check(body []byte, level Level, skip func(member string) bool) []Violation {
	c := checkers.Get().(*checker)
	found := c.check(n, body, level, skip)
	checkers.Put(c)
	return found
}

// check is Check. It resets the checker for the next body and keeps its memory.
func (c *checker) check(n *Node, body []byte, level Level, skip func(member string) bool) []Violation {
	c.data, c.level, c.skips = body, level, skip
	end := 0
	if at := rawjson.SkipSpace(body, 0); at < len(body) {
		end = c.value(n, at, false)
	}
	found := c.found
	if end == 0 || rawjson.SkipSpace(body, end) < len(body) {
		found = []Violation{{"body", "is not valid JSON"}}
	}
	*c = checker{path: c.path[:0], spans: c.spans[:0]}
	return found
}

// value checks the value at a position and returns its end, 0 if it is not JSON.
func (c *checker) value(n *Node, at int, required bool) (end int) {
	kind := kindOf(c.data[at])
	taken := n.KindsAt(c.level)
	if taken&Integer != 0 {
		taken |= Number
	}
	switch {
	case taken&kind == 0:
		c.report(n.wrongKind(kind, c.level))
	case kind == Array:
		return c.array(n, at)
	case kind == Object:
		return c.object(n, at)
	}
	if end = rawjson.EndOfValid(c.data, at, c.deeper()); end == 0 {
		return 0
	}
	switch written := c.data[at:end]; taken & kind {
	case String:
		c.report(n.textMistake(textIn(written), c.level, required))
	case Number:
		c.report(n.numberMistake(written, c.level))
	}
	return end
}

// deeper is how many objects and arrays may still be inside each other from here on.
func (c *checker) deeper() int { return rawjson.MaxDepth - len(c.path) }

// inside checks a value that is one step further in the path.
func (c *checker) inside(s rawjson.Step, n *Node, at int, required bool) (end int) {
	c.path = append(c.path, s)
	end = c.value(n, at, required)
	c.path = c.path[:len(c.path)-1]
	return end
}

func (c *checker) array(n *Node, at int) (end int) {
	count := 0
	end = rawjson.EachValid(c.data, at, c.deeper(), func(_ []byte, item int) int {
		count++
		return c.inside(rawjson.Step{Index: count - 1}, n.Items, item, false)
	})
	c.report(n.countMistake(count, c.level))
	return end
}

func (c *checker) object(n *Node, at int) (end int) {
	o := object{c, n, len(c.spans), len(c.path) == 0 && c.skips != nil}
	for range n.Members {
		c.spans = append(c.spans, span{})
	}
	next := 0
	end = rawjson.EachValid(c.data, at, c.deeper(), func(quoted []byte, value int) (end int) {
		name := textIn(quoted)
		i := n.find(name, next)
		if i < 0 {
			for _, m := range n.Dropped {
				if name.is(m.Name) {
					return c.inside(rawjson.Step{Name: m.Name}, m.Node, value, m.Required)
				}
			}
			if c.cuts != nil && !n.Free && !n.Closed {
				return c.cut(quoted, value, "is not allowed")
			}
			if c.level == Service && !n.Free {
				c.broken(pathName(name), "is not allowed")
			}
			return rawjson.EndOfValid(c.data, value, c.deeper()-1)
		}
		m := &n.Members[i]
		if message, leaves := c.leaves(m.Node, value, m.Required); leaves {
			return c.cut(quoted, value, message)
		}
		if o.leavesOut(m.Name) {
			end = rawjson.EndOfValid(c.data, value, c.deeper()-1)
		} else {
			end = c.inside(rawjson.Step{Name: m.Name}, m.Node, value, m.Required)
		}
		c.spans[o.base+i] = span{value, end}
		next = i + 1
		return end
	})
	if end > 0 {
		o.checkWhole()
	}
	c.spans = c.spans[:o.base]
	return end
}

// find returns the index of a member, -1 if the object has none with this name. Members
// mostly come in the order of the description, so it tries the index next first.
func (n *Node) find(name text, next int) int {
	for range n.Members {
		if next >= len(n.Members) {
			next = 0
		}
		if name.is(n.Members[next].Name) {
			return next
		}
		next++
	}
	return -1
}

// cut is a member that is left out, from its name to its value. One that is not there has the end
// 0.
type cut struct {
	span
	Violation
}

// leaves reports whether the value of a member is left out of a body, and notes it. It says what
// Check would report.
func (c *checker) leaves(n *Node, value int, required bool) (message string, leaves bool) {
	kind := kindOf(c.data[value])
	switch {
	case c.cuts == nil:
	case n.TakesNothing():
		return n.wrongKind(kind, c.level), true
	case kind == Null && !required && n.KindsAt(c.level)&(Array|Null) == Array:
		return n.wrongKind(kind, c.level), true
	case kind == String && n.Lax && c.data[value+1] == '"':
		message = n.textMistake(nil, c.level, required)
		return message, message != ""
	}
	return "", false
}

// cut leaves a member out of the object at the present path, and returns its end.
func (c *checker) cut(quoted []byte, value int, message string) (end int) {
	start := cap(c.data) - cap(quoted) // which is a part of the data
	if end = rawjson.EndOfValid(c.data, value, c.deeper()-1); end == 0 {
		return 0
	}
	c.note(span{start, end}, pathName(textIn(quoted)), message)
	return end
}

func (c *checker) note(at span, name, message string) {
	if len(*c.cuts) < maxViolations {
		*c.cuts = append(*c.cuts, cut{at, Violation{rawjson.Step{Name: name, Index: -1}.After(c.path.String()), message}})
	} else if len(c.found) == 0 {
		c.found = append(c.found, Violation{"body", "has more members that are not documented than are listed"})
	}
}

// report adds a violation at the present path; "" means no violation.
func (c *checker) report(message string) {
	if message == "" || len(c.found) > maxViolations {
		return
	}
	if len(c.found) == maxViolations {
		c.found = append(c.found, Violation{"body", "breaks more rules than are listed"})
		return
	}
	path := c.path.String()
	if path == "" {
		path = "body"
	}
	c.found = append(c.found, Violation{path, message})
}

// broken is report for a member of the object at the present path.
func (c *checker) broken(name, message string) {
	c.path = append(c.path, rawjson.Step{Name: name})
	c.report(message)
	c.path = c.path[:len(c.path)-1]
}

// object is an object whose members have been checked one by one, for the rules across
// members.
type object struct {
	*checker
	node *Node
	base int  // index of the span of its first member
	part bool // whether some members may be left out of the check
}

// leavesOut reports whether a member is left out of the check.
func (o object) leavesOut(member string) bool { return o.part && o.skips(member) }

// checkWhole checks the object as a whole: required members and rules across members.
func (o object) checkWhole() {
	for i := range o.node.Members {
		switch m := &o.node.Members[i]; {
		case !m.Required || o.spans[o.base+i].start != 0 || o.leavesOut(m.Name):
		case m.Node.Lax && o.cuts != nil:
			o.note(span{}, m.Name, "is required")
		default:
			o.broken(m.Name, "is required")
		}
	}
	for i := range o.node.Rules {
		if r := &o.node.Rules[i]; o.looksAt(r) {
			r.check(o)
		}
	}
}

// looksAt reports whether at least one member of the rule is part of the check.
func (o object) looksAt(r *Rule) bool {
	for _, member := range r.Members {
		if !o.leavesOut(member) {
			return true
		}
	}
	return false
}

// span returns where a member is, the zero span if it is absent.
func (o object) span(member string) span {
	for i := range o.node.Members {
		if o.node.Members[i].Name == member {
			return o.spans[o.base+i]
		}
	}
	return span{}
}

// raw returns a member as it is written, empty if it is absent.
func (o object) raw(member string) []byte {
	at := o.span(member)
	return o.data[at.start:at.end]
}

func (o object) has(member string) bool { return len(o.raw(member)) > 0 }

// hasValue reports whether a member is there and not null.
func (o object) hasValue(member string) bool {
	raw := o.raw(member)
	return len(raw) > 0 && raw[0] != 'n'
}

// hasItems reports whether a member is a list that is not empty.
func (o object) hasItems(member string) bool {
	raw := o.raw(member)
	return len(raw) > 0 && raw[0] == '[' && raw[rawjson.SkipSpace(raw, 1)] != ']'
}

// number returns the value of a member, and whether it is a number.
func (o object) number(member string) (float64, bool) {
	raw := o.raw(member)
	if len(raw) == 0 || kindOf(raw[0]) != Number {
		return 0, false
	}
	return parseNumber(raw), true
}

// is reports whether a member is the string s.
func (o object) is(member, s string) bool {
	raw := o.raw(member)
	return len(raw) > 0 && raw[0] == '"' && textIn(raw).is(s)
}

// brokenInstead reports that a member breaks a rule, and drops everything that was reported about
// the member before.
func (o object) brokenInstead(member, message string) {
	o.forget(member)
	o.broken(member, message)
}

// forget drops what was reported about a member and everything inside it.
func (o object) forget(member string) {
	at := rawjson.Step{Name: member}.After(o.path.String())
	o.found = slices.DeleteFunc(o.found, func(v Violation) bool { return rawjson.IsUnder(v.Path, at) })
}

// again checks a member once more, against a narrower description.
func (o object) again(member string, n *Node) {
	if o.has(member) {
		o.forget(member)
		o.inside(rawjson.Step{Name: member}, n, o.span(member).start, false)
	}
}

package schema

import (
	"strings"
	"sync"
)

// maxViolations is how many broken rules a check reports at most.
const maxViolations = 1000

// checker checks a body against a description.
type checker struct {
	scanner
	level Level
	skips func(member string) bool
	path  []step
	spans []span // of the members of the objects that are being read
	found []Violation
}

// step is a step of a JSON path: into a member, or into an item if the name is "".
type step struct {
	name  string
	index int
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
	c.value(n, false)
	if c.peek(); c.pos < len(c.data) {
		c.fail()
	}
	found := c.found
	if c.invalid {
		found = []Violation{{"body", "is not valid JSON"}}
	}
	*c = checker{scanner: scanner{open: c.open[:0]}, path: c.path[:0], spans: c.spans[:0]}
	return found
}

// value checks the next value.
func (c *checker) value(n *Node, required bool) {
	kind := c.kind()
	if kind == 0 {
		c.fail()
		return
	}
	taken := n.KindsAt(c.level)
	if taken&Integer != 0 {
		taken |= Number
	}
	if taken&kind == 0 {
		c.report(n.wrongKind(kind, c.level))
		c.skip()
		return
	}
	switch kind {
	case String:
		if t := c.text(); !c.invalid {
			c.report(n.textMistake(t, c.level, required))
		}
	case Number:
		if written := c.number(); !c.invalid {
			c.report(n.numberMistake(written, c.level))
		}
	case Array:
		c.array(n)
	case Object:
		c.object(n)
	default:
		c.literal()
	}
}

func (c *checker) array(n *Node) {
	c.enter()
	count := 0
	for ; c.more(count == 0, ']'); count++ {
		c.path = append(c.path, step{index: count})
		c.value(n.Items, false)
		c.path = c.path[:len(c.path)-1]
	}
	c.report(n.countMistake(count, c.level))
}

func (c *checker) object(n *Node) {
	top := len(c.path) == 0
	o := object{c, n, len(c.spans), top && c.skips != nil}
	for range n.Members {
		c.spans = append(c.spans, span{})
	}
	c.enter()
	next := 0
	for first := true; c.more(first, '}'); first = false {
		name := c.name()
		if c.invalid {
			return
		}
		i := n.find(name, next)
		start := c.pos
		switch {
		case i < 0:
			c.unknown(n, name)
		case o.leavesOut(n.Members[i].Name):
			c.skip()
		default:
			m := &n.Members[i]
			c.path = append(c.path, step{name: m.Name})
			c.value(m.Node, m.Required)
			c.path = c.path[:len(c.path)-1]
		}
		if i >= 0 {
			c.spans[o.base+i] = span{start, c.pos}
			next = i + 1
		}
	}
	if !c.invalid {
		o.checkWhole()
	}
	c.spans = c.spans[:o.base]
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

// unknown moves over a member that the description does not have.
func (c *checker) unknown(n *Node, name text) {
	if c.level == Service && !n.Free {
		c.path = append(c.path, step{name: pathName(name)})
		c.report("is not allowed")
		c.path = c.path[:len(c.path)-1]
	}
	c.skip()
}

// report adds a violation at the present path; "" means no violation.
func (c *checker) report(message string) {
	if message == "" || c.invalid || len(c.found) > maxViolations {
		return
	}
	if len(c.found) == maxViolations {
		c.found = append(c.found, Violation{"body", "breaks more rules than are listed"})
		return
	}
	c.found = append(c.found, Violation{c.pathText(), message})
}

// pathText returns the present path as text.
func (c *checker) pathText() string {
	if len(c.path) == 0 {
		return "body"
	}
	var b strings.Builder
	for i, s := range c.path {
		switch {
		case s.name == "":
			b.WriteString("[" + itoa(s.index) + "]")
		case i > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

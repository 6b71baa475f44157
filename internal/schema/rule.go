package schema

import "strings"

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
		if m := &o.node.Members[i]; m.Required && o.spans[o.base+i].start == 0 && !o.leavesOut(m.Name) {
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

// raw returns a member as it is written, nil if it is absent.
func (o object) raw(member string) []byte {
	for i := range o.node.Members {
		if o.node.Members[i].Name == member {
			at := o.spans[o.base+i]
			return trim(o.data[at.start:at.end])
		}
	}
	return nil
}

// trim cuts white space before a value; spans end with the value, so there is none after it.
func trim(raw []byte) []byte {
	s := scanner{data: raw}
	s.peek()
	return raw[s.pos:]
}

func (o object) has(member string) bool { return len(o.raw(member)) > 0 }

// number returns the value of a member, and whether it is a number.
func (o object) number(member string) (float64, bool) {
	raw := o.raw(member)
	if s := (scanner{data: raw}); s.kind() != Number {
		return 0, false
	}
	return parseNumber(raw), true
}

// is reports whether a member is the string s.
func (o object) is(member, s string) bool {
	in := scanner{data: o.raw(member)}
	return in.kind() == String && in.text().is(s)
}

// broken reports that a member breaks a rule.
func (o object) broken(member, message string) {
	o.path = append(o.path, step{name: member})
	o.report(message)
	o.path = o.path[:len(o.path)-1]
}

// brokenInstead is broken, and drops everything that was reported about the member before.
func (o object) brokenInstead(member, message string) {
	o.forget(member)
	o.broken(member, message)
}

// forget drops what was reported about a member and everything inside it.
func (o object) forget(member string) {
	o.path = append(o.path, step{name: member})
	at := o.pathText()
	o.path = o.path[:len(o.path)-1]
	kept := o.found[:0]
	for _, v := range o.found {
		if rest, inside := strings.CutPrefix(v.Path, at); !inside || rest != "" && rest[0] != '.' && rest[0] != '[' {
			kept = append(kept, v)
		}
	}
	o.found = kept
}

// again checks a member once more, against a narrower description.
func (o object) again(member string, n *Node) {
	if !o.has(member) {
		return
	}
	o.forget(member)
	end := o.pos
	for i := range o.node.Members {
		if o.node.Members[i].Name == member {
			o.pos = o.spans[o.base+i].start
		}
	}
	o.path = append(o.path, step{name: member})
	o.value(n, false)
	o.path = o.path[:len(o.path)-1]
	o.pos = end
}

package rawjson

import "bytes"

// Equal reports whether two values are the same JSON value, however they are written: strings
// by their text, numbers by their exact value, objects without the order of their members, and
// arrays item by item. Of several members with a name the last one counts. No value, nil, is
// equal to no value alone. An exponent of over 18 digits is compared as it is written.
func Equal(a, b []byte) bool {
	return bytes.Equal(a, b) || alike(bytes.Trim(a, space), bytes.Trim(b, space), Levels)
}

// mostMembers is how many members of an object are compared by looking for each name in a list. For
// more of them that takes longer than a map.
const mostMembers = 64

// alike is Equal for values without white space around them. It walks both texts and copies
// nothing but texts with escapes, what is deeper than the levels, and the names of objects with very
// many members.
func alike(a, b []byte, levels int) bool {
	kind := Kind(a)
	switch {
	case classOf(kind) != classOf(Kind(b)):
		return false
	case bytes.Equal(a, b):
		return true
	case kind == '"':
		return bytes.Equal(unescape(a), unescape(b))
	case classOf(kind) == '0':
		return canonicalNumber(string(a)) == canonicalNumber(string(b))
	case kind != '{' && kind != '[':
		return false
	case levels == 0:
		return bytes.Equal(Canonical(a), Canonical(b))
	case kind == '[':
		return alikeItems(a, b, levels)
	}
	var roomA, roomB [mostMembers]part
	membersA, membersB := parts(roomA[:0], a), parts(roomB[:0], b)
	if len(membersA) > mostMembers || len(membersB) > mostMembers {
		return alikeIndexes(Index(a), Index(b), levels)
	}
	return alikeMembers(membersA, membersB, levels)
}

// classOf returns the kind of a value, which is one for all numbers.
func classOf(kind byte) byte {
	if kind == '-' || '0' <= kind && kind <= '9' {
		return '0'
	}
	return kind
}

func alikeItems(a, b []byte, levels int) bool {
	at, same := SkipSpace(b, 1), true
	EachItem(a, 0, func(_, item int) int {
		if at >= len(b) || b[at] == ']' {
			same = false
			return len(a)
		}
		end, endB := EndOfValue(a, item), EndOfValue(b, at)
		if !alike(a[item:end], b[at:endB], levels-1) {
			same = false
			return len(a)
		}
		if at = SkipSpace(b, endB); at < len(b) && b[at] == ',' {
			at = SkipSpace(b, at+1)
		}
		return end
	})
	return same && (at >= len(b) || b[at] == ']')
}

// part is a member of an object, whose name has its escapes resolved.
type part struct{ name, value []byte }

// parts appends the members of an object to a list, but stops when they are more than mostMembers.
func parts(list []part, object []byte) []part {
	EachMember(object, 0, func(name []byte, value int) int {
		end := EndOfValue(object, value)
		list = append(list, part{unescape(name), object[value:end]})
		if len(list) > mostMembers {
			return len(object)
		}
		return end
	})
	return list
}

// alikeMembers compares objects. Of several members with a name the last one counts.
func alikeMembers(a, b []part, levels int) bool {
	names := 0
	for i, m := range a {
		if last(a, m.name) != i {
			continue
		}
		names++
		if at := last(b, m.name); at < 0 || !alike(m.value, b[at].value, levels-1) {
			return false
		}
	}
	for i, m := range b {
		if last(b, m.name) == i {
			names--
		}
	}
	return names == 0
}

func alikeIndexes(a, b map[string][]byte, levels int) bool {
	if len(a) != len(b) {
		return false
	}
	for name, value := range a {
		if other, ok := b[name]; !ok || !alike(value, other, levels-1) {
			return false
		}
	}
	return true
}

// last returns the place of the last member with a name, -1 if there is none.
func last(list []part, name []byte) int {
	for i := len(list) - 1; i >= 0; i-- {
		if bytes.Equal(list[i].name, name) {
			return i
		}
	}
	return -1
}

// Levels is how deep values are compared member by member and item by item. What is deeper counts
// as one value: no body is described deeper, and each level costs a look at all that is in it.
const Levels = 16

package schema

import "unicode/utf8"

// maxDepth is how deep JSON may be nested. It is the bound of encoding/json.
const maxDepth = 10000

// scanner reads JSON. It accepts exactly what json.Valid accepts.
type scanner struct {
	data    []byte
	pos     int
	depth   int
	invalid bool   // whether the bytes are not JSON; nothing more is read then
	open    []byte // the objects and arrays that skip is in
}

// fail records that the bytes are not JSON, and moves to their end.
func (s *scanner) fail() {
	s.invalid = true
	s.pos = len(s.data)
}

// peek moves over white space and returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	for s.pos < len(s.data) {
		switch b := s.data[s.pos]; b {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return b
		}
	}
	return 0
}

// take moves over white space and the byte b, and reports whether b was there.
func (s *scanner) take(b byte) bool {
	if s.peek() != b {
		return false
	}
	s.pos++
	return true
}

// kind returns the type of the next value, 0 if there is none. Numbers are Number.
func (s *scanner) kind() Kind {
	switch b := s.peek(); {
	case b == '"':
		return String
	case b == '{':
		return Object
	case b == '[':
		return Array
	case b == 't', b == 'f':
		return Boolean
	case b == 'n':
		return Null
	case b == '-', '0' <= b && b <= '9':
		return Number
	}
	return 0
}

// enter moves into an object or array.
func (s *scanner) enter() {
	s.pos++
	if s.depth++; s.depth > maxDepth {
		s.fail()
	}
}

// more moves to the next item or member of a container that ends with end, and reports
// whether there is one. It leaves the container after the last.
func (s *scanner) more(first bool, end byte) bool {
	switch {
	case s.invalid:
		return false
	case s.take(end):
		s.depth--
		return false
	case !first && !s.take(','):
		s.fail()
		return false
	}
	return true
}

// name reads the name of a member and the colon after it.
func (s *scanner) name() text {
	name := s.text()
	if !s.invalid && !s.take(':') {
		s.fail()
	}
	return name
}

// literal moves over true, false or null.
func (s *scanner) literal() {
	for _, word := range [...]string{"true", "false", "null"} {
		if rest := s.data[s.pos:]; len(rest) >= len(word) && string(rest[:len(word)]) == word {
			s.pos += len(word)
			return
		}
	}
	s.fail()
}

// text is a JSON string between its quotation marks.
type text struct {
	raw     []byte
	escaped bool // whether it has escapes
}

// text reads a string.
func (s *scanner) text() text {
	if !s.take('"') {
		s.fail()
		return text{}
	}
	start, escaped := s.pos, false
	for s.pos < len(s.data) {
		switch b := s.data[s.pos]; {
		case b == '"':
			s.pos++
			return text{s.data[start : s.pos-1], escaped}
		case b < ' ':
			s.fail()
			return text{}
		case b == '\\':
			escaped = true
			size := escapeSize(s.data[s.pos:])
			if size == 0 {
				s.fail()
				return text{}
			}
			s.pos += size
		default:
			s.pos++
		}
	}
	s.fail()
	return text{}
}

// escapeSize is the length of the escape that data begins with, 0 if it is not valid.
func escapeSize(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	switch data[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(data); ok {
			return 6
		}
	}
	return 0
}

// hex4 returns the code unit of an escape \uXXXX.
func hex4(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, b := range data[2:6] {
		switch {
		case '0' <= b && b <= '9':
			r = r<<4 | rune(b-'0')
		case 'a' <= b && b <= 'f':
			r = r<<4 | rune(b-'a'+10)
		case 'A' <= b && b <= 'F':
			r = r<<4 | rune(b-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// number reads a number and returns it as it is written.
func (s *scanner) number() []byte {
	start := s.pos
	s.byteIn('-', '-')
	switch {
	case s.byteIn('0', '0'):
	case !s.digits():
		s.fail()
	}
	if s.byteIn('.', '.') && !s.digits() {
		s.fail()
	}
	if s.byteIn('e', 'e') || s.byteIn('E', 'E') {
		if !s.byteIn('+', '+') {
			s.byteIn('-', '-')
		}
		if !s.digits() {
			s.fail()
		}
	}
	if s.invalid {
		return nil
	}
	return s.data[start:s.pos]
}

func (s *scanner) byteIn(low, high byte) bool {
	if s.pos < len(s.data) && low <= s.data[s.pos] && s.data[s.pos] <= high {
		s.pos++
		return true
	}
	return false
}

func (s *scanner) digits() bool {
	start := s.pos
	for s.byteIn('0', '9') {
	}
	return s.pos > start
}

// skip moves over a value of any type and depth. It does not call itself, so that no
// body can exhaust the stack.
func (s *scanner) skip() {
	base := len(s.open)
	for !s.invalid {
		first := s.begin()
		for len(s.open) > base && !s.more(first, s.open[len(s.open)-1]) && !s.invalid {
			s.open, first = s.open[:len(s.open)-1], false
		}
		if len(s.open) == base {
			return
		}
		if s.open[len(s.open)-1] == '}' && !s.invalid {
			s.name()
		}
	}
}

// begin moves into an object or array and reports that, or moves over another value.
func (s *scanner) begin() (entered bool) {
	switch s.kind() {
	case Object:
		s.enter()
		s.open = append(s.open, '}')
		return true
	case Array:
		s.enter()
		s.open = append(s.open, ']')
		return true
	case String:
		s.text()
	case Number:
		s.number()
	case Boolean, Null:
		s.literal()
	default:
		s.fail()
	}
	return false
}

// next returns the first character and the rest of the text. As in encoding/json, half of a
// surrogate pair and a byte that is not UTF-8 are one character each.
func (t text) next() (rune, text) {
	if t.raw[0] != '\\' {
		r, size := utf8.DecodeRune(t.raw)
		return r, text{t.raw[size:], t.escaped}
	}
	if t.raw[1] != 'u' {
		return unescaped[t.raw[1]], text{t.raw[2:], true}
	}
	high, _ := hex4(t.raw)
	rest := text{t.raw[6:], true}
	if low, ok := hex4(rest.raw); ok && 0xd800 <= high && high < 0xdc00 && 0xdc00 <= low && low < 0xe000 {
		return 0x10000 + (high-0xd800)<<10 + (low - 0xdc00), text{rest.raw[6:], true}
	}
	if 0xd800 <= high && high < 0xe000 {
		high = utf8.RuneError
	}
	return high, rest
}

var unescaped = [256]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// is reports whether the text, without its escapes, is s.
func (t text) is(s string) bool {
	if !t.escaped {
		return string(t.raw) == s
	}
	for _, want := range s {
		if len(t.raw) == 0 {
			return false
		}
		var r rune
		if r, t = t.next(); r != want {
			return false
		}
	}
	return len(t.raw) == 0
}

// length counts the characters.
func (t text) length() int {
	if !t.escaped {
		return utf8.RuneCount(t.raw)
	}
	n := 0
	for ; len(t.raw) > 0; n++ {
		_, t = t.next()
	}
	return n
}

// string returns the text without its escapes, at most limit characters of it.
func (t text) string(limit int) string {
	var out []byte
	for ; len(t.raw) > 0 && limit > 0; limit-- {
		var r rune
		r, t = t.next()
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

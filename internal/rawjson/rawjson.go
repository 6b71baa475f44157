// Package rawjson takes JSON apart without decoding it. What it is given must be valid
// JSON: it was decoded before, or written by an encoder.
package rawjson

import (
	"bytes"
	"encoding/json"
	"iter"
)

// Member is a member of an object.
type Member struct {
	Name  string
	Value []byte // as it is written, without white space around it
}

// Kind returns the first byte of a value, which tells its type: { [ " t f n, and - or a
// digit for a number. It is 0 for no value.
func Kind(value []byte) byte {
	if value = trim(value); len(value) > 0 {
		return value[0]
	}
	return 0
}

// IsNull reports whether a value is null.
func IsNull(value []byte) bool { return Kind(value) == 'n' }

// Each iterates over the names and values of an object, in the order in which they are
// written. Names have their escapes resolved. It yields nothing for another value.
func Each(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		rest, ok := enter(object, '{')
		for ok {
			end := stringEnd(rest)
			name := unescape(rest[:end])
			rest = trim(trim(rest[end:])[1:]) // behind the colon
			end = valueEnd(rest)
			if !yield(name, rest[:end]) {
				return
			}
			rest, ok = next(rest[end:])
		}
	}
}

// Items iterates over the items of an array. It yields nothing for another value.
func Items(array []byte) iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) {
		rest, ok := enter(array, '[')
		for ok {
			end := valueEnd(rest)
			if !yield(rest[:end]) {
				return
			}
			rest, ok = next(rest[end:])
		}
	}
}

// Members returns the members of an object, in the order in which they are written.
func Members(object []byte) []Member {
	var list []Member
	for name, value := range Each(object) {
		list = append(list, Member{string(name), value})
	}
	return list
}

// Get returns a member of an object, nil if it has none of the name. Of several with one
// name it is the last, as for encoding/json.
func Get(object []byte, name string) []byte {
	var found []byte
	for n, value := range Each(object) {
		if string(n) == name {
			found = value
		}
	}
	return found
}

// Index are the members of an object by their names. Of several with one name it has the
// last. It is nil if there are none.
func Index(object []byte) map[string][]byte {
	var m map[string][]byte
	for name, value := range Each(object) {
		if m == nil {
			m = make(map[string][]byte)
		}
		m[string(name)] = value
	}
	return m
}

// Join writes an object of members.
func Join(members []Member) []byte {
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		name, _ := json.Marshal(m.Name) // a string can always be written
		out = append(append(append(out, name...), ':'), m.Value...)
	}
	return append(out, '}')
}

// Compact returns a value without insignificant white space.
func Compact(value []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(value))
	if json.Compact(&out, value) != nil {
		return value
	}
	return out.Bytes()
}

// Text is the text of a string, and empty for another value.
func Text(value []byte) string {
	if value = trim(value); Kind(value) != '"' {
		return ""
	}
	return string(unescape(value[:stringEnd(value)]))
}

func trim(data []byte) []byte {
	for len(data) > 0 && (data[0] == ' ' || data[0] == '\t' || data[0] == '\r' || data[0] == '\n') {
		data = data[1:]
	}
	return data
}

// enter moves to the first member or item, and reports whether there is one.
func enter(data []byte, open byte) ([]byte, bool) {
	if data = trim(data); len(data) < 2 || data[0] != open {
		return nil, false
	}
	data = trim(data[1:])
	return data, len(data) > 0 && data[0] != open+2 // { and }, [ and ] are two apart
}

// next moves behind the comma, if there is one.
func next(data []byte) ([]byte, bool) {
	if data = trim(data); len(data) == 0 || data[0] != ',' {
		return nil, false
	}
	data = trim(data[1:])
	return data, len(data) > 0
}

// stringEnd is where the string that data begins with ends.
func stringEnd(data []byte) int {
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// valueEnd is where the value that data begins with ends.
func valueEnd(data []byte) int {
	for i, depth := 0, 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i += stringEnd(data[i:]) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		case ',', ':', ' ', '\t', '\r', '\n':
			continue
		default: // a literal or a number
			for i+1 < len(data) && bytes.IndexByte([]byte(",:]} \t\r\n"), data[i+1]) < 0 {
				i++
			}
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(data)
}

// unescape is the text of a string with its quotation marks.
func unescape(quoted []byte) []byte {
	inside := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inside, '\\') < 0 {
		return inside
	}
	var text string
	if json.Unmarshal(quoted, &text) != nil {
		return inside
	}
	return []byte(text)
}

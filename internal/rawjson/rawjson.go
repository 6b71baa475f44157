// Package rawjson takes JSON apart without decoding it, and writes JSON paths. There are two ways
// in: functions that get a value and return its parts (Each, Items, Get, Members), and functions
// that walk by positions, for callers that must know where a value stands or must not look at it
// twice (EachMember, EachItem, EndOfValue). The JSON must be valid: its callers have checked or
// written it before. For other data the results mean nothing, but no function panics or loops for
// ever. EachValid and EndOfValid are for JSON that has not been checked: they judge while they
// walk. Nothing is copied unless it says so: results are parts of the data that they come from.
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

// Kind returns the first byte of a value, which depends on its type: { [ " t f n, and - or
// a digit for a number. It is 0 if there is no value.
func Kind(value []byte) byte {
	if value = trim(value); len(value) > 0 {
		return value[0]
	}
	return 0
}

// IsNull reports whether a value is null.
func IsNull(value []byte) bool { return Kind(value) == 'n' }

// IsEmpty reports whether a value is absent or null, or has nothing in it: "", [] or {}.
func IsEmpty(value []byte) bool {
	switch value = trim(value); Kind(value) {
	case 0, 'n':
		return true
	case '"':
		return len(value) > 1 && value[1] == '"'
	case '[', '{':
		value = trim(value[1:])
		return len(value) == 0 || value[0] == ']' || value[0] == '}'
	}
	return false
}

// KindName returns the type of a value by its name in encoding/json's errors: object, array, bool,
// string or number.
func KindName(value []byte) string {
	switch Kind(value) {
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "bool"
	case '"':
		return "string"
	}
	return "number"
}

// Describe returns the type of a value for a sentence, such as "an object" or "a boolean".
func Describe(value []byte) string {
	switch kind := KindName(value); kind {
	case "object", "array":
		return "an " + kind
	case "bool":
		return "a boolean"
	default:
		return "a " + kind
	}
}

// Each iterates over the names and values of an object, in the order in which they are
// written. Names have their escapes resolved. It yields nothing for another value.
func Each(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		at := SkipSpace(object, 0)
		if at == len(object) || object[at] != '{' {
			return
		}
		EachMember(object, at, func(name []byte, value int) int {
			end := EndOfValue(object, value)
			if value == len(object) || !yield(unescape(name), object[value:end]) {
				return len(object)
			}
			return end
		})
	}
}

// Items iterates over the items of an array. It yields nothing for another value.
func Items(array []byte) iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) {
		at := SkipSpace(array, 0)
		if at == len(array) || array[at] != '[' {
			return
		}
		EachItem(array, at, func(_, item int) int {
			end := EndOfValue(array, item)
			if !yield(array[item:end]) {
				return len(array)
			}
			return end
		})
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

// Get returns the value of a member of an object, nil if there is none. If several have
// the name it returns the last one, as encoding/json does.
func Get(object []byte, name string) (found []byte) {
	at := SkipSpace(object, 0)
	if at == len(object) || object[at] != '{' {
		return nil
	}
	EachMember(object, at, func(token []byte, value int) int {
		end := EndOfValue(object, value)
		if string(unescape(token)) == name {
			found = object[value:end]
		}
		return end
	})
	return found
}

// Index returns the values of the members of an object by name. If several have the same
// name it has the last one. It is nil if there are none.
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

// Join returns an object with these members.
func Join(members []Member) []byte {
	size := 2
	for _, m := range members {
		size += len(`"":,`) + len(m.Name) + len(m.Value)
	}
	out := append(make([]byte, 0, size), '{')
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(AppendText(out, m.Name), ':'), m.Value...)
	}
	return append(out, '}')
}

// Compact returns a value without insignificant white space.
func Compact(value []byte) []byte { return AppendCompact(make([]byte, 0, len(value)), value) }

// AppendCompact appends a value without insignificant white space.
func AppendCompact(to, value []byte) []byte {
	begin := 0
	for at := 0; at < len(value); {
		switch value[at] {
		case '"':
			at = EndOfString(value, at)
		case ' ', '\t', '\r', '\n':
			to = append(to, value[begin:at]...)
			at = SkipSpace(value, at)
			begin = at
		default:
			at++
		}
	}
	return append(to, value[begin:]...)
}

// Text returns the text of a string, and "" for another value.
func Text(value []byte) string {
	if value = trim(value); Kind(value) != '"' {
		return ""
	}
	return string(unescape(value[:EndOfString(value, 0)]))
}

// Unquote returns the text of a JSON string as encoding/json reads it.
func Unquote(token []byte) string {
	if text, ok := Plain(token); ok {
		return string(text)
	}
	if end := validString(token, 0); end > 0 && end == len(token) && IsUnicode(token) {
		return string(unescape(token)) // several times as fast
	}
	var text string
	json.Unmarshal(token, &text) // it is a string
	return text
}

// Find returns the value of a member of an object as encoding/json reads it into a field: of
// several members with the name it returns the last one, and the case of letters does not count. It
// is nil if there is none. The object may be cut off.
func Find(object []byte, name string) (found []byte) {
	at := SkipSpace(object, 0)
	if at >= len(object) || object[at] != '{' {
		return nil
	}
	EachMember(object, at, func(token []byte, value int) int {
		end := EndOfValue(object, value)
		text, ok := Plain(token)
		if !ok {
			text = []byte(Unquote(token))
		}
		if bytes.EqualFold(text, []byte(name)) {
			found = object[value:end]
		}
		return end
	})
	return found
}

// space is what JSON allows between values.
const space = " \t\r\n"

func trim(data []byte) []byte { return data[SkipSpace(data, 0):] }

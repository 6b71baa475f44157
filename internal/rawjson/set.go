package rawjson

import (
	"errors"
	"strings"
)

// Set returns the object with the value at a path of member names. Objects that are absent are
// made. It fails if there is another value in the way.
func Set(object []byte, path []string, value []byte) ([]byte, error) {
	if inner := Get(object, path[0]); len(path) > 1 {
		switch Kind(inner) {
		case '{', 0: // what is absent is made
		default:
			return nil, errors.New(path[0] + " is not an object: set it as a whole")
		}
		var err error
		if value, err = Set(inner, path[1:], value); err != nil {
			return nil, err
		}
	}
	return With(object, path[0], value), nil
}

// With returns the object with a member set, also if the object has it several times.
func With(object []byte, name string, value []byte) []byte {
	members := Members(object)
	found := false
	for i := range members {
		if members[i].Name == name {
			members[i].Value, found = value, true
		}
	}
	if !found {
		members = append(members, Member{Name: name, Value: value})
	}
	return Join(members)
}

// IsUnder reports whether a path is the outer one, or that of a member or item in it.
func IsUnder(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Texts returns the strings in a value that are not empty, without the names of members.
func Texts(value []byte) (texts []string) {
	for at := 0; at < len(value); at++ {
		if value[at] != '"' {
			continue
		}
		end := EndOfString(value, at)
		next := SkipSpace(value, end)
		isName := next < len(value) && value[next] == ':'
		if text := Unquote(value[at:end]); text != "" && !isName {
			texts = append(texts, text)
		}
		at = end - 1
	}
	return texts
}

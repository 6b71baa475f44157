package rawjson

import (
	"strconv"
	"strings"
)

// Path is a JSON path, from the outermost value inwards.
type Path []Step

// Step is a step of a JSON path: into a member of an object, or into an item of an array.
type Step struct {
	Name  string // of a member
	Index int    // of an item, which has no name; -1 for a member whose name may be empty
}

// String returns the path as text, such as a.b[3]. It is "" for the outermost value.
func (p Path) String() string {
	text := ""
	for _, s := range p {
		text = s.After(text)
	}
	return text
}

// After returns the path that is one step longer than another one, which may be "".
func (s Step) After(path string) string {
	switch {
	case s.Name == "" && s.Index >= 0:
		return path + "[" + strconv.Itoa(s.Index) + "]"
	case path == "":
		return s.Name
	}
	return path + "." + s.Name
}

// AfterQuoted is After, except that a name which is no plain word is written as ["a name"].
func (s Step) AfterQuoted(path string) string {
	if s.Index < 0 && (s.Name == "" || strings.TrimFunc(s.Name, isWord) != "") {
		return path + "[" + strconv.Quote(s.Name) + "]"
	}
	return s.After(path)
}

// isWord reports whether a character may stand in a plain word.
func isWord(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

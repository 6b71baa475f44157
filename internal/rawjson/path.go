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
	var text []byte
	for _, s := range p {
		text = s.AppendTo(text)
	}
	return string(text)
}

// After returns the path that is one step longer than another one, which may be "".
func (s Step) After(path string) string { return string(s.AppendTo([]byte(path))) }

// AppendTo is After for a path that is made step by step.
func (s Step) AppendTo(path []byte) []byte {
	switch {
	case s.Name == "" && s.Index >= 0:
		return append(strconv.AppendInt(append(path, '['), int64(s.Index), 10), ']')
	case len(path) > 0:
		path = append(path, '.')
	}
	return append(path, s.Name...)
}

// AppendQuotedTo is AppendTo, except that a name which is no plain word is written as ["a name"].
func (s Step) AppendQuotedTo(path []byte) []byte {
	if s.Index < 0 && (s.Name == "" || strings.TrimFunc(s.Name, isWord) != "") {
		return append(strconv.AppendQuote(append(path, '['), s.Name), ']')
	}
	return s.AppendTo(path)
}

// isWord reports whether a character may stand in a plain word.
func isWord(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

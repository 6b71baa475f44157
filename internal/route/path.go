package route

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Path is the path of a request: a pattern with placeholders, and their values. A raw one is
// written by the caller and has no placeholders.
type Path struct {
	Pattern string
	Args    []string
	Raw     bool
}

// Expand returns the path with the values in it, each as one escaped segment. It tells problem
// what is wrong with a value, or with a raw path, whose name is "path".
func (p Path) Expand(problem func(name, reason string)) string {
	if p.Raw {
		clean, err := Clean(p.Pattern)
		if err != nil {
			problem("path", err.Error())
		}
		return clean
	}
	return p.fill(func(name, arg string) string {
		reason := BadSegment(arg)
		switch {
		case name == "key":
			reason = BadKey(arg)
		case arg == notPositive:
			reason = "must be positive"
		case reason == "" && strings.ContainsAny(arg, `/\`):
			reason = "must not contain a slash or a backslash, because it is one segment of the path"
		}
		if reason != "" {
			problem(name, reason)
		}
		return url.PathEscape(arg)
	})
}

// Text returns the path for texts, with what show makes of each value. It has neither the query
// that a raw path may have by mistake, nor the id of an account.
func (p Path) Text(show func(string) string) string {
	if p.Raw {
		path, _, _ := strings.Cut(p.Pattern, "?")
		return show(path)
	}
	return p.fill(func(name, arg string) string {
		if name == "accountId" {
			return "{" + name + "}"
		}
		return url.PathEscape(show(arg))
	})
}

// fill replaces each placeholder by the result of f for its name and value.
func (p Path) fill(f func(name, arg string) string) string {
	var b strings.Builder
	rest := p.Pattern
	for _, arg := range p.Args {
		before, after, _ := strings.Cut(rest, "{")
		name, after, _ := strings.Cut(after, "}")
		b.WriteString(before)
		b.WriteString(f(name, arg))
		rest = after
	}
	b.WriteString(rest)
	return b.String()
}

// hasDotSegment reports whether a text would lead elsewhere if its slashes were those of a path.
func hasDotSegment(text string) bool {
	for segment := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '/' || r == '\\' }) {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// notPositive stands for an id that is no positive number.
const notPositive = "\x00"

// Number returns the value of a placeholder for an id that is a number. It is refused if the id is
// not positive.
func Number(id int64) string {
	if id <= 0 {
		return notPositive
	}
	return strconv.FormatInt(id, 10)
}

// maxSegment is the length in bytes of the longest segment.
const maxSegment = 1024

// BadSegment says why a text cannot be a segment of a path; "" if it can.
func BadSegment(s string) string {
	switch {
	case s == "":
		return "must not be empty"
	case s == "." || s == "..":
		return "must not be a dot segment"
	case hasDotSegment(s):
		return "must not contain a dot segment between slashes"
	case len(s) > maxSegment:
		return fmt.Sprintf("is longer than %d bytes", maxSegment)
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return fmt.Sprintf("contains a control or non-ASCII character at position %d", i)
		}
	}
	return ""
}

// BadKey says why a text cannot be the key of a variable, which is any text that a path can have as
// one escaped segment; "" if it can.
func BadKey(key string) string {
	switch {
	case key == "":
		return "must not be empty"
	case !utf8.ValidString(key):
		return "must be valid UTF-8"
	case len(key) > maxSegment:
		return fmt.Sprintf("is longer than %d bytes", maxSegment)
	case hasDotSegment(key):
		return `must not be "." or "..", nor contain one of them between slashes: no path could name the variable`
	}
	return ""
}

// Clean checks a path that a caller wrote, and returns it in a canonical escaping.
func Clean(path string) (string, error) {
	if !strings.HasPrefix(path, "/") {
		return "", errors.New("must start with a slash")
	}
	if strings.ContainsAny(path, "?#") {
		return "", errors.New("must not contain a query or a fragment: pass the query as the parameter query")
	}
	segments := strings.Split(path[1:], "/")
	for i, s := range segments {
		plain, err := url.PathUnescape(s)
		if err != nil {
			return "", errors.New("contains an invalid escape")
		}
		if plain == "" && i == len(segments)-1 {
			continue // a slash at the end
		}
		if reason := BadSegment(plain); reason != "" {
			return "", fmt.Errorf("a segment %s", reason)
		}
		segments[i] = url.PathEscape(plain)
	}
	return "/" + strings.Join(segments, "/"), nil
}

const maxMethod = 24 // letters, a bound against mistakes: the longest one registered with IANA has 17

// ValidMethod reports whether a text can be the method of a request: capitals and hyphens.
// CONNECT and TRACE cannot, because net/http treats them in a special way.
func ValidMethod(name string) bool {
	for _, r := range name {
		if (r < 'A' || r > 'Z') && r != '-' {
			return false
		}
	}
	return name != "" && len(name) <= maxMethod && name != http.MethodConnect && name != http.MethodTrace
}

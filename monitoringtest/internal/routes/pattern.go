package routes

import (
	"fmt"
	"net/url"
	"strings"
)

// Pattern is the method and the path of an operation, such as
// "GET /v1/checks/{id}/results". A last segment like {rest...} takes all that follows. Unlike a
// pattern of internal/route, which compares texts, it takes values out of paths that are escaped.
type Pattern struct {
	Method   string
	Segments []Segment
}

// Segment is a part of a path between two slashes.
type Segment struct {
	Text  string // the text of the segment, or the name of its value
	Value bool
	rest  bool
}

// ParsePattern reads a pattern.
func ParsePattern(text string) (p Pattern, err error) {
	method, path, _ := strings.Cut(text, " ")
	if method == "" || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || !strings.HasPrefix(path, "/") ||
		strings.ContainsAny(path, " ?#") {
		return p, fmt.Errorf("%q is not a method and a path as in %q", text, "GET /v1/checks/{id}")
	}
	p.Method = method
	names := make(map[string]bool)
	parts := strings.Split(path[1:], "/")
	for i, part := range parts {
		name, isValue := strings.CutPrefix(part, "{")
		if !isValue {
			if strings.ContainsAny(part, "{}") {
				return p, fmt.Errorf("%q: a value takes a whole segment of the path, not a part of %q", text, part)
			}
			p.Segments = append(p.Segments, Segment{Text: part})
			continue
		}
		name, closed := strings.CutSuffix(name, "}")
		name, rest := strings.CutSuffix(name, "...")
		switch {
		case !closed || name == "" || strings.ContainsAny(name, "{}."):
			return p, fmt.Errorf("%q: %q is not a value: write {name}", text, part)
		case names[name]:
			return p, fmt.Errorf("%q: there are two values named %q", text, name)
		case rest && i < len(parts)-1:
			return p, fmt.Errorf("%q: %q can only be last", text, part)
		}
		names[name] = true
		p.Segments = append(p.Segments, Segment{Text: name, Value: true, rest: rest})
	}
	return p, nil
}

func mustParse(text string) Pattern {
	p, err := ParsePattern(text)
	if err != nil {
		panic("monitoringtest: " + err.Error())
	}
	return p
}

// Match returns the values of a path whose segments are escaped.
func (p *Pattern) Match(method string, parts []string) (values []string, matches bool) {
	if p.Method != method {
		return nil, false
	}
	for i, s := range p.Segments {
		switch {
		case s.rest && len(parts) > i:
			value, err := url.PathUnescape(strings.Join(parts[i:], "/"))
			return append(values, value), err == nil
		case i >= len(parts):
			return nil, false
		case !s.Value:
			if s.Text != parts[i] {
				return nil, false
			}
		default:
			value, err := url.PathUnescape(parts[i])
			if err != nil || value == "" {
				return nil, false
			}
			values = append(values, value)
		}
	}
	return values, len(parts) == len(p.Segments)
}

// Closer reports whether p fits a path better than q if both match it: p has a text in
// the first segment in which they differ.
func (p *Pattern) Closer(q *Pattern) bool {
	for i := range min(len(p.Segments), len(q.Segments)) {
		a, b := p.Segments[i], q.Segments[i]
		switch {
		case a.Value != b.Value:
			return b.Value
		case a.rest != b.rest:
			return b.rest
		}
	}
	return false
}

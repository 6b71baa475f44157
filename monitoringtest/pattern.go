package monitoringtest

import (
	"fmt"
	"net/url"
	"strings"
)

// pattern is the method and the path of an operation, such as
// "GET /v1/checks/{id}/results". A last segment like {rest...} takes all that follows. Unlike a
// pattern of internal/route, which compares texts, it takes values out of paths that are escaped.
type pattern struct {
	method   string
	segments []segment
}

type segment struct {
	text  string // the text of the segment, or the name of its value
	value bool
	rest  bool
}

func parsePattern(text string) (p pattern, err error) {
	method, path, _ := strings.Cut(text, " ")
	if method == "" || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || !strings.HasPrefix(path, "/") || strings.ContainsAny(path, " ?#") {
		return p, fmt.Errorf("%q is not a method and a path as in %q", text, "GET /v1/checks/{id}")
	}
	p.method = method
	names := make(map[string]bool)
	parts := strings.Split(path[1:], "/")
	for i, part := range parts {
		name, isValue := strings.CutPrefix(part, "{")
		if !isValue {
			if strings.ContainsAny(part, "{}") {
				return p, fmt.Errorf("%q: a value takes a whole segment of the path, not a part of %q", text, part)
			}
			p.segments = append(p.segments, segment{text: part})
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
		p.segments = append(p.segments, segment{text: name, value: true, rest: rest})
	}
	return p, nil
}

func mustParsePattern(text string) pattern {
	p, err := parsePattern(text)
	if err != nil {
		panic("monitoringtest: " + err.Error())
	}
	return p
}

// match returns the values of a path whose segments are escaped.
func (p *pattern) match(method string, parts []string) (values []string, matches bool) {
	if p.method != method {
		return nil, false
	}
	for i, s := range p.segments {
		switch {
		case s.rest && len(parts) > i:
			value, err := url.PathUnescape(strings.Join(parts[i:], "/"))
			return append(values, value), err == nil
		case i >= len(parts):
			return nil, false
		case !s.value:
			if s.text != parts[i] {
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
	return values, len(parts) == len(p.segments)
}

// closer reports whether p fits a path better than q if both match it: p has a text in
// the first segment in which they differ.
func (p *pattern) closer(q *pattern) bool {
	for i := range min(len(p.segments), len(q.segments)) {
		a, b := p.segments[i], q.segments[i]
		switch {
		case a.value != b.value:
			return b.value
		case a.rest != b.rest:
			return b.rest
		}
	}
	return false
}

// findRoute finds the operation of a path and the values in it. Taught operations go
// before those of the service.
func (s *Service) findRoute(method, path string) (found *route, values []string) {
	if !strings.HasPrefix(path, "/") {
		return nil, nil
	}
	parts := strings.Split(path[1:], "/")
	try := func(list []*route) {
		for _, r := range list {
			if v, matches := r.match(method, parts); matches && (found == nil || r.closer(&found.pattern)) {
				found, values = r, v
			}
		}
	}
	if taught := s.taught.Load(); taught != nil {
		try(*taught)
	}
	try(routes)
	return found, values
}

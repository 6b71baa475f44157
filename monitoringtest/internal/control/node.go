package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// node is a value of a JSON document with its path. A mistake is reported and reading
// goes on, so that the error names all mistakes.
type node struct {
	path      string
	value     any    // nil: absent or null
	written   []byte // as it is written; nil: absent
	asWritten bool   // the service has written it
	reports   *[]error
	now       time.Time
}

// parseNode reads a JSON document.
func parseNode(data []byte, now time.Time) (node, error) {
	root := node{path: "$", written: data, reports: new([]error), now: now}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&root.value); err != nil {
		return root, fmt.Errorf("$: it is not JSON: at byte %d: %w", decoder.InputOffset(), err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return root, fmt.Errorf("$: something follows the JSON at byte %d", decoder.InputOffset())
	}
	return root, nil
}

func (n node) report(format string, args ...any) {
	*n.reports = append(*n.reports, fmt.Errorf("%s: %w", n.path, fmt.Errorf(format, args...)))
}

func (n node) want(what string) {
	if n.value != nil {
		n.report("must be %s", what)
	}
}

// object returns a function that reads members, and reports members that are not known.
func (n node) object(known ...string) func(name string) node {
	members, isObject := n.value.(map[string]any)
	if !isObject {
		n.report("must be an object")
	}
	for _, name := range sortedNames(members) {
		if !slices.Contains(known, name) {
			n.member(name, nil).report("is not known; known are %s", strings.Join(known, ", "))
		}
	}
	return func(name string) node { return n.member(name, members[name]) }
}

func sortedNames(m map[string]any) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (n node) member(name string, v any) node {
	n.path, n.value, n.written = rawjson.Step{Name: name, Index: -1}.After(n.path), v, rawjson.Get(n.written, name)
	return n
}

// require reports members that are not there.
func (n node) require(names ...string) {
	for _, name := range names {
		if n.anything()[name] == nil {
			n.member(name, nil).report("is required")
		}
	}
}

// each calls f for each item of a list.
func (n node) each(f func(node)) {
	list, isList := n.value.([]any)
	if !isList {
		n.want("a list")
		return
	}
	texts := slices.Collect(rawjson.Items(n.written))
	for i, v := range list {
		item := n
		item.path, item.value, item.written = rawjson.Step{Index: i}.After(n.path), v, texts[i]
		f(item)
	}
}

func (n node) text() string {
	s, isText := n.value.(string)
	if !isText {
		n.want("a string")
	}
	return s
}

func (n node) boolean() bool {
	b, isBool := n.value.(bool)
	if !isBool {
		n.want("true or false")
	}
	return b
}

func (n node) number() float64 {
	number, _ := n.value.(json.Number)
	f, err := number.Float64()
	if err != nil {
		n.want("a number")
		return 0
	}
	return f
}

func (n node) integer() int64 {
	f := n.number()
	if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		n.report("must be an integer")
		return 0
	}
	return int64(f)
}

// duration reads a duration in Go's form, such as "1m30s".
func (n node) duration() time.Duration {
	s, isText := n.value.(string)
	if !isText {
		n.want(`a time such as "1m30s"`)
		return 0
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		n.report("%q is not a time such as %q", s, "1m30s")
	}
	return max(d, 0)
}

// moment reads an ISO 8601 timestamp, a day such as "2026-08-01", or "now" with a duration added
// or subtracted, as in "now-1h30m".
func (n node) moment() time.Time {
	s, isText := n.value.(string)
	if !isText {
		n.want(`a moment such as "2026-08-01T10:00:00Z" or "now-1h"`)
		return time.Time{}
	}
	if shift, relative := strings.CutPrefix(s, "now"); relative {
		d, err := time.ParseDuration(strings.TrimPrefix(shift, "+"))
		if shift == "" || err == nil {
			return n.now.Add(d)
		}
	} else if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t
	} else if day, err := time.Parse(time.DateOnly, s); err == nil {
		return day
	}
	n.report("%q is not a moment such as %q or %q", s, "2026-08-01T10:00:00Z", "now-1h")
	return time.Time{}
}

func (n node) texts() (list []string) {
	n.each(func(item node) {
		if item.value == nil {
			item.report("must be a string")
		}
		list = append(list, item.text())
	})
	return list
}

// anything reads an object of any members.
func (n node) anything() map[string]any {
	m, isObject := n.value.(map[string]any)
	if !isObject {
		n.want("an object")
	}
	return m
}

// raws is anything with the members as they are written; nil is null.
func (n node) raws() map[string]any {
	members := n.anything()
	if members == nil {
		return nil
	}
	m := make(map[string]any)
	for name, v := range members {
		if m[name] = v; v != nil {
			m[name] = json.RawMessage(rawjson.Get(n.written, name))
		}
	}
	return m
}

// uuid reads an id; empty if there is none.
func (n node) uuid() string {
	s := n.text()
	if s != "" && !schema.IsUUID(s) {
		n.report("%q is not a UUID", s)
	}
	return s
}

// one reads a text that must be one of words.
func (n node) one(words ...string) string {
	s := n.text()
	if s != "" && !slices.Contains(words, s) {
		n.report("%q is none of %s", s, strings.Join(words, ", "))
	}
	return s
}

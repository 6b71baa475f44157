package main

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// outcome reads what a program of tests prints.
type outcome struct {
	failed, late bool
	first        string // the first test that failed
	last         string // the last test that began
	line         []byte // the one that is not complete
	said         []byte // the last that it said
}

const mostSaid = 1 << 20

func (o *outcome) Write(p []byte) (int, error) {
	o.said = append(o.said, p...)
	if len(o.said) > 2*mostSaid {
		o.said = slices.Clone(o.said[len(o.said)-mostSaid:])
	}
	n := len(p)
	for {
		line, rest, ok := bytes.Cut(p, []byte("\n"))
		if len(o.line) < 1<<10 {
			o.line = append(o.line, line...)
		}
		if !ok {
			return n, nil
		}
		o.read(string(o.line))
		o.line, p = o.line[:0], rest
	}
}

func (o *outcome) read(line string) {
	if name, ok := strings.CutPrefix(line, "=== RUN   "); ok {
		o.last, _, _ = strings.Cut(name, "/")
	} else if name, ok := strings.CutPrefix(line, "--- FAIL: "); ok && o.first == "" {
		o.first, _, _ = strings.Cut(name, " ")
	}
	o.late = o.late || strings.HasPrefix(line, "panic: test timed out after")
}

// test is the test that failed, as far as it is known.
func (o *outcome) test() string { return cmp.Or(o.first, o.last) }

// tail is the end of what was printed.
func (o *outcome) tail() string { return string(o.said) }

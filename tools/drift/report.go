package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// report is what the program says. Its members are those of -json.
type report struct {
	Exit     int       `json:"exit"`
	Known    int       `json:"known"`    // findings that the baseline has
	Findings []finding `json:"findings"` // the new ones
	Stale    []string  `json:"stale"`    // lines of the baseline that no longer occur
}

// table writes a line for each new finding; those that break programs are marked.
func (r *report) table(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	count := make(map[string]int)
	breaking := 0
	for i, f := range r.Findings {
		if i == 0 {
			fmt.Fprintln(w, "\tKIND\tOPERATION\tIN\tPATH\tDETAIL")
		}
		mark := ""
		if f.Breaks {
			mark = "!"
			breaking++
		}
		count[f.Kind]++
		fmt.Fprintln(w, strings.Join([]string{mark, f.Kind, plain(f.Operation), cmp.Or(f.In, "-"), cmp.Or(plain(f.Path), "-"),
			plain(f.Detail)}, "\t"))
	}
	if len(r.Findings) > 0 {
		fmt.Fprintf(w, "\n%d added, %d gone, %d changed, %d unclear; %d of them (!) can break a program.\n",
			count[kindAdded], count[kindGone], count[kindChanged], count[kindUnclear], breaking)
	}
	for _, line := range r.Stale {
		fmt.Fprintf(w, "This line of the baseline no longer occurs: %s\n", line)
	}
	fmt.Fprintf(w, "%d new differences, %d known.\n", len(r.Findings), r.Known)
	return w.Flush()
}

// plain replaces control characters, so that a description cannot control a terminal.
func plain(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c >= 0x7f && c < 0xa0 {
			return '?'
		}
		return c
	}, s)
}

// json writes the report for programs.
func (r *report) json(out io.Writer) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// The exit codes.
const (
	exitSame    = 0
	exitBroken  = 1
	exitUnknown = 2
)

// exitCode returns the exit code for the findings.
func exitCode(found []finding) int {
	code := exitSame
	for _, f := range found {
		switch {
		case f.Breaks:
			return exitBroken
		case f.Kind == kindUnknown:
			code = exitUnknown
		}
	}
	return code
}

// writeTable writes a line for each finding; those that break programs are marked.
func writeTable(out io.Writer, found []finding) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	count := make(map[string]int)
	breaking := 0
	for i, f := range found {
		if i == 0 {
			fmt.Fprintln(w, "\tKIND\tOPERATION\tIN\tPATH\tDETAIL")
		}
		mark := ""
		if f.Breaks {
			mark = "!"
			breaking++
		}
		count[f.Kind]++
		fmt.Fprintln(w, strings.Join([]string{mark, f.Kind, plain(f.Operation), orDash(f.In), orDash(plain(f.Path)), plain(f.Detail)}, "\t"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(found) == 0 {
		_, err := fmt.Fprintln(out, "The SDK and the service agree.")
		return err
	}
	_, err := fmt.Fprintf(out, "\n%d new, %d gone, %d changed, %d unknown; %d of them (!) can break a program.\n",
		count[kindNew], count[kindGone], count[kindChanged], count[kindUnknown], breaking)
	return err
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
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

// writeJSON writes the findings for programs.
func writeJSON(out io.Writer, found []finding) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(struct {
		Exit     int       `json:"exit"`
		Findings []finding `json:"findings"`
	}{exitCode(found), found})
}

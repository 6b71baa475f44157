package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// Screen is an output of a program, and what it can show.
type Screen struct {
	io.Writer
	// Width is how many columns it has; 0 means no limit, as for a file.
	Width int
	// Live says whether it is a terminal, on which a line can be rewritten.
	Live bool
	// Color says whether colors are wanted.
	Color bool
}

const (
	usualWidth = 80 // of a terminal whose width is not known
	leastWidth = 20
)

// NewScreen makes a screen that prints to w, and finds out whether w is a terminal. COLUMNS in
// the environment sets the width in any case. Only terminals have colors; NO_COLOR turns
// them off.
func NewScreen(w io.Writer, getenv Getenv) *Screen {
	s := &Screen{Writer: w}
	if f, ok := w.(*os.File); ok {
		var width int
		if width, s.Live = terminal(f); s.Live && width == 0 {
			width = usualWidth
		}
		s.Width = width
	}
	if getenv("TERM") == "dumb" {
		s.Live = false
	}
	s.Color = s.Live && getenv("NO_COLOR") == ""
	if columns, err := strconv.Atoi(getenv("COLUMNS")); err == nil && columns > 0 {
		s.Width = columns
	}
	if s.Width > 0 {
		s.Width = max(s.Width, leastWidth)
	}
	return s
}

// Paragraph prints a text with an indent, in lines that fit.
func (s *Screen) Paragraph(indent int, text string) {
	s.hanging(strings.Repeat(" ", indent), text)
}

// hanging prints a text after a label; further lines are aligned with the first.
func (s *Screen) hanging(label, text string) {
	width := s.Width
	if width == 0 {
		width = usualWidth
	}
	for _, line := range Wrap(text, max(width-Width(label), 10)) {
		fmt.Fprintln(s, strings.TrimRight(label+line, " "))
		label = strings.Repeat(" ", Width(label))
	}
}

// Paint colors a status, if colors are on: green for success, red for failure, yellow for
// everything else.
func (s *Screen) Paint(status string) string {
	if !s.Color {
		return status
	}
	color := ""
	switch strings.ToUpper(status) {
	case "PASSED", "SUCCESS", "CREATED", "CHANGED":
		color = "32"
	case "FAILED", "ERROR", "TIMED_OUT", "FAILURE":
		color = "31"
	case "DEGRADED", "UNKNOWN", "CANCELLED", "RATE_LIMITED":
		color = "33"
	default:
		return status
	}
	return "\x1b[" + color + "m" + status + "\x1b[0m"
}

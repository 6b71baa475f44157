package cli

import (
	"fmt"
	"strings"
)

// Column is a column of a table.
type Column struct {
	Title string
	// Min is the width down to which the column may be narrowed, by breaking its texts
	// into lines; 0 keeps it as wide as its longest text.
	Min int
	// Right aligns the column to the right, as numbers are.
	Right bool
	// Status colors the cells as statuses; see [Screen.Paint].
	Status bool
}

const gap = 2 // between columns

// Table prints rows under a header. If they are too wide for the screen, columns get
// narrower; if that is not enough, each row becomes a block of lines.
func (s *Screen) Table(columns []Column, rows [][]string) {
	clean := make([][]string, len(rows))
	for i, row := range rows {
		clean[i] = make([]string, len(row))
		for j, cell := range row {
			clean[i][j] = strings.TrimSpace(Clean(cell))
		}
	}
	widths, fits := s.widths(columns, clean)
	if !fits {
		s.blocks(columns, clean)
		return
	}
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.Title
	}
	s.row(columns, widths, titles, false)
	for _, row := range clean {
		s.row(columns, widths, row, true)
	}
}

// widths returns the widths of the columns. If the screen is too narrow for them, it narrows
// them: first without breaking words, and then further.
func (s *Screen) widths(columns []Column, rows [][]string) (widths []int, fits bool) {
	widths = make([]int, len(columns))
	words := make([]int, len(columns)) // the longest of each column
	total := gap * (len(columns) - 1)
	for i, c := range columns {
		widths[i], words[i] = Width(c.Title), longestWord(c.Title)
		for _, row := range rows {
			widths[i], words[i] = max(widths[i], Width(row[i])), max(words[i], longestWord(row[i]))
		}
		total += widths[i]
	}
	for _, whole := range []bool{true, false} {
		for ; s.Width > 0 && total > s.Width; total-- {
			widest := -1
			for i, c := range columns {
				least := c.Min
				if whole {
					least = max(least, words[i])
				}
				if c.Min > 0 && widths[i] > least && (widest < 0 || widths[i] > widths[widest]) {
					widest = i
				}
			}
			if widest < 0 {
				break
			}
			widths[widest]--
		}
	}
	return widths, s.Width == 0 || total <= s.Width
}

// longestWord returns the width of the longest part of a text that [Wrap] does not break.
func longestWord(text string) (longest int) {
	for word := range strings.FieldsSeq(text) {
		for part := range strings.SplitAfterSeq(word, "-") {
			longest = max(longest, Width(part))
		}
	}
	return longest
}

// row prints one row, in as many lines as its cells have.
func (s *Screen) row(columns []Column, widths []int, cells []string, paint bool) {
	lines, height := make([][]string, len(cells)), 1
	for i, cell := range cells {
		lines[i] = []string{cell}
		if Width(cell) > widths[i] {
			lines[i] = Wrap(cell, widths[i])
		}
		height = max(height, len(lines[i]))
	}
	for n := range height {
		var b strings.Builder
		pending := 0 // spaces before the next text; kept back so that no line ends with spaces
		for i, c := range columns {
			text := ""
			if n < len(lines[i]) {
				text = lines[i][n]
			}
			rest := max(widths[i]-Width(text), 0)
			if c.Right {
				pending, rest = pending+rest, 0
			}
			if text != "" {
				b.WriteString(strings.Repeat(" ", pending))
				pending = 0
				if paint && c.Status {
					text = s.Paint(text)
				}
				b.WriteString(text)
			}
			pending += rest + gap
		}
		fmt.Fprintln(s, b.String())
	}
}

// blocks prints each row as lines with a title and a text.
func (s *Screen) blocks(columns []Column, rows [][]string) {
	longest := 0
	for _, c := range columns {
		longest = max(longest, Width(c.Title))
	}
	for n, row := range rows {
		if n > 0 {
			fmt.Fprintln(s)
		}
		for i, c := range columns {
			label := c.Title + strings.Repeat(" ", longest-Width(c.Title)+gap)
			if c.Status {
				fmt.Fprintln(s, label+s.Paint(row[i]))
				continue
			}
			s.hanging(label, row[i])
		}
	}
}

package cli

import (
	"iter"
	"regexp"
	"strings"
	"unicode"
)

// Clean makes a text of the service safe for one line of a terminal: names may contain line
// breaks and escape sequences.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.In(r, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return r
	}, Uncolor(text))
}

var colors = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// Uncolor removes color sequences, which messages of browser scripts contain.
func Uncolor(text string) string { return colors.ReplaceAllString(text, "") }

// Width returns how many columns of a terminal a text takes. Characters of East Asia and
// emoji take two; combining marks take none.
func Width(text string) (n int) {
	for _, width := range clusters(text) {
		n += width
	}
	return n
}

// Truncate shortens a text to a width. A shortened text ends with an ellipsis.
func Truncate(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	var b strings.Builder
	used := 1 // for the ellipsis
	for cluster, w := range clusters(text) {
		if used+w > width {
			break
		}
		used += w
		b.WriteString(cluster)
	}
	return b.String() + "…"
}

// Wrap breaks a text into lines of a width: between words or after a hyphen if possible. It
// returns at least one line.
func Wrap(text string, width int) []string {
	var lines []string
	line, used := "", 0
	add := func(piece string, w int) { line, used = line+piece, used+w }
	end := func() {
		if line != "" {
			lines = append(lines, line)
		}
		line, used = "", 0
	}
	for word := range strings.FieldsSeq(text) {
		space := " "
		for part := range strings.SplitAfterSeq(word, "-") {
			switch w := Width(part); {
			case line != "" && used+len(space)+w <= width:
				add(space+part, len(space)+w)
			default:
				end()
				for cluster, w := range clusters(part) {
					if used+w > width {
						end()
					}
					add(cluster, w)
				}
			}
			space = ""
		}
	}
	end()
	if lines == nil {
		return []string{""}
	}
	return lines
}

// clusters yields the characters as a reader sees them, each with its combining marks and
// joined characters, and the columns it takes.
func clusters(text string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		begin, width := 0, 0
		joined, flag := false, false // after a joiner; after the first half of a flag
		for i, r := range text {
			w := runeWidth(r)
			isFlag := 0x1F1E6 <= r && r <= 0x1F1FF
			skin := 0x1F3FB <= r && r <= 0x1F3FF && width == 2
			switch {
			case i == 0:
				width = w
			case r == 0xFE0F && width == 1 && emojiBase(text[begin:i]): // shown as an emoji, not as text
				width = 2
			case w == 0 || joined || skin:
			case isFlag && flag:
				width, isFlag = 2, false // both halves are one flag
			default:
				if !yield(text[begin:i], width) {
					return
				}
				begin, width = i, w
			}
			joined, flag = r == 0x200D, isFlag
		}
		if text != "" {
			yield(text[begin:], width)
		}
	}
}

// emojiBase reports whether a character has an emoji form: digits, # and *, and symbols.
func emojiBase(cluster string) bool {
	for _, r := range cluster {
		return r >= 0x2000 || strings.ContainsRune("#*0123456789©®", r)
	}
	return false
}

func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1 // Clean has removed the control characters
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), 0x1160 <= r && r <= 0x11FF: // the latter are parts of Hangul syllables
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// wide has the characters that take two columns: the wide and fullwidth ones of Unicode (UAX
// 11).
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115F, 1}, {0x231A, 0x231B, 1}, {0x2329, 0x232A, 1}, {0x23E9, 0x23EC, 1}, {0x23F0, 0x23F3, 3},
		{0x25FD, 0x25FE, 1}, {0x2614, 0x2615, 1}, {0x2648, 0x2653, 1}, {0x267F, 0x2693, 0x14}, {0x26A1, 0x26AA, 9},
		{0x26AB, 0x26BD, 0x12}, {0x26BE, 0x26C4, 6}, {0x26C5, 0x26CE, 9}, {0x26D4, 0x26EA, 0x16}, {0x26F2, 0x26F3, 1},
		{0x26F5, 0x26FA, 5}, {0x26FD, 0x2705, 8}, {0x270A, 0x270B, 1}, {0x2728, 0x274C, 0x24}, {0x274E, 0x2753, 5},
		{0x2754, 0x2755, 1}, {0x2757, 0x2795, 0x3E}, {0x2796, 0x2797, 1}, {0x27B0, 0x27BF, 0xF}, {0x2B1B, 0x2B1C, 1},
		{0x2B50, 0x2B55, 5}, {0x2E80, 0x303E, 1}, {0x3041, 0x33FF, 1}, {0x3400, 0x4DBF, 1}, {0x4E00, 0xA4CF, 1},
		{0xA960, 0xA97F, 1}, {0xAC00, 0xD7A3, 1}, {0xF900, 0xFAFF, 1}, {0xFE10, 0xFE19, 1}, {0xFE30, 0xFE6F, 1},
		{0xFF00, 0xFF60, 1}, {0xFFE0, 0xFFE6, 1},
	},
	R32: []unicode.Range32{
		{0x16FE0, 0x18CFF, 1}, {0x1AFF0, 0x1B2FF, 1}, {0x1F004, 0x1F0CF, 0xCB}, {0x1F18E, 0x1F191, 3}, {0x1F192, 0x1F19A, 1},
		{0x1F200, 0x1F265, 1}, {0x1F300, 0x1F320, 1}, {0x1F32D, 0x1F335, 1}, {0x1F337, 0x1F37C, 1}, {0x1F37E, 0x1F393, 1},
		{0x1F3A0, 0x1F3CA, 1}, {0x1F3CF, 0x1F3D3, 1}, {0x1F3E0, 0x1F3F0, 1}, {0x1F3F4, 0x1F3F8, 4}, {0x1F3F9, 0x1F43E, 1},
		{0x1F440, 0x1F442, 2}, {0x1F443, 0x1F4FC, 1}, {0x1F4FF, 0x1F53D, 1}, {0x1F54B, 0x1F54E, 1}, {0x1F550, 0x1F567, 1},
		{0x1F57A, 0x1F595, 0x1B}, {0x1F596, 0x1F5A4, 0xE}, {0x1F5FB, 0x1F64F, 1}, {0x1F680, 0x1F6C5, 1}, {0x1F6CC, 0x1F6D0, 4},
		{0x1F6D1, 0x1F6D2, 1}, {0x1F6D5, 0x1F6D8, 1}, {0x1F6DC, 0x1F6DF, 1}, {0x1F6EB, 0x1F6EC, 1}, {0x1F6F4, 0x1F6FC, 1},
		{0x1F7E0, 0x1F7EB, 1}, {0x1F7F0, 0x1F90C, 0x11C}, {0x1F90D, 0x1F93A, 1}, {0x1F93C, 0x1F945, 1}, {0x1F947, 0x1F9FF, 1},
		{0x1FA70, 0x1FAFF, 1}, {0x20000, 0x3FFFD, 1},
	},
}

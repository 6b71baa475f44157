package scrub

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatAnEscapeStandsFor(t *testing.T) {
	type escape func(string) (int, string)
	for _, c := range []struct {
		of    escape
		text  string
		width int
		means string
	}{
		{urlEscape, "%7", 0, ""},
		{urlEscape, "%ff", 3, "\xff"},
		{urlEscape, "%7g", 0, ""},
		{queryEscape, "+", 1, " "},
		{queryEscape, "%2B+", 3, "+"},
		{htmlEscape, "&#1114111;", 10, "\U0010ffff"},
		{htmlEscape, "&#00000000000065;b", 17, "A"},
		{htmlEscape, "&#x0002F;", 9, "/"},
		{htmlEscape, "&#X2fg", 5, "/"},
		{htmlEscape, "&#47b", 4, "/"},
		{htmlEscape, "&#47", 4, "/"},
		{htmlEscape, "&#1114112;", 10, "\ufffd"},
		{htmlEscape, "&#4294967361;", 13, "\ufffd"},
		{htmlEscape, "&#;", 0, ""},
		{htmlEscape, "&#xg", 0, ""},
		{htmlEscape, "&lt", 3, "<"},
		{htmlEscape, "&ampx", 4, "&"},
		{htmlEscape, "&notin;", 7, "∉"},
		{htmlEscape, "&larr", 0, ""},
		{htmlEscape, "&none;", 0, ""},
		{jsonEscape, `\\n`, 2, `\`},
		{jsonEscape, `\x`, 0, ""},
		{jsonEscape, `\`, 0, ""},
		{jsonEscape, `\u007`, 0, ""},
		{jsonEscape, `\u00g0`, 0, ""},
		{jsonEscape, `\ud83e\udd8ax`, 12, "🦊"},
		{jsonEscape, `\ud83e`, 6, "\ufffd"},
		{jsonEscape, `\ud83e\n`, 6, "\ufffd"},
	} {
		width, means := c.of(c.text)
		require.Equal(t, c.width, width, c.text)
		require.Equal(t, c.means, means, c.text)
	}
}

func TestAPartOfAReadingIsAPartOfTheText(t *testing.T) {
	for _, c := range []struct{ text, secret, want string }{
		{`a\u0062cdef g`, "bcdef", "a[redacted] g"},
		{`abcde\u0066 g`, "bcdef", "a[redacted] g"},
		{`aé&eacute;éé b`, "ééé", "a[redacted]é b"},
		{`a pass&CloseCurlyQuote;word&CounterClockwiseContourIntegral; b`, "pass’word∳", "a [redacted] b"},
		{`x\u0026lt;secret&gt;`, "<secret", "x[redacted]&gt;"},
		{`\ud83e\udd8a1`, "🦊1", "[redacted]"},
		{`abcd\u005C`, `abcd\`, "[redacted]"},
		{"abcd&bne;x", "abcd=", "[redacted]x"},
		{`ab\u005C\u005Ccd`, `ab\\c`, "[redacted]d"},
	} {
		require.Equal(t, c.want, New(c.secret).Text(c.text), c.text)
	}
}

func TestTheReadingsOfATextAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		whole bool
	}{
		"backslashes":   {strings.Repeat(`\`, 64<<10), true},
		"percent signs": {strings.Repeat("%25", 8<<10), true},
		"ampersands":    {strings.Repeat("&amp;", 8<<10), true},
		"all kinds":     {strings.Repeat(`\\u0025252525+%2526amp;amp;\\\\u0026lt;`, 1<<10), false},
		"a long text":   {strings.Repeat("x", 1<<20) + `%2525+\\\\&amp;amp;`, false},
	} {
		all, whole := readings(c.text, new(mostReadings))
		bytes := 0
		for _, r := range all[1:] {
			bytes += len(r.text)
		}
		require.LessOrEqual(t, bytes, mostReadings, name)
		require.Equal(t, c.whole, whole, name)
	}
	for text, want := range map[string]int{"a text without escapes": 1, "a+b": 2, "%41": 2} { // two kinds of escapes with the same meaning
		all, _ := readings(text, new(mostReadings))
		require.Len(t, all, want, text)
	}
	depth := func(n int) string { return "%" + strings.Repeat("25", n) + "41bcde" }
	for _, times := range []int{1, 4, 5, 9, 300} {
		require.Equal(t, "[redacted]", New("Abcde").Text(depth(times)), times)
	}
	require.Equal(t, TooManyEscapes, New("Abcde").Text(depth(3000)))
}

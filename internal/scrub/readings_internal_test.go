package scrub

import (
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestWhatAnEscapeStandsFor(t *testing.T) {
	type escape func(string) (int, string)
	for _, c := range []struct {
		name  string
		of    escape
		text  string
		width int
		means string
	}{
		{"a percent escape at the end of the text", urlEscape, "%74", 3, "t"},
		{"a percent escape that is cut off", urlEscape, "%7", 0, ""},
		{"a percent escape of the last byte", urlEscape, "%ff", 3, "\xff"},
		{"a percent escape with an invalid digit", urlEscape, "%7g", 0, ""},
		{"a plus in a query", queryEscape, "+", 1, " "},
		{"a percent escape in a query", queryEscape, "%2B+", 3, "+"},
		{"the shortest reference of HTML", htmlEscape, "&lt;", 4, "<"},
		{"the longest reference of HTML", htmlEscape, "&#1114111;", 10, "\U0010ffff"},
		{"a reference with zeros before its number", htmlEscape, "&#00000000000065;b", 17, "A"},
		{"a reference in hexadecimal digits", htmlEscape, "&#x0002F;", 9, "/"},
		{"a reference in capital hexadecimal digits", htmlEscape, "&#X2fg", 5, "/"},
		{"a number without its end", htmlEscape, "&#47b", 4, "/"},
		{"a number at the end of the text", htmlEscape, "&#47", 4, "/"},
		{"a number that no character has", htmlEscape, "&#1114112;", 10, "\ufffd"},
		{"a number that is far too large", htmlEscape, "&#4294967361;", 13, "\ufffd"},
		{"a number without digits", htmlEscape, "&#;", 0, ""},
		{"a hexadecimal number without digits", htmlEscape, "&#xg", 0, ""},
		{"a name without its end", htmlEscape, "&lt", 3, "<"},
		{"a name without its end before a letter", htmlEscape, "&ampx", 4, "&"},
		{"the longer one of two names", htmlEscape, "&notin;", 7, "∉"},
		{"a name that needs its end", htmlEscape, "&larr", 0, ""},
		{"an unknown reference", htmlEscape, "&none;", 0, ""},
		{"a quotation mark", jsonEscape, `\"x`, 2, `"`},
		{"a slash", jsonEscape, `\/`, 2, "/"},
		{"a backslash", jsonEscape, `\\n`, 2, `\`},
		{"a line feed", jsonEscape, `\n`, 2, "\n"},
		{"a form feed", jsonEscape, `\f`, 2, "\f"},
		{"no escape of JSON", jsonEscape, `\x`, 0, ""},
		{"a backslash at the end", jsonEscape, `\`, 0, ""},
		{"a character", jsonEscape, `\u0074`, 6, "t"},
		{"a character that is cut off", jsonEscape, `\u007`, 0, ""},
		{"a character with an invalid digit", jsonEscape, `\u00g0`, 0, ""},
		{"a character of two escapes", jsonEscape, `\ud83e\udd8ax`, 12, "🦊"},
		{"half of a character", jsonEscape, `\ud83e`, 6, "\ufffd"},
		{"half of a character before another escape", jsonEscape, `\ud83e\n`, 6, "\ufffd"},
	} {
		width, means := c.of(c.text)
		require.Equal(t, c.width, width, c.name)
		require.Equal(t, c.means, means, c.name)
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
	testkit.SkipUnderRace(t)
	for name, c := range map[string]struct {
		text  string
		whole bool
	}{
		"backslashes":       {strings.Repeat(`\`, 64<<10), true},
		"percent signs":     {strings.Repeat("%25", 20<<10), true},
		"ampersands":        {strings.Repeat("&amp;", 12<<10), true},
		"all kinds":         {strings.Repeat(`\\u0025252525+%2526amp;amp;\\\\u0026lt;`, 2<<10), false},
		"backslashes, 1 MB": {strings.Repeat(`\`, 1<<20), true},
		"a long text":       {strings.Repeat("x", 1<<20) + `%2525+\\\\&amp;amp;`, false},
	} {
		all, whole := readings(c.text, new(mostReadings))
		bytes := 0
		for _, r := range all[1:] {
			bytes += len(r.text)
		}
		require.LessOrEqual(t, bytes, mostReadings, name)
		require.Equal(t, c.whole, whole, name)
	}
	count := func(text string) int {
		all, whole := readings(text, new(mostReadings))
		require.True(t, whole)
		return len(all)
	}
	require.Equal(t, 1, count("a text without escapes"))
	require.Equal(t, 2, count("a+b"))
	require.Equal(t, 2, count("%41"), "two kinds of escapes, with the same meaning")
	depth := func(n int) string { return strings.Repeat("%25", 1) + strings.Repeat("25", n-1) + "41bcde" }
	for _, times := range []int{1, 4, 5, 9, 300} {
		require.Equal(t, "[redacted]", New("Abcde").Text(depth(times)), times)
	}
	require.Equal(t, TooManyEscapes, New("Abcde").Text(depth(3000)))
}

// In a long text with many escapes a secret is found, or the text is removed.
func TestNoSecretIsLeftInALongTextWithManyEscapes(t *testing.T) {
	testkit.SkipUnderRace(t)
	const secret = `pass"word/of <the> group`
	fromJSON := func(s string) string { json.Unmarshal([]byte(`"`+s+`"`), &s); return s }
	fromQuery := func(s string) string { s, _ = url.QueryUnescape(s); return s }
	escapes := []struct{ to, from func(string) string }{
		{asJSON, fromJSON}, {url.QueryEscape, fromQuery}, {html.EscapeString, html.UnescapeString},
	}
	removed, found := 0, 0
	for _, filling := range []string{`{"a":"<b>"} & 100 % + 1, `, `\ %25 &amp; \\ %2525 + `} {
		for kinds := range 3 * 3 {
			text := strings.Repeat(filling, 40_000/len(filling)) + secret
			first, then := escapes[kinds/3], escapes[kinds%3]
			scrubbed := New(secret).Text(then.to(first.to(text)))
			if scrubbed == TooManyEscapes {
				removed++
				continue
			}
			require.True(t, strings.HasSuffix(scrubbed, Redacted), "%q %d", filling, kinds)
			require.NotContains(t, first.from(then.from(scrubbed)), secret)
			found++
		}
	}
	require.NotZero(t, removed)
	require.NotZero(t, found)
}

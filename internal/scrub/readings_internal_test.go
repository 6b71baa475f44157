package scrub

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strconv"
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
		{"a percent escape in capitals", urlEscape, "%2Fx", 3, "/"},
		{"a percent escape of the last byte", urlEscape, "%ff", 3, "\xff"},
		{"a percent escape with an invalid digit", urlEscape, "%7g", 0, ""},
		{"no percent escape", urlEscape, "74%", 0, ""},
		{"a plus outside of a query", urlEscape, "+", 0, ""},
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
		{"an ampersand before a semicolon", htmlEscape, "&;x", 0, ""},
		{"no reference", htmlEscape, "lt;", 0, ""},
		{"a quotation mark", jsonEscape, `\"x`, 2, `"`},
		{"a slash", jsonEscape, `\/`, 2, "/"},
		{"a backslash", jsonEscape, `\\n`, 2, `\`},
		{"a line feed", jsonEscape, `\n`, 2, "\n"},
		{"a tab", jsonEscape, `\t`, 2, "\t"},
		{"a carriage return", jsonEscape, `\r`, 2, "\r"},
		{"a backspace", jsonEscape, `\b`, 2, "\b"},
		{"a form feed", jsonEscape, `\f`, 2, "\f"},
		{"no escape of JSON", jsonEscape, `\x`, 0, ""},
		{"a backslash at the end", jsonEscape, `\`, 0, ""},
		{"no backslash", jsonEscape, `n\n`, 0, ""},
		{"a character", jsonEscape, `\u0074`, 6, "t"},
		{"a character in capitals", jsonEscape, `\u00E9x`, 6, "é"},
		{"a character that is cut off", jsonEscape, `\u007`, 0, ""},
		{"a character with an invalid digit", jsonEscape, `\u00g0`, 0, ""},
		{"the last character of one escape", jsonEscape, `\uffff`, 6, "\uffff"},
		{"a character of two escapes", jsonEscape, `\ud83e\udd8ax`, 12, "🦊"},
		{"two characters", jsonEscape, `\u0041\u0042`, 6, "A"},
		{"half of a character", jsonEscape, `\ud83e`, 6, "\ufffd"},
		{"half of a character before another escape", jsonEscape, `\ud83e\n`, 6, "\ufffd"},
		{"half of a character before a text", jsonEscape, `\ud83e_udd8a`, 6, "\ufffd"},
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
	require.Equal(t, "x[redacted]y", New("12345", "45678").Text("x12345678y"), "secrets that overlap are one")
	require.Equal(t, "[redacted][redacted]", New("12345").Text("1234512345"))
}

func TestSecretsAreFoundInEscapesOfSeveralKinds(t *testing.T) {
	const secret = `pass"word<1&2\x y`
	asJSON := func(s string) string {
		data, err := json.Marshal(s)
		require.NoError(t, err)
		return string(data[1 : len(data)-1])
	}
	for name, text := range map[string]string{
		"HTML in JSON":                 asJSON(html.EscapeString(secret)),
		"JSON in HTML":                 html.EscapeString(asJSON(secret)),
		"a query in JSON":              asJSON(url.QueryEscape(secret)),
		"JSON in a query":              url.QueryEscape(asJSON(secret)),
		"JSON in a path in HTML":       html.EscapeString(url.PathEscape(asJSON(secret))),
		"JSON in JSON in HTML in JSON": asJSON(html.EscapeString(asJSON(asJSON(secret)))),
	} {
		require.Equal(t, "a [redacted] b", New(secret).Text("a "+text+" b"), name)
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
	asJSON := func(s string) string {
		data, _ := json.Marshal(s)
		return string(data[1 : len(data)-1])
	}
	fromJSON := func(s string) string { json.Unmarshal([]byte(`"`+s+`"`), &s); return s }
	fromQuery := func(s string) string { s, _ = url.QueryUnescape(s); return s }
	escapes := []struct{ to, from func(string) string }{
		{asJSON, fromJSON}, {url.QueryEscape, fromQuery}, {html.EscapeString, html.UnescapeString},
	}
	removed, found := 0, 0
	for _, filling := range []string{"x", `{"a":"<b>"} & 100 % + 1, `, `\ %25 &amp; \\ %2525 + `} {
		for kinds := range 3 * 3 * 3 {
			text := strings.Repeat(filling, 40_000/len(filling)) + secret
			first, then, last := escapes[kinds/9], escapes[kinds/3%3], escapes[kinds%3]
			scrubbed := New(secret).Text(last.to(then.to(first.to(text))))
			if scrubbed == TooManyEscapes {
				removed++
				continue
			}
			require.True(t, strings.HasSuffix(scrubbed, Redacted), "%q %d", filling, kinds)
			require.NotContains(t, first.from(then.from(last.from(scrubbed))), secret)
			found++
		}
	}
	require.NotZero(t, removed)
	require.NotZero(t, found)
}

func TestAllValuesOfAHeaderShareTheWork(t *testing.T) {
	testkit.SkipUnderRace(t)
	header := http.Header{"X-Plain": {"plain secret-value", "100 % & more"}}
	for i := range 900 {
		header.Add("X-Many", strings.Repeat(`%25252525+&amp;amp;amp;\\\\u0041`, 25)+strconv.Itoa(i))
	}
	used := testkit.Allocated(func() { New("secret-value").Header(header) })
	require.Less(t, used, uint64(100<<20))
	require.Equal(t, []string{"plain [redacted]", "100 % & more"}, header["X-Plain"])
	require.Len(t, header["X-Many"], 900)
	require.Equal(t, TooManyEscapes, header["X-Many"][899])
}

func TestASecretInTheNameOfAHeaderIsRemoved(t *testing.T) {
	header := http.Header{"X-Echo-Hunter2-Token": {"a"}, "X-Echo": {"b"}, "x-HUNTER2-token": {"c"}, "X-%68unter2-Token": {"d"}}
	New("Hunter2-toKEN").Header(header)
	require.Equal(t, http.Header{"X-Echo": {"b"}}, header)
}

func TestTheBeginningOfASecretIsReplacedWhereTheTextIsCut(t *testing.T) {
	const secret = "the-secret/0123456789"
	s := New(secret)
	require.Equal(t, "x the-", s.CutText("x the-", true), "less than is looked for")
	require.Equal(t, "x the-s", s.CutText("x the-s", false), "the text is not cut")
	require.Equal(t, "x the-s and more", s.CutText("x the-s and more", true))
	require.Equal(t, "[redacted]", s.CutText("the-s", true))
	require.Equal(t, "the-secret&#47;0123456 and", s.CutText("the-secret&#47;0123456 and", true))
}

package monitoring

import (
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
		{"a reference that is too long", htmlEscape, "&#01114111;", 0, ""},
		{"a reference without its end", htmlEscape, "&lt", 0, ""},
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
		{`x\u0026lt;secret&gt;`, "<secret", "x[redacted]&gt;"},
		{`\ud83e\udd8a1`, "🦊1", "[redacted]"},
		{`abcd\u005C`, `abcd\`, "[redacted]"},
		{"abcd&bne;x", "abcd=", "[redacted]x"},
		{`ab\u005C\u005Ccd`, `ab\\c`, "[redacted]d"},
	} {
		require.Equal(t, c.want, newScrubber(c.secret).text(c.text), c.text)
	}
	require.Equal(t, "x[redacted]y", newScrubber("12345", "45678").text("x12345678y"), "secrets that overlap are one")
	require.Equal(t, "[redacted][redacted]", newScrubber("12345").text("1234512345"))
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
		require.Equal(t, "a [redacted] b", newScrubber(secret).text("a "+text+" b"), name)
	}
}

func TestTheReadingsOfATextAreBounded(t *testing.T) {
	skipUnderRace(t)
	for name, text := range map[string]string{
		"backslashes":       strings.Repeat(`\`, 64<<10),
		"percent signs":     strings.Repeat("%25", 20<<10),
		"ampersands":        strings.Repeat("&amp;", 12<<10),
		"all kinds":         strings.Repeat(`\u0025+%26amp;\\`, 3<<10),
		"backslashes, 1 MB": strings.Repeat(`\`, 1<<20),
	} {
		bytes := 0
		for _, r := range readings(text)[1:] {
			bytes += len(r.text)
		}
		require.LessOrEqual(t, bytes, max(leastReadings, 4*len(text)), name)
		require.LessOrEqual(t, len(readings(text)), 1+4+16+64+256, name)
	}
	require.Len(t, readings("a text without escapes"), 1)
	require.Len(t, readings("a+b"), 2)
	require.Len(t, readings("%41"), 2, "two kinds of escapes, with the same meaning")
	require.Len(t, readings(strings.Repeat("x", 1<<20)+`%2525+\\\\&amp;amp;`), 5, "there is no room for more")
	depth := func(n int) string { return strings.Repeat("%25", 1) + strings.Repeat("25", n-1) + "41bcde" }
	require.Equal(t, "[redacted]", newScrubber("Abcde").text(depth(3)), "four times escaped")
	require.Equal(t, depth(4), newScrubber("Abcde").text(depth(4)), "five times escaped")
}

func TestASecretThatTheClientCutsIsReplaced(t *testing.T) {
	const secret = "the-secret/0123456789"
	for _, shown := range []string{secret, secret[:len(secret)-1], secret[:leastSecret], `the-secret\/0123`, `the-secret\u002f01\u00`, "the-secret%2F01%", "the-secret&#47;01&#4"} {
		body := strings.Repeat("x", maxErrorBody-len(shown)) + shown
		client := testClient(t, status(http.StatusBadRequest, body+"more"), WithMaxRetries(0))
		_, err := client.CheckGroups.Update(t.Context(), 1, CheckGroupUpdate{Name: "g", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("A", secret)}})
		failed, ok := errors.AsType[*APIError](err)
		require.True(t, ok)
		require.Equal(t, "x"+redacted, string(failed.Body[len(failed.Body)-len(redacted)-1:]), shown)
	}
	s := newScrubber(secret)
	require.Equal(t, "x the-", s.replace("x the-", true), "less than is looked for")
	require.Equal(t, "x the-s", s.replace("x the-s", false), "the text is not cut")
	require.Equal(t, "x the-s and more", s.replace("x the-s and more", true))
	require.Equal(t, "[redacted]", s.replace("the-s", true))
	require.Equal(t, "the-secret&#47;0123456 and", s.replace("the-secret&#47;0123456 and", true))
}

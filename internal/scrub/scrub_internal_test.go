package scrub

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecretsAreFoundInEveryEscaping(t *testing.T) {
	const secret = `tok/en"<é&\` + "\n🦊1"
	every := func(f func(r rune) string) string {
		var b strings.Builder
		for _, r := range secret {
			b.WriteString(f(r))
		}
		return b.String()
	}
	quoted, err := json.Marshal(secret)
	require.NoError(t, err)
	twice, err := json.Marshal(string(quoted))
	require.NoError(t, err)
	spellings := map[string]string{
		"as it is":            secret,
		"as JSON":             string(quoted[1 : len(quoted)-1]),
		"as JSON in JSON":     strings.TrimSuffix(strings.TrimPrefix(string(twice), `"\"`), `\""`),
		"with slashes as \\/": strings.ReplaceAll(string(quoted[1:len(quoted)-1]), "/", `\/`),
		"as \\u escapes": every(func(r rune) string {
			if r > 0xffff {
				return `\ud83e\udd8a`
			}
			return fmt.Sprintf(`\u%04x`, r)
		}),
		"as \\u escapes in capitals": every(func(r rune) string {
			if r > 0xffff {
				return `\uD83E\uDD8A`
			}
			return fmt.Sprintf(`\u%04X`, r)
		}),
		"as a query":                 url.QueryEscape(secret),
		"as a path":                  url.PathEscape(secret),
		"as a path in small letters": strings.ToLower(url.PathEscape(strings.ToLower(secret))),
		"as HTML":                    html.EscapeString(secret),
	}
	for name, spelled := range spellings {
		t.Run(name, func(t *testing.T) {
			s := New(secret)
			if name == "as a path in small letters" {
				s = New(strings.ToLower(secret))
			}
			require.Equal(t, "a [redacted] b [redacted]", s.Text("a "+spelled+" b "+spelled))
		})
	}
	require.Equal(t, "[redacted]", New("a key with spaces").Text("a+key+with+spaces"))
}

func TestTheLongestSecretIsRemovedFirst(t *testing.T) {
	for _, order := range [][]string{{"hunter2", "hunter2-tail"}, {"hunter2-tail", "hunter2"}} {
		require.Equal(t, "[redacted] and [redacted]", New(order...).Text("hunter2-tail and hunter2"))
	}
}

func TestTextWithoutASecretIsUnchanged(t *testing.T) {
	s := New("four", "secret")
	for _, text := range []string{"", "four", "secre", "secre%74x"[:7], `secre\u007`, `\`, `%`, "&", "&amp", `secre\`, "sec ret", "SECRET"} {
		require.Equal(t, text, s.Text(text))
	}
	require.Equal(t, "x", New().Text("x"))
	require.Equal(t, json.RawMessage(`{"a":"[redacted]"}`), s.JSON(json.RawMessage(`{"a":"secret"}`)))
	require.Equal(t, json.RawMessage(`"[redacted]"`), New("12345").JSON(json.RawMessage(`{"a":12345}`)), "JSON stays JSON")
	require.Nil(t, s.JSON(nil))
}

func FuzzScrubber(f *testing.F) {
	f.Add("a secret b", "secret")
	f.Add(`\u0073ecret%20&lt;`, "secret <")
	f.Add(`\\\\`, `\\\\\`)
	f.Fuzz(func(t *testing.T, text, secret string) {
		out := New(secret).Text(text)
		if len(secret) >= leastSecret && !strings.Contains(Redacted, secret) && strings.Contains(out, secret) &&
			!strings.Contains(strings.ReplaceAll(out, Redacted, ""), secret) {
			t.Skip() // the secret was made by a replacement
		}
		if len(secret) >= leastSecret && !strings.ContainsAny(secret, "[]") && !strings.Contains(Redacted, secret) {
			require.NotContains(t, out, secret)
		}
		plain := strings.ToValidUTF8(secret, "?")
		if len(plain) < leastSecret {
			return
		}
		quoted, err := json.Marshal(plain)
		require.NoError(t, err)
		inJSON := string(quoted[1 : len(quoted)-1])
		again, err := json.Marshal(inJSON)
		require.NoError(t, err)
		for form, escaped := range map[string]string{
			"JSON": inJSON, "JSON in JSON": string(again[1 : len(again)-1]), "JSON in HTML": html.EscapeString(inJSON),
			"a query": url.QueryEscape(plain), "a path": url.PathEscape(plain), "a query in JSON": strings.ReplaceAll(url.QueryEscape(plain), "%", `\u0025`),
		} {
			require.Contains(t, New(plain).Text("x "+escaped+" y"), Redacted, form)
		}
	})
}

func TestASecretThatLooksLikeAnEscapeIsFound(t *testing.T) {
	for _, secret := range []string{`\u005cabc`, `a\nb\tc`, `%41%42`, "&lt;&gt;", "a+b+c", "%%%%%", `\\\\\\`} {
		quoted, err := json.Marshal(secret)
		require.NoError(t, err)
		for how, text := range map[string]string{"as JSON": string(quoted[1 : len(quoted)-1]), "as a query": url.QueryEscape(secret)} {
			require.Contains(t, New(secret).Text("before "+text), "before [redacted]", "%s %s", secret, how)
		}
	}
}

func TestQuotedScrubsOnlyTextInQuotationMarks(t *testing.T) {
	require.Equal(t, `secret "[redacted]" secret "a [redacted]" secret "[redacted]`,
		New("secret").Quoted(`secret "secret" secret "a secret" secret "secret`))
}

func TestASecretIsRemovedIfItHasFiveBytes(t *testing.T) {
	s := New("12345", "abcd", "67890")
	require.Equal(t, "[redacted] 1234 abcd [redacted]", s.Text("12345 1234 abcd 67890"))
	require.Nil(t, New("abcd").secrets)
}

func TestLongTextsAreCutAt500Bytes(t *testing.T) {
	x, spaces := func(n int) string { return strings.Repeat("x", n) }, func(n int) string { return strings.Repeat(" ", n) }
	for name, c := range map[string]struct{ text, want string }{
		"500 bytes":                            {x(500), x(500)},
		"501 bytes":                            {x(501), x(500) + "…"},
		"cut in a character":                   {x(499) + "é", x(499) + "…"},
		"much longer":                          {x(10_000), x(500) + "…"},
		"blanks are removed":                   {spaces(700) + x(500) + spaces(700), x(500)},
		"blanks up to four times the length":   {"x" + spaces(1999), "x"},
		"more blanks than that":                {"x" + spaces(2000), "x…"},
		"a text after many blanks":             {spaces(1999) + x(1), "x"},
		"a text behind too many blanks":        {spaces(2000) + x(3), "…"},
		"a text that is cut off behind blanks": {spaces(1998) + x(3), "xx…"},
	} {
		require.Equal(t, c.want, Clean(c.text), name)
	}
}

func TestWhichCharactersAreControlCharacters(t *testing.T) {
	controls := map[rune]bool{
		0: true, '\n': true, 0x1f: true, ' ': false, '~': false, 0x7f: true, 0x80: true, 0x9f: true, 0xa0: false,
		'\u2027': false, '\u2028': true, '\u2029': true, '\u202a': true, '\u202c': true, '\u202e': true, '\u202f': false,
		'\u2065': false, '\u2066': true, '\u2067': true, '\u2069': true, '\u206a': false, 'é': false, '🦊': false,
	}
	for r, control := range controls {
		require.Equal(t, control, isControl(r), "%U", r)
	}
	require.Equal(t, "a b", Clean("a\xffb"), "invalid UTF-8 becomes a space")
}

// A secret may itself look like an escape.
func TestASecretThatLooksEscapedIsFoundInEveryForm(t *testing.T) {
	for _, secret := range []string{
		"postgres://u:p%25w@host/db", "Tom&amp;Jerry", `C:\\tmp\\key`, `C:\dir\key9`, `ab\nsecret`, `ab\u0041secret`, `\u005csecret`, "secret%41secret", `a\\\\\\b`, `ends in \`,
	} {
		inJSON, _ := json.Marshal(secret)
		inText, _ := json.Marshal(string(inJSON))
		inURL := url.QueryEscape(secret)
		for form, text := range map[string]string{
			"as it is": secret, "JSON": string(inJSON), "JSON in JSON": string(inText), "a URL": inURL, "HTML": html.EscapeString(secret),
		} {
			scrubbed := New(secret).Text("x " + text + " y")
			require.Contains(t, scrubbed, Redacted, "%s: %s", secret, form)
			require.Less(t, len(scrubbed), len("x "+Redacted+" y")+10, "%s: %s: %s", secret, form, scrubbed)
		}
	}
}

func TestACleanTextIsOneShortLine(t *testing.T) {
	require.Equal(t, "a b", Clean(" a\nb\x00\u202e\u2028"))
	require.LessOrEqual(t, len(Clean(strings.Repeat("é", 400))), MaxText+len("…"))
}

func TestAScrubbedErrorDoesNotGiveAccessToTheOriginalError(t *testing.T) {
	behind := &withSecret{"dial secret-1"}
	err := New("secret-1").Error(fmt.Errorf("wrapped: %w", behind))
	require.EqualError(t, err, "wrapped: dial [redacted]")
	require.ErrorIs(t, err, behind)
	_, ok := errors.AsType[*withSecret](err)
	require.False(t, ok, "the text of the original error has the secret")
	require.NotContains(t, fmt.Sprintf("%#v %+v %v %s %q", err, err, err, err, err), "secret-1")
	var timeout interface{ Timeout() bool }
	require.ErrorAs(t, err, &timeout)
	require.False(t, timeout.Timeout())
	require.ErrorAs(t, New("secret-1").Error(&net.OpError{Op: "secret-1", Err: os.ErrDeadlineExceeded}), &timeout)
	require.True(t, timeout.Timeout())
}

type withSecret struct{ text string }

func (e *withSecret) Error() string { return e.text }

func TestAnErrorWithoutASecretIsTheSameError(t *testing.T) {
	clear := errors.New("clear")
	require.Same(t, clear, New("secret").Error(clear))
	err := New("secret").Error(&net.OpError{Op: "secret", Err: errors.New("refused")})
	var timeout interface{ Timeout() bool }
	require.ErrorAs(t, err, &timeout)
	require.False(t, timeout.Timeout(), "the error has Timeout, which returns false")
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
}

func TestAQuotedTextIsShortOnOneLineAndWithoutSecrets(t *testing.T) {
	s := New("secret/1")
	for text, want := range map[string]string{
		"PAUSED": `"PAUSED"`, " a\nb\x1b[1m\u202e ": `"a b [1m"`, "is secret%2F1!": `"is [redacted]!"`, `a"b`: `"a\"b"`, "": `""`,
		strings.Repeat("x", 20): `"` + strings.Repeat("x", 20) + `"`, strings.Repeat("x", 21): `"` + strings.Repeat("x", 19) + `…"`,
		strings.Repeat(`"`, 30): `"` + strings.Repeat(`\"`, 9) + `…"`, "\xff": `""`, strings.Repeat(" ", MaxText-6) + "secret/1": `"[redacted]"`,
	} {
		require.Equal(t, want, s.Quote(text, 20), "%q", text)
	}
}

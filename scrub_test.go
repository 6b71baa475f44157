package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
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
			s := newScrubber(secret)
			if name == "as a path in small letters" {
				s = newScrubber(strings.ToLower(secret))
			}
			require.Equal(t, "a [redacted] b [redacted]", s.text("a "+spelled+" b "+spelled))
		})
	}
	require.Equal(t, "[redacted]", newScrubber("a key with spaces").text("a+key+with+spaces"))
}

func TestTheLongestSecretIsRemovedFirst(t *testing.T) {
	for _, order := range [][]string{{"hunter2", "hunter2-tail"}, {"hunter2-tail", "hunter2"}} {
		require.Equal(t, "[redacted] and [redacted]", newScrubber(order...).text("hunter2-tail and hunter2"))
	}
}

func TestTextWithoutASecretIsUnchanged(t *testing.T) {
	s := newScrubber("four", "secret")
	for _, text := range []string{"", "four", "secre", "secre%74x"[:7], `secre\u007`, `\`, `%`, "&", "&amp", `secre\`, "sec ret", "SECRET"} {
		require.Equal(t, text, s.text(text))
	}
	require.Equal(t, "x", newScrubber().text("x"))
	require.Equal(t, json.RawMessage(`{"a":"[redacted]"}`), s.raw(json.RawMessage(`{"a":"secret"}`)))
	require.Equal(t, json.RawMessage(`"[redacted]"`), newScrubber("12345").raw(json.RawMessage(`{"a":12345}`)), "JSON stays JSON")
	require.Nil(t, s.raw(nil))
}

func FuzzScrubber(f *testing.F) {
	f.Add("a secret b", "secret")
	f.Add(`\u0073ecret%20&lt;`, "secret <")
	f.Add(`\\\\`, `\\\\\`)
	f.Fuzz(func(t *testing.T, text, secret string) {
		out := newScrubber(secret).text(text)
		if len(secret) >= leastSecret && !strings.Contains(redacted, secret) && strings.Contains(out, secret) &&
			!strings.Contains(strings.ReplaceAll(out, redacted, ""), secret) {
			t.Skip() // the secret was made by a replacement
		}
		if len(secret) >= leastSecret && !strings.ContainsAny(secret, "[]") && !strings.Contains(redacted, secret) {
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
			require.Contains(t, newScrubber(plain).text("x "+escaped+" y"), redacted, form)
		}
	})
}

func TestKeyAndAccountAreNeverInAnError(t *testing.T) {
	const key, account = "key-1234567890", "8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"
	newClient := func(transport roundTripper) *Client {
		return makeClient(t, "https://monitoring.test", key, &http.Client{Transport: transport}, WithAccount(account), WithMaxRetries(0))
	}
	calls := map[string]func(*Client) error{
		"an account in the path": func(c *Client) error { return second(c.Entitlements.Get(t.Context(), account)) },
		"a key as an account":    func(c *Client) error { return second(c.Entitlements.Get(t.Context(), key)) },
		"a key as a session":     func(c *Client) error { return second(c.CheckSessions.Get(t.Context(), key)) },
		"a key as a session to wait for": func(c *Client) error {
			ended, end := context.WithCancel(t.Context())
			end()
			return second(c.CheckSessions.Wait(ended, key, WaitOptions{}))
		},
		"a key as an analysis to wait for": func(c *Client) error {
			ended, end := context.WithCancel(t.Context())
			end()
			return second(c.RootCauseAnalyses.Wait(ended, key))
		},
		"a key as a session to wait for, with a mistake": func(c *Client) error {
			return second(c.CheckSessions.Wait(t.Context(), key, WaitOptions{Share: 2}))
		},
		"a key as a session to cancel": func(c *Client) error { return c.CheckSessions.Cancel(t.Context(), key, CancelRequest{}) },
		"a key in a path":              func(c *Client) error { return second(Do[any](t.Context(), c, "GET", "/v1/"+key, nil, nil)) },
		"a key before a query": func(c *Client) error {
			return second(Do[any](t.Context(), c, "GET", "/v1/"+key+"?x", nil, nil))
		},
		"a key as a check": func(c *Client) error {
			return second(c.CheckSessions.Trigger(t.Context(), TriggerRequest{Target: TriggerTarget{CheckIDs: []string{key}}}))
		},
		"a key as a valid method": func(c *Client) error { return second(Do[any](t.Context(), c, key, "/", nil, nil)) },
		"a key as a method":       func(c *Client) error { return second(Do[any](t.Context(), c, key+" x", "/", nil, nil)) },
	}
	for failure, transport := range map[string]roundTripper{
		"a 404":   faults["404"],
		"a reset": faults["reset after the request is written"],
		"an error that quotes the request": func(req *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("%s %s %v", req.Method, req.URL, req.Header)
		},
	} {
		for name, do := range calls {
			t.Run(failure+" "+name, func(t *testing.T) {
				err := do(newClient(transport))
				require.Error(t, err)
				texts := fmt.Sprintf("%v %+v %#v %q", err, err, err, err)
				for chain := err; chain != nil; chain = errors.Unwrap(chain) {
					data, _ := json.Marshal(chain)
					texts += fmt.Sprintf("%v %+v %#v %s", chain, chain, chain, data)
				}
				require.NotContains(t, texts, key)
				require.NotContains(t, texts, strings.ToUpper(key))
				require.NotContains(t, texts, account)
			})
		}
	}
}

func TestTextsOfTheServiceAndTheTransportAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 20_000_000)
	for name, transport := range map[string]roundTripper{
		"a very long number":  status(200, `{"concurrency":`+long+`}`),
		"a very long message": status(400, `{"message":"`+long+`"}`),
		"a very long error":   func(*http.Request) (*http.Response, error) { return nil, errors.New(long) },
	} {
		t.Run(name, func(t *testing.T) {
			_, err := testClient(t, transport, WithMaxRetries(0)).CheckGroups.Get(t.Context(), 1)
			require.Error(t, err)
			require.Less(t, len(err.Error()), 1000)
		})
	}
	require.Equal(t, "a b", clean(" a\nb\x00\u202e\u2028"))
	require.LessOrEqual(t, len(clean(strings.Repeat("é", 400))), maxText+len("…"))
}

func TestASecretThatLooksLikeAnEscapeIsFound(t *testing.T) {
	for _, secret := range []string{`\u005cabc`, `a\nb\tc`, `%41%42`, "&lt;&gt;", "a+b+c", "%%%%%", `\\\\\\`} {
		quoted, err := json.Marshal(secret)
		require.NoError(t, err)
		for how, text := range map[string]string{"as JSON": string(quoted[1 : len(quoted)-1]), "as a query": url.QueryEscape(secret)} {
			require.Contains(t, newScrubber(secret).text("before "+text), "before [redacted]", "%s %s", secret, how)
		}
	}
}

func TestQuotedScrubsOnlyTextInQuotationMarks(t *testing.T) {
	require.Equal(t, `secret "[redacted]" secret "a [redacted]" secret "[redacted]`,
		newScrubber("secret").quoted(`secret "secret" secret "a secret" secret "secret`))
}

func TestASecretIsRemovedIfItHasFiveBytes(t *testing.T) {
	s := newScrubber("12345", "abcd", "67890")
	require.Equal(t, "[redacted] 1234 abcd [redacted]", s.text("12345 1234 abcd 67890"))
	require.Nil(t, newScrubber("abcd").secrets)
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
		require.Equal(t, c.want, clean(c.text), name)
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
	require.Equal(t, "a b", clean("a\xffb"), "invalid UTF-8 becomes a space")
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
			scrubbed := newScrubber(secret).text("x " + text + " y")
			require.Contains(t, scrubbed, redacted, "%s: %s", secret, form)
			require.Less(t, len(scrubbed), len("x "+redacted+" y")+10, "%s: %s: %s", secret, form, scrubbed)
		}
	}
}

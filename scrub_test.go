package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecretsAreFoundHoweverATextEscapesThem(t *testing.T) {
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
		"as \\U escapes in capitals": every(func(r rune) string {
			if r > 0xffff {
				return `\uD83E\uDD8A`
			}
			return fmt.Sprintf(`\u%04X`, r)
		}),
		"as a query":       url.QueryEscape(secret),
		"as a path":        url.PathEscape(secret),
		"percent in small": strings.ToLower(url.PathEscape(strings.ToLower(secret))),
		"as HTML":          html.EscapeString(secret),
	}
	for name, spelled := range spellings {
		t.Run(name, func(t *testing.T) {
			s := newScrubber(secret)
			if name == "percent in small" {
				s = newScrubber(strings.ToLower(secret))
			}
			require.Equal(t, "a [redacted] b [redacted]", s.text("a "+spelled+" b "+spelled))
		})
	}
	require.Equal(t, "[redacted]", newScrubber("a key with spaces").text("a+key+with+spaces"))
}

func TestTheLongestSecretIsTakenOutFirst(t *testing.T) {
	for _, order := range [][]string{{"hunter2", "hunter2-tail"}, {"hunter2-tail", "hunter2"}} {
		require.Equal(t, "[redacted] and [redacted]", newScrubber(order...).text("hunter2-tail and hunter2"))
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
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
			t.Skip() // it arose around a replacement
		}
		if len(secret) >= leastSecret && !strings.ContainsAny(secret, `\%&+[]`) && !strings.Contains(redacted, secret) {
			require.NotContains(t, out, secret)
		}
		quoted, err := json.Marshal(strings.ToValidUTF8(secret, "?"))
		require.NoError(t, err)
		if plain := strings.ToValidUTF8(secret, "?"); len(plain) >= leastSecret && !strings.ContainsAny(plain, `\%&+`) {
			require.Equal(t, redacted, newScrubber(plain).text(string(quoted[1:len(quoted)-1])), "as JSON")
		}
	})
}

func TestTheErrorOfASecretDoesNotGiveAwayTheErrorBehindIt(t *testing.T) {
	behind := &withSecret{"dial secret-1"}
	err := newScrubber("secret-1").error(fmt.Errorf("wrapped: %w", behind))
	require.EqualError(t, err, "wrapped: dial [redacted]")
	require.ErrorIs(t, err, behind)
	_, ok := errors.AsType[*withSecret](err)
	require.False(t, ok, "its text holds the secret")
	require.NotContains(t, fmt.Sprintf("%#v %+v %v %s %q", err, err, err, err, err), "secret-1")
	var timeout interface{ Timeout() bool }
	require.ErrorAs(t, err, &timeout)
	require.False(t, timeout.Timeout())
	require.ErrorAs(t, newScrubber("secret-1").error(&net.OpError{Op: "secret-1", Err: os.ErrDeadlineExceeded}), &timeout)
	require.True(t, timeout.Timeout())
}

type withSecret struct{ text string }

func (e *withSecret) Error() string { return e.text }

func TestWordsOfAVariableLeaveErrorsOfTheNetworkWhole(t *testing.T) {
	client := testClient(t, faults["reset after the request is written"], WithMaxRetries(0))
	_, err := client.CheckGroups.Update(t.Context(), 1, CheckGroupUpdate{
		Name: "g", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("A", "connection")},
	})
	require.ErrorContains(t, err, "connection reset")
	require.ErrorIs(t, err, syscall.ECONNRESET)
	var network net.Error
	require.ErrorAs(t, err, &network)
}

func TestKeyAndAccountAreNeverSpelledOut(t *testing.T) {
	const key, account = "key-1234567890", "8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40"
	newClient := func(transport roundTripper) *Client {
		return makeClient(t, "https://monitoring.test", key, &http.Client{Transport: transport}, WithAccount(account), WithMaxRetries(0))
	}
	calls := map[string]func(*Client) error{
		"an account in the path":      func(c *Client) error { return second(c.Entitlements.Get(t.Context(), account)) },
		"a key as an account":         func(c *Client) error { return second(c.Entitlements.Get(t.Context(), key)) },
		"a key as a session":          func(c *Client) error { return second(c.CheckSessions.Get(t.Context(), key)) },
		"a key as a session with dot": func(c *Client) error { return c.CheckSessions.Cancel(t.Context(), key, CancelRequest{}) },
		"a key in a path":             func(c *Client) error { return second(Do[any](t.Context(), c, "GET", "/v1/"+key, nil, nil)) },
		"a key before a query": func(c *Client) error {
			return second(Do[any](t.Context(), c, "GET", "/v1/"+key+"?x", nil, nil))
		},
		"a key as a check": func(c *Client) error {
			return second(c.CheckSessions.Trigger(t.Context(), TriggerRequest{Target: TriggerTarget{CheckIDs: []string{key}}}))
		},
		"a key as a good method": func(c *Client) error { return second(Do[any](t.Context(), c, key, "/", nil, nil)) },
		"a key as a method":      func(c *Client) error { return second(Do[any](t.Context(), c, key+" x", "/", nil, nil)) },
	}
	for what, transport := range map[string]roundTripper{
		"a 404":   faults["404"],
		"a reset": faults["reset after the request is written"],
		"a chatty error": func(req *http.Request) (*http.Response, error) {
			return nil, fmt.Errorf("%s %s %v", req.Method, req.URL, req.Header)
		},
	} {
		for name, do := range calls {
			t.Run(what+" "+name, func(t *testing.T) {
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

func TestTextsOfOthersAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 20_000_000)
	for name, transport := range map[string]roundTripper{
		"a number without end":  status(200, `{"concurrency":`+long+`}`),
		"a message without end": status(400, `{"message":"`+long+`"}`),
		"an error without end":  func(*http.Request) (*http.Response, error) { return nil, errors.New(long) },
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

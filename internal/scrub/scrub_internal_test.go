package scrub

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func asJSON(text string) string {
	data, _ := json.Marshal(text)
	return string(data[1 : len(data)-1])
}

// asCodes writes each character as \u0074, and those beyond four digits as two.
func asCodes(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r > 0xffff {
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04X\u%04X`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func slashed(text string) string { return strings.ReplaceAll(asJSON(text), "/", `\/`) }

func TestWhichTextsHaveASecretInThem(t *testing.T) {
	for _, c := range []struct {
		text, want string
		secrets    []string
	}{
		{"hunter2-tail and hunter2", "[redacted] and [redacted]", []string{"hunter2", "hunter2-tail"}},
		{"hunter2-tail and hunter2", "[redacted] and [redacted]", []string{"hunter2-tail", "hunter2"}},
		{"x12345678y 1234512345", "x[redacted]y [redacted][redacted]", []string{"12345", "45678"}},
		{"12345 1234 abcd", "[redacted] 1234 abcd", []string{"12345", "abcd"}}, // a secret has five bytes
		{"x", "x", nil},
	} {
		require.Equal(t, c.want, New(c.secrets...).Text(c.text))
	}
	require.Nil(t, New("abcd").secrets.list)
	s := New("four", "secret")
	for _, text := range []string{"", "four", "secre", `secre\u007`, `\`, `%`, "&", "&amp", `secre\`, "sec ret", "SECRET"} {
		require.Equal(t, text, s.Text(text))
	}
	require.Equal(t, json.RawMessage(`{"a":"[redacted]"}`), s.JSON(json.RawMessage(`{"a":"secret"}`)))
	require.Equal(t, json.RawMessage(`"[redacted]"`), New("12345").JSON(json.RawMessage(`{"a":12345}`)), "JSON stays JSON")
	require.Nil(t, s.JSON(nil))
	require.Equal(t, `{"a":
"x\u202ey\u009b\udb40\udc41é"}`, string(s.JSON(json.RawMessage("{\"a\":\n\"x\u202ey\u009b\U000e0041é\"}"))), "what cannot be seen is escaped")
	require.Equal(t, `secret "[redacted]" secret "a [redacted]" secret "[redacted]`, s.Quoted(`secret "secret" secret "a secret" secret "secret`), "only in quotation marks")
}

// TestASearchFindsWhatALookForEachSecretFinds compares the search with one that looks for each
// secret by itself. Few letters make secrets that begin, contain and overlap each other.
func TestASearchFindsWhatALookForEachSecretFinds(t *testing.T) {
	letters := rand.New(rand.NewPCG(1, 2))
	word := func(most int) string {
		text := make([]byte, 1+letters.IntN(most))
		for i := range text {
			text[i] = "ab"[letters.IntN(2)]
		}
		return string(text)
	}
	for range 2000 {
		var list []string
		for range letters.IntN(20) {
			list = append(list, word(9))
		}
		text := word(60)
		hidden, begun := make([]bool, len(text)), -1
		for _, secret := range list {
			for at := range len(text) {
				if strings.HasPrefix(text[at:], secret) {
					for i := range len(secret) {
						hidden[at+i] = true
					}
				}
				rest := text[at:]
				if len(rest) >= leastSecret && len(rest) < len(secret) && strings.HasPrefix(secret, rest) && (begun < 0 || at < begun) {
					begun = at
				}
			}
		}
		s := (&secrets{list: list}).sorted()
		found := make([]bool, len(text))
		for _, part := range s.in(text) {
			for at := part.from; at < part.to; at++ {
				found[at] = true
			}
		}
		require.Equal(t, hidden, found, "%s in %s", list, text)
		require.Equal(t, begun, (&reading{text: text}).beginningOf(s), "%s in %s", list, text)
	}
}

func TestShortSecretsAreRemovedOnRequest(t *testing.T) {
	require.Equal(t, "x and [redacted]", New("long-secret").WithShort("x", "abc").Text("x and abc"))
	require.Equal(t, "[redacted] and [redacted]", New("long-secret").WithShort("abc").Text("abc and long-secret"))
}

func TestWhichHeadersMayBeSecrets(t *testing.T) {
	for _, name := range []string{"X-My-AUTH-1", "X-ApiKey", "x-token", "X-Secrets", "Cookie"} {
		require.True(t, IsSecretHeader(name, "short"), name)
	}
	require.False(t, IsSecretHeader("X-Word", "0123456789abcde"))
	require.True(t, IsSecretHeader("X-Word", "0123456789abcdef"))
}

func FuzzScrubber(f *testing.F) {
	f.Add("a secret b", "secret")
	f.Add(`\u0073ecret%20&lt;`, "secret <")
	f.Add(`\\\\`, `\\\\\`)
	for _, secret := range []string{ // some of them look like an escape themselves
		`tok/en"<é&\` + "\n🦊1", `pass"word<1&2\x y`, "a key with spaces", "white\tspace\r\b\f", "postgres://u:p%25w@host/db", "Tom&amp;Jerry", `C:\\tmp\\key`, `ab\nsecret`, `ab\u0041secret`,
		`\u005csecret`, "%41%42", "&lt;&gt;", "a+b+c", "%%%%%", `a\\\\\\b`, `ends in \`,
	} {
		f.Add("", secret)
	}
	forms := map[string]func(string) string{
		"as it is": strings.Clone, "JSON": asJSON, "JSON with \\/": slashed, "codes": asCodes, "a query": url.QueryEscape, "a path": url.PathEscape, "HTML": html.EscapeString,
	}
	f.Fuzz(func(t *testing.T, text, secret string) {
		out := New(secret).Text(text)
		if len(secret) >= leastSecret && !strings.ContainsAny(secret, "[]") && !strings.Contains(Redacted, secret) {
			require.NotContains(t, out, secret)
		}
		plain := strings.ToValidUTF8(secret, "?")
		if len(plain) < leastSecret || len(plain) > 1000 { // the readings of longer ones might be too many
			return
		}
		deep := asJSON(html.EscapeString(url.QueryEscape(asJSON(plain))))
		require.Contains(t, New(plain).Text("x "+deep+" y"), Redacted)
		for first, inner := range forms {
			for then, outer := range forms {
				scrubbed := New(plain).Text("x " + outer(inner(plain)) + " y")
				require.Contains(t, scrubbed, Redacted, "%s in %s", first, then)
				require.Less(t, len(scrubbed), len("x "+Redacted+" y")+10, "%s in %s: %s", first, then, scrubbed)
			}
		}
	})
}

func TestAllValuesOfAHeaderShareTheWork(t *testing.T) {
	testkit.SkipUnderRace(t)
	header := http.Header{"X-Plain": {"plain secret-value", "100 % & more"}}
	for i := range 300 {
		header.Add("X-Many", strings.Repeat(`%25252525+&amp;amp;amp;\\\\u0041`, 25)+strconv.Itoa(i))
	}
	used := testkit.Allocated(func() { New("secret-value").ForResponse().Header(header) })
	require.Less(t, used, uint64(100<<20))
	require.Equal(t, []string{"plain [redacted]", "100 % & more"}, header["X-Plain"])
	require.Len(t, header["X-Many"], 300)
	require.Equal(t, TooManyEscapes, header["X-Many"][299])

	header = http.Header{"X-Echo-Hunter2-Token": {"a"}, "X-Echo": {"b"}, "x-HUNTER2-token": {"c"}, "X-%68unter2-Token": {"d"}}
	New("Hunter2-toKEN").Header(header)
	require.Equal(t, http.Header{"X-Echo": {"b"}}, header, "a name with a secret in it")
	header = http.Header{"X\u202eEcho": {"a"}, "X-Echo": {"a\x1b[2J\u202eb"}}
	New().Header(header)
	require.Equal(t, http.Header{"X-Echo": {"a [2J b"}}, header)
}

func TestTheBeginningOfASecretIsReplacedWhereTheTextIsCut(t *testing.T) {
	s := New("the-secret/0123456789")
	require.Equal(t, "x the-", s.CutText("x the-", true), "less than is looked for")
	require.Equal(t, "x the-s", s.CutText("x the-s", false), "the text is not cut")
	for _, text := range []string{"x the-s and more", "the-secret&#47;0123456 and"} {
		require.Equal(t, text, s.CutText(text, true))
	}
	for _, shown := range []string{
		"the-s", "the-secret/012345678", `the-secret\/0123`, `the-secret\u002f01\u00`, "the-secret&#000000000000047;0&#00000000000", "the-secret&#x2f;01&#x", "the-secret%2F01%", "the-secret&#47;01&#4",
	} {
		require.Equal(t, "x [redacted]", s.CutText("x "+shown, true), shown)
	}
}

func TestACleanTextIsOneLineOfAtMost500Bytes(t *testing.T) {
	x, spaces := func(n int) string { return strings.Repeat("x", n) }, func(n int) string { return strings.Repeat(" ", n) }
	for text, want := range map[string]string{
		" a\nb\x00\u202e\u2028": "a b", "a\xffb": "a b", x(500): x(500), x(501): x(500) + "…", x(499) + "é": x(499) + "…", x(10_000): x(500) + "…",
		spaces(700) + x(500) + spaces(700): x(500), "x" + spaces(1999): "x", "x" + spaces(2000): "x…", // blanks up to four times the length
		spaces(1999) + x(1): "x", spaces(2000) + x(3): "…", spaces(1998) + x(3): "xx…",
	} {
		require.Equal(t, want, Clean(text), "%.20q", text)
	}
	for r, control := range map[rune]bool{
		0: true, '\n': true, 0x1f: true, ' ': false, '~': false, 0x7f: true, 0x80: true, 0x9f: true, 0xa0: false,
		'\u2027': false, '\u2028': true, '\u2029': true, '\u202a': true, '\u202c': true, '\u202e': true, '\u202f': false, '\u2066': true, '\u2067': true, '\u2069': true, '\u206a': true, '\u200f': true, '\u061c': true, '\ufeff': true, '\U000e0041': true, 'é': false, '🦊': false,
	} {
		require.Equal(t, control, isControl(r), "%U", r)
	}
}

func TestAQuotedTextIsShortOnOneLineAndWithoutSecrets(t *testing.T) {
	s := New("secret/1")
	for text, want := range map[string]string{
		"PAUSED": `"PAUSED"`, " a\nb\x1b[1m\u202e ": `"a b [1m"`, "is secret%2F1!": `"is [redacted]!"`, `a"b`: `"a\"b"`, "": `""`,
		strings.Repeat("x", 20): `"` + strings.Repeat("x", 20) + `"`, strings.Repeat("x", 21): `"` + strings.Repeat("x", 19) + `…"`,
		strings.Repeat(`"`, 30): `"` + strings.Repeat(`\"`, 9) + `…"`, "\xff": `""`, strings.Repeat(" ", MaxText-6) + "secret/1": `"[redacted]"`,
	} {
		require.Equal(t, want, s.Quote(text, 20).String(), "%q", text)
	}
}

// told says what is behind it in the way of package exchange.
type told struct {
	text   string
	behind error
}

func (e told) Error() string        { return e.text }
func (e told) Behind() error        { return e.behind }
func (e told) Is(target error) bool { return target == e.behind }
func (e told) As(target any) bool   { return errors.As(e.behind, target) }

type withSecret struct{ text string }

func (e *withSecret) Error() string { return e.text }

func TestAScrubbedErrorDoesNotGiveAccessToTheOriginalError(t *testing.T) {
	clear := errors.New("clear")
	require.Same(t, clear, New("secret").Error(clear).Err())
	require.ErrorIs(t, New("secret").Error(clear), clear)

	behind := &withSecret{"dial secret-1"}
	for shown, original := range map[string]error{
		"wrapped: dial [redacted]": fmt.Errorf("wrapped: %w", behind), "the proxy failed": hiding{errors.Join(clear, behind)}, "refused": told{"refused", behind},
	} {
		err := New("secret-1").Error(original).Err()
		require.EqualError(t, err, shown)
		require.ErrorIs(t, err, behind)
		_, ok := errors.AsType[*withSecret](err)
		require.False(t, ok, "the text of the original error has the secret")
		require.NotContains(t, fmt.Sprintf("%#v %+v %v %s %q", err, err, err, err, err), "secret-1")
	}
	for original, times := range map[error]bool{
		behind: false, &net.OpError{Op: "secret-1", Err: errors.New("refused")}: false, &net.OpError{Op: "secret-1", Err: os.ErrDeadlineExceeded}: true,
	} {
		var timeout interface{ Timeout() bool }
		err := New("secret-1").Error(original)
		require.ErrorAs(t, err, &timeout)
		require.Equal(t, times, timeout.Timeout())
		require.Equal(t, times, errors.Is(err, os.ErrDeadlineExceeded))
	}
}

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
		{jsonEscape, `\/`, 2, "/"},
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
		{`aé&eacute;éx b`, "ééé", "a[redacted]x b"},
		{`aé&eacute;éé b`, "ééé", "a[redacted] b"}, // twice, one over the other
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

// known is an error whose text is the caller's own.
type known struct{ error }

func ours(err error) (inner error, ours bool) {
	k, ours := err.(known)
	return k.error, ours
}

// hiding shows another text than the error behind it.
type hiding struct{ error }

func (hiding) Error() string   { return "the proxy failed" }
func (e hiding) Unwrap() error { return e.error }

func address(text string) net.Addr { return &net.UnixAddr{Name: text} }

var reset = os.NewSyscallError("read", syscall.ECONNRESET)

func TestAWordOfTheNetworkThatIsASecretIsTheNetworksOwn(t *testing.T) {
	for secret, err := range map[string]error{
		"write":              &net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EPIPE)},
		"broken":             known{&net.OpError{Op: "write", Err: syscall.EPIPE}},
		"lookup":             &net.OpError{Op: "dial", Err: &net.DNSError{Err: "server misbehaving", Name: "monitoring.test"}},
		"server misbehaving": &net.DNSError{Err: "server misbehaving", Name: "monitoring.test"},
		"certificate":        &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h"}},
		"authority":          &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}},
		"unexpected":         io.ErrUnexpectedEOF,
		"closed":             net.ErrClosed,
		"remote error":       &net.OpError{Op: "remote error", Err: tls.AlertError(40)},
		"proxyconnect":       &net.OpError{Op: "proxyconnect", Net: "tcp", Addr: address("10.0.0.1:80"), Err: reset},
	} {
		require.True(t, New(secret).IsNetwork(err, ours), "%s: %v", secret, err)
	}
	require.True(t, New("secret").IsNetwork(known{}, ours), "an error of the caller with nothing behind it")
}

func TestWhatATransportWritesIntoANetworkErrorIsNotTheNetworksOwn(t *testing.T) {
	const secret = "hunter2-of-the-group"
	said := errors.New("body " + secret)
	for name, err := range map[string]error{
		"the reason of an operation":      &net.OpError{Op: "write", Net: "tcp", Err: said},
		"the name of an operation":        &net.OpError{Op: "write " + secret, Err: reset},
		"the network":                     &net.OpError{Op: "write", Net: secret, Err: reset},
		"an address":                      &net.OpError{Op: "write", Addr: address("h/" + secret), Err: reset},
		"a local address":                 &net.OpError{Op: "write", Source: address(secret), Err: reset},
		"an address in JSON":              &net.OpError{Op: "write", Addr: address(`"hunter2\u002dof-the-group"`), Err: reset},
		"a name to look up":               &net.DNSError{Name: secret, Err: "no such host"},
		"a reason of a look-up":           &net.DNSError{Name: "h", Err: "no " + secret},
		"a server of a look-up":           &net.DNSError{Name: "h", Server: secret},
		"behind a look-up":                &net.DNSError{Name: "h", UnwrapErr: said},
		"the name of a system call":       os.NewSyscallError(secret, syscall.EPIPE),
		"the reason of a system call":     os.NewSyscallError("write", said),
		"the reason of a bad certificate": &tls.CertificateVerificationError{Err: said},
		"the host of a certificate":       x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"h"}}, Host: secret},
		"the names of a certificate":      x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"h", secret}}, Host: "h"},
		"the reason of a bad TLS record":  tls.RecordHeaderError{Msg: secret},
		"a wrapped error":                 fmt.Errorf("send %s: %w", secret, reset),
		"joined errors":                   errors.Join(reset, said),
		"an error that hides it":          &net.OpError{Op: "dial", Err: hiding{said}},
		"several levels":                  known{&net.OpError{Op: "dial", Err: os.NewSyscallError("write", fmt.Errorf("%w: %s", syscall.ECONNRESET, secret))}},
		"a deadline that hides it":        hiding{errors.Join(context.DeadlineExceeded, said)},
		"no operation":                    (*net.OpError)(nil),
		"no look-up":                      (*net.DNSError)(nil),
	} {
		require.False(t, New(secret).IsNetwork(err, ours), name)
	}
}

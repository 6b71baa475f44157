package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const (
	theKey    = "sk_live/42+secret"
	theTenant = "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"
)

// hostile returns a service whose one session has this text wherever the service has a text,
// except for its status.
func hostile(t *testing.T, status, text string) *monitoringtest.Service {
	t.Helper()
	const id, resultID = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"
	session := map[string]any{
		"checkSessionId": id, "checkSessionLink": "https://monitoring.test/" + text, "checkId": loginID, "checkType": text, "status": status, "name": text,
		"startedAt": "2026-08-19T10:15:00.120Z", "stoppedAt": "2026-08-19T10:15:02.120Z", "runLocations": []string{text, "b" + text},
		"results": []map[string]any{{
			"checkResultId": resultID, "checkResultLink": text, "checkId": loginID, "runLocation": text, "resultType": "FINAL", "hasFailures": true,
		}},
	}
	failed := map[string]any{"id": resultID, "checkId": loginID, "apiCheckResult": map[string]any{
		"requestError": text, "request": map[string]any{"method": text, "url": "https://shop.test/" + text},
		"response":   map[string]any{"status": 500, "statusText": text, "body": text, "headers": map[string]any{text: text, "x": []string{text}}, "timingPhases": map[string]any{text: 5}},
		"assertions": []map[string]any{{"source": text, "property": text, "comparison": text, "target": text, "actual": text, "regex": text, "error": text}},
	}, "browserCheckResult": map[string]any{
		"errors": []map[string]any{{"message": text, "stack": text}}, "pages": []map[string]any{{"url": text}}, "traceSummary": map[string]any{text: text}, "runtimeVersion": text,
	}, "agenticCheckResult": map[string]any{"summary": text, "assertions": []map[string]any{{"condition": text, "passed": false, "expected": text, "actual": text}}}}
	svc := monitoringtest.New(monitoringtest.WithAPIKey(theKey), monitoringtest.WithAccountID(theTenant))
	for operation, body := range map[string]any{opTrigger: map[string]any{"sessions": []any{session}}, opCompletion: session, opResult: failed} {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		svc.Inject(monitoringtest.Fault{Operation: operation, Status: 200, Body: string(text)})
	}
	return svc
}

var commands = regexp.MustCompile(`(?im)##\[|##vso\[|##teamcity\[|^[\s\p{Z}\p{Cf}]*::|^(?:\+\+\+|---|~~~)|\x1b|\r`)

// hostileTexts are names, reasons, locations, statuses and links.
var hostileTexts = map[string]string{
	"a command":                        "::error::boom",
	"one after a line feed":            "Login\n::error::boom",
	"one after a carriage return":      "Login\r  ::set-output name=a::b",
	"one after an odd blank":           "\u00a0\u3000::stop-commands::x",
	"one after an invisible one":       "\u200b::error::x",
	"one in the middle of a line":      "Login ##[error]boom",
	"one with more hashes":             "###[group]x",
	"one of Azure":                     "x ##vso[task.complete result=Succeeded;]done",
	"one in capitals":                  "##VSO[task.setvariable variable=A]b",
	"one of TeamCity":                  "##teamcity[buildStatus text='fine']",
	"one after an escape sequence":     "#\x1b[1m#[error]boom",
	"a forged verdict":                 "x\nChecks passed: 1 check in 1.0s: 1 passed.",
	"a forged session":                 "x\n" + loginID + " Login",
	"control characters":               "a\x00b\x07c\x1b]0;title\x07d\u202ee\u2028f\u0085g",
	"the end of a cell":                "a|b) >c\r| d |",
	"a script":                         "</script></title></style><script>alert(1)</script>",
	"an attribute":                     `" onmouseover="alert(1)" style="color:red`,
	"a link":                           "javascript:alert(1)",
	"a link of Markdown":               "[x](javascript:alert(1)) https://evil.test www.evil.test @everybody",
	"markup of Markdown":               "# **a** `b` <img src=x> ~~c~~ </details>",
	"the end of a block":               "```\n```\n# heading",
	"the end of CDATA":                 "]]></failure><x>&#0;",
	"an emoji and a formula of TeX":    `:white_check_mark: $\Huge{passed}$ :x:`,
	"a group of Buildkite":             "+++ passed\n--- passed\n~~~ passed",
	"a section of GitLab":              "\x1b[0Ksection_start:1:x\r\x1b[0Kpassed",
	"a template":                       "{{.Key}} ${{ secrets.A }} %0A::error::x",
	"a formula":                        `=HYPERLINK("http://evil.test","x")`,
	"an item of a list":                "- passed",
	"a numbered one":                   "1) passed + -",
	"references":                       "fixes #12, GH-12, gh-7 and org/repo#1: 0123abcd0123abcd0123abcd0123abcd0123abcd by @org/team a@b.test",
	"a heading below":                  "===",
	"letters of the right":             "\u05e2\u05d1\u05e8 (42) \u200f17",
	"a very long one":                  strings.Repeat("long ", 2000),
	"nothing that can be seen":         "\u200b \u202e",
	"bytes that are not UTF-8 in JSON": "a\xff\xfeb",
}

func TestNothingThatTheServiceSaysForgesALineACommandOrMarkup(t *testing.T) {
	for name, text := range hostileTexts {
		inBubble(t, name, func(t *testing.T) {
			for _, status := range []string{"FAILED", text} { // a location has failed, whatever the status says
				actions := env(envActions, "true")
				got := gateOf(t.Context(), t, hostile(t, status, text), actions, "-tags", "all", "-all")
				require.Equal(t, exitFailed, got.code)
				require.True(t, strings.HasPrefix(lastLine(got.stdout), "Checks failed: "))
				annotation, stdout, _ := strings.Cut(got.stdout, "\n")
				require.True(t, strings.HasPrefix(annotation, "::error title="), annotation)
				require.NotContains(t, strings.TrimPrefix(annotation, "::error "), "\r")
				require.Equal(t, 2, strings.Count(annotation, "::")-strings.Count(strings.SplitN(annotation, "::", 3)[2], "::"), annotation)
				for _, out := range []string{stdout, got.stderr} {
					require.NotRegexp(t, commands, out)
					require.NotContains(t, "\n"+out, "\nChecks passed")
					require.NotContains(t, "\n"+out, "\n"+loginID)
					requireShown(t, out)
				}
				requireShown(t, got.markdown)
				requireShown(t, got.page)
				requireShown(t, got.json)
				requirePage(t, got.page)
				require.True(t, json.Valid([]byte(got.json)))
				require.NotContains(t, got.json, "<")
				decoder := xml.NewDecoder(strings.NewReader(got.junit))
				for err := error(nil); err != io.EOF; _, err = decoder.Token() {
					require.NoError(t, err, got.junit)
				}
			}
			output := filepath.Join(t.TempDir(), "output")
			gateOf(t.Context(), t, hostile(t, "FAILED", text), env(envActions, "true", envStepOutput, output), "-tags", "all")
			outputs, err := os.ReadFile(output)
			require.NoError(t, err)
			require.Regexp(t, `^(?:[a-z-]+=[^\n]*\n){11}$`, string(outputs))
			requireShown(t, string(outputs))
			left := gateOf(t.Context(), t, hostile(t, "STARTED", text), env(), "-tags", "all", "-detach")
			require.Equal(t, 1, strings.Count(left.stdout, "\n"))
			require.Regexp(t, `^[0-9a-f-]{36} \S`, left.stdout)
			require.NotRegexp(t, commands, left.stdout)
			requireShown(t, left.stdout)
		})
	}
}

// requireShown fails if a text has a character that is not shown, or reorders others.
func requireShown(t *testing.T, text string) {
	t.Helper()
	for _, r := range strings.NewReplacer("\n", "", "\t", "").Replace(text) {
		require.False(t, unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || unicode.In(r, unicode.Cf), "%q in\n%s", r, text)
	}
}

// requirePage fails if a page has an element or a link that the template does not have.
func requirePage(t *testing.T, page string) {
	t.Helper()
	require.NotContains(t, page, "ZgotmplZ")
	_, body, _ := strings.Cut(page, "</style>")
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`<([a-z0-9]+)`).FindAllStringSubmatch(pageSource+evidenceSource, -1) {
		known[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`<([a-zA-Z0-9!?]+)([^>]*)>`).FindAllStringSubmatch(body, -1) {
		require.True(t, known[m[1]], m[0])
		require.NotRegexp(t, `\s(on\w+|style|src|srcset|action)=`, regexp.MustCompile(`="[^"]*"`).ReplaceAllString(m[2], `=""`), m[0])
	}
	for _, m := range regexp.MustCompile(`href="?([^">]*)`).FindAllStringSubmatch(body, -1) {
		require.True(t, strings.HasPrefix(m[1], "https://monitoring.test/") || regexp.MustCompile(`^#check-[A-Za-z0-9-]+$`).MatchString(m[1]), m[0])
	}
}

func TestTheGateShowsNeitherTheKeyNorTheAccount(t *testing.T) {
	for name, text := range map[string]string{
		"the key":                              theKey,
		"the account":                          theTenant,
		"the account in capitals":              strings.ToUpper(theTenant),
		"the key escaped as in a URL":          "sk_live%2F42%2Bsecret",
		"the key escaped as in JSON":           `sk_live\/42\u002bsecret`,
		"the key escaped as in HTML":           "sk_live&#47;42&#x2b;secret",
		"the key escaped twice":                "sk_live%252F42%252Bsecret",
		"the key between other words":          "Bearer " + theKey + " of " + theTenant,
		"the key with colors in it":            "sk_live\x1b[31m/42+secret",
		"the key where a long name is cut off": strings.Repeat("x", 190) + theKey,
		"the key where a reason is cut off":    strings.Repeat("x", mostReason-12) + theKey,
	} {
		inBubble(t, name, func(t *testing.T) {
			got := gateOf(t.Context(), t, hostile(t, "FAILED", text), env(envKey, theKey, envAccount, theTenant, envActions, "true"), "-tags", "all", "-all")
			page := strings.ReplaceAll(got.page, "accounts/"+theTenant, "")
			for _, out := range []string{got.stdout, got.stderr, got.junit, got.markdown, page, got.json} {
				for _, part := range []string{"sk_live", "42+secret", "2bsecret", "2Bsecret", "x2b;secret", "7a53", "7A53"} {
					require.NotContains(t, out, part)
				}
			}
		})
	}
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll(theKey, 0o700)) // is no file to be written
	t.Setenv("MONITORING_BASE_URL", "http://127.0.0.1:1")
	t.Setenv(envKey, theKey)
	for _, args := range [][]string{{"-tags", "a", theKey}, {"-" + theKey}, {"-tags", theKey + ","}, {"-demo", "-junit", theKey}} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitUnknown, program{env(envKey, theKey), &stdout, &stderr, nil}.run(t.Context(), args))
		require.NotContains(t, stdout.String()+stderr.String(), "42+secret")
		require.Contains(t, stderr.String(), "[redacted]")
	}
}

func TestALinkIsShownOnlyIfItIsOrdinary(t *testing.T) {
	c := newCleaner(env(envKey, theKey, envAccount, theTenant))
	page := "https://app.test/accounts/" + theTenant + "/checks/a%20b?tab=1#x"
	require.Equal(t, page, c.link(page), "links need the account")
	for _, bad := range []string{
		"javascript:1", "http://x.test", "https://x\r|", "https://x\ny", "https://x|y", "https://x)y", "https://x>y", "https://x y", `https://x\y`, "https://x`y",
		"https://x\u2028y", "", " https://x", "https://x.test/" + theKey, "https://x.test/?a=sk_live%2F42%2Bsecret", "https://x.test/" + strings.Repeat("x", mostLink),
		"https://app.test/?of=" + theTenant, "https://s3.test/a?X-Amz-Signature=abc", "https://x.test/a?b=c&access_token=abc", "https://x.test/a?sig=abc",
	} {
		require.Empty(t, c.link(bad), fmt.Sprintf("%q", bad))
	}
	require.Equal(t, "see https://s3.test/a?X-Amz-Signature=[redacted] for more", c.line("see https://s3.test/a?X-Amz-Signature=ab%20c for more"))
}

func TestWhatSignsAnAddressIsMaskedInEveryReading(t *testing.T) {
	c := newCleaner(env())
	for name, text := range map[string]string{
		"as it is":                   "https://s3.test/a?X-Amz-Signature=5ec4e7",
		"behind another part":        "https://s3.test/a?b=c&X-Amz-Signature=5ec4e7&d=e",
		"escaped as in HTML":         "https://s3.test/a?b=c&amp;X-Amz-Signature=5ec4e7",
		"with a number of HTML":      "https://s3.test/a?b=c&#38;X-Amz-Signature&#61;5ec4e7",
		"escaped as in JSON":         `{"u":"https:\/\/s3.test\/a?b=c\u0026X-Amz-Signature\u003d5ec4e7"}`,
		"escaped as in an address":   "https://x.test/?to=https%3A%2F%2Fs3.test%2Fa%3Fb%3Dc%26X-Amz-Signature%3D5ec4e7",
		"escaped twice":              "https://x.test/?to=https%253A%252F%252Fs3.test%252Fa%253FX-Amz-Signature%253D5ec4e7",
		"in letters that need none":  "https://s3.test/a?X%2DAmz%2DSig%6eature=5ec4e7",
		"JSON in HTML":               "https://s3.test/a?b=c\\u0026amp;X-Amz-Signature=5ec4e7",
		"in a fragment":              "https://x.test/callback#access_token=5ec4e7",
		"behind another of it":       "https://x.test/callback#state=1&access_token=5ec4e7",
		"a name and a password":      "https://user:5ec4e7@x.test/a",
		"a token for a name":         "https://5ec4e7@x.test/a",
		"both escaped":               "https:%2F%2Fuser:5ec4e7%40x.test/a",
		"with blanks in it":          "https://s3.test/a?X-Amz-Signature=ab%205ec4e7",
		"of another service":         "https://blob.test/a?sv=1&sig=5ec4e7",
		"escaped more than anybody":  "https://s3.test/a?X-Amz-Signature%252525252525253D5ec4e7",
		"where the line is long too": strings.Repeat("x", 3000) + " https://s3.test/a?b=c&amp;X-Amz-Signature=5ec4e7",
	} {
		got := c.line("see " + text + " for more")
		require.NotContains(t, got, "5ec4e7", name)
		require.True(t, strings.HasPrefix(got, "see ") && strings.HasSuffix(got, " for more"), "%s: %s", name, got)
		require.Contains(t, got, "[redacted]", name)
		require.Empty(t, c.link(text), name)
	}
}

func TestTextsThatAreHarmlessStay(t *testing.T) {
	c := newCleaner(env(envKey, theKey))
	for _, text := range []string{"A::B ##", "std::vector [x]", "# [a]", "Straße 日本 €", "a=b&c", "100%25 of a&amp;b", "a@b.test", "https://x.test/?a=b%20c#d", `C:\users`, "the token=5 is wrong"} {
		require.Equal(t, text, c.line(text))
	}
	require.Equal(t, "one\n  two", c.text("\r\none\n\n  two  \r"))
	require.Equal(t, mostReason+3, len([]rune(c.text(strings.Repeat("x", 3000)+"\n"+strings.Repeat("y", 1000)+"\nz"))))
	for text, want := range map[string]string{
		"- a": `\- a`, "12) a": `12\) a`, "#1 GH-2": `\#<!-- -->1 GH-<!-- -->2`, "a|b @c": "a&#124;b @<!-- -->c", "0123abcd": "0123ab<!-- -->cd", "eu-1 (a.b)": "eu-1 (a.b)",
	} {
		require.Equal(t, want, escape(text))
	}
	for text, want := range map[string]string{"": "", "abc": "abc", "abcd": "ab…", "äöüß": "äö…", "äöü": "äöü"} {
		require.Equal(t, want, shorten(text, 3))
	}
}

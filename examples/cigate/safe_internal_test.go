package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/examples/internal/clitest"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const (
	opResult  = "GET /v1/check-results/{checkId}/{checkResultId}"
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
	failed := map[string]any{"id": resultID, "checkId": loginID, "apiCheckResult": map[string]any{"requestError": text}}
	svc := monitoringtest.New(monitoringtest.WithAPIKey(theKey), monitoringtest.WithAccountID(theTenant))
	for operation, body := range map[string]any{opTrigger: map[string]any{"sessions": []any{session}}, opCompletion: session, opResult: failed} {
		text, err := json.Marshal(body)
		require.NoError(t, err)
		svc.Inject(monitoringtest.Fault{Operation: operation, Status: 200, Body: string(text)})
	}
	return svc
}

var command = regexp.MustCompile(`(?im)##\[|##vso\[|^[\s\p{Z}\p{Cf}]*::`)

func TestNothingThatTheServiceSaysCommandsTheSystemThatReadsIt(t *testing.T) {
	for name, text := range map[string]string{
		"a command of its own":                               "::error::boom",
		"after a line feed":                                  "Login\n::error::boom",
		"after a carriage return":                            "Login\r  ::set-output name=a::b",
		"after a blank that is not ASCII":                    "\u00a0\u3000::stop-commands::x",
		"after an invisible character":                       "\u200b::error::x",
		"after so many words that the table breaks the line": strings.Repeat("word ", 9) + " ::error::boom",
		"in the middle of a line":                            "Login ##[error]boom",
		"with more hashes":                                   "###[group]x",
		"of another system":                                  "x ##vso[task.complete result=Succeeded;]done",
		"in capitals":                                        "##VSO[task.setvariable variable=A]b",
		"after an escape sequence":                           "#\x1b[1m#[error]boom",
		"a forged verdict":                                   "x\nChecks passed: 1 check in 1.0s: 1 passed.",
		"control characters":                                 "a\x00b\x07c\x1b]0;title\x07d\u202ee\u2028f\u0085g",
		"the end of a cell":                                  "a|b) >c\r| d |",
	} {
		for _, columns := range []string{"", "40", "120"} {
			t.Run(name+" at "+columns, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					for _, status := range []string{"FAILED", text} { // a location has failed, whatever the status says
						got := gateIn(t.Context(), t, hostile(t, status, text), theKey, clitest.Env("COLUMNS", columns), "-tags", "all")
						require.Equal(t, cli.ExitNo, got.code)
						for _, out := range []string{got.stdout, got.stderr} {
							require.NotRegexp(t, command, out)
							require.NotContains(t, "\n"+out, "\nChecks passed")
							for _, r := range strings.ReplaceAll(out, "\n", "") {
								require.False(t, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp), "%q in\n%s", r, out)
							}
						}
						require.Equal(t, status == text, strings.Contains(got.stdout, "UNKNOWN \""))
						checkMarkdown(t, got.markdown)
						checkXML(t, got.junit)
					}
				})
			})
		}
	}
}

// checkMarkdown checks that every row of the table has its six cells.
func checkMarkdown(t *testing.T, text string) {
	t.Helper()
	require.NotContains(t, text, "\r")
	rows := 0
	table, _, _ := strings.Cut(text, "\n**") // messages follow, in blocks
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "| ") {
			rows++
			require.Equal(t, 7, strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"), line)
		}
	}
	require.Equal(t, 4, rows, "a header of two lines and two locations in\n%s", text)
}

// checkXML checks that a text is XML.
func checkXML(t *testing.T, text string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			return
		} else {
			require.NoError(t, err, text)
		}
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
		"the key escaped seven times":          "sk_live%2525252525252F42%2525252525252Bsecret",
		"the key escaped thirty times":         "sk_live%" + strings.Repeat("25", 29) + "2F42%" + strings.Repeat("25", 29) + "2Bsecret",
		"the key between other words":          "Bearer " + theKey + " of " + theTenant,
		"the key with colors in it":            "sk_live\x1b[31m/42+secret",
		"the key where a long name is cut off": strings.Repeat("x", 190) + theKey,
	} {
		for _, columns := range []string{"", "20"} {
			t.Run(name+" at "+columns, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					env := clitest.Env("COLUMNS", columns, cli.EnvAPIKey, theKey, cli.EnvAccount, theTenant)
					got := gateIn(t.Context(), t, hostile(t, "FAILED", text), theKey, env, "-tags", "all")
					for _, out := range []string{got.stdout, got.stderr, got.junit, got.markdown} {
						for _, part := range []string{"sk_live", "42+secret", "2bsecret", "2Bsecret", "x2b;secret", "7a53", "7A53"} {
							require.NotContains(t, strings.ReplaceAll(out, "\n", ""), part)
						}
					}
					require.Contains(t, got.junit, redacted)
				})
			})
		}
	}
	t.Run("although they are arguments", func(t *testing.T) {
		env := clitest.Env(cli.EnvAPIKey, theKey, cli.EnvAccount, theTenant, cli.EnvBaseURL, "http://127.0.0.1:1")
		for _, args := range [][]string{{"-tags", "a", theKey}, {"-" + theKey}, {"-tags", theKey + ","}} {
			got := clitest.Run(t.Context(), run, env, args...)
			require.Equal(t, cli.ExitTrouble, got.Code)
			require.NotContains(t, got.Stdout+got.Stderr, theKey)
			require.Contains(t, got.Stderr, redacted)
		}
	})
}

func TestAStatusThatIsNotKnownIsShownAsSuch(t *testing.T) {
	s := newSafe(clitest.Env())
	for status, want := range map[monitoring.CheckSessionStatus]string{
		"": "", "PASSED": "PASSED", "PROGRESS_FAILED": "PROGRESS_FAILED", "PAUSED": `UNKNOWN "PAUSED"`, "PASSED\x00": `UNKNOWN "PASSED"`,
		"\x1b[32mPASSED": `UNKNOWN "PASSED"`, `A" B\`: `UNKNOWN "A' B/"`, "A\r\nB": `UNKNOWN "A  B"`,
		monitoring.CheckSessionStatus(strings.Repeat("é", 41)): `UNKNOWN "` + strings.Repeat("é", 39) + `…"`,
	} {
		require.Equal(t, want, string(s.status(status)))
		session := &monitoring.CheckSession{Status: status, RunLocations: []string{"eu"}}
		require.Equal(t, judge(session, false), newCheck(s.session(session), nil, false).verdict, "cleaning changes no verdict")
	}
}

func TestALinkIsOneOnlyIfItCannotBreakTheTable(t *testing.T) {
	require.Equal(t, `[a\|b](<https://x.test/a?b=c#d>)`, link("a|b", "https://x.test/a?b=c#d"))
	for _, bad := range []string{
		"javascript:1", "https://x\r|", "https://x\ny", "https://x|y", "https://x)y", "https://x>y", "https://x y", `https://x\y`, "https://x`y", "https://x\u2028y", "", " https://x",
	} {
		require.Equal(t, "a", link("a", bad), fmt.Sprintf("%q", bad))
	}
}

func TestOnlyLinksToPagesOfTheServiceMayHaveTheAccount(t *testing.T) {
	s := newSafe(clitest.Env(cli.EnvAPIKey, theKey, cli.EnvAccount, theTenant))
	const page = "https://app.test/accounts/" + theTenant + "/checks/a%20b"
	require.Equal(t, page, s.link(page))
	require.Equal(t, "https://app.test[redacted]/checks/a%20b", s.line(page), "in a name it may stand for anything")
	require.Equal(t, "https://app.test/?of=[redacted]", s.link("https://app.test/?of="+theTenant))
	require.Equal(t, "https://app.test/accounts/[redacted]", s.link("https://app.test/accounts/"+theKey))
	require.Equal(t, "see [redacted]", s.link("see /accounts/"+theTenant))
}

func TestTheGuardLeavesOrdinaryLinesAlone(t *testing.T) {
	var out strings.Builder
	const lines = "[####....] 1 of 3\nA::B ##\n\n  std::vector [x]\n# [a]\n"
	n, err := guard{newSafe(clitest.Env(cli.EnvAPIKey, theKey)), &out}.Write([]byte(lines))
	require.NoError(t, err)
	require.Equal(t, len(lines), n)
	require.Equal(t, lines, out.String())
}

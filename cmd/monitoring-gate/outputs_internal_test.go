package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// made is a report of so many checks in three locations, of which the first fail in all of them.
// reason returns why.
func made(checks, failing int, reason func(check int) string) *report {
	return madeWith(checks, failing, reason, nil)
}

// madeWith is made with what was read of the results that failed.
func madeWith(checks, failing int, reason func(check int) string, read *monitoring.CheckResult) *report {
	began := time.Date(2026, 8, 19, 10, 15, 0, 0, time.UTC)
	r := newReport(false)
	r.Started, r.Ended = began, began.Add(40*time.Second)
	clean := newCleaner(env())
	var shown *evidence
	if read != nil {
		shown = newEvidence(read, clean)
	}
	for i := range checks {
		id := monitoringtest.UUID(fmt.Sprint("session", i))
		s := &monitoring.CheckSession{
			CheckSessionID: id, CheckID: monitoringtest.UUID(fmt.Sprint("check", i)), Name: fmt.Sprintf("Shop %d of the street", i),
			CheckType: []monitoring.CheckType{"API", "URL", "BROWSER", "TCP"}[i%4], Status: "PASSED", RunLocations: []string{eu, us, "ap-northeast-1"},
			CheckSessionLink: "https://app.monitoring.test/accounts/8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40/checks/" + id + "/check-sessions/" + id,
			StartedAt:        monitoring.NewTimestamp(began),
		}
		if i < failing {
			s.Status = "FAILED"
		}
		for n, location := range s.RunLocations {
			ms := 80 + float64((i*37+n*91)%700)
			if i%4 == 2 {
				ms = 2000 + 7*ms
			}
			ended := monitoring.NewTimestamp(began.Add(time.Duration(float64((i*13+n*7)%39000)+ms) * time.Millisecond))
			var result monitoring.CheckSessionResult
			json.Unmarshal(fmt.Appendf(nil, `{"resultType":"FINAL","hasFailures":%t}`, i < failing), &result)
			result.CheckResultID, result.RunLocation, result.ResponseTime, result.StoppedAt = fmt.Sprint(i, n), location, &ms, &ended
			result.CheckResultLink = s.CheckSessionLink + "/results/" + id
			s.Results = append(s.Results, result)
			s.StoppedAt = &ended
		}
		why := reason(i)
		notes := notesOf(s, func(string) string { return why })
		if read != nil && i < failing {
			for id, d := range notes.results {
				d.evidence = shown
				notes.results[id] = d
			}
			notes.addCheck(s.CheckID, facts{degraded: 100, failed: 700, asked: "URL https://shop.test/"})
		}
		c := newCheck(newSession(s), "", notes, options{}, clean)
		r.Checks = append(r.Checks, c)
	}
	r.finish(false)
	return r
}

func same(int) string { return "Expected 503 to equal 200" }

func TestTheReportIsShort(t *testing.T) {
	stack := "Error: expected 3 items, got 2\n" + strings.Repeat("    at line of a stack trace\n", 30)
	for name, c := range map[string]struct {
		r    *report
		most int
	}{
		"three failures of 40 checks":           {made(40, 3, func(i int) string { return fmt.Sprint("Expected 500 to equal ", i) }), 30},
		"three failures with long reasons":      {made(40, 3, func(i int) string { return fmt.Sprint(i, " ", stack) }), 30},
		"eleven equal failures of 1,000 checks": {made(1000, 11, same), 40},
		"a thousand equal failures":             {made(1000, 1000, same), 40},
	} {
		text := c.r.text(false)
		require.LessOrEqual(t, strings.Count(text, "\n"), c.most, "%s:\n%s", name, text)
		require.Contains(t, lastLine(text), "Checks failed: ", name)
		require.Equal(t, 1, strings.Count(text, "Expected 503")+strings.Count(text, "Expected 500 to equal 0")+strings.Count(text, "0 Error"), text)
	}
	require.Less(t, len(made(40, 1, func(int) string { return strings.Repeat("one long line ", 500) }).text(false)), 1000, "a long line is cut")
	everything := made(40, 3, func(i int) string { return fmt.Sprint(i, " ", stack) }).text(true)
	require.Equal(t, 3*30, strings.Count(everything, "a stack trace"))
	require.Contains(t, everything, " Shop 39 of the street\n  passed    123 ms  eu-central-1\n")
}

func TestEqualReasonsAreShownOnce(t *testing.T) {
	text := made(40, 2, same).text(false)
	require.Equal(t, 2, strings.Count(text, "  eu-central-1, us-east-1, ap-northeast-1: Expected 503 to equal 200\n"), "two checks have a card each")
	text = made(40, 3, same).text(false)
	require.Equal(t, 1, strings.Count(text, "Expected 503"), "three have one")
	require.Contains(t, text, "failed    3 checks for the same reason\n  eu-central-1, us-east-1, ap-northeast-1: Expected 503 to equal 200\n  Shop 0 of the street  https://")
	require.Contains(t, made(40, 30, same).text(false), "  and 10 more checks\n")
}

func TestReasonsThatAreNotKnownAreNotEqual(t *testing.T) {
	text := made(40, 5, func(int) string { return "it failed; " + unexplained }).text(false)
	require.Equal(t, 5, strings.Count(text, unexplained))
	require.NotContains(t, text, "for the same reason")
}

type written func([]byte) (int, error)

func (w written) Write(p []byte) (int, error) { return w(p) }

func TestTheFirstLineComesAtOnceAndTheLinksOfFewChecks(t *testing.T) {
	for checks, links := range map[int]int{10: 10, 1000: 0} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			for i := range checks {
				svc.AddCheck(monitoringtest.Check{Name: fmt.Sprint("Check ", i), Tags: []string{"all"}, Locations: []string{eu, us, "ap-south-1"}, RunTime: 5 * time.Second})
			}
			var stdout, stderr bytes.Buffer
			first, began := "", time.Now()
			p := program{env(), &stdout, written(func(text []byte) (int, error) {
				if time.Since(began) < time.Second {
					first += string(text)
				}
				return stderr.Write(text)
			}), func() (*monitoring.Client, error) { return svc.Client() }}
			require.Zero(t, p.run(t.Context(), []string{"-tags", "all", "-timeout", "1h"}))
			require.True(t, strings.HasPrefix(first, "triggered "+plural(checks, "check")+"\n"), first)
			require.Equal(t, links, strings.Count(first, "https://"))
			require.Equal(t, checks, strings.Count(stderr.String(), "\npassed "))
			require.Regexp(t, "^Checks passed: .*\n$", stdout.String())
		})
	}
}

func TestMarkdownHasABound(t *testing.T) {
	huge := newCleaner(env()).text(strings.Repeat("a reason of 100 KB, with <markup> & ``` ", 2500))
	checks := testkit.Size(1000, 5000)
	most := made(checks, checks, func(i int) string { return fmt.Sprint(i, huge) })
	for name, c := range map[string]struct {
		r    *report
		most int
		want []string
		not  string
	}{
		"a short text is whole":          {made(40, 3, same), mostSummary, []string{"<details><summary>37 checks passed</summary>", "Shop 39 of the street"}, "Left out"},
		"what passed goes first":         {made(1000, 3, same), mostSummary, []string{"Left out: what passed.", "Expected 503"}, "Shop 39 of the street"},
		"but not from a step summary":    {made(1000, 3, same), mostStepSummary, []string{"Shop 39 of the street"}, "Left out"},
		"then reasons are cut":           {made(40, 30, func(i int) string { return fmt.Sprint(i, huge) }), mostSummary, []string{"the ends of long reasons", "Shop 29 of the street", "0a reason of 100 KB"}, "Shop 39"},
		"then entries are left out":      {most, mostSummary, []string{"Left out: what passed, the ends of long reasons, " + thousands(checks-100) + " of the", "entries above", thousands(checks) + " failed"}, ""},
		"of a step summary likewise":     {most, testkit.Size(mostStepSummary/5, mostStepSummary), []string{"the ends of long reasons, ", " of the " + thousands(checks) + " entries above"}, ""},
		"and equal reasons are one card": {made(checks, checks, func(int) string { return huge }), mostSummary, []string{thousands(checks) + " checks for the same reason", "and " + thousands(checks-50) + " more checks"}, "Left out"},
	} {
		text := string(c.r.markdown(c.most))
		require.LessOrEqual(t, len(text), c.most, name)
		for _, part := range c.want {
			require.Contains(t, text, part, name)
		}
		require.False(t, c.not != "" && strings.Contains(text, c.not), name)
	}
	text := string(made(40, 3, same).markdown(mostSummary))
	require.Less(t, strings.Index(text, "Expected 503"), strings.Index(text, "<details>"), "what failed stands first")
}

func TestTheStepSummaryIsAppended(t *testing.T) {
	file := filepath.Join(t.TempDir(), "summary.md")
	require.NoError(t, os.WriteFile(file, []byte("# of another step\n"), 0o600))
	synctest.Test(t, func(t *testing.T) {
		got := gateOf(t.Context(), t, newService(), env(envStepSummary, file, envActions, "true"), "-tags", "broken")
		require.Equal(t, exitFailed, got.code)
		require.True(t, strings.HasPrefix(got.stdout, "::error title=Payment::us-east-1: Expected 500 to equal 200\nfailed    Payment\n"), got.stdout)
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "# of another step\n"+got.markdown, string(data))
		require.NotContains(t, gateOf(t.Context(), t, newService(), env(envStepSummary, file), "-tags", "broken").stdout, "::error")
	})
}

func TestAnnotationsAreFewAndEscaped(t *testing.T) {
	r := made(40, 12, func(i int) string { return fmt.Sprintf("100%% of %d\nsecond, line: b", i) })
	r.Checks[0].Name = "a:b, 5%"
	lines := strings.Split(strings.TrimSuffix(r.annotations(), "\n"), "\n")
	require.Len(t, lines, 10)
	require.Equal(t, "::error title=a%3Ab%2C 5%25::eu-central-1, us-east-1, ap-northeast-1: 100%25 of 0%0A  second, line: b", lines[0])
	require.Equal(t, "::error title=monitoring-gate::and 3 more; the log has all", lines[9])
	require.Equal(t, 1, strings.Count(made(1000, 11, same).annotations(), "\n"))
	require.Empty(t, made(40, 0, same).annotations())
}

func TestJUnitOf3000CasesIsAtMostAMegabyte(t *testing.T) {
	text := made(1000, 11, same).junit()
	require.LessOrEqual(t, len(text), 1_000_000)
	require.Contains(t, string(text), `<testsuites name="monitoring-gate" tests="3000" failures="33" errors="0" skipped="0"`)
	var read element
	require.NoError(t, xml.Unmarshal(text, &read))
	for _, s := range read.Children {
		for _, c := range s.Children {
			require.LessOrEqual(t, countOf("failure", c.Children)+countOf("error", c.Children), 1)
		}
	}
}

func TestJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := newService()
		got := gateOf(t.Context(), t, svc, env(), "-ids", loginID+","+noID)
		session := svc.Sessions()[0]
		result := func(location string) any {
			return map[string]any{"location": location, "verdict": "passed", "attempts": 3.0, "responseTime": 243.0, "reasons": []any{}}
		}
		var read map[string]any
		require.NoError(t, json.Unmarshal([]byte(got.json), &read))
		for _, member := range read["sessions"].([]any)[0].(map[string]any)["results"].([]any) {
			member.(map[string]any)["responseTime"] = 243.0
		}
		require.Equal(t, map[string]any{
			"verdict": "unknown", "started": "2000-01-01T00:00:00Z", "ended": "2000-01-01T00:00:02Z", "missing": []any{noID}, "notRun": []any{},
			"sessions": []any{map[string]any{
				"id": session.CheckSessionID, "checkId": loginID, "name": "Login", "type": "API", "verdict": "passed", "status": "PASSED",
				"link": session.CheckSessionLink, "results": []any{result(eu), result(us)},
			}},
		}, read)
	})
	var read report
	require.NoError(t, json.Unmarshal(made(3, 1, same).json(), &read))
	require.Equal(t, []string{"Expected 503 to equal 200"}, read.Checks[0].Locations[0].Reasons)
	require.Equal(t, 80.0, *read.Checks[0].Locations[0].Time)
}

// started is what the response to a trigger says of a check that failed: its name, its id, and the
// locations of its final results.
type started struct {
	name, checkID string
	locations     []string
}

// casesOf returns the class and name of each case of a report of sessions.
func casesOf(t *testing.T, sessions []started) (cases []string) {
	t.Helper()
	r := &report{}
	for i, s := range sessions {
		of := &monitoring.CheckSession{CheckSessionID: fmt.Sprint(i), CheckID: s.checkID, Name: s.name, Status: "FAILED"}
		for _, l := range s.locations {
			of.Results = append(of.Results, monitoring.CheckSessionResult{RunLocation: l, ResultType: new(monitoring.ResultFinal)})
		}
		r.Checks = append(r.Checks, newCheck(newSession(of), "", newNotes(), options{}, newCleaner(env())))
	}
	r.finish(false)
	for _, c := range regexp.MustCompile(`<testcase name="([^"]*)" classname="([^"]*)"`).FindAllStringSubmatch(string(r.junit()), -1) {
		if c[1] != "session" {
			cases = append(cases, html.UnescapeString(c[2]+"|"+c[1]))
		}
	}
	return cases
}

const idA, idB = "aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"

func TestEveryCaseHasANameOfItsOwnWhateverTheChecksAreCalled(t *testing.T) {
	eu, long := []string{"eu"}, strings.Repeat("n", 300)
	for name, c := range map[string]struct {
		sessions []started
		want     []string
	}{
		"checks of different names have these":         {[]started{{"A", idA, []string{"eu", "us"}}, {"B", idB, eu}}, []string{"A|eu", "A|us", "B|eu"}},
		"two of one name have their ids":               {[]started{{"A", idA, eu}, {"A", idB, eu}}, []string{"A (" + idA + ")|eu", "A (" + idB + ")|eu"}},
		"two runs of one check have numbers":           {[]started{{"A", idA, eu}, {"A", idA, eu}}, []string{"A (" + idA + ")|eu", "A (" + idA + ") #2|eu"}},
		"a name that looks like one with an id":        {[]started{{"A (" + idA + ")", idB, eu}, {"A", idA, eu}, {"A", idB, eu}}, []string{"A (" + idA + ")|eu", "A (" + idA + ") #2|eu", "A (" + idB + ")|eu"}},
		"a name that looks like one with a number":     {[]started{{"A", idA, eu}, {"A", idA, eu}, {"A (" + idA + ") #2", idB, eu}}, []string{"A (" + idA + ")|eu", "A (" + idA + ") #2|eu", "A (" + idA + ") #2 #2|eu"}},
		"no names at all":                              {[]started{{"", idA, eu}, {"", idB, eu}}, []string{"check " + idA + "|eu", "check " + idB + "|eu"}},
		"names that differ only in what is not shown":  {[]started{{"A\x00B", idA, eu}, {"A\u200bB ", idB, eu}}, []string{"A B (" + idA + ")|eu", "A B (" + idB + ")|eu"}},
		"names that differ in letters without a shape": {[]started{{"A\u3164\u2800 B", idA, eu}, {"A\ufe0f B", idB, eu}}, []string{"A B (" + idA + ")|eu", "A B (" + idB + ")|eu"}},
		"names that differ only where they are cut":    {[]started{{long + "a", idA, eu}, {long + "b", idB, eu}}, []string{long[:199] + "… (" + idA + ")|eu", long[:199] + "… (" + idB + ")|eu"}},
		"a check that is called like the gate":         {[]started{{gateName, idA, []string{"outcome"}}}, []string{gateName + " (" + idA + ")|outcome"}},
		"a location that: duplicate field":             {[]started{{"A", idA, []string{"eu", "eu", "us"}}}, []string{"A|eu", "A|eu #2", "A|us"}},
		"and looks as if it were":                      {[]started{{"A", idA, []string{"eu", "eu #2", "eu"}}}, []string{"A|eu", "A|eu #2", "A|eu #3"}},
		"a location without a name":                    {[]started{{"A", idA, []string{""}}}, []string{"A|no location"}},
		"a class and a name that readers would mix up": {[]started{{"A_b", idA, []string{"c"}}, {"A", idB, []string{"b_c"}}}, []string{"A_b|c", "A|b_c #2"}},
	} {
		t.Run(name, func(t *testing.T) {
			cases := casesOf(t, c.sessions)
			slices.Sort(cases)
			slices.Sort(c.want)
			require.Equal(t, c.want, cases)
			unique := make(map[string]bool)
			for _, name := range cases {
				unique[strings.ReplaceAll(name, "|", "_")] = true
			}
			require.Len(t, unique, len(cases))
		})
	}
}

func TestWhatTheLocationsDoNotExplainIsSaidOfTheCheck(t *testing.T) {
	final := new(monitoring.ResultFinal)
	stopped := monitoring.CheckSessionResult{ResultType: final, RunLocation: "eu", IsCancelled: true}
	for name, c := range map[string]struct {
		session monitoring.CheckSession
		waited  string
		want    string
	}{
		"a location without a result shares the fate of its session":  {monitoring.CheckSession{Status: "CANCELLED", RunLocations: []string{"eu"}}, "", "cancelled: eu cancelled the session ended without a result of this location"},
		"a failed session that no location explains":                  {monitoring.CheckSession{Status: "FAILED"}, "", `failed: the session ended with the status "FAILED", and no result says why`},
		"a status that is not known":                                  {monitoring.CheckSession{Status: "PAU\x1b[2JSED"}, "", `unknown: the session ended with the status "PAUSED", and no result says why`},
		"a session whose runs were cancelled did not run out of time": {monitoring.CheckSession{Status: "TIMED_OUT", Results: []monitoring.CheckSessionResult{stopped}}, "", "cancelled: eu cancelled it was cancelled"},
		"a degraded location without a response time":                 {monitoring.CheckSession{Status: "DEGRADED", Results: []monitoring.CheckSessionResult{{ResultType: final, RunLocation: "eu", IsDegraded: true}}}, "", "degraded: eu degraded degraded: it was slower than the check allows"},
		"a session whose end was not seen":                            {monitoring.CheckSession{RunLocations: []string{"eu"}}, "lost", "unknown: eu unknown lost"},
		"a session that was never seen":                               {monitoring.CheckSession{}, "lost", "unknown: lost"},
		"a session that passed without results":                       {monitoring.CheckSession{Status: "PASSED", RunLocations: []string{"eu"}}, "", "unknown: eu unknown the session ended without a result of this location"},
		"a session that passed and names no location":                 {monitoring.CheckSession{Status: "PASSED"}, "", `unknown: the session ended with the status "PASSED", and no result says why`},
		"a result that never came of one that was slow":               {monitoring.CheckSession{Status: "DEGRADED", RunLocations: []string{"us"}}, "", "unknown: us unknown the session ended without a result of this location"},
	} {
		got := newCheck(newSession(&c.session), c.waited, newNotes(), options{}, newCleaner(env()))
		text := string(got.Verdict) + ": " + strings.Join(got.reasons, "; ")
		for _, l := range got.Locations {
			text += strings.TrimSpace(l.Name + " " + string(l.Verdict) + " " + strings.Join(l.Reasons, "; "))
		}
		require.Equal(t, c.want, text, name)
	}
	alone := reportOf([]monitoring.CheckSession{{CheckSessionID: "1", Name: "One", Status: "FAILED", CheckSessionLink: "https://monitoring.test/1"}}, "")
	require.NotContains(t, string(alone.markdown(mostSummary)), "\n:\n", "a reason of no location has none before it")
	require.Contains(t, alone.text(false), "failed    One\n  the session ended with the status \"FAILED\", and no result says why\n  https://monitoring.test/1\n")
	require.Equal(t, "session 1", newCheck(newSession(&monitoring.CheckSession{CheckSessionID: "1"}), "", newNotes(), options{}, newCleaner(env())).Name)
	empty := new(report)
	empty.finish(false)
	require.Equal(t, exitUnknown, empty.ExitCode, "an empty report is no success")
}

func TestThePageIsSmallAndAsksForNothing(t *testing.T) {
	huge := newCleaner(env()).text(strings.Repeat("<x>", 40_000))
	checks := testkit.Size(1000, 5000)
	for most, r := range map[int]*report{100_000: made(40, 3, same), 1_500_000: made(1000, 11, same), 10_000_000: made(checks, checks, func(i int) string { return fmt.Sprint(i, huge) })} {
		page := string(r.page())
		require.LessOrEqual(t, len(page), most)
		require.NotRegexp(t, "<script| style=|ZgotmplZ", page)
		require.Contains(t, page, "default-src 'none'; style-src 'sha256-")
		for _, tag := range strings.SplitAfter(page, "<svg")[1:] {
			tag, _, _ = strings.Cut(tag, ">")
			require.Subset(t, strings.FieldsFunc(tag, func(r rune) bool { return r == ' ' || r == '=' }), []string{"width", "height", "fill"})
		}
	}
	page := string(made(1000, 11, same).page())
	require.Equal(t, 1, strings.Count(page, "<pre>"), "equal failures have one card")
	require.Equal(t, 6, strings.Count(page, `class="bars"`)+strings.Count(page, `class="median"`)-3, "three locations and two sorts: over 300 results are a histogram")
	require.Less(t, strings.Index(page, `<tr class="failed"`), strings.Index(page, `<tr class="passed"`))
}

func TestOddReportsHaveAPage(t *testing.T) {
	lasting := func(ms float64) *check {
		result := monitoring.CheckSessionResult{RunLocation: "eu", ResultType: new(monitoring.ResultFinal), ResponseTime: &ms}
		session := &monitoring.CheckSession{Status: "PASSED", Results: []monitoring.CheckSessionResult{result}}
		return newCheck(newSession(session), "", newNotes(), options{}, newCleaner(env()))
	}
	for name, r := range map[string]*report{
		"nothing at all":         {Problems: []string{"no active check"}},
		"all times are the same": {Checks: []*check{{Name: "A", Verdict: monitoring.VerdictPassed, Locations: []location{{Name: "eu", Verdict: monitoring.VerdictPassed, Time: new(0.0)}}}}},
		"times beyond all":       {Checks: []*check{lasting(1.7e308), lasting(-5), lasting(mostTime)}},
	} {
		page := string(r.page())
		require.NotContains(t, page, "NaN", name)
		require.NotContains(t, page, "Inf", name)
		require.Contains(t, page, "</html>", name)
	}
}

// TestThePagesForABrowser writes pages for the tests of the module browsercheck into the folder of
// this variable.
func TestThePagesForABrowser(t *testing.T) {
	dir := os.Getenv("MONITORING_GATE_PAGES")
	if dir == "" {
		t.Skip("the module cmd/monitoring-gate/browsercheck runs this test, to look at the pages in a browser")
	}
	write := func(name string, page []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".html"), page, 0o600))
	}
	// In a bubble the present is always the same: so is the picture of this page in docs.
	synctest.Test(t, func(t *testing.T) { write("demo", []byte(gateOf(t.Context(), t, nil, env(), "-demo").page)) })
	different := func(i int) string { return fmt.Sprintf("Expected %d to equal 200\n    at shop.spec.ts:%d", 500+i, i) }
	write("three", madeWith(3, 1, different, apiResult(t)).page())
	write("sixty", madeWith(60, 6, different, apiResult(t)).page())
	thousand := madeWith(1000, 61, func(i int) string { return fmt.Sprintf("Expected %d to equal 200", 500+i%40) }, apiResult(t))
	write("thousand", thousand.page())
	write("passed", made(12, 0, same).page())
	synctest.Test(t, func(t *testing.T) {
		write("green", []byte(gateOf(t.Context(), t, nil, env(), "-demo", "-tags", "passing").page))
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(7*time.Second, interrupt)
		svc := newService()
		for i := range 5 {
			svc.AddCheck(monitoringtest.Check{Name: fmt.Sprint("Suite ", i), Type: "PLAYWRIGHT", Tags: []string{"long"}, RunTime: time.Hour})
		}
		write("interrupted", []byte(gateOf(ctx, t, svc, env(), "-tags", "long", "-tags", "well", "-tags", "cancelled", "-tags", "slow", "-tags", "troubled").page))
	})
	r, clean := made(2*len(hostileTexts), len(hostileTexts), different), newCleaner(env())
	for i, name := range slices.Sorted(maps.Keys(hostileTexts)) {
		for k, c := range []*check{r.Checks[i], r.Checks[i+len(hostileTexts)]} {
			text := cmp.Or(clean.name(hostileTexts[name]), name)
			c.Name, c.Kind, c.Locations[0].Name = text, text, text
			c.Locations[0].Reasons = []string{clean.text(hostileTexts[name])}[:1-k]
			if i%2 == k {
				c.Link = ""
			}
		}
	}
	write("hostile", r.page())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hostile.md"), r.markdown(mostStepSummary), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hostile.json"), r.json(), 0o600))
	nothing := &report{Problems: []string{"no active check is tagged nope"}}
	nothing.finish(false)
	write("nothing", nothing.page())
}

// apiResult is what was read of a result of an API check that failed.
func apiResult(t *testing.T) *monitoring.CheckResult {
	t.Helper()
	data, err := json.Marshal(map[string]any{"hasFailures": true, "apiCheckResult": demoAnswer})
	require.NoError(t, err)
	var r monitoring.CheckResult
	require.NoError(t, json.Unmarshal(data, &r))
	return &r
}

package browsercheck_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	junit "github.com/joshdk/go-junit"
	jstemmer "github.com/jstemmer/go-junit-report/v2/junit"
	ginkgo "github.com/onsi/ginkgo/v2/reporters"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	renderer "github.com/yuin/goldmark/renderer/html"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// folder is gone after the tests; gate is the program in it. The pages lie there, too.
var folder, gate string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "browsercheck")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	folder, gate = dir, filepath.Join(dir, "monitoring-gate.exe")
	code := 1
	if out, err := exec.Command("go", "build", "-o", gate, "github.com/monitoring-api/monitoring-go/cmd/monitoring-gate").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the gate: %s\n%s", err, out)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// runGate runs the gate with the settings of a service, and reads its report with three parsers,
// which must see the same. It returns what the first one has read, by the names of the suites.
func runGate(t *testing.T, settings []string, args ...string) (suites map[string]junit.Suite, code int) {
	t.Helper()
	report := filepath.Join(t.TempDir(), "out.xml")
	command := exec.Command(gate, append(args, "-junit", report)...)
	command.Env = append(os.Environ(), settings...)
	out, ran := command.CombinedOutput()
	list, err := junit.IngestFile(report)
	require.NoError(t, err, "the report cannot be read: %v:\n%s", ran, out)
	data, err := os.ReadFile(report)
	require.NoError(t, err)
	var second jstemmer.Testsuites
	require.NoError(t, xml.Unmarshal(data, &second))
	var third ginkgo.JUnitTestSuites
	require.NoError(t, xml.Unmarshal(data, &third))
	suites = make(map[string]junit.Suite)
	tests, failures, problems := 0, 0, 0
	require.Len(t, second.Suites, len(list))
	require.Len(t, third.TestSuites, len(list))
	for i, s := range list {
		suites[s.Name] = s
		tests, failures, problems = tests+s.Totals.Tests, failures+s.Totals.Failed, problems+s.Totals.Error
		for k, one := range s.Tests {
			b, c := second.Suites[i].Testcases[k], third.TestSuites[i].TestCases[k]
			require.Equal(t, []string{one.Classname, one.Name}, []string{b.Classname, b.Name})
			require.Equal(t, []string{one.Classname, one.Name}, []string{c.Classname, c.Name})
			is := map[junit.Status][3]bool{"failed": {true}, "error": {false, true}, "skipped": {false, false, true}}[one.Status]
			require.Equal(t, is, [3]bool{b.Failure != nil, b.Error != nil, b.Skipped != nil})
			require.Equal(t, is, [3]bool{c.Failure != nil, c.Error != nil, c.Skipped != nil})
			if is[0] {
				require.Equal(t, []string{one.Message, one.Message}, []string{b.Failure.Message, c.Failure.Message})
			}
		}
	}
	require.Equal(t, []int{tests, failures, problems}, []int{second.Tests, second.Failures, second.Errors})
	require.Equal(t, []int{tests, failures, problems}, []int{third.Tests, third.Failures, third.Errors})
	return suites, command.ProcessState.ExitCode()
}

func TestTheGateGoesOnIfNobodyReadsItsProgress(t *testing.T) {
	read, write, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, read.Close())
	defer write.Close()
	command := exec.Command(gate, "-demo", "-tags", "passing")
	command.Stderr = write
	out, err := command.Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "Checks passed: ")
}

func TestEveryOutcomeAsJUnit(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithRunTime(20 * time.Millisecond))
	eu, us, odd := "eu-central-1", "us-east-1", `A "name" <of> ]]> & öäü 日本`
	for _, check := range []monitoringtest.Check{
		{Name: "Well", Locations: []string{eu, us}, ResponseTime: 1250 * time.Millisecond},
		{Name: "Broken", Locations: []string{eu, us}, Outcome: "FAILED", FailIn: []string{us}, Attempts: 2},
		{Name: "Slow", Outcome: "DEGRADED"},
		{Name: "Cancelled", Type: "PLAYWRIGHT", Outcome: "CANCELLED"},
		{Name: odd, Outcome: "FAILED", Error: "line 1 <b>&\n\x1b[31mline 2\x1b[0m \x00 ]]>"},
	} {
		check.Tags = []string{"all"}
		svc.AddCheck(check)
	}
	url, stop := svc.Start()
	defer stop()
	settings := []string{"MONITORING_BASE_URL=" + url, "MONITORING_API_KEY=" + monitoringtest.APIKey, "MONITORING_ACCOUNT_ID=" + monitoringtest.AccountID}
	suites, code := runGate(t, settings, "-tags", "all", "-fail-on-degraded")
	require.Equal(t, 1, code, "one was cancelled, but others failed for certain")
	for name, want := range map[string]string{
		"Well": "eu-central-1 passed, us-east-1 passed", "Broken": "eu-central-1 passed, us-east-1 failed", "Slow": "eu-central-1 failed",
		"Cancelled": "eu-central-1 skipped", odd: "eu-central-1 failed",
	} {
		var got []string
		for _, test := range suites[name].Tests {
			got = append(got, test.Name+" "+string(test.Status))
		}
		require.Equal(t, want, strings.Join(got, ", "), name)
	}
	counts := suites["monitoring-gate"].Properties
	require.Equal(t, "5 1 3 1 0", strings.Join([]string{counts["checks"], counts["passed"], counts["failed"], counts["cancelled"], counts["unknown"]}, " "))
	require.Equal(t, 1250*time.Millisecond, suites["Well"].Tests[0].Duration)
	broken := suites["Broken"].Tests[1]
	require.Equal(t, "Expected 500 to equal 200", broken.Message)
	require.Contains(t, broken.SystemOut, "It took 3 attempts.")
	require.Contains(t, broken.Error.Error(), "https://")
	require.Contains(t, suites[odd].Tests[0].Error.Error(), "line 1 <b>&\nline 2")

	settings[1] = "MONITORING_API_KEY=wrong"
	suites, code = runGate(t, settings, "-tags", "all")
	require.Equal(t, 2, code)
	require.Contains(t, suites["monitoring-gate"].Tests[0].Message, "check the API key")
}

// references are what GitHub makes of the text of a page: mentions, issues, commits and emojis.
var references = regexp.MustCompile(`(?i)@\w|#\d|\bgh-\d|\b[0-9a-f]{7,40}\b|:\w+:`)

func TestNoNameIsMarkupInMarkdown(t *testing.T) {
	require.NoError(t, written())
	source, err := os.ReadFile(filepath.Join(folder, "hostile.md"))
	require.NoError(t, err)
	data, err := os.ReadFile(filepath.Join(folder, "hostile.json"))
	require.NoError(t, err)
	var report struct{ Sessions []struct{ Name string } }
	require.NoError(t, json.Unmarshal(data, &report))
	var page bytes.Buffer
	require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(renderer.WithUnsafe())).Convert(source, &page))

	prose := regexp.MustCompile(`(?s)<pre>.*?</pre>`).ReplaceAllString(page.String(), "")
	tags, count := regexp.MustCompile(`<([a-z0-9]*|/[a-z0-9]+|!-- --)( href="https://app.monitoring.test/accounts/[^"]*"| style="text-align:right")?>`), map[string]int{}
	for _, tag := range tags.FindAllStringSubmatch(prose, -1) {
		count[tag[1]]++
	}
	pieces := tags.Split(prose, -1)
	for i, piece := range pieces {
		require.NotContains(t, piece, "<", "a tag that is not ours")
		pieces[i] = html.UnescapeString(piece)
		require.NotRegexp(t, references, pieces[i])
	}
	half := len(report.Sessions) / 2 // have failed, and have a heading; the others have a row
	for tag, n := range map[string]int{"h2": 1, "h3": half, "p": count["p"], "a": half, "details": 1, "summary": 1, "table": 1, "thead": 1, "tbody": 1, "tr": half + 1, "th": 4, "td": 4 * half} {
		require.Equal(t, []int{n, n}, []int{count[tag], count["/"+tag]}, tag)
		delete(count, tag)
		delete(count, "/"+tag)
	}
	require.Len(t, count, 1, "%v: there are comments besides", count)
	for _, s := range report.Sessions {
		require.Contains(t, strings.Join(pieces, ""), s.Name)
	}
}

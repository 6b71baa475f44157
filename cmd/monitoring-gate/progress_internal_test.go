package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestWithoutATerminalTheWaitingIsALineEvery30Seconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := newService()
		for _, name := range []string{"Suite A", "Suite B", "Suite C", "Suite D"} {
			svc.AddCheck(monitoringtest.Check{Name: name, Tags: []string{"long"}, RunTime: time.Hour})
		}
		got := gateOf(t.Context(), t, svc, env(), "-tags", "long", "-tags", "broken", "-timeout", "95s")
		require.Equal(t, []string{
			"waiting 30s: 1 of 6 checks, 1 failed, still running: Nightly, Suite A, Suite B and 2 more",
			"waiting 1m0s: 1 of 6 checks, 1 failed, still running: Nightly, Suite A, Suite B and 2 more",
			"waiting 1m30s: 1 of 6 checks, 1 failed, still running: Nightly, Suite A, Suite B and 2 more",
		}, regexp.MustCompile(`(?m)^waiting.*$`).FindAllString(got.stderr, -1))
		require.NotContains(t, got.stderr, "\x1b")
		require.NotContains(t, got.stderr, "\r")
	})
}

func TestOnATerminalTheLastLineIsUpdatedInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out, true, true)
		p.wait("triggered 2 checks", []open{{"ID-1", "One"}, {"ID-2", "Two"}})
		time.Sleep(3 * time.Second)
		synctest.Wait()
		p.ended("id-1", &check{Name: "One", Verdict: monitoring.VerdictFailed, Took: 3 * time.Second})
		p.stop()
		waiting := func(after string, ended int, names string) string {
			return fmt.Sprintf("\r\x1b[?7lwaiting %s: %d of 2 checks, still running: %s\x1b[K\x1b[?7h", after, ended, names)
		}
		require.Equal(t, "triggered 2 checks\n"+
			waiting("0s", 0, "One, Two")+waiting("1s", 0, "One, Two")+waiting("2s", 0, "One, Two")+waiting("3s", 0, "One, Two")+
			"\r\x1b[K\x1b[31mfailed   \x1b[0m   3.0s  One\n"+
			"\r\x1b[?7lwaiting 3s: 1 of 2 checks, 1 failed, still running: Two\x1b[K\x1b[?7h"+
			"\r\x1b[K", out.String())
	})
}

func TestWhatIsATerminal(t *testing.T) {
	terminal, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0) // is a device of characters, as a terminal is
	require.NoError(t, err)
	defer terminal.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer file.Close()
	require.Equal(t, runtime.GOOS != "windows", isTerminal(terminal, env("TERM", "xterm")))
	require.False(t, isTerminal(terminal, env("TERM", "dumb")))
	require.False(t, isTerminal(file, env("TERM", "xterm")))
	require.False(t, isTerminal(new(bytes.Buffer), env("TERM", "xterm")))
}

func TestProgressThatIsStoppedShowsNothingAnyMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := newProgress(&out, true, false)
		p.update("reading")
		p.stop()
		shown := out.String()
		p.tick(time.Second) // which waited for the lock when it was stopped
		time.Sleep(time.Minute)
		require.Equal(t, shown, out.String())
	})
	synctest.Test(t, func(t *testing.T) { // so the gate stops it
		var stderr bytes.Buffer
		p := program{env(), new(bytes.Buffer), &stderr, func() (*monitoring.Client, error) { return newService().Client() }}
		require.Equal(t, exitFailed, p.run(t.Context(), []string{"-tags", "broken"}))
		shown := stderr.String()
		time.Sleep(2 * plainInterval)
		synctest.Wait()
		require.Equal(t, shown, stderr.String())
	})
}

func TestAReasonThatComesLaterNamesItsCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := newService()
		svc.AddCheck(monitoringtest.Check{Name: "Later", Tags: []string{"later"}, RunTime: 3 * time.Second})
		svc.Inject(monitoringtest.Fault{Operation: opResult, Delay: 2 * time.Second, Times: 1})
		got := gateOf(t.Context(), t, svc, env(), "-tags", "broken", "-tags", "later")
		_, lines, _ := strings.Cut(got.stderr, "  Later  https://")
		_, lines, _ = strings.Cut(lines, "\n")
		require.Equal(t, "failed      2.0s  Payment\npassed      3.0s  Later\nwhy                Payment\n  us-east-1: Expected 500 to equal 200\n", lines)
		require.Equal(t, 4*time.Second, got.took)
	})
}

func TestFewReasonsAreReadAtTheSameTimeAndNotForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		for range 40 {
			svc.AddCheck(monitoringtest.Check{Tags: []string{"all"}, Locations: []string{eu, us, "us-west-1"}, Outcome: "FAILED", Error: "Expected 500"})
		}
		svc.Inject(monitoringtest.Fault{Operation: opResult, Delay: time.Hour})
		got := gateOf(t.Context(), t, svc, env(), "-tags", "all")
		require.Equal(t, exitFailed, got.code)
		require.Equal(t, 2*time.Second+reasonsTime, got.took)
		require.LessOrEqual(t, svc.Count(opResult), 2*3*readsAtOnce, "those of eight sessions, and of one attempt more")
		require.Contains(t, got.stdout, "failed    40 checks whose details were not read\n  eu-central-1, us-east-1, us-west-1: the details were not read before the gate ended\n")
	})
}

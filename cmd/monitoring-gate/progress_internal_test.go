package main

import (
	"bytes"
	"fmt"
	"regexp"
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

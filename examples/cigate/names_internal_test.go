package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// triggered is a session of the response to a trigger: what its check is called, its id, and
// the locations of its final results, which have all failed.
type triggered struct {
	name, checkID string
	locations     []string
}

// casesOf runs the gate for sessions that have failed, and returns the class and name of each
// case of the report.
func casesOf(t *testing.T, sessions []triggered) (cases []string, out ran) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		var list []any
		for i, s := range sessions {
			id := monitoringtest.UUID(fmt.Sprint("session", i))
			var results []any
			for j, location := range s.locations {
				results = append(results, map[string]any{
					"checkResultId": monitoringtest.UUID(fmt.Sprint("result", i, j)), "checkId": s.checkID, "runLocation": location, "resultType": "FINAL", "hasFailures": true,
				})
			}
			session := map[string]any{
				"checkSessionId": id, "checkId": s.checkID, "name": s.name, "status": "FAILED", "startedAt": "2026-08-19T10:15:00.120Z",
				"runLocations": s.locations, "results": results,
			}
			list = append(list, session)
			body, err := json.Marshal(session)
			require.NoError(t, err)
			svc.Inject(monitoringtest.Fault{Operation: opCompletion, ID: id, Status: 200, Body: string(body)})
		}
		body, err := json.Marshal(map[string]any{"sessions": list})
		require.NoError(t, err)
		svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 201, Body: string(body)})
		out = gate(t.Context(), t, svc, monitoringtest.APIKey, "-tags", "all")
	})
	require.Equal(t, cli.ExitNo, out.code, out.stderr)
	var report junitReport
	require.NoError(t, xml.Unmarshal([]byte(out.junit), &report))
	failed := 0
	for _, s := range report.Suites {
		for _, c := range s.Cases {
			cases = append(cases, c.Classname+"|"+c.Name)
			require.Equal(t, s.Name, c.Classname)
			require.NotNil(t, c.Failure)
			failed++
		}
	}
	require.Equal(t, failed, report.Failures)
	return cases, out
}

const idA, idB = "aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"

func TestEveryCaseHasANameOfItsOwnWhateverTheChecksAreCalled(t *testing.T) {
	eu, long := []string{"eu"}, strings.Repeat("n", 300)
	for name, c := range map[string]struct {
		sessions []triggered
		want     []string
	}{
		"checks of different names have these": {[]triggered{{"A", idA, []string{"eu", "us"}}, {"B", idB, eu}}, []string{"A|eu", "A|us", "B|eu"}},
		"two of one name have their ids":       {[]triggered{{"A", idA, eu}, {"A", idB, eu}}, []string{"A (" + idA + ")|eu", "A (" + idB + ")|eu"}},
		"in any order":                         {[]triggered{{"A", idB, eu}, {"A", idA, eu}}, []string{"A (" + idA + ")|eu", "A (" + idB + ")|eu"}},
		"two runs of one check have numbers":   {[]triggered{{"A", idA, eu}, {"A", idA, eu}}, []string{"A (" + idA + ")|eu", "A (" + idA + ") #2|eu"}},
		"a name that looks like one with an id": {
			[]triggered{{"A (" + idA + ")", idB, eu}, {"A", idA, eu}, {"A", idB, eu}},
			[]string{"A (" + idA + ")|eu", "A (" + idA + ") (" + idB + ")|eu", "A (" + idB + ")|eu"},
		},
		"a name that looks like one with a number": {
			[]triggered{{"A", idA, eu}, {"A", idA, eu}, {"A (" + idA + ") #2", idB, eu}},
			[]string{"A (" + idA + ")|eu", "A (" + idA + ") #2|eu", "A (" + idA + ") #2 #2|eu"},
		},
		"no names at all": {[]triggered{{"", idA, eu}, {"", idB, eu}}, []string{"check " + idA + "|eu", "check " + idB + "|eu"}},
		"names that differ only in what is not shown": {
			[]triggered{{"A\x00B", idA, eu}, {"A\u200bB ", idB, eu}}, []string{"A B (" + idA + ")|eu", "A B (" + idB + ")|eu"},
		},
		"names that differ only where they are cut": {
			[]triggered{{long + "a", idA, eu}, {long + "b", idB, eu}}, []string{long[:199] + "… (" + idA + ")|eu", long[:199] + "… (" + idB + ")|eu"},
		},
		"a check that is called like the gate":         {[]triggered{{"cigate", idA, []string{"outcome"}}}, []string{"cigate (" + idA + ")|outcome"}},
		"a location that is there twice":               {[]triggered{{"A", idA, []string{"eu", "eu", "us"}}}, []string{"A|eu", "A|eu #2", "A|us"}},
		"and looks as if it were":                      {[]triggered{{"A", idA, []string{"eu", "eu #2", "eu"}}}, []string{"A|eu", "A|eu #2", "A|eu #3"}},
		"a location without a name":                    {[]triggered{{"A", idA, []string{""}}}, []string{"A|no location"}},
		"a class and a name that readers would mix up": {[]triggered{{"A_b", idA, []string{"c"}}, {"A", idB, []string{"b_c"}}}, []string{"A_b|c", "A|b_c #2"}},
	} {
		t.Run(name, func(t *testing.T) {
			cases, out := casesOf(t, c.sessions)
			slices.Sort(cases)
			slices.Sort(c.want)
			require.Equal(t, c.want, cases)
			unique := maps.Collect(func(yield func(string, bool) bool) {
				for _, name := range cases {
					yield(strings.ReplaceAll(name, "|", "_"), true)
				}
			})
			require.Len(t, unique, len(cases))
			for _, text := range []string{out.stdout, out.markdown} {
				require.Equal(t, len(cases), strings.Count(text, "FAILED")-findings(text), text)
			}
		})
	}
}

// findings counts the explanations in a report, which repeat the status of their locations.
func findings(text string) (n int) {
	for line := range strings.Lines(text) {
		if strings.HasSuffix(line, ": FAILED\n") || strings.HasSuffix(line, ": FAILED**\n") {
			n++
		}
	}
	return n
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
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

// resultIn is a final result in a location, which failed or passed after a time.
func resultIn(location string, failed bool, ms float64) (r monitoring.CheckSessionResult) {
	json.Unmarshal(fmt.Appendf(nil, `{"resultType":"FINAL","hasFailures":%t}`, failed), &r)
	r.CheckResultID, r.RunLocation, r.ResponseTime = "result in "+location, location, &ms
	return r
}

// shapes are sessions that are large in one way, of a size of n.
var shapes = map[string]func(n int) []monitoring.CheckSession{
	"locations that a session names": func(n int) []monitoring.CheckSession {
		s := monitoring.CheckSession{CheckSessionID: "1", Name: "One", Status: "FAILED"}
		for i := range n {
			s.RunLocations = append(s.RunLocations, fmt.Sprint("location ", i))
		}
		return []monitoring.CheckSession{s}
	},
	"locations with results": func(n int) []monitoring.CheckSession {
		s := monitoring.CheckSession{CheckSessionID: "1", Name: "One", Status: "FAILED"}
		for i := range n {
			s.RunLocations = append(s.RunLocations, fmt.Sprint("location ", i))
			s.Results = append(s.Results, resultIn(s.RunLocations[i], true, float64(i)))
		}
		return []monitoring.CheckSession{s}
	},
	"attempts": func(n int) []monitoring.CheckSession {
		s := monitoring.CheckSession{CheckSessionID: "1", Name: "One", Status: "FAILED", RunLocations: []string{"eu"}}
		for range n {
			attempt := resultIn("eu", true, 100)
			attempt.ResultType, attempt.StoppedAt = new(monitoring.ResultAttempt), new(monitoring.NewTimestamp(time.Unix(1, 0)))
			s.Results = append(s.Results, attempt)
		}
		s.Results = append(s.Results, resultIn("eu", true, 100))
		return []monitoring.CheckSession{s}
	},
	"results of one location": func(n int) []monitoring.CheckSession {
		s := monitoring.CheckSession{CheckSessionID: "1", Name: "One", Status: "FAILED", RunLocations: []string{"eu"}}
		for i := range n {
			s.Results = append(s.Results, resultIn("eu", i%2 == 0, float64(i)))
		}
		return []monitoring.CheckSession{s}
	},
	"sessions of one check": func(n int) (list []monitoring.CheckSession) {
		for i := range n {
			list = append(list, monitoring.CheckSession{
				CheckSessionID: fmt.Sprint("session ", i), CheckID: "one", Name: "One", Status: "FAILED", Results: []monitoring.CheckSessionResult{resultIn("eu", true, float64(i))},
			})
		}
		return list
	},
	"checks with private locations of their own": func(n int) (list []monitoring.CheckSession) {
		for i := range n / 10 {
			s := monitoring.CheckSession{CheckSessionID: fmt.Sprint("session ", i), CheckID: fmt.Sprint(i), Name: fmt.Sprint("Check ", i), Status: "FAILED"}
			for k := range 10 {
				s.Results = append(s.Results, resultIn(fmt.Sprintf("rack %d of %d", k, i), true, float64(i)))
			}
			list = append(list, s)
		}
		return list
	},
	"checks that pass": func(n int) (list []monitoring.CheckSession) {
		for i := range n {
			list = append(list, monitoring.CheckSession{
				CheckSessionID: fmt.Sprint("session ", i), CheckID: fmt.Sprint(i), Name: fmt.Sprint("Check ", i), Status: "PASSED",
				Results: []monitoring.CheckSessionResult{resultIn("eu", false, float64(i)), resultIn("us", false, float64(i))},
			})
		}
		return list
	},
}

// notesOf are notes with a reason for each result of a session.
func notesOf(s *monitoring.CheckSession, why func(id string) string) *notes {
	n := newNotes()
	for _, r := range s.Results {
		n.add("", r.CheckResultID, details{reasons: []string{why(r.CheckResultID)}})
	}
	return n
}

// outputsOf are all outputs of a report.
var outputsOf = map[string]func(*report){
	"page":        func(r *report) { r.page() },
	"JUnit":       func(r *report) { r.junit() },
	"JSON":        func(r *report) { r.json() },
	"Markdown":    func(r *report) { r.markdown(mostSummary) },
	"text":        func(r *report) { r.text(false) },
	"all text":    func(r *report) { r.text(true) },
	"annotations": func(r *report) { r.annotations() },
	"ids":         func(r *report) { r.idLines() },
	"step output": func(r *report) { r.stepOutput() },
	"what is new": func(r *report) { r.compare(baseline{}); r.SinceText() },
}

// reportOf is the report of sessions that have failed for a reason of so many characters.
func reportOf(sessions []monitoring.CheckSession, reason string) *report {
	r := newReport(false)
	clean := newCleaner(env())
	for i := range sessions {
		c := newCheck(newSession(&sessions[i]), "", notesOf(&sessions[i], func(id string) string { return clean.text(reason + id) }), options{}, clean)
		c.Running = true // for the lines of ids
		r.Checks = append(r.Checks, c)
	}
	r.Ended = r.Started.Add(time.Minute)
	r.finish(false)
	return r
}

// grows returns how much more time a function takes at four times a size: by the least time of
// each, and again if that is too much, because the machine may have other work. Less than 5 ms
// counts as 5 ms: what four times that size takes then is nothing that a person notices.
func grows(small, large func()) (times float64) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection falls into one of the two by chance
	one, four := time.Hour, time.Hour
	for range 8 {
		runtime.GC()
		one, four = min(one, testkit.Spent(small)), min(four, testkit.Spent(large))
		if times = float64(four) / float64(max(one, 5*time.Millisecond)); times <= most {
			break
		}
	}
	return times
}

// most is how much more time four times the size may take.
const most = 6.0

func TestTheTimeOfEachOutputGrowsLikeItsSize(t *testing.T) {
	testkit.SkipUnderRace(t)
	const size = 1500
	var draw testkit.Draw
	for _, shape := range slices.Sorted(maps.Keys(shapes)) {
		sessions := shapes[shape]
		small, large := sessions(size), sessions(4*size)
		require.LessOrEqual(t, grows(func() { reportOf(small, "") }, func() { reportOf(large, "") }), most, "the report of %s", shape)
		one, four := reportOf(small, ""), reportOf(large, "")
		for _, output := range slices.Sorted(maps.Keys(outputsOf)) {
			if write := outputsOf[output]; draw.Take(output) {
				require.LessOrEqual(t, grows(func() { write(one) }, func() { write(four) }), most, "%s of %s", output, shape)
			}
		}
	}
	tests := func(n int) *monitoring.TestSession {
		s := &monitoring.TestSession{TestSessionID: "1", Status: "FAILED"}
		for i := range n {
			s.Results = append(s.Results, monitoring.TestSessionResult{TestSessionResultID: fmt.Sprint(i), Name: fmt.Sprint("Check ", i), RunLocation: "eu", ResultType: "FINAL", Status: "PASSED"})
		}
		return s
	}
	few, many := tests(size), tests(4*size)
	require.LessOrEqual(t, grows(func() { testedChecks(few) }, func() { testedChecks(many) }), most, "the checks of a test session")
	sessions := shapes["sessions of one check"](200)
	one, four := reportOf(sessions, strings.Repeat("long ", 200)), reportOf(sessions, strings.Repeat("long ", 800))
	for output, write := range outputsOf {
		require.LessOrEqual(t, grows(func() { write(one) }, func() { write(four) }), most, "%s of long reasons", output)
	}
}

func TestThePageHasABoundAndSaysWhatIsLeftOut(t *testing.T) {
	testkit.SkipUnderRace(t)
	long := newCleaner(env()).text(strings.Repeat("<a reason with markup> & ", 400))
	checks, locations := testkit.Size(5_000, 10_000), testkit.Size(5_000, 60_000)
	many := reportOf(shapes["locations with results"](locations), "")
	for name, c := range map[string]struct {
		r    *report
		said string
	}{
		"many checks in three locations":      {made(checks, 500, func(i int) string { return fmt.Sprint(i, long) }), fmt.Sprintf("of %s checks, those that did not pass first. JSON and JUnit have all.", thousands(checks))},
		"many private locations":              {reportOf(shapes["checks with private locations of their own"](checks), ""), "and 5 more</div>"},
		"many locations of one session":       {many, "and 996 more</div>"},
		"locations that a session only names": {reportOf(shapes["locations that a session names"](locations), ""), " and 980 more"},
		"many attempts":                       {reportOf(shapes["attempts"](checks), ""), thousands(checks+1) + " attempts"},
	} {
		page := string(c.r.page())
		require.LessOrEqual(t, len(page), 10_000_000, name)
		require.True(t, strings.Contains(page, c.said), name) // a failure must not print the page
	}
	require.True(t, strings.Contains(many.text(true), thousands(locations-1000)+" more locations"))
	require.True(t, strings.Contains(string(many.json()), `"they are left out of the reports, which have 1,000 of a check"`))
}

func TestWhatDidNotPassIsNotAmongTheLocationsThatAreLeftOut(t *testing.T) {
	s := shapes["locations with results"](3000)[0]
	for i := range s.Results {
		s.Results[i] = resultIn(s.RunLocations[i], i == 2999, 100)
	}
	c := newCheck(newSession(&s), "", newNotes(), options{}, newCleaner(env()))
	require.Len(t, c.Locations, mostLocations+1)
	require.Equal(t, "location 2999", c.Locations[0].Name)
	require.Equal(t, monitoring.VerdictPassed, c.Locations[mostLocations].Verdict)
}

// endless is a service whose one session names so many locations and does not end.
func endless(t *testing.T, locations int) *monitoringtest.Service {
	t.Helper()
	s := shapes["locations that a session names"](locations)[0]
	s.CheckSessionID, s.CheckID, s.Status, s.StartedAt = noID, loginID, "STARTED", monitoring.NewTimestamp(time.Now())
	body, err := json.Marshal(s)
	require.NoError(t, err)
	svc := monitoringtest.New(monitoringtest.WithRunTime(time.Hour))
	svc.Inject(monitoringtest.Fault{Operation: opTrigger, Status: 200, Body: `{"sessions":[` + string(body) + `]}`},
		monitoringtest.Fault{Operation: "GET /v2/check-sessions/{checkSessionId}", Status: 200, Body: string(body)},
		monitoringtest.Fault{Operation: opCompletion, Status: 408, Body: `{"statusCode":408,"error":"Request Timeout","message":"not completed"}`, Delay: 30 * time.Second})
	return svc
}

func TestASessionOfManyLocationsHoldsNeitherTheTimeoutNorAnInterruptUp(t *testing.T) {
	testkit.SkipUnderRace(t)
	for args, c := range map[string]struct {
		code int
		took time.Duration
	}{"-tags all -timeout 2s": {exitUnknown, 4 * time.Second}, "-tags all": {exitInterrupted, 7 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			svc := endless(t, 60_000)
			ctx, interrupt := context.WithCancel(t.Context())
			time.AfterFunc(5*time.Second, interrupt)
			var got ran
			spent := testkit.Spent(func() { got = gateOf(ctx, t, svc, env(), strings.Fields(args)...) })
			require.Equal(t, c.code, got.code, got.stderr)
			require.LessOrEqual(t, got.took, c.took)
			require.Less(t, spent, 3*time.Second)
			require.True(t, strings.Contains(got.json, "59,000 more locations"))
		})
	}
}

func TestTheReasonsOfOneResultAreFew(t *testing.T) {
	var errors []string
	for i := range 100_000 {
		errors = append(errors, fmt.Sprint("error ", i, strings.Repeat(" long", 20)))
	}
	list := newCleaner(env()).reasons(errors)
	require.Less(t, len(strings.Join(list, "\n")), 2*mostReason)
	require.Equal(t, "and 99,962 more", list[len(list)-1])
}

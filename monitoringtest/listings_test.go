package monitoringtest_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// After a wanted change, go test ./monitoringtest -update-listings rewrites the listings in
// testdata, and the difference is part of the review.
var updateListings = flag.Bool("update-listings", false, "rewrite the listings in testdata")

// listing is what a service responds to a series of requests, a line for each value.
type listing struct {
	t    *testing.T
	svc  *monitoringtest.Service
	text strings.Builder
}

func (l *listing) note(format string, args ...any) {
	fmt.Fprintf(&l.text, "\n# "+format+"\n\n", args...)
}

// get adds the response to a GET. A list has a line for each item.
func (l *listing) get(path string) {
	l.t.Helper()
	response, err := l.svc.Transport().RoundTrip(newRequest(l.t, "GET", path, ""))
	require.NoError(l.t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(l.t, err)
	fmt.Fprintf(&l.text, "GET %s: %d\n", path, response.StatusCode)
	var items []json.RawMessage
	if json.Unmarshal(body, &items) != nil {
		items = []json.RawMessage{body}
	}
	for _, item := range items {
		l.text.Write(item)
		l.text.WriteByte('\n')
	}
}

func (l *listing) line(v any) {
	l.t.Helper()
	data, err := json.Marshal(v)
	require.NoError(l.t, err)
	l.text.Write(data)
	l.text.WriteByte('\n')
}

// sessions adds the sessions of the service from one on, without their ids.
func (l *listing) sessions(first int) {
	for _, x := range l.svc.Sessions()[first:] {
		fmt.Fprintln(&l.text, x.StartedAt, x.TimeElapsed, x.CheckID, x.CheckType, x.Name, x.Status, *x.RunSource, x.RunLocations, len(x.Results))
	}
}

// compare compares the listing with a file, line by line.
func (l *listing) compare(file string) {
	l.t.Helper()
	if *updateListings {
		require.NoError(l.t, os.WriteFile(file, []byte(l.text.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(l.t, err)
	lines, got := strings.Split(string(want), "\n"), strings.Split(l.text.String(), "\n")
	for i := range min(len(lines), len(got)) {
		require.Equal(l.t, lines[i], got[i], "line %d of %s: go test -update-listings rewrites it", i+1, file)
	}
	require.Len(l.t, got, len(lines))
}

// The data of the demo are in examples and in programs that use the fake: they must not
// change unseen.
func TestTheDemoIsAsListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.NewDemo()
		l := &listing{t: t, svc: svc}
		l.note("When it was made")
		l.sessions(0)
		l.get(fmt.Sprint("/v1/check-groups/", monitoringtest.DemoGroupID))
		for _, check := range svc.Checks() {
			l.line(check)
		}
		l.get("/v2/check-sessions/" + svc.Sessions()[0].CheckSessionID)
		for _, path := range []string{"/v1/variables?limit=100", "/v1/maintenance-windows", "/v1/root-cause-analyses/" + monitoringtest.DemoRootCauseAnalysisID} {
			l.get(path)
		}
		from := time.Now()
		for day := 4; day > 0; day-- {
			begin := from.AddDate(0, 0, -day)
			l.get(fmt.Sprintf("/v1/alert-notifications?limit=100&from=%d&to=%d", begin.Unix(), begin.AddDate(0, 0, 1).Unix()))
		}
		l.get("/v1/error-groups/checks/" + monitoringtest.DemoCheckID)
		l.line(svc.StatusPageServices())
		l.line(svc.Dashboards())
		for _, after := range []time.Duration{5*time.Second - 1, 1, 90*time.Minute - 5*time.Second - 1, 1} {
			time.Sleep(after)
			l.note("After %s", time.Since(from))
			l.get("/v1/root-cause-analyses/" + monitoringtest.DemoRootCauseAnalysisID)
			l.get("/v1/maintenance-windows")
		}
		for hour := 3; hour <= 30; hour += 3 { // a session each
			time.Sleep(time.Until(from.Add(time.Duration(hour) * time.Hour)))
			l.note("After %s", time.Since(from))
			groups, err := clientOf(t, svc).ErrorGroups.ListForCheck(t.Context(), monitoringtest.DemoCheckID, monitoring.ErrorGroupListOptions{})
			require.NoError(t, err)
			for _, g := range groups.Items {
				l.line(g.LastSeen)
			}
		}
		l.get("/v1/alert-notifications?limit=100&from=" + strconv.FormatInt(from.Add(6*time.Hour).Unix(), 10) + "&to=" + strconv.FormatInt(time.Now().Unix(), 10))
		l.get("/v1/test-sessions?limit=100")
		l.sessions(24)
		before := len(svc.Sessions())
		l.note("All checks were triggered")
		sendRaw(t, svc, "POST", "/v2/check-sessions/trigger", "{}")
		time.Sleep(time.Minute)
		l.sessions(before)
		l.compare("testdata/demo.txt")
	})
}

func TestTheDemoIsAsOldWithAnotherSpeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, x := range monitoringtest.NewDemo(monitoringtest.WithSpeed(10)).Sessions() {
			require.Equal(t, 3*time.Second, x.Duration())
		}
	})
}

// Results have made-up payloads, one for each type of check.
func TestResultsAreAsListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		l := &listing{t: t, svc: svc}
		for _, outcome := range []monitoring.CheckSessionStatus{"PASSED", "FAILED", "DEGRADED", "TIMED_OUT", "CANCELLED"} {
			x := monitoringtest.Session{
				CheckID: monitoringtest.UUID("c"), Name: "All of it", Outcome: outcome, Attempts: 1, Locations: []string{"eu-west-1", "us-east-1"},
				StartedAt: time.Now().Add(-time.Minute),
			}
			id := svc.AddSession(x)
			l.note("A session that ended %s, and its results", outcome)
			l.get("/v2/check-sessions/" + id)
			for _, result := range svc.ResultIDs(id) {
				l.get("/v1/check-results/" + x.CheckID + "/" + result)
			}
		}
		l.note("What belongs to the type of the check")
		for _, kind := range everyType {
			for _, outcome := range []monitoring.CheckSessionStatus{"PASSED", "FAILED"} {
				x := monitoringtest.Session{
					CheckID: monitoringtest.UUID(kind), Name: kind, Type: monitoring.CheckType(kind), Outcome: outcome, StartedAt: time.Now().Add(-time.Minute),
				}
				result := svc.ResultIDs(svc.AddSession(x))[0]
				got, err := monitoring.Do[map[string]any](t.Context(), clientOf(t, svc), "GET", "/v1/check-results/"+x.CheckID+"/"+result, nil, nil)
				require.NoError(t, err)
				payload := map[string]any{}
				for name, v := range *got {
					if v != nil && strings.HasSuffix(name, "CheckResult") {
						payload[name] = v
					}
				}
				fmt.Fprintln(&l.text, kind, outcome, (*got)["responseTime"])
				l.line(payload)
			}
		}
		l.compare("testdata/results.txt")
	})
}

func TestWhatNeverChangesIsAsListed(t *testing.T) {
	l := &listing{t: t, svc: monitoringtest.New()}
	l.get("/v1/locations")
	l.get("/v1/accounts/" + monitoringtest.AccountID + "/entitlements")
	l.compare("testdata/fixed.txt")
}

package monitoringtest_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// TestResultsOfACheckAreSelected has three runs at intervals of an hour: one that passes in two
// locations, one that fails at its second attempt, and one that still goes on.
func TestResultsOfACheckAreSelected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := clientOf(t, svc)
		check := monitoringtest.UUID("c")
		began := time.Now()
		for i, session := range []monitoringtest.Session{
			{Locations: []string{"eu-west-1", "us-east-1"}, Outcome: monitoring.SessionPassed},
			{Locations: []string{"eu-west-1"}, Outcome: monitoring.SessionFailed, Attempts: 1},
			{Locations: []string{"eu-west-1"}, Duration: 2 * time.Hour},
		} {
			session.CheckID, session.ID, session.Type = check, monitoringtest.UUID(string(rune('0'+i))), monitoring.CheckTypeAPI
			svc.AddSession(session)
			time.Sleep(time.Hour)
		}
		svc.AddSession(monitoringtest.Session{CheckID: monitoringtest.UUID("other")})
		failed, err := client.CheckResults.Get(t.Context(), check, svc.ResultIDs(monitoringtest.UUID("1"))[1])
		require.NoError(t, err)
		ended := failed.StoppedAt.Time
		require.Zero(t, ended.Nanosecond(), "a period is given in whole seconds")
		for _, c := range []struct {
			name    string
			options monitoring.CheckResultListOptions
			want    int
		}{
			{"final ones", monitoring.CheckResultListOptions{}, 3},
			{"attempts", monitoring.CheckResultListOptions{ResultType: monitoring.ResultAttempt}, 1},
			{"all", monitoring.CheckResultListOptions{ResultType: monitoring.ResultAll}, 4},
			{"with failures", monitoring.CheckResultListOptions{HasFailures: new(true), ResultType: monitoring.ResultAll}, 2},
			{"without failures", monitoring.CheckResultListOptions{HasFailures: new(false)}, 2},
			{"of a location", monitoring.CheckResultListOptions{Location: monitoring.RegionUSEast1}, 1},
			{"of a kind", monitoring.CheckResultListOptions{CheckType: monitoring.CheckTypeAPI}, 3},
			{"of another kind", monitoring.CheckResultListOptions{CheckType: monitoring.CheckTypeTCP}, 0},
			{"from a time on", monitoring.CheckResultListOptions{From: began.Add(30 * time.Minute)}, 1},
			{"until a time", monitoring.CheckResultListOptions{To: began.Add(30 * time.Minute)}, 2},
			{"from the end of a run on", monitoring.CheckResultListOptions{From: ended}, 1},
			{"until before the end of a run", monitoring.CheckResultListOptions{To: ended}, 2},
			{"until after the end of a run", monitoring.CheckResultListOptions{To: ended.Add(time.Second)}, 3},
		} {
			page, err := client.CheckResults.List(t.Context(), check, c.options)
			require.NoError(t, err, c.name)
			require.Len(t, page.Items, c.want, c.name)
			require.False(t, page.HasMore)
		}
	})
}

func TestACursorIsOneThatTheServiceHasMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, 1000))
		check, other := svc.AddCheck(monitoringtest.Check{}), svc.AddCheck(monitoringtest.Check{})
		for _, of := range []string{check, check, check, other, other} {
			svc.AddSession(monitoringtest.Session{CheckID: of, Duration: time.Second})
		}
		time.Sleep(time.Second)
		read := func(query string) (int, string) { return sendRaw(t, svc, "GET", "/v2/check-results/"+query, "") }
		cursor := func(of string) string {
			status, body := read(of + "?limit=1")
			require.Equal(t, 200, status)
			var page struct{ NextID string }
			require.NoError(t, json.Unmarshal([]byte(body), &page))
			return page.NextID
		}
		status, body := read(strings.ToUpper(check) + "?nextId=" + cursor(check))
		require.Equal(t, 200, status, body)
		require.Equal(t, "2", string(memberOf(t, body, "length")))
		for name, made := range map[string]string{
			"a word":                       "zzz",
			"the id of a result":           svc.ResultIDs(svc.Sessions()[1].CheckSessionID)[0],
			"a cursor of another check":    cursor(other),
			"a cursor with another letter": "x" + cursor(check)[1:],
			"half a cursor":                cursor(check)[:20],
		} {
			status, body := read(check + "?nextId=" + made)
			require.Equal(t, 400, status, name)
			require.JSONEq(t, `{"statusCode":400,"error":"Bad Request","message":"nextId: must be the nextId of a page of these results"}`, body, name)
		}
		old := cursor(check)
		time.Sleep(2 * time.Hour)
		status, body = read(check + "?nextId=" + old)
		require.Equal(t, 200, status, "its result was forgotten")
		require.Equal(t, "0", string(memberOf(t, body, "length")))
	})
}

func TestOnlyMembersOfResultsAreFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		check := svc.AddCheck(monitoringtest.Check{})
		read := func(fields string) (int, string) {
			return sendRaw(t, svc, "GET", "/v2/check-results/"+check+"?fields="+fields, "")
		}
		status, body := read("id,createdAt,apiCheckResult,hasFailures")
		require.Equal(t, 200, status, body)
		for _, fields := range []string{"nosuch", "id,nosuch", "created_at", "id,", ",", "aborted", "ID"} {
			status, body := read(fields)
			require.Equal(t, 400, status, fields)
			require.Contains(t, body, "is not a field of a result", fields)
		}
		svc.AddSession(monitoringtest.Session{CheckID: check, Duration: time.Second})
		time.Sleep(time.Second)
		_, body = read("createdAt")
		require.JSONEq(t, `{"length":1,"nextId":null,"entries":[{"createdAt":"2000-01-01T00:00:01.100Z"}]}`, body)
		status, _ = read("nosuch")
		require.Equal(t, 400, status)
	})
}

package monitoringtest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestARequestIsOneLine(t *testing.T) {
	svc := monitoringtest.New()
	for _, path := range []string{"/v1/locations", "/v1/variables?page=2&limit=1", "/v1/variables?page=0"} {
		sendOnce(t, svc, newRequest(t, "GET", path, ""))
	}
	var lines []string
	for _, r := range svc.Requests() {
		lines = append(lines, r.String())
	}
	require.Equal(t, []string{"GET /v1/locations: 200", "GET /v1/variables?limit=1&page=2: 200", "GET /v1/variables?page=0: 400: page: 0 is below 1"}, lines)
}

func TestARequestIsACopy(t *testing.T) {
	svc := monitoringtest.New()
	spoil := func(r monitoringtest.Request) {
		r.Header.Set("Content-Type", "spoilt")
		r.Query.Set("page", "spoilt")
		r.Query["limit"][0] = "spoilt"
		r.Body[0] = '!'
	}
	svc.Inject(monitoringtest.Fault{Match: func(r monitoringtest.Request) bool { spoil(r); return false }})
	svc.Inject(monitoringtest.Fault{Match: func(r monitoringtest.Request) bool { spoil(r); return false }})
	request := newRequest(t, "GET", "/v1/variables?limit=1", "{}")
	response, _ := sendOnce(t, svc, request)
	require.Equal(t, 200, response.StatusCode)
	spoil(svc.Requests()[0])
	r := svc.Requests()[0]
	require.Equal(t, "application/json", r.Header.Get("Content-Type"))
	require.Equal(t, []string{"1"}, r.Query["limit"])
	require.NotContains(t, r.Query, "page")
	require.Equal(t, "{}", string(r.Body))
	require.Equal(t, "Bearer "+monitoringtest.APIKey, request.Header.Get("Authorization"), "the program's own is not redacted")
	svc.ClearFaults()
	request.Header.Del("Authorization")
	sendOnce(t, svc, request)
	require.NotContains(t, svc.Requests()[1].Header, "Authorization")
}

func TestTheRecordingKeepsTheLastRequests(t *testing.T) {
	for _, most := range []int{0, 1, 2, 3} {
		svc := monitoringtest.New(monitoringtest.WithRecording(most))
		for n := 1; n <= 9; n++ {
			path := fmt.Sprint("/v1/unknown/", n)
			sendOnce(t, svc, newRequest(t, "GET", path, ""))
			list := svc.Requests()
			require.Len(t, list, min(n, most))
			for i, r := range list {
				require.Equal(t, fmt.Sprint("/v1/unknown/", n-len(list)+1+i), r.Path)
				require.Equal(t, 404, r.Status)
			}
			require.Equal(t, path, svc.Unexpected()[n-1].Path, "these are kept all the same")
			require.Equal(t, 404, svc.Unexpected()[n-1].Status)
			require.Equal(t, 1, svc.Count("GET "+path))
		}
		require.Equal(t, 9, svc.Count(""))
	}
}

func TestUnknownPathsTakeBoundedMemory(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithRecording(1))
	send := func(n int) { sendOnce(t, svc, newRequest(t, "GET", fmt.Sprint("/v1/unknown/", n), "")) }
	for range 3 {
		require.NoError(t, list(t, svc))
		send(1)
	}
	for n := 2; n <= 1001; n++ {
		send(n)
	}
	require.Equal(t, 3, svc.Count("GET /v1/unknown/1"))
	require.Equal(t, 1, svc.Count("GET /v1/unknown/1000"), "a thousand of them are counted")
	require.Panics(t, func() { svc.Count("GET /v1/unknown/1001") })
	require.Equal(t, 3, svc.Count("GET /v1/locations"))
	require.Equal(t, 1006, svc.Count(""))
	unexpected := svc.Unexpected()
	require.Len(t, unexpected, 1000, "and the last thousand are kept")
	require.Equal(t, "/v1/unknown/2", unexpected[0].Path)
	request := newRequest(t, "GET", "/v1/unknown/1", "")
	request.Header.Del("Authorization")
	sendOnce(t, svc, request)
	require.Equal(t, "Bad Token", svc.Unexpected()[999].Refusal, "the first reason counts")
}

func TestTheLatestSubjectsAreCounted(t *testing.T) {
	const remove = "DELETE /v1/dashboards/{dashboardId}"
	for most, want := range map[int][]int{1: {0, 0, 0, 1, 1}, 2: {0, 0, 0, 1, 1}, 3: {0, 0, 2, 1, 1}, 4: {0, 0, 2, 1, 1}, 100: {1, 1, 2, 1, 1}} {
		svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, most))
		for _, id := range []string{"0", "1", "2", "2", "3", "4"} {
			svc.AddDashboard(id)
			sendOnce(t, svc, newRequest(t, "DELETE", "/v1/dashboards/"+id, ""))
		}
		var got []int
		for id := range 5 {
			got = append(got, svc.ExecutedOn(remove, fmt.Sprint(id)))
		}
		require.Equal(t, want, got, "retention of %d", most)
		require.Equal(t, 6, svc.Executed(remove))
	}
}

// Sessions and alerts may be a fifth more than are kept before some are forgotten.
func TestTheOldestDataAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, 20), monitoringtest.WithRunTime(time.Second))
		total := func() (n int) {
			response, _ := sendOnce(t, svc, newRequest(t, "GET", fmt.Sprintf("/v1/alert-notifications?from=%d&to=%d", time.Now().Unix()-7200, time.Now().Unix()+1), ""))
			_, text, _ := strings.Cut(response.Header.Get("Content-Range"), "/")
			_, err := fmt.Sscan(text, &n)
			require.NoError(t, err)
			return n
		}
		for n := 1; n <= 26; n++ {
			want := map[int]int{25: 20, 26: 21}[n]
			if n <= 24 {
				want = n
			}
			id := svc.AddSession(monitoringtest.Session{Name: fmt.Sprint(n), StartedAt: time.Now().Add(-time.Second)})
			require.Len(t, svc.Sessions(), want)
			require.Equal(t, id, svc.Sessions()[want-1].CheckSessionID)
			svc.AddAlertNotification(monitoring.AlertNotification{})
			require.Equal(t, want, total())
		}
		oldest := svc.Sessions()[0]
		require.Equal(t, "6", oldest.Name)
		time.Sleep(time.Hour) // from the alerts
		require.Equal(t, 21, total())
		time.Sleep(1 * time.Nanosecond)
		require.Zero(t, total())
		require.Empty(t, svc.Sessions())
		response, _ := sendOnce(t, svc, newRequest(t, "GET", "/v2/check-sessions/"+oldest.CheckSessionID, ""))
		require.Equal(t, 404, response.StatusCode)
	})
}

// Alerts of checks may be a fifth more than are kept, as sessions may.
func TestTheOldestAlertsOfChecksAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, 20))
		client := clientOf(t, svc)
		names := func() (names []string) {
			now := time.Now()
			for a, err := range client.CheckAlerts.All(t.Context(), monitoring.CheckAlertListOptions{From: now.Add(-2 * time.Hour), To: now.Add(time.Second)}) {
				require.NoError(t, err)
				names = append(names, a.Name)
			}
			return names
		}
		for n := 1; n <= 24; n++ {
			svc.AddCheckAlert(monitoring.CheckAlert{Name: fmt.Sprint(n)})
		}
		require.Len(t, names(), 24)
		id := svc.AddCheckAlert(monitoring.CheckAlert{Name: "older", CreatedAt: monitoring.NewTimestamp(time.Now().Add(-time.Minute))})
		require.NotEmpty(t, id)
		got := names()
		require.Len(t, got, 20)
		require.Equal(t, "5", got[0], "the oldest five are forgotten, the one that was added last among them")
		time.Sleep(time.Hour)
		require.Len(t, names(), 20)
		time.Sleep(time.Millisecond)
		require.Empty(t, names())
	})
}

func TestASessionThatRunsIsNeverForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, 5))
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		for i := range 8 {
			check := monitoringtest.Check{Outcome: failed, RunTime: 2 * time.Hour}
			if i > 1 {
				check.RunTime = time.Minute
				check.Members = map[string]any{"alertChannelSubscriptions": []any{}}
			}
			svc.AddCheck(check)
		}
		client := clientOf(t, svc)
		start := func() {
			_, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
			require.NoError(t, err)
		}
		start()
		require.Len(t, svc.Sessions(), 8)
		start()
		require.Len(t, svc.Sessions(), 16)
		time.Sleep(time.Minute)
		start()
		require.Len(t, svc.Sessions(), 12, "the twelve that had ended are forgotten")
		time.Sleep(2 * time.Hour)
		require.Len(t, alerts(t, client), 2, "those that were not have sent their alerts")
	})
}

// One check that runs for hours is started until there is no room.
func TestMoreSessionsThanTheServiceKeepsAreRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, 5), monitoringtest.WithoutRecording())
		check := svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
		client := clientOf(t, svc, monitoring.WithMaxRetries(0))
		start := func() error {
			_, err := client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
			return err
		}
		for range 99_999 {
			svc.AddSession(monitoringtest.Session{CheckID: check, Duration: time.Hour})
		}
		require.NoError(t, start())
		require.ErrorContains(t, start(), "100000 sessions run; the fake keeps at most 100000 that run")
		time.Sleep(time.Hour)
		require.NoError(t, start())
	})
}

// What a check has sent alerts about is remembered for longer than its sessions.
func TestAForgottenFailureIsStillAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, 10))
		svc.AddAlertChannel(monitoringtest.AlertChannel{})
		check := svc.AddCheck(monitoringtest.Check{Outcome: failed})
		client := clientOf(t, svc)
		triggerOne(t, client, check)
		time.Sleep(2 * time.Hour)
		triggerOne(t, client, check)
		time.Sleep(time.Minute)
		require.Empty(t, alerts(t, client), "it has failed before")
	})
}

func TestOptionsOfAService(t *testing.T) {
	t.Run("another key", func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithAPIKey("mine"))
		require.NoError(t, list(t, svc))
		response, _ := sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
		require.Equal(t, 401, response.StatusCode)
		for header, want := range map[string]int{"Bearer mine": 200, "bearer mine": 200, "Basic mine": 401, "Bearer": 401, "mine": 401, "Bearer  mine": 401} {
			request := newRequest(t, "GET", "/v1/locations", "")
			request.Header.Set("Authorization", header)
			response, _ := sendOnce(t, svc, request)
			require.Equal(t, want, response.StatusCode, header)
		}
	})
	t.Run("a latency that changes", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			next := time.Second
			svc := monitoringtest.New(monitoringtest.WithLatency(func() time.Duration { next *= 2; return next }))
			start := time.Now()
			sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
			sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
			require.Equal(t, 6*time.Second, time.Since(start))
		})
	})
	t.Run("a seed", func(t *testing.T) {
		statuses := func(opts ...monitoringtest.Option) (list string) {
			svc := monitoringtest.New(opts...)
			svc.Inject(monitoringtest.Fault{Status: http.StatusTeapot, Probability: 0.25})
			for range 40 {
				response, _ := sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
				list += map[int]string{200: ".", http.StatusTeapot: "x"}[response.StatusCode]
			}
			return list
		}
		require.Equal(t, "............x...............x.x..xx...xx", statuses())
		require.Equal(t, "x....x.x.xx........xxxxx..xx.xx...x....x", statuses(monitoringtest.WithSeed(7)))
		require.Equal(t, statuses(), statuses(nil), "an option may be nil")
	})
}

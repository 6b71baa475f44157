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

// Memory of a program that runs for days is bounded for each kind of record that a client can make.
func TestAServiceThatForgetsKeepsSoMany(t *testing.T) {
	const most = 5
	location := "/v1/private-locations/" + monitoringtest.UUID("l")
	for kind, test := range map[string]struct{ path, body, deletes string }{
		"snippet":                   {"/v1/snippets", `{"name":"n%d","script":"x"}`, "/v1/snippets/1001"},
		"variable":                  {"/v1/variables", `{"key":"K%d","value":"x"}`, "/v1/variables/K1"},
		"maintenance window":        {"/v1/maintenance-windows", `{"name":"w%d","startsAt":"2026-08-01","endsAt":"2026-08-02","repeatUnit":""}`, "/v1/maintenance-windows/1001"},
		"alert channel":             {"/v1/alert-channels", `{"type":"EMAIL","config":{"address":"a%d@shop.test"}}`, "/v1/alert-channels/1001"},
		"check group":               {"/v2/check-groups", `{"name":"g%d"}`, "/v1/check-groups/1001"},
		"private location":          {"/v1/private-locations", `{"name":"n","slugName":"l%d"}`, location},
		"key of a private location": {location + "/keys", ``, location + "/keys/"},
	} {
		t.Run(kind, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, most))
			svc.AddPrivateLocation(monitoring.PrivateLocation{ID: monitoringtest.UUID("l"), Name: "dc"})
			made := 0
			if kind == "private location" {
				made = 1
			}
			body := func() string {
				if made++; test.body == "" {
					return ""
				}
				return fmt.Sprintf(test.body, made)
			}
			for made < most {
				status, text := sendRaw(t, svc, "POST", test.path, body())
				require.Equal(t, 201, status, text)
			}
			status, text := sendRaw(t, svc, "POST", test.path, body())
			require.Equal(t, http.StatusPaymentRequired, status)
			require.Contains(t, text, fmt.Sprintf("The fake keeps at most 5 of each %s: delete some, or reset it.", kind))
			if strings.HasSuffix(test.deletes, "/keys/") {
				test.deletes += svc.PrivateLocations()[0].Keys[0].ID
			}
			status, text = sendRaw(t, svc, "DELETE", test.deletes, "")
			require.Equal(t, 204, status, text)
			status, text = sendRaw(t, svc, "POST", test.path, body())
			require.Equal(t, 201, status, text)
		})
	}
	for what, test := range map[string]struct{ path, body string }{
		"fault":            {"inject", `{"operation":"GET /v1/locations","times":1}`},
		"taught operation": {"handle", `{"operation":"GET /v1/things/%d"}`},
	} {
		t.Run(what, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, most))
			for n := range 1001 {
				body := test.body
				if strings.Contains(body, "%d") {
					body = fmt.Sprintf(body, n)
				}
				answer := control(svc, "POST", test.path, body)
				if n < 1000 {
					require.Equal(t, 204, answer.Code, answer.Body.String())
					continue
				}
				require.Equal(t, 400, answer.Code)
				require.Contains(t, answer.Body.String(), "the fake keeps at most 1000 of each "+what)
			}
		})
	}
}

// Nobody deletes error groups and analyses, so the oldest go.
func TestAServiceThatForgetsForgetsTheOldestErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t, monitoringtest.WithRetention(time.Hour, 3))
		check := svc.AddCheck(monitoringtest.Check{Outcome: failed})
		for n := range 5 {
			svc.SetRuns(check, func(c *monitoringtest.Check) { c.Error = fmt.Sprint("error ", n) })
			triggerOne(t, client, check)
			time.Sleep(time.Minute)
			_, err := client.TestSessions.TriggerAndWait(t.Context(), monitoring.TestSessionTrigger{
				Name: "n", RunLocation: "eu-west-1", Target: monitoring.TestSessionTarget{CheckIDs: []string{check}},
			}, monitoring.WaitOptions{})
			require.NoError(t, err)
		}
		for _, path := range []string{"/v1/error-groups", "/v1/test-session-error-groups"} {
			_, body := sendRaw(t, svc, "GET", path, "")
			require.Equal(t, 3, strings.Count(body, `"errorHash"`), path)
			require.NotContains(t, body, "error 1")
			require.Contains(t, body, "error 4")
		}
		test, err := client.TestSessions.List(t.Context(), monitoring.TestSessionListOptions{})
		require.NoError(t, err)
		result := svc.ResultIDs(test.Items[0].ID)[0]
		require.NotPanics(t, func() { svc.SetResult(result, map[string]any{"traceId": "t"}) })
		time.Sleep(2 * time.Hour)
		_, err = client.TestSessions.Trigger(t.Context(), monitoring.TestSessionTrigger{
			Name: "n", RunLocation: "eu-west-1", Target: monitoring.TestSessionTarget{CheckIDs: []string{check}},
		})
		require.NoError(t, err)
		require.PanicsWithValue(t, "monitoringtest: there is no result with the id "+result, func() { svc.SetResult(result, map[string]any{"traceId": "t"}) })
		groups, err := client.ErrorGroups.List(t.Context(), monitoring.ListOptions{})
		require.NoError(t, err)
		var ids []string
		for range 5 {
			status, body := sendRaw(t, svc, "POST", "/v1/root-cause-analyses/error-groups/"+groups.Items[0].ID, `{}`)
			require.Equal(t, 202, status, body)
			ids = append(ids, decoded(t, []byte(body))["id"].(string))
		}
		time.Sleep(time.Minute)
		for i, id := range ids {
			status, _ := sendRaw(t, svc, "GET", "/v1/root-cause-analyses/"+id, "")
			require.Equal(t, map[bool]int{true: 404, false: 200}[i < 2], status)
		}
		_, body := sendRaw(t, svc, "GET", "/v1/error-groups/"+groups.Items[0].ID, "")
		require.Equal(t, 3, strings.Count(body, `"classification"`))
	})
}

func TestAServiceThatForgetsKeepsSoManyBytes(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithRetention(time.Hour, 2)) // so 2 MiB
	script := strings.Repeat("x", 1<<20)
	body := `{"name":"n","script":"` + script + `"}`
	status, _ := sendRaw(t, svc, "POST", "/v1/snippets", body)
	require.Equal(t, 201, status)
	for range 5 { // what was replaced does not count
		status, _ = sendRaw(t, svc, "PUT", "/v1/snippets/1001", body)
		require.Equal(t, 200, status)
	}
	add := map[string]func() (int, string){
		"a snippet": func() (int, string) { return sendRaw(t, svc, "POST", "/v1/snippets", body) },
		"a check": func() (int, string) {
			return sendRaw(t, svc, "POST", "/v1/checks/browser", `{"name":"c","script":"`+script+`"}`)
		},
		"a group": func() (int, string) {
			return sendRaw(t, svc, "POST", "/v2/check-groups", `{"name":"g","localSetupScript":"`+script+`"}`)
		},
		"a test session": func() (int, string) {
			return sendRaw(t, svc, "POST", "/v1/test-sessions/trigger", `{"name":"t","runLocation":"eu-west-1","metadata":{"x":"`+script+`"}}`)
		},
		"a seed": func() (int, string) {
			answer := control(svc, "POST", "seed", `{"snippets":[`+body+`]}`)
			return answer.Code, answer.Body.String()
		},
		"a taught operation": func() (int, string) {
			answer := control(svc, "POST", "handle", `{"operation":"GET /v1/things","text":"`+script+`"}`)
			return answer.Code, answer.Body.String()
		},
	}
	for what, add := range add {
		svc.Reset()
		svc.AddCheck(monitoringtest.Check{})
		sum := 0
		for sum < 10 {
			status, text := add()
			if status >= 300 {
				require.Contains(t, text, "The fake keeps at most 2 MiB of records: delete some, or reset it.", what)
				break
			}
			if sum++; what == "a taught operation" {
				control(svc, "POST", "inject", `{"body":"`+script+`","times":1}`)
				sum++
			}
		}
		require.InDelta(t, 2, sum, 1, what)
	}
	svc.Reset()
	status, _ = add["a snippet"]()
	require.Equal(t, 201, status)
}

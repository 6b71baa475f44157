package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// Every response, in every state, is checked against testdata/responses.txt.
func TestResponsesFitTheirDescription(t *testing.T) {
	all := &seen{count: map[string]int{}}
	for name, test := range map[string]func(*testing.T, *seen){
		"of sessions": responsesOfSessions, "of test sessions": responsesOfTests, "of odd sessions": responsesOfOddSessions, "of reads": responsesOfReads, "of lists": responsesOfLists,
		"of groups and checks": responsesOfGroupsAndChecks, "of single records": responsesOfSingleRecords, "of errors": responsesOfErrors,
	} {
		t.Run(name, func(t *testing.T) { test(t, all) })
	}
	t.Run("and every declared status is seen", func(t *testing.T) { declaredAreSeen(t, all) })
}

// updatesOfKind are the kinds that have an update of their own, as its path names them.
var updatesOfKind = func() map[string]bool {
	kinds := make(map[string]bool)
	for _, o := range operations.All() {
		path, ok := strings.CutPrefix(o.Name, "PUT /v1/checks/")
		path, own := strings.CutSuffix(path, "/{id}")
		kinds[path] = ok && own
	}
	return kinds
}()

var everyType = schema.CheckTypes()

// Sessions and results of every type, with every outcome, before and after their end.
func responsesOfSessions(t *testing.T, all *seen) {
	for _, kind := range everyType {
		for _, outcome := range strings.Fields("PASSED FAILED DEGRADED TIMED_OUT CANCELLED") {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithRunTime(20 * time.Second))
				v := visitOf(t, svc, all)
				check := svc.AddCheck(monitoringtest.Check{
					Type: monitoring.CheckType(kind), Outcome: monitoring.CheckSessionStatus(outcome), Attempts: 1, HasErrors: outcome == "FAILED",
					Locations: []string{"eu-west-1", "us-east-1"}, FailIn: map[string][]string{"FAILED": {"us-east-1"}}[outcome],
				})
				svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: check, FirstSeen: monitoring.Timestamp{Time: time.Now()}, LastSeen: monitoring.Timestamp{Time: time.Now()}})
				if kind == "HEARTBEAT" { // which cannot be triggered
					svc.AddSession(monitoringtest.Session{CheckID: check, Type: "HEARTBEAT", Outcome: monitoring.CheckSessionStatus(outcome)})
				} else {
					v.send("POST", "/v2/check-sessions/trigger", "{}")
					v.send("POST", "/v1/check-sessions/trigger", "")
				}
				sessions := svc.Sessions()
				require.NotEmpty(t, sessions)
				for range 3 {
					for _, x := range sessions {
						readSession(v, x.CheckSessionID, check)
					}
					time.Sleep(11 * time.Second)
				}
				for _, x := range sessions {
					status, _ := v.get("/v2/check-sessions/" + x.CheckSessionID + "/completion?maxWaitSeconds=1")
					require.Equal(t, 200, status, "it has ended")
				}
			})
		}
	}
}

// readSession reads a session and its results.
func readSession(v visit, session, check string) {
	v.t.Helper()
	v.get("/v2/check-sessions/" + session)
	v.get("/v1/check-sessions/" + session)
	for _, id := range v.svc.ResultIDs(session) {
		v.get("/v1/check-results/" + check + "/" + id)
	}
}

// Test sessions of every type, with every outcome, in a region and in a private location, canceled
// or not.
func responsesOfTests(t *testing.T, all *seen) {
	for _, kind := range everyType {
		if kind == "HEARTBEAT" { // which cannot be triggered
			continue
		}
		for i, outcome := range strings.Fields("PASSED FAILED DEGRADED TIMED_OUT CANCELLED") {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New(monitoringtest.WithRunTime(20 * time.Second))
				v := visitOf(t, svc, all)
				svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "office"})
				check := svc.AddCheck(monitoringtest.Check{
					Type: monitoring.CheckType(kind), Outcome: monitoring.CheckSessionStatus(outcome), HasErrors: outcome == "FAILED", Deactivated: i == 0, Error: "no route",
				})
				addTestErrorGroup(svc)
				group := "/v1/test-session-error-groups/" + monitoringtest.UUID("g")
				v.get(group)
				v.send("PATCH", group, `{"archivedUntilNextEvent":true}`)
				v.send("POST", "/v1/root-cause-analyses/test-session-error-groups/"+monitoringtest.UUID("g"), "")
				v.get("/v1/test-session-error-groups/projects/" + monitoringtest.UUID("p"))
				body := fmt.Sprintf(`{"name":"n","runLocation":%q,"target":{"checkId":[%q],"allowDeactivated":true},`+
					`"retryStrategy":{"type":"FIXED"},"metadata":{"commitId":null,"branchName":"main","github":{"reporting":true}}}`, []string{"eu-west-1", "office"}[i%2], check)
				status, made := v.send("POST", "/v1/test-sessions/trigger", body)
				require.Equal(t, 201, status)
				id := fmt.Sprint(made["testSessionId"])
				for range 5 {
					v.get("/v1/test-sessions/" + id)
					v.get("/v1/test-session-error-groups")
					v.get("/v1/test-sessions?limit=1&statuses=RUNNING&statuses=PASSED")
					v.get("/v1/test-sessions/" + id + "/completion?maxWaitSeconds=1")
					for _, result := range svc.ResultIDs(id) {
						svc.AddAsset(result, monitoring.CheckResultAsset{Type: monitoring.AssetLog, Name: "job.log", URL: "https://monitoring.test/l"})
						v.get("/v1/test-sessions/" + id + "/results/" + result)
						v.get("/v1/test-sessions/" + id + "/results/" + result + "/assets")
						v.get("/v1/check-results/" + check + "/" + result)
					}
					time.Sleep(5 * time.Second)
					if i == 1 {
						v.send("POST", "/v1/test-sessions/"+id+"/cancel", "{}")
					}
				}
			})
		}
	}
}

func responsesOfOddSessions(t *testing.T, all *seen) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New(monitoringtest.WithCancelDelay(time.Second), monitoringtest.WithRunTime(10*time.Second))
		v := visitOf(t, svc, all)
		for _, source := range strings.Fields(`CLI_DEPLOY DEPLOYMENT DEPLOYMENT_CACHE_WARMER EDITOR GROUP_RUN_ALL LEGACY_TRIGGER SCHEDULER SCHEDULE_NOW SLACK_RERUN
			TEST_NO_RECORD TEST_RECORD TRIGGER_NO_RECORD TRIGGER_RECORD TRIGGER_API`) {
			id := svc.AddSession(monitoringtest.Session{RunSource: monitoring.RunSource(source), Attempts: 1})
			readSession(v, id, svc.Sessions()[0].CheckID)
		}
		check := monitoringtest.UUID("suite")
		suite := svc.AddSession(monitoringtest.Session{CheckID: check, Type: "PLAYWRIGHT", Locations: []string{"eu-west-1", "us-east-1"}, Attempts: 3})
		hidden := svc.AddSession(monitoringtest.Session{VisibleAfter: 2 * time.Second})
		v.get("/v2/check-sessions/" + hidden)
		done := sync.WaitGroup{}
		done.Go(func() { v.get("/v2/check-sessions/" + suite + "/completion?maxWaitSeconds=1") }) // too early
		done.Go(func() { v.get("/v2/check-sessions/" + suite + "/completion") })
		time.Sleep(3 * time.Second)
		for range 2 {
			v.send("POST", "/v1/check-sessions/"+suite+"/cancel", "")
			v.send("POST", "/v1/check-sessions/"+suite+"/cancel", `{"sequenceId":["`+monitoringtest.UUID("x")+`"]}`)
			for range 5 {
				readSession(v, suite, check)
				time.Sleep(400 * time.Millisecond)
			}
		}
		done.Wait()
		require.Equal(t, monitoring.SessionCancelled, svc.Sessions()[14].Status)
	})
	synctest.Test(t, func(t *testing.T) { // runs that wait for others of their group
		svc := monitoringtest.New()
		v := visitOf(t, svc, all)
		group := svc.AddGroup(monitoring.CheckGroup{Name: "g", Concurrency: new(1)})
		svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "private-1"})
		for range 3 {
			svc.AddCheck(monitoringtest.Check{GroupID: group, Locations: []string{"private-1"}})
		}
		v.send("POST", "/v2/check-sessions/trigger", `{}`)
		for range 7 {
			require.NotEmpty(t, svc.Sessions())
			for _, x := range svc.Sessions() {
				readSession(v, x.CheckSessionID, x.CheckID)
			}
			time.Sleep(time.Second)
		}
	})
}

// routed returns the operations that the service has. Another test names those that it lacks.
func routed() (list []operations.Operation) {
	for _, name := range monitoringtest.Operations() {
		if o, ok := operations.Find(name); ok {
			list = append(list, o)
		}
	}
	return list
}

// Every operation that reads, without what its parameters can do.
func responsesOfReads(t *testing.T, all *seen) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.NewDemo()
		addEveryRecord(svc)
		v := visitOf(t, svc, all)
		for _, o := range routed() {
			path, known := requestOf(o.Name)
			if !known {
				continue
			}
			if status, _ := v.get(path); status != o.Status && status != 202 { // an analysis that is pending
				t.Errorf("%s: GET %s has the status %d, and in internal/operations %d; knownIDs has ids of the demo", o.Name, path, status, o.Status)
			}
			if o.Pages != operations.Whole {
				v.get(path + "?limit=1&page=2")
				v.get(path + "?page=1000")
			}
		}
	})
}

// The lists of a service with data of every kind: all pages, and one past the end.
func responsesOfLists(t *testing.T, all *seen) {
	for name, opts := range map[string][]monitoringtest.Option{"with headers": nil, "without": {monitoringtest.WithPageHeaders(false)}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.NewDemo(opts...)
				addEveryRecord(svc)
				v := visitOf(t, svc, all)
				day := time.Now().Add(-20 * time.Hour).Unix()
				for range 2 {
					for _, path := range []string{
						"/v1/locations?", "/v1/variables?", "/v1/maintenance-windows?", "/v1/error-groups/checks/" + monitoringtest.DemoCheckID + "?",
						"/v1/error-groups/checks/" + monitoringtest.UUID("none") + "?", "/v1/checks?status=passing&tag=production&tag=api&", "/v1/alert-notifications?",
						fmt.Sprintf("/v1/alert-notifications?from=%d&to=%d&", day, day+86400), "/v1/alert-notifications?hasFailures=true&",
						"/v1/alert-notifications?alertChannelId=1001&", "/v1/maintenance-windows?startsAt[gte]=2000-01-01&",
					} {
						if path == "/v1/locations?" {
							v.get(path)
							continue
						}
						for _, page := range []string{"", "limit=1", "limit=1&page=2", "limit=2&page=2", "limit=100", "page=1000"} {
							v.get(path + page)
						}
					}
					time.Sleep(3 * time.Second) // until alerts are sent
				}
			})
		})
	}
}

func addEveryRecord(svc *monitoringtest.Service) {
	now := monitoring.Timestamp{Time: time.Now()}
	svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{Name: "minimal", StartsAt: now, EndsAt: now})
	svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{
		Name: "complete", StartsAt: now, EndsAt: now, UpdatedAt: &now, RepeatInterval: monitoring.Value(1), RepeatUnit: monitoring.Value(monitoring.RepeatMonth), RepeatEndsAt: monitoring.Value(monitoring.DateOf(now.Time)),
		Description: monitoring.Value("d"), PauseAllChecks: new(true), SilenceAlertsTags: []string{"a"}, SilenceAllAlerts: new(true), Tags: []string{"b"},
		StatusPageVisibility: &monitoring.StatusPageVisibility{Enabled: new(true), ReminderMinutesBefore: []int{60}, StatusPageIDs: []string{"x"}, ServiceIDs: []string{"y"}},
	})
	for i, kind := range strings.Fields("EMAIL SLACK SLACK_APP WEBHOOK SMS PAGERDUTY OPSGENIE CALL") {
		channel := svc.AddAlertChannel(everyChannel(kind))
		for _, status := range strings.Fields("IN_PROGRESS SUCCESS FAILURE RATE_LIMITED") {
			svc.AddAlertNotification(monitoring.AlertNotification{
				Type: monitoring.AlertChannelType(kind), Status: monitoring.AlertNotificationStatus(status), AlertChannelID: channel, CheckType: monitoring.CheckType(everyType[i]),
				CheckID: monitoringtest.UUID("c"), CheckAlertID: monitoringtest.UUID("a"), CheckResultID: monitoringtest.UUID("r"), NotificationResult: new("ok"), Timestamp: &now,
			})
		}
	}
	svc.AddAlertNotification(monitoring.AlertNotification{})
	check := svc.AddCheck(monitoringtest.Check{Outcome: monitoring.SessionFailed, Members: map[string]any{"useGlobalAlertSettings": true}})
	svc.AddSession(monitoringtest.Session{CheckID: check, Outcome: monitoring.SessionFailed})
	svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: monitoringtest.DemoCheckID})
	svc.AddVariable(monitoring.EnvironmentVariable{Key: "A", Value: monitoring.NewSecret("")}, monitoring.EnvironmentVariable{Key: "B"})
}

func everyChannel(kind string) monitoringtest.AlertChannel {
	return monitoringtest.AlertChannel{Type: monitoring.AlertChannelType(kind), SendTime: 2 * time.Second, Response: "ok", Config: map[string]any{
		"address": "a@shop.test", "url": "https://hooks.shop.test", "name": "n", "method": "POST", "number": "+49", "apiKey": "k",
		"headers": []any{map[string]any{"key": "k", "value": "v", "locked": true}}, "queryParameters": []any{},
	}}
}

// Groups and checks as they are made, and after updates with few and with all members;
// also when more of them is withheld.
func responsesOfGroupsAndChecks(t *testing.T, all *seen) {
	written := func(body map[string]any) string {
		data, err := json.Marshal(body)
		require.NoError(t, err)
		return string(data)
	}
	read := func(name string) string { return written(testkit.Sample(t, expectations, name)) }
	for name, opts := range map[string][]monitoringtest.Option{
		"as they are": nil, "with more withheld": {monitoringtest.WithMoreWithheld()}, "with resets": {monitoringtest.WithGroupResets()},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.NewDemo(opts...)
			addSampleSnippets(svc)
			for _, kind := range strings.Fields("EMAIL SLACK SLACK_APP WEBHOOK SMS PAGERDUTY OPSGENIE CALL") {
				svc.AddAlertChannel(everyChannel(kind))
			}
			v := visitOf(t, svc, all)
			for _, id := range []int64{monitoringtest.DemoGroupID, svc.AddGroup(monitoring.CheckGroup{Name: "empty"}), svc.AddGroup(monitoring.CheckGroup{Name: "again"})} {
				path := fmt.Sprint("/check-groups/", id)
				v.get("/v1" + path)
				for _, body := range []string{
					read("put-v2-check-group"), `{"name":"x"}`, `{"name":"x","retryStrategy":null,"alertSettings":null,"environmentVariables":null,"privateLocations":null,"runtimeId":null,"localSetupScript":null}`,
					`{"name":"x","retryStrategy":"FALLBACK","apiCheckDefaults":{},"environmentVariables":[{"key":"S","value":"1","secret":true}]}`,
					`{"name":"x","apiCheckDefaults":{"url":null,"basicAuth":null}}`, `{"name":"x","concurrency":7.0}`,
				} {
					status, _ := v.send("PUT", "/v2"+path, body)
					require.Equal(t, 200, status, body)
					v.get("/v1" + path)
				}
				status, _ := v.send("DELETE", "/v1"+path, "")
				require.Equal(t, id == monitoringtest.DemoGroupID, status == 409, "only that of the demo has checks")
			}
			for _, body := range []string{
				read("post-v1-checks-tcp"), `{"name":"x","request":{"hostname":"h","port":1}}`, `{"name":"x","request":{"url":"h","port":1.0,"body":null}}`,
				`{"name":"x","frequency":0,"intent":null,"aiAutoRepairEnabled":null,"description":null,"locations":null,"privateLocations":null,"maxResponseTime":null,
					"alertSettings":{},"retryStrategy":null,"triggerIncident":null,"request":{"hostname":"h","port":1,"data":null,"assertions":[{}]}}`,
			} {
				status, _ := v.send("POST", "/v1/checks/tcp?autoAssignAlerts=true", body)
				require.Equal(t, 201, status, body)
			}
			for path, bodies := range map[string][]string{
				"api":       {read("post-v1-checks-api"), `{"name":"x","request":{"method":"GET","url":"u","basicAuth":null,"headers":[{"key":"k","value":"v"}]}}`},
				"browser":   {read("post-v1-checks-browser"), `{"name":"x","script":null,"dependencies":null}`},
				"heartbeat": {read("post-v1-checks-heartbeat"), smallest["POST /v1/checks/heartbeat"]},
				"multistep": {read("post-v1-checks-multistep"), smallest["POST /v1/checks/multistep"]},
			} {
				for _, body := range bodies {
					status, _ := v.send("POST", "/v1/checks/"+path, body)
					require.Equal(t, 201, status, body)
				}
			}
			for _, body := range []string{`{}`, read("put-v1-checks-browser"), `{"script":null,"dependencies":[],"environmentVariables":null,"sslCheckDomain":null}`} {
				status, _ := v.send("PUT", "/v1/checks/browser/"+monitoringtest.DemoBrowserCheckID, body)
				require.Equal(t, 200, status, body)
			}
			complete := testkit.Sample(t, expectations, "put-v1-check")
			delete(complete, "checkType")
			requests := map[string]any{
				"":    complete["request"],
				"API": map[string]any{"method": "GET", "url": "https://shop.test"},
				"TCP": map[string]any{"url": "shop.test", "port": 443},
				"URL": map[string]any{"url": "https://shop.test"}, "ICMP": map[string]any{"hostname": "shop.test"}, "DNS": map[string]any{"query": "shop.test", "recordType": "A"},
				"SSL": map[string]any{"sslConfig": map[string]any{"hostname": "shop.test"}},
			}
			for _, kind := range everyType {
				id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckType(kind), GroupID: monitoringtest.DemoGroupID})
				complete["request"] = requests[""]
				if own, ok := requests[kind]; ok {
					complete["request"] = own
				}
				for _, body := range []string{`{}`, written(complete), `{"groupId":null,"alertChannelSubscriptions":[]}`} {
					status, got := v.send("PUT", "/v1/checks/"+id, body)
					require.Equal(t, 200, status, "%s: %v", body, got)
				}
				if path := strings.ReplaceAll(strings.ToLower(kind), "_", ""); updatesOfKind[path] {
					for _, body := range []string{map[bool]string{true: `{"name":"n"}`, false: "{}"}[kind == "DNS"], read("put-v1-checks-" + path)} {
						status, got := v.send("PUT", "/v1/checks/"+path+"/"+id, body)
						require.Equal(t, 200, status, "%s: %v", body, got)
					}
				}
				for _, query := range []string{"", "?applyGroupSettings=true&includeDependencies=true", "?applyGroupSettings=false&includeDependencies=false"} {
					status, got := v.get("/v1/checks/" + id + query)
					require.Equal(t, 200, status, "%v", got)
				}
			}
		})
	}
}

func responsesOfSingleRecords(t *testing.T, all *seen) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.NewDemo()
		v := visitOf(t, svc, all)
		bare := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{}, time.Second)
		full := svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{CheckID: new(monitoringtest.UUID("c")), ErrorGroupID: new(monitoringtest.UUID("e")),
			Analysis: &monitoring.Analysis{}}, 0)
		for range 2 {
			for _, id := range []string{bare, full, monitoringtest.DemoRootCauseAnalysisID} {
				v.get("/v1/root-cause-analyses/" + id)
			}
			time.Sleep(10 * time.Second)
		}
		group := svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: monitoringtest.DemoCheckID})
		for _, body := range []string{"", `{}`, `{"userContext":"after deploy 42"}`} {
			status, _ := v.send("POST", "/v1/root-cause-analyses/error-groups/"+group, body)
			require.Equal(t, 202, status)
		}
		for _, body := range []string{`{}`, `{"archivedUntilNextEvent":true,"archiveForEver":true}`} {
			status, _ := v.send("PATCH", "/v1/error-groups/"+group, body)
			require.Equal(t, 200, status)
		}
		time.Sleep(10 * time.Second)
		v.get("/v1/error-groups/" + group)
		session := svc.AddSession(monitoringtest.Session{CheckID: monitoringtest.DemoCheckID, StartedAt: time.Now().Add(-time.Hour)})
		result := svc.ResultIDs(session)[0]
		for _, a := range []monitoring.CheckResultAsset{
			{Type: monitoring.AssetLog, Name: "job.log", URL: monitoringtest.BaseURL + "/v1/files/1"},
			{Type: monitoring.AssetTrace, Name: "trace.zip", URL: monitoringtest.BaseURL + "/v1/files/2", ContentType: "application/zip", Archive: &monitoring.AssetArchive{EntryName: "a"}},
		} {
			svc.AddAsset(result, a)
		}
		status, _ := v.get("/v1/check-results/" + monitoringtest.DemoCheckID + "/" + result + "/assets")
		require.Equal(t, 200, status)
		for _, query := range []string{"", "?granularity=week&quickRange=lastMonth", "?granularity=day&timezone=Europe/Berlin", "?timezone=here"} {
			v.get("/v1/reporting" + query)
		}
		for _, e := range []monitoring.Entitlements{
			{Plan: "hobby"}, {Plan: "team", Locations: monitoring.EntitlementLocations{MaxPerCheck: new(3)}, Addons: &monitoring.EntitlementAddons{}},
		} {
			v.get("/v1/accounts/" + monitoringtest.AccountID + "/entitlements")
			svc.SetEntitlements(e)
		}
		v.get("/v1/accounts/" + monitoringtest.AccountID + "/entitlements")
		v.get("/openapi.json")
		v.get("/v1/private-locations?versions=true")
		for _, body := range []string{
			`{"name":"w","startsAt":"2026-09-01","endsAt":"2026-09-02","repeatUnit":"DAY"}`,
			`{"name":"w","startsAt":"2026-09-01T00:00:00Z","endsAt":"2026-09-01T02:00:00+02:00","repeatUnit":"WEEK","repeatInterval":1,"repeatEndsAt":"2026-12-31T23:30:00-02:00",
				"timezone":"Europe/Berlin","statusPageVisibility":{"enabled":true}}`,
		} {
			status, made := v.send("POST", "/v1/maintenance-windows", body)
			require.Equal(t, 201, status)
			path := fmt.Sprint("/v1/maintenance-windows/", made["id"])
			v.get(path)
			v.send("PUT", path, `{"name":"x","repeatUnit":null,"timezone":null,"tags":[]}`)
			v.send("DELETE", path, "")
		}
		for range 2 {
			v.send("POST", "/v1/variables", `{"key":"NEW","value":"","locked":true}`)
			v.send("PUT", "/v1/variables/TEST_PASSWORD", `{"value":"a"}`)
			v.send("PUT", "/v1/variables/API_URL", `{"value":"a","locked":true,"secret":true}`)
			v.send("DELETE", "/v1/variables/TEST_USER", "")
		}
		status, made := v.send("POST", "/v1/alert-channels", `{"type":"SMS","config":{"number":"+1"}}`)
		require.Equal(t, 201, status)
		channel := fmt.Sprint("/v1/alert-channels/", made["id"])
		v.send("PUT", channel+"/subscriptions", `{"checkId":"`+monitoringtest.DemoCheckID+`","activated":true}`)
		v.get(channel)
		v.send("PUT", channel, `{"type":"SMS","config":{"name":"n","number":"+1"},"subscriptions":[]}`)
		v.send("DELETE", channel, "")
		for _, body := range []string{`{"name":"n","slugName":"dc-1"}`, `{"name":"n","slugName":"dc-2","icon":"i","proxyUrl":"https://u:p@proxy.test"}`} {
			status, made = v.send("POST", "/v1/private-locations", body)
			require.Equal(t, 201, status)
			location := fmt.Sprint("/v1/private-locations/", made["id"])
			status, made = v.send("POST", location+"/keys", "")
			require.Equal(t, 201, status)
			v.get(location)
			v.send("PUT", location, `{"name":"n","icon":"i","proxyUrl":null}`)
			v.send("DELETE", fmt.Sprint(location, "/keys/", made["id"]), "")
			v.send("DELETE", location, "")
		}
		status, _ = v.send("DELETE", "/v1/private-locations/"+svc.PrivateLocations()[0].ID, "") // a check names it
		require.Equal(t, 409, status)
		status, made = v.send("POST", "/v1/snippets", `{"name":"n","script":"s"}`)
		require.Equal(t, 201, status)
		snippet := fmt.Sprint("/v1/snippets/", made["id"])
		v.send("PUT", snippet, `{"name":"m","script":"s"}`)
		v.get(snippet)
		v.send("DELETE", snippet, "")
		for range 2 {
			v.send("DELETE", "/v1/status-pages/services/"+monitoringtest.DemoStatusPageServiceID, "")
			v.send("DELETE", "/v1/dashboards/"+monitoringtest.DemoDashboardID, "")
			v.send("DELETE", "/v1/checks/"+monitoringtest.DemoCheckID, "")
		}
	})
}

// smallest are the smallest bodies that operations take, if they take neither {} nor, for a
// PUT, a name.
var smallest = map[string]string{
	"PATCH /v1/error-groups/{id}":               `{}`,
	"PATCH /v1/test-session-error-groups/{id}":  `{}`,
	"POST /v1/test-sessions/trigger":            `{"name":"n","runLocation":"eu-west-1"}`,
	"POST /v1/maintenance-windows":              `{"name":"w","startsAt":"2026-09-01","endsAt":"2026-09-02","repeatUnit":"DAY"}`,
	"POST /v1/alert-channels":                   `{"type":"EMAIL","config":{"address":"a@shop.test"}}`,
	"PUT /v1/alert-channels/{id}":               `{"type":"EMAIL","config":{"address":"a@shop.test"}}`,
	"PUT /v1/alert-channels/{id}/subscriptions": `{"groupId":1,"activated":true}`,
	"POST /v1/private-locations":                `{"name":"n","slugName":"dc-1"}`,
	"POST /v1/snippets":                         `{"name":"n","script":"s"}`,
	"PUT /v1/snippets/{id}":                     `{"name":"n","script":"s"}`,
	"POST /v1/variables":                        `{"key":"A","value":"a"}`,
	"PUT /v1/variables/{key}":                   `{"value":"a"}`,
	"POST /v2/check-groups":                     `{"name":"x"}`,
	"POST /v1/checks/api":                       `{"name":"x","request":{"method":"GET","url":"u"}}`,
	"POST /v1/checks/browser":                   `{"name":"x","script":null}`,
	"POST /v1/checks/heartbeat":                 `{"name":"x","heartbeat":{"period":1,"periodUnit":"days","grace":0,"graceUnit":"days"}}`,
	"POST /v1/checks/multistep":                 `{"name":"x","script":null}`,
	"POST /v1/checks/tcp":                       `{"name":"x","request":{"hostname":"h","port":1}}`,
	"POST /v1/checks/icmp":                      `{"name":"x","request":{"hostname":"h"}}`,
	"POST /v1/checks/ssl":                       `{"name":"x","request":{"sslConfig":{"hostname":"h"}}}`,
	"POST /v1/checks/dns":                       `{"name":"x","request":{"query":"q","recordType":"A"}}`,
	"POST /v1/checks/url":                       `{"name":"x","request":{"url":"u"}}`,
}

// Every operation with every status of its errors.
func responsesOfErrors(t *testing.T, all *seen) {
	const unknown = "00000000-0000-4000-8000-000000000000"
	for _, o := range routed() {
		method, path := o.Method(), o.Path()
		id, checked := unknown, false // whether the service checks the form of the ids
		for i, name := range o.Placeholders() {
			if o.IDs[i] == operations.Number {
				id = "99"
			}
			checked = checked || o.IDs[i] != operations.Text
			path = strings.Replace(path, "{"+name+"}", id, 1)
		}
		body := map[string]string{"PUT": `{"name":"x"}`, "POST": "{}"}[method]
		if schema.Lookup(o.Name).Body == nil {
			body = ""
		}
		if smallest[o.Name] != "" {
			body = smallest[o.Name]
		}
		svc := monitoringtest.New()
		svc.SetCheckLimit(1)
		svc.AddCheck(monitoringtest.Check{Deactivated: true})
		v := visitOf(t, svc, all)
		v.send(method, path, body)
		for status, header := range map[int][]string{401: {"Authorization", "Bearer wrong"}, 403: {monitoringtest.AccountHeader, unknown}, 400: {monitoringtest.AccountHeader, "acme"}} {
			if strings.HasPrefix(o.Name, "GET /v1/runtimes") {
				continue // it asks for neither key nor account
			}
			got, _ := v.send(method, path, body, header...)
			require.Equal(t, status, got, o.Name)
		}
		got, _ := v.send(method, path+"?surprise=1", body)
		require.Equal(t, 400, got, o.Name)
		if body != "" {
			for _, wrong := range []string{`{"surprise":1}`, `{"a":`, `[]`} {
				got, _ = v.send(method, path, wrong)
				require.Equal(t, 400, got, o.Name)
			}
		}
		if checked {
			got, _ = v.send(method, strings.ReplaceAll(path, id, "x"), body)
			require.Equal(t, 400, got, "%s takes the id x, which is not of the kind in internal/operations", o.Name)
		}
		limited := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}))
		w := visitOf(t, limited, all)
		w.send(method, path, body)
		got, _ = w.send(method, path, body)
		require.Equal(t, 429, got, o.Name)
	}
}

// declaredAreSeen requires a response of each declared status, except for 402 of all but
// creates of checks: the fake has no plan without the others.
func declaredAreSeen(t *testing.T, all *seen) {
	never := map[string]bool{
		"POST /v1/root-cause-analyses/test-session-error-groups/{id} 402": true, "POST /v1/test-sessions/trigger 402": true, "GET /v1/test-sessions 402": true, "POST /v2/check-sessions/trigger 402": true, "POST /v1/check-sessions/trigger 402": true, "GET /v1/alert-notifications 402": true,
		"POST /v2/check-groups 402": true, "POST /v1/root-cause-analyses/error-groups/{id} 402": true, "POST /v1/private-locations 402": true, "POST /v1/private-locations/{id}/keys 402": true, "POST /v1/alert-channels 402": true, "PUT /v1/alert-channels/{id} 402": true, "PUT /v1/checks/heartbeat/{id} 402": true,
	}
	total := 0
	for _, o := range describedResponses().operations {
		for status := range o.statuses {
			key := fmt.Sprintf("%s %d", o.name, status)
			total += all.count[key]
			if all.count[key] == 0 && !never[key] {
				t.Errorf("no test has seen %s: send a request in one of the tests above that has this response; "+
					"for errors see responsesOfErrors, which needs a body that the operation takes, and an id of the right form", key)
			}
		}
	}
	t.Logf("compared %d responses of %d kinds with the description", total, len(all.count))
}

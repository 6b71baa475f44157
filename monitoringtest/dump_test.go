package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// What a test, a client and time have made of an account is the same after a dump, and goes on in
// the same way.
func TestAServiceIsTheSameAfterItsDump(t *testing.T) {
	for seed := range testkit.Samples(uint64(12)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts := []monitoringtest.Option{monitoringtest.WithCancelDelay(3 * time.Second)}
				if seed%3 == 0 {
					opts = append(opts, monitoringtest.WithSpeed(3), monitoringtest.WithVisibilityDelay(2*time.Second))
				}
				h := newHistory(t, seed, opts...)
				for range 60 {
					h.happen()
				}
				dump := h.svc.Dump()
				again := monitoringtest.New(opts...)
				require.NoError(t, again.Seed(dump), "%s", dump)
				require.Equal(t, string(dump), string(again.Dump()))
				for range 3 {
					requireSame(t, h.svc, again)
					time.Sleep(7 * time.Second)
				}
				// what happens then is the same as well, down to the ids that are made
				twin := &history{TB: t, Rand: rand.New(rand.NewPCG(seed, 99)), svc: again, still: true}
				h.Rand, h.still = rand.New(rand.NewPCG(seed, 99)), true
				for range 20 {
					h.happen()
					twin.happen()
				}
				require.Equal(t, string(h.svc.Dump()), string(again.Dump()))
				requireSame(t, h.svc, again)
			})
		})
	}
}

// history is an account to which things happen at random.
type history struct {
	testing.TB
	*rand.Rand
	svc   *monitoringtest.Service
	still bool // no time passes
}

func newHistory(t *testing.T, seed uint64, opts ...monitoringtest.Option) *history {
	return &history{TB: t, Rand: rand.New(rand.NewPCG(seed, seed)), svc: monitoringtest.New(opts...)}
}

// happen does one thing.
func (h *history) happen() {
	things := []func(){
		h.addGroup, h.addCheck, h.addCheck, h.createCheck, h.updateCheck, h.addSession, h.trigger, h.trigger, h.trigger, h.setResult,
		h.channels, h.records, h.records, h.errors, h.remove, h.windows, h.cancel, h.fault, h.setRuns,
		func() {
			if d := h.upTo(5 * time.Second); !h.still {
				time.Sleep(d)
			}
		},
	}
	things[h.IntN(len(things))]()
}

func (h *history) upTo(d time.Duration) time.Duration {
	return time.Duration(h.Int64N(int64(d)))
}

func (h *history) word(words ...string) string { return words[h.IntN(len(words))] }

func (h *history) outcome() monitoring.CheckSessionStatus {
	return monitoring.CheckSessionStatus(h.word("", "PASSED", "FAILED", "FAILED", "DEGRADED", "TIMED_OUT", "CANCELLED", "STRANGE"))
}

// one returns the id of a check, a session and so on; one that does not exist if there are none.
func (h *history) one(list string, member string) string {
	var items []map[string]any
	_, body := read(h, h.svc, list)
	require.NoError(h, json.Unmarshal([]byte(body), &items), body)
	if len(items) == 0 {
		return monitoringtest.UUID("nothing")
	}
	return text(items[h.IntN(len(items))][member])
}

func text(v any) string {
	if n, isNumber := v.(float64); isNumber {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprint(v)
}

func (h *history) send(method, path string, body any) {
	data, err := json.Marshal(body)
	require.NoError(h, err)
	request, err := http.NewRequest(method, monitoringtest.BaseURL+path, strings.NewReader(string(data)))
	require.NoError(h, err)
	request.Header.Set("Authorization", "Bearer "+monitoringtest.APIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := h.svc.Transport().RoundTrip(request)
	require.NoError(h, err)
	require.NotContains(h, []int{400, 415, 500}, response.StatusCode, "%s %s %s", method, path, data)
}

func (h *history) addGroup() {
	switch h.IntN(3) {
	case 0:
		h.svc.AddGroup(monitoring.CheckGroup{Name: "Shop", Concurrency: new(1 + h.IntN(2)), Tags: []string{"shop"}, Muted: new(h.IntN(4) == 0)})
	case 1:
		id := 100 + h.IntN(1_000_000)
		h.svc.AddGroupJSON(fmt.Sprintf(`{"unknown":{"z":1,"a":[1.50,"<&>"]},"id":%d,"name":"Odd","activated":true,"concurrency":1,"created_at":"2026-01-01"}`, id))
	default:
		h.send("POST", "/v2/check-groups", map[string]any{"name": "Made", "runParallel": h.IntN(2) == 0, "retryStrategy": map[string]any{"type": "FIXED", "maxRetries": 1 + h.IntN(3)},
			"environmentVariables": []any{map[string]any{"key": "T", "value": "s3cret", "secret": true}}})
	}
}

func (h *history) addCheck() {
	c := monitoringtest.Check{
		Type: monitoring.CheckType(h.word("", "API", "BROWSER", "TCP", "URL", "DNS", "ICMP", "SSL", "GRPC", "TRACEROUTE", "MULTI_STEP", "PLAYWRIGHT", "PLAYWRIGHT", "HEARTBEAT", "AGENTIC", "NEW_KIND")),
		Tags: []string{h.word("a", "b")}, Locations: []string{"eu-west-1", h.word("us-east-1", "eu-west-2")}, Deactivated: h.IntN(8) == 0, Muted: h.IntN(6) == 0,
		RunTime: time.Duration(h.IntN(9)) * time.Second, Outcome: h.outcome(), Attempts: h.IntN(3), HasErrors: h.IntN(5) == 0,
		ResponseTime: time.Duration(h.IntN(2)) * time.Second, Error: h.word("", "no route"), VisibleAfter: time.Duration(h.IntN(2)) * time.Second,
		Progress: monitoring.CheckSessionStatus(h.word("", "", "PROGRESS_DEGRADED")),
	}
	if h.IntN(2) == 0 {
		c.Outcomes = []monitoring.CheckSessionStatus{h.outcome(), h.outcome(), h.outcome()}
		c.FailIn = []string{"eu-west-1"}
	}
	if h.IntN(2) == 0 {
		c.Members = map[string]any{"description": "d", "script": "s", "environmentVariables": []map[string]any{{"secret": true, "value": "hunter2", "key": "P"}},
			"useGlobalAlertSettings": false, "alertSettings": map[string]any{"escalationType": "RUN_BASED", "runBasedEscalation": map[string]any{"failedRunThreshold": 2}}, "odd": nil}
		c.Result = map[string]any{"traceId": "abc", "apiCheckResult": map[string]any{"z": 1, "a": 2.5}}
	}
	if group := h.one("/v1/check-groups?limit=100", "id"); !strings.Contains(group, "-") && h.IntN(2) == 0 {
		fmt.Sscan(group, &c.GroupID)
	}
	h.svc.AddCheck(c)
}

func (h *history) createCheck() {
	switch h.IntN(3) {
	case 0:
		h.send("POST", "/v1/checks/api", map[string]any{"name": "Made", "request": map[string]any{"method": "GET", "url": "https://shop.test"}, "locations": []string{"eu-west-1"}, "groupId": h.IntN(2000)})
	case 1:
		h.send("POST", "/v1/checks/heartbeat", map[string]any{"name": "Made", "heartbeat": map[string]any{"period": 5, "periodUnit": "minutes", "grace": 1, "graceUnit": "hours"}})
	default:
		h.send("POST", "/v1/checks/browser", map[string]any{"name": "Made", "script": "x", "locations": []string{"eu-west-1"}, "retryStrategy": map[string]any{"type": "LINEAR", "baseBackoffSeconds": 10, "onlyOn": []any{"NETWORK_ERROR"}}})
	}
}

func (h *history) updateCheck() {
	h.send("PUT", "/v1/checks/"+h.one("/v1/checks?limit=100", "id"), map[string]any{"name": h.word("X", "Y"), "tags": []string{h.word("a", "c")}, "muted": h.IntN(4) == 0, "groupOrder": h.IntN(3)})
}

func (h *history) addSession() {
	s := monitoringtest.Session{Locations: []string{"eu-west-1", "us-west-1"}, Outcome: h.outcome(), Duration: time.Duration(h.IntN(20)) * time.Second,
		StartedAt: time.Now().Add(time.Duration(h.IntN(20)-10) * time.Second), RunSource: monitoring.RunSource(h.word("", "SCHEDULER", "SLACK_RERUN"))}
	if check := h.one("/v1/checks?limit=100", "id"); h.IntN(2) == 0 {
		s.CheckID = check
	}
	h.svc.AddSession(s)
}

func (h *history) trigger() {
	h.send("POST", "/v2/check-sessions/trigger", map[string]any{"target": map[string]any{"matchTags": [][]string{{h.word("a", "b", "shop")}}}})
}

func (h *history) setRuns() {
	if id := h.one("/v1/checks?limit=100", "id"); id != monitoringtest.UUID("nothing") {
		h.svc.SetRuns(id, func(c *monitoringtest.Check) {
			c.Outcomes = append(c.Outcomes, h.outcome())
			if c.Type != monitoring.CheckTypeHeartbeat {
				c.Every = time.Duration(h.IntN(3)) * 4 * time.Second
			}
		})
	}
}

func (h *history) session() (id string) {
	if list := h.svc.Sessions(); len(list) > 0 {
		return list[h.IntN(len(list))].CheckSessionID
	}
	return h.svc.AddSession(monitoringtest.Session{})
}

func (h *history) cancel() {
	h.send("POST", "/v1/check-sessions/"+h.session()+"/cancel", map[string]any{})
}

func (h *history) setResult() {
	ids := h.svc.ResultIDs(h.session())
	if len(ids) == 0 {
		return
	}
	defer func() { recover() }() // the results of a deleted check are gone
	h.svc.SetResult(ids[0], map[string]any{"traceId": "xyz", "responseTime": 7, "apiCheckResult": map[string]any{"requestError": nil}})
	h.svc.AddAsset(ids[0], monitoring.CheckResultAsset{Name: "shot.png", URL: "https://files.test/1", Type: "screenshot"})
}

func (h *history) channels() {
	switch h.IntN(3) {
	case 0:
		h.svc.AddAlertChannel(monitoringtest.AlertChannel{Type: monitoring.AlertChannelType(h.word("", "SLACK", "PIGEON")), Config: map[string]any{"url": "https://hooks.test/x", "n": 7},
			Degraded: h.IntN(2) == 0, SendTime: time.Duration(h.IntN(9)) * time.Second, Status: monitoring.AlertNotificationStatus(h.word("", "FAILURE")), Response: h.word("", "no")})
	case 1:
		h.send("POST", "/v1/alert-channels", map[string]any{"type": "EMAIL", "config": map[string]any{"address": "a@shop.test"}, "sslExpiry": true, "sslExpiryThreshold": 7})
	default:
		if id := h.one("/v1/alert-channels?limit=100", "id"); !strings.Contains(id, "-") {
			h.send("PUT", "/v1/alert-channels/"+id+"/subscriptions", map[string]any{"checkId": h.one("/v1/checks?limit=100", "id"), "activated": h.IntN(2) == 0})
		}
	}
}

func (h *history) records() {
	switch h.IntN(14) {
	case 0:
		h.svc.AddVariable(monitoring.EnvironmentVariable{Key: h.word("A", "B", "C"), Value: monitoring.NewSecret("<v>"), Secret: new(h.IntN(2) == 0)})
	case 1:
		h.send("POST", "/v1/variables", map[string]any{"key": h.word("K", "L"), "value": "", "locked": true})
	case 2:
		h.svc.AddSnippet(monitoring.Snippet{Name: "s", Script: "x"})
	case 3:
		h.send("POST", "/v1/snippets", map[string]any{"name": "Made", "script": "y"})
	case 4:
		h.svc.AddStatusPageService("")
		h.svc.AddDashboard("")
	case 5:
		h.svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc", SlugName: fmt.Sprint("dc-", h.IntN(1_000_000)), AgentCount: new(2), ProxyURL: monitoring.Value(monitoring.NewSecret("http://p:w@proxy")),
			RunningAgents: []monitoring.RunningAgents{{Version: "1", Count: 1}}, Keys: []monitoring.PrivateLocationKey{{ID: monitoringtest.UUID("k"), RawKey: monitoring.NewSecret("pl_1")}}})
	case 6:
		h.send("POST", "/v1/private-locations", map[string]any{"name": "Made", "slugName": fmt.Sprint("made-", h.IntN(1_000_000))})
	case 7:
		h.svc.AddAlertNotification(monitoring.AlertNotification{Timestamp: new(monitoring.NewTimestamp(time.Now().Add(-h.upTo(time.Hour)))), AlertChannelID: 7,
			AlertConfig: monitoring.NewSecretJSON(json.RawMessage(`{"z":1,"a":"<x>"}`)), Status: monitoring.AlertNotificationStatus(h.word("", "FAILURE"))})
	case 8:
		h.svc.AddCheckAlert(monitoring.CheckAlert{Name: "n", CheckID: h.one("/v1/checks?limit=100", "id"), CreatedAt: monitoring.NewTimestamp(time.Now().Add(-h.upTo(time.Hour)))})
	case 9:
		h.svc.SetEntitlements(monitoring.Entitlements{Plan: h.word("team", "hobby")})
	case 10:
		h.svc.SetCheckLimit(50 + h.IntN(10))
	case 12:
		if list := h.svc.PrivateLocations(); len(list) > 0 {
			h.svc.AddCheck(monitoringtest.Check{Name: "Inside", Tags: []string{"a"}, Locations: []string{list[0].SlugName, "eu-west-1"}, Outcome: h.outcome()})
			h.svc.StopAgents(list[0].ID)
		}
	case 13:
		if list := h.svc.PrivateLocations(); len(list) > 0 {
			h.svc.StartAgents(list[0].ID)
		}
	case 11:
		h.send("PUT", "/v1/variables/"+h.word("A", "K"), map[string]any{"value": "new", "secret": true})
	}
}

func (h *history) errors() {
	check := h.one("/v1/checks?limit=100", "id")
	if check == monitoringtest.UUID("nothing") {
		return
	}
	switch group := h.one("/v1/error-groups?limit=100", "id"); h.IntN(4) {
	case 0:
		h.svc.AddErrorGroup(monitoring.ErrorGroup{CheckID: check, ErrorHash: "h", RootCauseAnalyses: []json.RawMessage{json.RawMessage(`{"z":1,"a":2}`)}})
	case 1:
		h.svc.AddRootCauseAnalysis(monitoring.RootCauseAnalysis{CheckID: &check, DurationMs: 1.5}, h.upTo(9*time.Second))
	case 2:
		h.send("POST", "/v1/root-cause-analyses/error-groups/"+group, map[string]any{"userContext": "why"})
	case 3:
		h.send("PATCH", "/v1/error-groups/"+group, map[string]any{"archivedUntilNextEvent": true})
	}
}

func (h *history) remove() {
	switch h.IntN(6) {
	case 0:
		h.svc.RemoveCheck(h.one("/v1/checks?limit=100", "id"))
	case 1:
		h.svc.RemoveErrorGroup(h.one("/v1/error-groups?limit=100", "id"))
	case 2:
		h.send("DELETE", "/v1/variables/"+h.word("A", "K"), nil)
	case 3:
		var id int64
		fmt.Sscan(h.one("/v1/check-groups?limit=100", "id"), &id)
		h.svc.RemoveGroup(id)
	case 4:
		var id int64
		fmt.Sscan(h.one("/v1/alert-channels?limit=100", "id"), &id)
		h.svc.RemoveAlertChannel(id)
	}
}

func (h *history) windows() {
	starts := time.Now().Add(-h.upTo(time.Minute))
	if h.IntN(2) == 0 {
		h.svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{Name: "w", StartsAt: monitoring.NewTimestamp(starts), EndsAt: monitoring.NewTimestamp(starts.Add(time.Minute)), SilenceAlertsTags: []string{"a"}})
		return
	}
	h.send("POST", "/v1/maintenance-windows", map[string]any{"name": "Made", "startsAt": "2026-01-01T00:00:00Z", "endsAt": "2026-01-01T01:00:00Z", "repeatUnit": "WEEK", "repeatInterval": 1,
		"repeatEndsAt": "2026-08-01", "timezone": "Europe/Berlin", "statusPageVisibility": map[string]any{"severity": "MAJOR", "enabled": true, "affectAllServices": true}})
}

func (h *history) fault() {
	h.svc.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: 503, Header: http.Header{"X-A": {"1", "2"}}, After: h.IntN(2), Times: 1 + h.IntN(2), Body: `{"a":1}`})
}

// read returns the status, the headers and the body of a response.
func read(t testing.TB, svc *monitoringtest.Service, path string) (string, string) {
	request, err := http.NewRequest(http.MethodGet, monitoringtest.BaseURL+path, nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+monitoringtest.APIKey)
	response, err := svc.Transport().RoundTrip(request)
	require.NoError(t, err)
	body := new(strings.Builder)
	_, err = fmt.Fprint(body, readAll(t, response))
	require.NoError(t, err)
	return fmt.Sprint(response.StatusCode, response.Header), body.String()
}

func readAll(t testing.TB, response *http.Response) string {
	var text strings.Builder
	buffer := make([]byte, 1<<16)
	for {
		n, err := response.Body.Read(buffer)
		text.Write(buffer[:n])
		if err != nil {
			return text.String()
		}
	}
}

// parameters are with which queries the lists are read.
var parameters = map[string][]string{
	"GET /v1/checks":                                     {"limit=100&applyGroupSettings=true", "status=failing", "tag=shop"},
	"GET /v1/checks/{id}":                                {"applyGroupSettings=true&includeDependencies=true"},
	"GET /v2/check-results/{checkId}":                    {"limit=100&resultType=ALL"},
	"GET /v1/private-locations":                          {"versions=true"},
	"GET /v1/reporting":                                  {"presetWindow=last24Hours"},
	"GET /v1/accounts/{accountId}/entitlements":          {"type=metered"},
	"GET /v2/check-sessions/{checkSessionId}/completion": nil, // which waits
}

// requireSame requires that all reads and all methods that show the state answer the same.
func requireSame(t *testing.T, a, b *monitoringtest.Service) {
	ids := idsOf(t, a)
	for _, operation := range monitoringtest.Operations() {
		method, path, _ := strings.Cut(operation, " ")
		if method != http.MethodGet || strings.HasSuffix(path, "/completion") {
			continue
		}
		for _, path := range filled(t, operation, path, ids) {
			queries := []string{""}
			if o, _ := operations.Find(operation); o.Pages == operations.Numbered {
				queries = []string{"", "limit=100"}
			}
			for _, query := range append(queries, parameters[operation]...) {
				headA, bodyA := read(t, a, path+"?"+query)
				headB, bodyB := read(t, b, path+"?"+query)
				require.Equal(t, bodyA, bodyB, "%s?%s", path, query)
				require.Equal(t, headA, headB, "%s?%s", path, query)
			}
		}
	}
	require.Equal(t, a.Checks(), b.Checks())
	require.Equal(t, a.Sessions(), b.Sessions())
	require.Equal(t, a.Snippets(), b.Snippets())
	require.Equal(t, a.StatusPageServices(), b.StatusPageServices())
	require.Equal(t, a.Dashboards(), b.Dashboards())
	secretly := func(v any) string {
		data, err := monitoring.MarshalWithSecrets(v)
		require.NoError(t, err)
		return string(data)
	}
	require.Equal(t, secretly(a.PrivateLocations()), secretly(b.PrivateLocations()))
	for _, session := range a.Sessions() {
		require.Equal(t, a.ResultIDs(session.CheckSessionID), b.ResultIDs(session.CheckSessionID))
	}
	for _, key := range []string{"A", "B", "C", "K", "L"} {
		inA, thereA := a.Variable(key)
		inB, thereB := b.Variable(key)
		require.Equal(t, thereA, thereB)
		require.Equal(t, secretly(inA), secretly(inB))
	}
	for _, id := range ids["/v1/check-groups"] {
		var n int64
		fmt.Sscan(id, &n)
		inA, _ := a.GroupJSON(n)
		inB, _ := b.GroupJSON(n)
		require.Equal(t, string(inA), string(inB))
	}
}

// idsOf returns the ids of an account by the list that has them.
func idsOf(t *testing.T, svc *monitoringtest.Service) map[string][]string {
	ids := make(map[string][]string)
	for list, member := range map[string]string{
		"/v1/checks": "id", "/v1/check-groups": "id", "/v1/alert-channels": "id", "/v1/snippets": "id", "/v1/variables": "key", "/v1/maintenance-windows": "id",
		"/v1/private-locations": "id", "/v1/error-groups": "id", "/v1/runtimes": "name",
	} {
		query := "?limit=100"
		if list == "/v1/private-locations" || list == "/v1/runtimes" {
			query = ""
		}
		_, body := read(t, svc, list+query)
		var items []map[string]any
		require.NoError(t, json.Unmarshal([]byte(body), &items), "%s: %s", list, body)
		for _, item := range items {
			ids[list] = append(ids[list], url.PathEscape(text(item[member])))
		}
	}
	for _, session := range svc.Sessions() {
		ids["session"] = append(ids["session"], session.CheckSessionID)
		for _, result := range session.Results {
			ids["result"] = append(ids["result"], session.CheckID+"/"+result.CheckResultID)
		}
	}
	var dump struct{ RootCauseAnalyses []struct{ ID string } }
	require.NoError(t, json.Unmarshal(svc.Dump(), &dump))
	for _, a := range dump.RootCauseAnalyses {
		ids["/v1/root-cause-analyses"] = append(ids["/v1/root-cause-analyses"], a.ID)
	}
	return ids
}

// filled returns the paths of an operation for all ids that there are, and for one that there is
// not.
func filled(t *testing.T, operation, path string, ids map[string][]string) (paths []string) {
	head, rest, has := strings.Cut(path, "/{")
	if !has {
		return []string{path}
	}
	_, tail, _ := strings.Cut(rest, "}")
	lists := map[string]string{
		"/v1/check-sessions": "session", "/v2/check-sessions": "session", "/v2/check-results": "/v1/checks", "/v1/check-statuses": "/v1/checks",
		"/v1/check-alerts": "/v1/checks", "/v1/error-groups/checks": "/v1/checks", "/v1/check-results": "result",
	}
	from, named := lists[head]
	if !named {
		from = head
	}
	if head == "/v1/accounts" {
		return []string{head + "/" + monitoringtest.AccountID + tail}
	}
	for _, id := range ids[from] {
		paths = append(paths, head+"/"+id+strings.TrimPrefix(tail, "/{checkResultId}"))
	}
	return append(paths, head+"/"+monitoringtest.UUID("nothing")+strings.ReplaceAll(tail, "{checkResultId}", monitoringtest.UUID("nothing")))
}

func TestADumpGrowsLikeItsSize(t *testing.T) {
	dump := func(sessions int) float64 {
		svc := monitoringtest.New(monitoringtest.WithoutRecording())
		for range sessions {
			svc.AddSession(monitoringtest.Session{Locations: []string{"eu-west-1", "us-east-1"}})
		}
		return testing.AllocsPerRun(1, func() { svc.Dump() })
	}
	require.Less(t, dump(1600), 20*dump(100))
}

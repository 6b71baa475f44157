package monitoringtest_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// What other clients of the service send always, and what they send of a setting.
const (
	ofFour = `"id":"","name":"c","frequency":10,"activated":true,"muted":false,"doubleCheck":false,"shouldFail":false,
		"locations":[],"privateLocations":[],"createdAt":"0001-01-01T00:00:00Z","updatedAt":"0001-01-01T00:00:00Z","sslCheck":false,
		"sslCheckDomain":"","environmentVariables":null,"degradedResponseTime":0,"maxResponseTime":0,"groupId":null,"description":null,
		"runtimeId":null,"retryStrategy":null,"triggerIncident":null,"useGlobalAlertSettings":false,"alertSettings":` + noSettings
	noSettings = `{"runBasedEscalation":{},"timeBasedEscalation":{},"reminders":{},"parallelRunFailureThreshold":{},"sslCertificates":{}}`
	noBeat     = `"heartbeat":{"period":0,"periodUnit":"","grace":0,"graceUnit":"","pingToken":""}`
	noRequest  = `"request":{"method":"","url":"","headers":null,"queryParameters":null,"assertions":null}`
	allOfFour  = `"id":"d0b1","name":"c","frequency":10,"activated":true,"muted":false,"doubleCheck":false,"shouldFail":false,
		"locations":["eu-west-1"],"privateLocations":["office"],"createdAt":"2026-08-01T10:00:00Z","updatedAt":"2026-08-01T10:00:00Z",
		"sslCheck":true,"sslCheckDomain":"shop.test","environmentVariables":[{"key":"A","value":"a","locked":false,"secret":false}],
		"degradedResponseTime":100,"maxResponseTime":200,"groupId":7,"description":"d","runtimeId":"2025.04","tags":["a"],
		"retryStrategy":{"type":"FIXED","baseBackoffSeconds":1,"maxRetries":1,"maxDurationSeconds":60,"sameRegion":true},
		"triggerIncident":null,"useGlobalAlertSettings":true,"alertChannelSubscriptions":[{"alertChannelId":1,"activated":true}],
		"alertSettings":` + someSettings
	someSettings = `{"escalationType":"RUN_BASED","runBasedEscalation":{"failedRunThreshold":1},"timeBasedEscalation":{"minutesFailingThreshold":5},
		"reminders":{"amount":0,"interval":5},"parallelRunFailureThreshold":{"enabled":false,"percentage":10},
		"sslCertificates":{"enabled":false,"alertThreshold":30}}`
	someBeat  = `"heartbeat":{"period":1,"periodUnit":"hours","grace":1,"graceUnit":"minutes","pingToken":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"}`
	asserting = `"assertions":[{"edit":false,"order":0,"arrayIndex":0,"arraySelector":0,"source":"%","comparison":"EQUALS","property":"","target":"1"}]`
	apiOf     = `"request":{"method":"GET","url":"https://shop.test","headers":null,"queryParameters":null,"assertions":null}`

	ofOthers = `"name":"c","frequency":10,"activated":true,"muted":false,"doubleCheck":false,"shouldFail":false,"locations":[],
		"groupId":null,"description":null,"retryStrategy":null,"triggerIncident":null,"useGlobalAlertSettings":true`
	year1 = `"created_at":"0001-01-01T00:00:00Z","updated_at":"0001-01-01T00:00:00Z"`
	camel = `"createdAt":"0001-01-01T00:00:00Z","updatedAt":"0001-01-01T00:00:00Z"`

	beatOfItsOwn = `"id":"","name":"h","activated":true,"muted":false,"tags":["a"],"useGlobalAlertSettings":true,` + camel + `,
		"alertSettings":` + noSettings
)

// assertions returns a request with an assertion as the clients send it.
func assertions(request, source string) string {
	return `"request":{` + request + "," + strings.ReplaceAll(asserting, "%", source) + "}"
}

// ofAssertion are the members of an assertion that are not documented.
func ofAssertion(at string) []string {
	return []string{at + ".edit", at + ".order", at + ".arrayIndex", at + ".arraySelector"}
}

func withOthers(names []string, more ...string) []string {
	return append(append([]string(nil), names...), more...)
}

func TestWhatOtherClientsSendIsTakenOnRequest(t *testing.T) {
	four := []string{"id", "createdAt", "updatedAt", "sslCheck"}
	years := []string{"created_at", "updated_at"}
	ofRequest := ofAssertion("request.assertions[0]")
	script := func(kind, members string) string {
		return `{"checkType":"` + kind + `","script":"x()",` + members + "}"
	}
	group := `"name":"g","activated":true,"muted":false,"concurrency":1,"locations":[],"useGlobalAlertSettings":true,"retryStrategy":null`
	rows := []struct {
		target  string
		body    string
		dropped []string
	}{
		{"post-v1-checks-api", `{"checkType":"API",` + ofFour + "," + apiOf + "," + noBeat + "}", withOthers(four, "heartbeat", "environmentVariables",
			"sslCheckDomain", "request.headers", "request.queryParameters", "request.assertions")},
		{"post-v1-checks-api", `{"checkType":"API",` + allOfFour + "," + assertions(`"method":"GET","url":"https://shop.test"`, "STATUS_CODE") + "," + someBeat + "}",
			withOthers(ofRequest, withOthers(four, "heartbeat", "environmentVariables", "sslCheckDomain")...)},
		{"post-v1-checks-browser", script("BROWSER", ofFour+","+noRequest+","+noBeat),
			withOthers(four, "heartbeat", "request", "degradedResponseTime", "maxResponseTime")},
		{"post-v1-checks-browser", script("BROWSER", allOfFour+","+apiOf+","+someBeat),
			withOthers(four, "heartbeat", "request", "degradedResponseTime", "maxResponseTime")},
		{"post-v1-checks-multistep", script("MULTI_STEP", ofFour+","+noRequest+","+noBeat),
			withOthers(four, "heartbeat", "request", "degradedResponseTime", "maxResponseTime", "sslCheckDomain")},
		{"post-v1-checks-multistep", script("MULTI_STEP", allOfFour+","+apiOf+","+someBeat),
			withOthers(four, "heartbeat", "request", "degradedResponseTime", "maxResponseTime", "sslCheckDomain")},
		{"post-v1-checks-heartbeat", `{"checkType":"HEARTBEAT",` + ofFour + "," + noRequest + `,"heartbeat":{"period":1,"periodUnit":"days","grace":0,"graceUnit":"days","pingToken":""}}`,
			withOthers(four, "retryStrategy", "privateLocations", "heartbeat.pingToken")},
		{"post-v1-checks-heartbeat", `{"checkType":"HEARTBEAT",` + allOfFour + "," + apiOf + "," + someBeat + "}", withOthers(four, "retryStrategy", "privateLocations")},
		{"put-v1-check", `{"checkType":"API",` + ofFour + "," + apiOf + "," + noBeat + "}", four},
		{"put-v1-check", `{"checkType":"API",` + allOfFour + "," + assertions(`"method":"GET","url":"https://shop.test"`, "STATUS_CODE") + "," + someBeat + "}", four},
		{"put-v1-check", script("BROWSER", ofFour+","+noRequest+","+noBeat), four},
		{"put-v1-check", script("MULTI_STEP", allOfFour+","+noRequest+","+noBeat), four},

		{"post-v1-checks-heartbeat", "{" + beatOfItsOwn + `,"heartbeat":{"period":1,"periodUnit":"days","grace":0,"graceUnit":"days","pingToken":""}}`,
			[]string{"id", "createdAt", "updatedAt", "heartbeat.pingToken"}},
		{"put-v1-checks-heartbeat", "{" + beatOfItsOwn + "," + someBeat + "}", []string{"id", "createdAt", "updatedAt"}},

		{"post-v1-checks-tcp", "{" + ofOthers + "," + year1 + `,"runtimeId":null,"privateLocations":[],"request":{"hostname":"shop.test","port":443}}`, years},
		{"put-v1-checks-tcp", `{"id":"x",` + ofOthers + "," + year1 + `,"runtimeId":"2025.04","privateLocations":["office"],"alertSettings":` + someSettings +
			"," + assertions(`"hostname":"shop.test","port":443`, "RESPONSE_TIME") + "}", withOthers(ofRequest, "id", "created_at", "updated_at")},
		{"post-v1-checks-url", "{" + ofOthers + "," + year1 + `,"privateLocations":[],"request":{"url":"https://shop.test","body":"","headers":null,"queryParameters":null,"assertions":null}}`,
			withOthers(years, "request.body", "request.headers", "request.queryParameters", "request.assertions")},
		{"put-v1-checks-url", `{"id":"x",` + ofOthers + "," + year1 + `,"privateLocations":["office"],"alertSettings":` + someSettings + "," +
			assertions(`"url":"https://shop.test","body":"","headers":null,"queryParameters":null`, "STATUS_CODE") + "}",
			withOthers(ofRequest, "id", "created_at", "updated_at", "request.body", "request.headers", "request.queryParameters")},
		{"post-v1-checks-ssl", "{" + ofOthers + "," + year1 + `,"runtimeId":null,"privateLocations":[],"request":{"sslConfig":{"hostname":"shop.test"}}}`, years},
		{"put-v1-checks-ssl", `{"id":"x",` + ofOthers + "," + year1 + `,"runtimeId":null,"privateLocations":["office"],"alertSettings":` + someSettings + "," +
			assertions(`"sslConfig":{"hostname":"shop.test","securityBaseline":{"enabled":true}}`, "CERTIFICATE") + "}", withOthers(ofRequest, "id", "created_at", "updated_at")},
		{"post-v1-checks-dns", "{" + ofOthers + `,"request":{"query":"shop.test","recordType":"A","assertions":null}}`, []string{"request.assertions"}},
		{"put-v1-checks-dns", "{" + ofOthers + `,"alertSettings":` + someSettings + "," + assertions(`"query":"shop.test","recordType":"A","nameServer":"1.1.1.1","port":53`, "RESPONSE_CODE") + "}", ofRequest},
		{"post-v1-checks-icmp", "{" + ofOthers + `,"request":{"hostname":"shop.test","assertions":null}}`, []string{"request.assertions"}},
		{"put-v1-checks-icmp", "{" + ofOthers + `,"alertSettings":` + someSettings + "," + assertions(`"hostname":"shop.test"`, "LATENCY") + "}", ofRequest},

		{"post-v2-check-groups", "{" + group + "," + camel + `,"tags":null,"environmentVariables":null,"apiCheckDefaults":{"url":"","headers":[],"queryParameters":[],"assertions":null,
			"basicAuth":{"username":"","password":""}}}`, []string{"createdAt", "updatedAt", "tags", "apiCheckDefaults.assertions"}},
		{"put-v2-check-group", `{"id":4711,` + group + "," + camel + `,"tags":["a"],"environmentVariables":[{"key":"A","value":"a","locked":false}],"alertSettings":` + someSettings + `,
			"apiCheckDefaults":{"url":"","headers":[],"queryParameters":[],"basicAuth":{"username":"u","password":"p"},` + strings.ReplaceAll(asserting, "%", "STATUS_CODE") + "}}",
			withOthers(ofAssertion("apiCheckDefaults.assertions[0]"), "id", "createdAt", "updatedAt", "alertSettings.sslCertificates")},
		{"post-v1-snippets", `{"id":0,"name":"s","script":"x()",` + camel + "}", []string{"id", "createdAt", "updatedAt"}},
		{"put-v1-snippet", `{"id":12,"name":"s","script":"x()",` + camel + "}", []string{"id", "createdAt", "updatedAt"}},
		{"post-v1-private-locations", `{"id":"","name":"l","slugName":"l","icon":"","created_at":"","updated_at":""}`, []string{"id", "created_at", "updated_at"}},
		{"put-v1-private-location", `{"id":"x","name":"l","slugName":"l","icon":"home","created_at":"x","updated_at":"x","keys":[{"id":"x","rawKey":"x","maskedKey":"x"}],"lastSeen":"x","agentCount":1}`,
			[]string{"id", "slugName", "created_at", "updated_at", "keys", "lastSeen", "agentCount"}},
		{"post-v1-maintenance-windows", `{"id":0,"name":"w","tags":[],"startsAt":"2026-08-01","endsAt":"2026-08-02","created_at":"","updated_at":""}`,
			[]string{"id", "created_at", "updated_at", "repeatUnit"}},
		{"post-v1-maintenance-windows", `{"id":0,"name":"w","tags":["a"],"startsAt":"2026-08-01","endsAt":"2026-08-02","repeatUnit":"DAY","repeatInterval":1,"repeatEndsAt":"2026-09-02","created_at":"","updated_at":""}`,
			[]string{"id", "created_at", "updated_at"}},
		{"put-v1-maintenance-window", `{"id":321,"name":"w","tags":["a"],"startsAt":"2026-08-01","endsAt":"2026-08-02","created_at":"","updated_at":""}`,
			[]string{"id", "created_at", "updated_at"}},
		{"post-v1-alert-channels", `{"id":0,"type":"EMAIL","config":{"address":"a@shop.test"}}`, []string{"id"}},
		{"put-v1-alert-channel", `{"id":263584,"type":"EMAIL","config":{"address":"a@shop.test"},"sendRecovery":true,"sendFailure":true,"sendDegraded":true,"sslExpiry":true,"sslExpiryThreshold":30}`, []string{"id"}},
		{"post-v1-variables", `{"key":"B","value":"b","locked":false,"secret":false}`, nil},
		{"put-v1-variable", `{"key":"A","value":"b","locked":true,"secret":true}`, nil},
	}
	for _, row := range rows {
		to, known := targets[row.target]
		require.True(t, known, row.target)
		strict := monitoringtest.New()
		to.prepare(strict)
		names, body := []string{}, row.body
		for range 20 {
			status, text := sendRaw(t, strict, to.method, to.path, body)
			if status != http.StatusBadRequest {
				require.Contains(t, []int{200, 201}, status, "%s %s: %s", row.target, body, text)
				break
			}
			name := namedIn(t, text)
			names, body = append(names, name), documented(t, body, name)
		}
		require.ElementsMatch(t, row.dropped, names, "%s: strictly, %s", row.target, row.body)

		lenient := monitoringtest.New(monitoringtest.WithUndocumentedMembers())
		to.prepare(lenient)
		status, text := sendRaw(t, lenient, to.method, to.path, row.body)
		require.Contains(t, []int{200, 201}, status, "%s: %s", row.target, text)
		listed := []string{}
		for _, r := range lenient.Unexpected() {
			require.Empty(t, r.Refusal)
			for _, one := range r.Dropped {
				listed = append(listed, strings.Trim(nameOf.FindString(one), `":`))
			}
		}
		require.ElementsMatch(t, row.dropped, listed, "%s: leniently", row.target)
		for _, service := range []*monitoringtest.Service{strict, lenient} { // both have done the same
			require.NotZero(t, service.Executed(operationOf(t, service)))
		}
	}
}

// operationOf returns the operation of the last request.
func operationOf(t *testing.T, svc *monitoringtest.Service) string {
	list := svc.Requests()
	require.NotEmpty(t, list)
	return list[len(list)-1].Operation
}

// nameOf is the member that a refusal begins with, in both families of errors.
var nameOf = regexp.MustCompile(`^"?[^ ":]+`)

func namedIn(t *testing.T, text string) string {
	var failed struct{ Message string }
	require.NoError(t, json.Unmarshal([]byte(text), &failed))
	return strings.Trim(nameOf.FindString(failed.Message), `"`)
}

// documented returns a body without a member, or with one that is missing.
func documented(t *testing.T, body, path string) string {
	var whole any
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&whole))
	at := whole
	steps := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
	for _, step := range steps[:len(steps)-1] {
		if list, isList := at.([]any); isList {
			i, err := strconv.Atoi(step)
			require.NoError(t, err)
			at = list[i]
		} else {
			at = at.(map[string]any)[step]
		}
	}
	object, last := at.(map[string]any), steps[len(steps)-1]
	if _, there := object[last]; there {
		delete(object, last)
	} else {
		object[last] = "DAY"
	}
	text, err := json.Marshal(whole)
	require.NoError(t, err)
	return string(text)
}

func TestALenientServiceRefusesWhatIsWrong(t *testing.T) {
	svc, client := monitoringtest.Run(t, monitoringtest.WithUndocumentedMembers(), monitoringtest.WithUnexpected())
	for body, message := range map[string]string{
		`{"id":0,"name":"s"}`:                                     "script: is required",
		`{"id":0,"name":null,"script":"x"}`:                       "name: must not be null",
		`{"id":0,"name":"s","script":"x"`:                         "body: is not valid JSON",
		`{"name":"s","script":"x","id":{"a":[1,{"b":"}"}]},"c":}`: "body: is not valid JSON",
	} {
		status, text := sendRaw(t, svc, "POST", "/v1/snippets", body)
		require.Equal(t, 400, status, body)
		require.Contains(t, text, message)
	}
	require.Empty(t, svc.Snippets())
	status, text := sendRaw(t, svc, "POST", "/v1/checks/dns", `{"id":"x","name":"d","request":{"query":"shop.test","recordType":"A"}}`)
	require.Equal(t, 400, status, "the create of a DNS check is closed")
	require.Contains(t, text, "id: is not allowed")

	status, text = sendRaw(t, svc, "POST", "/v1/snippets", ` { "a" : {"b":[1,"},{\""]} , "name" :"s, }", "c":1,"script": "x", "d" : null } `)
	require.Equal(t, 201, status, text)
	require.Equal(t, []string{"s, }", "x"}, []string{svc.Snippets()[0].Name, svc.Snippets()[0].Script})
	list := svc.Unexpected()
	require.Equal(t, []string{"a: is not allowed", "c: is not allowed", "d: is not allowed"}, list[len(list)-1].Dropped)
	require.Equal(t, "POST /v1/snippets: 201: not documented, and dropped: a: is not allowed, c: is not allowed, d: is not allowed", list[len(list)-1].String())

	status, text = sendRaw(t, svc, "GET", "/v1/snippets?limit=1&sort=name", "")
	require.Equal(t, 200, status, text)
	list = svc.Unexpected()
	require.Equal(t, []string{"sort: is not allowed"}, list[len(list)-1].Dropped)
	require.Equal(t, []string{"name"}, list[len(list)-1].Query["sort"], "it is recorded as it was sent")
	status, _ = sendRaw(t, svc, "GET", "/v1/snippets?limit=0&sort=name", "")
	require.Equal(t, 400, status)
	_, err := client.Snippets.List(t.Context(), monitoring.ListOptions{})
	require.NoError(t, err)
}

func TestReadsOfOtherClientsAreTaken(t *testing.T) {
	svc, _ := monitoringtest.Run(t)
	check := svc.AddCheck(monitoringtest.Check{Tags: []string{"a"}})
	for _, path := range []string{
		"/v1/checks?tag[]=a&tag[]=b&limit=100&page=1", "/v1/check-statuses", "/v1/checks/" + check, "/v1/check-groups", "/v1/variables", "/v1/private-locations",
		"/v1/accounts/me/entitlements", "/v1/test-sessions?statuses[]=FAILED&statuses[]=PASSED",
	} {
		request := newRequest(t, "GET", path, "")
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("X-Client-Source", "TF")
		response, err := svc.Transport().RoundTrip(request)
		require.NoError(t, err)
		var body bytes.Buffer
		_, err = body.ReadFrom(response.Body)
		require.NoError(t, err)
		require.Equal(t, 200, response.StatusCode, "%s: %s", path, body.String())
		require.NotContains(t, body.String(), "[null")
	}
}

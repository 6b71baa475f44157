package monitoringtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// The expectations say for each member of each body what the service refuses; see the
// README beside them. They are written by hand from the API document, not taken from the
// schema that the fake uses.
const expectations = "../internal/schema/testdata/"

// target is the request that carries the bodies of an operation, and the data it needs.
type target struct {
	method, path string
	older        bool // in the way it tells errors
	prepare      func(*monitoringtest.Service)
}

var targets = map[string]target{
	"put-v2-check-group": {method: "PUT", path: "/v2/check-groups/4711", older: true, prepare: func(svc *monitoringtest.Service) {
		svc.AddGroup(monitoring.CheckGroup{ID: 4711, Name: "g"})
	}},
	"post-v2-check-groups":        {method: "POST", path: "/v2/check-groups", older: true, prepare: func(*monitoringtest.Service) {}},
	"post-v1-maintenance-windows": {method: "POST", path: "/v1/maintenance-windows", older: true, prepare: func(*monitoringtest.Service) {}},
	"put-v1-maintenance-window": {method: "PUT", path: "/v1/maintenance-windows/321", older: true, prepare: func(svc *monitoringtest.Service) {
		svc.AddMaintenanceWindow(monitoring.MaintenanceWindow{
			ID: 321, Name: "w", EndsAt: monitoring.NewTimestamp(time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC)),
		})
	}},
	"post-v1-alert-channels":             {method: "POST", path: "/v1/alert-channels", older: true, prepare: addSubscribers},
	"put-v1-alert-channel":               {method: "PUT", path: "/v1/alert-channels/263584", older: true, prepare: addSubscribers},
	"put-v1-alert-channel-subscriptions": {method: "PUT", path: "/v1/alert-channels/263584/subscriptions", older: true, prepare: addSubscribers},
	"post-v1-private-locations":          {method: "POST", path: "/v1/private-locations", older: true, prepare: func(*monitoringtest.Service) {}},
	"put-v1-private-location": {method: "PUT", path: "/v1/private-locations/" + monitoringtest.UUID("l"), older: true, prepare: func(svc *monitoringtest.Service) {
		svc.AddPrivateLocation(monitoring.PrivateLocation{ID: monitoringtest.UUID("l"), Name: "n"})
	}},
	"post-v1-snippets":  {method: "POST", path: "/v1/snippets", prepare: func(*monitoringtest.Service) {}},
	"put-v1-snippet":    {method: "PUT", path: "/v1/snippets/12", prepare: addSnippet},
	"post-v1-variables": {method: "POST", path: "/v1/variables", prepare: func(*monitoringtest.Service) {}},
	"put-v1-variable": {method: "PUT", path: "/v1/variables/A", prepare: func(svc *monitoringtest.Service) {
		svc.AddVariable(monitoring.NewEnvironmentVariable("A", "a"))
	}},
	"patch-v1-error-group":                        {method: "PATCH", path: "/v1/error-groups/" + monitoringtest.UUID("g"), older: true, prepare: addErrorGroup},
	"post-v1-root-cause-analysis":                 {method: "POST", path: "/v1/root-cause-analyses/error-groups/" + monitoringtest.UUID("g"), older: true, prepare: addErrorGroup},
	"post-v1-checks-api":                          {method: "POST", path: "/v1/checks/api", prepare: func(*monitoringtest.Service) {}},
	"post-v1-checks-browser":                      {method: "POST", path: "/v1/checks/browser", prepare: func(*monitoringtest.Service) {}},
	"post-v1-checks-tcp":                          {method: "POST", path: "/v1/checks/tcp", prepare: func(*monitoringtest.Service) {}},
	"put-v1-checks-api":                           {method: "PUT", path: "/v1/checks/api/" + monitoringtest.UUID("a"), prepare: addCheck("a", monitoring.CheckTypeAPI)},
	"put-v1-checks-tcp":                           {method: "PUT", path: "/v1/checks/tcp/" + monitoringtest.UUID("t"), prepare: addCheck("t", monitoring.CheckTypeTCP)},
	"post-v1-checks-url":                          {method: "POST", path: "/v1/checks/url", prepare: func(*monitoringtest.Service) {}},
	"put-v1-checks-url":                           {method: "PUT", path: "/v1/checks/url/" + monitoringtest.UUID("u"), prepare: addCheck("u", monitoring.CheckTypeURL)},
	"post-v1-checks-icmp":                         {method: "POST", path: "/v1/checks/icmp", prepare: func(*monitoringtest.Service) {}},
	"put-v1-checks-icmp":                          {method: "PUT", path: "/v1/checks/icmp/" + monitoringtest.UUID("x"), prepare: addCheck("x", monitoring.CheckTypeICMP)},
	"post-v1-checks-ssl":                          {method: "POST", path: "/v1/checks/ssl", prepare: func(*monitoringtest.Service) {}},
	"put-v1-checks-ssl":                           {method: "PUT", path: "/v1/checks/ssl/" + monitoringtest.UUID("x"), prepare: addCheck("x", monitoring.CheckTypeSSL)},
	"post-v1-checks-dns":                          {method: "POST", path: "/v1/checks/dns", prepare: func(*monitoringtest.Service) {}},
	"put-v1-checks-dns":                           {method: "PUT", path: "/v1/checks/dns/" + monitoringtest.UUID("x"), prepare: addCheck("x", monitoring.CheckTypeDNS)},
	"post-v1-checks-heartbeat":                    {method: "POST", path: "/v1/checks/heartbeat", prepare: func(*monitoringtest.Service) {}},
	"put-v1-checks-heartbeat":                     {method: "PUT", path: "/v1/checks/heartbeat/" + monitoringtest.UUID("h"), prepare: addCheck("h", monitoring.CheckTypeHeartbeat)},
	"post-v1-checks-multistep":                    {method: "POST", path: "/v1/checks/multistep", prepare: func(*monitoringtest.Service) {}},
	"put-v1-checks-multistep":                     {method: "PUT", path: "/v1/checks/multistep/" + monitoringtest.UUID("m"), prepare: addCheck("m", monitoring.CheckTypeMultiStep)},
	"put-v1-checks-browser":                       {method: "PUT", path: "/v1/checks/browser/" + monitoringtest.UUID("b"), prepare: addCheck("b", monitoring.CheckTypeBrowser)},
	"put-v1-check":                                {method: "PUT", path: "/v1/checks/" + monitoringtest.UUID("a"), prepare: addCheck("a", monitoring.CheckTypeAPI)},
	"post-v2-check-sessions-trigger":              {method: "POST", path: "/v2/check-sessions/trigger", prepare: addCheck("a", monitoring.CheckTypeAPI)},
	"post-v1-check-sessions-trigger":              {method: "POST", path: "/v1/check-sessions/trigger", older: true, prepare: addCheck("a", monitoring.CheckTypeAPI)},
	"patch-v1-test-session-error-group":           {method: "PATCH", path: "/v1/test-session-error-groups/" + monitoringtest.UUID("g"), prepare: addTestErrorGroup},
	"post-v1-root-cause-analysis-of-test-session": {method: "POST", path: "/v1/root-cause-analyses/test-session-error-groups/" + monitoringtest.UUID("g"), older: true, prepare: addTestErrorGroup},
	"post-v1-test-sessions-trigger": {method: "POST", path: "/v1/test-sessions/trigger", prepare: func(svc *monitoringtest.Service) {
		svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "office-rack-2"})
		svc.AddCheck(monitoringtest.Check{ID: monitoringtest.UUID("a")})
	}},
	"post-v1-test-session-cancel": {method: "POST", path: "/v1/test-sessions/" + firstTest + "/cancel", prepare: addTest},
	"post-v1-check-session-cancel": {method: "POST", path: "/v1/check-sessions/" + monitoringtest.UUID("s") + "/cancel", prepare: func(svc *monitoringtest.Service) {
		svc.AddSession(monitoringtest.Session{ID: monitoringtest.UUID("s")})
	}},
}

// addTest starts a test session, whose id is firstTest.
func addTest(svc *monitoringtest.Service) {
	check := svc.AddCheck(monitoringtest.Check{Name: "Checkout"})
	client, err := svc.Client()
	if err == nil {
		_, err = client.TestSessions.Trigger(context.Background(), monitoring.TestSessionTrigger{Name: "Smoke", RunLocation: "eu-west-1", Target: monitoring.TestSessionTarget{CheckIDs: []string{check}}})
	}
	if err != nil {
		panic(err)
	}
}

// firstTest is the id of the first test session of a service.
var firstTest = func() string {
	svc := monitoringtest.New()
	addTest(svc)
	return svc.TestSessions()[0].TestSessionID
}()

// addSampleSnippets adds the snippets that samples of checks and groups name.
func addSampleSnippets(svc *monitoringtest.Service) {
	for _, id := range []int64{1, 2, 12, 13} {
		svc.AddSnippet(monitoring.Snippet{ID: id, Name: "n", Script: "s"})
	}
}

func addSnippet(svc *monitoringtest.Service) {
	svc.AddSnippet(monitoring.Snippet{ID: 12, Name: "n", Script: "s"})
}

func addTestErrorGroup(svc *monitoringtest.Service) {
	seed := fmt.Sprintf(`{"testSessionErrorGroups":[{"id":%q,"projectId":%q},{}]}`, monitoringtest.UUID("g"), monitoringtest.UUID("p"))
	if err := svc.Seed([]byte(seed)); err != nil {
		panic(err)
	}
}

func addErrorGroup(svc *monitoringtest.Service) {
	svc.AddErrorGroup(monitoring.ErrorGroup{ID: monitoringtest.UUID("g"), CheckID: svc.AddCheck(monitoringtest.Check{})})
}

// addSubscribers adds an alert channel, and what the samples subscribe to it.
func addSubscribers(svc *monitoringtest.Service) {
	svc.AddAlertChannel(monitoringtest.AlertChannel{ID: 263584})
	svc.AddCheck(monitoringtest.Check{ID: "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"})
	svc.AddGroup(monitoring.CheckGroup{ID: 4711, Name: "g"})
}

func addCheck(name string, kind monitoring.CheckType) func(*monitoringtest.Service) {
	return func(svc *monitoringtest.Service) {
		svc.AddCheck(monitoringtest.Check{ID: monitoringtest.UUID(name), Type: kind})
	}
}

// bodyTest is a body that differs from a valid one at a path.
type bodyTest struct {
	path, what string
	body       []byte
}

// member is a line of the expectations.
type member struct {
	path      string
	types     []string
	required  bool
	needed    bool // by another member
	bad, good []string
}

func readMembers(t *testing.T, name string) (list []member) {
	for _, words := range testkit.Expectations(t, expectations, name) {
		m := member{path: words[0], types: strings.Split(words[1], "|")}
		var values *[]string
		for _, w := range words[2:] {
			switch w {
			case "required":
				m.required = true
			case "needed":
				m.needed = true
			case "both", "service":
				values = &m.bad
			case "good":
				values = &m.good
			default:
				*values = append(*values, w)
			}
		}
		list = append(list, m)
	}
	return list
}

var pathStep = regexp.MustCompile(`[^.\[\]]+`)

// at returns what is inside a value at a path.
func at(t *testing.T, v any, path string) any {
	for _, step := range pathStep.FindAllString(path, -1) {
		switch of := v.(type) {
		case map[string]any:
			v = of[step]
		case []any:
			i, err := strconv.Atoi(step)
			require.NoError(t, err)
			v = of[i]
		}
	}
	return v
}

// replaced is a valid body with another value at a path; nil removes the member. The body itself
// stays as it is.
func replaced(t *testing.T, valid map[string]any, path string, value json.RawMessage) []byte {
	steps := pathStep.FindAllStringIndex(path, -1)
	last := steps[len(steps)-1]
	step := path[last[0]:last[1]]
	switch of := at(t, valid, path[:last[0]]).(type) {
	case map[string]any:
		was, has := of[step]
		defer func() {
			if of[step] = was; !has {
				delete(of, step)
			}
		}()
		if of[step] = value; value == nil {
			delete(of, step)
		}
	case []any:
		i, err := strconv.Atoi(step)
		require.NoError(t, err)
		was := of[i]
		defer func() { of[i] = was }()
		of[i] = value
	}
	body, err := json.Marshal(valid)
	require.NoError(t, err)
	return body
}

// value is a value of an expectation: JSON, a text of a length or a list of a length.
func value(t *testing.T, valid map[string]any, path, word string) json.RawMessage {
	kind, length, _ := strings.Cut(word, ":")
	n, err := strconv.Atoi(length)
	switch {
	case err == nil && kind == "text":
		return json.RawMessage(`"` + strings.Repeat("x", n) + `"`)
	case err == nil && kind == "items":
		item, err := json.Marshal(at(t, valid, path+"[0]"))
		require.NoError(t, err)
		return json.RawMessage("[" + strings.TrimSuffix(strings.Repeat(string(item)+",", n), ",") + "]")
	}
	return json.RawMessage(word)
}

var ofEachType = map[string]string{"string": `"x"`, "number": "1", "boolean": "true", "array": "[]", "object": "{}", "null": "null"}

// bodyTests makes the bodies with one mistake, and the valid ones that differ from the
// sample in one member.
func bodyTests(t *testing.T, name string) (mistakes, valid []bodyTest) {
	body := testkit.Sample(t, expectations, name)
	add := func(list *[]bodyTest, path, what string, value json.RawMessage) {
		*list = append(*list, bodyTest{path, what, replaced(t, body, path, value)})
	}
	unknown := func(path string) {
		for _, v := range []string{"null", `"x"`, `{"a":[1]}`} {
			add(&mistakes, strings.TrimPrefix(path+".surprise", "."), "unknown "+v, json.RawMessage(v))
		}
	}
	unknown("")
	for _, m := range readMembers(t, name) {
		switch removable := !strings.HasSuffix(m.path, "]"); {
		case m.needed:
			add(&mistakes, m.path, "missing", nil)
		case m.required:
			add(&mistakes, m.path, "removed", nil)
		case removable:
			add(&valid, m.path, "removed", nil)
		}
		for _, kind := range slices.Sorted(maps.Keys(ofEachType)) {
			v := ofEachType[kind]
			free := m.types[0] == "any" || m.types[0] == "free" && kind == "object"
			if !free && !slices.Contains(m.types, kind) {
				add(&mistakes, m.path, "of type "+kind, json.RawMessage(v))
			}
		}
		if m.types[0] == "object" {
			unknown(m.path)
		}
		for _, word := range m.bad {
			add(&mistakes, m.path, word, value(t, body, m.path, word))
		}
		for _, word := range m.good {
			add(&valid, m.path, word, value(t, body, m.path, word))
		}
	}
	return mistakes, valid
}

// send sends a body to a service of its own.
func send(t *testing.T, to target, body []byte) (int, []byte) {
	svc := monitoringtest.New()
	to.prepare(svc)
	if len(svc.Snippets()) == 0 {
		addSampleSnippets(svc)
	}
	response, data := sendOnce(t, svc, newRequest(t, to.method, to.path, string(body)))
	return response.StatusCode, []byte(data)
}

// Each body has one mistake, or is a valid one that differs from the sample in one member. The
// service refuses the mistakes, all of them; an exception would have to be explained in
// docs/fake.md.
func TestOnlyBodiesWithAMistakeAreRefused(t *testing.T) {
	testkit.SkipUnderRace(t)
	sent := 0
	var draw testkit.Draw
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		to := targets[name]
		mistakes, valid := bodyTests(t, name)
		for _, test := range mistakes {
			if !draw.Take(test.what) {
				continue
			}
			sent++
			status, response := send(t, to, test.body)
			require.Equal(t, http.StatusBadRequest, status, "%s: %s %s", name, test.path, test.what)
			requireRefusal(t, to.older, test, response)
		}
		complete, err := json.Marshal(testkit.Sample(t, expectations, name))
		require.NoError(t, err)
		for _, test := range append(valid, bodyTest{body: complete}) {
			status, response := send(t, to, test.body)
			if status == http.StatusNotFound && (strings.Contains(to.path, "trigger") || strings.HasSuffix(to.path, "/subscriptions")) {
				continue // no check matches, or there is none to subscribe
			}
			require.Less(t, status, 300, "%s: %s %s: %s", name, test.path, test.what, response)
		}
	}
	require.GreaterOrEqual(t, sent, testkit.Samples(1000))
}

// requireRefusal requires an error in the form of the family. The error must name the path
// of the mistake, or a member beside it that the value does not fit.
func requireRefusal(t *testing.T, older bool, test bodyTest, body []byte) {
	t.Helper()
	var e struct {
		StatusCode     int
		Error, Message string
		Validation     *struct {
			Source string
			Keys   []string
		}
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&e), "%s", body)
	require.Equal(t, 400, e.StatusCode)
	require.Equal(t, "Bad Request", e.Error)
	var path string
	if older {
		require.NotNil(t, e.Validation, "%s", body)
		require.Equal(t, "payload", e.Validation.Source)
		require.Len(t, e.Validation.Keys, 1)
		path = e.Validation.Keys[0]
		require.Regexp(t, "^"+regexp.QuoteMeta(`"`+path+`" `)+"(must |is |length |FALLBACK )", e.Message)
	} else {
		require.Nil(t, e.Validation, "%s", body)
		path, _, _ = strings.Cut(e.Message, ": ")
		require.Regexp(t, "^[^ ]+: .", e.Message)
	}
	holder := test.path[:max(strings.LastIndexAny(test.path, ".["), 0)]
	require.True(t, strings.HasPrefix(path, holder), "%s %s: %s", test.path, test.what, e.Message)
	if test.what == "removed" || strings.HasPrefix(test.what, "unknown") || strings.HasPrefix(test.what, "of type") {
		require.True(t, strings.HasPrefix(path, test.path), "%s %s: %s", test.path, test.what, e.Message)
	}
	require.Less(t, len(e.Message), 400)
}

func TestWhatOnlySomeEditionAcceptsIsRefused(t *testing.T) {
	for _, test := range []struct{ name, sample, path, value string }{
		{"101 variables", "put-v1-checks-browser", "environmentVariables", "items:101"},
		{"101 variables of a group", "put-v2-check-group", "environmentVariables", "items:101"},
		{"501 characters", "post-v1-checks-tcp", "description", "text:501"},
		{"a response time of 5001", "post-v1-checks-tcp", "maxResponseTime", "5001"},
		{"a response time of 5001 in an update", "put-v1-checks-tcp", "maxResponseTime", "5001"},
		{"an unknown location", "post-v1-checks-tcp", "locations[0]", `"mars-1"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			body := testkit.Sample(t, expectations, test.sample)
			status, _ := send(t, targets[test.sample], replaced(t, body, test.path, value(t, body, test.path, test.value)))
			require.Equal(t, 400, status)
		})
	}
}

func TestABodyMayBeMissingWhenItIsOptional(t *testing.T) {
	for name, to := range targets {
		for _, nothing := range []string{"", " \n"} {
			status, response := send(t, to, []byte(nothing))
			if slices.Contains([]string{"post-v1-check-session-cancel", "post-v1-test-session-cancel", "post-v1-check-sessions-trigger", "post-v1-root-cause-analysis", "post-v1-root-cause-analysis-of-test-session"}, name) {
				require.Less(t, status, 300, "%s: %s", name, response)
				continue
			}
			require.Equal(t, 400, status, name)
			require.Contains(t, string(response), "is required", name)
		}
		for _, broken := range []string{"{", "{}x", "[]", "null", `"x"`, "7", `{"name":"x",}`, "\x00", `{"name":tru}`} {
			status, response := send(t, to, []byte(broken))
			if strings.HasPrefix(name, "post-v1-root-cause-analysis") && broken == "null" {
				require.Equal(t, 202, status, "%s", response)
				continue
			}
			require.Equal(t, 400, status, "%s %q: %s", name, broken, response)
			require.Contains(t, string(response), "body", name)
		}
	}
}

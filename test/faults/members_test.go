package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// TestAMemberOfTheWrongTypeIsReadOrNamedInTheError replaces each member of a response of each type
// by an odd value. The call returns a value, or an error with the path of exactly this member and
// the other members in Partial.
func TestAMemberOfTheWrongTypeIsReadOrNamedInTheError(t *testing.T) {
	indexes := regexp.MustCompile(`\[\d+\]`)
	odd := []any{nil, json.Number("5.75"), "boom", json.Number("12"), map[string]any{"odd": json.Number("1.0")}}
	seen := make(map[reflect.Type]bool)
	files := kit.Files(t, "testdata/responses/*.all-members.json")
	for _, file := range files[:testkit.Rounds(len(files))] {
		operation, _, _ := strings.Cut(filepath.Base(file), ".")
		text := kit.File(t, file)
		value, err := kit.Respond(t, operation, http.StatusOK, text)
		require.NoError(t, err)
		of := reflect.TypeOf(value)
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if seen[of] {
			continue
		}
		seen[of] = true
		all := kit.ParseJSON(t, text)
		found := make(map[string]membersAt)
		findMembers(all, "", found)
		for i, path := range slices.Sorted(maps.Keys(found)) {
			for kind := range odd {
				members := found[path]
				if (kind+i)%5 > 0 {
					continue
				}
				members.set(odd[kind])
				text, err := json.Marshal(all)
				require.NoError(t, err)
				read, err := kit.Respond(t, operation, http.StatusOK, string(text))
				name := fmt.Sprintf("%s: %s is %v", operation, path, odd[kind])
				if kind == 0 {
					require.True(t, err == nil || strings.Contains(err.Error(), "missing"), "%s: %v", name, err)
				} else if err != nil {
					failed := kit.ErrAs[*monitoring.DecodeError](t, err)
					index := indexes.ReplaceAllString(strings.TrimPrefix(failed.Path, "$"), "[]")
					require.True(t, index == path || index == path+"[]" || index == path+".odd", "%s: the path of the error is %s", name, failed.Path)
					require.NotContains(t, err.Error(), "json:", name)
					require.NotContains(t, path, "Result.", "%s: a member of a payload never fails the response", name)
					partial := string(failed.Partial)
					if _, ofItem := errors.AsType[*monitoring.ItemError](err); ofItem {
						partial = "[" + partial + "]"
					}
					_, err = kit.Respond(t, operation, http.StatusOK, partial)
					require.True(t, err == nil || strings.Contains(err.Error(), "missing"), "%s: Partial can be read: %v", name, err)
				} else if operation == "get-v1-check-result" && strings.Contains(path, "Result.") {
					got := kit.ParseJSON(t, kit.ToJSON(t, read))
					if len(missing("", all, got)) > 0 { // a single value may be read as a list of one item
						members.set([]any{odd[kind]})
						require.Empty(t, missing("", all, got), name)
					}
				}
				members.restore()
			}
		}
	}
	require.Greater(t, len(seen), testkit.Rounds(15))
}

// membersAt are members of JSON objects with one path, with the values that they had.
type membersAt []struct {
	object map[string]any
	name   string
	was    any
}

func (list membersAt) set(value any) {
	for _, m := range list {
		m.object[m.name] = value
	}
}

func (list membersAt) restore() {
	for _, m := range list {
		m.object[m.name] = m.was
	}
}

// findMembers finds all members in a value. Those of several items of a list have one path.
func findMembers(v any, path string, found map[string]membersAt) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			at := path + "." + name
			found[at] = append(found[at], membersAt{{v, name, value}}...)
			findMembers(value, at, found)
		}
	case []any:
		for _, item := range v {
			findMembers(item, path+"[]", found)
		}
	}
}

func readResult(t *testing.T, body string) *monitoring.CheckResult {
	t.Helper()
	value, err := kit.Respond(t, "get-v1-check-result", 200, body)
	require.NoError(t, err)
	return value.(*monitoring.CheckResult)
}

func TestWhatAPayloadHasNoFieldForIsInItsExtra(t *testing.T) {
	r := readResult(t, `{"id":"r","newer":1,"grpcCheckResult":{"timingPhases":{"dns":1.5,"wait":"3ms"},"requestError":{"code":7},"newer":{"n": 9007199254740993.0}},`+
		`"tracerouteCheckResult":{"finalHopLatency":"12ms","response":{"finalHopLatency":{"avg":1,"p99":4,"best_ms":"?"}}},`+
		`"playwrightCheckResult":{"errors":["boom",{"code":8}],"playwrightTestVideos":[1,2],"playwrightTestTraces":"t"},"sslCheckResult":[1]}`)
	grpc := r.GRPCCheckResult
	require.Equal(t, 1.5, *grpc.TimingPhases.DNS)
	require.Nil(t, grpc.TimingPhases.Connect, "a missing phase is nil, not 0")
	require.Equal(t, `"3ms"`, string(grpc.TimingPhases.Extra["wait"]))
	require.Nil(t, grpc.RequestError)
	require.Equal(t, map[string]json.RawMessage{"requestError": json.RawMessage(`{"code":7}`), "newer": json.RawMessage(`{"n": 9007199254740993.0}`)}, grpc.Extra)

	trace := r.TracerouteCheckResult
	require.Nil(t, trace.FinalHopLatency)
	require.Equal(t, `"12ms"`, string(trace.Extra["finalHopLatency"]))
	require.Equal(t, 1.0, *trace.Response.FinalHopLatency.AvgMs)
	require.Equal(t, map[string]json.RawMessage{"p99": json.RawMessage("4"), "best_ms": json.RawMessage(`"?"`)}, trace.Response.FinalHopLatency.Extra)

	script := r.PlaywrightCheckResult
	require.Equal(t, "boom", script.Errors[0].Message)
	require.Equal(t, []string{"t"}, script.PlaywrightTestTraces)
	require.Equal(t, `[1,2]`, string(script.Extra["playwrightTestVideos"]))
	require.Equal(t, map[string]json.RawMessage{"newer": json.RawMessage("1"), "sslCheckResult": json.RawMessage("[1]")}, r.Extra)
	require.Equal(t, []string{"boom", `{"code":8}`, `{"code":7}`}, r.Messages())

	require.NoError(t, json.Unmarshal([]byte(`{"id":"s","grpcCheckResult":{}}`), r))
	require.Nil(t, r.Extra)
	require.Nil(t, r.GRPCCheckResult.Extra, "nothing is left of the first one")
	_, err := kit.Respond(t, "get-v1-check-result", 200, `{"id":"r","hasFailures":"maybe","newer":1}`)
	require.EqualError(t, err, "monitoring: GET /v1/check-results/"+kit.UUID1+"/r at api.service.test/prefix: 200 OK, unusable response: $.hasFailures: want a boolean, got a string")
}

func TestAnOddMemberDoesNotCostItsObject(t *testing.T) {
	r := readResult(t, `{"id":"r","checkRunId":"0b6f3a52-1e0c-4d0a-9b1e-1f2e3d4c5b6a","attempts":1}`)
	require.Equal(t, []any{"r", int64(0), 1}, []any{r.ID, r.CheckRunID, *r.Attempts})
	require.Equal(t, `"0b6f3a52-1e0c-4d0a-9b1e-1f2e3d4c5b6a"`, string(r.Extra["checkRunId"]))
	require.Contains(t, kit.ToJSON(t, r), `"checkRunId":"0b6f3a52-1e0c-4d0a-9b1e-1f2e3d4c5b6a"`)

	client, _ := kit.Recorded(t, 200, `[{"id":"l","name":"n","agentCount":1.5,"runningAgents":[{"version":"1","count":2.5,"agents":[{"id":"a","lastSeenAt":"3 minutes ago"},{"id":"b","newer":1}]}]}]`)
	locations, err := client.PrivateLocations.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, *locations[0].AgentCount)
	agents := locations[0].RunningAgents[0]
	require.Equal(t, 2, agents.Count)
	require.Equal(t, map[string]json.RawMessage{"lastSeenAt": json.RawMessage(`"3 minutes ago"`)}, agents.Agents[0].Extra)
	require.Equal(t, map[string]json.RawMessage{"newer": json.RawMessage("1")}, agents.Agents[1].Extra)

	client, _ = kit.Recorded(t, 200, `{"id":"`+kit.UUID1+`","name":"n","checkType":"API","groupOrder":1.5}`)
	check, err := client.Checks.Get(t.Context(), kit.UUID1)
	require.NoError(t, err)
	require.Equal(t, 1, check.GroupOrder.Or(0))

	client, _ = kit.Recorded(t, 200, `[{"checkId":"c","lastCheckRunId":1700000000000}]`)
	statuses, err := client.CheckStatuses.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, "1700000000000", *statuses[0].LastCheckRunID)

	client, _ = kit.Recorded(t, 200, `{"length":1,"entries":[{"id":"s","startedAt":{},"stoppedAt":1,"created_at":"yesterday","updated_at":"now"}]}`)
	sessions, err := client.TestSessions.List(t.Context(), monitoring.TestSessionListOptions{Limit: 7})
	require.NoError(t, err)
	require.Len(t, sessions.Items[0].Extra, 4)
	require.Equal(t, 7, sessions.Limit)
	for limit, query := range map[int]string{0: "limit=100", 7: "limit=7"} {
		client, sent := kit.Recorded(t, 200, `{"length":0,"entries":[]}`)
		require.NoError(t, kit.Second(monitoring.Collect(client.TestSessions.All(t.Context(), monitoring.TestSessionListOptions{Limit: limit}))))
		require.Equal(t, query, sent.Sent[0].Query(t))
	}
	require.Equal(t, `"yesterday"`, string(sessions.Items[0].Extra["created_at"]))

	client, _ = kit.Recorded(t, 200, `[{"id":1,"subscriptions":[{"id":5,"activated":true},{"id":"6","activated":false}]},`+
		`{"id":2,"subscriptions":[{"id":"6.5","groupId":7.0},{"id":"a","checkId":"c"},{"id":"9999999999999999999"},{"id":{}},{"id":" 7"}],"sslExpiryThreshold":"x"}]`)
	channels, err := monitoring.Collect(client.AlertChannels.All(t.Context(), monitoring.ListOptions{}))
	require.NoError(t, err)
	require.Equal(t, []int64{5, 6}, []int64{channels[0].Subscriptions[0].ID, channels[0].Subscriptions[1].ID})
	require.Equal(t, []monitoring.ChannelSubscription{{GroupID: 7}, {CheckID: "c"}, {}, {}, {}}, channels[1].Subscriptions, "what is no number is none")
}

// TestWhatTakesAnyJSONIsKeptAsItWasSent has an odd member beside it: what reads any JSON reads it then,
// too.
func TestWhatTakesAnyJSONIsKeptAsItWasSent(t *testing.T) {
	const assertion, failure = `{"order":"first","source":1.0}`, `{"message":["?"],"name":2.0}`
	for _, beside := range []string{``, `"id":"r","responseTime":12.0,`, `"responseTime":"slow",`} {
		r := readResult(t, `{`+beside+`"apiCheckResult":{"assertions":[`+assertion+`],"requestError":{}},"browserCheckResult":{"errors":[`+failure+`]}}`)
		require.Len(t, r.APICheckResult.Assertions, 1, beside)
		require.Equal(t, assertion, string(r.APICheckResult.Assertions[0].Raw), beside)
		require.Equal(t, failure, string(r.BrowserCheckResult.Errors[0].Raw), beside)
	}
}

// FuzzExtra checks that a result is the same after writing and reading it, whatever its members
// are.
func FuzzExtra(f *testing.F) {
	for _, file := range kit.ResponseFiles(f, "get-v1-check-result") {
		f.Add([]byte(kit.File(f, file)))
	}
	f.Add([]byte(`{"grpcCheckResult":{"requestError":{},"newer":1,"timingPhases":[1]},"newer":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r, again monitoring.CheckResult
		if json.Unmarshal(data, &r) != nil {
			return
		}
		written := kit.ToJSON(t, r)
		require.NoError(t, json.Unmarshal([]byte(written), &again))
		require.Equal(t, written, kit.ToJSON(t, again))
	})
}

func TestACreateWhoseResponseCannotBeReadSaysThatItWasCarriedOut(t *testing.T) {
	const create, trigger = "POST /v1/checks/tcp", "POST /v2/check-sessions/trigger"
	made := map[string]string{create: ` ("n")`, "POST /v2/check-groups": ` ("n")`}
	for body, c := range map[string]struct{ call, path, text, partial string }{
		`{"id":"c1","groupId":5.5}`:                      {create, "$.groupId", "want a whole number", `{"id":"c1","groupId":null,"checkType":"TCP"}`},
		`{"id":"c1","retryStrategy":{"maxRetries":1.5}}`: {create, "$.retryStrategy.maxRetries", "want a whole number", `{"id":"c1","retryStrategy":{"maxRetries":null},"checkType":"TCP"}`},
		`{"id":"c1","name":5,"request":{"port":2.0}}`:    {create, "$.name", "want a string, got a number", `{"id":"c1","name":null,"request":{"port":2},"checkType":"TCP"}`},
		`{}`:                     {create, "$.id", "missing", `{}`},
		`{"id":null,"name":"n"}`: {create, "$.id", "missing", `{"id":null,"name":"n"}`},
		`{"id":"","name":"n"}`:   {create, "$.id", "missing", `{"id":"","name":"n"}`},
		`{"id":0,"name":"g"}`:    {"POST /v2/check-groups", "$.id", "missing", `{"id":0,"name":"g"}`},
		`{"id":0.0,"name":"g"}`:  {"POST /v2/check-groups", "$.id", "missing", `{"id":0.0,"name":"g"}`},
		`null`:                   {create, "$.id", "missing", `null`},
		`[]`:                     {create, "", "want an object, got an array", `[]`},
		`{"sessions":[{"checkSessionId":"s1"},7]}`:                          {trigger, "$.sessions[1]", "want an object, got a number", `{"sessions":[{"checkSessionId":"s1"},null]}`},
		`{"sessions":[{"checkSessionId":"s1","startedAt":"now","name":5}]}`: {trigger, "$.sessions[0].name", "want a string, got a number", `{"sessions":[{"checkSessionId":"s1","startedAt":null,"name":null}]}`},
		`{"sessions":[{"checkSessionId":"s1"},{"checkId":"c"}]}`:            {"POST /v1/check-sessions/trigger", "$.sessions[1].checkSessionId", "missing", `{"sessions":[{"checkSessionId":"s1"},{"checkId":"c"}]}`},
		`{"sessions":null}`: {trigger, "$.sessions", "missing", `{"sessions":null}`},
	} {
		_, err := kit.Respond(t, strings.NewReplacer(" /", "-", "/", "-").Replace(strings.ToLower(c.call)), 201, body)
		failed := kit.ErrAs[*monitoring.DecodeError](t, err)
		require.Equal(t, []string{c.call, c.path, c.partial}, []string{failed.Operation, failed.Path, string(failed.Partial)}, body)
		require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
		require.ErrorIs(t, err, monitoring.ErrResultLost)
		where := strings.TrimPrefix(c.path+": ", ": ")
		require.EqualError(t, err, "monitoring: "+c.call+made[c.call]+" at api.service.test/prefix: 201 Created, unusable response: "+where+c.text+": the request succeeded: do not send it again")
		require.Equal(t, fmt.Sprintf("&monitoring.DecodeError{%q}", failed.Error()), fmt.Sprintf("%#v", failed), "%#v does not show the body")
	}
	source := monitoring.WithKeySource(func(context.Context, monitoring.Secret) (string, error) { return "", &monitoring.DecodeError{} })
	err := kit.FirstOfKind["create"](t.Context(), kit.NewClient(t, kit.Base, "", &http.Client{}, source))
	require.NotContains(t, err.Error(), "the request succeeded", "the response of the key source cannot be read")
	value, err := kit.Respond(t, "post-v2-check-sessions-trigger", 201, `{"sessions":[]}`)
	require.NoError(t, err, "it started none")
	require.Empty(t, value.(kit.TriggerResponse).Sessions)
}

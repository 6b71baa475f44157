package faults_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestACreateWhoseResponseCannotBeReadSaysThatItWasCarriedOut(t *testing.T) {
	const carriedOut = " (last status 201, it was carried out, but its response cannot be read)"
	for name, c := range map[string]struct{ file, body, path, text, partial string }{
		"an id with a fraction":                 {"post-v1-checks-tcp", `{"id":"c1","groupId":5.5}`, "$.groupId", "want a whole number", `{"id":"c1","groupId":null}`},
		"a count with a fraction":               {"post-v1-checks-tcp", `{"id":"c1","retryStrategy":{"maxRetries":1.5}}`, "$.retryStrategy.maxRetries", "want a whole number", `{"id":"c1","retryStrategy":{"maxRetries":null}}`},
		"a check with a member of another type": {"post-v1-checks-tcp", `{"id":"c1","name":5,"request":{"port":2.0}}`, "$.name", "want a string, got a number", `{"id":"c1","name":null,"request":{"port":2}}`},
		"a check without an id":                 {"post-v1-checks-tcp", `{}`, "$.id", "it is missing", `{}`},
		"a check with an id of null":            {"post-v1-checks-tcp", `{"id":null,"name":"n"}`, "$.id", "it is missing", `{"id":null,"name":"n"}`},
		"null instead of a check":               {"post-v1-checks-tcp", `null`, "$.id", "it is missing", `null`},
		"a list instead of a check":             {"post-v1-checks-tcp", `[]`, "", "want an object, got an array", `[]`},
		"a session that is a number":            {"post-v2-check-sessions-trigger", `{"sessions":[{"checkSessionId":"s1"},7]}`, "$.sessions[1]", "want an object, got a number", `{"sessions":[{"checkSessionId":"s1"},null]}`},
		"a session with an invalid date":        {"post-v2-check-sessions-trigger", `{"sessions":[{"checkSessionId":"s1","startedAt":"now"}]}`, "$.sessions[0].startedAt", `timestamp: "now" is neither a timestamp of ISO 8601 nor a calendar date`, `{"sessions":[{"checkSessionId":"s1","startedAt":null}]}`},
		"a session without an id":               {"post-v1-check-sessions-trigger", `{"sessions":[{"checkSessionId":"s1"},{"checkId":"c"}]}`, "$.sessions[1].checkSessionId", "it is missing", `{"sessions":[{"checkSessionId":"s1"},{"checkId":"c"}]}`},
		"no sessions":                           {"post-v2-check-sessions-trigger", `{"sessions":null}`, "$.sessions", "it is missing", `{"sessions":null}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := kit.Respond(t, c.file, 201, c.body)
			var failed *monitoring.DecodeError
			require.ErrorAs(t, err, &failed)
			require.Equal(t, c.path, failed.Path)
			require.Equal(t, c.partial, string(failed.Partial))
			require.NotErrorIs(t, err, monitoring.ErrOutcomeUnknown)
			where := c.path + ": "
			if c.path == "" {
				where = ""
			}
			call := map[string]string{
				"post-v1-checks-tcp": "POST /v1/checks/tcp", "post-v1-check-sessions-trigger": "POST /v1/check-sessions/trigger", "post-v2-check-sessions-trigger": "POST /v2/check-sessions/trigger",
			}[c.file]
			require.EqualError(t, err, "monitoring: "+call+" at api.service.test/prefix: read the response: "+where+c.text+carriedOut)
			require.Equal(t, call, failed.Operation)
			require.Equal(t, fmt.Sprintf("&monitoring.DecodeError{%q}", failed.Error()), fmt.Sprintf("%#v", failed), "%#v does not show the body")
		})
	}
}

func TestATriggerThatStartedNoSessionIsNotADecodeError(t *testing.T) {
	value, err := kit.Respond(t, "post-v2-check-sessions-trigger", 201, `{"sessions":[]}`)
	require.NoError(t, err)
	require.Empty(t, value.(kit.TriggerResponse).Sessions)
}

func TestACreateWhoseResponseIsCutOffHasAnUnknownOutcome(t *testing.T) {
	_, err := kit.Respond(t, "post-v1-checks-tcp", 201, `{"id":"c1","na`)
	require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
	require.ErrorContains(t, err, "it is cut off after 14 bytes")
}

func TestTheErrorOfAListNamesTheItemThatCannotBeRead(t *testing.T) {
	_, err := kit.Respond(t, "get-v1-maintenance-windows", 200, `[{"id":1},{"id":2,"repeatInterval":"x"},{"id":3,"startsAt":"x"}]`)
	var failed *monitoring.DecodeError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "$[1].repeatInterval", failed.Path)
	var window monitoring.MaintenanceWindow
	require.NoError(t, json.Unmarshal(failed.Partial, &window), "Partial has the readable members of the item")
	require.EqualValues(t, 2, window.ID)
}

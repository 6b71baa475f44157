package monitoring

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACreateWhoseResponseCannotBeReadSaysThatItWasCarriedOut(t *testing.T) {
	const carriedOut = " (last status 201, it was carried out, but its response cannot be read)"
	for name, c := range map[string]struct{ file, body, path, text, partial string }{
		"a check with a member of another type": {"post-v1-checks-tcp", `{"id":"c1","name":5,"request":{"port":2.5}}`, "$.name", "want a string, got a number", `{"id":"c1","name":null,"request":{"port":2}}`},
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
			_, err := respond(t, c.file, 201, c.body)
			var failed *DecodeError
			require.ErrorAs(t, err, &failed)
			require.Equal(t, c.path, failed.Path)
			require.Equal(t, c.partial, string(failed.Partial))
			require.NotErrorIs(t, err, ErrOutcomeUnknown)
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
	value, err := respond(t, "post-v2-check-sessions-trigger", 201, `{"sessions":[]}`)
	require.NoError(t, err)
	require.Empty(t, value.(triggerResponse).Sessions)
}

func TestACreateWhoseResponseIsCutOffHasAnUnknownOutcome(t *testing.T) {
	_, err := respond(t, "post-v1-checks-tcp", 201, `{"id":"c1","na`)
	require.ErrorIs(t, err, ErrOutcomeUnknown)
	require.ErrorContains(t, err, "it is cut off after 14 bytes")
}

func TestTheErrorOfAListNamesTheItemThatCannotBeRead(t *testing.T) {
	_, err := respond(t, "get-v1-maintenance-windows", 200, `[{"id":1},{"id":2,"repeatInterval":"x"},{"id":3,"startsAt":"x"}]`)
	var failed *DecodeError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "$[1].repeatInterval", failed.Path)
	var window MaintenanceWindow
	require.NoError(t, json.Unmarshal(failed.Partial, &window), "Partial has the readable members of the item")
	require.EqualValues(t, 2, window.ID)
}

func TestOneUnusualMemberDoesNotFailAResponse(t *testing.T) {
	group, err := respond(t, "get-v1-check-group", 200, `{"id":9007199254740993.0,"name":"g","concurrency":2.5,"runtimeId":2024.10,"alertSettings":{"reminders":{"amount":1.5}},`+
		`"retryStrategy":{"maxRetries":2.5,"onlyOn":"NETWORK_ERROR"},"apiCheckDefaults":{"headers":[{"key":"k","value":5}],"assertions":[{"target":200}]},"tags":"one"}`)
	require.NoError(t, err)
	g := group.(*CheckGroup)
	require.Equal(t, int64(9007199254740993), g.ID)
	require.Equal(t, RuntimeID("2024.10"), *g.RuntimeID)
	require.Equal(t, []string{"one"}, g.Tags)
	require.Equal(t, "5", g.APICheckDefaults.Headers[0].Value.Reveal())
	require.Equal(t, "200", *g.APICheckDefaults.Assertions[0].Target)
	require.Equal(t, 2, *g.RetryStrategy.MaxRetries)
	require.Equal(t, 1, *g.AlertSettings.Reminders.Amount)

	check, err := respond(t, "post-v1-checks-tcp", 201, `{"id":"c","request":{"port":443.0,"data":{"a": 1.0}},"alertChannels":{"sms":[{"number":4915112345678}]}}`)
	require.NoError(t, err)
	data, _ := check.(*TCPCheck).Request.Data.Get()
	require.Equal(t, `{"a": 1.0}`, data)
	require.Equal(t, "4915112345678", check.(*TCPCheck).AlertChannels.SMS[0].Number)

	alerts, err := respond(t, "get-v1-alert-notifications", 200, `[{"id":"a","notificationResult":{"status":503},"alertConfig":{"n":1.0},"alertChannelId":7.0}]`)
	require.NoError(t, err)
	alert := alerts.([]AlertNotification)[0]
	require.Equal(t, `{"status":503}`, *alert.NotificationResult)
	require.Equal(t, `{"n":1.0}`, string(alert.AlertConfig.Reveal()), "raw members are never rewritten")

	groups, err := respond(t, "get-v1-error-groups", 200, `[{"id":"e","rawErrorMessage":{"code":1},"rootCauseAnalyses":[{"n":9007199254740993.0}]}]`)
	require.NoError(t, err)
	require.Equal(t, `{"code":1}`, *groups.([]ErrorGroup)[0].RawErrorMessage)
	require.Equal(t, `{"n":9007199254740993.0}`, string(groups.([]ErrorGroup)[0].RootCauseAnalyses[0]))
}

func TestARawNumberKeepsItsDigits(t *testing.T) {
	r := readResult(t, `{"checkRunId":9007199254740993,"attempts":1.0,"apiCheckResult":{"jobLog":{"id":9007199254740993,"f":9007199254740993.0}}}`)
	require.Equal(t, int64(9007199254740993), r.CheckRunID)
	require.Equal(t, `{"id":9007199254740993,"f":9007199254740993.0}`, string(r.APICheckResult.JobLog))
}

func TestAByteOrderMarkBeforeAResponseIsSkipped(t *testing.T) {
	client, _ := newTestClient(t, http.StatusOK, "\ufeff"+`[{"region":"eu-west-1","name":"Ireland"}]`)
	locations, err := client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, Region("eu-west-1"), locations[0].Region)
	client, _ = newTestClient(t, http.StatusOK, "\ufeff \n")
	_, err = client.Locations.List(t.Context())
	require.ErrorIs(t, err, errEmptyResponse)
	client, _ = newTestClient(t, http.StatusNotFound, "\ufeff"+`{"message":"no such thing"}`)
	_, err = client.Locations.List(t.Context())
	require.ErrorContains(t, err, "no such thing")
}

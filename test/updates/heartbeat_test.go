package updates_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const pingToken = "0a7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55"

// heartbeatOf is a heartbeat check as it is read. token is the JSON of its token, "" for none.
func heartbeatOf(token string) *monitoring.Check {
	if token != "" {
		token = `"pingToken":` + token + `,`
	}
	return kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"HEARTBEAT","name":"Backup","muted":false,"privateLocations":["office"],"retryStrategy":{"type":"FIXED"},
		"heartbeat":{"period":1.0,"periodUnit":"days","grace":2,"graceUnit":"hours",` + token + `"pingUrl":"https://ping.test/x","future":1.50}}`)
}

func TestAnUpdateOfAHeartbeatKeepsItsToken(t *testing.T) {
	u := heartbeatOf(`"` + pingToken + `"`)
	require.Empty(t, u.Omitted())
	u.Heartbeat.Period = 3
	require.NoError(t, u.Validate())
	require.Equal(t, []string{"heartbeat.period: 1.0 -> 3"}, linesOf(u.Diff()), "the address is not removed")
	require.Equal(t, `{"heartbeat":{"period":3,"periodUnit":"days","grace":2,"graceUnit":"hours","pingToken":"`+pingToken+`","future":1.50}}`, sentFor(t, u),
		"neither the address nor what is no setting of a heartbeat")
	u.Heartbeat.PingToken = monitoring.NewSecret("1b7d9a1e-8e2b-4c84-9a0e-6b6f3b2d1c55")
	require.Contains(t, linesOf(u.Diff()), "heartbeat.pingToken: a secret is changed")
	testkit.RequireHidden(t, "an update of a heartbeat", heartbeatOf(kit.ToJSON(t, testkit.Canary)))

	u.Heartbeat = &monitoring.Heartbeat{Period: 3, PeriodUnit: "days", Grace: new(0.0), GraceUnit: "hours"}
	require.Equal(t, []string{"heartbeat.pingToken: has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with NewSecret, or omit the list or object"},
		kit.BrokenRules(t, u.Validate()), "the service might make another token")
	u.Heartbeat = nil
	require.Equal(t, []string{"heartbeat: cannot be unset, because the service does not accept null: set a value, or leave the field as it was read"},
		kit.BrokenRules(t, u.Validate()))
}

func TestAWithheldTokenLeavesTheHeartbeatOut(t *testing.T) {
	for what, token := range map[string]string{"null": "null", "absent": ""} {
		t.Run(what, func(t *testing.T) {
			u := heartbeatOf(token)
			require.Equal(t, []string{"heartbeat"}, u.Omitted())
			u.Name = "Nightly"
			require.JSONEq(t, `{"name":"Nightly"}`, sentFor(t, u))
			require.NoError(t, u.Validate())
			u.Heartbeat.Grace = new(5.0)
			require.Equal(t, []string{"heartbeat.pingToken: has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with NewSecret, or omit the list or object"},
				kit.BrokenRules(t, u.Validate()))
			u.Heartbeat.PingToken = monitoring.NewSecret(pingToken)
			require.NoError(t, u.Validate())
			require.Contains(t, sentFor(t, u), `"grace":5,"graceUnit":"hours"`)
			require.Contains(t, sentFor(t, u), `"pingToken":"`+pingToken+`"`)
			require.NotContains(t, sentFor(t, u), "pingUrl")
			require.Contains(t, linesOf(u.Diff()), map[string]string{"null": "heartbeat.pingToken: a withheld secret is set",
				"absent": `heartbeat.pingToken: added [redacted]`}[what])
		})
	}
	client, sent := kit.Recorded(t, 200, `{}`, monitoring.WithStrictUpdates())
	u := heartbeatOf("null")
	u.Name = "Nightly"
	require.Equal(t, []string{"heartbeat: would be omitted, because the service withholds a secret in it: give each a value with NewSecret"},
		kit.BrokenRules(t, kit.Second(client.Checks.Update(t.Context(), u))))
	require.Empty(t, sent.Sent)
}

func TestWhatIsNoSettingOfAHeartbeatIsRefusedIfItIsChanged(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*monitoring.Check)
		broken string
	}{
		"another list":  {func(s *monitoring.Check) { s.PrivateLocations = []string{"dc-1"} }, "privateLocations"},
		"an empty list": {func(s *monitoring.Check) { s.PrivateLocations = []string{} }, "privateLocations"},
		"no list":       {func(s *monitoring.Check) { s.PrivateLocations = nil }, "privateLocations"},
		"unset":         {func(s *monitoring.Check) { s.RetryStrategy = monitoring.Nullable[monitoring.RetryStrategy]{} }, "retryStrategy"},
		"no retries":    {func(s *monitoring.Check) { s.RetryStrategy = monitoring.Null[monitoring.RetryStrategy]() }, "retryStrategy"},
	} {
		t.Run(name, func(t *testing.T) {
			want := []string{c.broken + ": is not a setting of a heartbeat"}
			u := heartbeatOf("null")
			c.change(u)
			require.Equal(t, want, kit.BrokenRules(t, u.Validate()))
			sent := testkit.NewRecorder(200, kit.ToJSON(t, heartbeatOf("null")))
			err := kit.Second(kit.Client(t, sent).Checks.Edit(t.Context(), kit.UUID1, func(s *monitoring.Check) error { c.change(s); return nil }))
			require.Equal(t, want, kit.BrokenRules(t, err))
			require.Len(t, sent.Sent, 1)
		})
	}
}

func TestTheFakeKeepsATokenThatItWithholds(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithMoreWithheld())
	client := kit.Fake(t, svc)
	id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeHeartbeat})
	token := func() any {
		data, ok := svc.CheckJSON(id)
		require.True(t, ok)
		return kit.ParseJSON(t, string(data)).(map[string]any)["heartbeat"].(map[string]any)["pingToken"]
	}
	before := token()
	check, err := client.Checks.Edit(t.Context(), id, func(u *monitoring.Check) error {
		require.Equal(t, []string{"heartbeat"}, u.Omitted())
		u.Tags = []string{"a"}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, []any{true, true}, []any{check.Heartbeat.PingToken.IsWithheld(), check.Heartbeat.PingURL.IsWithheld()})
	require.Equal(t, before, token())
	err = kit.Second(client.Checks.Edit(t.Context(), id, func(u *monitoring.Check) error { u.Heartbeat.Period = 2; return nil }))
	require.Len(t, kit.BrokenRules(t, err), 1)
	_, err = client.Checks.Edit(t.Context(), id, func(u *monitoring.Check) error {
		u.Heartbeat.Period, u.Heartbeat.PingToken = 2, monitoring.NewSecret(pingToken)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, pingToken, token())
}

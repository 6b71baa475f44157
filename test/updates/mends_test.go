package updates_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// read reads an object.
func read[T any](t *testing.T, text string) (object T) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &object))
	return object
}

func TestAnEditAddsTheFirstVariableOfAnObjectWhoseResponseHasNone(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"id":7,"name":"n"}`)
	require.NoError(t, kit.Second(client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error {
		return u.SetVariable(monitoring.NewEnvironmentVariable("K", "v"))
	})))
	require.Contains(t, sent.Sent[1].Body, `"environmentVariables":[{"key":"K","value":"v"}]`)

	group := readGroup(t, `{"id":7,"name":"n"}`) // perhaps a part of the group
	require.ErrorContains(t, group.SetVariable(monitoring.NewEnvironmentVariable("K", "v")),
		"was read without its variables, and an update would delete them: use Edit")
}

func TestAGroupUpdateNeverSendsCertificates(t *testing.T) {
	for _, settings := range []string{
		`{"sslCertificates":null,"new":1}`, `{"sslCertificates":{"enabled":true},"new":1}`, `{"sslCertific\u0061tes":{"enabled":true},"new":1}`, `{"SSLcertificates":{"enabled":false},"new":1}`,
	} {
		group := readGroup(t, `{"id":7,"name":"n","alertSettings":`+settings+`}`)
		require.JSONEq(t, `{"name":"n","alertSettings":{"new":1}}`, bodyOf(t, group), settings)
	}
}

func TestAnEmptyScriptThatWasReadIsNotSent(t *testing.T) {
	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"BROWSER","name":"n","script":"","description":""}`)
	check.Browser.Script = monitoring.Value("")
	check.Name = "new"
	require.NoError(t, check.Validate())
	require.Equal(t, `{"name":"new"}`, sentFor(t, check), "the service keeps what is left out, and refuses the empty script")
	check.Browser.Script = monitoring.Value("new()")
	require.Equal(t, `{"name":"new","script":"new()"}`, sentFor(t, check))
}

func TestASnapshotWithAnEmptyPathUnsetsThePath(t *testing.T) {
	const browser = `{"id":"` + kit.UUID1 + `","checkType":"BROWSER","name":"n","script":"s","scriptPath":`
	snapshot := kit.Returned[monitoring.Check](browser + `""}`)
	client, sent := kit.Recorded(t, 200, browser+`"new.ts"}`)
	restore := func(c *monitoring.Check) error { *c = *snapshot.Clone(); return nil }
	require.NoError(t, kit.Second(client.Checks.Edit(t.Context(), kit.UUID1, restore)))
	require.Equal(t, `{"scriptPath":null}`, sent.Sent[1].Body, "the service refuses the empty path")
	require.Equal(t, []string{`scriptPath: "new.ts" -> null`}, linesOf(snapshot.DiffFrom(kit.Returned[monitoring.Check](browser+`"new.ts"}`))))

	for _, none := range []string{`""`, "null"} {
		for _, other := range []string{"", `,"frequency":5`} {
			client, sent = kit.Recorded(t, 200, browser+none+other+`}`)
			require.NoError(t, kit.Second(client.Checks.Edit(t.Context(), kit.UUID1, restore)))
			require.Len(t, sent.Sent, 1, none+other)
		}
	}

	snapshot = kit.Returned[monitoring.Check](browser + `null,"description":""}`)
	client, sent = kit.Recorded(t, 200, browser+`null,"description":"d"}`)
	require.NoError(t, kit.Second(client.Checks.Edit(t.Context(), kit.UUID1, restore)))
	require.Equal(t, `{"description":""}`, sent.Sent[1].Body, "the service takes an empty description")

	snapshot = kit.Returned[monitoring.Check](strings.Replace(browser, `"n"`, `""`, 1) + `null,"muted":true}`)
	client, sent = kit.Recorded(t, 200, browser+`null,"muted":false}`)
	require.NoError(t, kit.Second(client.Checks.Edit(t.Context(), kit.UUID1, restore)))
	require.Equal(t, `{"muted":true}`, sent.Sent[1].Body, "a name cannot be unset")

	snippet := kit.Returned[monitoring.Snippet](`{"id":7,"name":"n","script":""}`)
	snippet.Name = "m"
	client, sent = kit.Recorded(t, 200, `{"id":7,"name":"m","script":""}`)
	require.NoError(t, kit.Second(client.Snippets.Update(t.Context(), snippet)))
	require.Equal(t, `{"name":"m","script":""}`, sent.Sent[0].Body, "it is sent whole")
}

func TestOmittedNamesTheFilesThatAnUpdateOfAnAPICheckCannotSend(t *testing.T) {
	check := kit.Returned[monitoring.Check](`{"id":"c","checkType":"API","name":"n","request":{"method":"GET","url":"https://a.test"},
		"setupScriptDependencies":[{"path":"a","content":"b"}],"tearDownScriptDependencies":[{"path":"c","content":"d"}]}`)
	require.Equal(t, []string{"setupScriptDependencies", "tearDownScriptDependencies"}, check.Omitted())
}

func TestAResponseCannotBeTakenForThePlanOfAnUpdate(t *testing.T) {
	for _, name := range []string{`$plan`, `$pl\u0061n`} {
		group := readGroup(t, `{"id":7,"name":"n","`+name+`":{"madeFrom":{"id":8,"name":"`+testkit.Canary+`"},"read":{"id":8,"name":"`+testkit.Canary+`"},"removed":["K"],"autoAssignAlerts":true},"new":1}`)
		stored := kit.ToJSON(t, group)
		require.JSONEq(t, `{"id":7,"name":"n","new":1}`, onlyReadMembers(t, stored), "MarshalWithSecrets")
		require.Equal(t, "n", read[monitoring.CheckGroup](t, stored).Name)
	}
}

// onlyReadMembers returns an object without the members that a response did not have.
func onlyReadMembers(t *testing.T, text string) string {
	t.Helper()
	members := kit.ParseJSON(t, text).(map[string]any)
	for name, value := range members {
		if value == nil {
			delete(members, name)
		}
	}
	data, err := json.Marshal(members)
	require.NoError(t, err)
	return string(data)
}

func TestAnotherOrderOfASetIsNoChangeBesideOne(t *testing.T) {
	group := readGroup(t, `{"id":7,"name":"n","tags":["a","b"],"alertChannelSubscriptions":[{"alertChannelId":1,"activated":true},{"alertChannelId":2,"activated":true}]}`)
	group.Tags = []string{"c", "b", "a"}
	group.AlertChannelSubscriptions = []monitoring.AlertChannelSubscription{{AlertChannelID: 2}, {AlertChannelID: 1}}
	require.Equal(t, []string{`tags[0]: added "c"`, "alertChannelSubscriptions[0].activated: true -> false", "alertChannelSubscriptions[1].activated: true -> false"},
		linesOf(group.Diff()))
}

func TestARemovedVariableIsNoLeaveToRemoveAHeader(t *testing.T) {
	group := readGroup(t, `{"id":7,"name":"n","apiCheckDefaults":{"headers":[{"key":"A","value":null}]},"environmentVariables":[{"key":"A","value":null,"secret":true},{"key":"B","value":"b"}]}`)
	require.NoError(t, group.RemoveVariable("A"))
	require.NoError(t, group.Validate())
	group.APICheckDefaults.Headers = []monitoring.KeyValue{{Key: "B", Value: monitoring.NewSecret("b")}}
	require.Equal(t, []string{"apiCheckDefaults.headers: would overwrite secrets that the service withholds (A): give each a value with NewSecret, or leave apiCheckDefaults as it was read"},
		kit.BrokenRules(t, group.Validate()))
}

func TestOfTwoMembersOfOneNameTheLastCountsInEachComparison(t *testing.T) {
	const twice = `{"id":7,"name":"n","alertSettings":{"reminders":{"amount":1},"reminders":{"amount":4},"escalationType":"TIME_BASED","escalationType":"RUN_BASED"},` +
		`"environmentVariables":[{"key":"S","value":null,"secret":true,"locked":true,"locked":false}]}`
	group := readGroup(t, twice)
	settings, _ := group.AlertSettings.Get()
	settings.RunBasedEscalation = &monitoring.RunBasedEscalation{FailedRunThreshold: new(2)}
	group.AlertSettings = monitoring.Value(settings)
	require.Equal(t, []string{`alertSettings.runBasedEscalation: added {"failedRunThreshold":2}`}, linesOf(group.Diff()))

	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"SSL","name":"n","request":{"sslConfig":{"hostname":"h","port":1,"port":2,"securityBaseline":{"new":1}}}}`)
	check.SSL.SSLClientCertificateID = monitoring.Value(kit.UUID1)
	require.Equal(t, []string{"request.sslConfig.securityBaseline.new: removed [redacted]", `request.sslClientCertificateId: added "` + kit.UUID1 + `"`}, linesOf(check.Diff()))

	answer := strings.Replace(twice, `"alertSettings":{`, `"alertSettings":{"runBasedEscalation":{"failedRunThreshold":2},`, 1)
	require.NoError(t, kit.Second(kit.Client(t, testkit.Status(200, answer)).CheckGroups.Update(t.Context(), group)))
}

func TestValidateSaysWhatAnUpdateSays(t *testing.T) {
	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"URL","name":"n","maxResponseTime":100,"request":{"url":"https://a.test"}}`)
	check.DegradedResponseTime = monitoring.Value(200.0)
	require.Equal(t, `{"degradedResponseTime":200}`, sentFor(t, check), "the service knows its maxResponseTime")
	require.NoError(t, check.Validate())
	check.MaxResponseTime = monitoring.Value(150.0)
	require.Equal(t, []string{"degradedResponseTime: 200 is over the maxResponseTime of 150"}, kit.BrokenRules(t, check.Validate()))
}

func TestANullThatIsSetBesideAChangeIsSent(t *testing.T) {
	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"API","name":"n","request":{"method":"GET","url":"https://a.test"}}`)
	check.API.BasicAuth = monitoring.Null[monitoring.BasicAuth]()
	require.Empty(t, check.Diff(), "alone it is no change")
	check.API.URL = "https://b.test"
	require.JSONEq(t, `{"request":{"method":"GET","url":"https://b.test","basicAuth":null}}`, sentFor(t, check))
}

package updates_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTheCreateOfAnObjectHasWhatACreateMayHave(t *testing.T) {
	for name, tt := range map[string]struct {
		check, want string
	}{
		"no id, no times and no member that is unknown, at any depth": {
			`{"id":"c","checkType":"API","created_at":"2026-01-01T00:00:00Z","new":1,"name":"n","setupScriptDependencies":[{"path":"a","content":"b"}],
				"alertSettings":{"new":1,"reminders":{"amount":3,"new":1}},"retryStrategy":{"type":"FIXED","new":1},
				"request":{"id":"r","method":"GET","url":"https://a.test","headers":[{"id":"h","key":"K","value":"v","locked":true}],"assertions":[{"id":1,"source":"STATUS_CODE"}]}}`,
			`{"name":"n","alertSettings":{"reminders":{"amount":3}},"retryStrategy":{"type":"FIXED"},
				"request":{"method":"GET","url":"https://a.test","headers":[{"key":"K","value":"v","locked":true}],"assertions":[{"source":"STATUS_CODE"}]}}`,
		},
		"null where a create may have it": {
			`{"id":"c","checkType":"API","name":"n","groupId":null,"retryStrategy":null,"tags":null,"muted":null,"alertSettings":{"reminders":null},"request":{"method":"GET","url":"u","basicAuth":null,"headers":null}}`,
			`{"name":"n","groupId":null,"retryStrategy":null,"alertSettings":{},"request":{"method":"GET","url":"u","basicAuth":null}}`,
		},
		"whole numbers and fractions of seconds, and all retries": {
			`{"id":"c","checkType":"API","name":"n","frequency":5.0,"retryStrategy":{"type":"FIXED","baseBackoffSeconds":60.0,"maxDurationSeconds":90.5,"onlyOn":null,"maxRetries":2},"request":{"method":"GET","url":"u"},"tags":["a"]}`,
			`{"name":"n","frequency":5,"retryStrategy":{"type":"FIXED","baseBackoffSeconds":60,"maxDurationSeconds":90.5,"maxRetries":2},"request":{"method":"GET","url":"u"},"tags":["a"]}`,
		},
		"names in another case as they are read": {
			`{"id":"c","checkType":"API","NAME":"n","Name":"m","request":{"METHOD":"GET","url":"u","URL":"w"}}`,
			`{"name":"m","request":{"method":"GET","url":"u"}}`,
		},
	} {
		for how, check := range map[string]*monitoring.Check{"read": kit.Returned[monitoring.Check](tt.check), "of a file": new(read[monitoring.Check](t, tt.check))} {
			create := check.Template()
			require.JSONEq(t, tt.want, createdBy(t, create), "%s, %s", name, how)
			require.False(t, *create.AutoAssignAlerts)
		}
	}
}

func TestTheCreateOfAConnectionHasOneNameForItsHost(t *testing.T) {
	create := kit.Returned[monitoring.Check](`{"id":"c","checkType":"TCP","name":"n","request":{"hostname":"a.test","url":"a.test","port":1.0,"data":"x","body":"x"}}`).Template()
	create.TCP.Hostname = "b.test"
	require.JSONEq(t, `{"name":"n","request":{"hostname":"b.test","port":1,"data":"x"}}`, createdBy(t, create))
}

func TestTheCreateOfAGroupHasNoCertificates(t *testing.T) {
	create := readGroup(t, `{"id":7,"name":"n","alertSettings":{"sslCertificates":{"enabled":true},"reminders":{"amount":1}}}`).Template()
	require.JSONEq(t, `{"name":"n","alertSettings":{"reminders":{"amount":1}},"autoAssignAlerts":false}`, kit.ToJSON(t, create))
}

// A check that is restored is pinged at its old address.
func TestTheTemplateOfAHeartbeatHasItsTokenAndNotItsAddress(t *testing.T) {
	for token, want := range map[string]string{`"` + kit.UUID1 + `"`: `,"pingToken":"` + kit.UUID1 + `"`, `null`: ``} {
		check := kit.Returned[monitoring.Check](`{"id":"c","checkType":"HEARTBEAT","name":"n","heartbeat":{"period":1.5,"periodUnit":"hours","grace":0,"graceUnit":"minutes","pingToken":` +
			token + `,"pingUrl":"https://ping.test/t","new":1}}`)
		create := check.Template()
		require.NoError(t, create.Validate())
		client, sent := kit.Recorded(t, 200, `{"id":"c","checkType":"HEARTBEAT","name":"n"}`)
		require.NoError(t, kit.Second(client.Checks.Create(t.Context(), create)))
		require.JSONEq(t, `{"name":"n","heartbeat":{"period":1.5,"periodUnit":"hours","grace":0,"graceUnit":"minutes"`+want+`}}`, sent.Sent[0].Body)
		require.Contains(t, sent.Sent[0].URL, "autoAssignAlerts=false")
		create.Heartbeat.PingToken = monitoring.Secret{}
		require.NoError(t, kit.Second(client.Checks.Create(t.Context(), create)))
		require.NotContains(t, sent.Sent[1].Body, "ping", "a second check has its own")
		require.Equal(t, token == `null`, check.Heartbeat.PingToken.IsWithheld(), "the check is as it was")
	}
}

// createdBy returns the body that creates a check.
func createdBy(t *testing.T, check *monitoring.Check) string {
	t.Helper()
	client, sent := kit.Recorded(t, 200, `{"id":"c","checkType":"`+string(check.CheckType)+`"}`)
	require.NoError(t, kit.Second(client.Checks.Create(t.Context(), check, monitoring.WithoutValidation())))
	return sent.Sent[0].Body
}

func TestTheCreateNamesEachSecretThatIsWithheld(t *testing.T) {
	create := readGroup(t, withheldGroup).Template()
	require.True(t, create.EnvironmentVariables[1].Value.IsWithheld())
	require.Equal(t, []string{
		"apiCheckDefaults.headers[0].value", "apiCheckDefaults.basicAuth.password", "environmentVariables[1].value", "environmentVariables[2].value",
	}, pathsOf(t, create.Validate()))
	create.APICheckDefaults.Headers[0].Value = monitoring.NewSecret("h")
	auth, _ := create.APICheckDefaults.BasicAuth.Get()
	auth.Password = monitoring.NewSecret("p")
	create.APICheckDefaults.BasicAuth = monitoring.Value(auth)
	create.EnvironmentVariables[1].Value = monitoring.NewSecret("t")
	create.EnvironmentVariables = create.EnvironmentVariables[:2]
	require.NoError(t, create.Validate())
	require.Contains(t, kit.ToJSON(t, create), `{"key":"TOKEN","value":"t","secret":true}`)
}

// pathsOf returns the paths of the rules that a request breaks.
func pathsOf(t *testing.T, err error) (paths []string) {
	t.Helper()
	for _, v := range kit.ErrAs[*monitoring.ValidationError](t, err).Violations {
		paths = append(paths, v.Path)
	}
	return paths
}

func TestTheCreateOfAnObjectSharesNothingWithIt(t *testing.T) {
	check := kit.Returned[monitoring.Check](setCheck)
	before := kit.ToJSON(t, check)
	create := check.Template()
	create.Tags[0], *create.AlertSettings.Reminders.Amount, create.API.Headers[0].Key = "x", 1, "x"
	strategy, _ := create.RetryStrategy.Get()
	strategy.OnlyOn[0] = "x"
	require.Equal(t, before, kit.ToJSON(t, check))
}

// random makes values that every edition of the service accepts, but for rules across members.
type random struct{ *rand.Rand }

func (r random) value(n *schema.Node) any {
	limits, kinds := n.LimitsAt(schema.Service), n.KindsAt(schema.Service)
	word := fmt.Sprintf("a%d.test", r.IntN(1000))
	switch {
	case kinds&schema.Null != 0 && r.IntN(4) == 0 && !n.Secret:
		return nil
	case kinds&schema.Object != 0:
		object := make(map[string]any)
		for _, m := range n.Members {
			if !m.Node.TakesNothing() && m.Name != "pingToken" && (m.Required || r.IntN(3) == 0) {
				object[m.Name] = r.value(m.Node)
			}
		}
		if object["secret"] == true { // the service withholds its value, so it cannot be copied
			object["secret"] = false
		}
		return object
	case kinds&schema.Array != 0:
		list := []any{}
		for range int(limits.Count.Min) + r.IntN(2) {
			list = append(list, r.value(n.Items))
		}
		return list
	case kinds&schema.Boolean != 0:
		return r.IntN(2) == 0
	case kinds&(schema.Number|schema.Integer) != 0 && limits.Numbers != nil:
		return limits.Numbers[r.IntN(len(limits.Numbers))]
	case kinds&(schema.Number|schema.Integer) != 0:
		return limits.Range.Min + float64(r.IntN(5))
	case limits.Enum != nil:
		return limits.Enum[r.IntN(len(limits.Enum))]
	case limits.Format == schema.UUID:
		return kit.UUID1
	}
	return word
}

// What the service makes of a create gives a create that makes an equal object.
func TestTheCreateOfAnObjectMakesAnEqualOne(t *testing.T) {
	for _, k := range kindsOfChecksAndGroups() {
		made := 0
		for seed := range max(testkit.Samples(uint64(60)), 12) {
			client := kit.Fake(t, monitoringtest.New(), monitoring.WithMaxRetries(0))
			data := text(randomCreate(k, seed))
			first, err := k.create(t, client, k.wish(t, data))
			if err != nil { // a rule across members, such as that of the offset of a frequency
				continue
			}
			made++
			again := k.again(first)
			second, err := k.create(t, client, again)
			require.NoError(t, err, "%s: %s", k.name(), kit.ToJSON(t, again.Interface()))
			require.Equal(t, settingsOf(t, first), settingsOf(t, second), "%s", data)
		}
		require.Positive(t, made, "%s", k.name())
	}
}

// randomCreate returns the body of a create.
func randomCreate(k kind, seed uint64) map[string]any {
	doc := random{rand.New(rand.NewPCG(seed, 2))}.value(schema.Lookup(k.creates()).Body).(map[string]any)
	if doc["degradedResponseTime"] == nil { // its default may be over the other time
		delete(doc, "maxResponseTime")
	}
	return doc
}

// What a create sends is found again in what the service has made of it, and with no other value.
func TestWhatACreateOfAnyKindHasMadeIsFoundAgain(t *testing.T) {
	for _, k := range kindsOfChecksAndGroups() {
		made := 0
		for seed := range max(testkit.Samples(uint64(60)), 12) {
			svc := monitoringtest.New()
			client := kit.Fake(t, svc, monitoring.WithMaxRetries(0))
			data := strings.ReplaceAll(string(text(randomCreate(k, seed))), `"secret":false`, `"secret":true`) // which the service withholds
			svc.Inject(monitoringtest.Fault{Operation: k.creates(), Kind: monitoringtest.FaultResetAfter})
			_, err := k.create(t, client, k.wish(t, []byte(data)), monitoring.WithCreateRecovery(time.Millisecond))
			if svc.Executed(k.creates()) == 0 { // a rule across members, such as that of the offset of a frequency
				continue
			}
			made++
			require.NoError(t, err, "%s: %s", k.name(), data)
		}
		require.Positive(t, made, "%s", k.name())
	}
}

// settingsOf returns an object without what is another one's for each.
func settingsOf(t *testing.T, object reflect.Value) map[string]any {
	all := kit.ParseJSON(t, kit.ToJSON(t, object.Interface())).(map[string]any)
	maps.DeleteFunc(all, func(name string, _ any) bool { return name == "id" || strings.HasSuffix(name, "_at") })
	if heartbeat, ok := all["heartbeat"].(map[string]any); ok {
		delete(heartbeat, "pingToken")
		delete(heartbeat, "pingUrl")
	}
	return all
}

// What cannot be sent stays in a copy, so that its create says what is wrong, and costs nothing else.
func TestATemplateHasWhatCannotBeSent(t *testing.T) {
	refused := func(check *monitoring.Check) string {
		client, sent := kit.Recorded(t, 201, `{}`)
		err := kit.Second(client.Checks.Create(t.Context(), check))
		require.Error(t, err)
		require.Empty(t, sent.Sent)
		return err.Error()
	}
	text := "n\xff"
	beat := &monitoring.Check{Name: text, Tags: []string{"a"}, Heartbeat: &monitoring.Heartbeat{Period: 1, PeriodUnit: "days", Grace: new(math.Inf(1)), GraceUnit: "hours"}}
	made := beat.Template()
	require.Equal(t, []any{text, []string{"a"}, beat.Heartbeat}, []any{made.Name, made.Tags, made.Heartbeat})
	require.NotSame(t, beat.Heartbeat.Grace, made.Heartbeat.Grace)
	require.Contains(t, refused(made), "encode the body: json: unsupported value: +Inf")
	*made.Heartbeat.Grace = 1
	require.Contains(t, refused(made), "name: must be valid UTF-8")

	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"API","name":"n","tags":["a"],"request":{"url":"https://shop.test"}}`)
	check.Project, check.API.Headers = json.RawMessage("{"), []monitoring.KeyValue{{Key: "k", Value: monitoring.NewSecret(text)}}
	made = check.Template()
	require.Equal(t, []any{"n", []string{"a"}, check.API, json.RawMessage(nil), ""}, []any{made.Name, made.Tags, made.API, made.Project, made.ID})
	require.Contains(t, refused(made), "request.headers[0].value: must be valid UTF-8")

	channel := kit.Returned[monitoring.AlertChannel](`{"id":5,"type":"SLACK","config":{"url":"u"},"sendDegraded":true}`)
	channel.Config = monitoring.NewSecretJSON([]byte("{"))
	copied := channel.Template()
	require.Equal(t, []any{"{", monitoring.ChannelSlack, new(true)}, []any{string(copied.Config.Reveal()), copied.Type, copied.SendDegraded})

	both := &monitoring.Check{API: &monitoring.APIRequest{URL: "https://shop.test", Method: "GET"}, TCP: &monitoring.TCPRequest{}}
	require.Contains(t, refused(both.Template()), "check: has both API and TCP: set only one")
}

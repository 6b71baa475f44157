package updates_test

import (
	"encoding/json"
	"fmt"
	"maps"
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
			`{"id":"c","name":"n","groupId":null,"retryStrategy":null,"tags":null,"muted":null,"alertSettings":{"reminders":null},"request":{"method":"GET","url":"u","basicAuth":null,"headers":null}}`,
			`{"name":"n","groupId":null,"retryStrategy":null,"alertSettings":{},"request":{"method":"GET","url":"u","basicAuth":null}}`,
		},
		"whole numbers and fractions of seconds, and all retries": {
			`{"id":"c","name":"n","frequency":5.0,"retryStrategy":{"type":"FIXED","baseBackoffSeconds":60.0,"maxDurationSeconds":90.5,"onlyOn":null,"maxRetries":2},"request":{"method":"GET","url":"u"},"tags":["a"]}`,
			`{"name":"n","frequency":5,"retryStrategy":{"type":"FIXED","baseBackoffSeconds":60,"maxDurationSeconds":90.5,"maxRetries":2},"request":{"method":"GET","url":"u"},"tags":["a"]}`,
		},
		"names in another case as they are read": {
			`{"id":"c","NAME":"n","Name":"m","request":{"METHOD":"GET","url":"u","URL":"w"}}`,
			`{"name":"m","request":{"method":"GET","url":"u"}}`,
		},
	} {
		check := read[monitoring.APICheck](t, tt.check)
		create := check.ToCreate()
		require.JSONEq(t, tt.want, kit.ToJSON(t, create), name)
		require.False(t, *create.AutoAssignAlerts)
	}
}

func TestTheCreateOfAConnectionHasOneNameForItsHost(t *testing.T) {
	create := read[monitoring.TCPCheck](t, `{"id":"c","name":"n","request":{"hostname":"a.test","url":"a.test","port":1.0,"data":"x","body":"x"}}`).ToCreate()
	create.Request.Hostname = "b.test"
	require.JSONEq(t, `{"name":"n","request":{"hostname":"b.test","port":1,"data":"x"}}`, kit.ToJSON(t, create))
}

func TestTheCreateOfAGroupHasNoCertificates(t *testing.T) {
	create := readGroup(t, `{"id":7,"name":"n","alertSettings":{"sslCertificates":{"enabled":true},"reminders":{"amount":1}}}`).Template()
	require.JSONEq(t, `{"name":"n","alertSettings":{"reminders":{"amount":1}},"autoAssignAlerts":false}`, kit.ToJSON(t, create))
}

func TestTheCreateOfAHeartbeatHasNeitherTokenNorAddress(t *testing.T) {
	for _, token := range []string{`"t"`, `null`} {
		check := read[monitoring.HeartbeatCheck](t, `{"id":"c","name":"n","heartbeat":{"period":1.5,"periodUnit":"hours","grace":0,"graceUnit":"minutes","pingToken":`+
			token+`,"pingUrl":"https://ping.test/t","new":1}}`)
		create := check.ToCreate()
		require.NoError(t, create.Validate())
		client, sent := kit.Recorded(t, 200, `{"id":"c","checkType":"HEARTBEAT","name":"n"}`)
		require.NoError(t, kit.Second(client.Checks.CreateHeartbeat(t.Context(), create)))
		require.JSONEq(t, `{"name":"n","heartbeat":{"period":1.5,"periodUnit":"hours","grace":0,"graceUnit":"minutes"}}`, sent.Sent[0].Body)
		require.Contains(t, sent.Sent[0].URL, "autoAssignAlerts=false")
		require.Equal(t, token == `null`, check.Settings.PingToken.IsWithheld(), "the check is as it was")
	}
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
	check := read[monitoring.APICheck](t, setCheck)
	before := kit.ToJSON(t, check)
	create := check.ToCreate()
	create.Tags[0], *create.AlertSettings.Reminders.Amount, create.Request.Headers[0].Key = "x", 1, "x"
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
	for create, object := range createsOfKinds(t, "") {
		made := 0
		for seed := range max(testkit.Samples(uint64(60)), 12) {
			client := kit.Fake(t, monitoringtest.New(), monitoring.WithMaxRetries(0))
			wish := reflect.New(create)
			doc := random{rand.New(rand.NewPCG(seed, 2))}.value(schema.Lookup(createOf(create)).Body).(map[string]any)
			if doc["degradedResponseTime"] == nil { // its default may be over the other time
				delete(doc, "maxResponseTime")
			}
			data := text(doc)
			require.NoError(t, json.Unmarshal(data, wish.Interface()))
			first, err := callCreate(t, client, create, wish)
			if err != nil { // a rule across members, such as that of the offset of a frequency
				continue
			}
			made++
			again := reflect.New(create)
			if create == object {
				again = first.Addr().MethodByName("Template").Call(nil)[0]
			} else {
				again.Elem().Set(first.MethodByName("ToCreate").Call(nil)[0])
			}
			second, err := callCreate(t, client, create, again)
			require.NoError(t, err, "%s: %s", create, kit.ToJSON(t, again.Interface()))
			require.Equal(t, settingsOf(t, first), settingsOf(t, second), "%s", data)
		}
		require.Positive(t, made, "%s", create)
	}
}

// What a create sends is found again in what the service has made of it, and with no other value.
func TestWhatACreateOfAnyKindHasMadeIsFoundAgain(t *testing.T) {
	for create := range createsOfKinds(t, "") {
		node, made := schema.Lookup(createOf(create)).Body, 0
		for seed := range max(testkit.Samples(uint64(60)), 12) {
			svc := monitoringtest.New()
			client := kit.Fake(t, svc, monitoring.WithMaxRetries(0))
			doc := random{rand.New(rand.NewPCG(seed, 2))}.value(node).(map[string]any)
			if doc["degradedResponseTime"] == nil { // its default may be over the other time
				delete(doc, "maxResponseTime")
			}
			data := strings.ReplaceAll(string(text(doc)), `"secret":false`, `"secret":true`) // which the service withholds
			wish := reflect.New(create)
			require.NoError(t, json.Unmarshal([]byte(data), wish.Interface()))
			svc.Inject(monitoringtest.Fault{Operation: createOf(create), Kind: monitoringtest.FaultResetAfter})
			_, err := callCreate(t, client, create, wish, monitoring.WithLookAgain(time.Millisecond))
			if svc.Executed(createOf(create)) == 0 { // a rule across members, such as that of the offset of a frequency
				continue
			}
			made++
			require.NoError(t, err, "%s: %s", create, data)
		}
		require.Positive(t, made, "%s", create)
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

// suffixOf returns how the methods of a kind of check end; it is empty for groups.
func suffixOf(create reflect.Type) string {
	suffix, _ := strings.CutSuffix(create.Name(), "CheckCreate")
	return strings.TrimSuffix(suffix, "CheckGroup")
}

func createOf(create reflect.Type) string {
	if suffix := suffixOf(create); suffix != "" {
		return "POST /v1/checks/" + strings.ToLower(suffix)
	}
	return "POST /v2/check-groups"
}

func callCreate(t *testing.T, c *monitoring.Client, create reflect.Type, wish reflect.Value, opts ...monitoring.CallOption) (reflect.Value, error) {
	service := reflect.ValueOf(c.Checks)
	suffix := suffixOf(create)
	if suffix == "" {
		service = reflect.ValueOf(c.CheckGroups)
	} else {
		wish = wish.Elem()
	}
	out := service.MethodByName("Create" + suffix).CallSlice([]reflect.Value{reflect.ValueOf(t.Context()), wish, reflect.ValueOf(opts)})
	err, _ := out[1].Interface().(error)
	return reflect.Indirect(out[0]), err
}

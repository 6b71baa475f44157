package updates_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// orders is an API check with secrets, and with a member that this package does not know.
var orders = monitoringtest.Check{Name: "Orders", Tags: []string{"a"}, Members: map[string]any{
	"futureMember": 1,
	"request": json.RawMessage(`{"method":"POST","url":"https://shop.test","followRedirects":true,"skipSSL":false,"ipFamily":"IPv4","body":"","bodyType":"NONE",
		"headers":[{"key":"Authorization","value":"Bearer x","locked":true},{"key":"Accept","value":"json","locked":false}],
		"basicAuth":{"username":"u","password":"p"},"assertions":[],"queryParameters":[{"key":"q","value":"1","locked":true}]}`),
}}

// The fake keeps what an update leaves out, as the service does, and withholds the values of locked headers.
func TestACheckThatWasListedIsWrittenBackByTheUpdateOfItsKind(t *testing.T) {
	for withheld, opts := range map[string][]monitoringtest.Option{"": nil, "request": {monitoringtest.WithMoreWithheld()}} {
		svc := monitoringtest.New(opts...)
		client := kit.Fake(t, svc)
		id := svc.AddCheck(orders)
		before, _ := svc.Check(id)
		listed := func() *monitoring.APICheck {
			list, err := monitoring.Collect(client.Checks.All(t.Context(), monitoring.CheckListOptions{Tags: []string{"a"}}))
			require.NoError(t, err)
			api, ok := list[0].AsAPI()
			require.True(t, ok)
			return api
		}
		update := listed().ToUpdate()
		update.Tags = append(update.Tags, "b")
		require.Len(t, update.Diff(), 1)
		require.Equal(t, strings.Fields(withheld+" futureMember"), update.Withheld())
		require.NoError(t, kit.Second(client.Checks.UpdateAPI(t.Context(), id, update)))
		after, _ := svc.Check(id)
		require.Equal(t, []string{"tags", "updated_at"}, changedMembers(t, before, after), withheld)

		update = listed().ToUpdate()
		update.Request.Headers[1].Value = monitoring.NewSecret("text")
		err := kit.Second(client.Checks.UpdateAPI(t.Context(), id, update))
		if withheld != "" {
			require.Equal(t, []string{
				"request.headers[0].value: is withheld by the service: set it with NewSecret, or leave the list or object out",
				"request.queryParameters[0].value: is withheld by the service: set it with NewSecret, or leave the list or object out",
				"request.basicAuth.password: is withheld by the service: set it with NewSecret, or leave the list or object out",
				"request.headers: would overwrite what the service withholds (Authorization): give each a value with NewSecret, or leave request as it was read",
				"request.queryParameters: would overwrite what the service withholds (q): give each a value with NewSecret, or leave request as it was read",
				"request.basicAuth: would overwrite what the service withholds (password): give each a value with NewSecret, or leave request as it was read",
			}, kit.BrokenRules(t, err))
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "text", listed().Request.Headers[1].Value.Reveal())
		require.Equal(t, "Bearer x", listed().Request.Headers[0].Value.Reveal())
	}
}

// changedMembers names the members of two objects that differ.
func changedMembers(t *testing.T, before, after json.RawMessage) (names []string) {
	t.Helper()
	was, is := kit.ParseJSON(t, string(before)).(map[string]any), kit.ParseJSON(t, string(after)).(map[string]any)
	for _, name := range []string{"request", "tags", "frequency", "script", "updated_at"} {
		if !assert.ObjectsAreEqual(was[name], is[name]) {
			names = append(names, name)
		}
	}
	return names
}

// Newer services have a second name for the hostname and the data. After a change both would
// contradict each other.
func TestAChangedConnectionHasOneNameForItsHost(t *testing.T) {
	for read, want := range map[string]string{
		`{"hostname":"h","url":"h","port":25,"body":null,"data":null}`:            `{"hostname":"new","port":25,"data":null}`,
		`{"hostname":"h","url":"h","port":25,"future":1.0,"data":"x","body":"x"}`: `{"hostname":"new","port":25,"future":1.0,"data":"x"}`,
		`{"url":"h","port":25,"body":"x"}`:                                        `{"hostname":"new","port":25,"data":"x"}`,
	} {
		var check monitoring.TCPCheck
		require.NoError(t, json.Unmarshal([]byte(`{"id":"c","name":"n","checkType":"TCP","request":`+read+`}`), &check))
		update := check.ToUpdate()
		require.Empty(t, update.Diff())
		require.JSONEq(t, `{"name":"n","request":`+read+`}`, bodyOf(t, update), "what was not changed is sent as it was read")
		update.Request.Hostname = "new"
		require.JSONEq(t, `{"name":"n","request":`+want+`}`, bodyOf(t, update))
	}
}

func TestAnUpdateOfACheckSendsWhatHasChangedIfTheCheckIsOfItsType(t *testing.T) {
	for _, k := range kinds[1:] {
		for _, other := range kinds[1:] {
			svc := monitoringtest.New()
			client := kit.Fake(t, svc)
			id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckType(other.checkType), Name: "n"})
			before, _ := svc.Check(id)
			plan := updateOf(k.read(t, before))
			field(plan, "frequency").Set(reflect.ValueOf(new(60)))
			apply := func() error { return k.call(t, client, "Apply", id, reflect.ValueOf(plan).Elem()) }
			applied := apply()
			edited := k.edit(t, client, id, func(u update) error { field(u, "frequency").Set(reflect.ValueOf(new(30))); return nil })
			if k != other {
				refused := " check " + id + ": its type is " + other.checkType + ", want " + k.checkType + "; nothing was written"
				require.ErrorContains(t, applied, "apply the update to"+refused)
				require.ErrorContains(t, edited, "edit"+refused)
				require.Zero(t, svc.Executed(k.operation))
				continue
			}
			require.NoError(t, applied)
			require.NoError(t, edited)
			after, _ := svc.Check(id)
			require.Equal(t, []string{"frequency", "updated_at"}, changedMembers(t, before, after), k.checkType)
			sent := svc.Requests()
			require.Equal(t, `{"frequency":30}`, string(sent[len(sent)-1].Body))
			kit.ErrAs[*monitoring.ChangedError](t, apply())
			require.Equal(t, 2, svc.Executed(k.operation))
		}
	}
}

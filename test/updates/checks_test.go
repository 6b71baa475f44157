package updates_test

import (
	"encoding/json"
	"errors"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// orders is an API check with secrets, and with a member that this package does not know.
var orders = monitoringtest.Check{Name: "Orders", Tags: []string{"a"}, Members: map[string]any{
	"futureMember": 1,
	"request": json.RawMessage(`{"method":"POST","url":"https://shop.test","followRedirects":true,"skipSSL":false,"ipFamily":"IPv4","body":"","bodyType":"NONE",
		"headers":[{"key":"Authorization","value":"Bearer x","locked":true},{"key":"Accept","value":"json","locked":false}],
		"basicAuth":{"username":"u","password":"p"},"assertions":[],"queryParameters":[]}`),
}}

// The fake keeps what an update leaves out, as the service does, and withholds the values of locked headers.
func TestACheckThatWasListedIsWrittenBackByTheUpdateOfItsKind(t *testing.T) {
	for _, withheld := range []bool{false, true} {
		var opts []monitoringtest.Option
		if withheld {
			opts = append(opts, monitoringtest.WithMoreWithheld())
		}
		svc := monitoringtest.New(opts...)
		client := kit.Fake(t, svc)
		id := svc.AddCheck(orders)
		before, _ := svc.Check(id)
		for check, err := range client.Checks.All(t.Context(), monitoring.CheckListOptions{Tags: []string{"a"}}) {
			require.NoError(t, err)
			api, ok := check.AsAPI()
			require.True(t, ok)
			update := api.ToUpdate()
			update.Tags = append(update.Tags, "b")
			require.Len(t, update.Diff(), 1)
			want := []string{"futureMember"}
			if withheld {
				want = []string{"request", "futureMember"}
			}
			require.Equal(t, want, update.Withheld())
			_, err = client.Checks.UpdateAPI(t.Context(), check.ID, update)
			require.NoError(t, err)
		}
		after, _ := svc.Check(id)
		require.Equal(t, []string{"tags", "updated_at"}, changedMembers(t, before, after), "withheld: %t", withheld)

		update := checkOf(t, client, id).ToUpdate()
		update.Request.Headers[1].Value = monitoring.NewSecret("text")
		_, err := client.Checks.UpdateAPI(t.Context(), id, update)
		if withheld {
			require.Equal(t, []string{
				"request.headers[0].value: is withheld by the service: set it with NewSecret, or leave the list or object out",
				"request.basicAuth.password: is withheld by the service: set it with NewSecret, or leave the list or object out",
				"request.headers: would overwrite what the service withholds (Authorization): give each a value with NewSecret, or leave request as it was read",
				"request.basicAuth: would overwrite what the service withholds (password): give each a value with NewSecret, or leave request as it was read",
			}, kit.BrokenRules(t, err))
			continue
		}
		require.NoError(t, err)
		check := checkOf(t, client, id)
		require.Equal(t, "text", check.Request.Headers[1].Value.Reveal())
		require.Equal(t, "Bearer x", check.Request.Headers[0].Value.Reveal())
	}
}

func checkOf(t *testing.T, client *monitoring.Client, id string) *monitoring.APICheck {
	t.Helper()
	check, err := client.Checks.Get(t.Context(), id)
	require.NoError(t, err)
	api, ok := check.AsAPI()
	require.True(t, ok)
	return api
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

func TestEachKindOfCheckHasAnEdit(t *testing.T) {
	svc := monitoringtest.New()
	client, ctx := kit.Fake(t, svc), t.Context()
	ids := map[monitoring.CheckType]string{}
	for _, kind := range []monitoring.CheckType{monitoring.CheckTypeAPI, monitoring.CheckTypeTCP, monitoring.CheckTypeBrowser} {
		ids[kind] = svc.AddCheck(monitoringtest.Check{Type: kind, Name: string(kind)})
	}
	stop := errors.New("stop")
	edits := map[monitoring.CheckType]func(id string, frequency int, err error) (*int, error){
		monitoring.CheckTypeAPI: func(id string, frequency int, failed error) (*int, error) {
			c, err := client.Checks.EditAPI(ctx, id, func(u *monitoring.APICheckUpdate) error { u.Frequency = &frequency; return failed })
			if err != nil {
				return nil, err
			}
			return c.Frequency, nil
		},
		monitoring.CheckTypeTCP: func(id string, frequency int, failed error) (*int, error) {
			c, err := client.Checks.EditTCP(ctx, id, func(u *monitoring.TCPCheckUpdate) error { u.Frequency = &frequency; return failed })
			if err != nil {
				return nil, err
			}
			return c.Frequency, nil
		},
		monitoring.CheckTypeBrowser: func(id string, frequency int, failed error) (*int, error) {
			c, err := client.Checks.EditBrowser(ctx, id, func(u *monitoring.BrowserCheckUpdate) error { u.Frequency = &frequency; return failed })
			if err != nil {
				return nil, err
			}
			return c.Frequency, nil
		},
	}
	for kind, edit := range edits {
		before, _ := svc.Check(ids[kind])
		writes := svc.Executed("PUT /v1/checks/api/{id}") + svc.Executed("PUT /v1/checks/tcp/{id}") + svc.Executed("PUT /v1/checks/browser/{id}")
		frequency, err := edit(ids[kind], 10, nil)
		require.NoError(t, err)
		require.Equal(t, new(10), frequency, "nothing was changed")
		_, err = edit(ids[kind], 30, stop)
		require.ErrorIs(t, err, stop)
		for other, id := range ids {
			if other != kind {
				_, err = edit(id, 30, nil)
				require.ErrorContains(t, err, "edit check "+id+": its type is "+string(other)+", want "+string(kind)+"; nothing was written")
			}
		}
		_, err = edit(kit.UUID1, 30, nil)
		require.ErrorIs(t, err, monitoring.ErrNotFound)
		require.Equal(t, writes, svc.Executed("PUT /v1/checks/api/{id}")+svc.Executed("PUT /v1/checks/tcp/{id}")+svc.Executed("PUT /v1/checks/browser/{id}"), "nothing was written")
		frequency, err = edit(ids[kind], 30, nil)
		require.NoError(t, err)
		require.Equal(t, new(30), frequency)
		after, _ := svc.Check(ids[kind])
		require.Equal(t, []string{"frequency", "updated_at"}, changedMembers(t, before, after), kind)
		sent := svc.Requests()
		require.Equal(t, `{"frequency":30}`, string(sent[len(sent)-1].Body), "only what has changed is sent")
	}
}

// TestASampleOfACheckIsWrittenBackAsItWasRead takes each response of testdata: nothing of it is a
// change, and each member that the update can have is sent as it was read.
func TestASampleOfACheckIsWrittenBackAsItWasRead(t *testing.T) {
	for operation, node := range map[string]*schema.Node{"put-v1-checks-api": schema.Lookup("PUT /v1/checks/api/{id}").Body, "put-v1-checks-tcp": schema.Lookup("PUT /v1/checks/tcp/{id}").Body} {
		files := kit.ResponseFiles(t, operation)
		require.GreaterOrEqual(t, len(files), 4)
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			client, requests := kit.Recorded(t, 200, `{"name":"n"}`)
			if operation == "put-v1-checks-api" {
				update := kit.Decode[*monitoring.APICheck](t, name).ToUpdate()
				require.Empty(t, update.Diff(), name)
				require.NoError(t, kit.Second(client.Checks.UpdateAPI(t.Context(), "c", update)))
			} else {
				update := kit.Decode[*monitoring.TCPCheck](t, name).ToUpdate()
				require.Empty(t, update.Diff(), name)
				require.NoError(t, kit.Second(client.Checks.UpdateTCP(t.Context(), "c", update)))
			}
			want := kit.ParseJSON(t, kit.File(t, file)).(map[string]any)
			maps.DeleteFunc(want, func(member string, value any) bool {
				m := node.Member(member)
				return m == nil || member == "checkType" || value == nil && !m.Node.Nullable()
			})
			require.Equal(t, any(want), kit.ParseJSON(t, requests.Sent[0].Body), name)
		}
	}
}

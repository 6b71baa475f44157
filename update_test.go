package monitoring

import (
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// updatable is a type of response that has ToUpdate.
type updatable struct {
	request   reflect.Type
	operation string
	rename    func(context.Context, *Client, any) error
}

var updatables = map[string]updatable{
	"get-v1-check-group":    {reflect.TypeFor[CheckGroupUpdate](), "PUT /v2/check-groups/{id}", renameGroup},
	"put-v2-check-group":    {reflect.TypeFor[CheckGroupUpdate](), "PUT /v2/check-groups/{id}", renameGroup},
	"put-v1-checks-browser": {reflect.TypeFor[BrowserCheckUpdate](), "PUT /v1/checks/browser/{id}", renameBrowserCheck},
}

func renameGroup(ctx context.Context, c *Client, read any) error {
	update := read.(*CheckGroup).ToUpdate()
	update.Name = "renamed"
	_, err := c.CheckGroups.Update(ctx, 1, update)
	return err
}

func renameBrowserCheck(ctx context.Context, c *Client, read any) error {
	update := read.(*BrowserCheck).ToUpdate()
	update.Name = new("renamed")
	_, err := c.Checks.UpdateBrowser(ctx, "b", update)
	return err
}

// eachUpdatable calls f for each response in testdata that can become an update.
func eachUpdatable(t *testing.T, f func(t *testing.T, kind updatable, name, sent string, read any)) {
	t.Helper()
	for operation, kind := range updatables {
		files := responseFiles(t, operation)
		require.GreaterOrEqual(t, len(files), 4)
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			t.Run(name, func(t *testing.T) {
				text := readFile(t, file)
				read, err := respond(t, operation, 200, text)
				require.NoError(t, err)
				f(t, kind, name, text, read)
			})
		}
	}
}

func TestAnUpdateWritesBackWhatWasRead(t *testing.T) {
	eachUpdatable(t, func(t *testing.T, kind updatable, name, sent string, read any) {
		client, requests := newTestClient(t, 200, `{"name":"renamed"}`)
		require.NoError(t, kind.rename(t.Context(), client, read))
		was := parseJSON(t, sent).(map[string]any)
		body := parseJSON(t, requests.Sent[0].Body).(map[string]any)

		if settings, ok := was["alertSettings"].(map[string]any); ok && kind.request == reflect.TypeFor[CheckGroupUpdate]() {
			delete(settings, "sslCertificates") // deprecated, and not a member of the request
		}
		want := map[string]any{"name": "renamed"}
		node := schema.Lookup(kind.operation).Body
		for member := range wireFields(kind.request, "json") {
			value, ok := was[member]
			switch {
			case !ok || member == "name":
			case value == nil && !node.Member(member).Node.Nullable():
			case member == "environmentVariables" && holdsNullValue(value):
			default:
				want[member] = value
			}
		}
		require.Equal(t, want, body)
	})
}

func holdsNullValue(variables any) bool {
	list, _ := variables.([]any)
	return slices.ContainsFunc(list, func(v any) bool { return v.(map[string]any)["value"] == nil })
}

func TestAnUpdateOfWhatWasReadPassesValidation(t *testing.T) {
	for _, name := range []string{
		"get-v1-check-group.fallback", "get-v1-check-group.strategy", "get-v1-check-group.strategy-null", "get-v1-check-group.all-members",
		"get-v1-check-group.secret-variable", "put-v1-checks-browser.date-only", "put-v1-checks-browser.secret-variable", "put-v1-checks-browser.all-members",
	} {
		operation, _, _ := strings.Cut(name, ".")
		read, err := respond(t, operation, 200, readFile(t, "testdata/responses/"+name+".json"))
		require.NoError(t, err)
		client, requests := newTestClient(t, 200, `{"name":"renamed"}`)
		require.NoError(t, updatables[operation].rename(t.Context(), client, read), name)
		require.Len(t, requests.Sent, 1)
	}
}

func TestAWithheldValueOfAVariableIsNotOverwritten(t *testing.T) {
	for _, name := range []string{"get-v1-check-group.secret-variable", "put-v1-checks-browser.secret-variable"} {
		operation, _, _ := strings.Cut(name, ".")
		read, err := respond(t, operation, 200, readFile(t, "testdata/responses/"+name+".json"))
		require.NoError(t, err)
		client, requests := newTestClient(t, 200, `{"name":"renamed"}`)
		require.NoError(t, updatables[operation].rename(t.Context(), client, read))
		require.NotContains(t, requests.Sent[0].Body, "environmentVariables", name)
	}
}

// memory finds the memory through which a change of one value could change another: arrays of
// slices and structs behind pointers, also in unexported fields. Pointers to scalars may be
// shared, because a change replaces the pointer.
func memory(v reflect.Value, path string, found map[uintptr]string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem().Kind() == reflect.Struct {
			found[v.Pointer()] = path
			memory(v.Elem(), path, found)
		}
	case reflect.Slice:
		if v.Cap() > 0 && v.Type().Elem().Size() > 0 {
			found[v.Pointer()] = path
		}
		for i := range v.Len() {
			memory(v.Index(i), path+"[]", found)
		}
	case reflect.Struct:
		if v.Type().PkgPath() == "time" { // locations are shared, but never changed
			return
		}
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if name == "kept" || name == "made" { // never changed
				continue
			}
			memory(v.Field(i), path+"."+name, found)
		}
	}
}

func requireNothingShared(t *testing.T, a, b any) {
	t.Helper()
	first, second := make(map[uintptr]string), make(map[uintptr]string)
	memory(reflect.ValueOf(a), "", first)
	memory(reflect.ValueOf(b), "", second)
	var shared []string
	for address, path := range first {
		if _, ok := second[address]; ok {
			shared = append(shared, path)
		}
	}
	slices.Sort(shared)
	assert.Empty(t, shared, "memory that two values of type %T share", a)
}

func TestTwoUpdatesOfOneObjectShareNoMemory(t *testing.T) {
	g := decode[*CheckGroup](t, "get-v1-check-group.all-members")
	requireNothingShared(t, g.ToUpdate(), g.ToUpdate())
	b := decode[*BrowserCheck](t, "put-v1-checks-browser.all-members")
	requireNothingShared(t, b.ToUpdate(), b.ToUpdate())
}

func TestAnUpdateSharesNoMemoryWithTheObject(t *testing.T) {
	g := decode[*CheckGroup](t, "get-v1-check-group.all-members")
	requireNothingShared(t, g.ToUpdate(), *g)
	b := decode[*BrowserCheck](t, "put-v1-checks-browser.all-members")
	requireNothingShared(t, b.ToUpdate(), *b)
}

func TestAChangeOfOneUpdateDoesNotChangeAnother(t *testing.T) {
	g := decode[*CheckGroup](t, "get-v1-check-group.all-members")
	before := toJSON(t, g)
	first, second := g.ToUpdate(), g.ToUpdate()
	want := toJSON(t, second)
	first.Tags[0], first.Locations[0], first.PrivateLocations[0] = "x", "x", "x"
	first.APICheckDefaults.Headers[0].Value = NewSecret("x")
	first.EnvironmentVariables[0].Value = NewSecret("x")
	first.AlertChannelSubscriptions[0].AlertChannelID = 7
	settings, _ := first.AlertSettings.Get()
	settings.Reminders.Amount = new(99)
	strategy, _ := first.RetryStrategy.Get()
	strategy.OnlyOn[0] = "x"
	require.Equal(t, want, toJSON(t, second))
	require.Equal(t, before, toJSON(t, g))
}

func TestAnUpdateOfAnObjectThatWasNotReadSendsItsFields(t *testing.T) {
	g := CheckGroup{Name: "n", Concurrency: 2, Tags: []string{"a"}}
	var body map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(toJSON(t, g.ToUpdate())), &body))
	require.Equal(t, `"n"`, string(body["name"]))
	require.Equal(t, "2", string(body["concurrency"]))
	require.Equal(t, `["a"]`, string(body["tags"]))
	require.NotContains(t, body, "activated")
	require.NotContains(t, body, "retryStrategy")
	b := BrowserCheck{Script: new("s")}
	require.JSONEq(t, `{"script":"s"}`, toJSON(t, b.ToUpdate()))
}

func TestAFieldSetToZeroAfterReadingIsSent(t *testing.T) {
	g := decode[*CheckGroup](t, "get-v1-check-group.all-members")
	g.Activated, g.Muted, g.BrowserCheckDefaults = false, new(false), new("")
	body := parseJSON(t, toJSON(t, g.ToUpdate())).(map[string]any)
	require.Equal(t, false, body["activated"])
	require.Equal(t, false, body["muted"])
	require.Equal(t, "", body["browserCheckDefaults"])
}

func TestWithheldPasswordsAndHeadersAreNotOverwritten(t *testing.T) {
	for name, defaults := range map[string]string{
		"a password of null":        `{"basicAuth":{"username":"u","password":null}}`,
		"a header's value of null":  `{"headers":[{"key":"a","value":"b"},{"key":"k","value":null,"locked":true}]}`,
		"a parameter without value": `{"queryParameters":[{"key":"k","locked":true}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var group CheckGroup
			require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"g","apiCheckDefaults":`+defaults+`}`), &group))
			update := group.ToUpdate()
			require.Equal(t, group.APICheckDefaults, *update.APICheckDefaults, "the defaults are there, but not sent")
			data, err := json.Marshal(update)
			require.NoError(t, err)
			require.JSONEq(t, `{"name":"g"}`, string(data))
		})
	}
}

func TestWhatWasNotChangedIsSentAsRead(t *testing.T) {
	const typed, ssl = "typed", `{"sslCertificates":{}}`
	for _, c := range []struct {
		read, member   string
		nullable, hide bool
		want           string
	}{
		{`2.0`, "concurrency", false, false, `2.0`}, {`2.0`, "concurrency", false, true, `2.0`},
		{`null`, "tags", false, false, ``}, {`null`, "runtimeId", true, false, `null`}, {`null`, "runtimeId", true, true, `null`},
		{ssl, "alertSettings", true, false, typed}, {ssl, "apiCheckDefaults", false, false, ssl}, {`{"x":1}`, "alertSettings", true, false, `{"x":1}`},
		{`{"x":1}`, "alertSettings", true, true, typed}, {`["x"]`, "tags", false, true, typed}, {`["x"]`, "tags", false, false, `["x"]`},
	} {
		require.Equal(t, c.want, string(sentAsRead([]byte(c.read), c.member, []byte(typed), c.nullable, c.hide)), "%s %s", c.member, c.read)
	}
	require.Nil(t, sentAsRead(nil, "name", []byte(typed), true, false))
}

func TestAnUpdateIsMarshaledAsItIsSent(t *testing.T) {
	var g CheckGroup
	require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"n","concurrency":2.0,"environmentVariables":[{"key":"K","value":"v"}]}`), &g))
	u := g.ToUpdate()
	data, err := MarshalWithSecrets(u)
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"n","concurrency":2.0,"environmentVariables":[{"key":"K","value":"v"}]}`, string(data))
	require.Contains(t, string(data), `"concurrency":2.0`)
	data, err = json.Marshal(u)
	require.NoError(t, err)
	require.NotContains(t, string(data), `"v"`)
	require.Contains(t, string(data), `"concurrency":2.0`)

	for _, hide := range []bool{true, false} {
		_, err = encodeUpdate(make(chan int), hide)
		require.Error(t, err)
	}
}

package updates_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const shop = `{"id":7,"name":"Shop","activated":true,"concurrency":3,"tags":["a","b","c"],"localSetupScript":null,"updated_at":"2026-01-01",
	"environmentVariables":[{"key":"A","value":"s3cret-a","future":"s3cret-f"},{"key":"B","value":"s3cret-b"},{"key":"S","value":"s3cret-s","secret":true}],"alertSettings":{"reminders":{"amount":1}}}`

func TestEditWritesOnlyIfSomethingIsChanged(t *testing.T) {
	for name, c := range map[string]struct {
		edit    func(*monitoring.CheckGroup)
		opts    []monitoring.CallOption
		changes bool
	}{
		"nothing":       {func(*monitoring.CheckGroup) {}, nil, false},
		"the same":      {func(u *monitoring.CheckGroup) { u.Activated, u.Tags = new(true), []string{"a", "b", "c"} }, nil, false},
		"another order": {func(u *monitoring.CheckGroup) { u.Tags = []string{"c", "a", "b", "a"} }, nil, false},
		"a default": {func(u *monitoring.CheckGroup) {
			settings, _ := u.AlertSettings.Get()
			settings.Reminders.Interval, settings.EscalationType = new(5), monitoring.EscalationRunBased
		}, nil, false},
		"an absent null": {func(u *monitoring.CheckGroup) { u.LocalSetupScript = monitoring.Nullable[string]{} }, nil, false},
		"a secret":       {func(u *monitoring.CheckGroup) { u.EnvironmentVariables[2].Value = monitoring.NewSecret("new") }, nil, true},
		"a switch":       {func(u *monitoring.CheckGroup) { u.Muted = new(true) }, nil, true},
		"a parameter":    {func(u *monitoring.CheckGroup) { u.AutoAssignAlerts, u.Muted = new(false), new(true) }, nil, true},
		"a member":       {func(*monitoring.CheckGroup) {}, []monitoring.CallOption{monitoring.WithBodyField("locations", nil)}, true},
	} {
		_, s, client := groupOf(t, shop)
		g, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error { c.edit(u); return nil }, c.opts...)
		require.NoError(t, err, name)
		require.Equal(t, "Shop", g.Name, name)
		require.Equal(t, c.changes, s.updates == 1, name)
		require.Equal(t, "s3cret-f", s.doc["environmentVariables"].([]any)[0].(map[string]any)["future"], name)
		if s.updates == 1 {
			require.Contains(t, s.body, `"concurrency":3`, "everything is sent, because the service may replace a group")
		}
	}
}

func TestEditSaysWhyNothingWasSent(t *testing.T) {
	_, s, client := groupOf(t, shop)
	cause := errors.New("not on a Friday")
	_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error { u.Name = "x"; return cause })
	require.ErrorIs(t, err, cause)
	require.EqualError(t, err, "monitoring: edit check group 7: nothing was written: not on a Friday")
	require.EqualError(t, kit.Second(client.CheckGroups.Edit(t.Context(), 7, nil)), "monitoring: edit check group 7: nothing was written: the function is nil")
	_, err = client.CheckGroups.Edit(t.Context(), 0, func(*monitoring.CheckGroup) error { panic("the group was not read") })
	kit.ErrAs[*monitoring.ValidationError](t, err)
	snapshot := readGroup(t, shop)
	for _, base := range []func(*monitoring.CheckGroup){func(*monitoring.CheckGroup) {}, func(u *monitoring.CheckGroup) { *u = *snapshot.Clone() }} {
		_, err = client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error { base(u); u.Activated = nil; return nil })
		require.Equal(t, "activated", kit.ErrAs[*monitoring.ValidationError](t, err).Violations[0].Path)
	}
	require.Zero(t, s.updates)
}

// A snapshot is an older state of the group. What it changes is found by comparing it with the
// present state.
func TestEditRestoresASnapshot(t *testing.T) {
	snapshot, s, client := groupOf(t, `{"id":7,"name":"Shop","concurrency":3,"tags":null,"locations":["eu-west-1"],"environmentVariables":[{"key":"A","value":"s3cret-a"}]}`)
	s.doc = kit.ParseJSON(t, `{"id":7,"name":"Shop","concurrency":5,"tags":["x"],"locations":[],"privateLocations":["p"],"environmentVariables":[{"key":"A","value":"s3cret-b"}]}`).(map[string]any)
	live := readGroup(t, string(s.view()))
	require.Empty(t, snapshot.Diff(), "compared with the snapshot itself")
	require.ElementsMatch(t, []string{
		"concurrency: 5 -> 3", `tags[0]: removed "x"`, `locations[0]: added "eu-west-1"`, "environmentVariables[0].value (A): its value is changed",
		"privateLocations: not changed, because the object was read without it",
	}, linesOf(snapshot.DiffFrom(live)))
	restore := func(u *monitoring.CheckGroup) error { *u = *snapshot.Clone(); return nil }
	_, err := client.CheckGroups.Edit(t.Context(), 7, restore, monitoring.WithStrictUpdates())
	require.Equal(t, []string{"privateLocations: would be omitted, because the object was read without it: set it, or send it with WithBodyField"}, refused(t, s, err))
	for range 2 { // the second time nothing is sent
		g, err := client.CheckGroups.Edit(t.Context(), 7, restore)
		require.Contains(t, sentBy(t, s, err), `"tags":[]`)
		require.Equal(t, 1, s.updates)
		require.Equal(t, []any{3, []string{}, []string{"p"}}, []any{*g.Concurrency, g.Tags, g.PrivateLocations})
	}
}

func TestASnapshotOfWhichNothingCanBeWrittenIsNotASuccess(t *testing.T) {
	group := func(name, variable string) string {
		return `{"id":7,"name":"` + name + `","concurrency":3,"environmentVariables":[{"key":"A",` + variable + `},{"key":"S","value":null,"secret":true}]}`
	}
	before := readGroup(t, group("Shop", `"value":"old","locked":false`))
	for now, is := range map[string]string{
		group("Shop", `"value":"old"`):                "the same",
		group("Shop", `"value":"old","locked":false`): "the same",
		group("Shop", `"value":"new"`):                "refused",
		group("Shop", `"value":"old","locked":true`):  "refused",
		group("Store", `"value":"new"`):               "written",
	} {
		live, s, client := groupOf(t, now)
		changes := linesOf(before.DiffFrom(live))
		_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error { *u = *before.Clone(); return nil })
		require.Equal(t, is == "written", s.updates == 1, now)
		require.Equal(t, is == "the same", len(changes) == 0, now)
		if is != "refused" {
			require.NoError(t, err, now)
			continue
		}
		require.Equal(t, []string{"environmentVariables: not changed, because the service withholds a secret in it"}, changes, "only that differs")
		require.EqualError(t, err, "monitoring: edit check group 7: nothing was written: environmentVariables: cannot be restored, "+
			"because the service withholds a secret in it: give each a value with NewSecret")
	}
}

// A plan is an update that one process writes and another one reads.
const planned = `{"id":7,"name":"Shop","concurrency":3,"tags":["a","c"],"updated_at":"2026-01-01","new":1,"alertSettings":{"future":[1.50]},"environmentVariables":[{"key":"TOKEN","value":null,"secret":true},{"key":"A","value":"a"}],"muted":true}`

func TestAPlanIsAppliedAsItWasMade(t *testing.T) {
	for name, c := range map[string]struct {
		plan func(*monitoring.CheckGroup) error
		sent string // a part of the body
		want string // or a part of the error
	}{
		"a secret that goes": {func(u *monitoring.CheckGroup) error { return u.RemoveVariable("TOKEN") }, `"environmentVariables":[{"key":"A","value":"a"}]`, ""},
		"what cannot be unset": {func(u *monitoring.CheckGroup) error { u.Muted = nil; return nil }, "",
			"muted: cannot be unset, because the service does not accept null: set it to true or false, or leave the field as it was read"},
		"a parameter": {func(u *monitoring.CheckGroup) error {
			u.AutoAssignAlerts, u.Concurrency = new(false), new(4)
			return nil
		}, `"concurrency":4`, ""},
		"a parameter alone": {func(u *monitoring.CheckGroup) error { u.AutoAssignAlerts = new(false); return nil }, "", "autoAssignAlerts: cannot be the only change: change another field as well"},
		"nothing":           {func(*monitoring.CheckGroup) error { return nil }, "", ""},
	} {
		g, s, client := groupOf(t, planned)
		u := g.Clone()
		require.NoError(t, c.plan(u))
		plan := again(t, u, plan)
		require.Equal(t, linesOf(u.Diff()), linesOf(plan.Diff()), name)
		require.Equal(t, u.Omitted(), plan.Omitted(), name)
		require.Equal(t, u.AutoAssignAlerts, plan.AutoAssignAlerts)
		_, err := client.CheckGroups.Update(t.Context(), plan, monitoring.WithUnchanged())
		if c.want != "" {
			require.ErrorContains(t, err, c.want, name)
		} else {
			require.NoError(t, err, name)
			require.Contains(t, s.body, c.sent, name)
			require.NotContains(t, s.body, "$plan")
		}
		require.Equal(t, c.sent != "", s.updates == 1, name)
	}
	stored, err := monitoring.MarshalPlan(readGroup(t, `{"id":7,"name":"n"}`))
	require.NoError(t, err)
	require.Equal(t, `{"id":7,"name":"n","$plan":{"read":{"id":7,"name":"n"}}}`, string(stored), "nothing was unset or removed")
	hidden, err := json.Marshal(readGroup(t, planned))
	require.NoError(t, err)
	require.NotContains(t, string(hidden), "$plan", "it would have the secrets")
	own := monitoring.CheckGroup{Name: "n"}
	require.NoError(t, json.Unmarshal([]byte(`null`), &own))
	require.Equal(t, `{"name":"n"}`, kit.ToJSON(t, own))
	for _, broken := range []string{`{"$plan":7}`, `{"$plan":{"read":{},"removed":7}}`, `{"name":7}`} {
		require.Error(t, json.Unmarshal([]byte(broken), &own), broken)
	}
}

func TestAPlanIsAppliedOnlyToWhatItWasMadeFrom(t *testing.T) {
	g, s, client := groupOf(t, planned)
	plan := g.Clone()
	plan.Concurrency = new(5)
	for member, c := range map[string]struct {
		value any
		text  string
	}{
		"concurrency":          {json.Number("4"), ": concurrency: 3 -> 4"},
		"updated_at":           {"2026-01-02", ": only its updated_at differs, so a withheld secret may have changed"},
		"environmentVariables": {kit.ParseJSON(t, `[{"key":"TOKEN","value":null,"secret":true},{"key":"A","value":"b"}]`), ": environmentVariables[1].value (A): its value is changed"},
		"muted":                {nil, ": muted: true -> null"},
		"doubleCheck":          {true, ": doubleCheck: added true"},
	} {
		was := s.doc[member]
		s.doc[member] = c.value
		err := kit.Second(client.CheckGroups.Update(t.Context(), plan, monitoring.WithUnchanged()))
		kit.ErrAs[*monitoring.StaleUpdateError](t, err)
		require.EqualError(t, err, "monitoring: update check group 7: nothing was written: the object has changed since it was read"+c.text+": read it again and repeat your change, or call Update without WithUnchanged")
		s.doc[member] = was
	}
	delete(s.doc, "muted")
	err := kit.Second(client.CheckGroups.Update(t.Context(), plan, monitoring.WithUnchanged()))
	require.ErrorContains(t, err, ": muted: removed true: read it again", "a member that is gone is a change")
	s.doc["muted"] = true
	require.ErrorContains(t, kit.Second(client.CheckGroups.Update(t.Context(), &monitoring.CheckGroup{ID: 7, Name: "n"}, monitoring.WithUnchanged())), "cannot tell whether the object has changed")
	require.Zero(t, s.updates)
	s.doc["runtimeId"], s.doc["updated_at"] = nil, "2026-01-01T02:00:00+02:00" // as if it was absent, and the same moment
	require.NoError(t, kit.Second(client.CheckGroups.Update(t.Context(), plan, monitoring.WithUnchanged())))
}

func linesOf(changes []monitoring.Change) (lines []string) {
	for _, c := range changes {
		lines = append(lines, c.String())
	}
	return lines
}

func TestADiffHasALineForEachChange(t *testing.T) {
	u := readGroup(t, `{"id":7,"name":"Shop","activated":true,"concurrency":3,"tags":["a","b"],"alertSettings":{"reminders":{"amount":1}},"retryStrategy":{"type":"FIXED"},
		"environmentVariables":[{"key":"R","value":"s3cret-eu"},{"key":"L","value":"l1","locked":true},{"key":"S","value":"s1","secret":true},{"key":"W","value":null,"secret":true}],
		"apiCheckDefaults":{"headers":[{"key":"H","value":"h1"},{"key":"G","value":"s3cret","future":"s3cret"}],"basicAuth":{"username":"u","password":"p1"}}}`)
	u.Name, u.Activated, u.Muted, u.Concurrency, u.RetryStrategy = "New", nil, new(true), new(5), monitoring.Null[monitoring.RetryStrategy]()
	slices.Reverse(u.Tags)
	settings, _ := u.AlertSettings.Get()
	settings.Reminders.Amount = new(2)
	for i := range u.EnvironmentVariables {
		u.EnvironmentVariables[i].Value = monitoring.NewSecret(strings.Repeat(u.EnvironmentVariables[i].Key, 2))
	}
	u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.NewEnvironmentVariable("NEW", "n1"), monitoring.EnvironmentVariable{Key: "T", Value: monitoring.NewSecret("t1"), Secret: new(true)})
	u.APICheckDefaults.Headers[0].Value = monitoring.NewSecret("h2")
	u.APICheckDefaults.Headers = u.APICheckDefaults.Headers[:1]
	auth, _ := u.APICheckDefaults.BasicAuth.Get()
	auth.Password = monitoring.NewSecret("p2")
	u.APICheckDefaults.BasicAuth = monitoring.Value(auth)
	want := []string{
		"environmentVariables[0].value (R): its value is changed", `environmentVariables[4]: added {"key":"NEW","value":"[redacted]"}`,
		`name: "Shop" -> "New"`, "activated: removed true", `muted: added true`, `concurrency: 3 -> 5`, `retryStrategy: {"type":"FIXED"} -> null`,
		"alertSettings.reminders.amount: 1 -> 2",
		"apiCheckDefaults.headers[0].value (H): its value is changed", `apiCheckDefaults.headers[1]: removed {"key":"G","value":"[redacted]","future":"[redacted]"}`,
		"apiCheckDefaults.basicAuth.password: a secret is changed", "environmentVariables[1].value (L): its value is changed", "environmentVariables[2].value (S): a secret is changed",
		"environmentVariables[3].value (W): a withheld secret is set", `environmentVariables[5]: added {"key":"T","value":"[redacted]","secret":true}`,
	}
	require.ElementsMatch(t, want, linesOf(u.Diff()))
	require.NotContains(t, fmt.Sprintf("%+v", u.Diff()), "s3cret")
	for _, c := range u.Diff() {
		require.Equal(t, strings.Contains(c.String(), "secret is"), c.Secret, c)
	}
	want[0], want[1] = `environmentVariables[0].value (R): "s3cret-eu" -> "RR"`, `environmentVariables[4]: added {"key":"NEW","value":"n1"}`
	var lines []string
	for _, c := range u.Diff() {
		lines = append(lines, c.WithValues())
		require.NotContains(t, fmt.Sprintf("%#v", c), "s3cret", "only WithValues shows it")
	}
	require.ElementsMatch(t, want, lines, "what is neither secret nor locked is shown")

	own := monitoring.CheckGroup{Name: "Shop", Muted: new(true)}
	require.Equal(t, []string{`name: added "Shop"`, "muted: added true"}, linesOf(own.Diff()), "a new update has only additions")
	require.Equal(t, own.Diff(), own.DiffFrom(nil))
	require.Equal(t, []monitoring.Change{{Path: "muted", After: "true"}}, own.DiffFrom(&monitoring.CheckGroup{Name: "Shop"}))
}

func TestAFingerprintTellsWhetherTheSameIsWrittenAgain(t *testing.T) {
	key, g := []byte("0123456789abcdef"), readGroup(t, `{"id":7,"name":"n","environmentVariables":[{"key":"T","value":null,"secret":true}]}`)
	set := func(value string) monitoring.Change {
		u := g.Clone()
		u.EnvironmentVariables[0].Value = monitoring.NewSecret(value)
		return u.Diff()[0]
	}
	last := set(testkit.Canary)
	require.Len(t, last.Fingerprint(key), 64)
	testkit.RequireHidden(t, "the change", last)
	require.Equal(t, last.Fingerprint(key), set(testkit.Canary).Fingerprint(key))
	require.NotEqual(t, last.Fingerprint(key), set("other").Fingerprint(key))
	require.NotEqual(t, last.Fingerprint(key), last.Fingerprint([]byte("another key of 16")))
	require.Equal(t, monitoring.Change{Path: "a[3].b", After: `"\u0061"`}.Fingerprint(key), monitoring.Change{Path: "a[4].b", After: `"a"`}.Fingerprint(key), "neither place nor spelling count")
	for _, other := range []monitoring.Change{{Path: "a", Item: "U"}, {Path: "b", Item: "T"}, {Path: "a", Item: "T", After: "1"}} {
		require.NotEqual(t, monitoring.Change{Path: "a", Item: "T"}.Fingerprint(key), other.Fingerprint(key))
	}
	require.PanicsWithValue(t, "monitoring: the key of a fingerprint has fewer than 16 bytes", func() { last.Fingerprint(key[1:]) })
}

// orders is an API check with secrets, and with a member that this package does not know.
var orders = monitoringtest.Check{Name: "Orders", Tags: []string{"a"}, Members: map[string]any{
	"futureMember": 1,
	"request": json.RawMessage(`{"method":"POST","url":"https://shop.test","followRedirects":true,"skipSSL":false,"ipFamily":"IPv4","body":"","bodyType":"NONE",
		"headers":[{"key":"Authorization","value":"Bearer x","locked":true},{"key":"Accept","value":"json","locked":false}],
		"basicAuth":{"username":"u","password":"p"},"assertions":[],"queryParameters":[{"key":"q","value":"1","locked":true}]}`),
}}

// The fake keeps what an update leaves out, as the service does, and withholds the values of locked
// headers.
func TestACheckThatWasListedIsWrittenBackByTheUpdateOfItsKind(t *testing.T) {
	for withheld, opts := range map[string][]monitoringtest.Option{"": nil, "request": {monitoringtest.WithMoreWithheld()}} {
		svc := monitoringtest.New(opts...)
		client := kit.Fake(t, svc)
		id := svc.AddCheck(orders)
		before, _ := svc.CheckJSON(id)
		listed := func() *monitoring.Check {
			list, err := monitoring.Collect(client.Checks.All(t.Context(), monitoring.CheckListOptions{Tags: []string{"a"}}))
			require.NoError(t, err)
			return &list[0]
		}
		check := listed()
		check.Tags = append(check.Tags, "b")
		require.Len(t, check.Diff(), 1)
		require.Equal(t, strings.Fields(withheld+" futureMember"), check.Omitted())
		require.NoError(t, kit.Second(client.Checks.Update(t.Context(), check)))
		after, _ := svc.CheckJSON(id)
		require.Equal(t, []string{"tags", "updated_at"}, changedMembers(t, before, after), withheld)

		check = listed()
		check.API.Headers[1].Value = monitoring.NewSecret("text")
		err := kit.Second(client.Checks.Update(t.Context(), check))
		if withheld != "" {
			require.Equal(t, []string{
				"request.headers: would overwrite secrets that the service withholds (Authorization): give each a value with NewSecret, or leave request as it was read",
				"request.queryParameters: would overwrite secrets that the service withholds (q): give each a value with NewSecret, or leave request as it was read",
				"request.basicAuth: would overwrite secrets that the service withholds (password): give each a value with NewSecret, or leave request as it was read",
			}, kit.BrokenRules(t, err))
			continue
		}
		require.NoError(t, err)
		require.Equal(t, "text", listed().API.Headers[1].Value.Reveal())
		require.Equal(t, "Bearer x", listed().API.Headers[0].Value.Reveal())
	}
}

// changedMembers names the members of two objects that differ.
func changedMembers(t *testing.T, before, after json.RawMessage) (names []string) {
	t.Helper()
	was, is := kit.ParseJSON(t, string(before)).(map[string]any), kit.ParseJSON(t, string(after)).(map[string]any)
	for _, name := range []string{"name", "request", "tags", "frequency", "script", "updated_at"} {
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
		check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","name":"n","checkType":"TCP","request":` + read + `}`)
		require.Empty(t, check.Diff())
		check.TCP.Hostname = "new"
		require.JSONEq(t, `{"request":`+want+`}`, sentFor(t, check))
	}
}

func TestAnUpdateOfACheckSendsWhatHasChangedIfTheCheckIsOfItsType(t *testing.T) {
	for _, k := range kindsOfChecks() {
		for _, other := range kindsOfChecks() {
			svc := monitoringtest.New()
			client := kit.Fake(t, svc)
			id := svc.AddCheck(monitoringtest.Check{ID: kit.UUID1, Type: monitoring.CheckType(other.checkType), Name: "n"})
			before, _ := svc.CheckJSON(id)
			plan := updateOf(k.read(t, rawjson.With(before, "checkType", text(k.checkType))))
			field(plan, "name").SetString("planned")
			apply := func() error {
				return k.call(t, client, "Update", id, reflect.ValueOf(plan).Elem(), monitoring.WithUnchanged())
			}
			applied := apply()
			if k != other {
				replaced := k.edit(t, client, id, func(u update) error { *u.(*monitoring.Check) = *plan.(*monitoring.Check); return nil })
				require.Equal(t, []string{"checkType: cannot be changed: create a Template instead"}, kit.BrokenRules(t, replaced))
				require.Contains(t, linesOf(kit.ErrAs[*monitoring.StaleUpdateError](t, applied).Changes), fmt.Sprintf("checkType: %q -> %q", k.checkType, other.checkType))
				require.Zero(t, svc.Executed(k.operation))
				require.Zero(t, svc.Executed(other.operation))
				continue
			}
			require.NoError(t, applied)
			require.NoError(t, k.edit(t, client, id, func(u update) error { field(u, "name").SetString("edited"); return nil }))
			after, _ := svc.CheckJSON(id)
			require.Equal(t, []string{"name", "updated_at"}, changedMembers(t, before, after), k.checkType)
			sent := svc.Requests()
			last := string(sent[len(sent)-1].Body)
			if k.checkType == "DNS" { // no patch
				last = fmt.Sprintf(`{"name":%q}`, kit.ParseJSON(t, last).(map[string]any)["name"])
			}
			require.Equal(t, `{"name":"edited"}`, last)
			kit.ErrAs[*monitoring.StaleUpdateError](t, apply())
			require.Equal(t, 2, svc.Executed(k.operation))
		}
	}
}

func TestAnUnchangedGroupOrderWithAFractionIsSentAsItWasRead(t *testing.T) {
	for checkType, want := range map[string]string{
		"API": `{"name":"other"}`,
		"DNS": `{"name":"other","groupId":5,"groupOrder":1.5,"request":{"query":"a.test","recordType":"A"}}`, // it is sent whole
	} {
		check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","name":"n","checkType":"` + checkType +
			`","groupId":5,"groupOrder":1.5,"request":{"query":"a.test","recordType":"A"}}`)
		check.Name = "other"
		require.JSONEq(t, want, sentFor(t, check))
	}
}

// An edit sends the body that it has compared. So a function that keeps its update changes nothing
// by it, and what the update says later is about its fields then.
func TestAnUpdateThatAFunctionKeepsIsStillItsOwn(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"id":7,"name":"n","concurrency":3}`)
	var keptOne *monitoring.CheckGroup
	require.NoError(t, kit.Second(client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error {
		u.Name, keptOne = "new", u
		return nil
	})))
	keptOne.Name = "newer"
	require.Equal(t, []string{`name: "n" -> "newer"`}, []string{keptOne.Diff()[0].String()})
	require.JSONEq(t, `{"name":"new","concurrency":3}`, sent.Sent[1].Body)
}

// What an object was read from is decoded when the response is, and once more by an update that is
// not in an edit. Decoding is nearly all that a call with a large object allocates.
func TestACallDecodesWhatWasReadAtMostOnce(t *testing.T) {
	testkit.SkipUnderRace(t)
	tags := make([]string, 20_000)
	for i := range tags {
		tags[i] = fmt.Sprintf("%q", fmt.Sprint("tag-", i))
	}
	body := `{"id":"c1","checkType":"API","name":"n","tags":[` + strings.Join(tags, ",") + `],"request":{"method":"GET","url":"https://a.test"}}`
	client := kit.Client(t, testkit.Status(200, body))
	change := func(c *monitoring.Check) error { c.API.Method = "POST"; return nil }
	check, err := client.Checks.Get(t.Context(), "c1")
	require.NoError(t, err)
	require.NoError(t, change(check))
	allocated := func(call func() error) float64 {
		_ = call() // what is found out once about types
		return float64(testkit.Allocated(func() { _ = call() }))
	}
	get := allocated(func() error { return kit.Second(client.Checks.Get(t.Context(), "c1")) })
	for name, c := range map[string]struct {
		call func() error
		most float64 // times what a Get allocates
	}{
		"an edit": {func() error { return kit.Second(client.Checks.Edit(t.Context(), "c1", change)) }, 2.9},
		"an edit that changes nothing": {func() error {
			return kit.Second(client.Checks.Edit(t.Context(), "c1", func(*monitoring.Check) error { return nil }))
		}, 1.9},
		"a plan of the same object": {func() error { return kit.Second(client.Checks.Update(t.Context(), check, monitoring.WithUnchanged())) }, 2.9},
		"an update":                 {func() error { return kit.Second(client.Checks.Update(t.Context(), check)) }, 2.3},
	} {
		times := allocated(c.call) / get
		t.Logf("%s: %.2f", name, times)
		require.Less(t, times, c.most, name)
	}
}

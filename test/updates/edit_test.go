package updates_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const shop = `{"id":7,"name":"Shop","activated":true,"concurrency":3,"tags":["a","b","c"],"localSetupScript":null,
	"environmentVariables":[{"key":"A","value":"s3cret-a","future":"s3cret-f"},{"key":"B","value":"s3cret-b"}],"alertSettings":{"reminders":{"amount":1}}}`

func TestEditReadsChangesAndWritesBack(t *testing.T) {
	_, s, client := groupOf(t, shop)
	g, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error { u.Muted = new(true); return nil })
	require.NoError(t, err)
	require.Equal(t, new(true), g.Muted)
	require.Equal(t, 1, s.updates)
	require.Equal(t, "s3cret-f", s.doc["environmentVariables"].([]any)[0].(map[string]any)["future"])
}

func TestEditSendsNothingIfNothingIsChanged(t *testing.T) {
	for name, edit := range map[string]func(*monitoring.CheckGroupUpdate) error{
		"nothing": func(*monitoring.CheckGroupUpdate) error { return nil },
		"the same": func(u *monitoring.CheckGroupUpdate) error {
			u.Activated, u.Tags = new(true), []string{"a", "b", "c"}
			return nil
		},
		"an absent null": func(u *monitoring.CheckGroupUpdate) error {
			u.LocalSetupScript = monitoring.Nullable[string]{}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, s, client := groupOf(t, shop)
			g, err := client.CheckGroups.Edit(t.Context(), 7, edit)
			require.NoError(t, err)
			require.Equal(t, "Shop", g.Name)
			require.Zero(t, s.updates)
		})
	}
	for name, c := range map[string]struct {
		edit func(*monitoring.CheckGroupUpdate) error
		opts []monitoring.CallOption
	}{
		"a parameter":       {func(u *monitoring.CheckGroupUpdate) error { u.AutoAssignAlerts = new(false); return nil }, nil},
		"a member":          {func(*monitoring.CheckGroupUpdate) error { return nil }, []monitoring.CallOption{monitoring.WithBodyMember("locations", nil)}},
		"a new update":      {func(u *monitoring.CheckGroupUpdate) error { *u = monitoring.CheckGroupUpdate{Name: "Shop"}; return nil }, nil},
		"a list set to nil": {func(u *monitoring.CheckGroupUpdate) error { u.Tags = nil; return nil }, nil},
		"a shorter list":    {func(u *monitoring.CheckGroupUpdate) error { u.Tags = u.Tags[:2]; return nil }, nil},
	} {
		t.Run(name+" is a change", func(t *testing.T) {
			_, s, client := groupOf(t, shop)
			require.NoError(t, kit.Second(client.CheckGroups.Edit(t.Context(), 7, c.edit, c.opts...)))
			require.Equal(t, 1, s.updates)
		})
	}
}

// A snapshot is an older state of the group. What it changes is found by comparing it with the
// present state.
func TestEditRestoresASnapshot(t *testing.T) {
	snapshot, s, client := groupOf(t, shop)
	restore := func(u *monitoring.CheckGroupUpdate) error { *u = snapshot.ToUpdate(); return nil }
	_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error {
		u.Concurrency, u.Tags = new(5), nil
		u.EnvironmentVariables[1].Value = monitoring.NewSecret("s3cret-new")
		return nil
	})
	require.NoError(t, err)
	live, err := client.CheckGroups.Get(t.Context(), 7)
	require.NoError(t, err)
	require.Empty(t, snapshot.ToUpdate().Diff(), "compared with the snapshot itself")
	var lines []string
	for _, c := range snapshot.ToUpdate().DiffFrom(live) {
		lines = append(lines, c.String())
		require.NotContains(t, c.Before+c.After, "s3cret")
	}
	require.ElementsMatch(t, []string{
		"concurrency: 5 -> 3", `tags[0]: added "a"`, `tags[1]: added "b"`, `tags[2]: added "c"`,
		"environmentVariables[1].value (B): a secret is changed",
	}, lines)

	s.updates = 0
	g, err := client.CheckGroups.Edit(t.Context(), 7, restore)
	require.NoError(t, err)
	require.Equal(t, 1, s.updates)
	require.Equal(t, 3, g.Concurrency)
	require.Equal(t, []string{"a", "b", "c"}, g.Tags)
	_, err = client.CheckGroups.Edit(t.Context(), 7, restore)
	require.NoError(t, err)
	require.Equal(t, 1, s.updates, "the group is equal to the snapshot already")
}

func TestEditRefusesInASnapshotWhatItRefusesInTheGroup(t *testing.T) {
	for name, edit := range map[string]func(*monitoring.CheckGroupUpdate, *monitoring.CheckGroup){
		"a member that cannot be unset": func(u *monitoring.CheckGroupUpdate, _ *monitoring.CheckGroup) { u.Muted = nil },
		"a withheld secret": func(u *monitoring.CheckGroupUpdate, g *monitoring.CheckGroup) {
			u.EnvironmentVariables = append(g.ToUpdate().EnvironmentVariables, monitoring.NewEnvironmentVariable("B", "b"))
		},
		"a list with a withheld secret that is unset": func(u *monitoring.CheckGroupUpdate, _ *monitoring.CheckGroup) { u.EnvironmentVariables = nil },
	} {
		snapshot, s, client := groupOf(t, `{"id":7,"name":"Shop","muted":true,"concurrency":3,"environmentVariables":[{"key":"A","value":null,"secret":true}]}`)
		for what, base := range map[string]func(*monitoring.CheckGroupUpdate){
			"the group": func(*monitoring.CheckGroupUpdate) {}, "the snapshot": func(u *monitoring.CheckGroupUpdate) { *u = snapshot.ToUpdate() },
		} {
			_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error {
				base(u)
				edit(u, snapshot)
				return nil
			})
			_, refused := errors.AsType[*monitoring.ValidationError](err)
			require.True(t, refused, "%s in the update of %s: %v", name, what, err)
			require.Zero(t, s.updates)
		}
	}
	g, _, _ := groupOf(t, `{"id":7,"name":"Shop","muted":true}`)
	u := g.ToUpdate()
	u.Muted = nil
	require.Equal(t, []monitoring.Change{{Path: "muted", Before: "true"}}, u.DiffFrom(g))
}

func TestASnapshotOfWhichNothingCanBeWrittenIsNotASuccess(t *testing.T) {
	const list = `[{"key":"A","value":"%s"},{"key":"S","value":null,"secret":true}]`
	group := func(name, value string) string {
		return `{"id":7,"name":"` + name + `","concurrency":3,"environmentVariables":` + fmt.Sprintf(list, value) + `}`
	}
	before, _, _ := groupOf(t, group("Shop", "old"))
	for name, c := range map[string]struct {
		now     string
		refused bool
		updates int
	}{
		"nothing differs": {group("Shop", "old"), false, 0},
		"only a list with a withheld secret differs":      {group("Shop", "new"), true, 0},
		"such a list and a member that is written differ": {group("Store", "new"), false, 1},
	} {
		_, s, client := groupOf(t, c.now)
		_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error {
			*u = before.ToUpdate()
			return nil
		})
		require.Equal(t, c.updates, s.updates, name)
		if !c.refused {
			require.NoError(t, err, name)
			continue
		}
		require.EqualError(t, err, "monitoring: PUT /v2/check-groups/{id}: invalid request, nothing was sent: environmentVariables: is not restored, "+
			"because the service withholds a secret in it: give each a value with NewSecret", name)
	}
}

func TestEditSaysWhyNothingWasSent(t *testing.T) {
	_, s, client := groupOf(t, shop)
	cause := errors.New("not on a Friday")
	_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error { u.Name = "x"; return cause })
	require.ErrorIs(t, err, cause)
	require.EqualError(t, err, "monitoring: edit check group 7: not on a Friday")
	_, err = client.CheckGroups.Edit(t.Context(), 7, nil)
	require.EqualError(t, err, "monitoring: edit check group 7: the function is nil")
	_, err = client.CheckGroups.Edit(t.Context(), 0, func(*monitoring.CheckGroupUpdate) error { panic("the group was not read") })
	kit.ErrAs[*monitoring.ValidationError](t, err)
	_, err = client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error { u.Activated = nil; return nil })
	require.Equal(t, "activated", kit.ErrAs[*monitoring.ValidationError](t, err).Violations[0].Path)
	require.Zero(t, s.updates)
}

func TestASecretAloneIsAChange(t *testing.T) {
	_, s, client := groupOf(t, `{"id":7,"name":"n","environmentVariables":[{"key":"K","value":"old"}]}`)
	for updates, value := range []string{"old", "new"} {
		require.NoError(t, kit.Second(client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error {
			u.EnvironmentVariables[0].Value = monitoring.NewSecret("new")
			u.EnvironmentVariables[0].Value = monitoring.NewSecret(value)
			return nil
		})))
		require.Equal(t, updates, s.updates, value)
	}
}

func TestAnEditSeesAListWithWithheldSecretsAsItWasRead(t *testing.T) {
	const names, defaults = "environmentVariables: would overwrite what the service withholds (TOKEN, PIN)", "apiCheckDefaults.headers: would overwrite what the service withholds (X-Key)"
	for name, c := range map[string]struct {
		edit    func(*monitoring.CheckGroupUpdate)
		refused string // a part of a broken rule
		sent    string // the body; empty if nothing is sent
	}{
		"nothing":         {edit: func(*monitoring.CheckGroupUpdate) {}},
		"the same values": {edit: func(u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables = slices.Clone(u.EnvironmentVariables) }},
		"a loop that changes": {edit: func(u *monitoring.CheckGroupUpdate) {
			eachVariable(u, func(v *monitoring.EnvironmentVariable) { v.Locked = new(true) })
		}, refused: names},
		"a value":            {edit: func(u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables[0].Value = monitoring.NewSecret("new") }, refused: names},
		"one of two secrets": {edit: func(u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables[2].Value = monitoring.NewSecret("p") }, refused: "withholds (TOKEN)"},
		"an empty value": {edit: func(u *monitoring.CheckGroupUpdate) {
			eachVariable(u, func(v *monitoring.EnvironmentVariable) { v.Value = monitoring.NewSecret("") })
		}, refused: names},
		"a variable more": {edit: func(u *monitoring.CheckGroupUpdate) {
			u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.NewEnvironmentVariable("B", "b"))
		}, refused: names},
		"a variable less": {edit: func(u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables = u.EnvironmentVariables[1:] }, refused: names},
		"a secret less":   {edit: func(u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables = u.EnvironmentVariables[:2] }, refused: names},
		"another name":    {edit: func(u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables[1].Key = "OTHER" }, refused: names},
		"another order":   {edit: func(u *monitoring.CheckGroupUpdate) { slices.Reverse(u.EnvironmentVariables) }, refused: names},
		"no list":         {edit: func(u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables = nil }, refused: names},
		"no defaults":     {edit: func(u *monitoring.CheckGroupUpdate) { u.APICheckDefaults = nil }, refused: defaults},
		"an address":      {edit: func(u *monitoring.CheckGroupUpdate) { u.APICheckDefaults.URL = monitoring.Value("u") }, refused: defaults},
		"empty defaults":  {edit: func(u *monitoring.CheckGroupUpdate) { u.APICheckDefaults = &monitoring.APICheckDefaults{} }, refused: "apiCheckDefaults.basicAuth: would overwrite what the service withholds (password)"},
		"another member":  {edit: func(u *monitoring.CheckGroupUpdate) { u.Concurrency = new(9) }, sent: `{"name":"Shop","activated":true,"tags":["a","b"],"concurrency":9}`},
		"an empty list":   {edit: func(u *monitoring.CheckGroupUpdate) { u.EnvironmentVariables = []monitoring.EnvironmentVariable{} }, sent: `{"name":"Shop","activated":true,"tags":["a","b"],"concurrency":3,"environmentVariables":[]}`},
		"each secret is set": {edit: func(u *monitoring.CheckGroupUpdate) {
			eachVariable(u, func(v *monitoring.EnvironmentVariable) { v.Value = monitoring.NewSecret("x") })
		},
			sent: `{"name":"Shop","activated":true,"tags":["a","b"],"concurrency":3,"environmentVariables":[{"key":"A","value":"x"},{"key":"TOKEN","value":"x","secret":true},{"key":"PIN","value":"x","secret":true}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, s, client := groupOf(t, withheldGroup)
			var hidden []byte
			_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroupUpdate) error {
				require.Len(t, u.EnvironmentVariables, 3)
				require.Equal(t, monitoring.NewEnvironmentVariable("A", "a"), u.EnvironmentVariables[0])
				require.True(t, u.EnvironmentVariables[1].Value.IsWithheld())
				auth, _ := u.APICheckDefaults.BasicAuth.Get()
				require.Equal(t, "u", auth.Username)
				c.edit(u)
				var err error
				hidden, err = json.Marshal(u)
				return err
			}, monitoring.WithoutValidation())
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				kit.ErrAs[*monitoring.ValidationError](t, err)
				require.Zero(t, s.updates)
				return
			}
			require.NoError(t, err)
			if c.sent == "" {
				require.Zero(t, s.updates)
				return
			}
			require.JSONEq(t, c.sent, s.body)
			sent, shown := kit.ParseJSON(t, s.body).(map[string]any), kit.ParseJSON(t, string(hidden)).(map[string]any)
			require.ElementsMatch(t, slices.Collect(maps.Keys(sent)), slices.Collect(maps.Keys(shown)), "json.Marshal has the members that are sent")
		})
	}
}

func eachVariable(u *monitoring.CheckGroupUpdate, f func(*monitoring.EnvironmentVariable)) {
	for i := range u.EnvironmentVariables {
		f(&u.EnvironmentVariables[i])
	}
}

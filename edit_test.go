package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

const shop = `{"id":7,"name":"Shop","activated":true,"concurrency":3,"tags":["a","b","c"],"localSetupScript":null,
	"environmentVariables":[{"key":"A","value":"s3cret-a","future":"s3cret-f"},{"key":"B","value":"s3cret-b"}],"alertSettings":{"reminders":{"amount":1}}}`

func TestEditReadsChangesAndWritesBack(t *testing.T) {
	_, s, client := groupOf(t, shop)
	g, err := client.CheckGroups.Edit(t.Context(), 7, func(u *CheckGroupUpdate) error { u.Muted = new(true); return nil })
	require.NoError(t, err)
	require.Equal(t, new(true), g.Muted)
	require.Equal(t, 1, s.updates)
	require.Equal(t, "s3cret-f", s.doc["environmentVariables"].([]any)[0].(map[string]any)["future"])
}

func TestEditSendsNothingIfNothingIsChanged(t *testing.T) {
	for name, edit := range map[string]func(*CheckGroupUpdate) error{
		"nothing":        func(*CheckGroupUpdate) error { return nil },
		"the same":       func(u *CheckGroupUpdate) error { u.Activated, u.Tags = new(true), []string{"a", "b", "c"}; return nil },
		"an absent null": func(u *CheckGroupUpdate) error { u.LocalSetupScript = Nullable[string]{}; return nil },
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
		edit func(*CheckGroupUpdate) error
		opts []CallOption
	}{
		"a parameter":       {func(u *CheckGroupUpdate) error { u.AutoAssignAlerts = new(false); return nil }, nil},
		"a member":          {func(*CheckGroupUpdate) error { return nil }, []CallOption{WithBodyMember("locations", nil)}},
		"a new update":      {func(u *CheckGroupUpdate) error { *u = CheckGroupUpdate{Name: "Shop"}; return nil }, nil},
		"a list set to nil": {func(u *CheckGroupUpdate) error { u.Tags = nil; return nil }, nil},
		"a shorter list":    {func(u *CheckGroupUpdate) error { u.Tags = u.Tags[:2]; return nil }, nil},
	} {
		t.Run(name+" is a change", func(t *testing.T) {
			_, s, client := groupOf(t, shop)
			require.NoError(t, second(client.CheckGroups.Edit(t.Context(), 7, c.edit, c.opts...)))
			require.Equal(t, 1, s.updates)
		})
	}
}

// A snapshot is an older state of the group. What it changes is found by comparing it with the
// present state.
func TestEditRestoresASnapshot(t *testing.T) {
	snapshot, s, client := groupOf(t, shop)
	restore := func(u *CheckGroupUpdate) error { *u = snapshot.ToUpdate(); return nil }
	_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *CheckGroupUpdate) error {
		u.Concurrency, u.Tags = new(5), nil
		u.EnvironmentVariables[1].Value = NewSecret("s3cret-new")
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

func TestDiffFromComparesAnUpdateWithAnyObject(t *testing.T) {
	g, _, _ := groupOf(t, shop)
	own := CheckGroupUpdate{Name: "Shop", Muted: new(true)}
	require.Equal(t, []Change{{Path: "muted", After: "true"}}, own.DiffFrom(g))
	require.Equal(t, []Change{{Path: "name", After: `"Shop"`}, {Path: "muted", After: "true"}}, own.DiffFrom(nil))
	require.Empty(t, CheckGroupUpdate{Name: "Shop"}.DiffFrom(&CheckGroup{Name: "Shop"}), "a group that was not read is compared by its fields")

	c, _, _ := browserOf(t, withheldBrowser)
	require.Empty(t, c.ToUpdate().DiffFrom(c))
	u := c.ToUpdate()
	u.EnvironmentVariables = slices.Clone(c.EnvironmentVariables)
	for i := range u.EnvironmentVariables {
		u.EnvironmentVariables[i].Value = NewSecret("s3cret")
	}
	changes := u.DiffFrom(c)
	require.NotEmpty(t, changes)
	for _, change := range changes {
		require.True(t, change.Secret)
		require.NotContains(t, change.Before+change.After, "s3cret")
	}
	require.Contains(t, fmt.Sprint(changes), ": a withheld secret is set")
}

func TestEditRefusesInASnapshotWhatItRefusesInTheGroup(t *testing.T) {
	for name, edit := range map[string]func(*CheckGroupUpdate, *CheckGroup){
		"a member that cannot be unset": func(u *CheckGroupUpdate, _ *CheckGroup) { u.Muted = nil },
		"a withheld secret": func(u *CheckGroupUpdate, g *CheckGroup) {
			u.EnvironmentVariables = append(g.ToUpdate().EnvironmentVariables, NewEnvironmentVariable("B", "b"))
		},
		"a list with a withheld secret that is unset": func(u *CheckGroupUpdate, _ *CheckGroup) { u.EnvironmentVariables = nil },
	} {
		snapshot, s, client := groupOf(t, `{"id":7,"name":"Shop","muted":true,"concurrency":3,"environmentVariables":[{"key":"A","value":null,"secret":true}]}`)
		for what, base := range map[string]func(*CheckGroupUpdate){
			"the group": func(*CheckGroupUpdate) {}, "the snapshot": func(u *CheckGroupUpdate) { *u = snapshot.ToUpdate() },
		} {
			_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *CheckGroupUpdate) error {
				base(u)
				edit(u, snapshot)
				return nil
			})
			_, refused := errors.AsType[*ValidationError](err)
			require.True(t, refused, "%s in the update of %s: %v", name, what, err)
			require.Zero(t, s.updates)
		}
	}
	g, _, _ := groupOf(t, `{"id":7,"name":"Shop","muted":true}`)
	u := g.ToUpdate()
	u.Muted = nil
	require.Equal(t, []Change{{Path: "muted", Before: "true"}}, u.DiffFrom(g))
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
		_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *CheckGroupUpdate) error {
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

// Only members that the description of the body has are shown: an unknown member may be a secret.
func TestADiffDoesNotShowUnknownMembers(t *testing.T) {
	g, _, _ := groupOf(t, `{"id":7,"name":"Shop","alertChannelSubscriptions":[{"alertChannelId":1,"activated":true,"key":"s3cret"}],"alertSettings":{"newThing":null}}`)
	u := g.ToUpdate()
	u.AlertChannelSubscriptions[0].Activated = false
	require.Equal(t, "[alertChannelSubscriptions[0].activated: true -> false]", fmt.Sprint(u.Diff()))
	later, _, _ := groupOf(t, `{"id":7,"name":"Shop","alertSettings":{"newThing":5}}`)
	require.Contains(t, fmt.Sprint(later.ToUpdate().DiffFrom(g)), "alertSettings.newThing: a secret is changed", "an unknown member is treated as a secret, but it is not withheld")
}

func TestEditSaysWhyNothingWasSent(t *testing.T) {
	_, s, client := groupOf(t, shop)
	cause := errors.New("not on a Friday")
	_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *CheckGroupUpdate) error { u.Name = "x"; return cause })
	require.ErrorIs(t, err, cause)
	require.EqualError(t, err, "monitoring: edit check group 7: not on a Friday")
	_, err = client.CheckGroups.Edit(t.Context(), 7, nil)
	require.EqualError(t, err, "monitoring: edit check group 7: the function is nil")
	_, err = client.CheckGroups.Edit(t.Context(), 0, func(*CheckGroupUpdate) error { panic("the group was not read") })
	errAs[*ValidationError](t, err)
	_, err = client.CheckGroups.Edit(t.Context(), 7, func(u *CheckGroupUpdate) error { u.Activated = nil; return nil })
	require.Equal(t, "activated", errAs[*ValidationError](t, err).Violations[0].Path)
	require.Zero(t, s.updates)
}

func TestTheDiffOfAnUpdateHasEachChange(t *testing.T) {
	tests := map[string]struct {
		edit func(*CheckGroupUpdate)
		want []string
	}{
		"nothing": {func(*CheckGroupUpdate) {}, nil},
		"scalars and null": {func(u *CheckGroupUpdate) { u.Name, u.Muted, u.Concurrency = "New", new(true), new(5) },
			[]string{`name: "Shop" -> "New"`, `muted: added true`, `concurrency: 3 -> 5`}},
		"null":                   {func(u *CheckGroupUpdate) { u.AlertSettings = Null[AlertSettings]() }, []string{`alertSettings: {"reminders":{"amount":1}} -> null`}},
		"a nested member":        {func(u *CheckGroupUpdate) { s, _ := u.AlertSettings.Get(); s.Reminders.Amount = new(2) }, []string{"alertSettings.reminders.amount: 1 -> 2"}},
		"an item in the middle":  {func(u *CheckGroupUpdate) { u.Tags = []string{"a", "c"} }, []string{`tags[1]: removed "b"`}},
		"an item at the front":   {func(u *CheckGroupUpdate) { u.Tags = []string{"x", "a", "b", "c"} }, []string{`tags[0]: added "x"`}},
		"a list that is cleared": {func(u *CheckGroupUpdate) { u.Tags = nil }, []string{`tags[0]: removed "a"`, `tags[1]: removed "b"`, `tags[2]: removed "c"`}},
		"a secret":               {func(u *CheckGroupUpdate) { u.EnvironmentVariables[1].Value = NewSecret("s3cret-x") }, []string{"environmentVariables[1].value (B): a secret is changed"}},
		"a variable that is added": {func(u *CheckGroupUpdate) {
			u.EnvironmentVariables = append(u.EnvironmentVariables, NewEnvironmentVariable("C", "s3cret-c"))
		}, []string{`environmentVariables[2]: added {"key":"C","value":"[redacted]"}`}},
		"a variable that loses an unknown member": {func(u *CheckGroupUpdate) {
			u.EnvironmentVariables = []EnvironmentVariable{NewEnvironmentVariable("A", "s3cret-a"), u.EnvironmentVariables[1]}
		}, []string{"environmentVariables[0].future (A): removed [redacted]"}},
		"what cannot be unset": {func(u *CheckGroupUpdate) { u.Activated = nil }, []string{"activated: removed true"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g, _, _ := groupOf(t, shop)
			u := g.ToUpdate()
			tt.edit(&u)
			var lines []string
			for _, c := range u.Diff() {
				lines = append(lines, c.String())
				require.NotContains(t, c.Before+c.After+c.Path, "s3cret")
			}
			require.Equal(t, tt.want, lines)
		})
	}
	u := CheckGroupUpdate{Name: "n", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("K", "s3cret")}}
	require.Equal(t, []Change{{Path: "name", After: `"n"`}, {Path: "environmentVariables", After: `[{"key":"K","value":"[redacted]"}]`}}, u.Diff(), "a new update has only additions")
	c, _, _ := browserOf(t, withheldBrowser)
	b := c.ToUpdate()
	b.GroupID = Nullable[int64]{}
	require.Equal(t, []Change{{Path: "groupId", Before: "3", After: "null"}}, b.Diff())
}

func TestASecretAloneIsAChange(t *testing.T) {
	var g CheckGroup
	require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"n","environmentVariables":[{"key":"K","value":"old"}]}`), &g))
	u := g.ToUpdate()
	require.False(t, changes(&u, &g))
	u.EnvironmentVariables[0].Value = NewSecret("new")
	require.True(t, changes(&u, &g))
	u.EnvironmentVariables[0].Value = NewSecret("old")
	require.False(t, changes(&u, &g))
}

func TestAnEditSeesAListWithWithheldSecretsAsItWasRead(t *testing.T) {
	const names, defaults = "environmentVariables: would overwrite what the service withholds (TOKEN, PIN)", "apiCheckDefaults.headers: would overwrite what the service withholds (X-Key)"
	for name, c := range map[string]struct {
		edit    func(*CheckGroupUpdate)
		refused string // a part of a broken rule
		sent    string // the body; empty if nothing is sent
	}{
		"nothing":             {edit: func(*CheckGroupUpdate) {}},
		"the same values":     {edit: func(u *CheckGroupUpdate) { u.EnvironmentVariables = slices.Clone(u.EnvironmentVariables) }},
		"a loop that changes": {edit: func(u *CheckGroupUpdate) { eachVariable(u, func(v *EnvironmentVariable) { v.Locked = new(true) }) }, refused: names},
		"a value":             {edit: func(u *CheckGroupUpdate) { u.EnvironmentVariables[0].Value = NewSecret("new") }, refused: names},
		"one of two secrets":  {edit: func(u *CheckGroupUpdate) { u.EnvironmentVariables[2].Value = NewSecret("p") }, refused: "withholds (TOKEN)"},
		"an empty value":      {edit: func(u *CheckGroupUpdate) { eachVariable(u, func(v *EnvironmentVariable) { v.Value = NewSecret("") }) }, refused: names},
		"a variable more": {edit: func(u *CheckGroupUpdate) {
			u.EnvironmentVariables = append(u.EnvironmentVariables, NewEnvironmentVariable("B", "b"))
		}, refused: names},
		"a variable less": {edit: func(u *CheckGroupUpdate) { u.EnvironmentVariables = u.EnvironmentVariables[1:] }, refused: names},
		"a secret less":   {edit: func(u *CheckGroupUpdate) { u.EnvironmentVariables = u.EnvironmentVariables[:2] }, refused: names},
		"another name":    {edit: func(u *CheckGroupUpdate) { u.EnvironmentVariables[1].Key = "OTHER" }, refused: names},
		"another order":   {edit: func(u *CheckGroupUpdate) { slices.Reverse(u.EnvironmentVariables) }, refused: names},
		"no list":         {edit: func(u *CheckGroupUpdate) { u.EnvironmentVariables = nil }, refused: names},
		"no defaults":     {edit: func(u *CheckGroupUpdate) { u.APICheckDefaults = nil }, refused: defaults},
		"an address":      {edit: func(u *CheckGroupUpdate) { u.APICheckDefaults.URL = Value("u") }, refused: defaults},
		"empty defaults":  {edit: func(u *CheckGroupUpdate) { u.APICheckDefaults = &APICheckDefaults{} }, refused: "apiCheckDefaults.basicAuth: would overwrite what the service withholds (password)"},
		"another member":  {edit: func(u *CheckGroupUpdate) { u.Concurrency = new(9) }, sent: `{"name":"Shop","activated":true,"tags":["a","b"],"concurrency":9}`},
		"an empty list":   {edit: func(u *CheckGroupUpdate) { u.EnvironmentVariables = []EnvironmentVariable{} }, sent: `{"name":"Shop","activated":true,"tags":["a","b"],"concurrency":3,"environmentVariables":[]}`},
		"each secret is set": {edit: func(u *CheckGroupUpdate) { eachVariable(u, func(v *EnvironmentVariable) { v.Value = NewSecret("x") }) },
			sent: `{"name":"Shop","activated":true,"tags":["a","b"],"concurrency":3,"environmentVariables":[{"key":"A","value":"x"},{"key":"TOKEN","value":"x","secret":true},{"key":"PIN","value":"x","secret":true}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			_, s, client := groupOf(t, withheldGroup)
			var hidden []byte
			_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *CheckGroupUpdate) error {
				require.Len(t, u.EnvironmentVariables, 3)
				require.Equal(t, NewEnvironmentVariable("A", "a"), u.EnvironmentVariables[0])
				require.True(t, u.EnvironmentVariables[1].Value.IsWithheld())
				require.Equal(t, "u", u.APICheckDefaults.BasicAuth.value.Username)
				c.edit(u)
				var err error
				hidden, err = json.Marshal(u)
				return err
			}, WithoutValidation())
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				errAs[*ValidationError](t, err)
				require.Zero(t, s.updates)
				return
			}
			require.NoError(t, err)
			if c.sent == "" {
				require.Zero(t, s.updates)
				return
			}
			require.JSONEq(t, c.sent, s.body)
			sent, shown := parse([]byte(s.body)).(map[string]any), parse(hidden).(map[string]any)
			require.ElementsMatch(t, slices.Collect(maps.Keys(sent)), slices.Collect(maps.Keys(shown)), "json.Marshal has the members that are sent")
		})
	}
}

func eachVariable(u *CheckGroupUpdate, f func(*EnvironmentVariable)) {
	for i := range u.EnvironmentVariables {
		f(&u.EnvironmentVariables[i])
	}
}

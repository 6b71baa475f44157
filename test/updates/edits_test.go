package updates_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// editable has the fields that the edits change, of a response or of an update made from it.
type editable struct {
	name          func(string)
	muted         **bool
	tags          *[]string
	variables     *[]monitoring.EnvironmentVariable
	subscriptions *[]monitoring.AlertChannelSubscription
	settings      func() *monitoring.AlertSettings
	setSettings   func(*monitoring.AlertSettings)
	retry         func() *monitoring.RetryStrategy
	setRetry      func(*monitoring.RetryStrategy)
	text          string // a nullable text
	setText       func(*string)
	defaults      *monitoring.APICheckDefaults // nil if they are left out, and for browser checks
}

func pointerOf[T any](n monitoring.Nullable[T]) *T {
	if v, ok := n.Get(); ok {
		return &v
	}
	return nil
}

// nullableEdit returns the Nullable of a pointer. For nil it is null or absent, at random.
func nullableEdit[T any](p *T, r *rand.Rand) monitoring.Nullable[T] {
	if p != nil {
		return monitoring.Value(*p)
	}
	if r.IntN(2) == 0 {
		return monitoring.Nullable[T]{}
	}
	return monitoring.Null[T]()
}

func editableGroup(g *monitoring.CheckGroup) editable {
	return editable{
		func(s string) { g.Name = s }, &g.Muted, &g.Tags, &g.EnvironmentVariables, &g.AlertChannelSubscriptions,
		func() *monitoring.AlertSettings { return g.AlertSettings }, func(s *monitoring.AlertSettings) { g.AlertSettings = s },
		func() *monitoring.RetryStrategy { return g.RetryStrategy }, func(s *monitoring.RetryStrategy) { g.RetryStrategy = s },
		"localSetupScript", func(s *string) { g.LocalSetupScript = s }, &g.APICheckDefaults,
	}
}

func editableGroupUpdate(u *monitoring.CheckGroupUpdate, r *rand.Rand) editable {
	return editable{
		func(s string) { u.Name = s }, &u.Muted, &u.Tags, &u.EnvironmentVariables, &u.AlertChannelSubscriptions,
		func() *monitoring.AlertSettings { return pointerOf(u.AlertSettings) }, func(s *monitoring.AlertSettings) { u.AlertSettings = nullableEdit(s, r) },
		func() *monitoring.RetryStrategy { return pointerOf(u.RetryStrategy) }, func(s *monitoring.RetryStrategy) { u.RetryStrategy = nullableEdit(s, r) },
		"localSetupScript", func(s *string) { u.LocalSetupScript = nullableEdit(s, r) }, u.APICheckDefaults,
	}
}

func editableBrowser(c *monitoring.BrowserCheck) editable {
	return editable{
		func(s string) { c.Name = s }, &c.Muted, &c.Tags, &c.EnvironmentVariables, &c.AlertChannelSubscriptions,
		func() *monitoring.AlertSettings { return c.AlertSettings }, func(s *monitoring.AlertSettings) { c.AlertSettings = s },
		func() *monitoring.RetryStrategy { return c.RetryStrategy }, func(s *monitoring.RetryStrategy) { c.RetryStrategy = s },
		"description", func(s *string) { c.Description = s }, nil,
	}
}

func editableBrowserUpdate(u *monitoring.BrowserCheckUpdate, r *rand.Rand) editable {
	return editable{
		func(s string) { u.Name = &s }, &u.Muted, &u.Tags, &u.EnvironmentVariables, &u.AlertChannelSubscriptions,
		func() *monitoring.AlertSettings { return u.AlertSettings }, func(s *monitoring.AlertSettings) { u.AlertSettings = s },
		func() *monitoring.RetryStrategy { return pointerOf(u.RetryStrategy) }, func(s *monitoring.RetryStrategy) { u.RetryStrategy = nullableEdit(s, r) },
		"description", func(s *string) { u.Description = nullableEdit(s, r) }, nil,
	}
}

// listEdit changes a list and its JSON in the same way.
func listEdit[T any](d *documents, typed *[]T, doc, read map[string]any, member string, item T, itemJSON map[string]any) {
	items, _ := doc[member].([]any)
	if len(items) != len(*typed) {
		panic(fmt.Sprintf("%s: %d items and %d", member, len(items), len(*typed)))
	}
	switch d.IntN(5) {
	case 0:
		*typed, items = append(*typed, item), append(items, any(itemJSON))
	case 1:
		slices.Reverse(*typed)
		slices.Reverse(items)
		if len(items) == 0 {
			return
		}
	case 2:
		if len(items) == 0 {
			return
		}
		i := d.IntN(len(items))
		*typed, items = slices.Delete(*typed, i, i+1), slices.Delete(items, i, i+1)
	case 3:
		*typed, items = nil, nil
		if had, _ := read[member].([]any); len(had) == 0 { // a nil list was read as nil
			delete(doc, member)
			if was, ok := read[member]; ok {
				doc[member] = was
			}
			return
		}
	case 4:
		*typed, items = []T{}, nil
	}
	if items == nil {
		items = []any{}
	}
	doc[member] = items
}

// edits are the possible changes. Each changes a value and its JSON in the same way.
var edits = map[string]func(d *documents, e editable, doc map[string]any){
	"a new name": func(d *documents, e editable, doc map[string]any) { e.name("new"); doc["name"] = "new" },
	"a switch": func(d *documents, e editable, doc map[string]any) {
		on := d.chance(50)
		*e.muted, doc["muted"] = &on, on
	},
	"a nullable text": func(d *documents, e editable, doc map[string]any) {
		if _, was := d.read[e.text]; was && d.chance(50) {
			e.setText(nil)
			doc[e.text] = nil
			return
		}
		e.setText(new("text"))
		doc[e.text] = "text"
	},
	"tags": func(d *documents, e editable, doc map[string]any) {
		*e.tags = append(*e.tags, "t")
		items, _ := doc["tags"].([]any)
		doc["tags"] = append(items, "t")
	},
	"subscriptions": func(d *documents, e editable, doc map[string]any) {
		listEdit(d, e.subscriptions, doc, d.read, "alertChannelSubscriptions", monitoring.AlertChannelSubscription{AlertChannelID: 5}, map[string]any{"alertChannelId": json.Number("5"), "activated": false})
	},
	"variables": func(d *documents, e editable, doc map[string]any) {
		listEdit(d, e.variables, doc, d.read, "environmentVariables", monitoring.NewEnvironmentVariable("K", "v"), map[string]any{"key": "K", "value": "v"})
	},
	"the value of a variable": func(d *documents, e editable, doc map[string]any) {
		if len(*e.variables) > 0 {
			i := d.IntN(len(*e.variables))
			(*e.variables)[i].Value = monitoring.NewSecret("changed")
			doc["environmentVariables"].([]any)[i].(map[string]any)["value"] = "changed"
		}
	},
	"a reminder": func(d *documents, e editable, doc map[string]any) {
		s := e.settings()
		if s == nil || s.Reminders == nil {
			return
		}
		amount := 2
		if s.Reminders.Amount != nil && *s.Reminders.Amount == 2 {
			amount = 3 // 2.5 is read as 2, so setting 2 would change nothing
		}
		s.Reminders.Amount = &amount
		e.setSettings(s)
		doc["alertSettings"].(map[string]any)["reminders"].(map[string]any)["amount"] = json.Number(fmt.Sprint(amount))
	},
	"no reminders": func(d *documents, e editable, doc map[string]any) {
		s := e.settings()
		if s == nil || s.Reminders == nil {
			return
		}
		s.Reminders = nil
		e.setSettings(s)
		delete(doc["alertSettings"].(map[string]any), "reminders")
	},
	"new settings": func(d *documents, e editable, doc map[string]any) {
		e.setSettings(&monitoring.AlertSettings{EscalationType: monitoring.EscalationTimeBased})
		doc["alertSettings"] = map[string]any{"escalationType": "TIME_BASED"}
	},
	"retries": func(d *documents, e editable, doc map[string]any) {
		s := e.retry()
		if s == nil || s.Type == monitoring.RetryStrategyFallback {
			return
		}
		s.Type, s.MaxRetries, s.MaxDurationSeconds = monitoring.RetryStrategyLinear, new(7), nil
		e.setRetry(s)
		object := doc["retryStrategy"].(map[string]any)
		object["type"], object["maxRetries"] = "LINEAR", json.Number("7")
		if object["maxDurationSeconds"] != nil {
			delete(object, "maxDurationSeconds")
		}
	},
	"no retries": func(d *documents, e editable, doc map[string]any) {
		if _, was := d.read["retryStrategy"]; was {
			e.setRetry(nil)
			doc["retryStrategy"] = nil
		}
	},
	"headers": func(d *documents, e editable, doc map[string]any) {
		if defaults, ok := doc["apiCheckDefaults"].(map[string]any); ok && e.defaults != nil {
			read, _ := d.read["apiCheckDefaults"].(map[string]any)
			listEdit(d, &e.defaults.Headers, defaults, read, "headers", monitoring.KeyValue{Key: "H", Value: monitoring.NewSecret("h")}, map[string]any{"key": "H", "value": "h"})
			if had, _ := read["headers"].([]any); e.defaults.Headers == nil && had != nil {
				delete(defaults, "headers") // inside an object that is sent, nil is absent
			}
		}
	},
	"an address and an assertion": func(d *documents, e editable, doc map[string]any) {
		if defaults, ok := doc["apiCheckDefaults"].(map[string]any); ok && e.defaults != nil {
			e.defaults.URL, defaults["url"] = monitoring.Value("u"), "u"
			if len(e.defaults.Assertions) > 0 {
				e.defaults.Assertions[0].Target = new("9")
				defaults["assertions"].([]any)[0].(map[string]any)["target"] = "9"
			}
		}
	},
}

func editNames() []string {
	var names []string
	for name := range edits {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// TestOnlyEditedMembersChange makes random edits, before ToUpdate and after it. It compares the
// server's object at the end with the result of the same edits of its JSON.
func TestOnlyEditedMembersChange(t *testing.T) {
	t.Parallel()
	names := editNames()
	eachSeed(t, 1000, func(t *testing.T, d *documents) {
		for _, s := range []*service{groupServer(d), browserServer(d)} {
			isGroup := s.node.Member("concurrency") != nil
			s.replace = isGroup && d.chance(50)
			want := copyOf(s.doc).(map[string]any)
			d.read = s.doc
			client := s.client(t)
			var done []string
			change := func(e editable) {
				for range d.IntN(4) {
					done = append(done, names[d.IntN(len(names))])
					edits[done[len(done)-1]](d, e, want)
				}
			}
			var err error
			var diff []monitoring.Change
			if isGroup {
				g := s.readGroup(t, client)
				change(editableGroup(g))
				u := g.ToUpdate()
				change(editableGroupUpdate(&u, d.Rand))
				diff = u.Diff()
				_, err = client.CheckGroups.Update(t.Context(), 7, u, monitoring.WithoutValidation())
			} else {
				c := s.readBrowser(t, client)
				change(editableBrowser(c))
				u := c.ToUpdate()
				change(editableBrowserUpdate(&u, d.Rand))
				diff = u.Diff()
				_, err = client.Checks.UpdateBrowser(t.Context(), kit.UUID1, u, monitoring.WithoutValidation())
			}
			require.NoError(t, err, "%q on %v", done, s.doc)
			require.Equal(t, s.expected(want), s.expected(s.doc), "%q sent %s", done, s.body)
			if len(done) == 0 {
				require.Empty(t, diff)
			}
		}
	})
}

// TestNoEditLosesAWithheldSecret makes random edits of members with withheld secrets. Each
// update must be refused, leave out the member, give each secret a value, or clear the list.
func TestNoEditLosesAWithheldSecret(t *testing.T) {
	t.Parallel()
	names := editNames()
	refusals, sent := 0, 0
	eachSeed(t, 1000, func(t *testing.T, d *documents) {
		s := groupServer(d)
		s.withhold = true
		before, held := copyOf(s.doc).(map[string]any), s.withheldMembers()
		want := copyOf(s.doc).(map[string]any)
		d.read = s.doc
		client := s.client(t)
		g := s.readGroup(t, client)
		for range d.IntN(3) {
			edits[names[d.IntN(len(names))]](d, editableGroup(g), want)
		}
		u := g.ToUpdate()
		switch d.IntN(6) {
		case 0:
			u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.NewEnvironmentVariable("K", "v"))
		case 1:
			u.APICheckDefaults = &g.APICheckDefaults
		case 2:
			u.EnvironmentVariables = g.EnvironmentVariables
		}
		_, err := client.CheckGroups.Update(t.Context(), 7, u, monitoring.WithoutValidation())
		if err != nil {
			refusals++
			require.NotEmpty(t, held)
			kit.ErrAs[*monitoring.ValidationError](t, err)
			require.Zero(t, s.updates)
			return
		}
		sent++
		secrets := make(map[string]any)
		eachSecret(s.doc, func(holder map[string]any, member string) {
			secrets[fmt.Sprint(holder["key"], holder["username"], member)] = holder[member]
		})
		for _, member := range held {
			items, _ := s.doc[member].([]any)
			if string(text(before[member])) == string(text(s.doc[member])) || s.doc[member] != nil && items != nil && len(items) == 0 {
				continue
			}
			eachSecret(map[string]any{member: before[member]}, func(holder map[string]any, name string) {
				if name == "value" {
					require.NotNil(t, secrets[fmt.Sprint(holder["key"], holder["username"], name)], "%s of %s: %s", holder["key"], member, s.body)
				}
			})
		}
		eachSecret(s.doc, func(holder map[string]any, member string) { require.NotNil(t, holder[member], s.body) })
	})
	require.Greater(t, refusals, testkit.Rounds(20))
	require.Greater(t, sent, testkit.Rounds(300))
}

func TestAnUpdateWithoutEditsChangesNothingOnAnyServer(t *testing.T) {
	t.Parallel()
	eachSeed(t, 600, func(t *testing.T, d *documents) {
		for _, s := range []*service{groupServer(d), browserServer(d)} {
			isGroup := s.node.Member("concurrency") != nil
			s.withhold = d.chance(50)
			s.replace = isGroup && len(s.withheldMembers()) == 0 && d.chance(50)
			before := copyOf(s.doc).(map[string]any)
			client := s.client(t)
			var left []string
			if isGroup {
				u := s.readGroup(t, client).ToUpdate()
				require.NoError(t, u.Validate(), "%v", s.doc)
				require.Empty(t, u.Diff())
				_, err := client.CheckGroups.Update(t.Context(), 7, u)
				require.NoError(t, err)
				left = u.Withheld()
			} else {
				u := s.readBrowser(t, client).ToUpdate()
				require.NoError(t, u.Validate(), "%v", s.doc)
				require.Empty(t, u.Diff())
				_, err := client.Checks.UpdateBrowser(t.Context(), kit.UUID1, u)
				require.NoError(t, err)
				left = u.Withheld()
			}
			require.Equal(t, 1, s.updates)
			held := s.withheldMembers()
			slices.Sort(left[:min(len(held), len(left))])
			for _, name := range slices.Sorted(maps.Keys(before)) {
				if strings.HasPrefix(name, "future") {
					held = append(held, name)
				}
			}
			require.Equal(t, held, left, "the secrets, then the unknown members")
			require.Equal(t, s.expected(before), s.expected(s.doc), "sent %s", s.body)
			for name := range kit.ParseJSON(t, s.body).(map[string]any) {
				require.NotNil(t, s.node.Member(name), "%s is not a member of an update, but was sent", name)
				require.False(t, strings.HasPrefix(name, "future"))
				_, was := before[name]
				require.True(t, was, "%s was absent, but was sent", name)
			}
		}
	})
}

package updates_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// An edit sends something exactly if its difference has a line, and what it sends without a line is
// sent as it was read.
func anEditSendsWhatItsDifferenceSays(t *testing.T, d *documents, k kind, s *service) {
	s.withhold = d.chance(30)
	if d.chance(50) {
		s.doc = withSetsAndDefaults(d, s.node, s.doc).(map[string]any)
	}
	read := s.view()
	s.spell = func(doc any) []byte {
		if s.updates == 0 {
			return read
		}
		return text(doc)
	}
	source := d.other()
	from := source.document(s.node)
	if d.chance(50) { // the same, as another one would write it
		from = withSetsAndDefaults(d, s.node, copyOf(s.doc)).(map[string]any)
	}
	var lines []monitoring.Change
	err := k.edit(t, s.client(t), kit.UUID1, func(u update) error {
		mix(d, u, updateOf(k.read(t, d.spell(from))), copyOf(s.doc), from, s.node)
		lines = u.Diff()
		return nil
	})
	if err != nil {
		require.Zero(t, s.updates, "%v\nread %s\nsent %s", err, read, s.body)
		return
	}
	require.Equal(t, len(lines) > 0, s.updates == 1, "%v\nread %s\nsent %s", linesOf(lines), read, s.body)
	unnamedIsAsRead(t, lines, "", read, []byte(s.body))
}

// unnamedIsAsRead requires that what is sent without a line is spelled as it was read, also inside
// of members that have lines: there what is set counts, if it is written in another way than what
// was read and means the same. An object that gets another type is another object, and the config
// of a channel is one value.
func unnamedIsAsRead(t *testing.T, lines []monitoring.Change, path string, read, sent []byte) {
	if !rawjson.Equal(rawjson.Get(read, "type"), rawjson.Get(sent, "type")) {
		return
	}
	for name, value := range rawjson.Each(sent) {
		at := rawjson.Step{Name: string(name), Index: -1}.After(path)
		was := rawjson.Get(read, string(name))
		switch {
		case was == nil:
		case path != "" && !rawjson.Equal(was, value) && (rawjson.Kind(was) != '{' || rawjson.Kind(value) != '{'):
		case (path == "" || rawjson.Equal(was, value)) && !slices.ContainsFunc(lines, func(c monitoring.Change) bool { return rawjson.IsUnder(c.Path, at) }):
			require.Equal(t, string(rawjson.Compact(was)), string(value), "%s of %s\nread %s", at, sent, read)
		case rawjson.Kind(was) == '{' && rawjson.Kind(value) == '{' && at != "config":
			unnamedIsAsRead(t, lines, at, was, value)
		}
	}
}

// withSetsAndDefaults returns a value that means the same: sets in another order, and inside of
// members some defaults more or less.
func withSetsAndDefaults(d *documents, n *schema.Node, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) { // the same each time for a seed
			if m := n.Member(name); m != nil {
				v[name] = withSetsAndDefaults(d, m.Node, v[name])
			}
		}
		for _, m := range n.Members {
			if m.Node.Default != "" && v[m.Name] == nil && d.chance(30) && !m.Node.Secret {
				v[m.Name] = rawDefault(m.Node.Default)
			}
		}
	case []any:
		for i := range v {
			v[i] = withSetsAndDefaults(d, n.Items, v[i])
		}
		if n.Set {
			d.Shuffle(len(v), func(i, j int) { v[i], v[j] = v[j], v[i] })
			if len(v) > 0 && d.chance(30) {
				v = append(v, v[0])
			}
		}
		return v
	}
	return value
}

func rawDefault(text string) any {
	object, err := object([]byte(`{"v":` + text + `}`))
	if err != nil {
		panic(err)
	}
	return object["v"]
}

func TestAnEditSendsWhatItsDifferenceSays(t *testing.T) {
	rounds := uint64(testkit.Rounds(testkit.Size(50, 10_000/len(kinds))))
	const parts = 4 // which run at the same time
	for part := range uint64(parts) {
		t.Run(fmt.Sprint("part ", part), func(t *testing.T) {
			t.Parallel()
			for seed := part; seed < rounds && !t.Failed(); seed += parts {
				t.Run(fmt.Sprint(seed), func(t *testing.T) { ofEachKind(t, seed, anEditSendsWhatItsDifferenceSays) })
			}
		})
	}
}

func TestAnUpdateOfAPartSendsDefaultsBesideAChangeAsTheyAreSet(t *testing.T) {
	_, s, client := groupOf(t, strings.Replace(shop, `{"reminders":{"amount":1}}`, `{ "reminders": {"amount":1.0, "interval":5}}`, 1))
	_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error {
		settings, _ := u.AlertSettings.Get()
		settings.EscalationType = monitoring.EscalationRunBased
		settings.Reminders.Interval, settings.Reminders.Amount = nil, new(2)
		require.Equal(t, []string{"alertSettings.reminders.amount: 1.0 -> 2"}, linesOf(u.Diff()))
		return nil
	})
	require.Contains(t, sentBy(t, s, err), `"alertSettings":{"reminders":{"amount":2}}`)
}

// A service may leave out what is null. Null is sent only where it is a setting of its own.
func TestNullIsNoChangeOfWhatTheServiceLeavesOut(t *testing.T) {
	ofItsOwn := []string{"alertSettings", "retryStrategy", "runParallel", "useGlobalAlertSettings"}
	tried := 0
	for _, k := range kinds {
		node := schema.Lookup(k.operation).Body
		for _, m := range node.Members {
			s := &service{doc: map[string]any{"id": kit.UUID1, "checkType": k.checkType, "name": "n"}, node: node}
			if idOf(k.object).Kind() == reflect.Int64 {
				s.doc["id"] = 7
			}
			wish := updateOf(k.read(t, s.view()))
			f := field(wish, m.Name)
			if !f.IsValid() || !kit.IsNullable(f.Type()) || !m.Node.Nullable() || m.Node.Secret { // whose null may stand for a value
				continue
			}
			tried++
			setNull := func(u update) {
				require.NoError(t, json.Unmarshal([]byte("null"), field(u, m.Name).Addr().Interface()))
			}
			setNull(wish)
			lines := 0
			require.NoError(t, k.edit(t, s.client(t), kit.UUID1, func(u update) error {
				setNull(u)
				lines = len(u.Diff())
				return nil
			}))
			means := k.service == "CheckGroups" && slices.Contains(ofItsOwn, m.Name)
			require.Equal(t, means, s.updates == 1, "%s of %s: %s", m.Name, k.operation, s.body)
			require.Equal(t, means, lines == 1, "%s of %s", m.Name, k.operation)

			set := *m.Node
			if set.Kinds &^= schema.Null; set.Kinds == 0 {
				continue
			}
			s.doc[m.Name] = newDocuments(1, k).value(&set, m.Name)
			require.NoError(t, k.edit(t, s.client(t), kit.UUID1, func(u update) error {
				reflect.ValueOf(u).Elem().Set(reflect.ValueOf(wish).Elem())
				return nil
			}))
			require.Contains(t, s.body, `"`+m.Name+`":null`, "%s of %s, which is set there by now", m.Name, k.operation)
		}
	}
	require.Greater(t, tried, 80)
}

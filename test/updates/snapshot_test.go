package updates_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// TestASnapshotHasTheEdits edits values that were read, and writes them as JSON.
func TestASnapshotHasTheEdits(t *testing.T) {
	t.Parallel()
	names := editNames()
	eachSeed(t, 500, func(t *testing.T, d *documents) {
		s := groupServer(d)
		s.withhold = d.chance(30)
		want := kit.ParseJSON(t, string(s.view())).(map[string]any)
		var g monitoring.CheckGroup
		require.NoError(t, json.Unmarshal(s.view(), &g))
		d.read = kit.ParseJSON(t, string(s.view())).(map[string]any)
		for range d.IntN(3) {
			name := names[d.IntN(len(names))]
			if name == "no retries" || name == "a nullable text" {
				continue // in a response, nil is written as absent
			}
			edits[name](d, editableGroup(&g), want)
		}
		for _, member := range []string{"environmentVariables", "alertChannelSubscriptions"} {
			if items, ok := want[member].([]any); ok && len(items) == 0 && g.EnvironmentVariables == nil {
				want[member] = nil
			}
		}
		snapshot, err := monitoring.MarshalWithSecrets(&g)
		require.NoError(t, err)
		require.Equal(t, withoutEmptyLists(want), withoutEmptyLists(kit.ParseJSON(t, string(snapshot))))

		var again monitoring.CheckGroup
		require.NoError(t, json.Unmarshal(snapshot, &again))
		second, err := monitoring.MarshalWithSecrets(again)
		require.NoError(t, err)
		require.Equal(t, string(snapshot), string(second))

		hidden, err := json.Marshal(g)
		require.NoError(t, err)
		require.NotContains(t, string(hidden), "s3cret"+"-value")
	})
}

// withoutEmptyLists removes lists that are empty or null from an object, because a nil list of
// a response is written as null or left out.
func withoutEmptyLists(v any) any {
	object := same(v).(map[string]any)
	for name, value := range object {
		if items, ok := value.([]any); ok && len(items) == 0 || value == nil {
			delete(object, name)
		}
	}
	return object
}

// TestASnapshotRestoresTheReadableMembers reads an object, writes snapshots in both ways, changes
// the object in the service, and restores the snapshot.
func TestASnapshotRestoresTheReadableMembers(t *testing.T) {
	t.Parallel()
	marshal := map[string]func(any) ([]byte, error){"with secrets": monitoring.MarshalWithSecrets, "without": json.Marshal}
	eachSeed(t, 300, func(t *testing.T, d *documents) {
		for _, s := range []*service{groupServer(d), browserServer(d)} {
			isGroup := s.node.Member("concurrency") != nil
			s.withhold = d.chance(30)
			first := copyOf(s.doc).(map[string]any)
			for way, write := range marshal {
				s.doc = copyOf(first).(map[string]any)
				client := s.client(t)
				var snapshot []byte
				var err error
				if isGroup {
					snapshot, err = write(s.readGroup(t, client))
				} else {
					snapshot, err = write(s.readBrowser(t, client))
				}
				require.NoError(t, err)

				other := newDocuments(d.Uint64())
				later := copyOf(other.document(s.node)).(map[string]any)
				s.doc = copyOf(later).(map[string]any)
				var left []string
				if isGroup {
					var g monitoring.CheckGroup
					require.NoError(t, json.Unmarshal(snapshot, &g))
					u := g.ToUpdate()
					left = u.Withheld()
					_, err = client.CheckGroups.Update(t.Context(), 7, u)
				} else {
					var c monitoring.BrowserCheck
					require.NoError(t, json.Unmarshal(snapshot, &c))
					u := c.ToUpdate()
					left = u.Withheld()
					_, err = client.Checks.UpdateBrowser(t.Context(), kit.UUID1, u)
				}
				require.NoError(t, err)
				for name, value := range first {
					m := s.node.Member(name)
					if m == nil || value == nil && (!m.Node.Nullable() || s.doc[name] != nil) {
						continue // not in a request, or a null list, which is ignored
					}
					want := value
					if slices.Contains(left, name) {
						want = later[name]
					}
					expected := s.expected(map[string]any{name: want}).(map[string]any)
					got := s.expected(map[string]any{name: s.doc[name]}).(map[string]any)
					require.Equal(t, expected[name], got[name], "%s of a snapshot %s: %s", name, way, snapshot)
				}
				for name, value := range later {
					if _, was := first[name]; !was {
						require.Equal(t, same(value), same(s.doc[name]), "%s was absent in the snapshot", name)
					}
				}
			}
		}
	})
}

func TestASnapshotInAFileRestoresTheGroup(t *testing.T) {
	const text = `{"id":7,"name":"Shop","tags":["a"],"apiCheckDefaults":{"headers":[{"key":"H","value":"s3cret"}],"basicAuth":{"username":"u","password":"p4ss"}},` +
		`"environmentVariables":[{"key":"K","value":"v4lue"}],"retryStrategy":{"type":"FIXED","futureMember":1}}`
	for name, c := range map[string]struct {
		write func(any) ([]byte, error)
		body  string
		left  []string
	}{
		"with secrets": {monitoring.MarshalWithSecrets, text[:1] + text[len(`{"id":7,`):], nil},
		"without":      {json.Marshal, `{"name":"Shop","tags":["a"],"retryStrategy":{"type":"FIXED","futureMember":1}}`, []string{"environmentVariables", "apiCheckDefaults"}},
	} {
		t.Run(name, func(t *testing.T) {
			g, s, client := groupOf(t, text)
			file := filepath.Join(t.TempDir(), "snapshot.json")
			data, err := c.write(g)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, data, 0o600))
			for _, absent := range []string{"concurrency", "activated", "alertSettings", "null,"} {
				require.NotContains(t, string(data), absent, "an absent member is not written")
			}
			data, err = os.ReadFile(file)
			require.NoError(t, err)
			var restored monitoring.CheckGroup
			require.NoError(t, json.Unmarshal(data, &restored))
			u := restored.ToUpdate()
			require.ElementsMatch(t, c.left, u.Withheld())
			_, err = client.CheckGroups.Update(t.Context(), 7, u)
			require.JSONEq(t, c.body, sentBy(t, s, err))
		})
	}
}

package monitoring

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestASnapshotHasTheEdits edits values that were read, and writes them as JSON.
func TestASnapshotHasTheEdits(t *testing.T) {
	t.Parallel()
	names := editNames()
	eachSeed(t, 500, func(t *testing.T, d *documents) {
		s := groupServer(d)
		s.withhold = d.chance(30)
		want := parse(s.view()).(map[string]any)
		var g CheckGroup
		require.NoError(t, json.Unmarshal(s.view(), &g))
		d.read = parse(s.view()).(map[string]any)
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
		snapshot, err := MarshalWithSecrets(&g)
		require.NoError(t, err)
		require.Equal(t, withoutEmptyLists(want), withoutEmptyLists(parse(snapshot)))

		var again CheckGroup
		require.NoError(t, json.Unmarshal(snapshot, &again))
		second, err := MarshalWithSecrets(again)
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
	marshal := map[string]func(any) ([]byte, error){"with secrets": MarshalWithSecrets, "without": json.Marshal}
	eachSeed(t, 300, func(t *testing.T, d *documents) {
		for _, s := range []*writeBackServer{groupServer(d), browserServer(d)} {
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
					var g CheckGroup
					require.NoError(t, json.Unmarshal(snapshot, &g))
					u := g.ToUpdate()
					left = u.Withheld()
					_, err = client.CheckGroups.Update(t.Context(), 7, u)
				} else {
					var c BrowserCheck
					require.NoError(t, json.Unmarshal(snapshot, &c))
					u := c.ToUpdate()
					left = u.Withheld()
					_, err = client.Checks.UpdateBrowser(t.Context(), uuid1, u)
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

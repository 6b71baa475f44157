package objects_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAnObjectIsFoundByItsName(t *testing.T) {
	for what, of := range map[string]struct {
		list  string
		find  func(c *monitoring.Client, name string) (any, error)
		id    func(any) any
		first any
		both  string
	}{
		"snippet": {
			list: `[{"id":1,"name":"Shop"},{"id":2,"name":"Twice"},{"id":3,"name":"Twice"}]`,
			find: func(c *monitoring.Client, name string) (any, error) { return c.Snippets.Find(t.Context(), name) },
			id:   func(v any) any { return v.(*monitoring.Snippet).ID }, first: int64(1), both: "2, 3",
		},
		"maintenance window": {
			list: `[{"id":1,"name":"Shop"},{"id":2,"name":"Twice"},{"id":3,"name":"Twice"}]`,
			find: func(c *monitoring.Client, name string) (any, error) {
				return c.MaintenanceWindows.Find(t.Context(), name)
			},
			id: func(v any) any { return v.(*monitoring.MaintenanceWindow).ID }, first: int64(1), both: "2, 3",
		},
		"private location": {
			list: `[{"id":"a","name":"Shop","slugName":"shop"},{"id":"b","name":"Twice","slugName":"b"},{"id":"c","name":"C","slugName":"Twice"}]`,
			find: func(c *monitoring.Client, name string) (any, error) {
				return c.PrivateLocations.Find(t.Context(), name)
			},
			id: func(v any) any { return v.(*monitoring.PrivateLocation).ID }, first: "a", both: "b, c",
		},
	} {
		client, sent := kit.Recorded(t, 200, of.list)
		found, err := of.find(client, "Shop")
		require.NoError(t, err, what)
		require.Equal(t, of.first, of.id(found), what)
		_, err = of.find(client, "sho")
		require.ErrorIs(t, err, monitoring.ErrNotFound, what)
		require.EqualError(t, err, "monitoring: find "+what+` "sho": not found`)
		_, err = of.find(client, "Twice")
		require.ErrorContains(t, err, "find "+what+` "Twice": 2 have this name (`+of.both, what)
		sent.Sent = nil
		_, err = of.find(client, "")
		require.ErrorContains(t, err, "the name is empty", what)
		require.Empty(t, sent.Sent, what)
	}
	for what, find := range map[string]func(*monitoring.Client) (any, error){
		"snippet": func(c *monitoring.Client) (any, error) { return c.Snippets.Find(t.Context(), "Shop") },
		"window":  func(c *monitoring.Client) (any, error) { return c.MaintenanceWindows.Find(t.Context(), "Shop") },
		"group":   func(c *monitoring.Client) (any, error) { return c.CheckGroups.Find(t.Context(), "Shop") },
		"check": func(c *monitoring.Client) (any, error) {
			return c.Checks.Find(t.Context(), "Shop", monitoring.CheckListOptions{})
		},
	} {
		var others []string
		for i := range 100 {
			others = append(others, fmt.Sprintf(`{"id":%d,"name":"Other"}`, i+1))
		}
		first, second := "["+strings.Join(others, ",")+"]", `[{"id":101,"name":"Shop"}]`
		if what == "check" { // whose ids are texts
			first, second = strings.ReplaceAll(first, `"id":`, `"id":"c`), `[{"id":"d","name":"Shop"}]`
			first = strings.ReplaceAll(first, `,"name"`, `","name"`)
		}
		asked := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			query := req.URL.Query()
			require.Equal(t, map[string]string{"group": "Shop"}[what], query.Get("name"))
			require.Equal(t, map[string]string{"check": "Shop"}[what], query.Get("search"))
			return testkit.Respond(200, nil, first), nil
		})
		found, err := find(kit.Client(t, testkit.InTurn(asked, testkit.Status(200, second))))
		require.NoError(t, err, what)
		require.Contains(t, fmt.Sprint(found), "Shop", "on the second page")
	}
	client, _ := kit.Recorded(t, 200, `[{"id":"a","name":"Shop","slugName":"a-shop"}]`)
	location, err := client.PrivateLocations.Find(t.Context(), "a-shop")
	require.NoError(t, err)
	require.Equal(t, "Shop", location.Name)
}

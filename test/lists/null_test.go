package lists_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// readers are the methods that return a list, each as a function that returns how many items it
// read.
var readers = map[string]func(context.Context, *monitoring.Client) (int, error){
	"variables": func(ctx context.Context, c *monitoring.Client) (int, error) {
		list, err := monitoring.Collect(c.Variables.All(ctx, monitoring.VariableListOptions{}))
		return len(list), err
	},
	"checks": func(ctx context.Context, c *monitoring.Client) (int, error) {
		list, err := monitoring.Collect(c.Checks.All(ctx, monitoring.CheckListOptions{}))
		return len(list), err
	},
	"groups": func(ctx context.Context, c *monitoring.Client) (int, error) {
		list, err := monitoring.Collect(c.CheckGroups.All(ctx, monitoring.CheckGroupListOptions{}))
		return len(list), err
	},
	"windows": func(ctx context.Context, c *monitoring.Client) (int, error) {
		list, err := monitoring.Collect(c.MaintenanceWindows.All(ctx, monitoring.MaintenanceWindowListOptions{}))
		return len(list), err
	},
	"channels": func(ctx context.Context, c *monitoring.Client) (int, error) {
		list, err := monitoring.Collect(c.AlertChannels.All(ctx, monitoring.ListOptions{}))
		return len(list), err
	},
	"results": func(ctx context.Context, c *monitoring.Client) (int, error) {
		list, err := monitoring.Collect(c.CheckResults.AllForCheck(ctx, kit.UUID1, monitoring.CheckResultListOptions{}))
		return len(list), err
	},
	"locations": func(ctx context.Context, c *monitoring.Client) (int, error) {
		list, err := c.Locations.List(ctx)
		return len(list), err
	},
	"private locations": func(ctx context.Context, c *monitoring.Client) (int, error) {
		list, err := c.PrivateLocations.List(ctx)
		return len(list), err
	},
	"statuses": func(ctx context.Context, c *monitoring.Client) (int, error) {
		list, err := c.CheckStatuses.List(ctx)
		return len(list), err
	},
}

func TestNullInPlaceOfAListIsNoEmptyList(t *testing.T) {
	for name, read := range readers {
		for _, opts := range [][]monitoring.ClientOption{nil, {monitoring.WithoutValidation()}} {
			client, _ := kit.Recorded(t, 200, " null", opts...)
			_, err := read(t.Context(), client)
			failed := kit.ErrAs[*monitoring.DecodeError](t, err)
			require.EqualError(t, failed.Err, "want an array, got null", name)
			client, _ = kit.Recorded(t, 200, "[]", opts...)
			require.NoError(t, kit.Second(read(t.Context(), client)), name)
		}
	}
}

func TestEntriesOfACursorPageMayBeAbsentButNotNull(t *testing.T) {
	read := readers["results"]
	for body, want := range map[string]string{
		`{"length":2,"entries":null}`: "unusable response: $.entries: want an array, got null", `{"entries":null,"nextId":"x"}`: "$.entries: want an array, got null",
		`{"length":3}`: "want an array, got an object",
		`{"statusCode":503,"error":"Service Unavailable","entries":[]}`:            "error object with status 503: Service Unavailable",
		`{"length":0,"statusCode":503,"error":"Service Unavailable","entries":[]}`: "error object with status 503: Service Unavailable",
		`{"length":0}`: "", `{"nextId":""}`: "", `{"entries":[]}`: "",
	} {
		for _, opts := range [][]monitoring.ClientOption{nil, {monitoring.WithoutValidation()}} {
			client, _ := kit.Recorded(t, 200, body, opts...)
			if n, err := read(t.Context(), client); want == "" {
				require.NoError(t, err, body)
				require.Zero(t, n, body)
			} else {
				require.ErrorContains(t, err, want, body)
			}
		}
	}
}

func TestANullItemIsAnErrorInItsPlace(t *testing.T) {
	for _, opts := range [][]monitoring.ClientOption{nil, {monitoring.WithoutValidation()}} {
		client, _ := kit.Recorded(t, 200, `[null,{"key":"A","value":"a"}, null ,{"key":"B","locked":"no"},{"key":"C","value":""}]`, opts...)
		var got []string
		for v, err := range client.Variables.All(t.Context(), monitoring.VariableListOptions{}) {
			if item, ok := errors.AsType[*monitoring.ItemError](err); ok {
				got = append(got, fmt.Sprintf("%d %s", item.Index, item.Path))
				continue
			}
			require.NoError(t, err)
			got = append(got, v.Key)
		}
		require.Equal(t, []string{"0 $[0]", "A", "2 $[2]", "3 $[3].locked", "C"}, got)
		require.EqualError(t, kit.Second(client.Variables.List(t.Context(), monitoring.VariableListOptions{})), "monitoring: GET /v1/variables: page 1: decode $[0]: want an object, got null")
	}
	client, _ := kit.Recorded(t, 200, `{"entries":[{"id":"r"},null]}`)
	item := kit.ErrAs[*monitoring.ItemError](t, kit.Second(readers["results"](t.Context(), client)))
	require.Equal(t, "$.entries[1]", item.Path)
	for _, name := range []string{"variables", "checks", "groups", "windows", "channels"} {
		client, _ := kit.Recorded(t, 200, `[null]`)
		kit.ErrAs[*monitoring.ItemError](t, kit.Second(readers[name](t.Context(), client)))
	}
	client, _ = kit.Recorded(t, 200, "["+strings.Repeat("null,", 150)+"null]")
	page := kit.ErrAs[*monitoring.PageError](t, func() (last error) {
		for _, err := range client.Variables.All(t.Context(), monitoring.VariableListOptions{}) {
			last = err
		}
		return last
	}())
	require.ErrorContains(t, page, "more than 100 items of the page cannot be read")
}

func TestANullItemIsAnErrorOfAListThatComesWhole(t *testing.T) {
	for name, body := range map[string]string{"locations": `[{"region":"eu-west-1","name":"Ireland"},null]`, "private locations": `[{"id":"a"},null]`} {
		client, _ := kit.Recorded(t, 200, body)
		_, err := readers[name](t.Context(), client)
		require.ErrorContains(t, err, "$[1]: want an object, got null", name)
	}
	client, _ := kit.Recorded(t, 200, `[null,{"checkId":"c"},null]`)
	n, err := readers["statuses"](t.Context(), client)
	require.NoError(t, err)
	require.Equal(t, 1, n, "nothing says of which check a null is")
}

func TestAnUntypedListHasTheNullsOfTheService(t *testing.T) {
	client, _ := kit.Recorded(t, 200, `[null,{"n":1}]`)
	list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))
	require.NoError(t, err)
	require.Equal(t, []counted{{}, {1}}, list)
	client, _ = kit.Recorded(t, 200, "null")
	whole, err := monitoring.Do[[]json.RawMessage](t.Context(), client, "GET", "/v1/x", nil, nil)
	require.NoError(t, err)
	require.Empty(t, *whole)
}

func TestTheCursorToResumeAtShowsNoSecret(t *testing.T) {
	const key = "key-1234567890"
	client := kit.NewClient(t, kit.Base, key, &http.Client{Transport: testkit.InTurn(testkit.Status(200, `{"entries":[{"id":"r"}],"nextId":"after `+key+`"}`), testkit.Status(403, "{}"))})
	_, err := monitoring.Collect(client.CheckResults.AllForCheck(t.Context(), kit.UUID1, monitoring.CheckResultListOptions{}))
	require.Equal(t, "after [redacted]", kit.ErrAs[*monitoring.PageError](t, err).NextID)
}

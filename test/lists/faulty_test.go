package lists_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAServiceThatIgnoresThePageNumberIsAnError(t *testing.T) {
	s := newShelf(100, false)
	s.alter = func(int, int, []string) []string { return s.keys }
	keys, err := s.read(t, monitoring.VariableListOptions{})
	require.EqualError(t, err, "monitoring: page 5: the service ignores the page number: it sent the items of earlier pages again")
	require.Len(t, keys, 100, "the items were yielded once")
}

func TestItemsWithoutIDs(t *testing.T) {
	t.Run("are all yielded", func(t *testing.T) {
		client := kit.Client(t, testkit.Status(200, `[{"name":"a"},{"name":"b"}]`))
		windows, err := monitoring.Collect(client.MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{}))
		require.NoError(t, err)
		require.Len(t, windows, 2)
	})
	t.Run("of a service that ignores the page number are an error", func(t *testing.T) {
		sent := 0
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			sent++
			return testkit.Respond(200, nil, `[{"name":"a"},{"name":"b"}]`), nil
		}))
		_, err := monitoring.Collect(client.MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{ListOptions: monitoring.ListOptions{Limit: 2}}))
		require.ErrorContains(t, err, "the service ignores the page")
		require.Less(t, sent, 8)
	})
}

func TestIterationsEndDespiteWrongHeaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		transport func(page int) (contentRange, body string)
		most      int
	}{
		"empty pages before the total is reached": {func(page int) (string, string) {
			if page > 1 {
				return "0-99/1000", "[]"
			}
			return "0-99/1000", `[{"key":"a","value":"v"}]`
		}, 2},
		"a growing total with the same items": {func(page int) (string, string) {
			return fmt.Sprintf("0-99/%d", 1000*page), `[{"key":"a","value":"v"}]`
		}, 110},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sent := 0
				client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					sent++
					page, _ := strconv.Atoi(req.URL.Query().Get("page"))
					contentRange, body := c.transport(page)
					return testkit.Respond(200, http.Header{"Content-Range": {contentRange}}, body), nil
				}))
				monitoring.Collect(client.Variables.All(t.Context(), monitoring.VariableListOptions{}))
				require.LessOrEqual(t, sent, c.most)
			})
		})
	}
}

func TestAPageLongerThanAskedForIsYielded(t *testing.T) {
	for _, c := range []struct {
		name    string
		items   int
		size    int // of a page of the service
		headers func(page int) http.Header
		pages   []int
	}{
		{"the end, if the service does not page", 120, 120, nil, []int{1}},
		{"the end, if the total is reached", 120, 120, func(int) http.Header {
			return http.Header{"Content-Range": {"0-119/120"}}
		}, []int{1}},
		{"not the end, if the total says so", 300, 120, func(page int) http.Header {
			return http.Header{"Content-Range": {fmt.Sprintf("%d-%d/300", (page-1)*120, min(page*120, 300)-1)}}
		}, []int{1, 2, 3}},
		{"not the end, if a link says so", 300, 120, func(page int) http.Header {
			if page < 3 {
				return http.Header{"Link": {`</v1/variables?page=9>; rel="next"`}}
			}
			return http.Header{"Link": {`</v1/variables?page=1>; rel="first"`}}
		}, []int{1, 2, 3}},
	} {
		for _, ahead := range []int{0, 3} {
			t.Run(fmt.Sprintf("%s, read-ahead %d", c.name, ahead), func(t *testing.T) {
				s := newShelf(c.items, false)
				s.alter = func(page, _ int, _ []string) []string {
					return s.keys[min((page-1)*c.size, c.items):min(page*c.size, c.items)]
				}
				client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					resp, err := s.RoundTrip(req)
					page, _ := strconv.Atoi(req.URL.Query().Get("page"))
					page = max(page, 1)
					if err == nil && c.headers != nil {
						resp.Header = c.headers(page)
					}
					return resp, err
				}))
				keys, err := s.readWith(t, client, monitoring.VariableListOptions{}, monitoring.WithReadAhead(ahead))
				require.NoError(t, err)
				require.Equal(t, s.keys, keys)
				if ahead == 0 {
					require.Equal(t, c.pages, s.pages)
				}
				page, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 100}})
				require.NoError(t, err)
				require.Len(t, page.Items, 120)
				require.Equal(t, len(c.pages) > 1, page.HasMore)
			})
		}
	}
}

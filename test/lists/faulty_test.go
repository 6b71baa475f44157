package lists_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

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

func TestItemsWithoutIDsAreToldApartByTheirPage(t *testing.T) {
	client := kit.Client(t, testkit.Status(200, `[{"name":"a"},{"name":"b"}]`))
	windows, err := monitoring.Collect(client.MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{}))
	require.NoError(t, err)
	require.Len(t, windows, 2)
	_, err = monitoring.Collect(client.MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{ListOptions: monitoring.ListOptions{Limit: 2}}))
	require.ErrorContains(t, err, "page 5: the service ignores the page number")
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

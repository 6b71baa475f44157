package lists_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// windows is a service with 205 maintenance windows, three of which cannot be read.
func windows(req *http.Request) (*http.Response, error) {
	broken := map[int]string{101: `"repeatInterval":"often"`, 204: `"statusPageVisibility":{"enabled":"yes"}`, 205: `"name":5,"tags":{}`}
	page, _ := strconv.Atoi(req.URL.Query().Get("page"))
	var items []string
	for id := (page-1)*100 + 1; id <= min(page*100, 205); id++ {
		extra := broken[id]
		if extra == "" {
			extra = `"name":"w"`
		}
		items = append(items, fmt.Sprintf(`{"id":%d,"startsAt":"2026-08-01","endsAt":"2026-08-02",%s}`, id, extra))
	}
	return testkit.Respond(200, http.Header{"Content-Range": {fmt.Sprintf("%d-%d/205", (page-1)*100, page*100-1)}}, "["+strings.Join(items, ",")+"]"), nil
}

func TestAnItemErrorNamesThePathAndTheLoopMayGoOn(t *testing.T) {
	client, options := kit.Client(t, testkit.RoundTripper(windows)), monitoring.MaintenanceWindowListOptions{}
	for _, ahead := range []int{0, 2} {
		read := 0
		var failed []string
		for w, err := range client.MaintenanceWindows.All(t.Context(), options, monitoring.WithReadAhead(ahead)) {
			if read++; err == nil {
				require.EqualValues(t, read, w.ID, "the error is yielded instead of the item")
				continue
			}
			item := kit.ErrAs[*monitoring.ItemError](t, err)
			require.Zero(t, w)
			require.ErrorContains(t, err, fmt.Sprintf("monitoring: GET /v1/maintenance-windows: page %d: decode %s: ", item.Page, item.Path))
			require.Equal(t, item.Err, errors.Unwrap(item))
			failed = append(failed, fmt.Sprintf("%d %d %s %s", item.Page, item.Index, item.Path, item.ID))
		}
		require.Equal(t, 205, read)
		require.Equal(t, []string{"2 0 $[0].repeatInterval 101", "3 3 $[3].statusPageVisibility.enabled 204", "3 4 $[4].name 205"}, failed)
	}

	list, err := monitoring.Collect(client.MaintenanceWindows.All(t.Context(), options))
	require.ErrorContains(t, err, "$[0].repeatInterval")
	require.Len(t, list, 100, "Collect stops at the first error")

	var pages []string
	for page, err := range client.MaintenanceWindows.Pages(t.Context(), options) {
		pages = append(pages, fmt.Sprintf("%d %T", len(page.Items), err))
	}
	require.Equal(t, []string{"100 <nil>", "99 *monitoring.ItemError", "3 *errors.joinError"}, pages)

	options.Page = 2
	require.ErrorContains(t, kit.Second(client.MaintenanceWindows.List(t.Context(), options)), "page 2: decode $[0].repeatInterval")
}

func TestAPageThatIsReadAgainKeepsNothingOfTheFirstTime(t *testing.T) {
	// A long list is read in parts, and only the last part is broken.
	broken := "[" + strings.Repeat(`{"id":1,"n":5},{"id":1,"n":"x"},`, 5000) + `{"id":]`
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.InTurn(testkit.Status(200, broken), testkit.Status(200, `[{"id":1},{"id":2,"n":7}]`)))
		list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))
		require.NoError(t, err)
		require.Equal(t, []counted{{}, {7}}, list)
	})
}

func TestZeroErrorsOfListsCanBePrinted(t *testing.T) {
	require.EqualError(t, &monitoring.PageError{}, "monitoring: page 0: could not be read")
	require.EqualError(t, &monitoring.ItemError{}, "monitoring: page 0: decode ")
	require.NoError(t, (&monitoring.PageError{}).Unwrap())
}

func TestTheErrorOfAnItemDoesNotShowASecretThatTheServiceReturns(t *testing.T) {
	const key = "key-1234567890"
	for name, value := range map[string]string{"as a value": key, "in JSON": `key\u002d1234567890`} {
		client := kit.NewClient(t, "https://monitoring.test", key, &http.Client{Transport: testkit.Status(200, `[{"id":1},{"id":2,"startsAt":"`+value+`"}]`)})
		_, one := client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{})
		_, all := monitoring.Collect(client.MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{}))
		for _, err := range []error{one, all} {
			item := kit.ErrAs[*monitoring.ItemError](t, err)
			require.EqualError(t, err, `monitoring: GET /v1/maintenance-windows: page 1: decode $[1].startsAt: timestamp: "[redacted]" is neither a timestamp of ISO 8601 nor a calendar date`, name)
			for chain := error(item); chain != nil; chain = errors.Unwrap(chain) {
				require.NotContains(t, fmt.Sprintf("%v %+v %q", chain, chain, chain), key, name)
			}
		}
	}
}

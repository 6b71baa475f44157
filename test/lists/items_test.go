package lists_test

import (
	"errors"
	"fmt"
	"iter"
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

// windowsJSON is a list of maintenance windows, with some members replaced.
func windowsJSON(from, to int, replaced map[int]string) string {
	var items []string
	for i := from; i < to; i++ {
		extra := replaced[i]
		if extra == "" {
			extra = `"name":"w"`
		}
		items = append(items, fmt.Sprintf(`{"id":%d,"startsAt":"2026-08-01","endsAt":"2026-08-02",%s}`, i, extra))
	}
	return "[" + strings.Join(items, ",") + "]"
}

func TestAnItemErrorNamesThePathAndTheLoopMayGoOn(t *testing.T) {
	replaced := map[int]string{
		101: `"repeatInterval":"often"`,
		204: `"statusPageVisibility":{"enabled":"yes"}`,
		205: `"name":5,"tags":{}`,
	}
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		page, _ := strconv.Atoi(req.URL.Query().Get("page"))
		return testkit.Respond(200, http.Header{"Content-Range": {fmt.Sprintf("%d-%d/206", (page-1)*100, page*100-1)}},
			windowsJSON(max((page-1)*100, 1), min(page*100, 206), replaced)), nil
	}))
	for _, ahead := range []int{0, 2} {
		read := 0
		var failed []string
		for w, err := range client.MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{}, monitoring.WithReadAhead(ahead)) {
			if read++; err == nil {
				require.EqualValues(t, read, w.ID, "the error is yielded instead of the item")
				continue
			}
			item, ok := errors.AsType[*monitoring.ItemError](err)
			require.True(t, ok, "%v", err)
			require.Zero(t, w)
			require.ErrorContains(t, err, fmt.Sprintf("monitoring: GET /v1/maintenance-windows: page %d: decode %s: ", item.Page, item.Path))
			require.Equal(t, item.Err, errors.Unwrap(item))
			failed = append(failed, fmt.Sprintf("%d %d %s %s", item.Page, item.Index, item.Path, item.ID))
		}
		require.Equal(t, 205, read)
		require.Equal(t, []string{"2 1 $[1].repeatInterval 101", "3 4 $[4].statusPageVisibility.enabled 204", "3 5 $[5].name 205"}, failed)
	}

	list, err := monitoring.Collect(client.MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{}))
	require.ErrorContains(t, err, "$[1].repeatInterval")
	require.Len(t, list, 100, "Collect stops at the first error")

	var sizes []int
	var errs []string
	for page, err := range client.MaintenanceWindows.Pages(t.Context(), monitoring.MaintenanceWindowListOptions{}) {
		sizes, errs = append(sizes, len(page.Items)), append(errs, fmt.Sprintf("%T", err))
	}
	require.Equal(t, []int{99, 99, 4}, sizes)
	require.Equal(t, []string{"<nil>", "*monitoring.ItemError", "*errors.joinError"}, errs)

	_, err = client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{ListOptions: monitoring.ListOptions{Page: 2}})
	require.ErrorContains(t, err, "page 2: decode $[1].repeatInterval")
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

func TestAPageThatIsNotAnArrayIsAPageError(t *testing.T) {
	for _, body := range []string{`{"message":"not a list"}`, `[{"key":`, `"text"`} {
		client := kit.Client(t, testkit.Status(200, body), monitoring.WithMaxRetries(0))
		count := 0
		for _, err := range client.Variables.All(t.Context(), monitoring.VariableListOptions{}) {
			count++
			_, ok := errors.AsType[*monitoring.PageError](err)
			require.True(t, ok, "%v", err)
		}
		require.Equal(t, 1, count)
		_, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{})
		require.Error(t, err)
	}
}

func TestZeroErrorsOfListsCanBePrinted(t *testing.T) {
	require.EqualError(t, &monitoring.PageError{}, "monitoring: page 0: could not be read")
	require.EqualError(t, &monitoring.ItemError{}, "monitoring: page 0: decode ")
	require.NoError(t, (&monitoring.PageError{}).Unwrap())
}

func TestTheErrorOfAnItemDoesNotShowASecretThatTheServiceReturns(t *testing.T) {
	const key = "key-1234567890"
	for name, body := range map[string]string{
		"as a value": `[{"id":1},{"id":2,"startsAt":"` + key + `"}]`,
		"in JSON":    `[{"id":1},{"id":2,"startsAt":"key\u002d1234567890"}]`,
	} {
		client := kit.NewClient(t, "https://monitoring.test", key, &http.Client{Transport: testkit.Status(200, body)})
		_, err := client.MaintenanceWindows.List(t.Context(), monitoring.MaintenanceWindowListOptions{})
		for _, err := range append([]error{err}, errorsOf(client.MaintenanceWindows.All(t.Context(), monitoring.MaintenanceWindowListOptions{}))...) {
			item, ok := errors.AsType[*monitoring.ItemError](err)
			require.True(t, ok, name)
			require.EqualError(t, err, `monitoring: GET /v1/maintenance-windows: page 1: decode $[1].startsAt: timestamp: "[redacted]" is neither a timestamp of ISO 8601 nor a calendar date`, name)
			for chain := error(item); chain != nil; chain = errors.Unwrap(chain) {
				require.NotContains(t, fmt.Sprintf("%v %+v %q", chain, chain, chain), key, name)
			}
		}
	}
}

// errorsOf returns the errors that an iterator yields.
func errorsOf[T any](items iter.Seq2[T, error]) (all []error) {
	for _, err := range items {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}

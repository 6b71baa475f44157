package lists_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// byCursor is a service whose list has a body for each cursor. It returns the queries that it got.
func byCursor(t *testing.T, bodies map[string]string, opts ...monitoring.ClientOption) (*monitoring.Client, *[]string) {
	sent := new([]string)
	return kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		*sent = append(*sent, req.URL.RawQuery)
		body := bodies[req.URL.Query().Get("nextId")]
		if body == "" {
			return testkit.Respond(http.StatusForbidden, nil, ""), nil
		}
		return testkit.Respond(200, nil, body), nil
	}), opts...), sent
}

func TestAllReadsAListByCursor(t *testing.T) {
	client, sent := byCursor(t, map[string]string{
		"":     `{"length":2,"entries":[{"n":1},{"n":2}],"nextId":"b/ c"}`,
		"b/ c": `{"nextId":"d","others":[[1]],"members":[{"n":3}],"length":1}`,
		"d":    `{"length":0,"nextId":5}`,
		"5":    `{"nextId":null,"somethings":[{"n":4}]}`,
	}, monitoring.WithReadAhead(8))
	seq := monitoring.All[counted](t.Context(), client, "/v1/x", url.Values{"tag": {"a"}})
	for range 2 {
		*sent = nil
		list, err := monitoring.Collect(seq)
		require.NoError(t, err)
		require.Equal(t, []counted{{1}, {2}, {3}, {4}}, list)
		require.Equal(t, []string{"limit=100&tag=a", "limit=100&nextId=b%2F+c&tag=a", "limit=100&nextId=d&tag=a", "limit=100&nextId=5&tag=a"}, *sent)
	}
	for end, want := range map[string]int{`{"length":1,"entries":[{"n":1}]}`: 1, `{"length":1,"entries":[{"n":1}],"nextId":""}`: 1, `{"length":0}`: 0, `{"length":0,"entries":null}`: 0, `[{"n":1}]`: 1} {
		client, sent := byCursor(t, map[string]string{"": end})
		list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))
		require.NoError(t, err, end)
		require.Len(t, list, want, end)
		require.Len(t, *sent, 1, end)
	}
}

func TestAnIterationByCursorCanBeResumed(t *testing.T) {
	bodies := map[string]string{"": `{"length":1,"entries":[{"n":1}],"nextId":"x"}`, "x": `{"length":1,"entries":[{"n":2}],"nextId":"y"}`}
	client, sent := byCursor(t, bodies)
	list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", url.Values{"limit": {"7"}}))
	require.ErrorIs(t, err, monitoring.ErrForbidden)
	require.Equal(t, []counted{{1}, {2}}, list)
	failed, ok := errors.AsType[*monitoring.PageError](err)
	require.True(t, ok)
	require.Equal(t, "y", failed.NextID)
	require.Equal(t, 3, failed.Page)

	bodies["y"] = `{"length":1,"entries":[{"n":3}],"nextId":null}`
	*sent = nil
	list, err = monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", url.Values{"limit": {"7"}, "nextId": {failed.NextID}}))
	require.NoError(t, err)
	require.Equal(t, []counted{{3}}, list)
	require.Equal(t, []string{"limit=7&nextId=y"}, *sent)

	bodies["y"] = `{"length":1,"entries":[{"n":3}],"nextId":"x"}`
	list, err = monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))
	require.EqualError(t, err, "monitoring: page 3: the service names a page again that it named before: the list does not end")
	require.Equal(t, []counted{{1}, {2}, {3}}, list)
}

func TestAnItemOfAListByCursorThatCannotBeReadIsNamedByItsPath(t *testing.T) {
	client, _ := byCursor(t, map[string]string{"": `{"length":3,"entries":[{"n":1},{"id":"b","n":"x"},{"n":3}]}`})
	var read []int
	for item, err := range monitoring.All[counted](t.Context(), client, "/v1/x", nil) {
		if bad, ok := errors.AsType[*monitoring.ItemError](err); ok {
			require.Equal(t, "$.entries[1].n", bad.Path)
			require.Equal(t, "b", bad.ID)
			require.ErrorContains(t, err, "page 1: decode $.entries[1].n: ")
			read = append(read, -1)
			continue
		}
		require.NoError(t, err)
		read = append(read, item.N)
	}
	require.Equal(t, []int{1, -1, 3}, read)
}

func TestAnObjectThatIsNoPageIsAnError(t *testing.T) {
	for _, body := range []string{
		`{"message":"not a list"}`, `{"length":3}`, `{"length":3,"nextId":null}`, `{"nextId":null}`, `{"errors":[]}`, `{"length":0,"entries":"x"}`, `{"length":1,"a":[{"n":1}],"b":[{"n":1}]}`, `{"length":1,"entries":[{"n":1}]`,
	} {
		client, _ := byCursor(t, map[string]string{"": body}, monitoring.WithMaxRetries(0))
		list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))
		require.Error(t, err, body)
		require.Empty(t, list, body)
	}
}

func TestAListWithoutPagesIsReadWhole(t *testing.T) {
	for items, want := range map[int]int{0: 1, 99: 1, 100: 2, 101: 1, 250: 1} { // requests
		body := "[" + strings.TrimSuffix(strings.Repeat(`{"n":1},`, items), ",") + "]"
		client, sent := byCursor(t, map[string]string{"": body})
		list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))
		require.NoError(t, err, items)
		require.Len(t, list, items)
		require.Len(t, *sent, want, items)

		*sent = nil
		list, err = monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", url.Values{"tag": {"a"}}, monitoring.WithoutPaging(), monitoring.WithReadAhead(8)))
		require.NoError(t, err, items)
		require.Len(t, list, items)
		require.Equal(t, []string{"tag=a"}, *sent)
	}
}

func TestWithoutPagingAPartOfAListIsAnErrorAfterIt(t *testing.T) {
	for name, c := range map[string]struct {
		header http.Header
		body   string
	}{
		"a cursor":             {nil, `{"length":1,"entries":[{"n":1}],"nextId":"x"}`},
		"a range":              {http.Header{"Content-Range": {"0-0/2"}}, `[{"n":1}]`},
		"a total":              {http.Header{"Content-Range": {"*/3"}}, `[{"n":1}]`},
		"a link to a next one": {http.Header{"Link": {`</v1/x?page=2>; rel="next"`}}, `[{"n":1}]`},
	} {
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return testkit.Respond(200, c.header, c.body), nil }))
		list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil, monitoring.WithoutPaging()))
		require.EqualError(t, err, "monitoring: page 1: GET /v1/x: more pages follow: read them without WithoutPaging", name)
		require.Len(t, list, 1, name)
	}
	for _, name := range []string{"limit", "page"} {
		client, sent := byCursor(t, nil)
		_, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", url.Values{name: {"1"}}, monitoring.WithoutPaging()))
		_, ok := err.(*monitoring.ValidationError)
		require.True(t, ok, fmt.Sprint(err))
		require.Empty(t, *sent)
	}
}

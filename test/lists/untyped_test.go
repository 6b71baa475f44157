package lists_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

type counted struct {
	N int `json:"n"`
}

// numbered is a service with a list of n items.
func numbered(t *testing.T, n int, id func(i int) string) (client *monitoring.Client, sent *[]string) {
	sent = new([]string)
	return kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		*sent = append(*sent, req.URL.RequestURI())
		page, _ := strconv.Atoi(req.URL.Query().Get("page"))
		limit, _ := strconv.Atoi(req.URL.Query().Get("limit"))
		var items []string
		first := (max(page, 1) - 1) * limit
		for i := first; i < min(first+limit, n); i++ {
			items = append(items, fmt.Sprintf(`{"id":%s,"n":%d}`, id(i), i))
		}
		header := http.Header{"Content-Range": {fmt.Sprintf("%d-%d/%d", first, first+len(items)-1, n)}}
		return testkit.Respond(200, header, "["+strings.Join(items, ",")+"]"), nil
	})), sent
}

func TestAllReadsAnyListLikeATypedOne(t *testing.T) {
	client, sent := numbered(t, 250, strconv.Itoa)
	query := url.Values{"tag": {"a", "b"}}
	seq := monitoring.All[counted](t.Context(), client, "/v1/checks", query)
	query.Set("tag", "changed later")
	for range 2 {
		*sent = nil
		list, err := monitoring.Collect(seq)
		require.NoError(t, err)
		require.Len(t, list, 250)
		require.Equal(t, 249, list[249].N)
		require.Equal(t, []string{"/v1/checks?limit=100&tag=a&tag=b", "/v1/checks?limit=100&page=2&tag=a&tag=b", "/v1/checks?limit=100&page=3&tag=a&tag=b"}, *sent)
	}
	*sent = nil
	list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/checks", url.Values{"limit": {"20"}, "page": {"12"}}))
	require.NoError(t, err)
	require.Equal(t, 220, list[0].N)
	require.Len(t, list, 30)
	require.Equal(t, "/v1/checks?limit=20&page=12", (*sent)[0])

	raw, err := monitoring.Collect(monitoring.All[json.RawMessage](t.Context(), client, "/v1/checks", nil))
	require.NoError(t, err)
	require.JSONEq(t, `{"id":1,"n":1}`, string(raw[1]))
}

func TestAllRecognizesItemsByTheirIDs(t *testing.T) {
	for id, yielded := range map[string]int{"900719925474099N": 6, `"N"`: 6, "null": 8} {
		client, _ := numbered(t, 8, func(i int) string { return strings.ReplaceAll(id, "N", strconv.Itoa(i%6)) })
		list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", url.Values{"limit": {"1"}}))
		require.NoError(t, err, id)
		require.Len(t, list, yielded, id)
		list, err = monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", url.Values{"limit": {"1"}}, monitoring.WithItemID("n")))
		require.NoError(t, err, id)
		require.Len(t, list, 8, "each has its own n")
	}
	words, err := monitoring.Collect(monitoring.All[string](t.Context(), kit.Client(t, testkit.Status(200, `["a","b"]`)), "/v1/x", nil))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, words)
}

func TestAllRefusesInvalidRequests(t *testing.T) {
	client, sent := numbered(t, 8, strconv.Itoa)
	for text, query := range map[string]url.Values{
		"limit: 101 is outside 1..100":           {"limit": {"101"}},
		"page: -1 is below 1":                    {"page": {"-1"}},
		`limit: "ten" is not a whole number`:     {"limit": {"ten"}},
		`limit: "" is not a whole number`:        {"limit": {""}},
		"page: must be given once":               {"page": {"1", "2"}},
		"limit: must be given once; page: \"x\"": {"limit": {}, "page": {"x"}},
	} {
		requireRefused(t, monitoring.All[counted](t.Context(), client, "/v1/x", query), text)
	}
	requireRefused(t, monitoring.All[counted](t.Context(), client, "v1/x", nil), "path: must start with a slash")
	requireRefused(t, monitoring.All[counted](t.Context(), client, "/v1/x?limit=5", nil), "path: must not contain a query")
	requireRefused(t, monitoring.All[chan int](t.Context(), client, "/v1/x", nil), "monitoring: GET /v1/x: invalid request, not sent: items: JSON cannot be decoded into a chan int")
	requireRefused(t, monitoring.All[io.Reader](t.Context(), client, "/v1/x", nil), "JSON cannot be decoded into the interface io.Reader")
	for _, name := range []string{"limit", "page"} {
		requireRefused(t, monitoring.All[counted](t.Context(), client, "/v1/x", url.Values{name: {"1"}}, monitoring.WithoutPaging()), "which WithoutPaging omits")
	}
	_, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil, monitoring.WithItemID("")))
	require.ErrorContains(t, err, "WithItemID needs the name of a field")
	for _, none := range []*monitoring.Client{nil, {}} {
		require.EqualError(t, kit.Second(monitoring.Collect(monitoring.All[counted](t.Context(), none, "/v1/x", nil))), "monitoring: the client was not made by NewClient")
	}
	require.Empty(t, *sent)
	list, err := monitoring.Collect(monitoring.All[any](t.Context(), client, "/v1/x", nil))
	require.NoError(t, err)
	require.Len(t, list, 8)
}

// byCursor is a service whose list has a body for each cursor. It returns the queries that it got.
func byCursor(t *testing.T, bodies map[string]string, opts ...monitoring.ClientOption) (*monitoring.Client, *[]string) {
	sent := new([]string)
	return kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		*sent = append(*sent, req.URL.RawQuery)
		if body := bodies[req.URL.Query().Get("nextId")]; body != "" {
			return testkit.Respond(200, nil, body), nil
		}
		return testkit.Respond(http.StatusForbidden, nil, ""), nil
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
	rest, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", url.Values{"nextId": {"b/ c"}}))
	require.NoError(t, err)
	require.Equal(t, []counted{{3}, {4}}, rest)
	client, _ = byCursor(t, map[string]string{"": `{"nextId":"x","entries":[]}`, "x": `{"nextId":"x","entries":[]}`})
	require.EqualError(t, kit.Second(monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))), "monitoring: page 2: the service repeated an earlier cursor: the list does not end")

	client, _ = byCursor(t, map[string]string{"": `{"length":3,"entries":[{"n":1},{"id":"b","n":"x"},{"n":3}]}`})
	list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))
	require.Equal(t, []counted{{1}}, list)
	bad := kit.ErrAs[*monitoring.ItemError](t, err)
	require.Equal(t, []string{"$.entries[1].n", "b"}, []string{bad.Path, bad.ID})
	for end, want := range map[string]int{`{"length":1,"entries":[{"n":1}]}`: 1, `{"length":1,"entries":[{"n":1}],"nextId":""}`: 1, `{"length":0}`: 0, `{"nextId":null}`: 0, `{"entries":[{"n":1}]}`: 1, `[{"n":1}]`: 1, `null`: 0} {
		client, sent := byCursor(t, map[string]string{"": end})
		list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))
		require.NoError(t, err, end)
		require.Len(t, list, want, end)
		require.Len(t, *sent, 1, end)
	}
}

func TestAnObjectThatIsNoPageIsAnError(t *testing.T) {
	for _, body := range []string{
		`{"message":"not a list"}`, `{"length":3}`, `{"length":0,"entries":null}`, `{"length":2,"members":null}`, `{"others":[{"n":1}]}`, `{"length":0,"entries":"x"}`, `{"length":1,"a":[{"n":1}],"b":[{"n":1}]}`, `{"length":1,"entries":[{"n":1}]`,
	} {
		client, _ := byCursor(t, map[string]string{"": body}, monitoring.WithMaxRetries(0))
		list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil))
		kit.ErrAs[*monitoring.PageError](t, err)
		require.Empty(t, list, body)
	}
}

func TestAListWithoutPagesIsReadWhole(t *testing.T) {
	for items, want := range map[int]int{0: 1, 99: 1, 100: 2, 101: 1} { // requests
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
	for body, header := range map[string]string{`{"length":1,"entries":[{"n":1}],"nextId":"x"}`: "", `[{"n":1}]`: "0-0/2"} {
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return testkit.Respond(200, http.Header{"Content-Range": {header}}, body), nil
		}))
		list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil, monitoring.WithoutPaging()))
		require.EqualError(t, err, "monitoring: page 1: GET /v1/x: more pages follow: read them without WithoutPaging", body)
		require.Len(t, list, 1, body)
	}
}

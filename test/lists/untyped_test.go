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

// numbered is a service with a list of n items. Their id is in the given member.
func numbered(n int, member string, id func(i int) string, sent *[]*http.Request) http.RoundTripper {
	return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		*sent = append(*sent, req)
		page, _ := strconv.Atoi(req.URL.Query().Get("page"))
		page = max(page, 1)
		limit, _ := strconv.Atoi(req.URL.Query().Get("limit"))
		var items []string
		first := (page - 1) * limit
		for i := first; i < min(first+limit, n); i++ {
			items = append(items, fmt.Sprintf(`{%q:%s,"n":%d}`, member, id(i), i))
		}
		header := http.Header{"Content-Range": {fmt.Sprintf("%d-%d/%d", first, first+len(items)-1, n)}}
		return testkit.Respond(200, header, "["+strings.Join(items, ",")+"]"), nil
	})
}

type counted struct {
	N int `json:"n"`
}

func TestAllReadsAnyListLikeATypedOne(t *testing.T) {
	var sent []*http.Request
	client := kit.Client(t, numbered(250, "id", strconv.Itoa, &sent))
	query := url.Values{"tag": {"a", "b"}}
	seq := monitoring.All[counted](t.Context(), client, "/v1/checks", query)
	query.Set("tag", "changed later")
	require.Empty(t, sent)
	for range 2 {
		sent = nil
		list, err := monitoring.Collect(seq)
		require.NoError(t, err)
		require.Len(t, list, 250)
		require.Equal(t, 249, list[249].N)
		require.Len(t, sent, 3)
		require.Equal(t, "/v1/checks", sent[0].URL.Path)
		require.Equal(t, "limit=100&page=2&tag=a&tag=b", sent[1].URL.RawQuery)
		require.Equal(t, "Bearer key-123", sent[1].Header.Get("Authorization"))
	}

	sent = nil
	list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/checks", url.Values{"limit": {"20"}, "page": {"12"}}))
	require.NoError(t, err)
	require.Equal(t, 220, list[0].N)
	require.Len(t, list, 30)
	require.Equal(t, "limit=20&page=12", sent[0].URL.RawQuery)

	raw, err := monitoring.Collect(monitoring.All[json.RawMessage](t.Context(), client, "/v1/checks", nil))
	require.NoError(t, err)
	require.JSONEq(t, `{"id":1,"n":1}`, string(raw[1]))
}

func TestAllRecognizesItemsByTheirIDs(t *testing.T) {
	for _, c := range []struct {
		name, member string
		id           func(int) string
		opts         []monitoring.CallOption
		yielded      int
	}{
		{"numbers in id", "id", func(i int) string { return strconv.Itoa(i % 6) }, nil, 6},
		{"strings in id", "id", func(i int) string { return fmt.Sprintf("%q", string(rune('a'+i%6))) }, nil, 6},
		{"large numbers", "id", func(i int) string { return "900719925474099" + strconv.Itoa(i%6) }, nil, 6},
		{"another member", "uuid", func(i int) string { return fmt.Sprint(i%6 + 1) }, []monitoring.CallOption{monitoring.WithItemID("uuid")}, 6},
		{"another member, not named", "uuid", func(i int) string { return fmt.Sprint(i % 6) }, nil, 8},
		{"null", "id", func(int) string { return "null" }, nil, 8},
		{"objects", "id", func(i int) string { return fmt.Sprintf(`{"a":%d}`, i%6) }, nil, 8},
		{"empty strings", "id", func(int) string { return `""` }, nil, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			var sent []*http.Request
			client := kit.Client(t, numbered(8, c.member, c.id, &sent))
			list, err := monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", url.Values{"limit": {"4"}}, c.opts...))
			require.NoError(t, err)
			require.Len(t, list, c.yielded)
		})
	}
	client := kit.Client(t, testkit.Status(200, `["a","b"]`))
	words, err := monitoring.Collect(monitoring.All[string](t.Context(), client, "/v1/x", nil))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, words)
}

func TestAllRefusesInvalidRequests(t *testing.T) {
	var sent []*http.Request
	client := kit.Client(t, numbered(8, "id", strconv.Itoa, &sent))
	page := func(name string, values ...string) url.Values { return url.Values{name: values} }
	refused := func(seq func(func(counted, error) bool), text string) {
		t.Helper()
		count := 0
		for _, err := range seq {
			count++
			require.ErrorContains(t, err, text)
			_, ok := err.(*monitoring.ValidationError)
			require.True(t, ok, "%T", err)
		}
		require.Equal(t, 1, count)
	}
	for text, query := range map[string]url.Values{
		"limit: 101 is outside 1..100":           page("limit", "101"),
		"limit: -1 is outside 1..100":            page("limit", "-1"),
		"page: -1 is below 1":                    page("page", "-1"),
		`limit: "ten" is not a whole number`:     page("limit", "ten"),
		`page: "1.5" is not a whole number`:      page("page", "1.5"),
		`limit: "" is not a whole number`:        page("limit", ""),
		"page: must be given once":               page("page", "1", "2"),
		"limit: must be given once; page: \"x\"": {"limit": {}, "page": {"x"}},
	} {
		refused(monitoring.All[counted](t.Context(), client, "/v1/x", query), text)
	}
	refused(monitoring.All[counted](t.Context(), client, "v1/x", nil), "path: must start with a slash")
	refused(monitoring.All[counted](t.Context(), client, "/v1/x?limit=5", nil), "path: must not have a query")

	_, err := monitoring.Collect(monitoring.All[chan int](t.Context(), client, "/v1/x", nil))
	require.EqualError(t, err, "monitoring: GET /v1/x: invalid request, nothing was sent: items: JSON cannot be decoded into a chan int")
	_, err = monitoring.Collect(monitoring.All[**func()](t.Context(), client, "/v1/x", nil))
	require.ErrorContains(t, err, "JSON cannot be decoded into a func()")
	_, err = monitoring.Collect(monitoring.All[io.Reader](t.Context(), client, "/v1/x", nil))
	require.ErrorContains(t, err, "JSON cannot be decoded into the interface io.Reader")
	_, err = monitoring.Collect(monitoring.All[complex128](t.Context(), client, "/v1/x", nil))
	require.ErrorContains(t, err, "JSON cannot be decoded into a complex128")
	_, err = monitoring.Collect(monitoring.All[counted](t.Context(), client, "/v1/x", nil, monitoring.WithItemID("")))
	require.ErrorContains(t, err, "WithItemID needs the name of a member")
	for _, none := range []*monitoring.Client{nil, {}} {
		_, err = monitoring.Collect(monitoring.All[counted](t.Context(), none, "/v1/x", nil))
		require.EqualError(t, err, "monitoring: the client was not made by NewClient")
	}
	require.Empty(t, sent)

	list, err := monitoring.Collect(monitoring.All[any](t.Context(), client, "/v1/x", nil))
	require.NoError(t, err)
	require.Len(t, list, 8)
}

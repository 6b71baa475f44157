package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// copying is a call that copies or returns the body of its response as it is.
type copying func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) (got []byte, err error)

// do is a call of Do that returns the body, with a body of its own if there is one.
func do[T ~[]byte](method string, body any) copying {
	return func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) ([]byte, error) {
		got, err := monitoring.Do[T](ctx, c, method, "/v1/files", nil, body, opts...)
		if err != nil {
			return nil, err
		}
		return *got, nil
	}
}

func TestABodyThatIsTakenAsItIsIsWholeOrAnError(t *testing.T) {
	const part, empty = "only a part of what was asked for was sent (206 Partial Content)", "empty body"
	copyRaw := func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) ([]byte, error) {
		var w bytes.Buffer
		err := c.CheckResults.CopyRaw(ctx, kit.UUID1, kit.UUID2, &w, opts...)
		return w.Bytes(), err
	}
	copyAsset := func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) ([]byte, error) {
		var w bytes.Buffer
		err := c.CheckResults.CopyAsset(ctx, monitoring.CheckResultAsset{URL: "https://monitoring.test/v1/files/log"}, &w, opts...)
		return w.Bytes(), err
	}
	openAPI := func(ctx context.Context, c *monitoring.Client, opts ...monitoring.CallOption) ([]byte, error) {
		var w bytes.Buffer
		err := c.OpenAPI(ctx, &w, opts...)
		return w.Bytes(), err
	}
	for name, c := range map[string]struct {
		call  copying
		empty string // the error of an empty body; "" if it is a file of no bytes
		part  string // the error of a part; "" for JSON that is whole
	}{
		"a copied result, which is JSON":     {copyRaw, empty, part},
		"the description, which is JSON":     {openAPI, empty, part},
		"a copied asset, which is any file":  {copyAsset, "", part},
		"bytes of a GET":                     {do[[]byte]("GET", nil), "", part},
		"bytes of a PUT":                     {do[[]byte]("PUT", json.RawMessage(`{"a":1.0}`)), "", part},
		"bytes of a POST":                    {do[[]byte]("POST", json.RawMessage(`{"a":1.0}`)), "", part},
		"JSON of a GET, which is read whole": {do[json.RawMessage]("GET", nil), "", ""},
		"JSON of a POST":                     {do[json.RawMessage]("POST", json.RawMessage(`{"a":1.0}`)), "", ""},
	} {
		for _, answer := range []struct {
			what, body, err, want string
			status                int
			cut                   bool
		}{
			{what: "a file", status: 200, body: `{ "a" : 1.0 }`, want: `{ "a" : 1.0 }`},
			{what: "200 without a body", status: 200, err: c.empty},
			{what: "201 without a body", status: 201, err: c.empty},
			{what: "202 without a body", status: 202, err: c.empty},
			{what: "204", status: 204, err: c.empty},
			{what: "205", status: 205, err: c.empty},
			{what: "206", status: 206, body: `{ "a" : 1.0 }`, err: c.part, want: `{ "a" : 1.0 }`},
			{what: "206 without a body", status: 206, err: c.part},
			{what: "a body that is cut", status: 200, body: `{ "a" :`, cut: true, err: "unexpected EOF"},
			{what: "a body that is cut before its first byte", status: 200, cut: true, err: "unexpected EOF"},
		} {
			t.Run(name+": "+answer.what, func(t *testing.T) {
				transport := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
					if answer.cut {
						return testkit.Cut(answer.status, answer.body), nil
					}
					return testkit.Respond(answer.status, nil, answer.body), nil
				})
				got, err := c.call(t.Context(), kit.Client(t, transport), monitoring.WithMaxRetries(0))
				if answer.err != "" {
					require.ErrorContains(t, err, answer.err)
					require.NotEqual(t, `{ "a" : 1.0 }`, string(got), "a part is not passed on as if it were whole")
					return
				}
				require.NoError(t, err)
				require.Equal(t, answer.want, string(got))
			})
		}
	}
	ranged := kit.Client(t, testkit.Status(206, "rest"))
	got, err := copyAsset(t.Context(), ranged, monitoring.WithHeader("Range", "bytes=4-"))
	require.NoError(t, err, "a part that was asked for is what was asked for")
	require.Equal(t, "rest", string(got))
}

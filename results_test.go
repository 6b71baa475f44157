package monitoring_test

import (
	"bytes"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestARawResultIsCopiedUnchanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := readFile(t, "testdata/responses/get-v1-check-result.browser-failed.json")
		sent := 0
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return faults["503"](req)
			}
			require.Equal(t, "/v1/check-results/"+uuid1+"/"+uuid2, req.URL.Path)
			return respondWith(200, nil, body), nil
		}))
		var out bytes.Buffer
		require.NoError(t, client.CheckResults.CopyRaw(t.Context(), uuid1, uuid2, &out))
		require.Equal(t, body, out.String())
		require.Equal(t, 2, sent, "nothing was written yet, so the call is retried")
	})
}

func TestCopyRawIsNotRetriedOnceItHasWritten(t *testing.T) {
	client := testClient(t, faults["reset in mid-response"])
	var out bytes.Buffer
	var response monitoring.Response
	require.Error(t, client.CheckResults.CopyRaw(t.Context(), uuid1, uuid2, &out, monitoring.WithResponse(&response)))
	require.Equal(t, 1, response.Attempts)
	require.NotEmpty(t, out.String())
}

func TestTheSizeOfARawResultIsLimited(t *testing.T) {
	client := testClient(t, status(200, `{"id":"0123456789"}`), monitoring.WithMaxResponseSize(10))
	var out bytes.Buffer
	require.ErrorIs(t, client.CheckResults.CopyRaw(t.Context(), uuid1, uuid2, &out), monitoring.ErrResponseTooLarge)
	require.LessOrEqual(t, out.Len(), 10)

	require.EqualError(t, client.OpenAPI(t.Context(), nil), "monitoring: copy the OpenAPI description: the writer is nil")
	require.EqualError(t, client.CheckResults.CopyRaw(t.Context(), uuid1, uuid2, nil), "monitoring: copy a check result: the writer is nil")
	require.ErrorAs(t, client.CheckResults.CopyRaw(t.Context(), "", uuid2, &out), new(*monitoring.ValidationError))
	require.ErrorContains(t, testClient(t, status(200, "{}")).CheckResults.CopyRaw(t.Context(), uuid1, uuid2, testkit.FailingWriter{}), "disk full")
}

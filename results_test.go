package monitoring_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

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

func TestARunErrorIsReadInEachForm(t *testing.T) {
	for data, want := range map[string]monitoring.ResultError{
		`"a\nb"`:                                      {Message: "a\nb"},
		`{"name":"N","message":"m","stack":"s"}`:      {Name: "N", Message: "m", Stack: "s"},
		`{"error":{"message":"inner"}}`:               {Message: "inner"},
		`{"message":"m","error":{"message":"inner"}}`: {Message: "m"},
		`{"message":7,"name":"N"}`:                    {Name: "N"},
		`{"error":"text"}`:                            {}, `{"error":null}`: {}, `{"error":{"message":7}}`: {}, `{}`: {}, `[1]`: {}, `7`: {}, `null`: {},
	} {
		var e monitoring.ResultError
		require.NoError(t, json.Unmarshal([]byte(data), &e), data)
		require.Equal(t, data, string(e.Raw))
		e.Raw = nil
		require.Equal(t, want, e, data)
	}
}

func TestAnAssertionHasTheMembersThatFit(t *testing.T) {
	for data, want := range map[string]monitoring.ResultAssertion{
		`{"order":1,"source":"HEADERS","property":"p","comparison":"EQUALS","regex":"r"}`: {Order: 1, Source: "HEADERS", Property: "p", Comparison: "EQUALS", Regex: "r"},
		`{"order":"1","source":7,"comparison":"EQUALS"}`:                                  {Comparison: "EQUALS"},
		`{"target":200,"actual":"x"}`:                                                     {Target: json.RawMessage(`200`), Actual: json.RawMessage(`"x"`)},
		`{"error":"a\"b"}`:                                                                {Error: `a"b`}, `{"error":null}`: {}, `{"error":7}`: {Error: "7"}, `{"error":{"a":1}}`: {Error: `{"a":1}`},
		`{}`: {}, `[1]`: {}, `"x"`: {}, `null`: {},
	} {
		a := monitoring.ResultAssertion{Error: "old text"}
		require.NoError(t, json.Unmarshal([]byte(data), &a), data)
		require.Equal(t, data, string(a.Raw))
		require.Equal(t, data, written(t, a))
		a.Raw = nil
		require.Equal(t, want, a, data)
	}
	for _, data := range []string{``, `{"order":`} {
		a := monitoring.ResultAssertion{Order: 1}
		require.NoError(t, a.UnmarshalJSON([]byte(data)))
		require.Equal(t, monitoring.ResultAssertion{Raw: json.RawMessage(data)}, a, "what is no JSON is only kept")
	}
}

func TestWhichSessionsAreDone(t *testing.T) {
	stopped := monitoring.Timestamp{Time: time.Now()}
	for name, c := range map[string]struct {
		session monitoring.CheckSession
		want    bool
	}{
		"a final status":                       {monitoring.CheckSession{Status: monitoring.SessionTimedOut}, true},
		"a status of a running session":        {monitoring.CheckSession{Status: monitoring.SessionProgressFailed}, false},
		"a running session with an end":        {monitoring.CheckSession{Status: monitoring.SessionProgress, StoppedAt: &stopped}, false},
		"an unknown status":                    {monitoring.CheckSession{Status: "PAUSED"}, false},
		"an unknown status, with an end":       {monitoring.CheckSession{Status: "PAUSED", StoppedAt: &stopped}, true},
		"an unknown status, with an empty end": {monitoring.CheckSession{Status: "PAUSED", StoppedAt: &monitoring.Timestamp{}}, false},
		"an end without a status":              {monitoring.CheckSession{StoppedAt: &stopped}, false},
		"nothing":                              {monitoring.CheckSession{}, false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, c.session.Done()) })
	}
}

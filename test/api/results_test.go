package api_test

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
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestARawResultIsCopiedUnchanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := kit.File(t, "testdata/responses/get-v1-check-result.browser-failed.json")
		sent := 0
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if sent++; sent == 1 {
				return testkit.Faults["503"](req)
			}
			require.Equal(t, "/v1/check-results/"+kit.UUID1+"/"+kit.UUID2, req.URL.Path)
			return testkit.Respond(200, nil, body), nil
		}))
		var out bytes.Buffer
		require.NoError(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, &out))
		require.Equal(t, body, out.String())
		require.Equal(t, 2, sent, "nothing was written yet, so the call is retried")
	})
}

func TestCopyRawIsNotRetriedOnceItHasWritten(t *testing.T) {
	client := kit.Client(t, testkit.Faults["reset in mid-response"])
	var out bytes.Buffer
	var response monitoring.Response
	require.Error(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, &out, monitoring.WithResponse(&response)))
	require.Equal(t, 1, response.Attempts)
	require.NotEmpty(t, out.String())
}

func TestTheSizeOfARawResultIsLimited(t *testing.T) {
	client := kit.Client(t, testkit.Status(200, `{"id":"0123456789"}`), monitoring.WithMaxResponseSize(10))
	var out bytes.Buffer
	require.ErrorIs(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, &out), monitoring.ErrResponseTooLarge)
	require.LessOrEqual(t, out.Len(), 10)

	require.EqualError(t, client.OpenAPI(t.Context(), nil), "monitoring: copy the OpenAPI description: the writer is nil")
	require.EqualError(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, nil), "monitoring: copy a check result: the writer is nil")
	require.ErrorAs(t, client.CheckResults.CopyRaw(t.Context(), "", kit.UUID2, &out), new(*monitoring.ValidationError))
	require.ErrorContains(t, kit.Client(t, testkit.Status(200, "{}")).CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, testkit.FailingWriter{}), "disk full")
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

func TestMessagesAreTheErrorsOfAResult(t *testing.T) {
	for name, c := range map[string]struct {
		result string
		want   []string
	}{
		"nothing": {`{"resultType":"FINAL"}`, nil},
		"an assertion that failed": {
			`{"apiCheckResult":{"assertions":[{"error":null},{"error":"expected 1"}],"requestError":null}}`, []string{"expected 1"},
		},
		"a request error, so the assertions are ignored": {
			`{"apiCheckResult":{"assertions":[{"error":"stale"}],"requestError":"refused"}}`, []string{"refused"},
		},
		"an empty request error, which is ignored": {
			`{"sslCheckResult":{"assertions":[{"error":"expires"}],"requestError":""}}`, []string{"expires"},
		},
		"errors as strings and objects": {
			`{"browserCheckResult":{"errors":["text",{"name":"Error","message":"object"}]}}`, []string{"text", "object"},
		},
		"errors of several steps": {`{"multiStepCheckResult":{"errors":["step"]}}`, []string{"step"}},
		"an error without a message, as JSON": {
			`{"playwrightCheckResult":{"errors":[{"code":7}]}}`, []string{`{"code":7}`},
		},
		"an agent's errors and conditions": {
			`{"agenticCheckResult":{"errors":[{"error":{"message":"deep"}}],"assertions":[{"condition":"a","passed":true},{"condition":"b","passed":false,"expected":"1","actual":"2"}]}}`,
			[]string{"deep", `b: expected "1", got "2"`},
		},
		"a traceroute error and a gRPC assertion": {
			`{"tracerouteCheckResult":{"requestError":"no route"},"grpcCheckResult":{"assertions":[{"error":"NOT_SERVING"}]}}`,
			[]string{"no route", "NOT_SERVING"},
		},
		"an assertion that is not an object":      {`{"apiCheckResult":{"assertions":["odd"]}}`, nil},
		"no payload, for a slow run":              {`{"hasFailures":true,"overMaxResponseTime":true,"responseTime":5200.5}`, []string{"the response time of 5200.5 ms is over the maxResponseTime"}},
		"no payload, for a failed run":            {`{"hasFailures":true}`, []string{"it failed; the result does not say why"}},
		"no payload, for a cancelled run":         {`{"hasFailures":true,"isCancelled":true}`, []string{"it was cancelled"}},
		"no payload, for an error of the service": {`{"hasErrors":true,"hasFailures":true}`, []string{"the service itself had an error"}},
		"a payload without a reason":              {`{"hasFailures":true,"apiCheckResult":{"assertions":[],"requestError":null}}`, []string{"it failed; the result does not say why"}},
		"a degraded run":                          {`{"isDegraded":true}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var r monitoring.CheckResult
			require.NoError(t, json.Unmarshal([]byte(c.result), &r))
			require.Equal(t, c.want, r.Messages())
		})
	}
}

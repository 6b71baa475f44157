package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// responseFiles returns the successful responses of an operation in testdata.
func responseFiles(t testing.TB, operation string) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/responses/" + operation + ".*.json")
	require.NoError(t, err)
	return files
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

// respond calls an operation whose response has the given body.
func respond(t *testing.T, file string, status int, body string) (any, error) {
	t.Helper()
	i := slices.IndexFunc(operationCalls, func(c operationCall) bool { return c.file == file })
	require.NotEqual(t, -1, i, "no operation has the file %s: add its row to operationCalls in tables_test.go", file)
	c := operationCalls[i]
	c.ids = idsOf(c, body)
	method, _, _ := strings.Cut(c.operation, " ")
	mock := httpmock.NewMockTransport()
	mock.RegisterResponder(method, testBase+c.path(c.ids...), httpmock.NewStringResponder(status, body))
	client := makeClient(t, testBase, testKey, &http.Client{Transport: mock}, WithMaxRetries(0))
	return c.do(t.Context(), client)
}

// idsOf returns the ids of a row, the last one replaced by the id of the object in a body: the
// body of another object would be an error.
func idsOf(c operationCall, body string) []string {
	ids := slices.Clone(c.ids)
	for _, name := range []string{"id", "checkSessionId"} {
		own := string(rawjson.Find([]byte(body), name))
		if number, exact := lenient.Whole(own); own != "" && c.numbered() && exact && isNumber(number) {
			ids[len(ids)-1] = number
		} else if text := strings.Trim(own, `"`); len(ids) > 0 && !c.numbered() && len(text) == len(own)-2 {
			ids[len(ids)-1] = text
		}
	}
	return ids
}

// decode calls an operation whose response is a file of testdata, and returns the result.
func decode[T any](t *testing.T, name string) T {
	t.Helper()
	operation, _, _ := strings.Cut(name, ".")
	value, err := respond(t, operation, http.StatusOK, readFile(t, "testdata/responses/"+name+".json"))
	require.NoError(t, err)
	require.IsType(t, *new(T), value)
	return value.(T)
}

func parseJSON(t testing.TB, text string) any {
	t.Helper()
	var v any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	require.NoError(t, d.Decode(&v))
	return v
}

// toJSON returns the JSON of a value as it is sent, secrets included.
func toJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := MarshalWithSecrets(v)
	require.NoError(t, err)
	return string(data)
}

func TestEveryResponseInTestdataFitsItsType(t *testing.T) {
	files, err := filepath.Glob("testdata/responses/*.json")
	require.NoError(t, err)
	require.Greater(t, len(files), 100)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			operation, kind, _ := strings.Cut(name, ".")
			status := http.StatusOK
			if strings.HasPrefix(kind, "202-") {
				status = http.StatusAccepted
			}
			sent := readFile(t, file)
			value, err := respond(t, operation, status, sent)
			require.NoError(t, err)
			c := &comparison{nullIsZero: strings.HasSuffix(name, ".optional-null")}
			c.compare("", parseJSON(t, sent), parseJSON(t, toJSON(t, value)))
			require.Empty(t, c.problems)
		})
	}
}

func TestTimestampsAndDatesKeepTheirTimeAndText(t *testing.T) {
	windows := decode[[]MaintenanceWindow](t, "get-v1-maintenance-windows.three")
	require.Len(t, windows, 3)
	require.Equal(t, time.Date(2026, 8, 23, 4, 30, 0, 0, time.UTC), windows[0].EndsAt.UTC())
	require.False(t, windows[0].EndsAt.DateOnly())
	require.Equal(t, "2026-08-23T04:30:00.000Z", windows[0].EndsAt.Raw())
	require.True(t, windows[1].StartsAt.DateOnly())
	require.Equal(t, time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), windows[1].StartsAt.Time)
	require.Nil(t, windows[1].UpdatedAt)
	require.Nil(t, windows[1].StatusPageVisibility.Severity)
	require.Nil(t, windows[2].Tags)
}

func TestTheRetryStrategyOfAGroupIsReadInEachForm(t *testing.T) {
	require.Equal(t, RetryStrategyFallback, decode[*CheckGroup](t, "get-v1-check-group.fallback").RetryStrategy.Type)
	require.Nil(t, decode[*CheckGroup](t, "get-v1-check-group.strategy-null").RetryStrategy)
	require.Nil(t, decode[*CheckGroup](t, "get-v1-check-group.required-only").RetryStrategy)
	strategy := decode[*CheckGroup](t, "get-v1-check-group.strategy").RetryStrategy
	require.Equal(t, []RetryCondition{RetryOnNetworkError}, strategy.OnlyOn)
	require.Equal(t, RetryStrategyExponential, strategy.Type)
	require.Equal(t, 5, *strategy.BaseBackoffSeconds)
	require.False(t, *strategy.SameRegion)
}

func TestARetryConditionIsAListWhetherSentAsStringOrList(t *testing.T) {
	for text, want := range map[string][]RetryCondition{
		`{"type":"FIXED","onlyOn":"NETWORK_ERROR"}`:   {RetryOnNetworkError},
		`{"type":"FIXED","onlyOn":["NETWORK_ERROR"]}`: {RetryOnNetworkError},
		`{"type":"FIXED","onlyOn":[]}`:                {},
		`{"type":"FIXED","onlyOn":null}`:              nil,
		`{"type":"FIXED"}`:                            nil,
	} {
		var s RetryStrategy
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		require.Equal(t, want, s.OnlyOn, text)
	}
}

func TestLatenciesAreReadInTheirThreeSpellings(t *testing.T) {
	r := decode[*CheckResult](t, "get-v1-check-result.latency-spellings").TracerouteCheckResult
	require.Equal(t, &HopLatency{AvgMs: new(24.1), BestMs: new(22.0), WorstMs: new(31.4), StdDev: new(1.5)}, r.FinalHopLatency)
	require.Equal(t, &HopLatency{AvgMs: new(2.5), BestMs: new(0.0), WorstMs: new(3.0)}, r.Response.FinalHopLatency)
	r = decode[*CheckResult](t, "get-v1-check-result.traceroute-failed").TracerouteCheckResult
	require.Equal(t, r.FinalHopLatency, r.Response.FinalHopLatency)
}

func TestRunErrorsAreReadAsStringsOrObjects(t *testing.T) {
	r := decode[*CheckResult](t, "get-v1-check-result.browser-failed")
	list := r.BrowserCheckResult.Errors
	require.Len(t, list, 2)
	require.Equal(t, "Timeout 10000ms exceeded waiting for locator('#submit')", list[0].Message)
	require.Equal(t, "Error", list[1].Name)
	require.Equal(t, "expect(received).toBe(expected)", list[1].Message)
	require.Equal(t, []string{list[0].Message, list[1].Message}, r.Messages())
	agentic := decode[*CheckResult](t, "get-v1-check-result.agentic-failed")
	require.Equal(t, "Request failed: 503", agentic.AgenticCheckResult.Errors[0].Message)
	require.Nil(t, agentic.AgenticCheckResult.Summary)
}

func TestJobLogsAreObjectsOrArrays(t *testing.T) {
	require.JSONEq(t, `{"setup":[{"time":1787134532511,"msg":"Preparing request","level":"INFO"}],"request":[],"teardown":[]}`,
		string(decode[*CheckResult](t, "get-v1-check-result.api-passed").APICheckResult.JobLog))
	require.JSONEq(t, `[{"time":1787140800003,"msg":"Starting job","level":"DEBUG"}]`,
		string(decode[*CheckResult](t, "get-v1-check-result.browser-failed").BrowserCheckResult.JobLog))
}

func TestWholeNumbersWithAFractionAreRead(t *testing.T) {
	r := decode[*CheckResult](t, "get-v1-check-result.whole-numbers-with-fraction")
	require.Equal(t, 2, *r.Attempts)
	require.EqualValues(t, int64(1787134532500), r.CheckRunID)
	require.Equal(t, 30, *r.TracerouteCheckResult.TotalHops)
	require.Equal(t, 443, *r.GRPCCheckResult.Response.Port)
	require.Equal(t, `"costs 5.0"`, string(r.AgenticCheckResult.Steps[0].Output))
}

func TestEmptyListsAndNullsDiffer(t *testing.T) {
	r := decode[*CheckResult](t, "get-v1-check-result.multi-step-passed")
	require.Nil(t, r.ErrorGroupIDs)
	require.NotNil(t, r.MultiStepCheckResult.Errors)
	require.Empty(t, r.MultiStepCheckResult.Errors)
	r = decode[*CheckResult](t, "get-v1-check-result.tcp-degraded")
	require.NotNil(t, r.ErrorGroupIDs)
	require.Nil(t, r.APICheckResult)
	require.True(t, *r.IsDegraded)
	tcp := decode[*TCPCheck](t, "post-v1-checks-tcp.newer-members")
	require.Nil(t, tcp.Locations)
	require.Nil(t, tcp.PrivateLocations)
	require.Nil(t, tcp.MaxResponseTime)
	require.Nil(t, tcp.AlertChannels)
	require.Equal(t, 0, *tcp.GroupOrder)
	require.NotNil(t, decode[*TCPCheck](t, "post-v1-checks-tcp.date-only").Locations)
}

func TestAPendingAnalysisIsAResult(t *testing.T) {
	body := readFile(t, "testdata/responses/get-v1-root-cause-analysis.202-pending.json")
	for text, status := range map[string]int{body: 202, `{"id":"x","status":"PENDING"}`: 200, `{"id":"x"}`: 202} {
		value, err := respond(t, "get-v1-root-cause-analysis", status, text)
		require.NoError(t, err)
		analysis := value.(*RootCauseAnalysis)
		require.Equal(t, RootCauseAnalysisPending, analysis.Status)
		require.False(t, analysis.Completed())
		require.Nil(t, analysis.Analysis)
	}
	require.True(t, decode[*RootCauseAnalysis](t, "get-v1-root-cause-analysis.completed").Completed())
}

func TestACancelledSessionIsRecognizedInBothVersions(t *testing.T) {
	old := decode[*CheckSession](t, "get-v1-check-session.timed-out-cancelled")
	require.Equal(t, SessionTimedOut, old.Status)
	require.True(t, old.Cancelled())
	require.False(t, old.Passed())
	require.True(t, decode[*CheckSession](t, "get-v2-check-session.cancelled").Cancelled())
	passed := decode[*CheckSession](t, "get-v2-check-session.passed-on-retry")
	require.False(t, passed.Cancelled())
	require.True(t, passed.Passed())
	require.Len(t, passed.FinalResults(), 2)
	require.Len(t, passed.Attempts(), 1)
	running := decode[*CheckSession](t, "get-v2-check-session.progress-failed")
	require.False(t, running.Done())
	require.Nil(t, running.Results[1].ResultType)
	require.Nil(t, running.Results[1].ResponseTime)
	require.Equal(t, 4312.25, running.TimeElapsed)
	unknown := decode[*CheckSession](t, "get-v2-check-session.unknown-members")
	require.True(t, unknown.Done(), "it has stopped, although its status is unknown")
	require.False(t, unknown.Passed())
	unknown.StoppedAt = nil
	require.False(t, unknown.Done(), "an unknown status alone is not final")
}

func TestEveryErrorInTestdataIsReturnedAsAnAPIError(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			operation, kind, _ := strings.Cut(name, ".")
			var status int
			_, err := fmt.Sscanf(kind, "%d", &status)
			require.NoError(t, err)
			text := readFile(t, file)
			var body struct{ Error, Message, ErrorCode string }
			var members struct{ Attributes, Validation json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(text), &body))
			require.NoError(t, json.Unmarshal([]byte(text), &members))
			_, err = respond(t, operation, status, text)
			failed, ok := errors.AsType[*APIError](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, status, failed.StatusCode)
			require.Equal(t, body.Error, failed.Reason)
			require.Equal(t, body.Message, failed.Message)
			require.Equal(t, body.ErrorCode, failed.Code)
			require.Equal(t, members.Attributes, failed.Attributes)
			require.Equal(t, members.Validation, failed.Validation)
			require.Equal(t, text, string(failed.Body))
			require.Equal(t, status == 408, errors.Is(err, ErrNotCompleted))
			require.Equal(t, status == 404 && strings.Contains(name, "-trigger"), errors.Is(err, ErrNoMatchingChecks))
			for want, value := range map[int]error{400: ErrBadRequest, 401: ErrUnauthorized, 402: ErrPaymentRequired, 403: ErrForbidden, 404: ErrNotFound, 429: ErrRateLimited} {
				require.Equal(t, status == want, errors.Is(err, value), "%v", value)
			}
		})
	}
}

func TestTheDurationOfASessionIsFromItsStartToItsEnd(t *testing.T) {
	start := NewTimestamp(time.Date(2026, 7, 14, 9, 0, 0, 0, time.UTC))
	end := NewTimestamp(start.Add(90 * time.Second))
	for name, c := range map[string]struct {
		session CheckSession
		want    time.Duration
	}{
		"it has ended":                          {CheckSession{StartedAt: start, StoppedAt: &end, TimeElapsed: 80_000}, 90 * time.Second},
		"it runs":                               {CheckSession{StartedAt: start, TimeElapsed: 80_000.5}, 80*time.Second + 500*time.Microsecond},
		"its end is not known":                  {CheckSession{StartedAt: start, StoppedAt: &Timestamp{}, TimeElapsed: 80_000}, 80 * time.Second},
		"it has ended, its start is not known":  {CheckSession{StoppedAt: &end, TimeElapsed: 80_000}, 80 * time.Second},
		"it has just begun, nothing is elapsed": {CheckSession{StartedAt: start}, 0},
	} {
		require.Equal(t, c.want, c.session.Duration(), name)
	}
}

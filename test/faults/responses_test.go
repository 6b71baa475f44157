package faults_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestEveryResponseInTestdataFitsItsType(t *testing.T) {
	files := kit.Files(t, "testdata/responses/*.json")
	require.Greater(t, len(files), 100)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			operation, kind, _ := strings.Cut(name, ".")
			status := http.StatusOK
			if strings.HasPrefix(kind, "202-") {
				status = http.StatusAccepted
			}
			sent := kit.File(t, file)
			value, err := kit.Respond(t, operation, status, sent)
			require.NoError(t, err)
			c := &comparison{nullIsZero: strings.HasSuffix(name, ".optional-null")}
			c.compare("", kit.ParseJSON(t, sent), kit.ParseJSON(t, kit.ToJSON(t, value)))
			require.Empty(t, c.problems)
		})
	}
}

func TestTimestampsAndDatesKeepTheirTimeAndText(t *testing.T) {
	windows := kit.Decode[[]monitoring.MaintenanceWindow](t, "get-v1-maintenance-windows.three")
	require.Len(t, windows, 3)
	require.Equal(t, time.Date(2026, 8, 23, 4, 30, 0, 0, time.UTC), windows[0].EndsAt.UTC())
	require.False(t, windows[0].EndsAt.DateOnly())
	require.Equal(t, "2026-08-23T04:30:00.000Z", windows[0].EndsAt.Raw())
	require.True(t, windows[1].StartsAt.DateOnly())
	require.Equal(t, time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), windows[1].StartsAt.Time)
	require.Nil(t, windows[1].UpdatedAt)
	require.True(t, windows[1].StatusPageVisibility.Severity.IsNull())
	require.Nil(t, windows[2].Tags)
}

func TestTheRetryStrategyOfAGroupIsReadInEachForm(t *testing.T) {
	for text, want := range map[string]*monitoring.RetryStrategy{
		`"FALLBACK"`: {Type: monitoring.RetryStrategyFallback},
		`null`:       nil,
		`{"type":"EXPONENTIAL","baseBackoffSeconds":5,"sameRegion":false,"onlyOn":"NETWORK_ERROR"}`: {
			Type: monitoring.RetryStrategyExponential, BaseBackoffSeconds: new(5), SameRegion: new(false), OnlyOn: []monitoring.RetryCondition{monitoring.RetryOnNetworkError}},
		`{"type":"FIXED","onlyOn":["NETWORK_ERROR"]}`: {Type: monitoring.RetryStrategyFixed, OnlyOn: []monitoring.RetryCondition{monitoring.RetryOnNetworkError}},
		`{"type":"FIXED","onlyOn":[]}`:                {Type: monitoring.RetryStrategyFixed, OnlyOn: []monitoring.RetryCondition{}},
	} {
		value, err := kit.Respond(t, "get-v1-check-group", 200, `{"name":"g","retryStrategy":`+text+`}`)
		require.NoError(t, err)
		got := value.(*monitoring.CheckGroup).RetryStrategy
		if want == nil {
			require.Nil(t, got)
			continue
		}
		require.Equal(t, []any{want.Type, want.BaseBackoffSeconds, want.SameRegion, want.OnlyOn}, []any{got.Type, got.BaseBackoffSeconds, got.SameRegion, got.OnlyOn}, text)
	}
}

func TestLatenciesAreReadInTheirThreeSpellings(t *testing.T) {
	r := kit.Decode[*monitoring.CheckResult](t, "get-v1-check-result.latency-spellings").TracerouteCheckResult
	require.Equal(t, &monitoring.HopLatency{AvgMs: new(24.1), BestMs: new(22.0), WorstMs: new(31.4), StdDev: new(1.5)}, r.FinalHopLatency)
	require.Equal(t, &monitoring.HopLatency{AvgMs: new(2.5), BestMs: new(0.0), WorstMs: new(3.0)}, r.Response.FinalHopLatency)
	r = kit.Decode[*monitoring.CheckResult](t, "get-v1-check-result.traceroute-failed").TracerouteCheckResult
	require.Equal(t, r.FinalHopLatency, r.Response.FinalHopLatency)
}

func TestRunErrorsAreReadAsStringsOrObjects(t *testing.T) {
	r := kit.Decode[*monitoring.CheckResult](t, "get-v1-check-result.browser-failed")
	list := r.BrowserCheckResult.Errors
	require.Len(t, list, 2)
	require.Equal(t, "Timeout 10000ms exceeded waiting for locator('#submit')", list[0].Message)
	require.Equal(t, "Error", list[1].Name)
	require.Equal(t, "expect(received).toBe(expected)", list[1].Message)
	require.Equal(t, []string{list[0].Message, list[1].Message}, r.Messages())
	agentic := kit.Decode[*monitoring.CheckResult](t, "get-v1-check-result.agentic-failed")
	require.Equal(t, "Request failed: 503", agentic.AgenticCheckResult.Errors[0].Message)
	require.Nil(t, agentic.AgenticCheckResult.Summary)
}

func TestEmptyListsAndNullsDiffer(t *testing.T) {
	r := kit.Decode[*monitoring.CheckResult](t, "get-v1-check-result.multi-step-passed")
	require.Nil(t, r.ErrorGroupIDs)
	require.NotNil(t, r.MultiStepCheckResult.Errors)
	require.Empty(t, r.MultiStepCheckResult.Errors)
	r = kit.Decode[*monitoring.CheckResult](t, "get-v1-check-result.tcp-degraded")
	require.NotNil(t, r.ErrorGroupIDs)
	require.Nil(t, r.APICheckResult)
	require.True(t, *r.IsDegraded)
	tcp := kit.Decode[*monitoring.TCPCheck](t, "post-v1-checks-tcp.newer-members")
	require.Nil(t, tcp.Locations)
	require.Nil(t, tcp.PrivateLocations)
	require.Nil(t, tcp.MaxResponseTime)
	require.Nil(t, tcp.AlertChannels)
	require.Equal(t, 0, *tcp.GroupOrder)
	require.NotNil(t, kit.Decode[*monitoring.TCPCheck](t, "post-v1-checks-tcp.date-only").Locations)
}

func TestAPendingAnalysisIsAResult(t *testing.T) {
	body := kit.File(t, "testdata/responses/get-v1-root-cause-analysis.202-pending.json")
	for text, status := range map[string]int{body: 202, `{"id":"x","status":"PENDING"}`: 200, `{"id":"x"}`: 202} {
		value, err := kit.Respond(t, "get-v1-root-cause-analysis", status, text)
		require.NoError(t, err)
		analysis := value.(*monitoring.RootCauseAnalysis)
		require.Equal(t, monitoring.RootCauseAnalysisPending, analysis.Status)
		require.False(t, analysis.Completed())
		require.Nil(t, analysis.Analysis)
	}
	require.True(t, kit.Decode[*monitoring.RootCauseAnalysis](t, "get-v1-root-cause-analysis.completed").Completed())
}

func TestACancelledSessionIsRecognizedInBothVersions(t *testing.T) {
	old := kit.Decode[*monitoring.CheckSession](t, "get-v1-check-session.timed-out-cancelled")
	require.Equal(t, monitoring.SessionTimedOut, old.Status)
	require.True(t, old.Cancelled())
	require.False(t, old.Passed())
	require.True(t, kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.cancelled").Cancelled())
	passed := kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.passed-on-retry")
	require.False(t, passed.Cancelled())
	require.True(t, passed.Passed())
	require.Len(t, passed.FinalResults(), 2)
	require.Len(t, passed.Attempts(), 1)
	running := kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.progress-failed")
	require.False(t, running.Done())
	require.Nil(t, running.Results[1].ResultType)
	require.Nil(t, running.Results[1].ResponseTime)
	require.Equal(t, 4312.25, running.TimeElapsed)
	unknown := kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.unknown-members")
	require.True(t, unknown.Done(), "it has stopped, although its status is unknown")
	require.False(t, unknown.Passed())
	unknown.StoppedAt = nil
	require.False(t, unknown.Done(), "an unknown status alone is not final")
}

func TestEveryErrorInTestdataIsReturnedAsAnAPIError(t *testing.T) {
	files := kit.Files(t, "testdata/errors/*.json")
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		t.Run(name, func(t *testing.T) {
			operation, kind, _ := strings.Cut(name, ".")
			var status int
			_, err := fmt.Sscanf(kind, "%d", &status)
			require.NoError(t, err)
			text := kit.File(t, file)
			var body struct{ Error, Message, ErrorCode string }
			var members struct{ Attributes, Validation json.RawMessage }
			require.NoError(t, json.Unmarshal([]byte(text), &body))
			require.NoError(t, json.Unmarshal([]byte(text), &members))
			_, err = kit.Respond(t, operation, status, text)
			failed, ok := errors.AsType[*monitoring.APIError](err)
			require.True(t, ok, "%v", err)
			require.Equal(t, status, failed.StatusCode)
			require.Equal(t, body.Error, failed.Reason)
			require.Equal(t, body.Message, failed.Message)
			require.Equal(t, body.ErrorCode, failed.Code)
			require.Equal(t, members.Attributes, failed.Attributes)
			require.Equal(t, members.Validation, failed.Validation)
			require.Equal(t, text, string(failed.Body))
			require.Equal(t, status == 408, errors.Is(err, monitoring.ErrNotCompleted))
			require.Equal(t, status == 404 && strings.Contains(name, "-trigger"), errors.Is(err, monitoring.ErrNoMatchingChecks))
			for want, value := range map[int]error{400: monitoring.ErrBadRequest, 401: monitoring.ErrUnauthorized, 402: monitoring.ErrPaymentRequired, 403: monitoring.ErrForbidden, 404: monitoring.ErrNotFound, 429: monitoring.ErrRateLimited} {
				require.Equal(t, status == want, errors.Is(err, value), "%v", value)
			}
		})
	}
}

func TestTheDurationOfASessionIsFromItsStartToItsEnd(t *testing.T) {
	start := monitoring.NewTimestamp(time.Date(2026, 7, 14, 9, 0, 0, 0, time.UTC))
	end := monitoring.NewTimestamp(start.Add(90 * time.Second))
	for name, c := range map[string]struct {
		session monitoring.CheckSession
		want    time.Duration
	}{
		"it has ended":                          {monitoring.CheckSession{StartedAt: start, StoppedAt: &end, TimeElapsed: 80_000}, 90 * time.Second},
		"it runs":                               {monitoring.CheckSession{StartedAt: start, TimeElapsed: 80_000.5}, 80*time.Second + 500*time.Microsecond},
		"its end is not known":                  {monitoring.CheckSession{StartedAt: start, StoppedAt: &monitoring.Timestamp{}, TimeElapsed: 80_000}, 80 * time.Second},
		"it has ended, its start is not known":  {monitoring.CheckSession{StoppedAt: &end, TimeElapsed: 80_000}, 80 * time.Second},
		"it has just begun, nothing is elapsed": {monitoring.CheckSession{StartedAt: start}, 0},
	} {
		require.Equal(t, c.want, c.session.Duration(), name)
	}
}

func TestOneUnusualMemberDoesNotFailAResponse(t *testing.T) {
	group, err := kit.Respond(t, "get-v1-check-group", 200, `{"id":9007199254740993.0,"name":"g","concurrency":2.0,"runtimeId":2024.10,"alertSettings":{"reminders":{"amount":1.0,"interval":5.5}},`+
		`"retryStrategy":{"maxRetries":2.0,"baseBackoffSeconds":1.5,"onlyOn":"NETWORK_ERROR"},"apiCheckDefaults":{"headers":[{"key":"k","value":5}],"assertions":[{"target":200}]},"tags":"one"}`)
	require.NoError(t, err)
	g := group.(*monitoring.CheckGroup)
	require.Equal(t, int64(9007199254740993), g.ID)
	require.Equal(t, monitoring.RuntimeID("2024.10"), *g.RuntimeID)
	require.Equal(t, []string{"one"}, g.Tags)
	require.Equal(t, "5", g.APICheckDefaults.Headers[0].Value.Reveal())
	require.Equal(t, "200", *g.APICheckDefaults.Assertions[0].Target)
	require.Equal(t, 2, *g.RetryStrategy.MaxRetries)
	require.Equal(t, 1, *g.AlertSettings.Reminders.Amount)
	require.Equal(t, 5, *g.AlertSettings.Reminders.Interval)
	require.Equal(t, 1, *g.RetryStrategy.BaseBackoffSeconds)
	update, err := json.Marshal(g.ToUpdate())
	require.NoError(t, err)
	require.Contains(t, string(update), `"baseBackoffSeconds":1.5`)

	check, err := kit.Respond(t, "post-v1-checks-tcp", 201, `{"id":"c","request":{"port":443.0,"data":{"a": 1.0}},"alertChannels":{"sms":[{"number":4915112345678}]}}`)
	require.NoError(t, err)
	data, _ := check.(*monitoring.TCPCheck).Request.Data.Get()
	require.Equal(t, `{"a": 1.0}`, data)
	require.Equal(t, "4915112345678", check.(*monitoring.TCPCheck).AlertChannels.SMS[0].Number)

	alerts, err := kit.Respond(t, "get-v1-alert-notifications", 200, `[{"id":"a","notificationResult":{"status":503},"alertConfig":{"n":1.0},"alertChannelId":7.0}]`)
	require.NoError(t, err)
	alert := alerts.([]monitoring.AlertNotification)[0]
	require.Equal(t, `{"status":503}`, *alert.NotificationResult)
	require.Equal(t, `{"n":1.0}`, string(alert.AlertConfig.Reveal()), "raw members are never rewritten")

	groups, err := kit.Respond(t, "get-v1-error-groups", 200, `[{"id":"e","rawErrorMessage":{"code":1},"rootCauseAnalyses":[{"n":9007199254740993.0}]}]`)
	require.NoError(t, err)
	require.Equal(t, `{"code":1}`, *groups.([]monitoring.ErrorGroup)[0].RawErrorMessage)
	require.Equal(t, `{"n":9007199254740993.0}`, string(groups.([]monitoring.ErrorGroup)[0].RootCauseAnalyses[0]))
}

func TestAByteOrderMarkBeforeAResponseIsSkipped(t *testing.T) {
	client, _ := kit.Recorded(t, http.StatusOK, "\ufeff"+`[{"region":"eu-west-1","name":"Ireland"}]`)
	locations, err := client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, monitoring.Region("eu-west-1"), locations[0].Region)
	client, _ = kit.Recorded(t, http.StatusOK, "\ufeff \n")
	_, err = client.Locations.List(t.Context())
	require.ErrorContains(t, err, "the response is empty")
	client, _ = kit.Recorded(t, http.StatusNotFound, "\ufeff"+`{"message":"no such thing"}`)
	_, err = client.Locations.List(t.Context())
	require.ErrorContains(t, err, "no such thing")
}

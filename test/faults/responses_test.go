package faults_test

import (
	"encoding/json"
	"fmt"
	"math/big"
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
		operation, kind, _ := strings.Cut(filepath.Base(file), ".")
		status := http.StatusOK
		if strings.HasPrefix(kind, "202-") {
			status = http.StatusAccepted
		}
		sent := kit.File(t, file)
		value, err := kit.Respond(t, operation, status, sent)
		require.NoError(t, err, file)
		require.Empty(t, missing("", kit.ParseJSON(t, sent), kit.ParseJSON(t, kit.ToJSON(t, value))), file)
	}
}

// missing says what is lost of JSON that was sent in the JSON of the value it was read into. What was not
// sent, or sent as null, may be there as null or zero.
func missing(path string, sent, got any) (problems []string) {
	same := true
	switch want := sent.(type) {
	case nil:
		same = isZero(got)
	case map[string]any:
		var members map[string]any
		members, same = got.(map[string]any)
		for name, value := range want {
			back, ok := members[name]
			if !ok && strings.HasSuffix(path, "finalHopLatency") {
				back, ok = members[spellings[name]]
			}
			if ok || value != nil && !strings.HasPrefix(name, "future") && name != "truncated" { // a later version of the service has it; false is as good as absent
				problems = append(problems, missing(path+"."+name, value, back)...)
			}
		}
	case []any:
		var items []any
		items, same = got.([]any)
		if same = same && len(items) == len(want); same {
			for i := range want {
				problems = append(problems, missing(fmt.Sprintf("%s[%d]", path, i), want[i], items[i])...)
			}
		}
	case json.Number:
		a, _ := new(big.Rat).SetString(want.String())
		number, _ := got.(json.Number)
		b, ok := new(big.Rat).SetString(number.String())
		same = ok && a.Cmp(b) == 0
	default:
		same = sent == got
	}
	if !same {
		problems = append(problems, fmt.Sprintf("%s: sent %v, got %v", path, sent, got))
	}
	return problems
}

// spellings are the other member names of latencies.
var spellings = map[string]string{
	"avg_ms": "avgMs", "best_ms": "bestMs", "worst_ms": "worstMs", "avg": "avgMs", "min": "bestMs", "max": "worstMs",
}

func isZero(v any) bool {
	switch v := v.(type) {
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, member := range v {
			if !isZero(member) {
				return false
			}
		}
		return true
	}
	return v == nil || v == false || v == "" || v == json.Number("0")
}

func TestTheRetryStrategyOfAGroupIsReadInEachForm(t *testing.T) {
	onNetworkError := []monitoring.RetryCondition{monitoring.RetryOnNetworkError}
	for text, want := range map[string]monitoring.RetryStrategy{
		`"FALLBACK"`: {Type: monitoring.RetryStrategyFallback},
		`{"type":"EXPONENTIAL","baseBackoffSeconds":5,"sameRegion":false,"onlyOn":"NETWORK_ERROR"}`: {
			Type: monitoring.RetryStrategyExponential, BaseBackoffSeconds: new(5), SameRegion: new(false), OnlyOn: onNetworkError},
		`{"type":"FIXED","onlyOn":["NETWORK_ERROR"]}`: {Type: monitoring.RetryStrategyFixed, OnlyOn: onNetworkError},
		`{"type":"FIXED","onlyOn":[]}`:                {Type: monitoring.RetryStrategyFixed, OnlyOn: []monitoring.RetryCondition{}},
	} {
		value, err := kit.Respond(t, "get-v1-check-group", 200, `{"name":"g","retryStrategy":`+text+`}`)
		require.NoError(t, err)
		got := value.(*monitoring.CheckGroup).RetryStrategy
		require.Equal(t, []any{want.Type, want.BaseBackoffSeconds, want.SameRegion, want.OnlyOn}, []any{got.Type, got.BaseBackoffSeconds, got.SameRegion, got.OnlyOn}, text)
	}
	value, err := kit.Respond(t, "get-v1-check-group", 200, `{"name":"g","retryStrategy":null}`)
	require.NoError(t, err)
	require.Nil(t, value.(*monitoring.CheckGroup).RetryStrategy)
}

func TestLatenciesAreReadInTheirThreeSpellings(t *testing.T) {
	r := kit.Decode[*monitoring.CheckResult](t, "get-v1-check-result.latency-spellings").TracerouteCheckResult
	require.Equal(t, &monitoring.HopLatency{AvgMs: new(24.1), BestMs: new(22.0), WorstMs: new(31.4), StdDev: new(1.5)}, r.FinalHopLatency)
	require.Equal(t, &monitoring.HopLatency{AvgMs: new(2.5), BestMs: new(0.0), WorstMs: new(3.0)}, r.Response.FinalHopLatency)
	r = kit.Decode[*monitoring.CheckResult](t, "get-v1-check-result.traceroute-failed").TracerouteCheckResult
	require.Equal(t, r.FinalHopLatency, r.Response.FinalHopLatency)
}

func TestEmptyListsAndNullsDiffer(t *testing.T) {
	r := kit.Decode[*monitoring.CheckResult](t, "get-v1-check-result.multi-step-passed")
	require.Nil(t, r.ErrorGroupIDs)
	require.Equal(t, []monitoring.ResultError{}, r.MultiStepCheckResult.Errors)
	tcp := kit.Decode[*monitoring.TCPCheck](t, "post-v1-checks-tcp.newer-members")
	require.Nil(t, tcp.Locations)
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

func TestWhatASessionSaysOfItself(t *testing.T) {
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
}

func TestTheDurationOfASessionIsFromItsStartToItsEnd(t *testing.T) {
	start := monitoring.NewTimestamp(time.Date(2026, 7, 14, 9, 0, 0, 0, time.UTC))
	end := monitoring.NewTimestamp(start.Add(90 * time.Second))
	for _, c := range []struct {
		session monitoring.CheckSession
		want    time.Duration
	}{
		{monitoring.CheckSession{StartedAt: start, StoppedAt: &end, TimeElapsed: 80_000}, 90 * time.Second},
		{monitoring.CheckSession{StartedAt: start, TimeElapsed: 80_000.5}, 80*time.Second + 500*time.Microsecond},
		{monitoring.CheckSession{StartedAt: start, StoppedAt: &monitoring.Timestamp{}, TimeElapsed: 80_000}, 80 * time.Second},
		{monitoring.CheckSession{StoppedAt: &end, TimeElapsed: 80_000}, 80 * time.Second},
		{monitoring.CheckSession{StartedAt: start}, 0},
	} {
		require.Equal(t, c.want, c.session.Duration(), c.session)
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
	locations, err := kit.Respond(t, "get-v1-locations", 200, "\ufeff"+`[{"region":"eu-west-1","name":"Ireland"}]`)
	require.NoError(t, err)
	require.Equal(t, monitoring.Region("eu-west-1"), locations.([]monitoring.Location)[0].Region)
	_, err = kit.Respond(t, "get-v1-locations", 200, "\ufeff \n")
	require.ErrorContains(t, err, "the response is empty")
}

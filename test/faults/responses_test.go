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

func TestWhatASessionSaysOfItself(t *testing.T) {
	old := kit.Decode[*monitoring.CheckSession](t, "get-v1-check-session.timed-out-cancelled")
	require.Equal(t, monitoring.SessionTimedOut, old.Status)
	require.True(t, old.Cancelled())
	require.False(t, old.Passed())
	require.True(t, kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.cancelled").Cancelled())
	passed := kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.passed-on-retry")
	require.False(t, passed.Cancelled())
	passed.TimeElapsed = 80_000
	require.Equal(t, 34785*time.Millisecond, passed.Duration(), "from its start to its end")
	require.True(t, passed.Passed())
	require.Len(t, passed.FinalResults(), 2)
	require.Len(t, passed.Attempts(), 1)
	require.Empty(t, passed.FailingResults(), "the attempt that failed is not final")
	running := kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.progress-failed")
	require.False(t, running.Done())
	require.Nil(t, running.Results[1].ResultType)
	require.Nil(t, running.Results[1].ResponseTime)
	require.Equal(t, 4312250*time.Microsecond, running.Duration(), "which is TimeElapsed")
	for _, unknown := range []monitoring.CheckSession{{StoppedAt: passed.StoppedAt}, {StartedAt: passed.StartedAt, StoppedAt: &monitoring.Timestamp{}}} {
		require.Zero(t, unknown.Duration(), "the start or the end is missing")
	}
	unknown := kit.Decode[*monitoring.CheckSession](t, "get-v2-check-session.unknown-members")
	require.True(t, unknown.Done(), "it has stopped, although its status is unknown")
	require.False(t, unknown.Passed())
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
	require.Equal(t, []monitoring.RetryCondition{monitoring.RetryOnNetworkError}, g.RetryStrategy.OnlyOn)
	require.Equal(t, 1, *g.AlertSettings.Reminders.Amount)
	require.Equal(t, 5, *g.AlertSettings.Reminders.Interval)
	require.Equal(t, 1, *g.RetryStrategy.BaseBackoffSeconds)
	update, err := json.Marshal(g.ToUpdate())
	require.NoError(t, err)
	require.Contains(t, string(update), `"baseBackoffSeconds":1.5`)

	check, err := kit.Respond(t, "post-v1-checks-tcp", 201, "\ufeff"+`{"id":"c","request":{"port":443.0,"data":{"a": 1.0}},"alertChannels":{"sms":[{"number":4915112345678}]}}`)
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

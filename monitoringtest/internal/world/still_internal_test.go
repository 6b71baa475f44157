package world

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

func busy(sessions int) *World {
	w := New(Config{Account: UUID("account"), RunTime: time.Second, CancelDelay: time.Second})
	must(w.AddAlertChannel(AlertChannel{}))
	must(w.AddCheck(CheckSpec{ID: UUID("check"), Type: monitoring.CheckTypePlaywright, Error: "no"}))
	must(w.Add(Snippets, Object{"name": JSON("n"), "script": JSON("s")}, nil))
	for range sessions {
		must(w.AddSession(SessionSpec{Type: monitoring.CheckTypePlaywright, Duration: time.Hour, Locations: []string{"eu-west-1", "us-east-1"}}))
	}
	return w
}

// Whoever holds the lock for a dump allocates a few pieces of memory, and not some for each record.
func TestAStillAccountIsMadeQuickly(t *testing.T) {
	made := func(sessions int) float64 {
		w := busy(sessions)
		return testing.AllocsPerRun(3, func() { w.Still() })
	}
	require.Less(t, made(1600), made(100)+20, "slices that grow")
}

func TestAStillAccountStaysAsItIs(t *testing.T) {
	w := busy(3)
	now := w.Clock.Now()
	result := w.Sessions[0].runs[0].results[0]
	require.NoError(t, w.SetResult(result, map[string]any{"traceId": "a"}))
	must(w.AddErrorGroup(ErrorGroups, Object{"checkId": JSON(UUID("check"))}))
	still := w.Still()
	before := string(rawjson.Join(still.Dump()))

	w.Cancel(w.Sessions[1], nil, now)
	require.NoError(t, w.SetResult(result, map[string]any{"traceId": "b"}))
	require.NoError(t, w.AddAsset(result, monitoring.CheckResultAsset{Name: "n"}))
	require.NoError(t, w.SetOutcome(UUID("check"), monitoring.SessionFailed))
	snippet := w.Of(Snippets).All[0]
	w.Update(Snippets, snippet, Object{"name": JSON("other")}, now)
	w.StartAnalysis(w.Of(ErrorGroups).All[0], "")
	must(w.Trigger(nil, nil, now))
	w.SaveChannel(w.Of(AlertChannels).All[0], Object{"type": JSON("SMS")}, now)
	w.DeleteCheck(w.Check(UUID("check")), now)
	w.Delete(Snippets, snippet.ID)
	w.Reset()

	require.Equal(t, before, string(rawjson.Join(still.Dump())))
	require.Contains(t, before, `"traceId":"a"`)
}

package objects_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const aWindow = `{"id":7,"name":"Move","startsAt":"2026-06-01T00:00:00.000Z","endsAt":"2026-06-01T02:00:00.000Z","tags":["a","b"],"repeatInterval":1,"repeatUnit":"DAY",` +
	`"repeatEndsAt":"2026-12-31T22:00:00.000Z","statusPageVisibility":{"enabled":true,"autoEnd":false,"newer":1},"created_at":"2026-05-01T00:00:00.000Z","updated_at":null}`

func TestTimesOfAWindowAreComparedByTheirMeaning(t *testing.T) {
	client, sent := kit.Recorded(t, 200, aWindow)
	var wish monitoring.MaintenanceWindow
	require.NoError(t, json.Unmarshal([]byte(`{"startsAt":"2026-06-01T02:00:00+02:00","endsAt":"2026-06-01T02:00:00Z","repeatEndsAt":"2026-12-31","tags":["b","a"]}`), &wish))
	set := func(w *monitoring.MaintenanceWindow) error { return w.SetFrom(&wish) }
	require.NoError(t, kit.Second(client.MaintenanceWindows.Edit(t.Context(), 7, set)))
	require.Empty(t, writes(sent), "they are spelled otherwise")

	wish.RepeatEndsAt = monitoring.Value(monitoring.Date{Year: 2027, Month: time.January, Day: 1})
	now, err := client.MaintenanceWindows.Get(t.Context(), 7)
	require.NoError(t, err)
	require.Equal(t, `repeatEndsAt: "2026-12-31" -> "2027-01-01"`, wish.DiffFrom(now)[0].String())
	_, err = client.MaintenanceWindows.Edit(t.Context(), 7, set)
	require.NoError(t, err)
	require.JSONEq(t, `{"repeatEndsAt":"2027-01-01"}`, writes(sent)[0])
}

func TestAChangedVisibilityOfAWindowIsSentWhole(t *testing.T) {
	client, sent := kit.Recorded(t, 200, aWindow)
	_, err := client.MaintenanceWindows.Edit(t.Context(), 7, func(w *monitoring.MaintenanceWindow) error {
		w.StatusPageVisibility.NotifyOnEnd = new(true)
		return nil
	})
	require.NoError(t, err)
	require.JSONEq(t, `{"statusPageVisibility":{"enabled":true,"autoEnd":false,"notifyOnEnd":true,"newer":1}}`, writes(sent)[0])
}

func TestTheRepetitionOfAWindowEndsWithNull(t *testing.T) {
	client, sent := kit.Recorded(t, 200, aWindow)
	_, err := client.MaintenanceWindows.Edit(t.Context(), 7, func(w *monitoring.MaintenanceWindow) error {
		w.RepeatInterval, w.RepeatUnit, w.RepeatEndsAt = monitoring.Null[int](), monitoring.Null[monitoring.RepeatUnit](), monitoring.Nullable[monitoring.Date]{}
		return nil
	})
	require.NoError(t, err)
	require.JSONEq(t, `{"repeatInterval":null,"repeatUnit":null,"repeatEndsAt":null}`, writes(sent)[0])
}

// What the service has is not refused, wherever it is in a list.
func TestAMistakeThatTheServiceHasMayMove(t *testing.T) {
	window := kit.Returned[monitoring.MaintenanceWindow](`{"id":7,"name":"n","statusPageVisibility":{"enabled":true,"reminderMinutesBefore":[100,5]}}`)
	window.StatusPageVisibility.ReminderMinutesBefore = []int{5}
	require.NoError(t, window.Validate())
	window.StatusPageVisibility.ReminderMinutesBefore = []int{5, 5}
	require.Equal(t, []string{"statusPageVisibility.reminderMinutesBefore[1]: 5 is outside 60..10080"}, kit.BrokenRules(t, window.Validate()))
}

func TestATemplateHasNoNullThatACreateRefuses(t *testing.T) {
	client, sent := kit.Recorded(t, 200, aWindow)
	window := kit.Returned[monitoring.MaintenanceWindow](`{"id":7,"name":"n","startsAt":"2026-06-01T00:00:00Z","endsAt":"2026-06-01T02:00:00Z","repeatInterval":null,"repeatUnit":null}`)
	require.NoError(t, kit.Second(client.MaintenanceWindows.Create(t.Context(), window.Template())))
	require.JSONEq(t, `{"name":"n","startsAt":"2026-06-01T00:00:00Z","endsAt":"2026-06-01T02:00:00Z","repeatInterval":null,"repeatUnit":"DAY"}`, writes(sent)[0])
	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"SSL","name":"n","maxResponseTime":null,"request":{"sslConfig":{"hostname":"shop.test"}}}`)
	require.True(t, check.MaxResponseTime.IsNull())
	require.True(t, check.Template().MaxResponseTime.IsZero())
	require.NoError(t, check.Template().Validate())
}

func TestOnlyAWindowThatDoesNotRepeatNeedsNoUnit(t *testing.T) {
	client, sent := kit.Recorded(t, 200, aWindow)
	at := monitoring.NewTimestamp(time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC))
	w := &monitoring.MaintenanceWindow{Name: "n", StartsAt: at, EndsAt: at}
	require.NoError(t, w.Validate())
	require.NoError(t, kit.Second(client.MaintenanceWindows.Create(t.Context(), w)))
	require.JSONEq(t, `{"name":"n","startsAt":"2026-06-01T00:00:00Z","endsAt":"2026-06-01T00:00:00Z","repeatUnit":"DAY"}`, writes(sent)[0])
	require.True(t, w.RepeatUnit.IsZero(), "the caller's own is not changed")
	w.RepeatInterval = monitoring.Value(2)
	require.Equal(t, []string{"repeatUnit: is required"}, kit.BrokenRules(t, w.Validate()))
}

package api_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// written returns a value as encoding/json writes it.
func written(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// readTimestamp reads JSON into a timestamp that had another time.
func readTimestamp(t *testing.T, data string) monitoring.Timestamp {
	t.Helper()
	ts := monitoring.NewTimestamp(time.Unix(1, 0))
	require.NoError(t, json.Unmarshal([]byte(data), &ts), data)
	return ts
}

// Packages of the standard library call one of several methods, and which one depends on the version of
// Go. Package isotime tests what the texts mean.
func TestATimestampIsWrittenAsItWasReadByEveryPackage(t *testing.T) {
	changed, cleared := readTimestamp(t, `"2026-07-14"`), readTimestamp(t, `"2026-07-14"`)
	changed.Time, cleared.Time = changed.Add(90*time.Minute), time.Time{}
	for _, c := range []struct {
		ts       monitoring.Timestamp
		text     string
		at       time.Time
		dateOnly bool
	}{
		{readTimestamp(t, `"2026-07-14"`), "2026-07-14", time.Date(2026, 7, 14, 0, 0, 0, 0, time.UTC), true},
		{readTimestamp(t, ` "\u0032026-01-02 03:04:05,123-0530" `), "2026-01-02 03:04:05,123-0530", time.Date(2026, 1, 2, 8, 34, 5, 123e6, time.UTC), false},
		{readTimestamp(t, `"2026-12-31t24:00"`), "2026-12-31t24:00", time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), false},
		{changed, "2026-07-14T01:30:00Z", time.Date(2026, 7, 14, 1, 30, 0, 0, time.UTC), false},
		{monitoring.NewTimestamp(time.Date(2026, 1, 2, 3, 4, 5, 5e8, time.FixedZone("", 7200))), "2026-01-02T03:04:05.5+02:00", time.Date(2026, 1, 2, 1, 4, 5, 5e8, time.UTC), false},
		{cleared, "", time.Time{}, false},
		{readTimestamp(t, `null`), "", time.Time{}, false},
		{readTimestamp(t, `""`), "", time.Time{}, false},
	} {
		ts, quoted := c.ts, `"`+c.text+`"`
		require.True(t, ts.Time.Equal(c.at), "%s: %s", c.text, ts.Time)
		require.Equal(t, c.dateOnly, ts.DateOnly(), c.text)
		require.Equal(t, c.text+" "+c.text+" monitoring.Timestamp("+quoted+")", fmt.Sprintf("%v %s %#v", ts, &ts, ts))
		require.Equal(t, strings.ReplaceAll(quoted, `""`, "null"), written(t, ts))
		require.Equal(t, "{"+quoted+":1}", written(t, map[monitoring.Timestamp]int{ts: 1}), "as a key of a map")
		var object, wire bytes.Buffer
		slog.New(slog.NewJSONHandler(&object, nil)).Info("m", "at", ts)
		require.Contains(t, object.String(), `,"at":`+quoted+`}`)

		var back struct{ At monitoring.Timestamp }
		require.NoError(t, gob.NewEncoder(&wire).Encode(struct{ At monitoring.Timestamp }{ts}))
		require.NoError(t, gob.NewDecoder(&wire).Decode(&back))
		require.Equal(t, c.text, back.At.Raw())
		require.True(t, back.At.Equal(ts))
		for _, f := range []func() ([]byte, error){
			ts.MarshalText, ts.MarshalBinary, ts.GobEncode, func() ([]byte, error) { return ts.AppendText(nil) }, func() ([]byte, error) { return ts.AppendBinary(nil) },
		} {
			data, err := f()
			require.NoError(t, err)
			require.Equal(t, c.text, string(data))
			require.NoError(t, back.At.UnmarshalBinary(data))
			require.Equal(t, c.text, back.At.Raw())
		}
	}
	require.True(t, readTimestamp(t, `"2026-07-14T02:00:00+02:00"`).Equal(readTimestamp(t, `"2026-07-14"`)), "the texts do not count")
	require.False(t, changed.Equal(readTimestamp(t, `"2026-07-14"`)))
}

func TestATimestampRefusesOtherTexts(t *testing.T) {
	for _, text := range []string{"yesterday", "2026-07", "2026-02-30", "2026-231", "2026-W34-3", "2026-07-14T09:60:00Z", "2026-07-14T09:12:44+24:00", "1752484364310"} {
		ts := monitoring.NewTimestamp(time.Unix(1, 0))
		err := ts.UnmarshalText([]byte(text))
		require.EqualError(t, err, fmt.Sprintf("timestamp: %q is neither a timestamp of ISO 8601 nor a calendar date", text))
		require.True(t, ts.IsZero())
	}
	for _, data := range []string{``, `"`, `"\x"`, `"2026-07-14`} {
		require.Error(t, new(monitoring.Timestamp).UnmarshalJSON([]byte(data)), data)
	}
	long := strings.Repeat("x", 100)
	require.EqualError(t, new(monitoring.Timestamp).UnmarshalText([]byte(long)), `timestamp: "`+long[:40]+`" is neither a timestamp of ISO 8601 nor a calendar date`)
	for data, got := range map[string]string{"12": "a number", "{}": "an object", "[]": "an array", "true": "a boolean"} {
		require.EqualError(t, new(monitoring.Timestamp).UnmarshalJSON([]byte(data)), "timestamp: want a string, got "+got)
		client, _ := kit.Recorded(t, 200, data)
		_, err := monitoring.Do[monitoring.Timestamp](t.Context(), client, "GET", "/v1/now", nil, nil)
		require.ErrorContains(t, err, ": read the response: timestamp: want a string, got "+got)
	}
}

// TestATimestampInheritsNoEncodingOfTimeTime fails if a new version of Go adds a method to
// time.Time that would write a monitoring.Timestamp without its text.
func TestATimestampInheritsNoEncodingOfTimeTime(t *testing.T) {
	listing, encoding := kit.File(t, "testdata/api.txt"), regexp.MustCompile("Marshal|Append[^F]|Gob|Log") // AppendFormat has a layout
	for m := range reflect.TypeFor[*time.Time]().Methods() {
		own := strings.Contains(listing, "Timestamp) "+m.Name+"(")
		require.True(t, own || !encoding.MatchString(m.Name), "monitoring.Timestamp inherits %s of time.Time: write a method of its own", m.Name)
	}
}

package api_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
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

func utc(year int, month time.Month, day, hour, minute, second, nanos int) time.Time {
	return time.Date(year, month, day, hour, minute, second, nanos, time.UTC)
}

func TestTwoTimestampsOfTheSameTimeAreEqual(t *testing.T) {
	var date, zoned, plain monitoring.Timestamp
	require.NoError(t, json.Unmarshal([]byte(`"2026-07-14"`), &date))
	require.NoError(t, json.Unmarshal([]byte(`"2026-07-14T02:00:00+02:00"`), &zoned))
	plain = monitoring.NewTimestamp(time.Date(2026, 7, 14, 0, 0, 0, 0, time.UTC))
	for _, other := range []monitoring.Timestamp{date, zoned, plain} {
		require.True(t, date.Equal(other))
		require.True(t, other.Equal(date))
	}
	require.False(t, date == zoned, "== compares the texts, too: use Equal")
	require.False(t, date.Equal(monitoring.NewTimestamp(plain.Add(1))))
	require.True(t, monitoring.Timestamp{}.Equal(monitoring.Timestamp{}))
	require.False(t, monitoring.Timestamp{}.Equal(date))
}

// TestATimestampKeepsTheTextItWasReadFrom has one text of each kind; package isotime tests what they mean.
func TestATimestampKeepsTheTextItWasReadFrom(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-07-14":                   utc(2026, 7, 14, 0, 0, 0, 0),
		"2026-01-02T03:04:05Z":         utc(2026, 1, 2, 3, 4, 5, 0),
		"2026-01-02 03:04:05,123-0530": utc(2026, 1, 2, 8, 34, 5, 123e6),
		"2026-12-31t24:00":             utc(2027, 1, 1, 0, 0, 0, 0),
		"20260102":                     utc(2026, 1, 2, 0, 0, 0, 0),
		"+012026-01-02T03:04:05.000Z":  utc(12026, 1, 2, 3, 4, 5, 0),
		"0001-01-01":                   {},
	} {
		var ts, fromText monitoring.Timestamp
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &ts), text)
		require.True(t, ts.Time.Equal(want), "%s: %s", text, ts.Time)
		require.NoError(t, fromText.UnmarshalText([]byte(text)))
		require.True(t, reflect.DeepEqual(ts, fromText), "UnmarshalJSON and UnmarshalText give the same")
		require.Equal(t, text, ts.Raw())
		require.Equal(t, `"`+text+`"`, written(t, ts))
		require.Equal(t, `monitoring.Timestamp("`+text+`")`, fmt.Sprintf("%#v", ts))
		require.Equal(t, text+" "+text, fmt.Sprintf("%v %s", ts, &ts))
		require.Equal(t, !strings.ContainsAny(text, "Tt "), ts.DateOnly())
	}
	var escaped monitoring.Timestamp
	require.NoError(t, json.Unmarshal([]byte(` "\u0032026-01-02" `), &escaped))
	require.Equal(t, "2026-01-02", escaped.Raw())
}

func TestATimestampThatWasChangedWritesItsNewTime(t *testing.T) {
	var ts monitoring.Timestamp
	require.NoError(t, json.Unmarshal([]byte(`"2026-07-14"`), &ts))
	ts.Time = ts.Add(90 * time.Minute)
	require.Equal(t, `"2026-07-14T01:30:00Z"`, written(t, ts))
	require.False(t, ts.DateOnly())
	require.Equal(t, `"2026-07-14T01:30:00.5Z"`, written(t, monitoring.NewTimestamp(time.Date(2026, 7, 14, 1, 30, 0, 5e8, time.UTC))))
	ts.Time = time.Time{}
	require.Equal(t, "null", written(t, ts))
}

func TestAMissingTimestampIsZero(t *testing.T) {
	for _, text := range []string{`null`, `""`} {
		ts := monitoring.NewTimestamp(time.Now())
		require.NoError(t, json.Unmarshal([]byte(text), &ts))
		require.True(t, ts.IsZero())
		require.Empty(t, ts.Raw())
		require.False(t, ts.DateOnly())
		require.Equal(t, "null", written(t, ts))
	}
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

// TestATimestampIsWrittenAsItsTextByEveryPackage checks the output of packages of the standard
// library. They call one of several methods, and which one depends on the version of Go.
func TestATimestampIsWrittenAsItsTextByEveryPackage(t *testing.T) {
	for name, ts := range map[string]monitoring.Timestamp{
		"2026-01-02 03:04:05,5":     readTimestamp(t, "2026-01-02 03:04:05,5"),
		"2026-01-02":                readTimestamp(t, "2026-01-02"),
		"2026-01-02T03:04:05+02:00": monitoring.NewTimestamp(time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 7200))),
		"":                          {},
	} {
		quoted := `"` + name + `"`
		if name == "" {
			quoted = "null"
		}
		require.Equal(t, quoted, written(t, ts))
		require.Equal(t, quoted, written(t, &ts))
		require.Equal(t, `{"`+name+`":1}`, written(t, map[monitoring.Timestamp]int{ts: 1}), "as a key of a map")
		var keys map[monitoring.Timestamp]int
		require.NoError(t, json.Unmarshal([]byte(`{"`+name+`":1}`), &keys))
		for key := range keys {
			require.Equal(t, name, key.Raw())
		}
		for _, logged := range []any{ts, &ts} {
			var text, object bytes.Buffer
			slog.New(slog.NewTextHandler(&text, nil)).Info("m", "at", logged)
			slog.New(slog.NewJSONHandler(&object, nil)).Info("m", "at", logged)
			want := " at=" + name + "\n"
			if name == "" || strings.Contains(name, " ") {
				want = ` at="` + name + "\"\n"
			}
			require.Contains(t, text.String(), want)
			require.Contains(t, object.String(), `,"at":"`+name+`"}`)
		}
		var wire bytes.Buffer
		require.NoError(t, gob.NewEncoder(&wire).Encode(struct{ At monitoring.Timestamp }{ts}))
		var back struct{ At monitoring.Timestamp }
		require.NoError(t, gob.NewDecoder(&wire).Decode(&back))
		require.Equal(t, name, back.At.Raw())
		require.True(t, back.At.Equal(ts))

		for _, f := range []func() ([]byte, error){
			ts.MarshalText, ts.MarshalBinary, ts.GobEncode, func() ([]byte, error) { return ts.AppendText(nil) }, func() ([]byte, error) { return ts.AppendBinary(nil) },
		} {
			data, err := f()
			require.NoError(t, err)
			require.Equal(t, name, string(data))
		}
		var binary monitoring.Timestamp
		require.NoError(t, binary.UnmarshalBinary([]byte(name)))
		require.Equal(t, name, binary.Raw())
	}
}

func readTimestamp(t *testing.T, text string) (ts monitoring.Timestamp) {
	t.Helper()
	require.NoError(t, ts.UnmarshalText([]byte(text)))
	return ts
}

// TestATimestampInheritsNoEncodingOfTimeTime fails if a new version of Go adds a method to
// time.Time that would write a monitoring.Timestamp without its text.
func TestATimestampInheritsNoEncodingOfTimeTime(t *testing.T) {
	own := make(map[string]bool)
	for _, name := range strings.Fields(`GoString String Equal Raw DateOnly LogValue MarshalJSON UnmarshalJSON MarshalText AppendText UnmarshalText
		MarshalBinary AppendBinary UnmarshalBinary GobEncode GobDecode`) {
		own[name] = true
	}
	for m := range reflect.TypeFor[*time.Time]().Methods() {
		for _, word := range []string{"Marshal", "Append", "Gob", "Log"} {
			if strings.Contains(m.Name, word) && m.Name != "AppendFormat" { // it has the layout as a parameter
				require.True(t, own[m.Name], "monitoring.Timestamp inherits %s of time.Time: write a method of its own", m.Name)
			}
		}
	}
}

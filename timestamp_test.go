package monitoring

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
)

func utc(year int, month time.Month, day, hour, minute, second, nanos int) time.Time {
	return time.Date(year, month, day, hour, minute, second, nanos, time.UTC)
}

func TestTwoTimestampsOfTheSameTimeAreEqual(t *testing.T) {
	var date, zoned, plain Timestamp
	require.NoError(t, json.Unmarshal([]byte(`"2026-07-14"`), &date))
	require.NoError(t, json.Unmarshal([]byte(`"2026-07-14T02:00:00+02:00"`), &zoned))
	plain = NewTimestamp(time.Date(2026, 7, 14, 0, 0, 0, 0, time.UTC))
	for _, other := range []Timestamp{date, zoned, plain} {
		require.True(t, date.Equal(other))
		require.True(t, other.Equal(date))
	}
	require.False(t, date == zoned, "== compares the texts, too: use Equal")
	require.False(t, date.Equal(NewTimestamp(plain.Add(1))))
	require.True(t, Timestamp{}.Equal(Timestamp{}))
	require.False(t, Timestamp{}.Equal(date))
}

func TestATimestampKeepsTheTextItWasReadFrom(t *testing.T) {
	for text, want := range map[string]struct {
		moment   time.Time
		dateOnly bool
	}{
		"2026-07-14":                          {time.Date(2026, 7, 14, 0, 0, 0, 0, time.UTC), true},
		"2026-07-14T09:12:44.310Z":            {time.Date(2026, 7, 14, 9, 12, 44, 310e6, time.UTC), false},
		"2026-07-14T00:00:00Z":                {time.Date(2026, 7, 14, 0, 0, 0, 0, time.UTC), false},
		"2026-07-14T11:12:44+02:00":           {time.Date(2026, 7, 14, 9, 12, 44, 0, time.UTC), false},
		"2026-07-14T09:12:44.123456789-00:30": {time.Date(2026, 7, 14, 9, 42, 44, 123456789, time.UTC), false},
		"0001-01-01":                          {time.Time{}, true},
	} {
		var ts Timestamp
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &ts), text)
		require.True(t, ts.Time.Equal(want.moment), text)
		require.Equal(t, text, ts.Raw())
		require.Equal(t, text, ts.String())
		require.Equal(t, want.dateOnly, ts.DateOnly(), text)
		require.Equal(t, `"`+text+`"`, toJSON(t, ts))
		plain, err := ts.MarshalText()
		require.NoError(t, err)
		require.Equal(t, text, string(plain))
		require.Equal(t, `monitoring.Timestamp("`+text+`")`, fmt.Sprintf("%#v", ts))
		require.Equal(t, text+" "+text, fmt.Sprintf("%v %s", ts, &ts))
	}
}

func TestATimestampThatWasChangedWritesItsNewTime(t *testing.T) {
	var ts Timestamp
	require.NoError(t, json.Unmarshal([]byte(`"2026-07-14"`), &ts))
	ts.Time = ts.Add(90 * time.Minute)
	require.Equal(t, `"2026-07-14T01:30:00Z"`, toJSON(t, ts))
	require.False(t, ts.DateOnly())
	require.Equal(t, `"2026-07-14T01:30:00.5Z"`, toJSON(t, NewTimestamp(time.Date(2026, 7, 14, 1, 30, 0, 5e8, time.UTC))))
	ts.Time = time.Time{}
	require.Equal(t, "null", toJSON(t, ts))
}

func TestAMissingTimestampIsZero(t *testing.T) {
	for _, text := range []string{`null`, `""`} {
		ts := NewTimestamp(time.Now())
		require.NoError(t, json.Unmarshal([]byte(text), &ts))
		require.True(t, ts.IsZero())
		require.Empty(t, ts.Raw())
		require.False(t, ts.DateOnly())
		require.Equal(t, "null", toJSON(t, ts))
	}
}

func TestATimestampIsReadInEveryFormOfISO8601(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-01-02T03:04:05":              utc(2026, 1, 2, 3, 4, 5, 0),
		"2026-01-02T03:04:05Z":             utc(2026, 1, 2, 3, 4, 5, 0),
		"2026-01-02t03:04:05z":             utc(2026, 1, 2, 3, 4, 5, 0),
		"2026-01-02 03:04:05":              utc(2026, 1, 2, 3, 4, 5, 0),
		"2026-01-02T03:04:05+0000":         utc(2026, 1, 2, 3, 4, 5, 0),
		"2026-01-02T03:04:05+00":           utc(2026, 1, 2, 3, 4, 5, 0),
		"2026-01-02T03:04:05-00:00":        utc(2026, 1, 2, 3, 4, 5, 0),
		"2026-01-02T03:04:05+02":           utc(2026, 1, 2, 1, 4, 5, 0),
		"2026-01-02T03:04:05-0530":         utc(2026, 1, 2, 8, 34, 5, 0),
		"2026-01-02T03:04:05+05:45":        utc(2026, 1, 1, 21, 19, 5, 0),
		"2026-01-02T03:04:05.5":            utc(2026, 1, 2, 3, 4, 5, 5e8),
		"2026-01-02T03:04:05,123Z":         utc(2026, 1, 2, 3, 4, 5, 123e6),
		"2026-01-02T03:04:05.123456789Z":   utc(2026, 1, 2, 3, 4, 5, 123456789),
		"2026-01-02T03:04:05.1234567899Z":  utc(2026, 1, 2, 3, 4, 5, 123456789),
		"2026-01-02T03:04:05+23:59":        utc(2026, 1, 1, 3, 5, 5, 0),
		"2026-01-02T03:04Z":                utc(2026, 1, 2, 3, 4, 0, 0),
		"2026-01-02T03:04+01":              utc(2026, 1, 2, 2, 4, 0, 0),
		"2026-12-31T24:00:00Z":             utc(2027, 1, 1, 0, 0, 0, 0),
		"2026-12-31T24:00":                 utc(2027, 1, 1, 0, 0, 0, 0),
		"2016-12-31T23:59:60Z":             utc(2017, 1, 1, 0, 0, 0, 0),
		"2017-01-01T08:59:60+09:00":        utc(2017, 1, 1, 0, 0, 0, 0),
		"2026-01-02":                       utc(2026, 1, 2, 0, 0, 0, 0),
		"2024-02-29":                       utc(2024, 2, 29, 0, 0, 0, 0),
		"0000-01-01T00:00:00Z":             utc(0, 1, 1, 0, 0, 0, 0),
		"9999-12-31T23:59:59.999999999-12": utc(10000, 1, 1, 11, 59, 59, 999999999),
		"2026-01-02T10Z":                   utc(2026, 1, 2, 10, 0, 0, 0),
		"2026-01-02T10":                    utc(2026, 1, 2, 10, 0, 0, 0),
		"2026-01-02T10-02":                 utc(2026, 1, 2, 12, 0, 0, 0),
		"2026-01-02T24":                    utc(2026, 1, 3, 0, 0, 0, 0),
		"2026-01-02T10,25Z":                utc(2026, 1, 2, 10, 15, 0, 0),
		"2026-01-02T10.999999999Z":         utc(2026, 1, 2, 10, 59, 59, 999996400),
		"2026-01-02T10:15.5Z":              utc(2026, 1, 2, 10, 15, 30, 0),
		"2026-01-02T10:15,000000001+01":    utc(2026, 1, 2, 9, 15, 0, 60),
		"2026-01-02T24:00.0Z":              utc(2026, 1, 3, 0, 0, 0, 0),
		"20260102":                         utc(2026, 1, 2, 0, 0, 0, 0),
		"20240229":                         utc(2024, 2, 29, 0, 0, 0, 0),
		"20260102T030405Z":                 utc(2026, 1, 2, 3, 4, 5, 0),
		"20260102T030405":                  utc(2026, 1, 2, 3, 4, 5, 0),
		"20260102t030405.5z":               utc(2026, 1, 2, 3, 4, 5, 5e8),
		"20260102T030405,123+0200":         utc(2026, 1, 2, 1, 4, 5, 123e6),
		"20260102T0304-01:00":              utc(2026, 1, 2, 4, 4, 0, 0),
		"20260102T0304.5":                  utc(2026, 1, 2, 3, 4, 30, 0),
		"20260102T03Z":                     utc(2026, 1, 2, 3, 0, 0, 0),
		"20161231T235960Z":                 utc(2017, 1, 1, 0, 0, 0, 0),
		"20261231T240000Z":                 utc(2027, 1, 1, 0, 0, 0, 0),
		"2026-231":                         utc(2026, 8, 19, 0, 0, 0, 0),
		"2026231":                          utc(2026, 8, 19, 0, 0, 0, 0),
		"2024-366T12:00Z":                  utc(2024, 12, 31, 12, 0, 0, 0),
		"2026231T1015Z":                    utc(2026, 8, 19, 10, 15, 0, 0),
		"2026-W34-3":                       utc(2026, 8, 19, 0, 0, 0, 0),
		"2026W343":                         utc(2026, 8, 19, 0, 0, 0, 0),
		"2026-W34-3T10:15:00+02:00":        utc(2026, 8, 19, 8, 15, 0, 0),
		"2026W343T101500Z":                 utc(2026, 8, 19, 10, 15, 0, 0),
		"2020-W53-7":                       utc(2021, 1, 3, 0, 0, 0, 0),
		"2026-W01-1":                       utc(2025, 12, 29, 0, 0, 0, 0),
	} {
		var ts, fromText Timestamp
		require.NoError(t, json.Unmarshal([]byte(`"`+text+`"`), &ts), text)
		require.True(t, ts.Time.Equal(want), "%s: %s", text, ts.Time)
		require.NoError(t, fromText.UnmarshalText([]byte(text)))
		require.True(t, reflect.DeepEqual(ts, fromText), "UnmarshalJSON and UnmarshalText give the same")
		require.Equal(t, text, ts.Raw())
		require.Equal(t, `"`+text+`"`, toJSON(t, ts))
		require.Equal(t, !strings.ContainsAny(text, "Tt "), ts.DateOnly())
	}
	var escaped Timestamp
	require.NoError(t, json.Unmarshal([]byte(` "\u0032026-01-02" `), &escaped))
	require.Equal(t, "2026-01-02", escaped.Raw())
	for text, utc := range map[string]bool{"2026-01-02T03:04:05-00:00": true, "2026-01-02T03:04:05Z": true, "2026-01-02T03:04:05": true, "2026-01-02T03:04:05+00:01": false, "2026-01-02T03:04:05-00:01": false} {
		require.NoError(t, escaped.UnmarshalText([]byte(text)))
		require.Equal(t, utc, escaped.Location() == time.UTC, text)
	}
}

func TestATimestampRefusesOtherTexts(t *testing.T) {
	for _, text := range []string{
		"yesterday", "2026", "2026-07", "2026-7-1", "2026-13-01", "2026-00-01", "2026-02-30", "2026-02-00", "2025-02-29", "2026/07/14",
		"2026-07-14T", "2026-07-14T9", "2026-07-14T9:12", "2026-07-14T25", "2026-07-14T24.1", "2026-07-14T24:00.5", "2026-07-14T09.", "2026-07-14T09:12.Z", "2026-07-14T09:60:00Z", "2026-07-14T09:12:61Z", "2026-07-14T25:00:00Z",
		"2026-07-14T24:00:01Z", "2026-07-14T24:01:00Z", "2026-07-14T24:00:00.1Z", "2026-07-14T09:12:44.Z", "2026-07-14T09:12:44ZZ", "2026-07-14T09:12:44 Z",
		"2026-07-14T09:12:44+", "2026-07-14T09:12:44+1", "2026-07-14T09:12:44+24:00", "2026-07-14T09:12:44+01:60", "2026-07-14T09:12:44+01:", "2026-07-14T09:12:44+010",
		"2026-07-14T09:12:44+01:000", "-026-07-14", "2026-07-14x09:12:44", "2026-07-14Z", "1752484364", "1752484364310", "17524843", "20260732", "20250229", "202607", "202607140", "20260714T", "20260714T0", "20260714T091", "20260714T09124", "20260714T0912445",
		"20260714T096000", "20260714T240001", "20260714T09:12", "20260714T0912:44", "2026-07-14T0912", "2026-07-14T09:1244", "2026-0714", "202607-14",
		"2026-000", "2026-366", "2024-367", "2026000", "2026366", "2026-999", "2026-W34", "2026W34", "2026-W34-0", "2026-W34-8", "2026-W00-7", "2026-W54-1", "2025-W53-1",
		"2026-W343", "2026W34-3", "2026-w34-3", "2026-W34-3Z", "2026-231Z", "2026-2310", "2026-W34-30", "+2026-07-14", "T09:12:44Z", "P1D", "\u0660\u0660\u0660\u0660-01-01",
	} {
		ts := NewTimestamp(time.Unix(1, 0))
		err := ts.UnmarshalText([]byte(text))
		require.EqualError(t, err, fmt.Sprintf("timestamp: %q is neither a timestamp of ISO 8601 nor a calendar date", text))
		require.True(t, ts.IsZero())
	}
	for _, data := range []string{``, `"`, `"\x"`, `"2026-07-14`} {
		require.Error(t, new(Timestamp).UnmarshalJSON([]byte(data)), data)
	}
	long := strings.Repeat("x", 100)
	require.EqualError(t, new(Timestamp).UnmarshalText([]byte(long)), `timestamp: "`+long[:40]+`" is neither a timestamp of ISO 8601 nor a calendar date`)
	for data, got := range map[string]string{"12": "a number", "{}": "an object", "[]": "an array", "true": "a boolean"} {
		require.EqualError(t, new(Timestamp).UnmarshalJSON([]byte(data)), "timestamp: want a string, got "+got)
		require.EqualError(t, unmarshal([]byte(data), new(Timestamp)), "monitoring: read the response: timestamp: want a string, got "+got)
	}
}

// TestATimestampIsWrittenAsItsTextByEveryPackage checks the output of packages of the standard
// library. They call one of several methods, and which one depends on the version of Go.
func TestATimestampIsWrittenAsItsTextByEveryPackage(t *testing.T) {
	for name, ts := range map[string]Timestamp{
		"2026-01-02 03:04:05,5":     read(t, "2026-01-02 03:04:05,5"),
		"2026-01-02":                read(t, "2026-01-02"),
		"2026-01-02T03:04:05+02:00": NewTimestamp(time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 7200))),
		"":                          {},
	} {
		quoted := `"` + name + `"`
		if name == "" {
			quoted = "null"
		}
		require.Equal(t, quoted, toJSON(t, ts))
		require.Equal(t, quoted, toJSON(t, &ts))
		require.Equal(t, `{"`+name+`":1}`, toJSON(t, map[Timestamp]int{ts: 1}), "as a key of a map")
		var keys map[Timestamp]int
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
		require.NoError(t, gob.NewEncoder(&wire).Encode(struct{ At Timestamp }{ts}))
		var back struct{ At Timestamp }
		require.NoError(t, gob.NewDecoder(&wire).Decode(&back))
		require.Equal(t, name, back.At.Raw())
		require.True(t, back.At.Equal(ts))

		for method, f := range map[string]func() ([]byte, error){
			"MarshalText": ts.MarshalText, "MarshalBinary": ts.MarshalBinary, "GobEncode": ts.GobEncode,
			"AppendText": func() ([]byte, error) {
				b, err := ts.AppendText([]byte("x"))
				return bytes.TrimPrefix(b, []byte("x")), err
			},
			"AppendBinary": func() ([]byte, error) {
				b, err := ts.AppendBinary([]byte("x"))
				return bytes.TrimPrefix(b, []byte("x")), err
			},
		} {
			data, err := f()
			require.NoError(t, err)
			require.Equal(t, name, string(data), method)
		}
		var binary Timestamp
		require.NoError(t, binary.UnmarshalBinary([]byte(name)))
		require.Equal(t, name, binary.Raw())
	}
}

func read(t *testing.T, text string) (ts Timestamp) {
	t.Helper()
	require.NoError(t, ts.UnmarshalText([]byte(text)))
	return ts
}

// TestATimestampInheritsNoEncodingOfTimeTime fails if a new version of Go adds a method to
// time.Time that would write a Timestamp without its text.
func TestATimestampInheritsNoEncodingOfTimeTime(t *testing.T) {
	own := make(map[string]bool)
	for _, name := range strings.Fields(`GoString String Equal Raw DateOnly LogValue MarshalJSON UnmarshalJSON MarshalText AppendText UnmarshalText
		MarshalBinary AppendBinary UnmarshalBinary GobEncode GobDecode MarshalJSONTo UnmarshalJSONFrom`) {
		own[name] = true
	}
	for m := range reflect.TypeFor[*time.Time]().Methods() {
		for _, word := range []string{"Marshal", "Append", "Gob", "Log"} {
			if strings.Contains(m.Name, word) && m.Name != "AppendFormat" { // it has the layout as a parameter
				require.True(t, own[m.Name], "Timestamp inherits %s of time.Time: write a method of its own", m.Name)
			}
		}
	}
}

func TestEveryDayIsReadAsADayOfAMonthOfAYearAndOfAWeek(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	for day := utc(1999, 12, 1, 0, 0, 0, 0); day.Year() < 2030; day = day.AddDate(0, 0, 1) {
		year, week := day.ISOWeek()
		weekday := (int(day.Weekday())+6)%7 + 1
		for _, text := range []string{
			day.Format("2006-01-02"), day.Format("20060102"), day.Format("2006-002"), day.Format("2006002"),
			fmt.Sprintf("%04d-W%02d-%d", year, week, weekday), fmt.Sprintf("%04dW%02d%d", year, week, weekday),
		} {
			if ts := read(t, text); !ts.Time.Equal(day) || !ts.DateOnly() || ts.Raw() != text {
				t.Fatalf("%s is read as %s", text, ts.Time)
			}
		}
	}
	days, weeks := 0, 0
	for year := range 400 { // then the calendar repeats itself
		for n := range 1000 {
			text := fmt.Sprintf("%04d-%03d", 1600+year, n)
			if new(Timestamp).UnmarshalText([]byte(text)) == nil {
				days++
			}
		}
		for n := range 100 {
			text := fmt.Sprintf("%04d-W%02d-%d", 1600+year, n, 1+year%7)
			if new(Timestamp).UnmarshalText([]byte(text)) == nil {
				weeks++
			}
		}
	}
	require.Equal(t, 400*365+97, days, "with 97 leap days")
	require.Equal(t, days/7, weeks, "as many weeks, of which every day exists")
}

func FuzzTimestamp(f *testing.F) {
	seed(f, `(At|_at|Seen|timestamp)$`)
	for _, text := range []string{`""`, `null`, `"2026-07-14T24:00:00Z"`, `"2026-07-14T09:12:44,5Z"`, `"\u0032026-07-14"`, `"9999-12-31T23:59:59.999999999-23:59"`, `"2026-07-14 09:12:60+0530"`, `"2026-07-14t09:12z"`, `"20260819T101500,25Z"`, `"2026-08-19T10Z"`, `"2026-08-19T10:15.5Z"`, `"2026-231"`, `"2026W343"`, `"2020-W53-7T24:00"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var ts Timestamp
		if json.Unmarshal(data, &ts) != nil {
			return
		}
		var text *string
		require.NoError(t, json.Unmarshal(data, &text), "only strings and null are timestamps")
		if text == nil || *text == "" {
			require.True(t, ts.IsZero())
			require.Equal(t, "null", toJSON(t, ts))
			return
		}
		require.Equal(t, *text, ts.Raw())
		require.Equal(t, toJSON(t, *text), toJSON(t, ts), "the text is written back unchanged")
		require.Equal(t, dates.MatchString(*text), ts.DateOnly())
		for _, layout := range []string{time.RFC3339, time.DateOnly, "2006-002", "2006002", "20060102", "20060102T150405Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15Z07"} {
			if at, err := time.Parse(layout, *text); err == nil {
				require.True(t, at.Equal(ts.Time), "package time reads the same: %s and %s", at, ts.Time)
			}
		}
		var again Timestamp
		require.NoError(t, json.Unmarshal([]byte(toJSON(t, ts)), &again))
		require.True(t, ts.Equal(again))
	})
}

var dates = regexp.MustCompile(`^\d{4}(-\d\d-\d\d|\d{4}|-?\d{3}|-W\d\d-\d|W\d{3})$`)

package monitoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestANullableHasThreeStates(t *testing.T) {
	var absent Nullable[string]
	require.True(t, absent.IsZero())
	require.False(t, absent.IsNull())
	_, ok := absent.Get()
	require.False(t, ok)

	null := Null[string]()
	require.False(t, null.IsZero())
	require.True(t, null.IsNull())
	_, ok = null.Get()
	require.False(t, ok)

	empty := Value("")
	require.False(t, empty.IsZero())
	require.False(t, empty.IsNull())
	text, ok := empty.Get()
	require.True(t, ok)
	require.Empty(t, text)

	require.Equal(t, "null", toJSON(t, absent))
	require.Equal(t, "null", toJSON(t, null))
	require.Equal(t, `""`, toJSON(t, empty))
}

func TestANullableReadsWhatItWrites(t *testing.T) {
	var n Nullable[int]
	require.NoError(t, json.Unmarshal([]byte(" 0 "), &n))
	require.Equal(t, Value(0), n)
	require.NoError(t, json.Unmarshal([]byte(" null "), &n))
	require.Equal(t, Null[int](), n)
	require.Error(t, json.Unmarshal([]byte(`"text"`), &n))
	require.Equal(t, Null[int](), n, "a failed read changes nothing")
	var holder struct{ A, B Nullable[int] }
	require.NoError(t, json.Unmarshal([]byte(`{"A":null}`), &holder))
	require.True(t, holder.A.IsNull())
	require.True(t, holder.B.IsZero())
}

func TestANullablePrintsItsState(t *testing.T) {
	require.Equal(t, "absent null 3 text", fmt.Sprintf("%v %v %v %v", Nullable[int]{}, Null[int](), Value(3), Value("text")))
	require.Equal(t, `007 "a" +2.50`, fmt.Sprintf("%03d %q %+.2f", Value(7), Value("a"), Value(2.5)))
	require.Equal(t, "{absent {x absent}}", fmt.Sprint(struct {
		A Nullable[int]
		B struct {
			C Nullable[string]
			D Nullable[bool]
		}
	}{B: struct {
		C Nullable[string]
		D Nullable[bool]
	}{C: Value("x")}}))
}

func TestTwoTimestampsOfOneMomentAreEqual(t *testing.T) {
	var date, zoned, plain Timestamp
	require.NoError(t, json.Unmarshal([]byte(`"2026-07-14"`), &date))
	require.NoError(t, json.Unmarshal([]byte(`"2026-07-14T02:00:00+02:00"`), &zoned))
	plain = NewTimestamp(time.Date(2026, 7, 14, 0, 0, 0, 0, time.UTC))
	for _, other := range []Timestamp{date, zoned, plain} {
		require.True(t, date.Equal(other))
		require.True(t, other.Equal(date))
	}
	require.False(t, date == zoned, "== compares texts too, which is why there is Equal")
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

func TestATimestampThatIsNotThereIsZero(t *testing.T) {
	for _, text := range []string{`null`, `""`} {
		ts := NewTimestamp(time.Now())
		require.NoError(t, json.Unmarshal([]byte(text), &ts))
		require.True(t, ts.IsZero())
		require.Empty(t, ts.Raw())
		require.False(t, ts.DateOnly())
		require.Equal(t, "null", toJSON(t, ts))
	}
}

func TestATimestampRefusesWhatIsNone(t *testing.T) {
	for text, want := range map[string]string{
		`12`:                      "timestamp: want a string, got 12",
		`{}`:                      "timestamp: want a string, got {}",
		`"yesterday"`:             `timestamp: "yesterday" is neither an RFC 3339 timestamp nor a calendar date`,
		`"2026-13-01"`:            `timestamp: "2026-13-01" is neither an RFC 3339 timestamp nor a calendar date`,
		`"2026-02-30"`:            `timestamp: "2026-02-30" is neither an RFC 3339 timestamp nor a calendar date`,
		`"2026-07-14T09:12:44"`:   `timestamp: "2026-07-14T09:12:44" is neither an RFC 3339 timestamp nor a calendar date`,
		`"2026-07-14 09:12:44Z"`:  `timestamp: "2026-07-14 09:12:44Z" is neither an RFC 3339 timestamp nor a calendar date`,
		`"` + longText(100) + `"`: `timestamp: "` + longText(40) + `" is neither an RFC 3339 timestamp nor a calendar date`,
	} {
		var ts Timestamp
		require.EqualError(t, json.Unmarshal([]byte(text), &ts), want)
		require.True(t, ts.IsZero())
	}
}

func longText(n int) string { return strings.Repeat("x", n) }

func TestAStrategyThatFellBackCanBeReplaced(t *testing.T) {
	g := decode[*CheckGroup](t, "get-v1-check-group.fallback")
	require.Equal(t, `"FALLBACK"`, toJSON(t, g.RetryStrategy))
	g.RetryStrategy.Type = RetryStrategyFixed
	g.RetryStrategy.MaxRetries = new(2)
	require.Equal(t, `{"type":"FIXED","maxRetries":2}`, toJSON(t, g.RetryStrategy), "only FALLBACK travels as a bare string")
}

func TestAStrategyOfAnUnknownTextIsWrittenBackAsItCame(t *testing.T) {
	var s RetryStrategy
	require.NoError(t, json.Unmarshal([]byte(` "LATER" `), &s))
	require.Equal(t, `"LATER"`, toJSON(t, s))
	require.Equal(t, `"FALLBACK"`, toJSON(t, RetryStrategy{Type: RetryStrategyFallback, MaxRetries: new(1)}))
}

func TestWholeNumbersOfUpdatableTypesAreRead(t *testing.T) {
	value, err := respond(t, "get-v1-check-group", 200, `{"id":4711.0,"name":"3.0","concurrency":3.00,"alertSettings":{"reminders":{"amount":0.0}},`+
		`"alertChannelSubscriptions":[{"alertChannelId":1.0,"activated":true}],"setupSnippetId":5.0,"retryStrategy":{"type":"FIXED","maxRetries":2.0}}`)
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"3.0","concurrency":3,"alertSettings":{"reminders":{"amount":0}},"alertChannelSubscriptions":[{"alertChannelId":1,"activated":true}],`+
		`"setupSnippetId":5,"retryStrategy":{"type":"FIXED","maxRetries":2}}`, toJSON(t, value.(*CheckGroup).ToUpdate()))
}

// seed adds every value in testdata whose member matches the pattern.
func seed(f *testing.F, members string) {
	matches := regexp.MustCompile(members)
	var add func(any)
	add = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, value := range v {
				if matches.MatchString(name) {
					f.Add([]byte(toJSON(f, value)))
				}
				add(value)
			}
		case []any:
			for _, item := range v {
				add(item)
			}
		}
	}
	files, err := filepath.Glob("testdata/responses/*.json")
	require.NoError(f, err)
	for _, file := range files {
		add(parseJSON(f, readFile(f, file)))
	}
}

func FuzzTimestamp(f *testing.F) {
	seed(f, `(At|_at|Seen|timestamp)$`)
	for _, text := range []string{`""`, `null`, `"2026-07-14T24:00:00Z"`, `"2026-07-14T09:12:44,5Z"`, `"\u0032026-07-14"`, `"9999-12-31T23:59:59.999999999-23:59"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var ts Timestamp
		if json.Unmarshal(data, &ts) != nil {
			return
		}
		var text *string
		require.NoError(t, json.Unmarshal(data, &text), "only texts and null are timestamps")
		if text == nil || *text == "" {
			require.True(t, ts.IsZero())
			require.Equal(t, "null", toJSON(t, ts))
			return
		}
		require.Equal(t, *text, ts.Raw())
		require.Equal(t, toJSON(t, *text), toJSON(t, ts), "the text is written back unchanged")
		require.Equal(t, len(*text) == len("2026-07-14"), ts.DateOnly())
		var again Timestamp
		require.NoError(t, json.Unmarshal([]byte(toJSON(t, ts)), &again))
		require.True(t, ts.Equal(again))
	})
}

func FuzzNullable(f *testing.F) {
	seed(f, `^(url|basicAuth|regex|groupId|description|runParallel|tags)$`)
	f.Add([]byte(" null\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		roundTripNullable[string](t, data)
		roundTripNullable[int64](t, data)
		roundTripNullable[[]string](t, data)
		roundTripNullable[BasicAuth](t, data)
		roundTripNullable[RetryStrategy](t, data)
	})
}

func roundTripNullable[T any](t *testing.T, data []byte) {
	var n, again Nullable[T]
	if json.Unmarshal(data, &n) != nil {
		require.True(t, n.IsZero(), "a failed read changes nothing")
		return
	}
	require.False(t, n.IsZero(), "what was read is never absent")
	require.Equal(t, string(bytes.TrimSpace(data)) == "null", n.IsNull())
	written := toJSON(t, n)
	require.NoError(t, json.Unmarshal([]byte(written), &again))
	require.Equal(t, written, toJSON(t, again))
	require.Equal(t, n.IsNull(), again.IsNull())
}

func FuzzRetryStrategy(f *testing.F) {
	seed(f, `^retryStrategy$`)
	for _, text := range []string{`"FALLBACK"`, `""`, `{}`, `{"onlyOn":"NETWORK_ERROR"}`, `{"onlyOn":[]}`, `{"onlyOn":null}`, `{"type":"FALLBACK","maxRetries":1}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s, again RetryStrategy
		if json.Unmarshal(data, &s) != nil || string(bytes.TrimSpace(data)) == `""` {
			return // an empty text is no strategy, however it is written back
		}
		written := toJSON(t, s)
		require.NoError(t, json.Unmarshal([]byte(written), &again), written)
		require.Equal(t, written, toJSON(t, again))
		bare := bytes.HasPrefix(bytes.TrimSpace(data), []byte(`"`))
		require.Equal(t, bare || s.Type == RetryStrategyFallback, strings.HasPrefix(written, `"`))
		if !bare && s.Type != RetryStrategyFallback {
			require.Equal(t, s, again)
		}
	})
}

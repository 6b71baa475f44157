package requests_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestANullableHasThreeStates(t *testing.T) {
	for _, c := range []struct {
		data string
		want monitoring.Nullable[bool]
		is   []bool // absent, null, a value, true
		text string
	}{
		{"truth", monitoring.Nullable[bool]{}, []bool{true, false, false, false}, "absent"}, // a failed read changes nothing
		{" null\n", monitoring.Null[bool](), []bool{false, true, false, false}, "null"},
		{"\tfalse", monitoring.Value(false), []bool{false, false, true, false}, " false"},
		{" true ", monitoring.Value(true), []bool{false, false, true, true}, "  true"},
	} {
		var n monitoring.Nullable[bool]
		require.Equal(t, c.text == "absent", n.UnmarshalJSON([]byte(c.data)) != nil)
		require.Equal(t, c.want, n)
		value, ok := n.Get()
		require.Equal(t, c.is, []bool{n.IsZero(), n.IsNull(), ok, value})
		require.Equal(t, c.text, fmt.Sprintf("%6t", n))
	}
	require.Error(t, new(monitoring.Nullable[bool]).UnmarshalJSON(nil))
}

func TestAStrategyReplacesWhatItHadBefore(t *testing.T) {
	for written, want := range map[string]monitoring.RetryStrategy{
		` "LATER" `: {Type: "LATER"}, `{"type":"FIXED","onlyOn":"NETWORK_ERROR"}`: {Type: monitoring.RetryStrategyFixed, OnlyOn: []monitoring.RetryCondition{"NETWORK_ERROR"}},
	} {
		r := monitoring.RetryStrategy{Type: monitoring.RetryStrategyFixed, MaxRetries: new(3), OnlyOn: []monitoring.RetryCondition{"BAD_LUCK"}}
		require.NoError(t, r.UnmarshalJSON([]byte(written)))
		require.Equal(t, want.Type, r.Type)
		require.Equal(t, want.OnlyOn, r.OnlyOn)
		require.Nil(t, r.MaxRetries)
		r.Type, r.OnlyOn = "LINEAR", nil
		require.Equal(t, `{"type":"LINEAR"}`, kit.ToJSON(t, r), "a changed type is written as an object")
	}
	for _, data := range []string{``, ` `, `"`, `"\x"`, `{`, `{"onlyOn":"`, `7`, `{"onlyOn":}`, `{"onlyOn":"\x"}`, `{"onlyOn":[}`, `{"onlyOn":7}`} {
		require.Error(t, new(monitoring.RetryStrategy).UnmarshalJSON([]byte(data)), data)
	}
}

func FuzzNullable(f *testing.F) {
	for _, text := range []string{" null\n", `"text"`, `263584`, `["a"]`, `{"username":"u","password":"p"}`, `{"type":"FIXED"}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		roundTripNullable[string](t, data)
		roundTripNullable[int64](t, data)
		roundTripNullable[[]string](t, data)
		roundTripNullable[monitoring.BasicAuth](t, data)
		roundTripNullable[monitoring.RetryStrategy](t, data)
	})
}

func roundTripNullable[T any](t *testing.T, data []byte) {
	var n, again monitoring.Nullable[T]
	if json.Unmarshal(data, &n) != nil {
		require.True(t, n.IsZero(), "a failed read changes nothing")
		return
	}
	require.False(t, n.IsZero(), "a value that was read is never absent")
	require.Equal(t, string(bytes.TrimSpace(data)) == "null", n.IsNull())
	written := kit.ToJSON(t, n)
	require.NoError(t, json.Unmarshal([]byte(written), &again))
	require.Equal(t, written, kit.ToJSON(t, again))
	require.Equal(t, n.IsNull(), again.IsNull())
}

func FuzzRetryStrategy(f *testing.F) {
	for _, text := range []string{`null`, `{"type":"LINEAR","maxRetries":2,"onlyOn":["NETWORK_ERROR"]}`, `"FALLBACK"`, `""`, `{}`, `{"onlyOn":"NETWORK_ERROR"}`, `{"onlyOn":[]}`, `{"onlyOn":null}`, `{"type":"FALLBACK","maxRetries":1}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s, again monitoring.RetryStrategy
		if json.Unmarshal(data, &s) != nil || string(bytes.TrimSpace(data)) == `""` {
			return // an empty string is not a strategy
		}
		written := kit.ToJSON(t, s)
		require.NoError(t, json.Unmarshal([]byte(written), &again), written)
		require.Equal(t, written, kit.ToJSON(t, again))
		bare := bytes.HasPrefix(bytes.TrimSpace(data), []byte(`"`))
		require.Equal(t, bare || s.Type == monitoring.RetryStrategyFallback, strings.HasPrefix(written, `"`))
		if !bare && s.Type != monitoring.RetryStrategyFallback {
			require.Equal(t, s, again)
		}
	})
}

func TestADateIsADayInEveryForm(t *testing.T) {
	day := monitoring.Date{Year: 2026, Month: time.December, Day: 31}
	require.Equal(t, "2026-12-31", day.String())
	require.Equal(t, `"0812-03-04"`, kit.ToJSON(t, monitoring.Date{Year: 812, Month: 3, Day: 4}))
	// An hour before midnight of New Year in New York is the next day in UTC.
	require.Equal(t, day, monitoring.DateOf(time.Date(2026, 12, 31, 23, 0, 0, 0, time.FixedZone("", -5*60*60))))
	var read monitoring.Date
	require.NoError(t, json.Unmarshal([]byte(`"2026-12-31"`), &read))
	require.Equal(t, day, read)
	for _, text := range []string{"", "2026-12-3", "2026-12-31T00:00:00Z", "31.12.2026", "2026-1-31", "+026-12-31", " 2026-12-31"} {
		require.Error(t, read.UnmarshalText([]byte(text)), text)
	}
}

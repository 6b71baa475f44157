package monitoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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

func TestANullableIsReadWithWhiteSpaceAroundIt(t *testing.T) {
	flag := Value(true)
	for data, want := range map[string]Nullable[bool]{" null\n": Null[bool](), " true ": Value(true), "\tfalse": Value(false)} {
		require.NoError(t, flag.UnmarshalJSON([]byte(data)))
		require.Equal(t, want, flag, data)
	}
	for _, data := range []string{"", " ", "truth", "1", `"true"`} {
		require.Error(t, flag.UnmarshalJSON([]byte(data)), data)
	}
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

func TestAnUnknownStrategyIsWrittenBackUnchanged(t *testing.T) {
	var s RetryStrategy
	require.NoError(t, json.Unmarshal([]byte(` "LATER" `), &s))
	require.Equal(t, `"LATER"`, toJSON(t, s))
	require.Equal(t, `"FALLBACK"`, toJSON(t, RetryStrategy{Type: RetryStrategyFallback, MaxRetries: new(1)}))
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
	require.False(t, n.IsZero(), "a value that was read is never absent")
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
			return // an empty string is not a strategy
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

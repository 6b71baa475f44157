package monitoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// verbs are those that go vet accepts for a value, plain and with flags.
var verbs = []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%o", "%b", "%c", "%U", "%e", "%f", "%g", "%t", "% x", "%#x", "%10.3s", "%-20v", "%z"}

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

// secretHolders are values with a secret somewhere in them.
func secretHolders(s Secret) map[string]any {
	pointer := &s
	auth := BasicAuth{Username: "user", Password: s}
	pair := KeyValue{Key: "key", Value: s}
	variable := EnvironmentVariable{Key: "key", Value: pointer}
	return map[string]any{
		"secret": s, "pointer": pointer, "list": []Secret{s}, "map": map[string]Secret{"k": s}, "key of a map": map[Secret]int{s: 1},
		"nullable": Value(s), "nullable struct": Value(auth), "nullable list": Value([]Secret{s}), "nullable pointer": Value(pointer),
		"nullable in a nullable": Value(Value(s)), "pointer to a nullable": new(Value(s)), "key and value": pair, "list of pairs": []KeyValue{pair},
		"variable": variable, "list of variables": []EnvironmentVariable{variable}, "auth": auth, "pointer to auth": &auth,
		"defaults":       APICheckDefaults{Headers: []KeyValue{pair}, BasicAuth: Value(auth)},
		"group":          CheckGroup{APICheckDefaults: APICheckDefaults{BasicAuth: Value(auth)}, EnvironmentVariables: []EnvironmentVariable{variable}},
		"group update":   CheckGroupUpdate{APICheckDefaults: &APICheckDefaults{BasicAuth: Value(auth)}, EnvironmentVariables: []EnvironmentVariable{variable}},
		"browser update": BrowserCheckUpdate{EnvironmentVariables: []EnvironmentVariable{variable}},
		"channels":       AlertChannels{Webhook: []AlertWebhook{{Headers: []KeyValue{pair}, QueryParameters: []KeyValue{pair}}}},
		"check":          TCPCheck{CheckCommon: CheckCommon{AlertChannels: &AlertChannels{Webhook: []AlertWebhook{{Headers: []KeyValue{pair}}}}}},
		"struct of pointers": struct {
			G *CheckGroup
			C *TCPCheck
			U *BrowserCheckUpdate
		}{&CheckGroup{EnvironmentVariables: []EnvironmentVariable{variable}}, &TCPCheck{CheckCommon: CheckCommon{AlertChannels: &AlertChannels{Webhook: []AlertWebhook{{Headers: []KeyValue{pair}}}}}}, &BrowserCheckUpdate{EnvironmentVariables: []EnvironmentVariable{variable}}},
		"list of pointers": []*KeyValue{&pair}, "pointers in any": []any{&auth},
		"any": []any{s, pair, Value(auth)}, "error": fmt.Errorf("with %v", s),
	}
}

// hiddenText is what secretHolders are filled with, hiddenForms are the forms in which it
// could show.
const hiddenText = "hunter2-hunter2"

var hiddenForms = regexp.MustCompile(`(?i)hunter2|68756e74657232|68 75 6e 74|0x68|U\+0068`)

func TestASecretShowsUnderNoVerb(t *testing.T) {
	for _, verb := range verbs {
		require.Equal(t, "[redacted]", fmt.Sprintf(verb, Secret(hiddenText)), verb)
	}
	require.Equal(t, "[redacted]", Secret(hiddenText).String())
	require.Equal(t, "[redacted]", Secret(hiddenText).GoString())
}

func TestASecretInsideAValueIsNotPrinted(t *testing.T) {
	var leaks []string
	for name, holder := range secretHolders(hiddenText) {
		for _, verb := range verbs {
			if hiddenForms.MatchString(fmt.Sprintf(verb, holder)) {
				leaks = append(leaks, verb+" of "+name)
			}
		}
		require.NotRegexp(t, hiddenForms, fmt.Sprint(holder), name)
		require.NotRegexp(t, hiddenForms, fmt.Sprintln("x", holder), name)
	}
	slices.Sort(leaks)
	require.Empty(t, leaks)
}

func TestASecretShowsInNoLog(t *testing.T) {
	for name, holder := range secretHolders(hiddenText) {
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("m", "a", holder, slog.Group("g", "b", holder))
		require.NotRegexp(t, hiddenForms, log.String(), name)
	}
	var log bytes.Buffer
	variables := []EnvironmentVariable{NewEnvironmentVariable("k", hiddenText)}
	auth := BasicAuth{Password: hiddenText}
	defaults := APICheckDefaults{Headers: []KeyValue{{Value: hiddenText}}, BasicAuth: Value(auth)}
	for _, holder := range []any{
		Secret(hiddenText), slog.GroupValue(slog.Any("b", Secret(hiddenText))), variables[0], auth, defaults, defaults.Headers[0],
		CheckGroup{APICheckDefaults: defaults}, &CheckGroup{EnvironmentVariables: variables}, CheckGroupUpdate{APICheckDefaults: &defaults},
		BrowserCheck{EnvironmentVariables: variables}, BrowserCheckUpdate{EnvironmentVariables: variables},
		Check{EnvironmentVariables: variables}, CheckUpdate{EnvironmentVariables: variables}, Value(Secret(hiddenText)), Value(auth),
		AlertWebhook{Headers: defaults.Headers}, AlertChannels{Webhook: []AlertWebhook{{Headers: defaults.Headers}}}, Page[EnvironmentVariable]{Items: variables},
		TCPCheck{CheckCommon: CheckCommon{AlertChannels: &AlertChannels{Webhook: []AlertWebhook{{Headers: defaults.Headers}}}}},
	} {
		slog.New(slog.NewJSONHandler(&log, nil)).Info("m", "a", holder)
	}
	require.NotRegexp(t, hiddenForms, log.String())
	require.Equal(t, 3, strings.Count(log.String(), `"[redacted]"`))
}

func TestASecretTravelsInJSONAndConverts(t *testing.T) {
	require.JSONEq(t, `{"username":"u","password":"p"}`, toJSON(t, BasicAuth{Username: "u", Password: "p"}))
	var s Secret
	require.NoError(t, json.Unmarshal([]byte(`"p"`), &s))
	require.Equal(t, "p", string(s))
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
		require.True(t, ts.Equal(want.moment), text)
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
		require.True(t, ts.Equal(again.Time))
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

package api_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestCopyRawIsRetriedUntilItHasWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const body = "{ \"a\" : 1.0 }\n"
		for _, last := range []testkit.RoundTripper{testkit.Status(200, body), testkit.Faults["reset in mid-response"]} {
			var out bytes.Buffer
			var response monitoring.Response
			err := kit.Client(t, testkit.InTurn(testkit.Faults["503"], last)).CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, &out, monitoring.WithResponse(&response))
			require.Equal(t, 2, response.Attempts)
			require.NotEmpty(t, out.String())
			require.Equal(t, err == nil, out.String() == body, "it is copied unchanged")
		}
	})
}

func TestTheSizeOfARawResultIsLimited(t *testing.T) {
	client := kit.Client(t, testkit.Status(200, `{"id":"0123456789"}`), monitoring.WithMaxResponseSize(10))
	var out bytes.Buffer
	require.ErrorIs(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, &out), monitoring.ErrResponseTooLarge)
	require.LessOrEqual(t, out.Len(), 10)

	require.EqualError(t, client.OpenAPI(t.Context(), nil), "monitoring: copy OpenAPI description: the writer is nil")
	require.EqualError(t, client.CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, nil), "monitoring: copy check result: the writer is nil")
	require.ErrorAs(t, client.CheckResults.CopyRaw(t.Context(), "", kit.UUID2, &out), new(*monitoring.ValidationError))
	require.ErrorContains(t, kit.Client(t, testkit.Status(200, "{}")).CheckResults.CopyRaw(t.Context(), kit.UUID1, kit.UUID2, testkit.FailingWriter{}), "disk full")
}

func TestARunErrorIsReadInEachForm(t *testing.T) {
	for data, want := range map[string]monitoring.ResultError{
		`"a\nb"`:                                      {Message: "a\nb"},
		`{"name":"N","message":"m","stack":"s"}`:      {Name: "N", Message: "m", Stack: "s"},
		`{"error":{"message":"inner"}}`:               {Message: "inner"},
		`{"message":"m","error":{"message":"inner"}}`: {Message: "m"},
		`{"message":7,"name":"N"}`:                    {Name: "N"},
		`{"error":"text"}`:                            {}, `{"error":null}`: {}, `{"error":{"message":7}}`: {}, `{}`: {}, `[1]`: {}, `7`: {}, `null`: {},
	} {
		var e monitoring.ResultError
		require.NoError(t, json.Unmarshal([]byte(data), &e), data)
		require.Equal(t, data, string(e.Raw))
		e.Raw = nil
		require.Equal(t, want, e, data)
	}
}

func TestAnAssertionHasTheMembersThatFit(t *testing.T) {
	for data, want := range map[string]monitoring.ResultAssertion{
		`{"order":1,"source":"HEADERS","property":"p","comparison":"EQUALS","regex":"r"}`: {Order: 1, Source: "HEADERS", Property: "p", Comparison: "EQUALS", Regex: "r"},
		`{"order":"1","source":7,"comparison":"EQUALS"}`:                                  {Comparison: "EQUALS"},
		`{"target":200,"actual":"x"}`:                                                     {Target: json.RawMessage(`200`), Actual: json.RawMessage(`"x"`)},
		`{"error":"a\"b"}`:                                                                {Error: `a"b`}, `{"error":null}`: {}, `{"error":7}`: {Error: "7"}, `{"error":{"a":1}}`: {Error: `{"a":1}`},
		`{}`: {}, `[1]`: {}, `"x"`: {}, `null`: {},
	} {
		a := monitoring.ResultAssertion{Error: "old text"}
		require.NoError(t, json.Unmarshal([]byte(data), &a), data)
		require.Equal(t, data, string(a.Raw))
		require.Equal(t, data, written(t, a))
		a.Raw = nil
		require.Equal(t, want, a, data)
	}
	for _, data := range []string{``, `{"order":`} {
		a := monitoring.ResultAssertion{Order: 1}
		require.NoError(t, a.UnmarshalJSON([]byte(data)))
		require.Equal(t, monitoring.ResultAssertion{Raw: json.RawMessage(data)}, a, "what is no JSON is only kept")
	}
}

func TestWhichSessionsAreDone(t *testing.T) {
	stopped, none := &monitoring.Timestamp{Time: time.Now()}, &monitoring.Timestamp{}
	for _, c := range []struct {
		status monitoring.CheckSessionStatus
		end    *monitoring.Timestamp
		want   bool
	}{
		{monitoring.SessionTimedOut, nil, true},
		{monitoring.SessionProgressFailed, nil, false},
		{monitoring.SessionProgress, stopped, false},
		{"PAUSED", nil, false}, // an unknown status
		{"PAUSED", stopped, true},
		{"PAUSED", none, false},
		{"", stopped, false},
		{"", nil, false},
	} {
		session := &monitoring.CheckSession{Status: c.status, StoppedAt: c.end}
		require.Equal(t, c.want, session.Done(), "%+v", c)
	}
}

func TestMessagesAreTheErrorsOfAResult(t *testing.T) {
	for result, want := range map[string][]string{
		`{"resultType":"FINAL"}`: nil,
		`{"isDegraded":true}`:    nil,
		`{"hasFailures":true,"overMaxResponseTime":true,"responseTime":5200.5}`: {"the response time of 5200.5 ms is over the maxResponseTime"},
		`{"hasFailures":true}`:                                                                          {"the run failed, and the result gives no reason"},
		`{"hasFailures":true,"isCancelled":true}`:                                                       {"it was cancelled"},
		`{"hasFailures":true,"hasErrors":true}`:                                                         {"the service itself had an error"},
		`{"hasFailures":true,"apiCheckResult":{"assertions":[],"requestError":null}}`:                   {"the run failed, and the result gives no reason"},
		`{"apiCheckResult":{"assertions":[{"error":null},{"error":"expected 1"}],"requestError":null}}`: {"expected 1"},
		`{"apiCheckResult":{"assertions":[{"error":"stale"}],"requestError":"refused"}}`:                {"refused"},
		`{"apiCheckResult":{"assertions":["odd"]}}`:                                                     nil,
		`{"sslCheckResult":{"assertions":[{"error":"expires"}],"requestError":""}}`:                     {"expires"},
		`{"browserCheckResult":{"errors":["text",{"name":"Error","message":"object"}]}}`:                {"text", "object"},
		`{"multiStepCheckResult":{"errors":["step"]}}`:                                                  {"step"},
		`{"playwrightCheckResult":{"errors":[{"code":7}]}}`:                                             {`{"code":7}`}, // without a message, as JSON
		`{"agenticCheckResult":{"errors":[{"error":{"message":"deep"}}],"assertions":[{"condition":"a","passed":true},{"condition":"b","passed":false,"expected":"1","actual":"2"}]}}`: {"deep", `b: expected "1", got "2"`},
		`{"tracerouteCheckResult":{"requestError":"no route"},"grpcCheckResult":{"assertions":[{"error":"NOT_SERVING"}]}}`:                                                             {"no route", "NOT_SERVING"},
	} {
		var r monitoring.CheckResult
		require.NoError(t, json.Unmarshal([]byte(result), &r))
		require.Equal(t, want, r.Messages(), result)
	}
}

// fieldsOfKinds returns the names of the fields of a check that only a kind has, and that are set.
func fieldsOfKinds(c monitoring.Check) (names []string) {
	for field := range reflect.TypeFor[monitoring.Check]().Fields() {
		if v := reflect.ValueOf(c).FieldByIndex(field.Index); field.IsExported() && field.Tag.Get("json") == "-" && field.Name != "Extra" && !v.IsZero() {
			names = append(names, field.Name)
		}
	}
	return names
}

func TestTheTypeOfACheckSaysWhichFieldItHas(t *testing.T) {
	for kind, form := range map[string]string{
		`"API"`: "API", `"BROWSER"`: "Browser", `"TCP"`: "TCP", `"HEARTBEAT"`: "Heartbeat", `"MULTI_STEP"`: "MultiStep", `"PLAYWRIGHT"`: "Playwright",
		`"URL"`: "URL", `"DNS"`: "DNS", `"ICMP"`: "ICMP", `"SSL"`: "SSL", `"GRPC"`: "Other", `"TRACEROUTE"`: "Other",
		`"AGENTIC"`: "Other", `"FUTURE"`: "Other", `""`: "Other", `null`: "Other", `"\u0041PI"`: "API",
	} {
		text := `{"id":"c","checkType":` + kind + `,"name":"n","future":{"a":1.0}`
		if form == "Other" {
			text += `,"request":{"url":"x"}`
		}
		text += "}"
		client, _ := kit.Recorded(t, 200, text)
		read, err := client.Checks.Get(t.Context(), "c")
		require.NoError(t, err)
		check := *read
		require.Equal(t, []string{form}, fieldsOfKinds(check), kind)
		require.Equal(t, "n", check.Name)
		require.Equal(t, text, kit.ToJSON(t, check), "every member is kept")
	}
	var check monitoring.Check
	require.NoError(t, json.Unmarshal([]byte(`{"id":"c"}`), &check))
	require.Empty(t, fieldsOfKinds(check))
	require.NoError(t, json.Unmarshal([]byte(`null`), &check))
	require.Equal(t, "c", check.ID, "null changes nothing")
}

func TestOneOddCheckOfAListCostsOnlyItself(t *testing.T) {
	const odd, fits = `{"checkType":"TCP","request":{"port":25.0,"url":5}}`, `{"checkType":"API","request":{"url":"u"},"tags":"a"},{"checkType":"HEARTBEAT","heartbeat":{"period":0.5,"pingToken":null}}`
	list := func(body string) ([]monitoring.Check, error) {
		client, _ := kit.Recorded(t, 200, body)
		return monitoring.Collect(client.Checks.All(t.Context(), monitoring.CheckListOptions{}))
	}
	_, err := list("[" + odd + "," + fits + "]")
	require.Equal(t, "$[0].request.url", kit.ErrAs[*monitoring.ItemError](t, err).Path)
	checks, err := list("[" + fits + "]")
	require.NoError(t, err)
	require.Equal(t, []string{"a"}, checks[0].Tags)
	require.Equal(t, 0.5, checks[1].Heartbeat.Period)
	require.True(t, checks[1].Heartbeat.PingToken.IsWithheld())
}

// What belongs to another kind is kept where it is, and so is what no kind has.
func TestACheckOfEachKindKeepsTheJSONThatWasRead(t *testing.T) {
	const text = `{"future":1.0,"name":"n","id":"c","checkType":%q,"groupId":null,"request":{"url":"u","method":"GET","hostname":"h","port":25,
		"query":"q","recordType":"A","sslConfig":{"hostname":"h"},"future":2.0},"heartbeat":{"period":1.0,"pingToken":"t","future":3.0},"script":"s"}`
	for _, kind := range []string{"API", "BROWSER", "DNS", "HEARTBEAT", "ICMP", "MULTI_STEP", "PLAYWRIGHT", "SSL", "TCP", "URL", "GRPC", "FUTURE"} {
		client, _ := kit.Recorded(t, 200, fmt.Sprintf(text, kind))
		check, err := client.Checks.Get(t.Context(), "c")
		require.NoError(t, err)
		require.JSONEq(t, fmt.Sprintf(text, kind), kit.ToJSON(t, check), kind)
		check.Name = "changed"
		is, err := monitoring.MarshalWithSecrets(check)
		require.NoError(t, err)
		require.Contains(t, string(is), `{"future":1.0,"name":"changed","id":"c"`, kind)
		require.Contains(t, string(is), `"future":2.0},"heartbeat":{"period":1.0,"pingToken":"t","future":3.0}`, kind)
		require.Equal(t, `[name: "n" -> "changed"]`, fmt.Sprint(check.Diff()), kind)
	}
}

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

// Packages of the standard library call one of several methods, and which one depends on the
// version of Go. Package isotime tests what the texts mean.
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
		require.EqualError(t, err, fmt.Sprintf("timestamp: %q is neither an ISO 8601 timestamp nor a calendar date", text))
		require.True(t, ts.IsZero())
	}
	for _, data := range []string{``, `"`, `"\x"`, `"2026-07-14`} {
		require.Error(t, new(monitoring.Timestamp).UnmarshalJSON([]byte(data)), data)
	}
	long := strings.Repeat("x", 100)
	require.EqualError(t, new(monitoring.Timestamp).UnmarshalText([]byte(long)), "timestamp: a text of over 40 bytes is neither an ISO 8601 timestamp nor a calendar date")
	for data, got := range map[string]string{"12": "a number", "{}": "an object", "[]": "an array", "true": "a boolean"} {
		require.EqualError(t, new(monitoring.Timestamp).UnmarshalJSON([]byte(data)), "timestamp: want a string, got "+got)
		client, _ := kit.Recorded(t, 200, data)
		_, err := monitoring.Do[monitoring.Timestamp](t.Context(), client, "GET", "/v1/now", nil, nil)
		require.ErrorContains(t, err, ", unusable response: timestamp: want a string, got "+got)
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

func TestEveryObjectOfAPayloadHasAnExtra(t *testing.T) {
	anyJSON := []reflect.Type{reflect.TypeFor[monitoring.ResultAssertion](), reflect.TypeFor[monitoring.ResultError](), reflect.TypeFor[monitoring.Timestamp]()}
	checked := 0
	var check func(reflect.Type)
	check = func(owner reflect.Type) {
		checked++
		_, ok := owner.FieldByName("Extra")
		require.True(t, ok, "%s has no Extra: it loses members that it has no field for", owner)
		for f := range owner.Fields() {
			in := f.Type
			for in.Kind() == reflect.Pointer || in.Kind() == reflect.Slice {
				in = in.Elem()
			}
			if in.Kind() == reflect.Struct && !slices.Contains(anyJSON, in) {
				check(in)
			}
		}
	}
	check(reflect.TypeFor[monitoring.CheckResult]())
	require.Greater(t, checked, 10)
}

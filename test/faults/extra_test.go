package faults_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func readResult(t *testing.T, body string) *monitoring.CheckResult {
	t.Helper()
	value, err := kit.Respond(t, "get-v1-check-result", 200, body)
	require.NoError(t, err)
	return value.(*monitoring.CheckResult)
}

func TestTheExtraOfEachOfTheEightPayloadsHasTheMembersWithoutAField(t *testing.T) {
	result := reflect.TypeFor[monitoring.CheckResult]()
	payloads := 0
	for field := range result.Fields() {
		if field.Type.Kind() != reflect.Pointer || field.Type.Elem().Kind() != reflect.Struct || field.Type == reflect.TypeFor[*monitoring.Timestamp]() || field.Type == reflect.TypeFor[monitoring.Timestamp]() {
			continue
		}
		payloads++
		name := field.Tag.Get("json")[:len(field.Tag.Get("json"))-len(",omitempty")]
		r := readResult(t, `{"id":"r","`+name+`":{"newer":{"n": 9007199254740993.0}}}`)
		extra := reflect.ValueOf(r).Elem().FieldByIndex(field.Index).Elem().FieldByName("Extra").Interface()
		require.Equal(t, map[string]json.RawMessage{"newer": json.RawMessage(`{"n": 9007199254740993.0}`)}, extra, name)
		require.Nil(t, r.Extra)
	}
	require.Equal(t, 8, payloads)
}

func TestWhatAPayloadHasNoFieldForIsInItsExtra(t *testing.T) {
	r := readResult(t, `{"id":"r","grpcCheckResult":{"timingPhases":{"dns":1.5,"wait":"3ms"},"requestError":{"code":7}},`+
		`"tracerouteCheckResult":{"finalHopLatency":"12ms","response":{"finalHopLatency":{"avg":1,"p99":4,"best_ms":"?"}}},`+
		`"playwrightCheckResult":{"errors":["boom",{"code":8}],"playwrightTestVideos":[1,2],"playwrightTestTraces":"t"},"sslCheckResult":[1]}`)
	grpc := r.GRPCCheckResult
	require.Equal(t, 1.5, *grpc.TimingPhases.DNS)
	require.Nil(t, grpc.TimingPhases.Connect, "a missing phase is nil, not 0")
	require.Equal(t, `"3ms"`, string(grpc.TimingPhases.Extra["wait"]))
	require.Nil(t, grpc.RequestError)
	require.Equal(t, `{"code":7}`, string(grpc.Extra["requestError"]))

	trace := r.TracerouteCheckResult
	require.Nil(t, trace.FinalHopLatency)
	require.Equal(t, `"12ms"`, string(trace.Extra["finalHopLatency"]))
	require.Equal(t, 1.0, *trace.Response.FinalHopLatency.AvgMs)
	require.Equal(t, map[string]json.RawMessage{"p99": json.RawMessage("4"), "best_ms": json.RawMessage(`"?"`)}, trace.Response.FinalHopLatency.Extra)

	script := r.PlaywrightCheckResult
	require.Equal(t, "boom", script.Errors[0].Message)
	require.Equal(t, []string{"t"}, script.PlaywrightTestTraces)
	require.Equal(t, `[1,2]`, string(script.Extra["playwrightTestVideos"]))
	require.Equal(t, `[1]`, string(r.Extra["sslCheckResult"]), "a payload that is not an object")
	require.Equal(t, []string{"boom", `{"code":8}`, `{"code":7}`}, r.Messages())
}

func TestAMemberOfTheResultItselfThatDoesNotFitIsAnError(t *testing.T) {
	_, err := kit.Respond(t, "get-v1-check-result", 200, `{"id":"r","attempts":"many","newer":1}`)
	require.EqualError(t, err, "monitoring: GET /v1/check-results/"+kit.UUID1+"/r at api.service.test/prefix: read the response: $.attempts: want a number, got a string (last status 200)")
}

func TestAResultThatIsReadAgainKeepsNoOldExtra(t *testing.T) {
	r := readResult(t, `{"id":"r","newer":1,"apiCheckResult":{"newer":2}}`)
	require.NoError(t, json.Unmarshal([]byte(`{"id":"s","apiCheckResult":{}}`), r))
	require.Nil(t, r.Extra)
	require.Nil(t, r.APICheckResult.Extra)
	require.NoError(t, json.Unmarshal([]byte(`null`), r))
	require.Equal(t, "s", r.ID)
}

func TestTheReadableMembersOfAnAssertionAreRead(t *testing.T) {
	for data, want := range map[string]monitoring.ResultAssertion{
		`{"order":1.0,"source":"S","property":null,"target":200,"error":{"a":1},"actual":null}`: {Order: 1, Source: "S", Target: json.RawMessage("200"), Error: `{"a":1}`, Actual: json.RawMessage("null")},
		`{"order":"x","comparison":"EQUALS","source":["S"],"error":"e\n"}`:                      {Comparison: "EQUALS", Error: "e\n"},
		`"boom"`: {}, `null`: {}, `[1]`: {},
	} {
		var a monitoring.ResultAssertion
		require.NoError(t, json.Unmarshal([]byte(data), &a), data)
		if data != "null" {
			want.Raw = json.RawMessage(data)
		} else {
			want.Raw = a.Raw
		}
		require.Equal(t, want, a, data)
	}
}

func TestTheReadableMembersOfARunErrorAreRead(t *testing.T) {
	for data, want := range map[string]monitoring.ResultError{
		`"a\u0062"`:                                      {Message: "ab"},
		`{"message":"m","name":5,"stack":"s"}`:           {Message: "m", Stack: "s"},
		`{"message":{"x":1},"error":{"message":"deep"}}`: {Message: "deep"},
		`{"error":"flat"}`:                               {},
		`7`:                                              {}, `[]`: {},
	} {
		var e monitoring.ResultError
		require.NoError(t, json.Unmarshal([]byte(data), &e), data)
		want.Raw = json.RawMessage(data)
		require.Equal(t, want, e, data)
	}
}

// FuzzExtra checks that a result is the same after writing and reading it, whatever its members
// are.
func FuzzExtra(f *testing.F) {
	for _, file := range kit.ResponseFiles(f, "get-v1-check-result") {
		f.Add([]byte(kit.File(f, file)))
	}
	f.Add([]byte(`{"grpcCheckResult":{"requestError":{},"newer":1,"timingPhases":[1]},"newer":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r, again monitoring.CheckResult
		if json.Unmarshal(data, &r) != nil {
			return
		}
		written := kit.ToJSON(t, r)
		require.NoError(t, json.Unmarshal([]byte(written), &again))
		require.Equal(t, written, kit.ToJSON(t, again))
	})
}

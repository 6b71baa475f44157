package secrets_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTheTestsFindASecretThatIsShown(t *testing.T) {
	for _, v := range []any{testkit.Canary, []byte(testkit.Canary), struct{ S string }{testkit.Canary}, struct{ s []byte }{[]byte(testkit.Canary)}} {
		shown := testkit.Rendered(v)
		for _, how := range []string{"%s", "%x", "% x", "%d", "%#v"} {
			require.True(t, testkit.ShowsCanary(shown[how]), "%s of %T", how, v)
		}
	}
	require.True(t, testkit.ShowsCanary(testkit.Rendered(testkit.Canary)["slog text"]))
}

func TestASecretIsRedactedWithEveryVerb(t *testing.T) {
	for _, s := range []fmt.Stringer{monitoring.NewSecret(testkit.Canary), monitoring.NewSecretJSON(json.RawMessage(`{"k":"` + testkit.Canary + `"}`))} {
		for _, verb := range testkit.Verbs {
			if strings.ContainsAny(verb, "pTw") { // for these verbs fmt calls no method
				continue
			}
			require.Equal(t, "[redacted]", fmt.Sprintf(verb, s), verb)
			require.Equal(t, "[redacted]", fmt.Sprintf(verb, reflect.ValueOf(s)), verb)
		}
		require.Equal(t, "[redacted]", s.String())
		require.Equal(t, "[redacted]", s.(fmt.GoStringer).GoString())
		require.Equal(t, "[redacted]", s.(slog.LogValuer).LogValue().String())
	}
	for _, s := range []fmt.Stringer{monitoring.Secret{}, monitoring.SecretJSON{}, monitoring.NewSecretJSON(json.RawMessage(" null "))} {
		require.Equal(t, "[withheld] [withheld] [withheld]", fmt.Sprintf("%v %x %s", s, s, s.String()))
	}
	require.Equal(t, "{K [redacted] <nil>}", fmt.Sprint(monitoring.KeyValue{Key: "K", Value: monitoring.NewSecret(testkit.Canary)}))
}

func TestASecretIsReadFromAStringOrFromNull(t *testing.T) {
	for text, want := range map[string]monitoring.Secret{`null`: {}, ` null `: {}, `""`: monitoring.NewSecret(""), `"null"`: monitoring.NewSecret("null"), `"a\u0062<"`: monitoring.NewSecret("ab<")} {
		s := monitoring.NewSecret("old")
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		require.Equal(t, want, s, text)
	}
	for text, kind := range map[string]string{`73914`: "number", `{"a":"` + testkit.Canary + `"}`: "object", `["` + testkit.Canary + `"]`: "array", `true`: "bool"} {
		s := monitoring.NewSecret("old")
		err := json.Unmarshal([]byte(text), &s)
		var wrong *json.UnmarshalTypeError
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, kind, wrong.Value)
		require.False(t, testkit.ShowsCanary(err.Error()))
		require.NotContains(t, err.Error(), "73914")
		require.Equal(t, monitoring.NewSecret("old"), s, "a failed read changes nothing")
	}
	require.Error(t, new(monitoring.Secret).UnmarshalJSON([]byte(`"`)))
	require.Error(t, new(monitoring.Secret).UnmarshalJSON(nil))
}

func TestSecretJSONKeepsItsBytes(t *testing.T) {
	const text = `{"b" : 1.0, "a":"<"}`
	raw := json.RawMessage(text)
	made := monitoring.NewSecretJSON(raw)
	raw[1] = 'x'
	var n monitoring.AlertNotification
	require.NoError(t, json.Unmarshal([]byte(`{"alertConfig": `+text+` }`), &n))
	n.AlertConfig.Reveal()[1] = 'x'
	for _, kept := range []monitoring.SecretJSON{made, n.AlertConfig} {
		require.Equal(t, text, string(kept.Reveal()), "of its own copy")
		require.Equal(t, made, kept)
	}
	require.NotEqual(t, made, monitoring.NewSecretJSON(json.RawMessage(`{}`)))
	require.True(t, monitoring.NewSecretJSON(nil).IsZero())
	require.Nil(t, monitoring.SecretJSON{}.Reveal())
	require.Greater(t, reflect.TypeFor[monitoring.SecretJSON]().Size(), reflect.TypeFor[uintptr]().Size(), "go-spew crashes at a struct of one pointer")
	require.False(t, reflect.TypeFor[monitoring.SecretJSON]().Comparable(), "== would compare pointers, so it does not compile")
}

func TestAWithheldSecretIsNeverSent(t *testing.T) {
	changed := kit.Returned[monitoring.CheckGroup](`{"id":1,"name":"n","environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":null,"x":1}]}`)
	changed.EnvironmentVariables[0].Value = monitoring.NewSecret("b")
	client, sent := kit.Recorded(t, 200, `{}`, monitoring.WithoutValidation())
	send := func(body any) error {
		return kit.Second(monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, body))
	}
	for path, in := range map[string]any{
		"[1].value":     []monitoring.KeyValue{{Key: "a", Value: monitoring.NewSecret("")}, {Key: "b"}},
		"auth.password": map[string]any{"auth": &monitoring.BasicAuth{}, "n": 1},
		"$":             monitoring.Secret{},
		"C":             struct{ C monitoring.SecretJSON }{},
		"N":             struct{ N monitoring.SecretJSON }{monitoring.NewSecretJSON(json.RawMessage(`null`))},
		"A.password": struct {
			A monitoring.Nullable[monitoring.BasicAuth]
		}{monitoring.Value(monitoring.BasicAuth{})},
		"u[0].environmentVariables[1].value": map[string]any{"u": []any{changed}},
	} {
		err := send(in)
		var invalid *monitoring.ValidationError
		require.ErrorAs(t, err, &invalid, path)
		require.Len(t, invalid.Violations, 1)
		require.Equal(t, path, invalid.Violations[0].Path)
		omit := strings.HasSuffix(invalid.Violations[0].Message, "set it with NewSecret, or omit the list or object")
		require.Equal(t, strings.ContainsAny(path, ".["), omit, invalid.Violations)
	}
	require.Empty(t, sent.Sent)
}

func TestAnUpdateThatIsMarshaledHidesTheSecretsBesideAChange(t *testing.T) {
	read, err := kit.Respond(t, "get-v1-check-group", 200, `{"id":7,"name":"g","environmentVariables":[{"key":"K","value":"s3cret","new":1}]}`)
	require.NoError(t, err)
	update := read.(*monitoring.CheckGroup)
	require.NoError(t, update.SetVariable(monitoring.EnvironmentVariable{Key: "L", Value: monitoring.NewSecret("other")}))
	data, err := json.Marshal(update)
	require.NoError(t, err)
	require.Contains(t, string(data), `{"key":"L","value":null}`)
	require.NotContains(t, string(data), "s3cret")
}

func TestAValidRawMessageIsSentAsItIs(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{}`)
	send := func(body json.RawMessage) error {
		return kit.Second(monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, body))
	}
	require.NoError(t, send(json.RawMessage(` {"a" : 1.0, "b":"<"} `)))
	require.NoError(t, send(nil))
	require.Equal(t, []string{` {"a" : 1.0, "b":"<"} `, `null`}, []string{sent.Sent[0].Body, sent.Sent[1].Body})
	for _, raw := range []string{"", "{", `{"a":1}{`} {
		require.EqualError(t, send(json.RawMessage(raw)), "monitoring: POST /v1/things: encode the body: the json.RawMessage is not valid JSON")
	}
	require.Len(t, sent.Sent, 2)
}

const oddText = "a&b<c>d'\u2028\u2029é"

// revealing is a type of a user that writes itself and reveals its secret.
type revealing struct{ Token monitoring.Secret }

func (r revealing) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"token": "%s"}`, r.Token.Reveal()), nil
}

func TestMarshalWithSecretsWritesTheTexts(t *testing.T) {
	type embedding struct {
		*monitoring.AlertSettings
		X monitoring.SecretJSON
		N []monitoring.Nullable[monitoring.Secret]
		B monitoring.Nullable[monitoring.BasicAuth]
		T revealing
		M map[string]map[int]*monitoring.Secret
	}
	secret := monitoring.NewSecret(oddText)
	data, err := monitoring.MarshalWithSecrets([]any{monitoring.Secret{}, &embedding{
		&monitoring.AlertSettings{EscalationType: oddText}, monitoring.NewSecretJSON(json.RawMessage(`[ "` + oddText + `"]`)), []monitoring.Nullable[monitoring.Secret]{{}},
		monitoring.Value(monitoring.BasicAuth{Username: "u", Password: secret}), revealing{secret}, map[string]map[int]*monitoring.Secret{oddText: {1: &secret, 2: nil}},
	}})
	require.NoError(t, err)
	const want = `[null,{"escalationType":"ODD","X":["ODD"],"N":[null],"B":{"username":"u","password":"ODD"},"T":{"token":"ODD"},"M":{"ODD":{"1":"ODD","2":null}}}]`
	require.Equal(t, strings.ReplaceAll(want, "ODD", oddText), string(data))

	var group struct{ monitoring.CheckGroup }
	require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"n","environmentVariables":[{"key":"K","value":"v"}]}`), &group))
	data, err = monitoring.MarshalWithSecrets(group)
	require.NoError(t, err)
	require.Contains(t, string(data), `{"key":"K","value":null}`, "the method of the group that it embeds is one of its own")
	require.EqualError(t, kit.Second(monitoring.MarshalWithSecrets(make(chan int))), "monitoring: marshal with secrets: json: unsupported type: chan int")
	require.EqualError(t, kit.Second(monitoring.MarshalWithSecrets(monitoring.NewSecretJSON(json.RawMessage(`{`+testkit.Canary)))), "monitoring: marshal with secrets: json: the text of a SecretJSON is not valid JSON")
}

// The types of a user whose methods keep what they see: one has a method that omitzero calls, and
// one has the method of its Secret in other words.
type (
	withZero struct {
		Token monitoring.Secret `json:"token"`
		see   *[]monitoring.Secret
	}
	wrapping struct {
		monitoring.Secret
		see *[]monitoring.Secret
	}
)

func (w withZero) IsZero() bool {
	*w.see = append(*w.see, w.Token)
	return w.Token == monitoring.NewSecret("none")
}

func (w wrapping) MarshalJSON() ([]byte, error) {
	*w.see = append(*w.see, w.Secret)
	return json.Marshal(w.Secret)
}

func TestAMethodOfAUserNeverSeesAnOpenSecret(t *testing.T) {
	var seen []monitoring.Secret
	secret, none := monitoring.NewSecret("s"), monitoring.NewSecret("none")
	type fields struct {
		A, B withZero  `json:",omitzero"`
		C    *withZero `json:",omitzero"`
		D    []any
	}
	v := fields{withZero{secret, &seen}, withZero{none, &seen}, &withZero{secret, &seen}, []any{wrapping{secret, &seen}, &wrapping{secret, &seen}}}
	data, err := monitoring.MarshalWithSecrets([]any{v, &v})
	require.NoError(t, err)
	const want = `{"A":{"token":"s"},"C":{"token":"s"},"D":["s","s"]}`
	require.Equal(t, "["+want+","+want+"]", string(data))
	require.NotEmpty(t, seen)
	for _, s := range seen {
		require.True(t, s == secret || s == none)
	}
}

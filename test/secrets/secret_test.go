package secrets_test

import (
	"encoding/json"
	"errors"
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
	require.Equal(t, "{K [redacted] <nil> {<nil>}}", fmt.Sprint(monitoring.KeyValue{Key: "K", Value: monitoring.NewSecret(testkit.Canary)}))
}

func TestSecretsWithTheSameTextAreEqual(t *testing.T) {
	one, two, other := monitoring.NewSecret("text"+fmt.Sprint(1)), monitoring.NewSecret("text1"), monitoring.NewSecret("text2")
	require.True(t, one == two)
	require.True(t, one != other)
	require.True(t, reflect.DeepEqual([]monitoring.Secret{one}, []monitoring.Secret{two}))
	require.False(t, reflect.DeepEqual(one, other))
	require.Equal(t, 1, map[monitoring.Secret]int{one: 1}[two])
	require.True(t, monitoring.NewSecret("") != monitoring.Secret{}, "the empty text is not withheld")
	first, second := monitoring.NewSecretJSON(json.RawMessage(`{"a": 1}`)), monitoring.NewSecretJSON(json.RawMessage(`{"a": 1}`))
	require.True(t, reflect.DeepEqual(first, second))
	require.False(t, reflect.DeepEqual(first, monitoring.NewSecretJSON(json.RawMessage(`{"a":1}`))))
	require.False(t, reflect.TypeFor[monitoring.SecretJSON]().Comparable(), "== would compare pointers, so it does not compile")
}

func TestASecretIsRevealedOrWithheld(t *testing.T) {
	var zero monitoring.Secret
	require.True(t, zero.IsWithheld())
	require.Empty(t, zero.Reveal())
	for _, text := range []string{"", testkit.Canary, "null", "\x00"} {
		require.False(t, monitoring.NewSecret(text).IsWithheld())
		require.Equal(t, text, monitoring.NewSecret(text).Reveal())
	}
}

func TestASecretIsReadFromAStringOrFromNull(t *testing.T) {
	for text, want := range map[string]monitoring.Secret{`null`: {}, ` null `: {}, `""`: monitoring.NewSecret(""), `"null"`: monitoring.NewSecret("null"), `"a\u0062<"`: monitoring.NewSecret("ab<")} {
		s := monitoring.NewSecret("old")
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		require.Equal(t, want, s, text)
		require.NoError(t, (&s).UnmarshalJSON([]byte(text)))
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

func TestHiddenSecretsAreReadBackAsWithheld(t *testing.T) {
	data, err := json.Marshal(monitoring.NewEnvironmentVariable("K", testkit.Canary))
	require.NoError(t, err)
	require.JSONEq(t, `{"key":"K","value":null}`, string(data))
	var read monitoring.EnvironmentVariable
	require.NoError(t, json.Unmarshal(data, &read))
	require.True(t, read.Value.IsWithheld())

	data, err = json.Marshal(monitoring.AlertNotification{AlertConfig: monitoring.NewSecretJSON(json.RawMessage(`{"k":"` + testkit.Canary + `"}`))})
	require.NoError(t, err)
	require.Contains(t, string(data), `"alertConfig":null`)
}

func TestSecretJSONKeepsItsBytes(t *testing.T) {
	var n monitoring.AlertNotification
	require.NoError(t, json.Unmarshal([]byte(`{"alertConfig": {"b" : 1.0, "a":"<"} }`), &n))
	require.Equal(t, `{"b" : 1.0, "a":"<"}`, string(n.AlertConfig.Reveal()))
	n.AlertConfig.Reveal()[0] = 'x'
	require.Equal(t, `{"b" : 1.0, "a":"<"}`, string(n.AlertConfig.Reveal()), "Reveal returns a copy")
	require.NoError(t, json.Unmarshal([]byte(`{"alertConfig":null}`), &n))
	require.Equal(t, `null`, string(n.AlertConfig.Reveal()))
	require.True(t, monitoring.SecretJSON{}.IsZero())
	require.Nil(t, monitoring.SecretJSON{}.Reveal())
	require.True(t, monitoring.NewSecretJSON(nil).IsZero())
	raw := json.RawMessage(`[1]`)
	kept := monitoring.NewSecretJSON(raw)
	raw[1] = '2'
	require.Equal(t, `[1]`, string(kept.Reveal()))
}

// shows is a user's type whose MarshalJSON reveals a secret.
type shows struct{ secret monitoring.Secret }

func (s shows) MarshalJSON() ([]byte, error) { return json.Marshal("shown: " + s.secret.Reveal()) }

func TestMarshalWithSecretsWritesTheTexts(t *testing.T) {
	type login struct {
		User string `json:"user"`
		monitoring.Secret
	}
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"a secret":                 {monitoring.NewSecret("a<\"b"), `"a<\"b"`},
		"a withheld secret":        {monitoring.Secret{}, `null`},
		"in a Nullable":            {monitoring.Value(monitoring.Value(monitoring.NewSecret("a"))), `"a"`},
		"in a Nullable struct":     {monitoring.Value(monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret("p")}), `{"username":"u","password":"p"}`},
		"null":                     {[]monitoring.Nullable[monitoring.Secret]{monitoring.Null[monitoring.Secret](), {}}, `[null,null]`},
		"JSON":                     {monitoring.NewSecretJSON(json.RawMessage(`{ "a": 1 }`)), `{"a":1}`},
		"a page":                   {monitoring.Page[monitoring.EnvironmentVariable]{Items: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", "v")}}.Items, `[{"key":"K","value":"v"}]`},
		"a map":                    {map[string]any{"b": monitoring.NewSecret("x"), "a": []monitoring.Secret{monitoring.NewSecret("y")}}, `{"a":["y"],"b":"x"}`},
		"a struct that embeds it":  {login{"u", monitoring.NewSecret("x")}, `"x"`},
		"a MarshalJSON of its own": {shows{monitoring.NewSecret("x")}, `"shown: x"`},
		"a raw message":            {json.RawMessage(` {"a": 1}`), `{"a":1}`},
		"a strategy and a time":    {[]any{monitoring.RetryStrategy{Type: monitoring.RetryStrategyFallback}, monitoring.Timestamp{}}, `["FALLBACK",null]`},
		"a secret in a Nullable": {struct {
			V monitoring.Nullable[[]monitoring.KeyValue]
		}{monitoring.Value([]monitoring.KeyValue{{Key: "k", Value: monitoring.NewSecret("v")}})}, `{"V":[{"key":"k","value":"v"}]}`},
	} {
		data, err := monitoring.MarshalWithSecrets(c.value)
		require.NoError(t, err, name)
		require.Equal(t, c.want, string(data), name)
	}
	_, err := monitoring.MarshalWithSecrets(make(chan int))
	require.EqualError(t, err, "monitoring: marshal with secrets: json: unsupported type: chan int")
	_, err = monitoring.MarshalWithSecrets(monitoring.NewSecretJSON(json.RawMessage(`{` + testkit.Canary)))
	require.Error(t, err)
	require.False(t, testkit.ShowsCanary(err.Error()))
}

func TestAWithheldSecretIsNeverSent(t *testing.T) {
	const why = ": is withheld by the service: set it with NewSecret, or leave the list or object out"
	for name, c := range map[string]struct {
		in   any
		want string
	}{
		"in a list":       {[]monitoring.KeyValue{{Key: "a", Value: monitoring.NewSecret("")}, {Key: "b"}}, "[1].value" + why},
		"in a map":        {map[string]any{"auth": &monitoring.BasicAuth{}, "n": 1}, "auth.password" + why},
		"the body itself": {monitoring.Secret{}, "$" + why},
		"raw":             {struct{ C monitoring.SecretJSON }{}, "C" + why},
		"raw null":        {struct{ C monitoring.SecretJSON }{monitoring.NewSecretJSON(json.RawMessage(`null`))}, "C" + why},
		"in a type": {struct {
			A monitoring.Nullable[monitoring.BasicAuth]
		}{monitoring.Value(monitoring.BasicAuth{})}, "A.password" + why},
		"in a struct that embeds it": {[]struct{ monitoring.Secret }{{}}, "[0]" + why},
		"in one field":               {struct{ A, B monitoring.Secret }{A: monitoring.NewSecret(testkit.Canary)}, "B" + why},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := kit.Recorded(t, 200, `{}`, monitoring.WithoutValidation())
			err := kit.Second(monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, c.in))
			var invalid *monitoring.ValidationError
			require.ErrorAs(t, err, &invalid)
			require.Len(t, invalid.Violations, 1)
			require.Equal(t, c.want, invalid.Violations[0].String())
			require.Zero(t, sent.GetTotalCallCount())
		})
	}
}

func TestARequestHasItsSecretsButItsErrorDoesNot(t *testing.T) {
	client, sent := kit.Recorded(t, 400, `{"message":"bad `+testkit.Canary+`"}`)
	for _, in := range []any{
		map[string]any{"auth": []any{monitoring.BasicAuth{Username: "u", Password: monitoring.NewSecret(testkit.Canary)}}},
		struct{ C monitoring.SecretJSON }{monitoring.NewSecretJSON(json.RawMessage(`{"deep":["` + testkit.Canary + `"]}`))},
		&struct{ S *monitoring.Secret }{new(monitoring.NewSecret(testkit.Canary))},
	} {
		err := kit.Second(monitoring.Do[struct{}](t.Context(), client, "PUT", "/v1/things", nil, in))
		require.EqualError(t, err, "monitoring: PUT /v1/things at api.service.test/prefix: 400 Bad Request: bad [redacted]")
		testkit.RequireHidden(t, "an error", err)
		require.Contains(t, sent.Sent[len(sent.Sent)-1].Body, testkit.Canary)
	}
}

func TestAValidRawMessageIsSentAsItIs(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{}`)
	require.NoError(t, kit.Second(monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, json.RawMessage(` {"a" : 1.0, "b":"<"} `))))
	require.Equal(t, ` {"a" : 1.0, "b":"<"} `, sent.Sent[0].Body)
	require.NoError(t, kit.Second(monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, json.RawMessage(nil))))
	require.Equal(t, `null`, sent.Sent[1].Body)
	for _, raw := range []string{"", "{", `{"a":1}{`} {
		err := kit.Second(monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, json.RawMessage(raw)))
		require.EqualError(t, err, "monitoring: POST /v1/things: encode the body: the json.RawMessage is not valid JSON")
	}
	require.Len(t, sent.Sent, 2)
	err := kit.Second(monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, make(chan int)))
	var unsupported *json.UnsupportedTypeError
	require.True(t, errors.As(err, &unsupported), err)
}

func TestASecretIsAsSmallAsAPointer(t *testing.T) {
	require.Equal(t, reflect.TypeFor[uintptr]().Size(), reflect.TypeFor[monitoring.Secret]().Size())
	require.Equal(t, reflect.TypeFor[uintptr]().Size(), reflect.TypeFor[monitoring.SecretJSON]().Size())
}

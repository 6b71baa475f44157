package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestASecretIsRedactedWithEveryVerb(t *testing.T) {
	for _, s := range []fmt.Stringer{NewSecret(canary), NewSecretJSON(json.RawMessage(`{"k":"` + canary + `"}`))} {
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
	for _, s := range []fmt.Stringer{Secret{}, SecretJSON{}, NewSecretJSON(json.RawMessage(" null "))} {
		require.Equal(t, "[withheld] [withheld] [withheld]", fmt.Sprintf("%v %x %s", s, s, s.String()))
	}
	require.Equal(t, "{K [redacted] <nil> {<nil>}}", fmt.Sprint(KeyValue{Key: "K", Value: NewSecret(canary)}))
}

func TestSecretsWithTheSameTextAreEqual(t *testing.T) {
	one, two, other := NewSecret("text"+fmt.Sprint(1)), NewSecret("text1"), NewSecret("text2")
	require.True(t, one == two)
	require.True(t, one != other)
	require.True(t, reflect.DeepEqual([]Secret{one}, []Secret{two}))
	require.False(t, reflect.DeepEqual(one, other))
	require.Equal(t, 1, map[Secret]int{one: 1}[two])
	require.True(t, NewSecret("") != Secret{}, "the empty text is not withheld")
	first, second := NewSecretJSON(json.RawMessage(`{"a": 1}`)), NewSecretJSON(json.RawMessage(`{"a": 1}`))
	require.True(t, reflect.DeepEqual(first, second))
	require.False(t, reflect.DeepEqual(first, NewSecretJSON(json.RawMessage(`{"a":1}`))))
	require.False(t, reflect.TypeFor[SecretJSON]().Comparable(), "== would compare pointers, so it does not compile")
}

func TestASecretIsRevealedOrWithheld(t *testing.T) {
	var zero Secret
	require.True(t, zero.IsWithheld())
	require.Empty(t, zero.Reveal())
	for _, text := range []string{"", canary, "null", "\x00"} {
		require.False(t, NewSecret(text).IsWithheld())
		require.Equal(t, text, NewSecret(text).Reveal())
	}
}

func TestASecretIsReadFromAStringOrFromNull(t *testing.T) {
	for text, want := range map[string]Secret{`null`: {}, ` null `: {}, `""`: NewSecret(""), `"null"`: NewSecret("null"), `"a\u0062<"`: NewSecret("ab<")} {
		s := NewSecret("old")
		require.NoError(t, json.Unmarshal([]byte(text), &s))
		require.Equal(t, want, s, text)
		require.NoError(t, (&s).UnmarshalJSON([]byte(text)))
		require.Equal(t, want, s, text)
	}
	for text, kind := range map[string]string{`73914`: "number", `{"a":"` + canary + `"}`: "object", `["` + canary + `"]`: "array", `true`: "bool"} {
		s := NewSecret("old")
		err := json.Unmarshal([]byte(text), &s)
		var wrong *json.UnmarshalTypeError
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, kind, wrong.Value)
		require.False(t, testkit.ShowsCanary(err.Error()))
		require.NotContains(t, err.Error(), "73914")
		require.Equal(t, NewSecret("old"), s, "a failed read changes nothing")
	}
	require.Error(t, new(Secret).UnmarshalJSON([]byte(`"`)))
	require.Error(t, new(Secret).UnmarshalJSON(nil))
}

func TestHiddenSecretsAreReadBackAsWithheld(t *testing.T) {
	data, err := json.Marshal(NewEnvironmentVariable("K", canary))
	require.NoError(t, err)
	require.JSONEq(t, `{"key":"K","value":null}`, string(data))
	var read EnvironmentVariable
	require.NoError(t, json.Unmarshal(data, &read))
	require.True(t, read.Value.IsWithheld())

	data, err = json.Marshal(AlertNotification{AlertConfig: NewSecretJSON(json.RawMessage(`{"k":"` + canary + `"}`))})
	require.NoError(t, err)
	require.Contains(t, string(data), `"alertConfig":null`)
}

func TestSecretJSONKeepsItsBytes(t *testing.T) {
	var n AlertNotification
	require.NoError(t, json.Unmarshal([]byte(`{"alertConfig": {"b" : 1.0, "a":"<"} }`), &n))
	require.Equal(t, `{"b" : 1.0, "a":"<"}`, string(n.AlertConfig.Reveal()))
	n.AlertConfig.Reveal()[0] = 'x'
	require.Equal(t, `{"b" : 1.0, "a":"<"}`, string(n.AlertConfig.Reveal()), "Reveal returns a copy")
	require.NoError(t, json.Unmarshal([]byte(`{"alertConfig":null}`), &n))
	require.Equal(t, `null`, string(n.AlertConfig.Reveal()))
	require.True(t, SecretJSON{}.IsZero())
	require.Nil(t, SecretJSON{}.Reveal())
	require.True(t, NewSecretJSON(nil).IsZero())
	raw := json.RawMessage(`[1]`)
	kept := NewSecretJSON(raw)
	raw[1] = '2'
	require.Equal(t, `[1]`, string(kept.Reveal()))
}

// shows is a user's type whose MarshalJSON reveals a secret.
type shows struct{ secret Secret }

func (s shows) MarshalJSON() ([]byte, error) { return json.Marshal("shown: " + s.secret.Reveal()) }

func TestMarshalWithSecretsWritesTheTexts(t *testing.T) {
	type login struct {
		User string `json:"user"`
		Secret
	}
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"a secret":                 {NewSecret("a<\"b"), `"a<\"b"`},
		"a withheld secret":        {Secret{}, `null`},
		"in a Nullable":            {Value(Value(NewSecret("a"))), `"a"`},
		"in a Nullable struct":     {Value(BasicAuth{Username: "u", Password: NewSecret("p")}), `{"username":"u","password":"p"}`},
		"null":                     {[]Nullable[Secret]{Null[Secret](), {}}, `[null,null]`},
		"JSON":                     {NewSecretJSON(json.RawMessage(`{ "a": 1 }`)), `{"a":1}`},
		"a page":                   {Page[EnvironmentVariable]{Items: []EnvironmentVariable{NewEnvironmentVariable("K", "v")}}.Items, `[{"key":"K","value":"v"}]`},
		"a map":                    {map[string]any{"b": NewSecret("x"), "a": []Secret{NewSecret("y")}}, `{"a":["y"],"b":"x"}`},
		"a struct that embeds it":  {login{"u", NewSecret("x")}, `"x"`},
		"a MarshalJSON of its own": {shows{NewSecret("x")}, `"shown: x"`},
		"a raw message":            {json.RawMessage(` {"a": 1}`), `{"a":1}`},
		"a strategy and a time":    {[]any{RetryStrategy{Type: RetryStrategyFallback}, Timestamp{}}, `["FALLBACK",null]`},
		"a secret in a Nullable":   {struct{ V Nullable[[]KeyValue] }{Value([]KeyValue{{Key: "k", Value: NewSecret("v")}})}, `{"V":[{"key":"k","value":"v"}]}`},
	} {
		data, err := MarshalWithSecrets(c.value)
		require.NoError(t, err, name)
		require.Equal(t, c.want, string(data), name)
	}
	_, err := MarshalWithSecrets(make(chan int))
	require.EqualError(t, err, "monitoring: marshal with secrets: json: unsupported type: chan int")
	_, err = MarshalWithSecrets(NewSecretJSON(json.RawMessage(`{` + canary)))
	require.Error(t, err)
	require.False(t, testkit.ShowsCanary(err.Error()))
}

func TestAWithheldSecretIsNeverSent(t *testing.T) {
	const why = ": is withheld by the service: set it with NewSecret, or leave the list or object out"
	for name, c := range map[string]struct {
		in   any
		want string
	}{
		"in a list":                  {[]KeyValue{{Key: "a", Value: NewSecret("")}, {Key: "b"}}, "[1].value" + why},
		"in a map":                   {map[string]any{"auth": &BasicAuth{}, "n": 1}, "auth.password" + why},
		"the body itself":            {Secret{}, "$" + why},
		"raw":                        {struct{ C SecretJSON }{}, "C" + why},
		"raw null":                   {struct{ C SecretJSON }{NewSecretJSON(json.RawMessage(`null`))}, "C" + why},
		"in a type":                  {struct{ A Nullable[BasicAuth] }{Value(BasicAuth{})}, "A.password" + why},
		"in a struct that embeds it": {[]struct{ Secret }{{}}, "[0]" + why},
		"in one field":               {struct{ A, B Secret }{A: NewSecret(canary)}, "B" + why},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := newTestClient(t, 200, `{}`, WithoutValidation())
			err := second(Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, c.in))
			var invalid *ValidationError
			require.ErrorAs(t, err, &invalid)
			require.Equal(t, []string{c.want}, texts(invalid))
			require.Zero(t, sent.GetTotalCallCount())
		})
	}
}

func TestARequestHasItsSecretsButItsErrorDoesNot(t *testing.T) {
	client, sent := newTestClient(t, 400, `{"message":"bad `+canary+`"}`)
	for _, in := range []any{
		map[string]any{"auth": []any{BasicAuth{Username: "u", Password: NewSecret(canary)}}},
		struct{ C SecretJSON }{NewSecretJSON(json.RawMessage(`{"deep":["` + canary + `"]}`))},
		&struct{ S *Secret }{new(NewSecret(canary))},
	} {
		err := second(Do[struct{}](t.Context(), client, "PUT", "/v1/things", nil, in))
		require.EqualError(t, err, "monitoring: PUT /v1/things at api.service.test/prefix: 400 Bad Request: bad [redacted]")
		requireHidden(t, "an error", err)
		require.Contains(t, sent.Sent[len(sent.Sent)-1].Body, canary)
	}
}

func TestAValidRawMessageIsSentAsItIs(t *testing.T) {
	client, sent := newTestClient(t, 200, `{}`)
	require.NoError(t, second(Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, json.RawMessage(` {"a" : 1.0, "b":"<"} `))))
	require.Equal(t, ` {"a" : 1.0, "b":"<"} `, sent.Sent[0].Body)
	require.NoError(t, second(Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, json.RawMessage(nil))))
	require.Equal(t, `null`, sent.Sent[1].Body)
	for _, raw := range []string{"", "{", `{"a":1}{`} {
		err := second(Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, json.RawMessage(raw)))
		require.EqualError(t, err, "monitoring: POST /v1/things: encode the body: the json.RawMessage is not valid JSON")
	}
	require.Len(t, sent.Sent, 2)
	err := second(Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, make(chan int)))
	var unsupported *json.UnsupportedTypeError
	require.True(t, errors.As(err, &unsupported), err)
}

func TestASecretIsAsSmallAsAPointer(t *testing.T) {
	require.Equal(t, reflect.TypeFor[uintptr]().Size(), reflect.TypeFor[Secret]().Size())
	require.Equal(t, reflect.TypeFor[uintptr]().Size(), reflect.TypeFor[SecretJSON]().Size())
}

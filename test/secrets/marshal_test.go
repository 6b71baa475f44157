package secrets_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

const oddText = "a&b<c>d'\u2028\u2029é"

// The types of a user: one writes itself and reveals its secret, one writes itself and does not,
// and the others embed types of this package.
type (
	revealing struct{ Token monitoring.Secret }
	closing   struct {
		Token monitoring.Secret
		seen  *monitoring.Secret
	}
	embeddingMore struct {
		*monitoring.AlertSettings
		X monitoring.SecretJSON
	}
	embeddingGroup struct{ monitoring.CheckGroup }
)

func (r revealing) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"token": "%s"}`, r.Token.Reveal()), nil
}

func (c closing) MarshalJSON() ([]byte, error) {
	*c.seen = c.Token
	return json.Marshal(map[string]any{"token": c.Token})
}

func TestMarshalWithSecretsWritesTheTexts(t *testing.T) {
	var seen monitoring.Secret
	secret := monitoring.NewSecret(oddText)
	var group monitoring.CheckGroup
	require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"n","concurrency":2.0,"alertSettings":{"x<":"`+oddText+`"},"environmentVariables":[{"key":"K","value":"v"}]}`), &group))
	update := group.ToUpdate()
	update.EnvironmentVariables[0].Value = secret
	const written = `{"name":"n","concurrency":2.0,"environmentVariables":[{"key":"K","value":"ODD"}],"alertSettings":{"x<":"ODD"},` +
		`"$update":{"madeFrom":{"id":1,"name":"n","concurrency":2.0,"alertSettings":{"x<":"ODD"},"environmentVariables":[{"key":"K","value":"v"}]}}}`
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"a withheld secret":                  {monitoring.Secret{}, `null`},
		"in a Nullable struct":               {monitoring.Value(monitoring.BasicAuth{Username: "u", Password: secret}), `{"username":"u","password":"ODD"}`},
		"null":                               {[]monitoring.Nullable[monitoring.Secret]{monitoring.Null[monitoring.Secret](), {}}, `[null,null]`},
		"JSON":                               {monitoring.NewSecretJSON(json.RawMessage(`{ "a": 1 }`)), `{"a":1}`},
		"a raw message":                      {json.RawMessage(` {"a": 1}`), `{"a":1}`},
		"a strategy and a time":              {[]any{monitoring.RetryStrategy{Type: monitoring.RetryStrategyFallback}, monitoring.Timestamp{}}, `["FALLBACK",null]`},
		"a MarshalJSON that reveals":         {[]revealing{{secret}}, `[{"token":"ODD"}]`},
		"a MarshalJSON that does not reveal": {[]any{closing{secret, &seen}}, `[{"token":null}]`},
		"an embedded pointer": {&embeddingMore{&monitoring.AlertSettings{EscalationType: oddText}, monitoring.NewSecretJSON(json.RawMessage(`["` + oddText + `"]`))},
			`{"escalationType":"ODD","X":["ODD"]}`},
		"a map of names":          {map[string]any{oddText: map[int]*monitoring.Secret{1: &secret, 2: nil}}, `{"ODD":{"1":"ODD","2":null}}`},
		"an update in a Nullable": {map[string]any{"U": monitoring.Value(update), "V": group.AlertSettings}, `{"U":` + written + `,"V":{"x<":"ODD"}}`},
	} {
		data, err := monitoring.MarshalWithSecrets(c.value)
		require.NoError(t, err, name)
		require.Equal(t, strings.ReplaceAll(c.want, "ODD", oddText), string(data), name)
	}
	data, err := json.Marshal([]any{update.EnvironmentVariables, seen})
	require.NoError(t, err)
	require.Equal(t, `[[{"key":"K","value":null}],null]`, string(data), "json.Marshal hides it, and a method of the user's never sees an open secret")
	require.True(t, seen == secret)

	data, err = monitoring.MarshalWithSecrets(embeddingGroup{group})
	require.NoError(t, err)
	require.Contains(t, string(data), `{"key":"K","value":null}`, "the method of the group that it embeds is one of its own")
	_, err = monitoring.MarshalWithSecrets(make(chan int))
	require.EqualError(t, err, "monitoring: marshal with secrets: json: unsupported type: chan int")
	_, err = monitoring.MarshalWithSecrets(monitoring.NewSecretJSON(json.RawMessage(`{` + testkit.Canary)))
	require.Error(t, err)
	require.False(t, testkit.ShowsCanary(err.Error()))
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

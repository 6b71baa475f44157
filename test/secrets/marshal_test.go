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
	_, err = monitoring.MarshalWithSecrets(make(chan int))
	require.EqualError(t, err, "monitoring: marshal with secrets: json: unsupported type: chan int")
	_, err = monitoring.MarshalWithSecrets(monitoring.NewSecretJSON(json.RawMessage(`{` + testkit.Canary)))
	require.EqualError(t, err, "monitoring: marshal with secrets: json: the text of a SecretJSON is not valid JSON")
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

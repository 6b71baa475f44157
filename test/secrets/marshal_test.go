package secrets_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
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
	embedding     struct{ monitoring.KeyValue }
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

func TestTheTypesOfAUserAreWrittenWithTheirSecrets(t *testing.T) {
	var seen monitoring.Secret
	secret := monitoring.NewSecret(oddText)
	group := monitoring.CheckGroup{Name: "n", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("K", oddText)}}
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"a MarshalJSON that reveals":         {[]revealing{{secret}}, `[{"token":"ODD"}]`},
		"a MarshalJSON that does not reveal": {[]any{closing{secret, &seen}}, `[{"token":null}]`},
		"an embedded pair":                   {embedding{monitoring.KeyValue{Key: oddText, Value: secret}}, `{"key":"ODD","value":"ODD"}`},
		"an embedded pointer": {&embeddingMore{&monitoring.AlertSettings{EscalationType: oddText}, monitoring.NewSecretJSON(json.RawMessage(`["` + oddText + `"]`))},
			`{"escalationType":"ODD","X":["ODD"]}`},
		"a group":        {[]monitoring.CheckGroupUpdate{group.ToUpdate()}, `[{"name":"n","environmentVariables":[{"key":"K","value":"ODD"}]}]`},
		"a map of names": {map[string]any{oddText: map[int]*monitoring.Secret{1: &secret, 2: nil}}, `{"ODD":{"1":"ODD","2":null}}`},
	} {
		data, err := monitoring.MarshalWithSecrets(c.value)
		require.NoError(t, err, name)
		require.Equal(t, strings.ReplaceAll(c.want, "ODD", oddText), string(data), name)
	}
	data, err := monitoring.MarshalWithSecrets(seen)
	require.NoError(t, err)
	require.Equal(t, `"`+oddText+`"`, string(data))
	data, err = json.Marshal(seen)
	require.NoError(t, err)
	require.Equal(t, "null", string(data), "a method of the user's never sees an open secret")
	require.True(t, seen == secret)

	data, err = monitoring.MarshalWithSecrets(embeddingGroup{group})
	require.NoError(t, err)
	require.Contains(t, string(data), `{"key":"K","value":null}`, "the method of the group that it embeds is one of its own")
}

type revealingByPointer struct {
	Token monitoring.Secret `json:"open"`
}

func (r *revealingByPointer) MarshalJSON() ([]byte, error) { return revealing{r.Token}.MarshalJSON() }

// encoding/json calls such a method only for a value that is addressable, and otherwise writes the
// fields. A secret in them that is sent as null would overwrite the one that the service has.
func TestSecretsAreWrittenWhereEncodingJSONDoesNotCallAMethodOfThePointer(t *testing.T) {
	v := revealingByPointer{monitoring.NewSecret("s")}
	const byFields, byMethod = `{"open":"s"}`, `{"token":"s"}`
	for want, v := range map[string]any{
		byFields:                     v,
		byMethod:                     &v,
		`[` + byFields + `]`:         [1]revealingByPointer{v},
		`[` + byMethod + `]`:         []revealingByPointer{v},
		`[[` + byMethod + `]]`:       &[1][1]revealingByPointer{{v}},
		`{"map":` + byFields + `}`:   map[string]revealingByPointer{"map": v},
		`{"any":` + byFields + `}`:   map[string]any{"any": v},
		`{"R":` + byFields + `}`:     struct{ R revealingByPointer }{v},
		`{"R":` + byMethod + `}`:     &struct{ R revealingByPointer }{v},
		`{"Value":` + byMethod + `}`: struct{ *Holder }{&Holder{v}},
		`{"N":` + byFields + `}`: &struct {
			N monitoring.Nullable[revealingByPointer]
		}{monitoring.Value(v)},
	} {
		data, err := monitoring.MarshalWithSecrets(v)
		require.NoError(t, err)
		require.Equal(t, want, string(data), "%T", v)
	}
	client, sent := kit.Recorded(t, 200, `{}`)
	_, err := monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, struct{ R revealingByPointer }{})
	require.ErrorContains(t, err, "R.open: is withheld by the service")
	require.Empty(t, sent.Sent)
}

type Holder struct{ Value revealingByPointer }

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
		data, err := json.Marshal(s)
		require.NoError(t, err)
		require.Equal(t, "null", string(data))
	}
	client, sent := kit.Recorded(t, 200, `{}`)
	_, err = monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, fields{A: withZero{see: &seen}, B: withZero{none, &seen}, D: []any{wrapping{see: &seen}}})
	require.ErrorContains(t, err, "A.token: is withheld by the service")
	require.ErrorContains(t, err, "D[0]: is withheld by the service")
	require.Empty(t, sent.Sent)
}

// itself writes itself. In a copy, it could wait for ever for a mutex that is locked elsewhere.
type itself struct {
	fmt.Stringer
	written *itself
}

func (i *itself) MarshalJSON() ([]byte, error) {
	i.written = i
	return []byte(`"itself"`), nil
}

func TestAValueThatWritesItselfIsNotCopied(t *testing.T) {
	v := &itself{}
	data, err := monitoring.MarshalWithSecrets([]any{v})
	require.NoError(t, err)
	require.Equal(t, `["itself"]`, string(data))
	require.True(t, v.written == v)
}

func TestWhatAnUpdateInAnotherValueKeepsIsWritten(t *testing.T) {
	var group monitoring.CheckGroup
	require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"n","concurrency":2.0,"alertSettings":{"x<":"`+oddText+`"},"environmentVariables":[{"key":"K","value":"v"}]}`), &group))
	u := group.ToUpdate()
	u.EnvironmentVariables[0].Value = monitoring.NewSecret("new")
	const open = `{"name":"n","concurrency":2.0,"environmentVariables":[{"key":"K","value":"new"}],"alertSettings":{"x<":"ODD"}}`
	for want, v := range map[string]any{`[` + open + `]`: []any{&u}, `{"u":` + open + `}`: map[string]monitoring.CheckGroupUpdate{"u": u}, `{"U":` + open + `,"S":{"x<":"ODD"}}`: struct {
		U monitoring.Nullable[monitoring.CheckGroupUpdate]
		S *monitoring.AlertSettings
	}{monitoring.Value(u), group.AlertSettings}} {
		data, err := monitoring.MarshalWithSecrets(v)
		require.NoError(t, err)
		require.Equal(t, strings.ReplaceAll(want, "ODD", oddText), string(data))
		data, err = json.Marshal(v)
		require.NoError(t, err)
		require.NotContains(t, string(data), `new`, "%T", v)
	}
}

func TestAWithheldSecretOfAnUpdateInAnotherBodyIsRefused(t *testing.T) {
	var group monitoring.CheckGroup
	require.NoError(t, json.Unmarshal([]byte(`{"id":1,"name":"n","environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":null,"x":1}]}`), &group))
	client, sent := kit.Recorded(t, 200, `{}`)
	send := func(u monitoring.CheckGroupUpdate) error {
		_, err := monitoring.Do[struct{}](t.Context(), client, "POST", "/v1/things", nil, map[string]any{"u": []any{u}})
		return err
	}
	u := group.ToUpdate()
	require.NoError(t, send(u))
	require.Equal(t, `{"u":[{"name":"n"}]}`, sent.Sent[0].Body, "the list is left out")
	u.EnvironmentVariables[0].Value = monitoring.NewSecret("b")
	for _, update := range []monitoring.CheckGroupUpdate{u, {Name: "n", EnvironmentVariables: u.EnvironmentVariables}} {
		require.ErrorContains(t, send(update), "u[0].environmentVariables[1].value: is withheld by the service")
	}
	require.Len(t, sent.Sent, 1)
}

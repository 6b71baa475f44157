package kit

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// ErrAs returns the error of a type that an error must match.
func ErrAs[E error](t testing.TB, err error) E {
	t.Helper()
	found, ok := errors.AsType[E](err)
	require.True(t, ok, "%v", err)
	return found
}

// BrokenRules returns the rules that an error must list, each as its path and its message.
func BrokenRules(t testing.TB, err error) []string {
	t.Helper()
	var list []string
	for _, v := range ErrAs[*monitoring.ValidationError](t, err).Violations {
		list = append(list, v.String())
	}
	return list
}

// JSON returns the JSON of a value as it is sent, secrets included.
func JSON(t testing.TB, v any) string {
	t.Helper()
	data, err := monitoring.MarshalWithSecrets(v)
	require.NoError(t, err)
	return string(data)
}

// Parse reads JSON into maps, lists and json.Number. It panics if the data is no JSON, so that
// transports can use it.
func Parse(data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		panic(err)
	}
	return v
}

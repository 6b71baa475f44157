package monitoring

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// Helpers of tests inside the package. Tests from outside have them in test/internal/kit.

func errAs[E error](t *testing.T, err error) E {
	t.Helper()
	found, ok := errors.AsType[E](err)
	require.True(t, ok, "%v", err)
	return found
}

// readGroup decodes a group.
func readGroup(t *testing.T, data string) CheckGroup {
	var g CheckGroup
	require.NoError(t, json.Unmarshal([]byte(data), &g))
	return g
}

// text returns the JSON of a value.
func text(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

package kit

import (
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

package testkit_test

import (
	"go/parser"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestAReceiverHasTheNameOfItsType(t *testing.T) {
	for text, want := range map[string]string{"T": "T", "*T": "T", "*T[P]": "T", "T[P]": "T", "func()": ""} {
		e, err := parser.ParseExpr(text)
		require.NoError(t, err)
		require.Equal(t, want, testkit.Receiver(e), text)
	}
}

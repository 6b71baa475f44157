package monitoring

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// A wait looks at the state, and nobody else can ask this limiter for it.
func TestWithoutALimitThereAreAlwaysPlaces(t *testing.T) {
	require.Equal(t, LimiterState{Places: math.MaxInt}, unlimited{}.State())
}

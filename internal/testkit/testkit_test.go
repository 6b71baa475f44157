package testkit_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestAllFiguresAreTriedWithoutTheRaceDetector(t *testing.T) {
	if testkit.UnderRace {
		require.Equal(t, []int{1}, testkit.Figures(1, 2, 3))
	} else {
		require.Equal(t, []int{1, 2, 3}, testkit.Figures(1, 2, 3))
	}
	t.Run("or skipped", func(t *testing.T) {
		testkit.SkipUnderRace(t)
		require.False(t, testkit.UnderRace)
	})
}

func TestGoodFiguresAreNeededOnce(t *testing.T) {
	for goodAt := 1; goodAt <= 3; goodAt++ {
		tries := 0
		testkit.InOneOfThree(t, func(*testing.T) bool { tries++; return tries == goodAt })
		require.Equal(t, goodAt, tries)
	}
}

func TestHowAFunctionEnds(t *testing.T) {
	panicked, exited := testkit.Ending(func() {})
	require.Equal(t, []any{nil, false}, []any{panicked, exited})
	panicked, exited = testkit.Ending(func() { panic("x") })
	require.Equal(t, []any{"x", false}, []any{panicked, exited})
	panicked, exited = testkit.Ending(runtime.Goexit)
	require.Equal(t, []any{nil, true}, []any{panicked, exited})
}

package testkit

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAllFiguresAreTriedWithoutTheRaceDetector(t *testing.T) {
	if UnderRace {
		require.Equal(t, []int{1}, Figures(1, 2, 3))
	} else {
		require.Equal(t, []int{1, 2, 3}, Figures(1, 2, 3))
	}
	t.Run("or skipped", func(t *testing.T) {
		SkipUnderRace(t)
		require.False(t, UnderRace)
	})
}

func TestGoodFiguresAreNeededOnce(t *testing.T) {
	for goodAt := 1; goodAt <= 3; goodAt++ {
		tries := 0
		InOneOfThree(t, func(*testing.T) bool { tries++; return tries == goodAt })
		require.Equal(t, goodAt, tries)
	}
}

func TestHowAFunctionEnds(t *testing.T) {
	panicked, exited := Ending(func() {})
	require.Equal(t, []any{nil, false}, []any{panicked, exited})
	panicked, exited = Ending(func() { panic("x") })
	require.Equal(t, []any{"x", false}, []any{panicked, exited})
	panicked, exited = Ending(runtime.Goexit)
	require.Equal(t, []any{nil, true}, []any{panicked, exited})
}

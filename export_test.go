package monitoring

import "testing"

// Figures is figures, for tests outside the package.
func Figures[T any](cases ...T) []T { return figures(cases...) }

// SkipUnderRace is skipUnderRace, for tests outside the package.
func SkipUnderRace(t *testing.T) { skipUnderRace(t) }

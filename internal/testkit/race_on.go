//go:build race

package testkit

// UnderRace says that the race detector is on. It makes tests ten times slower, so tests of
// random values use fewer of them.
const UnderRace = true

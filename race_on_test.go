//go:build race

package monitoring

// underRace says that the race detector is on. It makes tests ten times slower, so tests of
// random values use fewer of them.
const underRace = true

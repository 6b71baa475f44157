//go:build race

package monitoring

// underRace says that the race detector is on, which makes a test ten times slower. Tests of
// random values then use fewer values, which find the same races.
const underRace = true

//go:build race

package monitoring

// underRace says that the race detector is on, which makes a test ten times slower. What is
// repeated for thousands of random values finds no races that fewer do not find.
const underRace = true

//go:build !race

package testkit

// UnderRace says that the race detector is off.
const UnderRace = false

//go:build !race

package monitoring

const underRace = false

//go:build race

package monitoringtest_test

func init() { underRace = true }

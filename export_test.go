package monitoring

import "testing"

// TabledOperations returns the operations of operationCalls, for tests outside the package.
func TabledOperations() []string {
	var list []string
	for _, c := range operationCalls {
		list = append(list, c.operation)
	}
	return list
}

// Figures is figures, for tests outside the package.
func Figures[T any](cases ...T) []T { return figures(cases...) }

// SkipUnderRace is skipUnderRace, for tests outside the package.
func SkipUnderRace(t *testing.T) { skipUnderRace(t) }

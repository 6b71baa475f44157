package docs_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// examples returns the names of the programs in the folder examples.
func examples(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../examples/*/*.go")
	require.NoError(t, err)
	var names []string
	for _, file := range files {
		names = append(names, filepath.Base(filepath.Dir(file)))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	require.Greater(t, len(names), 5, "programs were not found")
	return names
}

func TestTheTableOfExamplesHasEachProgram(t *testing.T) {
	rows := make(map[string]bool)
	for _, row := range rowsOf(t, "examples/README.md") {
		name, _, _ := strings.Cut(strings.TrimPrefix(row[1], "["), "]")
		rows[name] = true
	}
	delete(rows, "Program") // the head
	for _, name := range examples(t) {
		require.Contains(t, rows, name, "examples/README.md has no row for %s", name)
		delete(rows, name)
	}
	require.Empty(t, rows, "a row without a program")
}

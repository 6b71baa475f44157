package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// examples returns the lines of each program in the folder examples, without its tests.
func examples(t *testing.T) map[string]int {
	t.Helper()
	lines := make(map[string]int)
	files, err := filepath.Glob("../examples/*/*.go")
	require.NoError(t, err)
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			lines[filepath.Base(filepath.Dir(file))] += strings.Count(string(data), "\n")
		}
	}
	require.Greater(t, len(lines), 5, "programs were not found")
	return lines
}

func TestTheTableOfExamplesHasEachProgramWithItsLines(t *testing.T) {
	rows := make(map[string][]string)
	for _, row := range rowsOf(t, "examples/README.md") {
		name, _, _ := strings.Cut(strings.TrimPrefix(row[1], "["), "]")
		rows[name] = row
	}
	delete(rows, "Program") // the head
	for name, lines := range examples(t) {
		require.Contains(t, rows, name, "examples/README.md has no row for %s", name)
		row := rows[name]
		require.True(t, strings.HasSuffix(row[0], "?"), "%s: %s is no question", name, row[0])
		require.Equal(t, fmt.Sprint(lines), row[2], "the lines of %s", name)
		delete(rows, name)
	}
	require.Empty(t, rows, "a row without a program")
}

// TestEveryExampleHasARowInTheReadme is for readers who look for a program before they write one.
func TestEveryExampleHasARowInTheReadme(t *testing.T) {
	var cells strings.Builder
	for _, row := range rowsOf(t, "README.md") {
		cells.WriteString(strings.Join(row, " "))
	}
	for name := range examples(t) {
		require.True(t, strings.Contains(cells.String(), "(examples/"+name+")"), "README.md has no row that links to examples/%s", name)
	}
}

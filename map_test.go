package monitoring

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mapProblems lists the files without a line in the map of CONTRIBUTING.md, and the lines
// without a file. A test file that is named after a file needs no line.
func mapProblems(contributing string, files []string) []string {
	var problems, mapped []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9_]+\\.go)`").FindAllStringSubmatch(contributing, -1) {
		mapped = append(mapped, m[1])
		if !slices.Contains(files, m[1]) {
			problems = append(problems, m[1]+" does not exist")
		}
	}
	for _, file := range files {
		tested, isTest := strings.CutSuffix(file, "_test.go")
		if !slices.Contains(mapped, file) && !(isTest && slices.Contains(files, tested+".go")) {
			problems = append(problems, file+" has no line")
		}
	}
	return problems
}

func TestTheMapHasEveryFile(t *testing.T) {
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	require.Empty(t, mapProblems(readFile(t, "CONTRIBUTING.md"), files), "the map in CONTRIBUTING.md")
	contributing := "| `a.go` | a |\n| `gone.go` | b |\n"
	require.Equal(t, []string{"gone.go does not exist", "b_test.go has no line"}, mapProblems(contributing, []string{"a.go", "a_test.go", "b_test.go"}))
}

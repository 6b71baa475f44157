package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A reader finds a page by its question, reads it on two screens, and runs a program.
func TestAPageAnswersAQuestionOnTwoScreensAndHasAProgramToRun(t *testing.T) {
	tables := regexp.MustCompile(`(?ms)^\|.*?\n$`)
	address := regexp.MustCompile(`\]\([^)]*\)`)
	program := regexp.MustCompile(`\]\(\.\./(examples|cmd)/\w|go (run|install) \S*/cmd/|go install \S+/cmd/|go test -run Example`)
	for _, page := range pages(t) {
		if !strings.HasPrefix(page, "docs/") {
			continue
		}
		text := read(t, page)
		title, _, _ := strings.Cut(text, "\n")
		require.True(t, strings.HasPrefix(title, "# ") && strings.HasSuffix(title, "?"), "%s: the title %q is no question", page, title)
		require.LessOrEqual(t, strings.Count(text, "\n"), 120, "%s: lines", page)
		prose := proseOf(text)
		if page == atOperations || page == "docs/fake.md" {
			prose = tables.ReplaceAllString(prose, "") // which are looked up, not read
		}
		require.LessOrEqual(t, len(strings.Fields(address.ReplaceAllString(prose, ""))), 700, "%s: words", page)
		require.Regexp(t, program, text, "%s: no program to run", page)
	}
}

// TestTheGuideForContributorsIsShortAndNamesFilesThatAreThere looks up what stands in code and ends
// like a file, such as `internal/operations/operations.go`.
func TestTheGuideForContributorsIsShortAndNamesFilesThatAreThere(t *testing.T) {
	text := read(t, "CONTRIBUTING.md")
	require.LessOrEqual(t, len(text), 8<<10, "bytes")
	count := 0
	for _, m := range regexp.MustCompile("`([\\w/.-]+/[\\w.-]+|\\w+\\.(?:go|md))`").FindAllStringSubmatch(text, -1) {
		name := strings.TrimSuffix(m[1], ".")
		if name == "testing/synctest" || strings.Contains(name, "NAME") ||
			strings.Contains(name, "KIND") || strings.HasPrefix(name, "check_") {
			continue // of the new operation, or below a folder that the sentence names
		}
		count++
		_, err := os.Stat("../" + name)
		require.NoError(t, err, "CONTRIBUTING.md names %s", name)
	}
	require.Greater(t, count, 10, "files were not found")
}

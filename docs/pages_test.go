package docs_test

import (
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
		if page == atOperations {
			prose = tables.ReplaceAllString(prose, "") // which are looked up, not read
		}
		require.LessOrEqual(t, len(strings.Fields(address.ReplaceAllString(prose, ""))), 700, "%s: words", page)
		require.Regexp(t, program, text, "%s: no program to run", page)
	}
}

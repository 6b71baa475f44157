package monitoring

import (
	"os"
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

// proseOf removes the code blocks of a Markdown text.
func proseOf(text string) string {
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(text, "")
}

// anchorsOf returns the anchors that GitHub makes for the headings of a Markdown text.
func anchorsOf(text string) []string {
	var anchors []string
	for _, m := range regexp.MustCompile(`(?m)^#+ +(.+?) *$`).FindAllStringSubmatch(proseOf(text), -1) {
		anchor := regexp.MustCompile(`[^\p{L}\p{N}_ -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		anchors = append(anchors, strings.ReplaceAll(anchor, " ", "-"))
	}
	return anchors
}

// linkProblem says why a link in a Markdown file of the root has no target in the repository.
// It is empty for a link that has one, and for a link to somewhere else.
func linkProblem(paper, text, link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return ""
	}
	file, anchor, _ := strings.Cut(link, "#")
	if file != "" {
		if _, err := os.Stat(filepath.FromSlash(file)); err != nil {
			return paper + ": there is no file " + file
		}
		data, _ := os.ReadFile(filepath.FromSlash(file)) // empty for a folder, which has no headings
		text = string(data)
	}
	if anchor != "" && !slices.Contains(anchorsOf(text), anchor) {
		return paper + ": there is no heading for " + link
	}
	return ""
}

func TestLinksInThePapersHaveATarget(t *testing.T) {
	links := regexp.MustCompile(`\]\(([^)\s]+)\)|(?m:^\[[^\]]+\]: +(\S+))`)
	count := 0
	for _, paper := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"} {
		text := readFile(t, paper)
		for _, m := range links.FindAllStringSubmatch(proseOf(text), -1) {
			count++
			if problem := linkProblem(paper, text, m[1]+m[2]); problem != "" {
				t.Error(problem)
			}
		}
	}
	require.Greater(t, count, 10, "links were not found")

	text := "# One: `two` (3)\n\n```sh\n# no heading\n```\n"
	require.Empty(t, linkProblem("x.md", text, "#one-two-3"))
	require.Empty(t, linkProblem("x.md", text, "README.md"))
	require.Empty(t, linkProblem("x.md", text, "tools/mutants"))
	require.Equal(t, "x.md: there is no heading for #no-heading", linkProblem("x.md", text, "#no-heading"))
	require.Equal(t, "x.md: there is no heading for README.md#nothing", linkProblem("x.md", text, "README.md#nothing"))
	require.Equal(t, "x.md: there is no file none.md", linkProblem("x.md", text, "none.md"))
}

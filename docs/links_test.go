package docs_test

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// atIndex is the page that lists the others.
const atIndex = "docs/README.md"

// papers are all Markdown files of the repository, relative to its root.
func papers(t *testing.T) []string {
	t.Helper()
	var list []string
	root := os.DirFS("..")
	require.NoError(t, fs.WalkDir(root, ".", func(file string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if strings.HasSuffix(file, ".md") {
			list = append(list, file)
		}
		return err
	}))
	return list
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

// linksOf returns the targets of the links in a Markdown text.
func linksOf(text string) []string {
	var list []string
	for _, m := range regexp.MustCompile(`\]\(([^)\s]+)\)|(?m:^\[[^\]]+\]: +(\S+))`).FindAllStringSubmatch(proseOf(text), -1) {
		list = append(list, m[1]+m[2])
	}
	return list
}

// linkProblem says why a link in a Markdown file has no target in the repository. It is empty for
// a link that has one, and for a link to somewhere else.
func linkProblem(paper, text, link string) string {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return ""
	}
	file, anchor, _ := strings.Cut(link, "#")
	if file != "" {
		target := path.Join(path.Dir(paper), file)
		if strings.HasPrefix(target, "..") || path.IsAbs(file) {
			return paper + ": " + file + " is not in the repository"
		}
		target = filepath.Join("..", filepath.FromSlash(target))
		if _, err := os.Stat(target); err != nil {
			return paper + ": there is no file " + file
		}
		data, _ := os.ReadFile(target) // empty for a folder, which has no headings
		text = string(data)
	}
	if anchor != "" && !slices.Contains(anchorsOf(text), anchor) {
		return paper + ": there is no heading for " + link
	}
	return ""
}

func TestEveryLinkHasATarget(t *testing.T) {
	list := papers(t)
	require.Subset(t, list, append(pages(t), "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "redislimit/README.md"))
	count := 0
	for _, paper := range list {
		text := read(t, paper)
		for _, link := range linksOf(text) {
			count++
			if problem := linkProblem(paper, text, link); problem != "" {
				t.Error(problem)
			}
		}
	}
	require.NotZero(t, count, "links were not found")
}

func TestALinkWithoutATargetIsFound(t *testing.T) {
	text := "# One: `two` (3)\n\n```sh\n# no heading\n```\n"
	for _, link := range []string{"#one-two-3", "README.md", "redislimit", "docs/README.md#guides"} {
		require.Empty(t, linkProblem("x.md", text, link))
	}
	for _, link := range []string{"#no-heading", "README.md#nothing", "none.md", "../y"} {
		require.NotEmpty(t, linkProblem("x.md", text, link))
	}
}

func TestTheBotWatchesEveryModule(t *testing.T) {
	modules, err := filepath.Glob("../go.mod")
	require.NoError(t, err)
	for _, pattern := range []string{"../*/go.mod", "../*/*/go.mod", "../*/*/*/go.mod"} {
		more, err := filepath.Glob(pattern)
		require.NoError(t, err)
		modules = append(modules, more...)
	}
	for _, module := range modules {
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(module)), "..")
		require.Contains(t, read(t, ".github/dependabot.yml"), "\n      - "+cmp.Or(dir, "/")+"\n")
	}
	require.Greater(t, len(modules), 5)
}

// TestTheIndexLinksToEveryPage follows a reader from README.md: to the index, and from there to
// each page.
func TestTheIndexLinksToEveryPage(t *testing.T) {
	links := linksOf(read(t, "README.md"))
	require.Contains(t, links, atIndex)
	module := regexp.MustCompile(`(?m)^module (\S+)$`).FindStringSubmatch(read(t, "go.mod"))
	require.NotNil(t, module)
	require.Contains(t, links, "https://pkg.go.dev/"+module[1])

	var reached []string
	for _, link := range linksOf(read(t, atIndex)) {
		reached = append(reached, path.Join("docs", link))
	}
	for _, page := range pages(t) {
		if page != "README.md" && page != atIndex {
			require.Contains(t, reached, page, "%s has no row for this page", atIndex)
		}
	}
}

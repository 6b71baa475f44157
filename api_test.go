package monitoring_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

var updateAPI = flag.Bool("update-api", false, "rewrite testdata/api.txt")

// TestTheExportedAPIIsAsListed makes changes of the exported API visible in a review. To
// rewrite the listing, run go test -run ExportedAPI -update-api .
func TestTheExportedAPIIsAsListed(t *testing.T) {
	const file = "testdata/api.txt"
	listing := exportedAPI(t, ".") + "\n" + exportedAPI(t, "monitoringtest")
	if *updateAPI {
		require.NoError(t, os.WriteFile(file, []byte(listing), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, string(want) == listing, "the exported API differs from %s; go test -run ExportedAPI -update-api . rewrites it:\n%s",
		file, lineDiff(string(want), listing))
}

// lineDiff returns the lines that only one of two texts has, in order, each with its number.
func lineDiff(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	// longest[i][j] is the length of the longest common part of a[i:] and b[j:].
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var out strings.Builder
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			fmt.Fprintf(&out, "-%d: %s\n", i+1, a[i])
			i++
		default:
			fmt.Fprintf(&out, "+%d: %s\n", j+1, b[j])
			j++
		}
	}
	return out.String()
}

func TestALineDiffShowsLinesThatAreNotUnique(t *testing.T) {
	require.Equal(t, "-3: }\n", lineDiff("type A {\n}\n}\nfunc B", "type A {\n}\nfunc B"))
	require.Equal(t, "-1: a\n+1: b\n", lineDiff("a\nc", "b\nc"))
}

// exportedAPI lists the exported declarations of a package, without comments.
func exportedAPI(t *testing.T, dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	set := token.NewFileSet()
	var list []string
	name := ""
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		name = file.Name.Name
		if !ast.FileExports(file) {
			continue
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && !ast.IsExported(testkit.Receiver(d.Recv.List[0].Type)) {
					continue
				}
				d.Body = nil
				list = append(list, source(t, set, d))
			case *ast.GenDecl:
				if d.Tok == token.IMPORT {
					continue
				}
				for _, spec := range d.Specs {
					list = append(list, d.Tok.String()+" "+source(t, set, spec))
				}
			}
		}
	}
	slices.Sort(list)
	return "package " + name + "\n\n" + strings.Join(list, "\n") + "\n"
}

func source(t *testing.T, set *token.FileSet, node ast.Node) string {
	var b bytes.Buffer
	require.NoError(t, format.Node(&b, set, node))
	return b.String()
}

// newestChange returns the version of the first section of a changelog, "" if it has none.
func newestChange(changelog string) string {
	m := regexp.MustCompile(`(?m)^## (\S+)`).FindStringSubmatch(changelog)
	if m == nil {
		return ""
	}
	return m[1]
}

func TestTheVersionIsTheFirstInTheChangelog(t *testing.T) {
	changelog, err := os.ReadFile("CHANGELOG.md")
	require.NoError(t, err)
	require.Equal(t, monitoring.Version, newestChange(string(changelog)), "the first version in CHANGELOG.md must be the constant Version")
}

func TestTheNewestChangeIsTheFirstSection(t *testing.T) {
	require.Equal(t, "1.2.0", newestChange("# Changelog\n\nText.\n\n## 1.2.0 — unreleased\n\n- a\n\n## 1.1.0\n"))
	require.Empty(t, newestChange("# Changelog\n\n### 1.2.0\n"))
}

package monitoring_test

import (
	"bytes"
	"flag"
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
	require.True(t, string(want) == listing, "the exported API differs from %s; go test -run ExportedAPI -update-api . rewrites it\nwithout %q\nwith %q",
		file, linesOnlyIn(string(want), listing), linesOnlyIn(listing, string(want)))
}

// linesOnlyIn returns the lines of a text that another one has less often.
func linesOnlyIn(text, other string) (only []string) {
	count := make(map[string]int)
	for line := range strings.Lines(other) {
		count[line]++
	}
	for line := range strings.Lines(text) {
		if count[line]--; count[line] < 0 {
			only = append(only, line)
		}
	}
	return only
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
				list = append(list, onOneLine(source(t, set, d)))
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

// onOneLine returns the signature of a function without the line breaks that its length asks for.
func onOneLine(signature string) string {
	return strings.NewReplacer("(\n\t", "(", ",\n)", ")", "\n\t", " ").Replace(signature)
}

func source(t *testing.T, set *token.FileSet, node ast.Node) string {
	var b bytes.Buffer
	require.NoError(t, format.Node(&b, set, node))
	return b.String()
}

func TestTheVersionIsTheFirstInTheChangelog(t *testing.T) {
	changelog, err := os.ReadFile("CHANGELOG.md")
	require.NoError(t, err)
	// A section that is not yet released is written before the constant changes.
	newest := regexp.MustCompile(`(?m)^## (\S+)( —.*)?$`).FindSubmatch(changelog)
	require.NotNil(t, newest)
	require.Equal(t, monitoring.Version, string(newest[1]), "the first version in CHANGELOG.md must be the constant Version")
}

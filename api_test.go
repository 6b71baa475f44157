package monitoring

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var updateAPI = flag.Bool("update-api", false, "rewrite testdata/api.txt")

// TestTheExportedAPIIsAsListed makes a change of what programs are written against show
// in a review: go test -run ExportedAPI -update-api . rewrites the listing.
func TestTheExportedAPIIsAsListed(t *testing.T) {
	const file = "testdata/api.txt"
	listing := exportedAPI(t, ".") + "\n" + exportedAPI(t, "monitoringtest")
	if *updateAPI {
		require.NoError(t, os.WriteFile(file, []byte(listing), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	was, is := strings.Split(string(want), "\n"), strings.Split(listing, "\n")
	for _, line := range is {
		if !slices.Contains(was, line) {
			t.Errorf("not in %s: %s", file, line)
		}
	}
	for _, line := range was {
		if !slices.Contains(is, line) {
			t.Errorf("gone, but in %s: %s", file, line)
		}
	}
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
				if d.Recv != nil && !ast.IsExported(receiver(d.Recv.List[0].Type)) {
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

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func source(t *testing.T, set *token.FileSet, node ast.Node) string {
	var b bytes.Buffer
	require.NoError(t, format.Node(&b, set, node))
	return b.String()
}

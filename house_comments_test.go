package monitoring_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bracketed is a name in brackets, as a comment writes a link. In code, as in tags[URL], it is
// none.
var bracketed = regexp.MustCompile(`(?:^|[\s(])\[(\*?[A-Z]\w*(?:\.\w+)?|\*?\w+\.[A-Z]\w*(?:\.\w+)?)\]`)

// brokenLinks returns the names in brackets that are no links, because nothing has this name.
func brokenLinks(p *comment.Parser, text string) (broken []string) {
	var printed strings.Builder // what is no link is plain text
	var walk func(blocks []comment.Block)
	inline := func(texts []comment.Text) {
		for _, t := range texts {
			if plain, ok := t.(comment.Plain); ok {
				printed.WriteString(string(plain))
			}
		}
		printed.WriteString("\n")
	}
	walk = func(blocks []comment.Block) {
		for _, b := range blocks {
			switch b := b.(type) {
			case *comment.Paragraph:
				inline(b.Text)
			case *comment.Heading:
				inline(b.Text)
			case *comment.List:
				for _, item := range b.Items {
					walk(item.Content)
				}
			}
		}
	}
	walk(p.Parse(text).Content)
	for _, m := range bracketed.FindAllStringSubmatch(printed.String(), -1) {
		broken = append(broken, m[1])
	}
	return broken
}

// A link to nothing is printed with its brackets, and go vet does not find it.
func TestTheLinksInCommentsHaveTargets(t *testing.T) {
	links := 0
	for _, dir := range []string{".", "lease", "monitoringtest", "monitoringotel", "redislimit"} {
		set := token.NewFileSet()
		var files []*ast.File
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
			require.NoError(t, err)
			files = append(files, file)
		}
		p, err := doc.NewFromFiles(set, files, module+"/"+dir, doc.PreserveAST)
		require.NoError(t, err)
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				var group *ast.CommentGroup
				exported := true
				switch n := n.(type) {
				case *ast.BlockStmt:
					return false
				case *ast.File:
					group = n.Doc
				case *ast.FuncDecl:
					group, exported = n.Doc, n.Name.IsExported()
				case *ast.GenDecl:
					group = n.Doc
				case *ast.TypeSpec:
					group = n.Doc
				case *ast.ValueSpec:
					group = n.Doc
				case *ast.Field:
					group = n.Doc
				}
				if group == nil || !exported {
					return true
				}
				links += strings.Count(group.Text(), "[")
				for _, name := range brokenLinks(p.Parser(), group.Text()) {
					t.Errorf("%s: there is nothing with the name %s", set.Position(group.Pos()), name)
				}
				for _, page := range regexp.MustCompile(`docs/[\w-]+\.md`).FindAllString(group.Text(), -1) {
					require.FileExists(t, page, "%s names it", set.Position(group.Pos()))
				}
				return true
			})
		}
	}
	require.Greater(t, links, 500, "links were not found")
}

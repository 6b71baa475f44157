package monitoring

import (
	"go/ast"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheOptionsOfEveryListAreValidatedByThemselves finds options that only have the Validate
// of the embedded ListOptions, which cannot name the operation.
func TestTheOptionsOfEveryListAreValidatedByThemselves(t *testing.T) {
	found := 0
	for service := range reflect.TypeFor[Client]().Fields() {
		for method := range service.Type.Methods() {
			for in := range method.Type.Ins() {
				embedded, ok := reflect.StructField{}, false
				if in.Kind() == reflect.Struct {
					embedded, ok = in.FieldByName("ListOptions")
				}
				if !ok || !embedded.Anonymous {
					continue
				}
				found++
				options := reflect.New(in).Elem()
				options.FieldByName("Limit").SetInt(-1)
				var invalid *ValidationError
				require.ErrorAs(t, options.Interface().(request).Validate(), &invalid, in.Name())
				require.True(t, tabled()[invalid.Operation], "%s needs a Validate beside it that names its operation", in.Name())
			}
		}
	}
	require.GreaterOrEqual(t, found, 12, "the lists were not found")
}

func TestValidateNamesTheOperationThatTakesTheRequest(t *testing.T) {
	named, takers := map[string]string{}, map[string][]string{}
	for _, file := range packageFiles(t) {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil {
				continue
			}
			if owner, ok := f.Recv.List[0].Type.(*ast.Ident); ok && f.Name.Name == "Validate" {
				ast.Inspect(f.Body, func(n ast.Node) bool {
					if text, ok := n.(*ast.BasicLit); ok && strings.Contains(text.Value, " /") {
						named[owner.Name] = strings.Trim(text.Value, `"`)
					}
					return true
				})
			}
			for operation := range directivesOf(f) {
				for _, parameter := range f.Type.Params.List {
					if kind, ok := parameter.Type.(*ast.Ident); ok {
						takers[kind.Name] = append(takers[kind.Name], operation)
					}
				}
			}
		}
	}
	require.GreaterOrEqual(t, len(named), 11, "the methods were not found")
	for request, operation := range named {
		require.Contains(t, takers[request], operation, "%s.Validate names an operation that does not take it", request)
	}
}

// directivesOf yields the operations that the directives above a function name.
func directivesOf(f *ast.FuncDecl) iter.Seq[string] {
	return func(yield func(string) bool) {
		if f.Doc == nil {
			return
		}
		for _, comment := range f.Doc.List {
			if operation, ok := strings.CutPrefix(comment.Text, "//monitoring:operation "); ok && !yield(operation) {
				return
			}
		}
	}
}

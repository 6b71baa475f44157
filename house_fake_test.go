package monitoring_test

import (
	"go/ast"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inTheFake are the packages of the in-process fake, by their folder, with what they may import
// besides the standard library. A package of the fake imports only those before it.
var inTheFake = []struct {
	folder string
	listed []string
}{
	{"internal/fakeclock", nil},
	{"internal/world", []string{module, "internal/rawjson", "internal/schema", "internal/fakeclock"}},
	{"internal/routes", []string{module, "internal/operations", "internal/schema", "internal/world"}},
	{"internal/front", []string{
		module, "internal/gates", "internal/operations", "internal/rawjson", "internal/schema",
		"internal/fakeclock", "internal/routes", "internal/world",
	}},
	{"internal/control", []string{module, "internal/rawjson", "internal/schema", "internal/fakeclock", "internal/front", "internal/routes", "internal/world"}},
	{".", []string{module, "internal/control", "internal/front", "internal/routes", "internal/world"}},
}

func TestAPackageOfTheFakeImportsOnlyThoseBelowIt(t *testing.T) {
	const fake = "monitoringtest"
	below := make(map[string]bool)
	for _, one := range inTheFake {
		found := make(map[string]bool)
		for name, file := range sources(t, filepath.Join(fake, one.folder)) {
			for _, imported := range imported(file) {
				short, ofTheFake := strings.CutPrefix(imported, fake+"/")
				require.True(t, !ofTheFake || below[short], "%s imports %s, which is not below it", name, imported)
				require.Contains(t, one.listed, short, name)
				found[short] = true
			}
		}
		require.Len(t, found, len(one.listed), "%s no longer imports all that is listed", one.folder)
		below[one.folder] = true
	}
	folders, err := filepath.Glob(filepath.Join(fake, "internal/*"))
	require.NoError(t, err)
	require.Len(t, folders, len(inTheFake)-1, "a package of the fake is not listed, or one that is listed is gone")
}

// What the fake does is below its face: a method there is short, and neither decides nor repeats.
func TestTheFaceOfTheFakeHasNoRules(t *testing.T) {
	const most = 65
	methods := 0
	for name, file := range sources(t, "monitoringtest") {
		for _, decl := range file.Decls {
			method, isMethod := decl.(*ast.FuncDecl)
			if !isMethod || method.Recv == nil || !method.Name.IsExported() || receiver(method) != "Service" {
				continue
			}
			methods++
			require.LessOrEqual(t, len(method.Body.List), 5, "%s: %s does more than to call what is below", name, method.Name)
		}
	}
	require.NotZero(t, methods)
	require.LessOrEqual(t, methods, most, "the service has too many methods")
}

// receiver returns the name of the type of a method.
func receiver(method *ast.FuncDecl) string {
	of := method.Recv.List[0].Type
	if star, isPointer := of.(*ast.StarExpr); isPointer {
		of = star.X
	}
	return of.(*ast.Ident).Name
}

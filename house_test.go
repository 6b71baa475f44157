package monitoring_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/monitoring-api/monitoring-go"

// engines are the packages under internal with what they may import besides the standard
// library. An engine does what it does without knowing the API, so a new line here needs a
// reason.
var engines = map[string][]string{
	"await":      {"internal/workers"},
	"exchange":   {"internal/rawjson", "internal/route", "internal/scrub", "github.com/hashicorp/go-retryablehttp"},
	"gates":      {},
	"isotime":    {},
	"jsontype":   {},
	"keep":       {"internal/jsontype", "internal/rawjson"},
	"lenient":    {"internal/jsontype", "internal/rawjson"},
	"limiter":    {"internal/route", "golang.org/x/time/rate"},
	"operations": {},
	"paging":     {"internal/workers"},
	"rawjson":    {},
	"route":      {},
	"schema":     {"internal/rawjson"},
	"scrub":      {},
	"testkit":    {"github.com/jarcoal/httpmock"},
	"updates":    {"internal/jsontype", "internal/keep", "internal/rawjson", "internal/schema", "internal/scrub"},
	"wirelog":    {"internal/jsontype", "internal/rawjson", "internal/scrub"},
	"workers":    {},
}

// sources returns the parsed files of a folder without its tests, by their names.
func sources(t *testing.T, dir string) map[string]*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	files := make(map[string]*ast.File)
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			require.NoError(t, err)
			files[name] = file
		}
	}
	require.NotEmpty(t, files, dir)
	return files
}

// imported returns the imports of a file by the names that they have in it, without those of the
// standard library.
func imported(file *ast.File) map[string]string {
	imports := make(map[string]string)
	for _, spec := range file.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		if !strings.Contains(name, ".") {
			continue
		}
		local := path.Base(name)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		imports[local] = strings.TrimPrefix(name, module+"/")
	}
	return imports
}

// The packages under internal, and their tests, are understood without the root.
func TestNothingUnderInternalImportsTheRoot(t *testing.T) {
	files, err := filepath.Glob("internal/*/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		require.NoError(t, err)
		require.NotContains(t, slices.Collect(maps.Values(imported(file))), module, name)
	}
}

func TestAnEngineImportsOnlyWhatIsListed(t *testing.T) {
	dirs, err := filepath.Glob("internal/*")
	require.NoError(t, err)
	for _, dir := range dirs {
		engine := filepath.Base(dir)
		listed, known := engines[engine]
		require.True(t, known, "internal/%s is not listed", engine)
		found := make(map[string]bool)
		for name, file := range sources(t, dir) {
			for _, one := range imported(file) {
				require.Contains(t, listed, one, name)
				found[one] = true
			}
		}
		require.Len(t, found, len(listed), "internal/%s no longer imports all that is listed", engine)
	}
	require.Len(t, dirs, len(engines), "a package that is listed is gone")
}

// The name of a file says whether its tests look inside the package.
func TestTestsThatLookInsideSayItInTheirFileName(t *testing.T) {
	files := 0
	require.NoError(t, filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !strings.HasSuffix(name, "_test.go"),
			strings.Contains(filepath.ToSlash(name), "testdata/"):
			return nil
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly)
		require.NoError(t, err)
		inside := !strings.HasSuffix(file.Name.Name, "_test")
		require.Equal(t, inside, strings.HasSuffix(name, "_internal_test.go"), "%s is of the package %s", name, file.Name.Name)
		return nil
	}))
	require.NotZero(t, files)
}

func TestEachFolderOfTestsSaysThatItRunsAlone(t *testing.T) {
	dirs, err := filepath.Glob("test/*")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for _, dir := range dirs {
		if dir = filepath.ToSlash(dir); dir != "test/internal" {
			page, err := os.ReadFile(filepath.Join(dir, "doc.go"))
			require.NoError(t, err)
			require.Contains(t, string(page), " go test ./"+dir+",", "%s does not say that it runs alone", dir)
		}
	}
}

// A package that ARCHITECTURE.md does not name cannot be found there, and one that is gone misleads.
func TestTheArchitectureNamesEveryPackage(t *testing.T) {
	page, err := os.ReadFile("ARCHITECTURE.md")
	require.NoError(t, err)
	packages, files := make(map[string]bool), make(map[string]bool)
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (entry.Name() == "testdata" || name != "." && entry.Name()[0] == '.') {
			return fs.SkipDir
		}
		files[filepath.Base(name)] = true
		if dir := filepath.ToSlash(filepath.Dir(name)); filepath.Ext(name) == ".go" && dir != "." {
			packages[dir] = true
		}
		return err
	}))
	require.NotEmpty(t, packages)
	drawn := regexp.MustCompile(`[\w/-]+`).FindAllString(string(page), -1)
	for name := range packages {
		engine := strings.TrimPrefix(name, "internal/")
		require.True(t, slices.Contains(drawn, name) || slices.Contains(drawn, engine), "ARCHITECTURE.md does not name %s", name)
	}
	for _, found := range regexp.MustCompile(`\b(?:internal|test|cmd|examples)/[\w/-]+`).FindAllString(string(page), -1) {
		require.True(t, packages[strings.TrimSuffix(found, "/")], "ARCHITECTURE.md names %s, which does not exist", found)
	}
	for _, found := range regexp.MustCompile(`\b[a-z]\w*\.go\b`).FindAllString(string(page), -1) {
		require.True(t, files[found], "ARCHITECTURE.md names %s, which does not exist", found)
	}
}

// pkg.go.dev shows neither the fields nor the methods of an alias of an internal type.
func TestNoExportedNameIsAnAliasOfAnInternalType(t *testing.T) {
	for name, file := range sources(t, ".") {
		imports := imported(file)
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, s := range decl.Specs {
				spec := s.(*ast.TypeSpec)
				if !spec.Assign.IsValid() || !spec.Name.IsExported() {
					continue
				}
				ast.Inspect(spec.Type, func(n ast.Node) bool {
					if of, ok := n.(*ast.SelectorExpr); ok {
						if base, ok := of.X.(*ast.Ident); ok {
							require.False(t, strings.HasPrefix(imports[base.Name], "internal/"), "%s: %s", name, spec.Name)
						}
					}
					return true
				})
			}
		}
	}
}

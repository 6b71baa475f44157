package monitoring_test

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
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
	"await":       {"internal/workers"},
	"document":    {"internal/jsontype", "internal/rawjson"},
	"exchange":    {"internal/rawjson", "internal/route", "internal/scrub", "github.com/hashicorp/go-retryablehttp"},
	"gates":       {},
	"isotime":     {},
	"jsonmethods": {}, // writes json_methods.go
	"jsontype":    {"internal/memo"},
	"lenient":     {"internal/jsontype", "internal/memo", "internal/rawjson"},
	"limiter":     {"internal/route", "golang.org/x/time/rate"},
	"memo":        {},
	"operations":  {},
	"paging":      {"internal/workers"},
	"rawjson":     {},
	"route":       {},
	"schema":      {"internal/rawjson"},
	"scrub":       {},
	"testkit":     {"github.com/jarcoal/httpmock", "internal/rawjson"},
	"turns":       {"internal/exchange"},
	"updates":     {"internal/document", "internal/isotime", "internal/jsontype", "internal/rawjson", "internal/schema", "internal/scrub"},
	"wirelog":     {"internal/jsontype", "internal/rawjson", "internal/scrub"},
	"workers":     {},
}

// largestCircle is how many files of a package may use each other in a circle: to understand one
// of them, a reader needs all. A package of internal that is not listed has no circle, and one
// below monitoringtest may have 8. The number of a package that has come apart goes down.
var largestCircle = map[string]int{
	".":                 12,
	"internal/await":    2,
	"internal/exchange": 4,
	"internal/lenient":  4,
	"internal/paging":   3,
	"internal/schema":   4,
	"internal/scrub":    2,
	"monitoringtest":    3,
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
		require.False(t, inside && filepath.Dir(name) == ".", "%s looks inside the root, which and all that imports it would be "+
			"compiled twice: say it from outside, or move what it tests to an engine", name)
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

// A package that ARCHITECTURE.md does not name cannot be found there. One that is gone misleads.
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
	for pattern, exist := range map[string]map[string]bool{
		`\b(?:monitoringtest/internal|internal|test|cmd|tools|examples)/[\w/-]+\b`: packages,
		`\b[a-z]\w*\.go\b`: files,
	} {
		named := regexp.MustCompile(pattern).FindAllString(string(page), -1)
		require.NotEmpty(t, named, pattern)
		for _, name := range named {
			require.True(t, exist[name], "ARCHITECTURE.md names %s, which does not exist", name)
		}
	}
}

// pkg.go.dev shows neither the fields nor the methods of an alias of an internal type.
func TestNoExportedNameIsAnAliasOfAnInternalType(t *testing.T) {
	for _, dir := range []string{".", "monitoringtest"} {
		for name, file := range sources(t, dir) {
			require.Empty(t, aliasesOfInternalTypes(file), name)
		}
	}
	// No file has an alias, so the loop above would not notice if none was found.
	file, err := parser.ParseFile(token.NewFileSet(), "a.go", `package p
import (
	"net/http"
	inner "github.com/monitoring-api/monitoring-go/internal/limiter"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)
type Alias = inner.Limiter
type ( Of = []*world.Account; Plain = http.Header; own = inner.Limiter; Struct struct{ l inner.Limiter } )
`, 0)
	require.NoError(t, err)
	require.Equal(t, []string{"Alias", "Of"}, aliasesOfInternalTypes(file))
}

// aliasesOfInternalTypes returns the exported aliases in a file that lead to an internal package.
func aliasesOfInternalTypes(file *ast.File) (aliases []string) {
	imports := imported(file)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || !spec.Assign.IsValid() || !spec.Name.IsExported() {
			return true
		}
		ast.Inspect(spec.Type, func(n ast.Node) bool {
			if base, ok := n.(*ast.Ident); ok && strings.Contains("/"+imports[base.Name], "/internal/") {
				aliases = append(aliases, spec.Name.Name)
			}
			return true
		})
		return false
	})
	return aliases
}

func TestTheFilesOfAPackageAreNoLargeCircle(t *testing.T) {
	dirs, err := filepath.Glob("internal/*")
	require.NoError(t, err)
	below, err := filepath.Glob("monitoringtest/internal/*")
	require.NoError(t, err)
	dirs = append(append(dirs, below...), ".", "monitoringtest")
	for dir := range largestCircle {
		require.Contains(t, dirs, filepath.FromSlash(dir), "a package that is listed is gone")
	}
	compiled := compiledImports(t)
	for _, dir := range dirs {
		dir = filepath.ToSlash(dir)
		most := largestCircle[dir]
		if most == 0 && strings.HasPrefix(dir, "monitoringtest/") {
			most = 8
		}
		files, uses := usesOfFiles(t, dir, compiled)
		for _, circle := range circlesOf(files, uses) {
			require.LessOrEqual(t, len(circle), max(most, 1), tooLarge(dir, circle, uses))
		}
	}
}

// usage has the names that a file uses of another one, by the names of both.
type usage map[string]map[string][]string

// tooLarge says which files are a circle, and which of their arrows are the thinnest.
func tooLarge(dir string, circle []string, uses usage) string {
	type arrow struct {
		from, to string
		names    []string
	}
	var arrows []arrow
	for _, from := range circle {
		for to, names := range uses[from] {
			if slices.Contains(circle, to) {
				arrows = append(arrows, arrow{from, to, names})
			}
		}
	}
	slices.SortFunc(arrows, func(a, b arrow) int {
		return cmp.Or(len(a.names)-len(b.names), strings.Compare(a.from+" "+a.to, b.from+" "+b.to))
	})
	var b strings.Builder
	fmt.Fprintf(&b, "files of %s use each other in a circle: %s\n", dir, strings.Join(circle, " "))
	b.WriteString("Let one of them no longer use the others: move what it uses into a file that uses nothing of the circle,\n")
	b.WriteString("or hand it over as an argument. The thinnest arrows are:\n")
	for _, a := range arrows[:min(len(arrows), 12)] {
		fmt.Fprintf(&b, "  %s uses of %s: %s\n", a.from, a.to, strings.Join(a.names, " "))
	}
	return b.String()
}

// compiledImports asks the go command where the compiled packages are that our packages import.
func compiledImports(t *testing.T) types.Importer {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}",
		".", "./internal/...", "./monitoringtest/...")
	var failed bytes.Buffer
	command.Stderr = &failed
	list, err := command.Output()
	require.NoError(t, err, "%s: %s", command, &failed)
	files := make(map[string]string)
	for line := range strings.Lines(string(list)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) { return os.Open(files[name]) })
}

// usesOfFiles returns the files of a package and what they use of each other: names of the package,
// methods and fields.
func usesOfFiles(t *testing.T, dir string, compiled types.Importer) (names []string, uses usage) {
	t.Helper()
	set := token.NewFileSet()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range paths {
		built, err := build.Default.MatchFile(dir, filepath.Base(name))
		require.NoError(t, err)
		if built && !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			files, names = append(files, file), append(names, filepath.Base(name))
		}
	}
	require.NotEmpty(t, files, dir)
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	pkg, err := (&types.Config{Importer: compiled}).Check(dir, set, files, info)
	require.NoError(t, err)
	uses = make(usage)
	for ident, object := range info.Uses {
		from, to := filepath.Base(set.Position(ident.Pos()).Filename), filepath.Base(set.Position(object.Pos()).Filename)
		if object.Pkg() != pkg || from == to || !seenInOtherFiles(object) {
			continue
		}
		if uses[from] == nil {
			uses[from] = make(map[string][]string)
		}
		if !slices.Contains(uses[from][to], object.Name()) {
			uses[from][to] = append(uses[from][to], object.Name())
			slices.Sort(uses[from][to])
		}
	}
	return names, uses
}

func seenInOtherFiles(object types.Object) bool {
	if v, ok := object.(*types.Var); ok && v.IsField() {
		return true
	}
	if f, ok := object.(*types.Func); ok && f.Signature().Recv() != nil {
		return true
	}
	return object.Parent() == object.Pkg().Scope()
}

// circlesOf returns the sets of files that reach each other, each sorted.
func circlesOf(files []string, uses usage) (circles [][]string) {
	reached := make(map[string]map[string]bool)
	for _, file := range files {
		reached[file] = make(map[string]bool)
		for todo := []string{file}; len(todo) > 0; todo = todo[1:] {
			for to := range uses[todo[0]] {
				if !reached[file][to] {
					reached[file][to] = true
					todo = append(todo, to)
				}
			}
		}
	}
	placed := make(map[string]bool)
	for _, file := range files {
		if placed[file] {
			continue
		}
		circle := []string{file}
		for _, other := range files {
			if other != file && reached[file][other] && reached[other][file] {
				circle = append(circle, other)
				placed[other] = true
			}
		}
		circles = append(circles, circle)
	}
	return circles
}

func TestCirclesOfFilesAreFound(t *testing.T) {
	uses := usage{
		"a.go": {"b.go": {"B"}},
		"b.go": {"c.go": {"C", "D"}, "d.go": {"E"}},
		"c.go": {"a.go": {"A"}},
		"e.go": {"a.go": {"A"}},
	}
	circles := circlesOf([]string{"a.go", "b.go", "c.go", "d.go", "e.go"}, uses)
	require.Equal(t, [][]string{{"a.go", "b.go", "c.go"}, {"d.go"}, {"e.go"}}, circles)
	message := tooLarge("internal/x", circles[0], uses)
	require.Contains(t, message, "internal/x use each other in a circle: a.go b.go c.go\n")
	require.Contains(t, message, "move what it uses into a file")
	require.Contains(t, message, "a.go uses of b.go: B\n  c.go uses of a.go: A\n  b.go uses of c.go: C D\n")
	require.NotContains(t, message, "d.go")
}

// encoding/json/v2 leaves out what omitempty finds empty behind a pointer, so that "" is lost.
func TestAPointerToATextIsOmittedOnlyIfItIsNil(t *testing.T) {
	pointers := 0
	for name, file := range sources(t, ".") {
		ast.Inspect(file, func(n ast.Node) bool {
			field, ok := n.(*ast.Field)
			if !ok || field.Tag == nil {
				return true
			}
			if star, ok := field.Type.(*ast.StarExpr); ok {
				if text, ok := star.X.(*ast.Ident); ok && text.Name == "string" {
					pointers++
					require.NotContains(t, field.Tag.Value, "omitempty", "%s: %v", name, field.Names)
				}
			}
			return true
		})
	}
	require.Greater(t, pointers, 30)
}

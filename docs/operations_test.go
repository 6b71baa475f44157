package docs_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/build"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// caller is an exported method of a service, or of the client, that makes calls.
type caller struct {
	service, name string // as in Checks.List; the service of a method of the client is empty
	anchor        string // of pkg.go.dev
	doc           string
	operations    []string // those that it can reach, sorted
}

func (c caller) link(whole bool) string {
	name := c.name
	if whole && c.service != "" {
		name = c.service + "." + name
	}
	return "[`" + name + "`](https://pkg.go.dev/github.com/monitoring-api/monitoring-go#" + c.anchor + ")"
}

// callers returns the methods that make calls, in the order of the source.
func callers(t *testing.T) (list []caller) {
	t.Helper()
	files, info, pkg := typeChecked(t)
	bodies := make(map[types.Object]*ast.FuncDecl)
	var inOrder []types.Object
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				bodies[info.Defs[f.Name]] = f
				inOrder = append(inOrder, info.Defs[f.Name])
			}
		}
	}
	client := pkg.Scope().Lookup("Client").Type().Underlying().(*types.Struct)
	stated, err := testkit.StatedOperations("..")
	require.NoError(t, err)
	services := map[string]string{"Client": ""} // the field of each type
	for field := range client.Fields() {
		if p, ok := field.Type().(*types.Pointer); ok && field.Exported() {
			services[p.Elem().(*types.Named).Obj().Name()] = field.Name()
		}
	}
	require.Greater(t, len(services), 20)
	for _, object := range inOrder {
		f := bodies[object]
		if f.Recv == nil || !f.Name.IsExported() {
			continue
		}
		kind := testkit.Receiver(f.Recv.List[0].Type)
		service, ok := services[kind]
		if !ok || !takesCallOptions(object.(*types.Func).Signature()) {
			continue
		}
		doc := strings.Join(strings.Fields(f.Doc.Text()), " ")
		c := caller{service, f.Name.Name, kind + "." + f.Name.Name, doc, reachedFrom(object, bodies, info)}
		for _, s := range stated { // that the blueprint of an object has
			is := c.name == s.Method || c.name == "Edit" && s.Method == "Update"
			is = is && (s.Method == "Create") == (c.name == "Create")
			if is && s.Service == kind && (s.Method == "Create" || s.Method == "Update") && !slices.Contains(c.operations, s.Name) {
				c.operations = append(c.operations, s.Name)
				slices.Sort(c.operations)
			}
		}
		switch c.anchor { // they read an address that this operation returned
		case "CheckResultsService.CopyAsset":
			c.operations = []string{"GET /v1/check-results/{checkId}/{checkResultId}/assets"}
		case "TestSessionsService.CopyAsset":
			c.operations = []string{"GET /v1/test-sessions/{testSessionId}/results/{testSessionResultId}/assets"}
		}
		require.NotEmpty(t, c.operations, "no operation of %s was found", c.anchor)
		list = append(list, c)
	}
	return list
}

func takesCallOptions(signature *types.Signature) bool {
	last := signature.Params().Len() - 1
	return signature.Variadic() && strings.HasSuffix(signature.Params().At(last).Type().String(), ".CallOption")
}

// reachedFrom returns the operations in the texts of a function and of all that it uses, sorted.
func reachedFrom(object types.Object, bodies map[types.Object]*ast.FuncDecl, info *types.Info) (found []string) {
	seen := map[types.Object]bool{object: true}
	todo := []types.Object{object}
	use := func(used types.Object) {
		if f, ok := used.(*types.Func); ok {
			used = f.Origin() // a generic function
		}
		if used != nil && strings.HasPrefix(used.Name(), "tableOf") {
			return // its operations are added by what they create and change
		}
		if bodies[used] != nil && !seen[used] {
			seen[used] = true
			todo = append(todo, used)
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		ast.Inspect(bodies[todo[0]].Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				use(info.Uses[n])
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.Ident); ok && strings.HasPrefix(f.Name, "validate") {
					return false // by the rules of an operation, which it does not make
				}
				methodsGivenTo(n, info, use)
			case *ast.BasicLit:
				if v := info.Types[n].Value; v != nil && v.Kind() == constant.String {
					if o, ok := operations.Find(constant.StringVal(v)); ok && !slices.Contains(found, o.Name) {
						found = append(found, o.Name)
					}
				}
			}
			return true
		})
	}
	slices.Sort(found)
	return found
}

// methodsGivenTo calls use with the methods that a function can call of its arguments, as an engine
// does with the interface that the root gives to it.
func methodsGivenTo(call *ast.CallExpr, info *types.Info, use func(types.Object)) {
	signature, ok := info.TypeOf(call.Fun).(*types.Signature)
	if !ok || signature.Variadic() {
		return
	}
	for i, arg := range call.Args {
		if i >= signature.Params().Len() {
			return // one argument is all results of another call
		}
		if face, ok := signature.Params().At(i).Type().Underlying().(*types.Interface); ok {
			for m := range face.Methods() {
				method, _, _ := types.LookupFieldOrMethod(info.TypeOf(arg), true, m.Pkg(), m.Name())
				use(method)
			}
		}
	}
}

// compiled imports packages, and those that they import, as the go command has compiled them.
func compiled(t *testing.T, packages ...string) types.Importer {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", append([]string{
		"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}",
	}, packages...)...)
	command.Dir = ".."
	var failed bytes.Buffer
	command.Stderr = &failed
	list, err := command.Output()
	require.NoError(t, err, failed.String())
	files := make(map[string]string)
	for line := range strings.Lines(string(list)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) { return os.Open(files[name]) })
}

// typeChecked returns the package of the SDK with its types.
func typeChecked(t *testing.T) (files []*ast.File, info *types.Info, pkg *types.Package) {
	t.Helper()
	set := token.NewFileSet()
	names, err := filepath.Glob("../*.go")
	require.NoError(t, err)
	for _, name := range names {
		built, err := build.Default.MatchFile("..", filepath.Base(name))
		require.NoError(t, err)
		if built && !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(set, name, nil, parser.ParseComments|parser.SkipObjectResolution)
			require.NoError(t, err)
			files = append(files, file)
		}
	}
	info = &types.Info{
		Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object),
		Types: make(map[ast.Expr]types.TypeAndValue),
	}
	pkg, err = (&types.Config{Importer: compiled(t, ".")}).Check("monitoring", set, files, info)
	require.NoError(t, err)
	return files, info, pkg
}

// theOperation returns the operation whose row has a method: the last that its comment names, the
// only one that it makes, the one that a wait polls, or the only one that writes.
func theOperation(t *testing.T, c caller) string {
	t.Helper()
	named := regexp.MustCompile(`[A-Z]+ /[\w/{}.-]+`).FindAllString(c.doc, -1)
	for _, name := range slices.Backward(named) {
		if name = strings.TrimRight(name, "."); slices.Contains(c.operations, name) {
			return name
		}
	}
	if len(c.operations) == 1 {
		return c.operations[0]
	}
	var writes []string
	for _, name := range c.operations {
		switch o, _ := operations.Find(name); o.Class {
		case operations.Poll:
			return name
		case operations.Idempotent, operations.Unsafe:
			writes = append(writes, name)
		}
	}
	require.Len(t, writes, 1, "%s makes %s: its comment must name the one that it is for", c.anchor, c.operations)
	return writes[0]
}

var updateOperations = flag.Bool("update-operations", false, "rewrite the tables in docs/operations.md")

const atOperations = "docs/operations.md"

// requireTable fails unless a page has a table. With -update-operations it is written.
func requireTable(t *testing.T, head, rows string) {
	t.Helper()
	before, table, ok := strings.Cut(read(t, atOperations), head)
	require.True(t, ok, "%s has no table with the head %s", atOperations, head)
	_, after, ok := strings.Cut("\n"+table, "\n\n")
	require.True(t, ok, "a blank line ends a table")
	page := before + head + rows + "\n" + after
	if *updateOperations {
		require.NoError(t, os.WriteFile("../"+atOperations, []byte(page), 0o644))
	}
	for line := range strings.Lines(rows) {
		require.True(t, strings.Contains(read(t, atOperations), line),
			"%s lacks the row %s: run go test ./test/api ./docs -run Operation -update-operations", atOperations, line)
	}
	require.Equal(t, page, read(t, atOperations), "run go test ./test/api ./docs -run Operation -update-operations")
}

// TestTheTableOfOperationsIsThatOfTheMethods compares the page with the code: each method of a
// service stands in the row of its operation.
func TestTheTableOfOperationsIsThatOfTheMethods(t *testing.T) {
	stated, err := testkit.StatedOperations("..")
	require.NoError(t, err)
	main := make(map[string]string) // the first method of an operation
	for _, s := range stated {
		main[s.Name] = s.Service + "." + s.Method
	}
	methods := make(map[string][]caller)
	for _, c := range callers(t) {
		names := []string{theOperation(t, c)}
		if c.service == "Checks" && (c.name == "Create" || c.name == "Update" || c.name == "Edit") { // each for all kinds
			names = slices.DeleteFunc(c.operations, func(name string) bool { return strings.HasPrefix(name, "GET ") })
		}
		for _, name := range names {
			if c.anchor == main[name] {
				methods[name] = slices.Insert(methods[name], 0, c)
			} else {
				methods[name] = append(methods[name], c)
			}
		}
	}
	var rows strings.Builder
	for _, o := range operations.All() {
		require.NotEmpty(t, methods[o.Name], "%s: write its method, whose comment names the operation", o.Name)
		mark := ""
		switch {
		case !o.Documented():
			mark = " (+)"
		case o.Name == "PUT /v1/checks/{id}":
			mark = " (deprecated)"
		}
		rows.WriteString("| " + o.Name + mark + " | ")
		for i, c := range methods[o.Name] {
			if i > 0 {
				rows.WriteString(", ")
			}
			rows.WriteString(c.link(i == 0 || c.service != methods[o.Name][0].service))
		}
		rows.WriteString(" |\n")
	}
	rows.WriteString("| any other | [`Do` and `All`](other-operations.md) |\n")
	requireTable(t, "| Operation | Methods |\n|---|---|\n", rows.String())
}

// TestTheTableOfKindsIsThatOfTheOperations compares the kinds that have operations of their own
// with the fields of a Check.
func TestTheTableOfKindsIsThatOfTheOperations(t *testing.T) {
	var kinds []string // for which there is no row yet
	for line := range strings.Lines(read(t, "testdata/document/enums.txt")) {
		if values, ok := strings.CutPrefix(line, "CheckType "); ok {
			kinds = strings.Fields(values)
		}
	}
	var rows strings.Builder
	for _, o := range operations.All() {
		path, ok := strings.CutPrefix(o.Name, "POST /v1/checks/")
		if !ok {
			continue
		}
		i := slices.IndexFunc(kinds, func(kind string) bool { return strings.ToLower(strings.ReplaceAll(kind, "_", "")) == path })
		require.GreaterOrEqual(t, i, 0, "%s: add its kind to CheckType in testdata/document/enums.txt", o.Name)
		field := ""
		for f := range reflect.TypeFor[monitoring.Check]().Fields() {
			if strings.EqualFold(f.Name, path) {
				field = f.Name
			}
		}
		require.NotEmpty(t, field, "Check needs a field for the kind %s", kinds[i])
		sends := "the changed fields"
		if kinds[i] == "DNS" {
			sends = "the whole check"
		}
		rows.WriteString("| " + kinds[i] + " | `" + field + "` | " + o.Name + " | " + sends + " |\n")
		kinds = slices.Delete(kinds, i, i+1)
	}
	rows.WriteString("| " + strings.Join(kinds, ", ") + " and unknown kinds | | only with `Do` | the changed fields that all kinds have, " +
		"through the deprecated update |\n")
	requireTable(t, "## Kinds of checks\n\n"+
		"| Kind | Field of `Check` | Created by | An update sends |\n|---|---|---|---|\n", rows.String())
}

var toReference = regexp.MustCompile(`https://pkg\.go\.dev/github\.com/monitoring-api/monitoring-go(?:/monitoringtest)?#([\w.-]+)`)

// TestEveryLinkToTheReferenceHasATarget looks up the anchors of pkg.go.dev in the API listing.
func TestEveryLinkToTheReferenceHasATarget(t *testing.T) {
	n, count := exported(t), 0
	for _, page := range pages(t) {
		for _, m := range toReference.FindAllStringSubmatch(read(t, page), -1) {
			if heading, ok := strings.CutPrefix(m[1], "hdr-"); ok { // of the package documentation
				require.Contains(t, read(t, "doc.go"), "\n// # "+strings.ReplaceAll(heading, "_", " ")+"\n", page)
				continue
			}
			name := strings.TrimPrefix(m[1], "example-")
			require.True(t, n.has(name), "%s: the reference has no %s", page, name)
			count++
		}
	}
	require.Greater(t, count, 100, "links were not found")
}

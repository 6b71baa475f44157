package monitoring_test

import (
	"cmp"
	"fmt"
	"go/build"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever names a type reads the signatures of all its methods, and of all types in these, and
// compiles all methods of each generic type that they have. So one unexported method that returns
// a lister[Check] costs every package of every user that names a Client, each time it is compiled.
func TestGenericTypesWithMethodsAreNotReachedFromExportedTypes(t *testing.T) {
	reached := genericTypes(rootPackage(t))
	require.Contains(t, reached, "monitoring.Nullable", "nothing would be found if nothing was read")
	delete(reached, "monitoring.Nullable") // a field of requests, which users fill
	delete(reached, "unique.Handle")       // two methods of one line, in Secret
	require.Empty(t, strings.Join(ways(reached), "\n"), remedy)
}

// The number of functions and the size do not depend on the machine. The time that they take does.
func TestAPackageThatNamesAClientCompilesLittle(t *testing.T) {
	functions, size := 420, 1_700_000
	if slices.Contains(build.Default.ReleaseTags, "go1.27") { // which is a sixth larger
		functions, size = 480, 2_000_000
	}
	dir := t.TempDir()
	source, archive, figures := filepath.Join(dir, "x.go"), filepath.Join(dir, "x.a"), filepath.Join(dir, "figures.txt")
	text := fmt.Sprintf("package x\n\nimport %q\n\nfunc F(c *monitoring.Client) {}\n", module)
	require.NoError(t, os.WriteFile(source, []byte(text), 0o600))
	command := exec.CommandContext(t.Context(), "go", "build", "-gcflags=-bench="+figures, "-o", archive, source)
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s: %s", command, output)

	data, err := os.ReadFile(figures)
	require.NoError(t, err)
	count := regexp.MustCompile(` (\d+) funcs\b`).FindStringSubmatch(string(data))
	require.NotNil(t, count, "the compiler does not say how many functions it compiled: %s", data)
	compiled, err := strconv.Atoi(count[1])
	require.NoError(t, err)
	built, err := os.Stat(archive)
	require.NoError(t, err)
	t.Logf("%d functions, %d bytes", compiled, built.Size())
	found := strings.Join(ways(genericTypes(rootPackage(t))), "\n")
	require.LessOrEqual(t, compiled, functions, "functions: %s:\n%s", remedy, found)
	require.LessOrEqual(t, built.Size(), int64(size), "bytes: %s:\n%s", remedy, found)
}

const remedy = "a package that only names a Client compiles the methods of each of these generic types, for each of their " +
	"type arguments: make a function of the first method that its way goes through, or hide what follows in an interface"

// way is how an exported type leads to a generic type that has methods.
type way struct {
	path string
	with []string // the type arguments that it is reached with
}

// ways returns the generic types as lines, those with the most type arguments first.
func ways(reached map[string]*way) (lines []string) {
	names := slices.SortedFunc(maps.Keys(reached), func(a, b string) int {
		return cmp.Or(len(reached[b].with)-len(reached[a].with), strings.Compare(a, b))
	})
	for _, name := range names {
		lines = append(lines, fmt.Sprintf("%s[%s] by %s", name, strings.Join(reached[name].with, " | "), reached[name].path))
	}
	return lines
}

func rootPackage(t *testing.T) *types.Package {
	t.Helper()
	pkg, err := compiledImports(t).Import(module)
	require.NoError(t, err)
	return pkg
}

// genericTypes returns the generic types with methods that an importer of a package reads if it
// names all its exported types, each with a shortest way to it.
func genericTypes(pkg *types.Package) map[string]*way {
	type step struct {
		to   types.Type
		path string
	}
	var steps []step
	seen := make(map[types.Type]bool)
	add := func(to types.Type, path string) {
		if !seen[to] {
			seen[to] = true
			steps = append(steps, step{to, path})
		}
	}
	for _, name := range pkg.Scope().Names() {
		if object, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && object.Exported() {
			add(object.Type(), "")
		}
	}
	short := func(p *types.Package) string { return p.Name() }
	reached := make(map[string]*way)
	for ; len(steps) > 0; steps = steps[1:] {
		path := steps[0].path
		switch to := steps[0].to.(type) {
		case *types.Named:
			if to.TypeArgs().Len() > 0 && to.NumMethods() > 0 {
				name, with, _ := strings.Cut(strings.TrimSuffix(types.TypeString(to, short), "]"), "[")
				if reached[name] == nil {
					reached[name] = &way{path: path}
				}
				reached[name].with = append(reached[name].with, with)
			}
			if path != "" {
				path += " -> "
			}
			path += types.TypeString(to, short)
			for method := range to.Methods() {
				add(method.Signature(), path+"."+method.Name())
			}
			for argument := range to.TypeArgs().Types() {
				add(argument, path)
			}
			add(to.Underlying(), path)
		case *types.Alias:
			add(types.Unalias(to), path)
		case interface{ Elem() types.Type }: // pointers, slices, arrays, maps and channels
			add(to.Elem(), path)
			if m, ok := to.(*types.Map); ok {
				add(m.Key(), path)
			}
		case *types.Struct:
			for field := range to.Fields() {
				add(field.Type(), path+"."+field.Name())
			}
		case *types.Signature:
			for v := range to.Params().Variables() {
				add(v.Type(), path)
			}
			for v := range to.Results().Variables() {
				add(v.Type(), path)
			}
		case *types.Interface:
			for method := range to.Methods() {
				add(method.Signature(), path+"."+method.Name())
			}
		}
	}
	return reached
}

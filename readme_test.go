package monitoring_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/stretchr/testify/require"
)

// readmePreamble has the imports of the code blocks in the README.
const readmePreamble = `package readme

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

var (
	_ = errors.Is
	_ = fmt.Println
	_ = slog.Default
	_ = http.MethodGet
	_ = url.PathEscape
	_ = synctest.Wait
	_ = time.Now
	_ = monitoringtest.New
	_ *testing.T
	_ context.Context
)

`

// TestTheGoBlocksOfTheReadmeCompile checks the types of each block as a package of its own.
func TestTheGoBlocksOfTheReadmeCompile(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	require.Greater(t, len(blocks), 8)
	set := token.NewFileSet()
	var files []*ast.File
	for i, block := range blocks {
		source := block[1]
		switch {
		case strings.HasPrefix(source, "package "):
			lines := regexp.MustCompile(`(?m)^.*\S.*$`).FindAllString(source, -1)
			require.LessOrEqual(t, len(lines), 15, "the first program is short")
		case strings.HasPrefix(source, "func "):
			source = readmePreamble + source
		default:
			source = readmePreamble + fmt.Sprintf(`func block(ctx context.Context, client *monitoring.Client, key, account, id string, ids []string, tracedHTTPClient *http.Client) error {
	var err error
	_ = err
	{
%s
		%s
	}
	return err
}
`, source, keepAlive(source))
		}
		file, err := parser.ParseFile(set, fmt.Sprintf("block%d.go", i), source, parser.SkipObjectResolution)
		require.NoError(t, err, "block %d:\n%s", i, block[1])
		files = append(files, file)
	}
	module, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	language := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(module))
	require.NotNil(t, language)
	config := types.Config{Importer: exportData(t, set, files), GoVersion: "go" + language[1]}
	for i, file := range files {
		checked, err := config.Check("readme", set, []*ast.File{file}, nil)
		require.NoError(t, err, "block %d:\n%s", i, blocks[i][1])
		if checked.Name() == "main" {
			require.NotNil(t, checked.Scope().Lookup("main"))
		}
	}
}

// exportData makes an importer of the packages that the files import, as compiled by the go
// command.
func exportData(t *testing.T, set *token.FileSet, files []*ast.File) types.Importer {
	t.Helper()
	command := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "--"}
	for _, file := range files {
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			command = append(command, path)
		}
	}
	slices.Sort(command[6:])
	out, err := exec.CommandContext(t.Context(), "go", slices.Compact(command)...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		require.NoError(t, err, "%s", exit.Stderr)
	}
	require.NoError(t, err)
	compiled := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		compiled[path] = file
	}
	return importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(compiled[path]) })
}

// keepAlive uses the variables that a block declares, because an unused variable is an error.
func keepAlive(source string) string {
	var b strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^(?:var )?([a-z]\w*|_)(?:, (\w+))? (?::=|\[\]struct)`).FindAllStringSubmatch(source, -1) {
		for _, name := range m[1:] {
			if name != "" && name != "_" {
				fmt.Fprintf(&b, "_ = %s\n", name)
			}
		}
	}
	return b.String()
}

// TestTheReadmeNamesEveryOperation compares the table of operations with the directives above
// the methods.
func TestTheReadmeNamesEveryOperation(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	directive := regexp.MustCompile(`(?m)^//monitoring:operation (.+)\nfunc \(\w+ \*(\w+)\) (\w+)`)
	found := 0
	for _, file := range sources {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range directive.FindAllStringSubmatch(string(source), -1) {
			method := strings.TrimSuffix(m[2], "Service") + "." + m[3]
			method = strings.TrimPrefix(method, "Client.")
			row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(m[1]) + `[^|]*\| ` + "`" + regexp.QuoteMeta(method) + "`")
			if !row.Match(readme) { // without printing the long README
				t.Errorf("the README's table of operations needs a row %q", "| "+m[1]+" | `"+method+"` |")
			}
			found++
		}
	}
	require.Equal(t, len(monitoring.TabledOperations()), found)
}

func TestTheInProcessFakeHasEveryOperation(t *testing.T) {
	for _, operation := range monitoring.TabledOperations() {
		require.Contains(t, monitoringtest.Operations(), operation, "%s: add a route for it to monitoringtest/routes.go", operation)
	}
}

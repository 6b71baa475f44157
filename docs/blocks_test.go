// Package docs_test checks what README.md and the pages of this folder say: their code compiles
// and runs, their links have a target, and their tables and names are those of the code.
package docs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/stretchr/testify/require"
)

// pages are README.md, that of the examples and the pages of this folder, relative to the root of
// the repository.
func pages(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.md")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	list := []string{"README.md", "examples/README.md"}
	for _, file := range files {
		list = append(list, "docs/"+file)
	}
	return list
}

// read returns the text of a file, whose path is relative to the root of the repository.
func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(file)))
	require.NoError(t, err)
	return string(data)
}

// block is a fenced block of code.
type block struct {
	page     string
	line     int // of its first line
	language string
	source   string
}

func blocksOf(t *testing.T, page, text string) []block {
	t.Helper()
	var list []block
	open := false
	for i, line := range strings.SplitAfter(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```") && !open:
			list = append(list, block{page: page, line: i + 2, language: strings.TrimSpace(line[3:])})
			open = true
		case strings.HasPrefix(line, "```"):
			open = false
		case open:
			list[len(list)-1].source += line
		}
	}
	require.False(t, open, "%s: the last block does not end", page)
	return list
}

func blocks(t *testing.T, language string) []block {
	t.Helper()
	var list []block
	for _, page := range pages(t) {
		for _, b := range blocksOf(t, page, read(t, page)) {
			if b.language == language {
				list = append(list, b)
			}
		}
	}
	return list
}

// preamble has the imports of the blocks that are not whole programs.
const preamble = `package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

var (
	_ tls.Config
	_ = x509.SystemCertPool
	_ = json.Valid
	_ = errors.Is
	_ = fmt.Println
	_ = slog.Default
	_ = http.MethodGet
	_ = url.PathEscape
	_ = slices.Sort[[]int]
	_ = strings.TrimSpace
	_ sync.Mutex
	_ = synctest.Wait
	_ = time.Now
	_ = monitoringtest.New
	_ *testing.T
	_ context.Context
)

// The tests of the blocks and the first program are one program.
func TestMain(m *testing.M) {
	if os.Getenv("MONITORING_FIRST_PROGRAM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}
`

// statements is a function around a block of statements, with the variables that the pages do
// not declare. A directive lets the compiler name the line of the page.
const statements = `
func _(
	ctx context.Context, client *monitoring.Client, limiter monitoring.Limiter, key, account, id string, ids []string,
	session *monitoring.CheckSession, wanted []monitoring.Check, group *monitoring.CheckGroup, tracedHTTPClient *http.Client,
) error {
	var err error
	_ = err
	{
//line %[1]s:%[2]d
%[3]s
%[4]s	}
	return err
}
`

// TestTheGoBlocksAreRight compiles all blocks at once and runs those that are tests. The program of
// the README is run against the in-process fake on a loopback address.
func TestTheGoBlocksAreRight(t *testing.T) {
	t.Parallel()
	var source strings.Builder
	source.WriteString(preamble)
	var tests []string
	first := ""
	list := blocks(t, "go")
	require.NotEmpty(t, list, "blocks were not found")
	for _, b := range list {
		if b.page == "docs/tutorial.md" { // whose programs run in tutorial_test.go
			continue
		}
		if strings.HasPrefix(b.source, "package ") && !isProgram(b) { // a file of tests
			typeCheck(t, b)
			_, tests, ok := strings.Cut(b.source, "\n)\n\n")
			require.True(t, ok, "%s:%d: no imports", b.page, b.line)
			b.line += strings.Count(b.source, "\n") - strings.Count(tests, "\n")
			b.source = tests
		}
		switch {
		case isProgram(b):
			require.Equal(t, "README.md", b.page, "line %d: a program that no test runs", b.line)
			require.Empty(t, first, "a second program, which no test runs")
			first = b.source
		case strings.HasPrefix(b.source, "func "):
			fmt.Fprintf(&source, "\n//line %s:%d\n%s", b.page, b.line, b.source)
			name := regexp.MustCompile(`^func (Test\w+)\(t \*testing\.T\)`).FindStringSubmatch(b.source)
			require.NotNil(t, name, "%s:%d: a function that is not a test does not run", b.page, b.line)
			tests = append(tests, name[1])
		default:
			fmt.Fprintf(&source, statements, b.page, b.line, b.source, keepAlive(b.source))
		}
	}
	require.NotEmpty(t, first)
	dir := t.TempDir()
	mainFile, testFile, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "blocks_test.go"), filepath.Join(dir, "blocks.exe")
	require.NoError(t, os.WriteFile(mainFile, []byte(first), 0o600))
	require.NoError(t, os.WriteFile(testFile, []byte(source.String()), 0o600))

	goCommand(t, "test", "-c", "-vet=off", "-ldflags=-s -w", "-o", program, mainFile, testFile)
	out, err := exec.CommandContext(t.Context(), program, "-test.v").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NotEmpty(t, tests)
	for _, name := range tests {
		require.Contains(t, string(out), "--- PASS: "+name)
	}
	testFirstProgram(t, first, program)
}

// isProgram reports whether a block is a whole program.
func isProgram(b block) bool { return strings.Contains("\n"+b.source, "\npackage main\n") }

// typeCheck fails unless a block compiles as the file that it is.
func typeCheck(t *testing.T, b block) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, b.page, b.source, parser.SkipObjectResolution)
	require.NoError(t, err)
	var imports []string
	for _, i := range file.Imports {
		imports = append(imports, strings.Trim(i.Path.Value, `"`))
	}
	_, err = (&types.Config{Importer: compiled(t, imports...)}).Check("x", set, []*ast.File{file}, nil)
	require.NoError(t, err)
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

// goCommand runs the go command in the root of the repository, so that imports are those of this
// module wherever the file is. It returns the output.
func goCommand(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", args...)
	command.Dir = ".."
	out, err := command.CombinedOutput()
	require.NoError(t, err, "go %s:\n%s", args[0], out)
	return string(out)
}

// testFirstProgram runs the program of the README, whose output stands below it. The output ends
// with the exit code as go run prints it, if that is not 0.
func testFirstProgram(t *testing.T, source, program string) {
	shown, code := "", 0
	list := blocksOf(t, "README.md", read(t, "README.md"))
	for i, b := range list {
		if b.source == source {
			require.Equal(t, "text", list[i+1].language, "the output stands below the program")
			shown = list[i+1].source
		}
	}
	if before, after, ok := strings.Cut(shown, "exit status "); ok {
		var err error
		code, err = strconv.Atoi(strings.TrimSpace(after))
		require.NoError(t, err)
		shown = before
	}
	passing := monitoringtest.Check{Name: "Checkout API", Tags: []string{"production"}}
	failing := monitoringtest.Check{
		Name: "Login flow", Tags: []string{"production"}, Outcome: monitoring.SessionFailed,
		Locations: []string{"eu-central-1", "us-east-1"}, FailIn: []string{"us-east-1"},
	}
	completion := monitoringtest.Fault{Operation: "GET /v2/check-sessions/{checkSessionId}/completion", Status: 403}
	for name, c := range map[string]struct {
		key    string
		checks []monitoringtest.Check
		fault  monitoringtest.Fault
		demo   bool // the data of monitoring-fake
		code   int
		out    string
		err    string
	}{
		"the output in the README":    {key: monitoringtest.APIKey, checks: []monitoringtest.Check{passing, failing}, code: code, out: shown},
		"checks that pass":            {key: monitoringtest.APIKey, checks: []monitoringtest.Check{passing}, out: "Checkout API passed []\n"},
		"the fake as a program":       {key: monitoringtest.APIKey, demo: true},
		"no check with the tag":       {key: monitoringtest.APIKey, code: 2, err: "No matching checks"},
		"a wrong key":                 {key: "wrong_key", checks: []monitoringtest.Check{passing}, code: 2, err: "401 Unauthorized"},
		"no settings":                 {code: 2, err: "MONITORING_API_KEY"},
		"an outcome that is unknown":  {key: monitoringtest.APIKey, checks: []monitoringtest.Check{passing}, fault: completion, code: 2, out: "Checkout API ", err: "403"},
		"reasons that cannot be read": {key: monitoringtest.APIKey, checks: []monitoringtest.Check{failing}, fault: monitoringtest.Fault{Operation: "GET /v1/check-results/{checkId}/{checkResultId}", Status: 403}, code: 1, out: "Login flow failed [us-east-1: failed]\n", err: "403"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "reasons that cannot be read" && !strings.Contains(source, "FetchFailingResults") {
				t.Skip("the program reads no reasons")
			}
			svc := monitoringtest.New(monitoringtest.WithRunTime(time.Millisecond))
			if c.demo {
				svc = monitoringtest.NewDemo(monitoringtest.WithSpeed(600))
			}
			for _, check := range c.checks {
				svc.AddCheck(check)
			}
			if c.fault.Status != 0 {
				svc.Inject(c.fault)
			}
			url, stop := svc.Start()
			defer stop()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			command := exec.CommandContext(ctx, program)
			command.Env = append(os.Environ(), "MONITORING_FIRST_PROGRAM=1", "MONITORING_BASE_URL="+url, "MONITORING_API_KEY="+c.key, "MONITORING_ACCOUNT_ID=", "MONITORING_INSECURE_HTTP=")
			var out, stderr bytes.Buffer
			command.Stdout, command.Stderr = &out, &stderr
			err := command.Run()
			exit, ok := errors.AsType[*exec.ExitError](err)
			require.True(t, err == nil || ok, "%v", err)
			require.Equal(t, c.code, command.ProcessState.ExitCode(), "%v %s", exit, stderr.String())
			switch {
			case c.demo:
				require.Equal(t, 5, strings.Count(out.String(), " passed []\n"), out.String())
				require.Empty(t, stderr.String())
			case c.err == "":
				require.Equal(t, c.out, out.String())
				require.Empty(t, stderr.String())
			default:
				require.True(t, strings.HasPrefix(out.String(), c.out), out.String())
				require.Contains(t, stderr.String(), c.err)
			}
		})
	}
}

// Users copy the tests of the page from a file that has more of them.
func TestTheTestsOfThePageAreThoseThatRun(t *testing.T) {
	file := read(t, "monitoringtest/users_test.go")
	tests := regexp.MustCompile(`(?ms)^func Test.*?^}\n`).FindAllString(file, -1)
	shown := 0
	for _, b := range blocksOf(t, "docs/testing.md", read(t, "docs/testing.md")) {
		if strings.HasPrefix(b.source, "func Test") {
			require.Contains(t, tests, b.source)
			shown++
		}
	}
	require.NotZero(t, shown)
}

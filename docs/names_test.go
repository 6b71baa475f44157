package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// names are the exported names of the packages that the pages are about.
type names struct {
	single  map[string]bool            // types, functions, values, methods, fields and examples
	members map[string]map[string]bool // the methods and fields of a type
	options map[string]string          // the functions With…, by the type that they return
	errors  []string                   // values Err…, and types that are errors
}

func (n *names) add(kind, name string) {
	n.single[name] = true
	if n.members[kind] == nil {
		n.members[kind] = make(map[string]bool)
	}
	n.members[kind][name] = true
}

// declared are the lines of the API listing that declare something.
var (
	declared = regexp.MustCompile(`^(?:const|var|type|func) (\w+)`)
	method   = regexp.MustCompile(`^func \(\w+ \*?(\w+)\S*\) (\w+)`)
	option   = regexp.MustCompile(`^func (With\w+)\(.* (\w*Option)$`)
	fields   = regexp.MustCompile(`^\t([A-Z]\w*(?:, [A-Z]\w*)*)[ (]`)
)

// exported reads the names from the API listing.
func exported(t *testing.T) *names {
	n := &names{single: make(map[string]bool), members: make(map[string]map[string]bool), options: make(map[string]string)}
	root, fake, found := strings.Cut(read(t, "testdata/api.txt"), "package monitoringtest\n")
	require.True(t, found)
	for i, listing := range []string{root, fake} {
		kind := ""
		for line := range strings.Lines(listing) {
			line = strings.TrimSuffix(line, "\n")
			if m := method.FindStringSubmatch(line); m != nil {
				n.add(m[1], m[2])
				if m[2] == "Error" && i == 0 {
					n.errors = append(n.errors, "*"+m[1])
				}
			} else if m := declared.FindStringSubmatch(line); m != nil {
				kind = m[1]
				n.add("", kind)
				if strings.HasPrefix(line, "var Err") {
					n.errors = append(n.errors, kind)
				}
			} else if m := fields.FindStringSubmatch(line); m != nil {
				for name := range strings.SplitSeq(m[1], ", ") {
					n.add(kind, name)
				}
			}
			if m := option.FindStringSubmatch(line); m != nil && i == 0 {
				n.options[m[1]] = m[2]
			}
		}
	}
	tests := functions(t, "monitoringtest", "Test")
	for _, name := range slices.Concat(functions(t, ".", "Example"), functions(t, "monitoringtest", "Example"), tests) {
		n.add("", name)
	}
	return n
}

// functions returns the functions in the tests of a folder whose names begin with a word.
func functions(t *testing.T, dir, word string) (list []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^func (`+word+`\w*)\(`).FindAllSubmatch(data, -1) {
			list = append(list, string(m[1]))
		}
	}
	return list
}

// has reports whether a name such as Secret, CheckGroups.Get or WaitOptions.Share exists. The
// first part may be a type, or a service by its field in Client.
func (n *names) has(name string) bool {
	before, after, dotted := strings.Cut(name, ".")
	if !dotted {
		return n.single[name]
	}
	return n.members[before][after] || n.members["Client"][before] && n.members[before+"Service"][after]
}

// goNames are the Go names in the code of a prose: `Secret`, `*APIError`, `client.CheckGroups.Get`,
// `monitoring.Do[T]`, `check.Validate()`. Names of other packages are left out, and so is what is
// in capitals, such as PASSED.
var goNames = regexp.MustCompile("`\\*?(?:([a-z]\\w*)\\.)?([A-Z]\\w*(?:\\.[A-Z]\\w*)*)(?:`|[({\\[])")

var otherPackages = []string{"context", "errors", "http", "httptest", "json", "monitoringotel", "net", "time"}

func goNamesOf(text string) []string {
	var list []string
	for _, m := range goNames.FindAllStringSubmatch(proseOf(text), -1) {
		switch {
		case slices.Contains(otherPackages, m[1]) || m[2] == strings.ToUpper(m[2]):
		case len(m[1]) == 1: // a variable, such as c of c.GroupID.Or(0): a field, and a method of its type
			list = append(list, strings.Split(m[2], ".")...)
		default:
			list = append(list, m[2])
		}
	}
	return list
}

func TestEveryGoNameInThePagesExists(t *testing.T) {
	n := exported(t)
	count := 0
	for _, page := range pages(t) {
		if page == "docs/upgrade.md" {
			continue // it has the names of older versions
		}
		for _, name := range goNamesOf(read(t, page)) {
			count++
			if !n.has(name) {
				t.Errorf("%s: there is nothing with the name %s", page, name)
			}
		}
	}
	require.Greater(t, count, 50, "names were not found")

	text := "`Secret` `*APIError` `client.CheckGroups.Get` `monitoring.Do[T]` `check.Validate()` `c.GroupID.Or(0)` `errors.Is(err, ErrX)` `PASSED` `With…` `GET /v1`\n" +
		"```go\n`Old`\n```\n"
	require.Equal(t, []string{"Secret", "APIError", "CheckGroups.Get", "Do", "Validate", "GroupID", "Or"}, goNamesOf(text))
	for _, name := range []string{"Gone", "CheckGroups.Gone", "WaitOptions.Get", "Secret.Reveal.Gone"} {
		require.False(t, n.has(name), name)
	}
}

// TestEveryCommandInThePagesExists checks the names of tests and the folders of programs.
func TestEveryCommandInThePagesExists(t *testing.T) {
	count := 0
	for _, page := range pages(t) {
		text := read(t, page)
		for _, m := range regexp.MustCompile(`go test -run (\S+) (?:-v )?(\.[a-z/]*)`).FindAllStringSubmatch(text, -1) {
			count++
			tests := append(functions(t, m[2], "Test"), functions(t, m[2], "Example")...)
			require.True(t, slices.ContainsFunc(tests, regexp.MustCompile(m[1]).MatchString), "%s: no test of %s matches %s", page, m[2], m[1])
		}
		for _, m := range regexp.MustCompile(`go run (\./[a-z/-]+)`).FindAllStringSubmatch(text, -1) {
			count++
			_, err := os.Stat(filepath.Join("..", filepath.FromSlash(m[1]), "main.go"))
			require.NoError(t, err, "%s: there is no program %s", page, m[1])
		}
	}
	require.NotZero(t, count, "commands were not found")
}

// plain is the option that only redislimit gives.
var plain = []string{"WithSupply"}

func TestEveryServiceAndEveryOptionWithATrapHasAnExample(t *testing.T) {
	examples := strings.Join(functions(t, ".", "Example"), " ") + " "
	n := exported(t)
	for name := range n.options {
		if !slices.Contains(plain, name) {
			require.Regexp(t, "Example"+name+"[ _]", examples)
		}
	}
	services := 0
	for kind := range n.members {
		if strings.HasSuffix(kind, "Service") && kind != "Service" { // the fake
			services++
			require.True(t, strings.Contains(examples, "Example"+kind+"_"), "no Example%s_…", kind)
		}
	}
	require.Greater(t, services, 15)
}

// Whoever reads go doc CallOption does not see the options that are for clients, too.
func TestTheCommentOfOptionNamesThoseOfClientsAndCalls(t *testing.T) {
	comment := regexp.MustCompile(`(?s)// Option is .*?\ntype Option`).FindString(read(t, "options.go"))
	var named []string
	for _, m := range regexp.MustCompile(`\[(With\w+)\]`).FindAllStringSubmatch(comment, -1) {
		named = append(named, m[1])
	}
	var both []string
	for name, kind := range exported(t).options {
		if kind == "Option" {
			both = append(both, name)
		}
	}
	require.ElementsMatch(t, both, named)
}

// rowsOf returns the cells of the rows of all tables in a page, without the lines below the heads.
func rowsOf(t *testing.T, page string) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.Lines(proseOf(read(t, page))) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	require.NotEmpty(t, rows)
	return rows
}

func TestEveryRowOfATableIsWhole(t *testing.T) {
	compared := 0
	for _, page := range pages(t) {
		columns := 0
		for line := range strings.Lines(proseOf(read(t, page))) {
			switch {
			case !strings.HasPrefix(line, "|"):
				columns = 0
			case columns == 0:
				columns = strings.Count(line, "|")
			default:
				compared++
				require.Equal(t, columns, strings.Count(line, "|"), "%s: %s", page, line)
			}
		}
	}
	require.NotZero(t, compared, "rows were not found")
}

// TestTheTableOfOptionsIsWhole compares the table with the types of the options: an Option is for
// clients and calls. A LimiterOption is for neither.
func TestTheTableOfOptionsIsWhole(t *testing.T) {
	options := exported(t).options
	require.Greater(t, len(options), 20, "options were not found")
	delete(options, "WithSupply")
	columns := map[string][2]string{"Option": {"yes", "yes"}, "ClientOption": {"yes", ""}, "CallOption": {"", "yes"}}
	for _, row := range rowsOf(t, "docs/options.md") {
		if len(row) != 4 {
			continue
		}
		for _, name := range regexp.MustCompile(`With\w+`).FindAllString(row[0], -1) {
			require.Equal(t, columns[options[name]], [2]string{row[1], row[2]}, name)
			delete(options, name)
		}
	}
	require.Empty(t, options, "options without a row")
}

func TestTheTableOfErrorsIsWhole(t *testing.T) {
	var cells strings.Builder
	for _, row := range rowsOf(t, "docs/errors-and-retries.md") {
		cells.WriteString(row[0] + "\n")
	}
	list := exported(t).errors
	require.Greater(t, len(list), 15, "errors were not found")
	for _, name := range list {
		require.Contains(t, cells.String(), "`"+name+"`")
	}
}

// TestTheTableOfLicensesIsWhole compares the table with the modules that a program contains, and
// with the texts of their licenses.
func TestTheTableOfLicensesIsWhole(t *testing.T) {
	named := make(map[string]string)
	for _, row := range rowsOf(t, "docs/production.md") {
		if module := strings.Trim(row[0], "`"); strings.Contains(module, ".") {
			named[module] = row[1]
		}
	}
	begins := map[string]string{"MPL-2.0": "Mozilla Public License, version 2.0", "BSD-3-Clause": "Neither the name of"}
	for line := range strings.Lines(goCommand(t, "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", ".")) {
		module, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		if module == "" {
			continue
		}
		require.Contains(t, named, module)
		text, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
		require.NoError(t, err)
		require.Contains(t, string(text), begins[named[module]], module)
	}
	require.Len(t, named, 4, "a module that no program contains")
	for _, nested := range []string{"redislimit", "monitoringotel"} {
		require.Equal(t, read(t, "LICENSE"), read(t, nested+"/LICENSE"), "the go command packs a module without what is outside of it")
	}
}

func TestTheTableOfTheEnvironmentIsWhole(t *testing.T) {
	variables := regexp.MustCompile(`MONITORING_[A-Z_]+`)
	sorted := func(text string) []string {
		list := variables.FindAllString(text, -1)
		slices.Sort(list)
		return slices.Compact(list)
	}
	require.NotEmpty(t, sorted(read(t, "client.go")))
	require.Equal(t, sorted(read(t, "client.go")), sorted(read(t, "docs/options.md")))
}

// A gate that judges by statuses and flags of its own takes a canceled check, or an error of the
// service, for a failure.
func TestProgramsAndPagesJudgeByTheVerdict(t *testing.T) {
	judges := regexp.MustCompile(`\b(?:Passed|HasFailures|SessionFailed|Done)\b`)
	contexts := regexp.MustCompile(`(?:ctx|Context\(\)|lasting)\.Done\(\)|\bcondition\.Passed\b`) // of package context, and of what an agent has judged
	texts := make(map[string]string)
	for _, b := range blocks(t, "go") {
		texts[fmt.Sprintf("%s:%d", b.page, b.line)] = b.source
	}
	for _, pattern := range []string{"../cmd/*/*.go", "../cmd/*/*/*.go", "../examples/*/*.go"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, names, pattern)
		for _, name := range names {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			texts[name] = string(data)
		}
	}
	require.Greater(t, len(texts), 60)
	for name, text := range texts {
		require.Empty(t, judges.FindAllString(contexts.ReplaceAllString(text, ""), -1), "%s: judge by Verdict", name)
	}
}

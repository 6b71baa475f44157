package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func sourceOf(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return data
}

// module writes a small module and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.test/m\n\ngo 1.26\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

const watched = `package m

// Less is watched by a test, but not at its bound.
func Less(a, b int) bool { return a < b }

// Sum is not tested.
func Sum() {
	a := add()
	use(a)
}

func add() string { return "" }

func use(string) {}

// Spin has mutants that never end.
func Spin() {
	for i := 0; i < 3; i++ {
	}
}
`

const watching = `package m

import "testing"

func TestLess(t *testing.T) {
	if !Less(1, 2) || Less(2, 1) {
		t.Error("not less")
	}
}

func TestSpin(t *testing.T) { Spin() }
`

func mutants(t *testing.T, args ...string) (int, string, error) {
	t.Helper()
	var out bytes.Buffer
	code, err := run(t.Context(), append([]string{"-memory", "0"}, args...), &out)
	return code, out.String(), err
}

func TestTheVerdictsAreThoseOfTheTests(t *testing.T) {
	dir := module(t, map[string]string{"m.go": watched, "m_test.go": watching})
	code, out, err := mutants(t, "-dir", dir, "-v", "-j", "2", "-timeout", "3s", "-min", "0.99", "m.go")
	require.NoError(t, err)
	require.Equal(t, exitFew, code, out)
	for _, want := range []string{
		"m.go:4:37: operator: < -> <=  [survived] it makes no difference in any test that reaches it\n",
		"m.go:4:37: operator: < -> >  [killed] TestLess\n",
		"m.go:4:35: condition negated: a < b -> !(a < b)  [killed] TestLess\n",
		"m.go:9:2: statement dropped: use(a) -> {}  [survived] no test reaches it\n",
		"m.go:18:21: statement dropped: i++ -> {}  [does not compile]\n",
		"m.go:18:22: operator: ++ -> --  [timed out]",
		" that is less than the 99.0 % that -min wants\n",
	} {
		require.Contains(t, " "+out, strings.TrimPrefix(want, " "))
	}
	require.Equal(t, watched, string(sourceOf(t, filepath.Join(dir, "m.go"))), "the tree stays as it was")

	code, again, err := mutants(t, "-dir", dir, "-sample", "3", "-run", "TestLess", "-list", "m.go")
	require.NoError(t, err)
	require.Equal(t, exitGood, code)
	require.Len(t, strings.Split(strings.TrimSpace(again), "\n"), 3, "a list tests nothing")

	_, line, err := mutants(t, "-dir", dir, "-list", "m.go:9", "m.go:18", "m.go:9")
	require.NoError(t, err)
	require.Equal(t, 10, strings.Count(line, "\n"), line)
	require.NotContains(t, line, "m.go:4:")
}

func TestOnlyTheTestsThatAreAskedForJudge(t *testing.T) {
	dir := module(t, map[string]string{
		"m.go":             "package m\n\nfunc One() bool { return true }\n",
		"m_test.go":        "package m\n\nimport \"testing\"\n\nfunc TestNothing(*testing.T) {}\n\nfunc TestOne(t *testing.T) {\n\tif !One() {\n\t\tt.Error()\n\t}\n}\n",
		"other/o_test.go":  "package other\n\nimport (\n\t\"testing\"\n\n\t\"example.test/m\"\n)\n\nfunc TestFromOutside(t *testing.T) {\n\tif !m.One() {\n\t\tt.Error()\n\t}\n}\n",
		"broken/b_test.go": "package broken\n\nimport \"testing\"\n\nfunc TestBroken(t *testing.T) { t.Error() }\n",
		"old.go":           "//go:build go1.99\n\npackage m\n\nvar old = true\n",
		"parts/p.go":       "package parts\n\nvar P = func() bool { return true }\n",
		"parts/c.go":       "package parts\n\nvar C [1]int\n",
		"parts/p_test.go":  "package parts\n\nimport \"testing\"\n\nfunc TestParts(t *testing.T) {\n\tt.Run(\"one\", func(t *testing.T) {\n\t\tif !P() {\n\t\t\tt.Error()\n\t\t}\n\t})\n\tt.Run(\"two\", func(*testing.T) {})\n}\n\nfunc TestLength(t *testing.T) {\n\tif len(C) != 1 {\n\t\tt.Error()\n\t}\n}\n",
		"broken/b.go":      "package broken\n\nvar B = true\n",
	})
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"all of them":                                {[]string{"-min", "1", "m.go"}, exitGood, "1 killed (0 of them by running out of time), 0 survived, 0 do not compile: 100.0 % of 1 noticed"},
		"one that does not look":                     {[]string{"-min", "1", "-run", "Nothing", "m.go"}, exitFew, "0.0 % of 1 noticed"},
		"without a least share all pass":             {[]string{"-run", "Nothing", "m.go"}, exitGood, "m.go:3:26: literal: true -> false  [survived]"},
		"those of another package":                   {[]string{"-v", "-run", "Outside|Nothing", "-also", "./other", "m.go"}, exitGood, "[killed] TestFromOutside"},
		"tests that fail without mutants":            {[]string{"broken/b.go"}, exitBad, "TestBroken fails"},
		"tests of a package that takes none of them": {[]string{"-also", "./other", "-run", "Outside", "-v", "m.go"}, exitGood, "[killed] TestFromOutside"},
		"a subtest":                                  {[]string{"-v", "-run", "TestParts/one", "parts/p.go"}, exitGood, "[killed] TestParts"},
		"another subtest":                            {[]string{"-v", "-run", "TestParts/two", "parts/p.go"}, exitGood, "[survived] no test reaches it"},
		"no test that takes long":                    {[]string{"-longest", "1ns", "m.go"}, exitGood, "[survived] no test reaches it"},
		"a file of another Go":                       {[]string{"-v", "m.go", "old.go"}, exitGood, "[left out] this Go does not build the file"},
		"mutants that cannot be switched on":         {[]string{"-v", "parts/c.go"}, exitGood, "c.go:3:8: literal: 1 -> 2  [killed] TestLength"},
		"and without them":                           {[]string{"-v", "-fast", "parts/c.go", "parts/p.go"}, exitGood, "0 survived, 0 do not compile, 2 left out: "},
		"a pattern that matches no test":             {[]string{"-run", "Nowhere", "m.go"}, exitBad, "no test ran"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, err := mutants(t, append([]string{"-dir", dir}, c.args...)...)
			if err != nil {
				out += err.Error()
			}
			require.Equal(t, c.code, code, out)
			require.Contains(t, out, c.says)
		})
	}
}

func TestWhatCannotBeMeantIsRefused(t *testing.T) {
	dir := module(t, map[string]string{"empty.go": "package m\n", "bad.go": "package\n"})
	for says, args := range map[string][]string{
		"name the Go files":         {},
		"is a test":                 {"m_test.go"},
		"-min must":                 {"-min", "1.5", "m.go"},
		"-j must be":                {"-j", "0", "m.go"},
		"cannot have both / and |":  {"-run", "A/b|C", "m.go"},
		"no such file":              {"none.go"},
		"no mutant can be":          {"empty.go"},
		"expected 'IDENT'":          {"bad.go"},
		"flag provided but not def": {"-x"},
	} {
		code, _, err := mutants(t, append([]string{"-dir", dir}, args...)...)
		require.Equal(t, exitBad, code, says)
		require.ErrorContains(t, err, says)
	}
	code, out, err := mutants(t, "-h")
	require.Equal(t, exitGood, code)
	require.Error(t, err)
	require.Contains(t, out, "-sample")
}

func TestAnEndIsObeyed(t *testing.T) {
	dir := module(t, map[string]string{"m.go": watched, "m_test.go": watching})
	ctx, stop := context.WithCancel(t.Context())
	stop()
	code, err := run(ctx, []string{"-memory", "0", "-dir", dir, "m.go"}, new(bytes.Buffer))
	require.Equal(t, exitBad, code)
	require.ErrorIs(t, err, context.Canceled)
}

func TestAFileThatChangesMeanwhileIsAnError(t *testing.T) {
	dir := module(t, map[string]string{"m.go": watched, "m_test.go": watching})
	s := &settings{suite: suite{dir: dir}, files: []string{"m.go"}, jobs: 1}
	list, err := s.mutants()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.go"), []byte(watched+"\n"), 0o600))
	_, err = s.prepare(t.Context(), list, t.TempDir(), new(bytes.Buffer))
	require.ErrorContains(t, err, "m.go was changed meanwhile")
}

func TestTheCountsMakeTheExitCode(t *testing.T) {
	of := func(verdicts ...verdict) (list []result) {
		for _, v := range verdicts {
			list = append(list, result{verdict: v})
		}
		return list
	}
	for name, c := range map[string]struct {
		results []result
		min     float64
		want    int
	}{
		"enough":                                {of(killed, killed, survived, survived), 0.5, exitGood},
		"too few":                               {of(killed, survived, survived), 0.5, exitFew},
		"a time-out is noticed":                 {of(timedOut), 1, exitGood},
		"what does not compile is not a mutant": {of(killed, invalid), 1, exitGood},
	} {
		t.Run(name, func(t *testing.T) {
			code, err := summary(c.results, c.min, new(bytes.Buffer))
			require.NoError(t, err)
			require.Equal(t, c.want, code)
		})
	}
	_, err := summary(of(invalid), 0, new(bytes.Buffer))
	require.ErrorContains(t, err, "no mutant compiles")
}

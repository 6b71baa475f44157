package main

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// changes returns what the mutants of a function's body change, as "was -> with".
func changes(t *testing.T, source string) []string {
	t.Helper()
	list, err := mutantsOf("x.go", []byte(source))
	require.NoError(t, err)
	var out []string
	for _, m := range list {
		out = append(out, m.was+" -> "+oneLine(m.with))
	}
	return out
}

func TestEachKindOfCodeHasItsMutants(t *testing.T) {
	for name, c := range map[string]struct {
		code string
		want []string
	}{
		"a comparison gets its bound, its direction and its opposite": {
			"if a < b { f = g }",
			[]string{"a < b -> !(a < b)", "< -> <=", "< -> >", "f = g -> {}"},
		},
		"an equality gets its opposite once":       {"if a == b { return }", []string{"== -> !="}},
		"a negation is dropped and not negated":    {"if !a { return }", []string{"! -> nothing"}},
		"other conditions are negated":             {"for ok() { return }", []string{"ok() -> !(ok())"}},
		"a switch without a value has conditions":  {"switch { case ok(), a: return }", []string{"ok() -> !(ok())", "a -> !(a)"}},
		"a switch with a value has none":           {"switch a { case b: return }", nil},
		"and becomes or":                           {"_ = a && b", []string{"_ = a && b -> {}", "&& -> ||"}},
		"plus becomes minus":                       {"c := a + b", []string{"+ -> -"}},
		"an assignment is turned round or dropped": {"a += b", []string{"a += b -> {}", "+= -> -="}},
		"a count goes the other way":               {"a++", []string{"a++ -> {}", "++ -> --"}},
		"a definition stays":                       {"a := b", nil},
		"calls for their effect are dropped":       {"f(); defer g(); go h()", []string{"f() -> {}", "defer g() -> {}", "go h() -> {}"}},
		"truth is swapped":                         {"a := true", []string{"true -> false"}},
		"a whole number is one more and one less":  {"a := 0x10", []string{"0x10 -> 15", "0x10 -> 17"}},
		"the largest number does not overflow":     {"a := 18446744073709551615", []string{"18446744073709551615 -> 18446744073709551614", "18446744073709551615 -> 18446744073709551616"}},
		"a fraction is doubled":                    {"a := 0.7", []string{"0.7 -> (2*0.7)"}},
		"leaving a loop becomes going on":          {"for { break }", []string{"break -> continue"}},
		"a label is kept":                          {"x: for { break x }", nil},
		"sizes for speed stay":                     {"a := make([]int, b+c, 9); d := make(map[int]int, 7)", []string{"+ -> -"}},
		"texts and types stay":                     {`a := "x"; var b [n]int`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.ElementsMatch(t, c.want, changes(t, "package x\nfunc f() {\n"+c.code+"\n}\n"))
		})
	}
}

func TestAFunctionIsMadeToReturnNoError(t *testing.T) {
	require.Equal(t, []string{"err -> nil"}, changes(t, "package x\nfunc f() (int, error) { return a, err }"))
	require.Equal(t, []string{"g() -> nil"}, changes(t, "package x\nvar f = func() error { return g() }"))
	require.Empty(t, changes(t, "package x\nfunc f() error { return nil }"))
	require.Empty(t, changes(t, "package x\nfunc f() (int, error) { return g() }"), "a call that returns both")
	require.Empty(t, changes(t, "package x\nfunc f() int { return err }"))
	require.Equal(t, []string{"err -> nil"}, changes(t, "package x\nfunc f() int { g := func() error { return err }; return h(g) }"),
		"each return belongs to the innermost function")
}

func TestAFunctionIsMadeToReturnTheOpposite(t *testing.T) {
	require.Equal(t, []string{"g() -> !(g())"}, changes(t, "package x\nfunc f() bool { return g() }"))
	require.Equal(t, []string{"true -> false"}, changes(t, "package x\nfunc f() bool { return true }"))
}

func TestMutantsAreInTheOrderOfTheFileAndSayWhereTheyAre(t *testing.T) {
	list, err := mutantsOf("dir/x.go", []byte("package x\n\nfunc f() {\n\ta(b < c)\n\td()\n}\n"))
	require.NoError(t, err)
	var out []string
	for _, m := range list {
		out = append(out, m.String())
	}
	require.Equal(t, []string{
		"dir/x.go:4:2: statement dropped: a(b < c) -> {}", "dir/x.go:4:6: operator: < -> <=", "dir/x.go:4:6: operator: < -> >",
		"dir/x.go:5:2: statement dropped: d() -> {}",
	}, out)
}

func TestEveryMutantOfThisProgramIsAnotherSourceThatParses(t *testing.T) {
	seen := make(map[string]bool)
	source := sourceOf(t, "mutate.go")
	list, err := mutantsOf("mutate.go", source)
	require.NoError(t, err)
	require.Greater(t, len(list), 100)
	for _, m := range list {
		changed := string(m.apply())
		require.NotEqual(t, string(source), changed, m)
		require.False(t, seen[changed], "%s is there twice", m)
		seen[changed] = true
		_, err := parser.ParseFile(token.NewFileSet(), "mutate.go", changed, 0)
		require.NoError(t, err, m)
		require.Equal(t, m.line, 1+strings.Count(string(source[:m.start]), "\n"))
	}
}

func TestASourceThatDoesNotParseIsAnError(t *testing.T) {
	_, err := mutantsOf("x.go", []byte("package x\nfunc {"))
	require.ErrorContains(t, err, "x.go:2")
}

func TestALongChangeIsShownShort(t *testing.T) {
	require.Equal(t, strings.Repeat("ä", 60)+"...", oneLine(strings.Repeat("ä", 61)))
	require.Equal(t, "a b", oneLine("a\n\t b"))
}

func TestASampleIsTheSameForASeedAndInOrder(t *testing.T) {
	list := make([]mutant, 100)
	for i := range list {
		list[i].start = i
	}
	require.Equal(t, list, sample(list, 0, 1), "0 is all")
	require.Equal(t, list, sample(list, 100, 1))
	first := sample(list, 10, 1)
	require.Len(t, first, 10)
	require.Equal(t, first, sample(list, 10, 1))
	require.NotEqual(t, first, sample(list, 10, 2))
	for i := range first[1:] {
		require.Less(t, first[i].start, first[i+1].start)
	}
}

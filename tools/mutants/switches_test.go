package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// kinds prepares the mutants of testdata/kinds.
func kinds(t *testing.T) *bench {
	t.Helper()
	files := make(map[string]string)
	for _, name := range []string{"kinds.go", "kinds_test.go"} {
		files[name] = string(sourceOf(t, filepath.Join("testdata", "kinds", name)))
	}
	s := &settings{suite: suite{dir: module(t, files)}, files: []string{"kinds.go"}, jobs: 2}
	list, err := s.mutants()
	require.NoError(t, err)
	b, err := s.prepare(t.Context(), list, t.TempDir(), new(bytes.Buffer))
	require.NoError(t, err)
	return b
}

// varies is what two runs print differently.
var varies = regexp.MustCompile(`(\d|\.)+m?s\b|0x[0-9a-f]+|goroutine .*`)

// TestAMutantThatIsSwitchedOnDoesWhatOneThatIsCompiledDoes compiles a part of the mutants one by
// one, and all with MUTANTS_ALL set.
func TestAMutantThatIsSwitchedOnDoesWhatOneThatIsCompiledDoes(t *testing.T) {
	b := kinds(t)
	step := 12
	if os.Getenv("MUTANTS_ALL") != "" {
		step = 1
	}
	single := &bench{suite: b.suite, mutants: b.mutants}
	err := parallel(t.Context(), 2, len(b.mutants), func(ctx context.Context, id int) error {
		if !b.fast[id] || id%step != 0 {
			return nil
		}
		own, err := single.program(ctx, id, b.binaries[0], map[*binary]*binary{}, t.TempDir())
		if err != nil {
			return err
		}
		compiled, err := shown(ctx, b, own, "")
		if err != nil {
			return err
		}
		switched, err := shown(ctx, b, b.binaries[0], "MUTANT="+strconv.Itoa(id))
		if compiled != switched {
			t.Errorf("%s\ncompiled: %s\nswitched: %s", b.mutants[id], compiled, switched)
		}
		return err
	})
	require.NoError(t, err)
}

// shown is what a program prints.
func shown(ctx context.Context, b *bench, one *binary, on string) (string, error) {
	o, err := b.start(ctx, one, on, "-test.run", "TestShow", "-test.timeout", "3s")
	if err != nil || o.late {
		return "late", err
	}
	return varies.ReplaceAllString(o.tail(), ""), nil
}

func TestEachSwitchMakesADifference(t *testing.T) {
	b := kinds(t)
	plain, err := shown(t.Context(), b, b.binaries[0], "")
	require.NoError(t, err)
	var same, single, broken []string
	for id, m := range b.mutants {
		switch {
		case b.invalid[id]:
			broken = append(broken, m.was+" -> "+m.with)
		case !b.fast[id]:
			single = append(single, m.was+" -> "+m.with)
		default:
			now, err := shown(t.Context(), b, b.binaries[0], "MUTANT="+strconv.Itoa(id))
			require.NoError(t, err)
			if now == plain {
				same = append(same, m.was+" -> "+m.with)
				continue
			}
			tests, _ := b.those(id)
			require.NotEmpty(t, tests, "%s: the run without a mutant must note that it differs", m)
		}
	}
	require.Equal(t, []string{
		"90 -> 89", "90 -> 91", // seconds are taken out of what is compared
		"> -> >=", "7 -> 6", "7 -> 8", // 5 comes first
		"panic(\"none\") -> {}", "1 -> 0", "1 -> 2", // not printed
	}, same)
	require.Equal(t, []string{
		"2 -> 3",           // the length of an array
		"4 -> 3", "4 -> 5", // a constant of the tests
		"1 -> 0",           // the index of an array
		"2 -> 1", "2 -> 3", // of the type of a parameter
	}, single)
	require.Equal(t, []string{
		"2 -> 1", "1 -> 2", "0 -> -1", "i++ -> {}", "| -> &", "err = errors.Join(err, nil) -> {}", "+ -> -", "+= -> -=",
		"panic(\"not ok\") -> {}",
	}, broken)
}

func TestEditsNest(t *testing.T) {
	source := []byte("f(a<b, !c)")
	text, spans := rewrite(source, []*change{
		{ids: []int{1}, edits: []edit{{start: 2, end: 5, before: "less(", after: ")"}, {start: 3, end: 4, before: ", ", instead: true}}},
		{ids: []int{2}, edits: []edit{{start: 2, end: 5, before: "not(", after: ")"}}},
		{ids: []int{3}, edits: []edit{{start: 2, end: 3, before: "<", after: ">"}}},
		{ids: []int{4}, edits: []edit{{start: 7, end: 8, before: "", instead: true}, {start: 7, end: 9, before: "same(", after: ")"}}},
		{edits: []edit{{start: 2, end: 2, before: "mark; ", instead: true}}},
	})
	require.Equal(t, "f(mark; less(not(<a>, b)), same(c))", text)
	require.Equal(t, []int{3}, blame(spans, strings.Index(text, "a>")).ids, "the innermost")
	require.Equal(t, []int{4}, blame(spans, strings.Index(text, "c)")).ids)
	require.Nil(t, blame(spans, 0))
}

func TestTheQuickestTestsComeFirst(t *testing.T) {
	one, two := &binary{listed: &listed{ImportPath: "one"}}, &binary{listed: &listed{ImportPath: "two"}}
	a, b := &test{name: "a", in: one, took: 600 * time.Millisecond}, &test{name: "b", in: two, took: time.Millisecond}
	c, d := &test{name: "c", in: one, took: time.Millisecond}, &test{name: "d", in: one, took: time.Hour}
	e := &test{name: "e", in: one, took: 700 * time.Millisecond}
	require.Equal(t, [][]*test{{b}, {c, a}, {e}, {d}}, batches([]*test{a, b, c, d, e}, nil))

	var n noticed
	n.add("f", "one", "e")
	n.add("f", "one", "f")
	n.add("f", "two", "f")
	n.add("f", "one", "f")
	require.Equal(t, []known{{"one", "f"}, {"two", "f"}, {"one", "e"}}, n.of("f"), "the last that noticed a mutant first")
	require.Empty(t, n.of("g"))
	f := &test{name: "f", in: one, took: 400 * time.Millisecond}
	require.Equal(t, [][]*test{{f, c}, {b}, {a, e}, {d}}, batches([]*test{a, b, c, d, e, f}, n.of("f")), "except one that takes long")
}

package schema

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPathsAreInTheOrderOfTheDescription(t *testing.T) {
	n := &Node{Members: []Member{
		{Name: "a", Node: anyText},
		{Name: "list", Node: listOf(&Node{Members: []Member{{Name: "z", Node: anyText}, {Name: "b", Node: anyText}}})},
		{Name: "ab", Node: anyText},
	}}
	want := []string{"", "a", "list", "list[2]", "list[2].z", "list[2].b", "list[2].c", "list[10].z", "ab", "abc"}
	for range 20 {
		shuffled := slices.Clone(want)
		rand.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		slices.SortFunc(shuffled, n.Compare)
		require.Equal(t, want, shuffled)
	}
	for _, path := range []string{"body", "a.b.c", "a[1]", "[1]", "[", "[x].a", "list[", "list[x]", "list[1]x", "list[0].a[0].b", ".", "..a"} {
		require.NotPanics(t, func() { n.Compare(path, path); n.Compare(path, "list[0].z"); n.Compare("list[0].z", path) }, path)
	}
	require.Zero(t, n.Compare("body", "other"), "what is not described stays as it was found")
}

package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// ruled takes an object with members a and b, and holds a rule of the test.
func ruled(check func(object)) *Node {
	a := &Node{Kinds: Object | Number | String, Free: true, Members: []Member{{"x", flag, false}}}
	return &Node{Kinds: Object, Members: []Member{{"a", a, false}, {"b", a, false}}, Rules: []Rule{{Members: []string{"a", "b"}, check: check}}}
}

func TestARuleSeesTheMembersOfItsObject(t *testing.T) {
	ran := false
	ruled(func(o object) {
		ran = true
		require.Equal(t, `7.5`, string(o.raw("a")))
		require.Empty(t, o.raw("z"))
		require.True(t, o.has("a"))
		require.False(t, o.has("z"))
		n, ok := o.number("a")
		require.True(t, ok)
		require.Equal(t, 7.5, n)
		for _, other := range []string{"b", "z"} {
			n, ok = o.number(other)
			require.False(t, ok)
			require.Zero(t, n)
		}
		require.True(t, o.is("b", "x"))
		require.False(t, o.is("b", "y"))
		require.False(t, o.is("a", "7.5"))
		require.False(t, o.is("z", ""))
	}).Check([]byte("{\"a\": 7.5,\"b\"\n: \"\\u0078\"}"), Client, nil)
	require.True(t, ran)
}

func TestAMemberThatIsCheckedAgainLeavesTheCheckWhereItWas(t *testing.T) {
	narrow := &Node{Kinds: Object, Members: []Member{{"x", number, false}, {"y", flag, true}}}
	n := ruled(func(o object) {
		o.again("a", narrow)
		o.again("z", narrow) // which is not there
		o.broken("b", "is broken")
	})
	require.Equal(t, []string{"a.x: must be a number", "a.y: is required", "b: is broken"}, said(n.Check([]byte(`{"b":1,"a":{"x":"of the first look"}}`), Client, nil)))
	require.Equal(t, []string{"b: is broken"}, said(n.Check([]byte(`{"a":{"x":1,"y":true}}`), Client, nil)))
}

func TestForgettingAMemberDropsWhatWasSaidOfItAndInsideIt(t *testing.T) {
	c := &checker{}
	for _, path := range []string{"a", "a.b", "a[0]", "ab", "a0", "b", "b.a"} {
		c.found = append(c.found, Violation{path, "is wrong"})
	}
	object{checker: c}.forget("a")
	require.Equal(t, []string{"ab: is wrong", "a0: is wrong", "b: is wrong", "b.a: is wrong"}, said(c.found))
	require.Empty(t, c.path)
}

func TestOffsetsAreBoundedByTheFrequency(t *testing.T) {
	for _, c := range []struct {
		offset, frequency float64
		want              string
	}{
		{10, 0, ""}, {20, 0, ""}, {30, 0, ""}, {40, 0, " is not 10, 20 or 30 for frequency 0"}, {1, 0, " is not 10, 20 or 30 for frequency 0"},
		{0, 1, " is outside 1..10 for frequency 1"}, {0.5, 1, " is outside 1..10 for frequency 1"}, {1, 1, ""}, {10, 1, ""}, {11, 1, " is outside 1..10 for frequency 1"},
		{600, 60, ""}, {601, 60, " is outside 1..600 for frequency 60"}, {2, 61, ""}, {3, 61, " is outside 1..2 for frequency 61"}, {3, 121, ""}, {24, 1440, ""}, {25, 1440, " is outside 1..24 for frequency 1440"},
		{1, unknownFrequency, ""}, {600, unknownFrequency, ""}, {0.5, unknownFrequency, " is outside 1..600"}, {601, unknownFrequency, " is outside 1..600"},
	} {
		require.Equal(t, c.want, offsetMistake(c.offset, c.frequency), "%g of %g", c.offset, c.frequency)
	}
}

package schema

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTypesAreListedInWords(t *testing.T) {
	for kind, want := range map[Kind]string{
		0: "", String: "a string", String | Null: "a string or null", String | Integer | Null: "a string, a whole number or null", Number | Boolean | Array | Object: "a number, true or false, an array or an object",
	} {
		require.Equal(t, want, kind.String())
	}
}

func TestBoundsAreWrittenInDigits(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 0.5: "0.5", -1: "-1", 68719476736: "68719476736", 1e21: "1000000000000000000000"} {
		require.Equal(t, want, digits(n))
	}
	require.Equal(t, strings.Repeat("7", 50), quoteNumber([]byte(strings.Repeat("7", 50))))
	require.Equal(t, strings.Repeat("7", 50)+"…", quoteNumber([]byte(strings.Repeat("7", 51))))
}

func TestNumbersAreJudgedByTheirBounds(t *testing.T) {
	for _, c := range []struct {
		name          string
		node          *Node
		text          string
		client, whole string
	}{
		{"a number below its range", bounded(Integer, between(1, 5)), "0", "0 is outside 1..5", ""},
		{"a number above its range", bounded(Integer, between(1, 5)), "6", "6 is outside 1..5", ""},
		{"a number over the most", bounded(Integer, atMost(5)), "6", "6 is over 5", ""},
		{"a number below the least", bounded(Integer, atLeast(5)), "4", "4 is below 5", ""},
		{"the bounds themselves", bounded(Integer, between(1, 1)), "1", "", ""},
		{"the greatest whole number", whole, "9007199254740991", "", ""},
		{"one more", whole, "9007199254740992", "", "9007199254740992 is too large"},
		{"the least whole number", whole, "-9007199254740991", "", ""},
		{"one less", whole, "-9007199254740992", "", "-9007199254740992 is too large"},
		{"too large", number, "1e999", "1e999 is too large", ""},
		{"too small", number, "-1e999", "-1e999 is too large", ""},
		{"half", whole, "1.5", "", "1.5 is not a whole number"},
		{"half of a number", number, "1.5", "", ""},
		{"a secret", &Node{Kinds: Number, Secret: true, Limits: Limits{Range: atMost(1)}}, "1234", "the value is over 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.client, c.node.numberMistake([]byte(c.text), Client))
			if c.whole == "" {
				c.whole = c.client
			}
			require.Equal(t, c.whole, c.node.numberMistake([]byte(c.text), Service))
		})
	}
}

func TestAnEmptyBodyOfTextIsNotRequired(t *testing.T) {
	require.Equal(t, []string{"body: must not be empty"}, said(required().Check([]byte(`""`), Client, nil)))
}

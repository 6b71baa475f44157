package keep

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestAValueKeepsTheJSONThatItWasReadFrom(t *testing.T) {
	types := newTypes()
	types.Clean = func(data []byte) []byte { return append([]byte(" "), data...) }
	var s sample
	const read = `{"always":1,"maybe":{"y":2},"list":[{"always":null},{ }]}`
	require.NoError(t, types.Read(&s, []byte(read)))
	require.Equal(t, " "+read, string(Of(s.kept)))
	require.Equal(t, `{"y":2}`, string(Of(s.Maybe.value.kept)), "nested objects keep their part")
	require.Nil(t, Of(s.List[0].kept), "its fields hold all of it")
	require.Equal(t, `{ }`, string(Of(s.List[1].kept)))
	for _, other := range []string{``, `[{"next":{"x":1}}]`, `"{"`} {
		outer := sample{Next: new(sample)}
		types.Inside(&outer, []byte(other))
		require.Nil(t, Of(outer.Next.kept), other)
	}

	before := s
	require.NoError(t, types.Read(&s, []byte(" null ")))
	require.Error(t, types.Read(&s, []byte(`{"always":2,"whole":"x"}`)))
	require.Equal(t, before, s, "neither null nor an error changes it")
	require.NoError(t, types.Read(&s, []byte(`{"text":"x"}`)))
	require.Equal(t, sample{Text: "x", kept: s.kept}, s, "nothing of what it was before is left")
	one, two := New([]byte("1")), New([]byte("1"))
	require.True(t, one != two, "they are of two reads")
}

func TestOfTwoSpellingsOfANameTheExactOneCounts(t *testing.T) {
	for _, data := range []string{`{"whole":1,"WHOLE":2}`, `{"WHOLE":2,"whole":1}`, `{"\u0077hole":1,"Whole":2}`, `{"Whole":3,"wholE":1}`} {
		var s sample
		require.NoError(t, newTypes().Read(&s, []byte(data)))
		require.Equal(t, 1, s.Whole, data)
	}
	const nested = `{"always":null,"list":[{"always":null,"text":"a","Text":"b"}],"maybe":{"amount":1,"Amount":2},"next":{"always":7,"ALWAYS":8}}`
	var s sample
	types := newTypes()
	require.NoError(t, types.Read(&s, []byte(nested)))
	require.Equal(t, []any{"a", new(1), new(7)}, []any{s.List[0].Text, s.Maybe.value.Amount, s.Next.Always})
	s.Next.Text = "x"
	result, err := types.Encode(s)
	require.NoError(t, err)
	require.Equal(t, nested[:len(nested)-2]+`,"text":"x"}}`, string(result.JSON), "both are written back")
}

func TestANullItemIsWrittenBackUntilItIsSet(t *testing.T) {
	var h struct {
		Circles []circle `json:"circles"`
		kept    `json:"-"`
	}
	types := newTypes()
	require.NoError(t, types.Read(&h, []byte(`{"circles":[null,{"name":"n","inside":{"key":"k","value":"v"}}]}`)))
	const other = `{"name":"o","inside":{"key":"k","value":"v"}}]}`
	for _, want := range []string{`{"circles":[null,` + other, `{"circles":[{"name":"m","inside":{"key":"","value":null}},` + other} {
		h.Circles[1].Name = "o"
		result, err := types.Encode(h)
		require.NoError(t, err)
		require.Equal(t, want, string(result.JSON))
		require.Equal(t, h.Circles[0].Name != "", len(result.Withheld) > 0)
		h.Circles[0].Name = "m"
	}
}

func TestWhatIsKeptIsNotShown(t *testing.T) {
	type holder struct {
		A    int
		kept `json:"-"`
	}
	h := holder{1, New([]byte(`"` + testkit.Canary + `"`))}
	for _, v := range []any{h, &h, []holder{h}, map[string]*holder{"a": &h}, h.kept, &h.kept} {
		testkit.RequireHidden(t, fmt.Sprintf("%T", v), v)
	}
	require.Zero(t, reflect.TypeFor[*holder]().NumMethod(), "its users see no method")
}

func TestACopySharesNoListAndNoPointer(t *testing.T) {
	s := sample{Pointers: []*int{new(1)}, List: []sample{{Text: "a"}}, Maybe: maybe[piece]{piece{Amount: new(1)}, true}, kept: New([]byte("{}"))}
	copied := s
	newTypes().Copy(&copied)
	require.Equal(t, s, copied)
	require.True(t, s.kept == copied.kept, "what is kept is never changed")
	*copied.Pointers[0], copied.List[0].Text, *copied.Maybe.value.Amount = 2, "b", 2
	require.Equal(t, []any{1, "a", 1}, []any{*s.Pointers[0], s.List[0].Text, *s.Maybe.value.Amount})
}

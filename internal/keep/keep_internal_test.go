package keep

import (
	"encoding/json"
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
	require.NoError(t, types.Read(&s, []byte(`{"always":1,"maybe":{"y":2}}`)))
	require.Equal(t, ` {"always":1,"maybe":{"y":2}}`, string(Of(s.kept)))
	require.Equal(t, `{"y":2}`, string(Of(s.Maybe.value.kept)))

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
	type item struct {
		Key   string `json:"key"`
		Value secret `json:"value"`

		kept `json:"-"`
	}
	var h struct {
		Pairs []item `json:"pairs"`

		kept `json:"-"`
	}
	types := newTypes()
	require.NoError(t, types.Read(&h, []byte(`{"pairs":[null,{"key":"k","value":"v"}]}`)))
	for _, want := range []string{`{"pairs":[null,{"key":"l","value":"v"}]}`, `{"pairs":[{"key":"m","value":null},{"key":"l","value":"v"}]}`} {
		h.Pairs[1].Key = "l"
		result, err := types.Encode(h)
		require.NoError(t, err)
		require.Equal(t, want, string(result.JSON))
		require.Equal(t, h.Pairs[0].Key != "", len(result.Withheld) > 0)
		h.Pairs[0].Key = "m"
	}
}

func TestWhatIsKeptIsNotShown(t *testing.T) {
	type holder struct {
		A    int
		kept `json:"-"`
	}
	h := holder{1, New([]byte(`"` + testkit.Canary + `"`))}
	for _, v := range []any{h, &h, []holder{h}, map[string]*holder{"a": &h}, h.kept, &h.kept} {
		for _, verb := range testkit.Verbs {
			require.False(t, testkit.ShowsCanary(fmt.Sprintf(verb, v)), "%s of %T", verb, v)
		}
		data, err := json.Marshal(v)
		require.NoError(t, err)
		require.False(t, testkit.ShowsCanary(string(data)), "%T", v)
	}
	require.Zero(t, reflect.TypeFor[holder]().NumMethod())
	require.Zero(t, reflect.TypeFor[*holder]().NumMethod(), "its users see no method")
	field, _ := reflect.TypeFor[holder]().FieldByName("kept")
	require.False(t, field.IsExported())
}

func TestACopySharesNoListAndNoPointer(t *testing.T) {
	type item struct {
		Key    string
		Locked *bool
	}
	list := []item{{"K", new(true)}}
	shared := list
	newTypes().Copy(&list)
	*list[0].Locked, list[0].Key = false, "other"
	require.Equal(t, []item{{"K", new(true)}}, shared)

	value := maybe[piece]{piece{Amount: new(1)}, true}
	copied := value
	newTypes().Copy(&copied)
	*copied.value.Amount = 2
	require.Equal(t, 1, *value.value.Amount)

	s := sample{kept: New([]byte("{}"))}
	copiedSample := s
	newTypes().Copy(&copiedSample)
	require.True(t, s.kept == copiedSample.kept, "what is kept is never changed")
}

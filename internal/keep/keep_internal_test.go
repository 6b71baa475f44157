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
	require.True(t, New([]byte("1")) != New([]byte("1")), "they are of two reads")
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

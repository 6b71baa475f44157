package monitoring

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// keptSample has a field of each type that is sent or received, and keeps its JSON.
type keptSample struct {
	Always   *int                `json:"always"`
	Raw      json.RawMessage     `json:"raw,omitempty"`
	Config   SecretJSON          `json:"config,omitzero"`
	Any      any                 `json:"any,omitempty"`
	Secret   Secret              `json:"secret,omitzero"`
	Text     string              `json:"text,omitempty"`
	Time     Timestamp           `json:"time,omitzero"`
	Flag     bool                `json:"flag,omitempty"`
	Whole    int                 `json:"whole,omitempty"`
	Big      int64               `json:"big,omitempty"`
	Float    float64             `json:"float,omitempty"`
	Map      map[string]int      `json:"map,omitempty"`
	Pointer  *int                `json:"pointer,omitempty"`
	Texts    []string            `json:"texts,omitempty"`
	Pointers []*int              `json:"pointers,omitzero"`
	Nullable Nullable[int]       `json:"nullable,omitzero"`
	Next     *keptSample         `json:"next,omitempty"`
	List     []keptSample        `json:"list,omitempty"`
	Maybe    Nullable[Reminders] `json:"maybe,omitzero"`
	Retry    *RetryStrategy      `json:"retry,omitempty"`
	Hidden   any                 `json:"-"`
	Untagged int

	kept `json:"-"`
}

func TestAnObjectKeepsItsJSONIfTheTypeCannotHoldAllOfIt(t *testing.T) {
	tests := map[bool][]string{
		true: {
			`"raw":null`, `"raw":[1.50]`, `"config":null`, `"config":{"a":1}`, `"any":null`, `"any":1.0`, `"secret":"x"`, `"secret":null`, `"text":"x"`, `"time":"2026-07-14"`,
			`"flag":true`, `"flag":false`, `"whole":5`, `"whole":-5`, `"big":9007199254740993`, `"float":5.0`, `"map":{"a":1.0}`, `"pointer":5`, `"texts":[]`, `"texts":["a","b"]`, `"pointers":[null,1]`,
			`"nullable":null`, `"nullable":5`, `"t\u0065xt":"x"`, `"retry":"FALLBACK"`, `"retry":{"type":"FIXED"}`, `"next":{"always":1}`, `"list":[{"always":null}]`, `"maybe":{"amount":1}`, `"maybe":null`,
			`"retry":"FALLBACK","t\u0065xt":"x","raw":1,"retry":"FALLBACK"`,      // in another order than the fields
			`"next":{"always":1,"x":1}`, `"list":[{}]`, `"maybe":{"amount":1.0}`, // nested objects keep their own JSON
		},
		false: {
			`"x":1`, `"":1`, `"-":1`, `"hidden":1`, `"Untagged":1`, `"secret":5`, `"text":null`, `"text":5`, `"time":null`, `"time":5`, `"flag":null`, `"flag":"true"`, `"flag":1`, `"whole":null`, `"whole":5.0`, `"whole":1e3`,
			`"big":1.0`, `"big":null`, `"float":null`, `"map":null`, `"pointer":null`, `"pointer":5.0`, `"texts":null`, `"texts":"a"`, `"texts":[null]`, `"texts":[5,"a"]`, `"texts":["a",5]`, `"nullable":5.0`, `"text":5,"flag":true`,
			`"next":null`, `"next":"x"`, `"retry":5`, `"list":[{"always":1},{"always":1}],"list":[]`, `"next":{"always":1},"next":null`,
		},
	}
	for want, members := range tests {
		for _, member := range members {
			data := []byte(`{"always":1,` + member + `} `)
			require.True(t, json.Valid(data), member)
			var s keptSample
			_ = json.Unmarshal(data, &s) // some members do not fit
			end, whole := keepWalk{data}.object(keptTypeOf(reflect.TypeFor[keptSample]()), reflect.ValueOf(&s).Elem(), 0)
			require.Equal(t, len(data)-1, end, member)
			require.Equal(t, want, whole, member)
		}
	}
	for data, want := range map[string]bool{`{}`: false, `{"always":null}`: true, `{"text":"x"}`: false} {
		_, whole := keepWalk{[]byte(data)}.object(keptTypeOf(reflect.TypeFor[keptSample]()), reflect.ValueOf(&keptSample{}).Elem(), 0)
		require.Equal(t, want, whole, "a member that is always written is missing: %s", data)
	}
}

func TestNestedObjectsKeepTheirPartOfTheJSON(t *testing.T) {
	const data = ` { "always": 1, "next": {"always":1,"x":[1]}, "list": [{"always":null}, { }], "maybe": {"y":2}, "retry": {"type":"FIXED","z":3}, "pointer": 1.0}`
	var s keptSample
	_ = json.Unmarshal([]byte(data), &s)
	keepInside(reflect.ValueOf(&s).Elem(), []byte(data))
	require.Nil(t, s.json(), "the JSON of the outer object is kept elsewhere")
	require.Equal(t, `{"always":1,"x":[1]}`, string(s.Next.json()))
	require.Nil(t, s.List[0].json())
	require.Equal(t, `{ }`, string(s.List[1].json()))
	require.Equal(t, `{"y":2}`, string(s.Maybe.value.json()))
	require.Equal(t, `{"type":"FIXED","z":3}`, string(s.Retry.json()))

	for _, other := range []string{``, ` `, `[{"next":{"x":1}}]`, `null`, `"{"`} {
		s = keptSample{Next: new(keptSample)}
		keepInside(reflect.ValueOf(&s).Elem(), []byte(other))
		require.Nil(t, s.Next.json(), other)
	}
}

func TestOnlyARetryStrategyMayBeAString(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[RetryStrategy](), reflect.TypeFor[Reminders]()} {
		k := keptTypeOf(typ)
		require.Equal(t, typ == reflect.TypeFor[RetryStrategy](), k.holds([]byte(`"FALLBACK"`), false), typ)
		require.False(t, k.holds([]byte(`5`), true), typ)
	}
}

func TestReadKeptKeepsTheJSONOfNestedObjects(t *testing.T) {
	read, err := readKept(reflect.TypeFor[AlertSettings](), []byte(`{"reminders":{"amount":1.0}}`))
	require.NoError(t, err)
	settings := read.(*AlertSettings)
	require.Nil(t, settings.json())
	require.Equal(t, `{"amount":1.0}`, string(settings.Reminders.json()))

	for _, typ := range []reflect.Type{reflect.TypeFor[AlertSettings](), reflect.TypeFor[retryObject]()} {
		_, err = readKept(typ, []byte(`{`))
		require.Error(t, err, typ)
	}
}

func TestUnshareCopiesListsAndTheirItems(t *testing.T) {
	list := []EnvironmentVariable{{Key: "K", Locked: new(true)}}
	shared := list
	unshare(reflect.ValueOf(&list).Elem())
	*list[0].Locked, list[0].Key = false, "other"
	require.Equal(t, []EnvironmentVariable{{Key: "K", Locked: new(true)}}, shared)

	maybe := Value(Reminders{Amount: new(1)})
	copied := maybe
	unshare(reflect.ValueOf(&copied).Elem())
	*copied.value.Amount = 2
	require.Equal(t, 1, *maybe.value.Amount)
}

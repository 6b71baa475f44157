package keep

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type pair struct {
	Key   string `json:"key"`
	Value secret `json:"value"`
}

type tree struct {
	Secret secret          `json:"secret,omitzero"`
	Child  *tree           `json:"child,omitempty"`
	Named  map[string]tree `json:"named,omitempty"`
	Any    any             `json:"any,omitempty"`
}

type inner struct{ S secret }

func TestSecretsAreWrittenAndReported(t *testing.T) {
	for name, c := range map[string]struct {
		value             any
		json              string
		secrets, withheld []string
	}{
		"nothing":                     {nil, `null`, nil, nil},
		"the empty text":              {known(""), `""`, nil, nil},
		"a withheld one":              {secret{}, `null`, nil, []string{"$"}},
		"a withheld one in a list":    {[]pair{{"a", known("x")}, {"b", secret{}}}, `[{"key":"a","value":"x"},{"key":"b","value":null}]`, []string{"x"}, []string{"[1].value"}},
		"a withheld one in a map":     {map[string]any{"b": []any{secret{}}, "a": [1]secret{}}, `{"a":[null],"b":[null]}`, nil, []string{"a[0]", "b[0]"}},
		"a withheld one that is zero": {tree{}, `{}`, nil, nil},
		"an object that is zero": {struct {
			P piece `json:"p,omitzero"`
		}{}, `{}`, nil, nil},
		"a map with other keys":                {map[int]secret{2: {}, 1: known("a")}, `{"1":"a","2":null}`, []string{"a"}, []string{"2"}},
		"a withheld one in an embedded struct": {&struct{ *inner }{&inner{}}, `{"S":null}`, nil, []string{"S"}},
		"a type that contains itself":          {tree{Secret: known("a"), Child: &tree{Secret: known("b")}, Named: map[string]tree{"x": {}, "y": {Secret: known("c")}}}, `{"secret":"a","child":{"secret":"b"},"named":{"x":{},"y":{"secret":"c"}}}`, []string{"a", "b", "c"}, nil},
		"a value or null":                      {[]maybe[pair]{{}, {pair{"k", known("x")}, true}, {pair{}, true}}, `[null,{"key":"k","value":"x"},{"key":"","value":null}]`, []string{"x"}, []string{"[2].value"}},
		"what embeds a secret":                 {struct{ secret }{known("x")}, `"x"`, []string{"x"}, nil},
		"what embeds a withheld one":           {[]struct{ secret }{{}}, `[null]`, nil, []string{"[0]"}},
		"what embeds a pointer to it":          {struct{ *secret }{new(known("x"))}, `"x"`, []string{"x"}, nil},
	} {
		got, err := newTypes().Encode(c.value)
		require.NoError(t, err, name)
		require.Equal(t, Result{[]byte(c.json), c.secrets, c.withheld}, got, name)
	}
}

// The race detector finds what the copy reads beside the fields of encoding/json.
func TestWhatEncodingJSONDoesNotReadMayChangeMeanwhile(t *testing.T) {
	type inner struct {
		mutex sync.Mutex
		S     secret
	}
	type guarded struct {
		mutex sync.Mutex
		calls int
		Inner inner
		Items []inner
	}
	types := newTypes()
	types.Owns = func(t reflect.Type) bool { return t == reflect.TypeFor[secret]() }
	v := &guarded{Inner: inner{S: known("a")}, Items: []inner{{S: known("b")}}}
	var done sync.WaitGroup
	done.Go(func() {
		for range 100 {
			for _, m := range []*sync.Mutex{&v.mutex, &v.Inner.mutex, &v.Items[0].mutex} {
				m.Lock()
				v.calls++
				m.Unlock()
			}
		}
	})
	for range 2 { // which also share the types
		done.Go(func() {
			for range 50 {
				result, err := types.Encode(v)
				assert.NoError(t, err)
				assert.Equal(t, `{"Inner":{"S":"a"},"Items":[{"S":"b"}]}`, string(result.JSON))
			}
		})
	}
	done.Wait()
}

func TestTheErrorsAreThoseOfOpeningAndOfEncodingJSON(t *testing.T) {
	for text, v := range map[string]any{
		"it cannot be opened":              map[string]any{"a": []any{known("fails")}},
		"json: unsupported type: chan int": []any{known("a"), make(chan int)},
	} {
		_, err := newTypes().Encode(v)
		require.EqualError(t, err, text)
	}
	for _, v := range []any{make(chan int), &struct{ C chan int }{}} {
		_, err := newTypes().Hidden(&v)
		require.Error(t, err)
	}
}

func TestCyclesAreErrors(t *testing.T) {
	loop := &tree{}
	loop.Child = loop
	members := map[string]any{}
	members["self"] = members
	list := make([]any, 1)
	list[0] = list
	var pointer any
	pointer = &pointer
	for name, v := range map[string]any{"a pointer": loop, "a map": members, "a list": list, "an interface": pointer} {
		_, err := newTypes().Encode(v) // not with encoding/json, which overflows the stack in Go 1.27
		require.ErrorAs(t, err, new(*json.UnsupportedValueError), name)
		require.ErrorContains(t, err, "encountered a cycle via ", name)
	}
}

func TestDeepValuesAreNotCycles(t *testing.T) {
	shared := &tree{Any: 1}
	deep := &tree{Any: []any{shared, shared}}
	for range 3 * mostDepth {
		deep = &tree{Child: deep, Any: shared}
	}
	requireLikeJSON(t, []any{deep, deep}, []any{deep, deep})
	nested := make([]any, 1)
	nested[0] = nested[:0] // the same memory, but not the same list
	var list any = nested
	for range mostDepth {
		list = []any{list}
	}
	requireLikeJSON(t, list, list)
}

// keeping is a struct that keeps the JSON it was read from, and writes itself.
type keeping struct {
	Name  string  `json:"name"`
	Count *int    `json:"count,omitempty"`
	Key   *secret `json:"key,omitempty"`
	Part  *piece  `json:"part,omitempty"`

	kept `json:"-"`
}

var keepingTypes = newTypes()

func (k *keeping) plain() any {
	type plain keeping
	return (*plain)(k)
}
func (k *keeping) UnmarshalJSON(data []byte) error {
	return keepingTypes.Read(k.plain(), slices.Clone(data))
}
func (k keeping) MarshalJSON() ([]byte, error) { return keepingTypes.Marshal(&k, k.plain()) }

func TestAStructThatKeepsItsJSONIsWrittenAsItWasReadExceptForChanges(t *testing.T) {
	const read = ` { "x": [1.50, "y"], "name": "\u006e", "count": null, "KEY": "s\u0033cret" , "x": 2, "part": {"z&": "\ud800", "amount": 1} } `
	const part = `,"part":{"z&":"\ud800","amount":1}`
	tests := map[string]struct {
		change       func(*keeping)
		want, hidden string
	}{
		"nothing is changed": {func(*keeping) {}, `{"x":[1.50,"y"],"name":"\u006e","count":null,"KEY":"s\u0033cret","x":2` + part + `}`, `{"name":"\u006e","count":null,"KEY":null` + part + `}`},
		"what was null":      {func(k *keeping) { k.Count = new(3) }, `{"x":[1.50,"y"],"name":"\u006e","count":3,"KEY":"s\u0033cret","x":2` + part + `}`, `{"name":"\u006e","count":3,"KEY":null` + part + `}`},
		"a secret":           {func(k *keeping) { k.Key = new(known("new")) }, `{"x":[1.50,"y"],"name":"\u006e","count":null,"key":"new","x":2` + part + `}`, `{"name":"\u006e","count":null,"key":null` + part + `}`},
		"a secret is gone":   {func(k *keeping) { k.Key = nil }, `{"x":[1.50,"y"],"name":"\u006e","count":null,"x":2` + part + `}`, `{"name":"\u006e","count":null` + part + `}`},
		"an object inside":   {func(k *keeping) { k.Part.Amount = new(2) }, `{"x":[1.50,"y"],"name":"\u006e","count":null,"KEY":"s\u0033cret","x":2,"part":{"z&":"\ud800","amount":2}}`, `{"name":"\u006e","count":null,"KEY":null,"part":{"z&":"\ud800","amount":2}}`},
		"it keeps nothing":   {func(k *keeping) { k.kept = kept{} }, `{"name":"n","key":"s3cret","part":{"amount":1}}`, `{"name":"n","key":null,"part":{"amount":1}}`},
	}
	for name, tt := range tests {
		var k keeping
		require.NoError(t, json.Unmarshal([]byte(read), &k))
		tt.change(&k)
		for want, values := range map[string][]any{tt.want: {[]keeping{k}, []any{&k}, []maybe[*keeping]{{&k, true}}}, tt.hidden: {[1]struct{ keeping }{{k}}}} {
			for _, v := range values { // the method of a user's struct hides secrets
				result, err := keepingTypes.Encode(v)
				require.NoError(t, err)
				require.Equal(t, "["+want+"]", string(result.JSON), "%s: %T", name, v)
			}
		}
		data, err := keepingTypes.Marshal(&k, k.plain())
		require.NoError(t, err)
		require.Equal(t, tt.hidden, string(data), "an unknown member beside a secret may contain it")
		marshaled, err := json.Marshal(k)
		require.NoError(t, err)
		require.JSONEq(t, tt.hidden, string(marshaled))
	}
	k := keeping{kept: New([]byte(`{"name":1}`))}
	_, err := keepingTypes.Encode(k)
	require.ErrorContains(t, err, "cannot unmarshal number", "the kept JSON does not fit the type")
	_, err = json.Marshal(k)
	require.ErrorContains(t, err, "cannot unmarshal number")
}

func TestAMemberThatIsSetIsWrittenOnce(t *testing.T) {
	for read, want := range map[string]string{`{"x":1}`: `{"x":1,"name":"m"}`, `{"name":"a","x":1,"NAME":"b","name":"c"}`: `{"x":1,"NAME":"b","name":"m"}`} {
		var k keeping
		require.NoError(t, json.Unmarshal([]byte(read), &k))
		result, err := keepingTypes.Encode(&k)
		require.NoError(t, err)
		require.Equal(t, read, string(result.JSON))
		k.Name = "m"
		result, err = keepingTypes.Encode(&k)
		require.NoError(t, err)
		require.Equal(t, want, string(result.JSON))
	}
}

func TestUnknownMembersAreShownIfNoSecretStandsBesideThem(t *testing.T) {
	var p piece
	require.NoError(t, keepingTypes.Read(&p, []byte(`{"x":1,"amount":1}`)))
	holder := struct{ P piece }{p}
	data, err := keepingTypes.Hidden(&holder)
	require.NoError(t, err)
	require.Equal(t, `{"P":{"x":1,"amount":1}}`, string(data))
	data, err = keepingTypes.Hidden(&struct{ M map[string]any }{map[string]any{"k": p, "l": []*piece{&p, nil}}})
	require.NoError(t, err)
	require.Equal(t, `{"M":{"k":{"x":1,"amount":1},"l":[{"x":1,"amount":1},null]}}`, string(data))
}

func TestAPathInsideAnother(t *testing.T) {
	for want, c := range map[string][2]string{"a": {"$", "a"}, "b": {"b", "$"}, "c[0].d": {"c", "[0].d"}, "e.f": {"e", "f"}} {
		require.Equal(t, want, Under(c[0], c[1]))
	}
}

type failing struct{ A any }

func (failing) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }

package reveal

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// keeping is a struct that keeps the JSON it was read from.
type keeping struct {
	Name  string  `json:"name"`
	Count *int    `json:"count,omitempty"`
	Key   *hidden `json:"key,omitempty"`

	read []byte
}

// hidden is a type that hides its text.
type hidden struct{ text string }

func (h *hidden) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &h.text) }

func keepingEncoder() *Encoder {
	return &Encoder{
		Hides: func(t reflect.Type) Hiding {
			if t == reflect.TypeFor[hidden]() {
				return Itself
			}
			return Nothing
		},
		Open: func(p any, _ bool) Content {
			if text := p.(*hidden).text; text != "" {
				return Content{Kind: Text, Text: text}
			}
			return Content{Kind: Withheld}
		},
		Keeps: func(t reflect.Type) bool { return t == reflect.TypeFor[keeping]() },
		Kept:  func(p any) []byte { return p.(*keeping).read },
		Read: func(t reflect.Type, data []byte) (any, error) {
			p := reflect.New(t).Interface()
			return p, json.Unmarshal(data, p)
		},
	}
}

func TestAStructThatKeepsItsJSONIsWrittenAsItWasReadExceptForChanges(t *testing.T) {
	const read = ` { "x": [1.50, "y"], "name": "\u006e", "count": null, "KEY": "s\u0033cret" , "x": 2 } `
	tests := map[string]struct {
		change       func(*keeping)
		want, hidden string
	}{
		"nothing is changed": {func(*keeping) {}, `{"x":[1.50,"y"],"name":"\u006e","count":null,"KEY":"s\u0033cret","x":2}`, `{"name":"\u006e","count":null,"KEY":null}`},
		"a name":             {func(k *keeping) { k.Name = "m" }, `{"x":[1.50,"y"],"name":"m","count":null,"KEY":"s\u0033cret","x":2}`, `{"name":"m","count":null,"KEY":null}`},
		"what was null":      {func(k *keeping) { k.Count = new(3) }, `{"x":[1.50,"y"],"name":"\u006e","count":3,"KEY":"s\u0033cret","x":2}`, `{"name":"\u006e","count":3,"KEY":null}`},
		"a secret":           {func(k *keeping) { k.Key = &hidden{"new"} }, `{"x":[1.50,"y"],"name":"\u006e","count":null,"key":"new","x":2}`, `{"name":"\u006e","count":null,"KEY":null}`},
		"a secret is gone":   {func(k *keeping) { k.Key = nil }, `{"x":[1.50,"y"],"name":"\u006e","count":null,"x":2}`, `{"name":"\u006e","count":null}`},
		"it keeps nothing":   {func(k *keeping) { k.read = nil }, `{"name":"n","key":"s3cret"}`, `{"name":"n","key":null}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e, k := keepingEncoder(), keeping{read: []byte(read)}
			require.NoError(t, json.Unmarshal(k.read, &k))
			tt.change(&k)
			result, err := e.Encode([]keeping{k})
			require.NoError(t, err)
			require.Equal(t, "["+tt.want+"]", string(result.JSON))
			data, err := e.EncodeHidden(&k)
			require.NoError(t, err)
			require.Equal(t, tt.hidden, string(data), "an unknown member beside a secret may contain it")
		})
	}
	k := keeping{read: []byte(`{"name":1}`)}
	_, err := keepingEncoder().Encode(k)
	require.ErrorContains(t, err, "cannot unmarshal number", "the kept JSON does not fit the type")
}

func TestWhatWasNotReadIsWrittenOnceItIsSet(t *testing.T) {
	for want, change := range map[string]func(*keeping){
		`{"x":1}`:            func(*keeping) {},
		`{"x":1,"name":"m"}`: func(k *keeping) { k.Name = "m" },
		`{"x":1,"count":3}`:  func(k *keeping) { k.Count = new(3) },
	} {
		k := keeping{read: []byte(`{"x":1}`)}
		change(&k)
		result, err := keepingEncoder().Encode(&k)
		require.NoError(t, err)
		require.Equal(t, want, string(result.JSON))
	}
}

func TestUnknownMembersAreShownIfNoSecretStandsBesideThem(t *testing.T) {
	type open struct {
		Name string `json:"name"`
		Any  any    `json:"any,omitempty"`
		read []byte
	}
	value := open{Name: "n", read: []byte(`{"x":1,"name":"\u006e"}`)}
	e := keepingEncoder()
	e.Keeps = func(t reflect.Type) bool { return t == reflect.TypeFor[open]() }
	e.Kept = func(p any) []byte { return p.(*open).read }
	data, err := e.EncodeHidden(value)
	require.NoError(t, err)
	require.Equal(t, `{"x":1,"name":"\u006e"}`, string(data))

	e.Read = func(reflect.Type, []byte) (any, error) { return &open{Any: make(chan int)}, nil }
	_, err = e.Encode(value)
	require.ErrorContains(t, err, "unsupported type: chan int", "what was read cannot be written")
}

func TestAPathInsideAnother(t *testing.T) {
	for want, c := range map[string][2]string{"a": {"$", "a"}, "b": {"b", "$"}, "c[0].d": {"c", "[0].d"}, "e.f": {"e", "f"}} {
		require.Equal(t, want, Under(c[0], c[1]))
	}
}

package keep

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

type kept = JSON

// The types of these tests: maybe is null or a value, and orText an object or a string.
type (
	secret struct {
		text        string
		known, open bool
	}
	secretRaw    struct{ text string }
	moment       struct{ text string }
	maybe[T any] struct {
		value T
		there bool
	}
	orText struct {
		Type string `json:"type,omitempty"`

		kept `json:"-"`
	}
	piece struct {
		Amount *int `json:"amount,omitempty"`

		kept `json:"-"`
	}
)

func known(text string) secret { return secret{text: text, known: true} }

func (s *secret) UnmarshalJSON(data []byte) error {
	s.known = string(data) != "null"
	return read(data, &s.text)
}
func (s secret) MarshalJSON() ([]byte, error) {
	if !s.open {
		return []byte("null"), nil
	}
	return rawjson.Encode(s.text)
}
func (s *secretRaw) UnmarshalJSON(data []byte) error { s.text = string(data); return nil }
func (m *moment) UnmarshalJSON(data []byte) error    { return read(data, &m.text) }
func (m *maybe[T]) UnmarshalJSON(data []byte) error {
	m.there = string(data) != "null"
	return read(data, &m.value)
}
func (m maybe[T]) MarshalJSON() ([]byte, error) {
	if !m.there {
		return []byte("null"), nil
	}
	return rawjson.Encode(m.value)
}
func (m *maybe[T]) inner() any           { return &m.value }
func (m *maybe[T]) innerOf() (any, bool) { return &m.value, m.there }
func (o *orText) UnmarshalJSON(data []byte) error {
	type plain orText
	if data[0] == '"' {
		return read(data, &o.Type)
	}
	return read(data, (*plain)(o))
}

func read(data []byte, out any) error { return json.Unmarshal(data, out) }

func owns(t reflect.Type) bool { return t.PkgPath() == reflect.TypeFor[sample]().PkgPath() }

func newPlans() *jsontype.Plans {
	return &jsontype.Plans{Traits: func(t reflect.Type) (traits jsontype.Traits) {
		type wrapper interface{ innerOf() (any, bool) }
		switch {
		case t == reflect.TypeFor[secret]():
			traits.Reveal = func(pointer any) (string, bool) { return pointer.(*secret).text, !pointer.(*secret).known }
		case reflect.PointerTo(t).Implements(reflect.TypeFor[wrapper]()):
			traits.Inner = func(pointer any) (any, bool) { return pointer.(wrapper).innerOf() }
		}
		traits.Completes = embedsJSON(t)
		return traits
	}}
}

func newTypes() *Types {
	return &Types{Owns: owns, Decode: read, Plans: newPlans(), Traits: func(t reflect.Type) Traits {
		traits := Traits{Meaning: jsontype.Meaning{Raw: t == reflect.TypeFor[secretRaw]()}, Text: t == reflect.TypeFor[moment](), OrText: t == reflect.TypeFor[orText]()}
		if t == reflect.TypeFor[secret]() {
			traits.Secret = true
			traits.Open = func(pointer any) ([]string, error) {
				s := pointer.(*secret)
				if s.text == "fails" {
					return nil, errors.New("it cannot be opened")
				}
				if s.open = s.known; s.text == "" {
					return nil, nil
				}
				return []string{s.text}, nil
			}
			traits.Withheld = func(pointer any) []string {
				if pointer.(*secret).known {
					return nil
				}
				return []string{"$"}
			}
		}
		type wrapper interface{ inner() any }
		if owns(t) && reflect.PointerTo(t).Implements(reflect.TypeFor[wrapper]()) {
			traits.Inner = func(pointer any) any { return pointer.(wrapper).inner() }
		}
		return traits
	}}
}

// sample has a field of each form, and keeps its JSON.
type sample struct {
	Always   *int            `json:"always"`
	Raw      json.RawMessage `json:"raw,omitempty"`
	Config   secretRaw       `json:"config,omitzero"`
	Any      any             `json:"any,omitempty"`
	Secret   secret          `json:"secret,omitzero"`
	Text     string          `json:"text,omitempty"`
	Time     moment          `json:"time,omitzero"`
	Flag     bool            `json:"flag,omitempty"`
	Whole    int             `json:"whole,omitempty"`
	Big      int64           `json:"big,omitempty"`
	Float    float64         `json:"float,omitempty"`
	Map      map[string]int  `json:"map,omitempty"`
	Pointer  *int            `json:"pointer,omitempty"`
	Texts    []string        `json:"texts,omitempty"`
	Pointers []*int          `json:"pointers,omitzero"`
	Nullable maybe[int]      `json:"nullable,omitzero"`
	Next     *sample         `json:"next,omitempty"`
	List     []sample        `json:"list,omitempty"`
	Maybe    maybe[piece]    `json:"maybe,omitzero"`
	Retry    *orText         `json:"retry,omitempty"`
	Hidden   any             `json:"-"`
	Untagged int             `json:",omitempty"`

	kept `json:"-"`
}

func TestAnObjectKeepsItsJSONIfTheTypeCannotHoldAllOfIt(t *testing.T) {
	types := newTypes()
	k := types.typeOf(reflect.TypeFor[sample]())
	tests := map[bool][]string{
		true: {
			`"raw":null`, `"raw":[1.50]`, `"config":null`, `"config":{"a":1}`, `"any":null`, `"any":1.0`, `"secret":"x"`, `"secret":null`, `"text":"x"`, `"time":"2026-07-14"`,
			`"flag":true`, `"flag":false`, `"whole":5`, `"whole":-5`, `"big":9007199254740993`, `"float":5.0`, `"map":{"a":1.0}`, `"pointer":5`, `"texts":[]`, `"texts":["a","b"]`, `"pointers":[null,1]`,
			`"nullable":null`, `"nullable":5`, `"t\u0065xt":"x"`, `"\u0074ext":"x"`, `"retry":"FALLBACK"`, `"retry":{"type":"FIXED"}`, `"next":{"always":1}`, `"list":[{"always":null}]`, `"maybe":{"amount":1}`, `"maybe":null`, `"Untagged":1`,
			`"retry":"FALLBACK","t\u0065xt":"x","raw":1,"retry":"FALLBACK"`, // in another order than the fields
		},
		false: {
			`"x":1`, `"":1`, `"-":1`, `"hidden":1`, `"secret":5`, `"text":null`, `"text":5`, `"time":null`, `"time":5`, `"flag":null`, `"flag":"true"`, `"flag":1`, `"whole":null`, `"whole":5.0`, `"whole":1e3`,
			`"big":1.0`, `"big":null`, `"float":null`, `"map":null`, `"pointer":null`, `"pointer":5.0`, `"texts":null`, `"texts":"a"`, `"texts":[null]`, `"texts":[5,"a"]`, `"texts":["a",5]`, `"nullable":5.0`, `"text":5,"flag":true`,
			`"text":"\ud800"`, "\"texts\":[\"a\",\"\xff\"]", `"secret":"\ud800"`, `"retry":"\ud800"`, // decoding replaces them
			`"next":null`, `"next":"x"`, `"retry":5`, `"next":{"always":1,"x":1}`, `"list":[{}]`, `"list":[null]`, `"maybe":{"amount":1.0}`,
		},
	}
	for want, members := range tests {
		for _, member := range members {
			data := []byte(`{"always":1,` + member + `} `)
			require.True(t, json.Valid(data), member)
			end, whole := newWalk(data).object(k, 0)
			require.Equal(t, len(data)-1, end, member)
			require.Equal(t, want, whole, member)
		}
	}
	_, whole := newWalk([]byte(`{"text":"x"}`)).object(k, 0)
	require.False(t, whole, "a member that is always written is missing")
}

// shape is one of several objects; circle has the members of one.
type (
	shape struct {
		Name   string      `json:"name"`
		Circle *circleForm `json:"-"`
		kept   `json:"-"`
	}
	circleForm struct {
		Inside pair `json:"inside"`
	}
	circle struct {
		Name string `json:"name"`
		circleForm
		kept `json:"-"`
	}
)

func (s *shape) asKind() any { return &circle{s.Name, *s.Circle, s.kept} }

var shapes = func() *Types {
	types, traits := newTypes(), newTypes().Traits
	types.Traits = func(t reflect.Type) Traits {
		if t == reflect.TypeFor[shape]() {
			return Traits{AsKind: func(pointer any) any { return pointer.(*shape).asKind() }}
		}
		return traits(t)
	}
	return types
}()

func (s shape) MarshalJSON() ([]byte, error) {
	whole := s.asKind()
	return shapes.Marshal(whole, whole)
}

func TestATypeThatIsOneOfSeveralObjectsIsWrittenByItsForm(t *testing.T) {
	var c circle
	require.NoError(t, shapes.Read(&c, []byte(`{"new":1,"name":"c","inside":{"key":"k","value":"hidden","more":2.0}}`)))
	read := shape{Name: "changed", Circle: &c.circleForm, kept: c.kept}
	hidden, err := json.Marshal(read)
	require.NoError(t, err)
	require.Equal(t, `{"new":1,"name":"changed","inside":{"key":"k","value":null}}`, string(hidden))
	result, err := shapes.Encode([]*shape{&read, {Circle: &circleForm{}}})
	require.NoError(t, err)
	const written = `[{"new":1,"name":"changed","inside":{"key":"k","value":"hidden","more":2.0}},{"name":"","inside":{"key":"","value":null}}]`
	require.Equal(t, Result{[]byte(written), []string{"hidden"}, []string{"[1].inside.value"}}, result)
	require.Equal(t, known("hidden"), read.Circle.Inside.Value, "the value itself stays closed")
}

func TestAValueKeepsTheJSONThatItWasReadFrom(t *testing.T) {
	types := newTypes()
	types.Clean = func(data []byte) []byte { return append([]byte(" "), data...) }
	var s sample
	const read = `{"always":1,"maybe":{"y":2},"list":[{"always":null},{ }]}`
	require.NoError(t, types.Read(&s, []byte(read)))
	require.Equal(t, " "+read, string(Of(s.kept)))
	require.Nil(t, Of(s.Maybe.value.kept), "objects inside keep nothing")
	require.Nil(t, Of(s.List[1].kept))

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
	var both sample
	require.NoError(t, newTypes().Read(&both, []byte(`{"map":{"a":1},"MAP":{"b":2}}`)))
	require.Equal(t, map[string]int{"a": 1}, both.Map, "nothing is left of the other one")
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
	type holder struct {
		Circles []circle `json:"circles"`
		kept    `json:"-"`
	}
	var h holder
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

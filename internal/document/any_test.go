package document_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/document"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// The types of these tests: hush is a secret, which its method writes if it is open; option is null
// or a value, and owner an object that has what it was read from.
type (
	hush struct {
		text        string
		known, open bool
	}
	option[T any] struct {
		value T
		there bool
	}
	owner struct {
		Name  string `json:"name"`
		Count *int   `json:"count,omitempty"`
		Key   *hush  `json:"key,omitempty"`
		Part  *piece `json:"part,omitempty"`
		from  *[]byte
	}
	plainOwner owner
	piece      struct {
		Amount *int `json:"amount,omitempty"`
	}
	// shape is an object whose members are those of circle, one of two kinds.
	shape  struct{ circle *circle }
	circle struct {
		Name   string `json:"name"`
		Inside pair   `json:"inside"`
		from   *[]byte
	}
	square struct {
		Pairs []*pair `json:"pairs"`
		Side  hush    `json:"side"`
		Name  string  `json:"name"`
	}
	pair struct {
		Key   string `json:"key"`
		Value hush   `json:"value"`
	}
	// note has members without a field in its Extra.
	note struct {
		Text  string `json:"text,omitempty"`
		When  *int   `json:"when"`
		Extra hush   `json:"-"`
		none  string // the object with the members that were null
	}
	tree struct {
		Secret hush            `json:"secret,omitzero"`
		Child  *tree           `json:"child,omitempty"`
		Named  map[string]tree `json:"named,omitempty"`
		Any    any             `json:"any,omitempty"`
	}
	inner struct{ S hush }
)

func known(text string) hush { return hush{text: text, known: true} }

func (s hush) MarshalJSON() ([]byte, error) {
	if !s.open {
		return []byte("null"), nil
	}
	return rawjson.Encode(s.text)
}

func (s *hush) UnmarshalJSON(data []byte) error {
	s.known = string(data) != "null"
	return json.Unmarshal(data, &s.text)
}

func (o option[T]) MarshalJSON() ([]byte, error) {
	if !o.there {
		return []byte("null"), nil
	}
	return rawjson.Encode(&o.value)
}

func (o *option[T]) innerOf() (any, bool) { return &o.value, o.there }

func (o owner) MarshalJSON() ([]byte, error) { return hidden(&o) }
func (s shape) MarshalJSON() ([]byte, error) { return hidden(&s) }

// hidden writes a value with null for each secret.
func hidden(pointer any) ([]byte, error) {
	w, v := document.Writer{Hide: true}, reflect.ValueOf(pointer).Elem()
	data := w.Value(anyPlans.Of(v.Type()), v)
	return data, w.Err
}

var anyPlans = &jsontype.Plans{}

func init() { // the methods that the traits call use the plans
	from := func(read *[]byte) []byte {
		if read == nil {
			return nil
		}
		return *read
	}
	*anyPlans = jsontype.Plans{Decode: json.Unmarshal, Traits: func(t reflect.Type) (traits jsontype.Traits) {
		type wrapper interface{ innerOf() (any, bool) }
		switch {
		case t == reflect.TypeFor[hush]():
			traits.Reveal = func(p any) (string, bool) { return p.(*hush).text, !p.(*hush).known }
		case t == reflect.TypeFor[owner]():
			traits.Object = func(p any) (any, []byte) { return (*plainOwner)(p.(*owner)), from(p.(*owner).from) }
		case t == reflect.TypeFor[shape]():
			traits.Object = func(p any) (any, []byte) { return p.(*shape).circle, from(p.(*shape).circle.from) }
		case t == reflect.TypeFor[circle]():
			traits.Kinds = func() []reflect.Type { return []reflect.Type{reflect.TypeFor[circle](), reflect.TypeFor[square]()} }
		case t == reflect.TypeFor[note]():
			traits.Extra = func(p any) (extra, omitted []byte) {
				return []byte(p.(*note).Extra.text), []byte(p.(*note).none)
			}
		case reflect.PointerTo(t).Implements(reflect.TypeFor[wrapper]()) && t.Kind() == reflect.Struct && t.NumMethod() > 0 && t.NumField() == 2:
			traits.Inner = func(p any) (any, bool) { return p.(wrapper).innerOf() }
		}
		return traits
	}}
}

// result is a value as JSON, with its secrets, and the paths of those that are withheld.
type result struct {
	JSON              string
	Secrets, Withheld []string
}

func encode(v any) (result, error) {
	var w document.Writer
	p, value := anyPlans.OfAny(&v)
	data := w.Value(p, value)
	if w.Err != nil {
		return result{}, w.Err
	}
	r := result{JSON: string(data)}
	for _, one := range document.Secrets(nil, p, value, data, nil) {
		if one.Withheld != "" {
			r.Withheld = append(r.Withheld, one.Withheld)
		} else if one.Text != "" {
			r.Secrets = append(r.Secrets, one.Text)
		}
	}
	return r, nil
}

// requireLikeJSON compares what is written of a value with what encoding/json, without its escapes
// for HTML, writes of the same value with open secrets: the same bytes, or an error from both.
func requireLikeJSON(t testing.TB, v, open any) {
	t.Helper()
	want, wantErr := rawjson.Encode(open)
	got, err := encode(v)
	if wantErr != nil {
		require.Error(t, err, "encoding/json: %v\ngot %s", wantErr, got.JSON)
		return
	}
	require.NoError(t, err, "%T", v)
	require.Equal(t, string(want), got.JSON, "%T", v)
}

type (
	valueMarshaler   struct{ A any }
	pointerMarshaler struct{ A, Any any }
	valueText        struct{ A int }
	htmlMarshaler    struct{ Any any }
	Embedded         struct {
		A   int
		Any any
	}
	embedded struct{ X, Y any }
	embeds   struct {
		Embedded
		embedded
		B any
	}
	embedsPointers struct {
		*Embedded
		B any
	}
	Inner        struct{ S hush }
	embedsSecret struct {
		Inner
		T *hush `json:",omitzero"`
	}
	embedsInner     struct{ *Inner }
	embedsMarshaler struct {
		valueMarshaler
		Any any
	}
	zeroes struct {
		Value sevenIsZero  `json:",omitzero"`
		To    *sevenIsZero `json:",omitzero"`
		Any   any          `json:",omitempty"`
		Array [2]any       `json:",omitzero"`
	}
	sevenIsZero struct{ A any }
	Key         string
)

func (v valueMarshaler) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, ` { "a" : "%v" } `, v.A != nil), nil
}
func (v *pointerMarshaler) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `["pointer",%t]`, v.A == nil), nil
}
func (v valueText) MarshalText() ([]byte, error)   { return fmt.Appendf(nil, "<%d>", v.A), nil }
func (htmlMarshaler) MarshalJSON() ([]byte, error) { return []byte("\"<a>&\u2028\""), nil }
func (z sevenIsZero) IsZero() bool                 { return z.A == 7 }

var leafTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[string](), reflect.TypeFor[any](), reflect.TypeFor[any](),
	reflect.TypeFor[[]byte](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[valueMarshaler](),
	reflect.TypeFor[pointerMarshaler](), reflect.TypeFor[valueText](), reflect.TypeFor[htmlMarshaler](), reflect.TypeFor[embeds](), reflect.TypeFor[embedsPointers](),
	reflect.TypeFor[embedsMarshaler](), reflect.TypeFor[zeroes](), reflect.TypeFor[failing](),
	reflect.TypeFor[hush](), reflect.TypeFor[hush](), reflect.TypeFor[option[hush]](), reflect.TypeFor[embedsSecret](), reflect.TypeFor[embedsInner](), reflect.TypeFor[tree](), reflect.TypeFor[json.Number](), reflect.TypeFor[float64](), reflect.TypeFor[float32](),
}

var keyTypes = []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[Key](), reflect.TypeFor[int16](), reflect.TypeFor[valueText]()}

// maker makes random types and values.
type maker struct {
	*rand.Rand
	open bool // their secrets are
}

func pick[T any](m maker, list []T) T { return list[m.IntN(len(list))] }

func (m maker) makeType(depth int) reflect.Type {
	if depth == 0 {
		return pick(m, leafTypes)
	}
	switch m.IntN(6) {
	case 0:
		return reflect.PointerTo(m.makeType(depth - 1))
	case 1:
		return reflect.SliceOf(m.makeType(depth - 1))
	case 2:
		return reflect.ArrayOf(m.IntN(3), m.makeType(depth-1))
	case 3:
		return reflect.MapOf(pick(m, keyTypes), m.makeType(depth-1))
	}
	var fields []reflect.StructField
	for i := range m.IntN(5) {
		name := pick(m, []string{"", "", "x", "y", "a b", "-", "<>", "ü"})
		options := pick(m, []string{"", "", ",omitempty", ",omitzero", ",string", ",omitempty,omitzero", ",string,omitempty"})
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: m.makeType(depth - 1), Tag: reflect.StructTag(fmt.Sprintf("json:%q", name+options)),
		})
	}
	return reflect.StructOf(fields)
}

func (m maker) makeValue(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	if raw, ok := v.Addr().Interface().(*json.RawMessage); ok {
		*raw = json.RawMessage(pick(m, []string{`null`, `{"a" : 1}`, `"<"`, ` 1 `}))
		return v
	}
	switch one := v.Addr().Interface().(type) {
	case *json.Number:
		*one = json.Number(pick(m, []string{"", "1", "-1.50", "1e5"}))
		return v
	case *hush:
		if m.IntN(4) > 0 {
			*one = hush{pick(m, []string{"", "a", "<\"é\u2028"}), true, m.open}
		}
		return v
	case *option[hush]:
		*one = option[hush]{m.makeValue(reflect.TypeFor[hush](), depth).Interface().(hush), m.IntN(3) > 0}
		return v
	}
	if depth == 0 || m.IntN(6) == 0 {
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(m.IntN(2) == 0)
	case reflect.Int, reflect.Int16:
		v.SetInt(m.Int64() - m.Int64())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(pick(m, []float64{0, 1, -1.5, 1e21, 1e-7, 123456789}))
	case reflect.Uint8:
		v.SetUint(m.Uint64())
	case reflect.String:
		v.SetString(pick(m, []string{"", "a", "<b>", "é", "\xff", "\u2028", "\"\\", "\x00", "long text with spaces"}))
	case reflect.Pointer:
		v.Set(m.makeValue(t.Elem(), depth-1).Addr())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(t, m.IntN(3), 3))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(m.makeValue(t.Elem(), depth-1))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range m.IntN(4) {
			v.SetMapIndex(m.makeValue(t.Key(), 3), m.makeValue(t.Elem(), depth-1))
		}
	case reflect.Interface:
		if inner := m.makeType(m.IntN(3)); inner.Implements(t) {
			v.Set(m.makeValue(inner, depth-1))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if f := v.Field(i); f.CanSet() {
				f.Set(m.makeValue(f.Type(), depth-1))
			}
		}
	}
	return v
}

func requireRandomLikeJSON(t testing.TB, seed uint64) {
	forms := func(open bool) []any {
		m := maker{rand.New(rand.NewPCG(seed, 0)), open}
		v := m.makeValue(m.makeType(m.IntN(4)), 6)
		return []any{v.Interface(), v.Addr().Interface(), []any{v.Interface()}, map[string]any{"k": v.Addr().Interface()}}
	}
	open, original := forms(true), forms(false)
	for i, form := range forms(false) {
		requireLikeJSON(t, form, open[i])
		require.True(t, reflect.DeepEqual(original[i], form), "writing it changes it: %#v", form)
	}
}

func TestAValueIsWrittenByEncodingJSONWithOpenSecrets(t *testing.T) {
	for seed := range uint64(600) {
		requireRandomLikeJSON(t, seed)
	}
}

func FuzzLikeEncodingJSON(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { requireRandomLikeJSON(t, seed) })
}

// Only values that are addressable have the methods of pointers.
func TestWhatEmbedsAMethodOfPointersIsWrittenByIt(t *testing.T) {
	type embedsIt struct {
		pointerMarshaler
		B int
	}
	for _, v := range []any{embedsIt{}, &embedsIt{}, []embedsIt{{}}, [1]embedsIt{}, map[string]embedsIt{"a": {}}, struct{ *pointerMarshaler }{&pointerMarshaler{}}} {
		requireLikeJSON(t, v, v)
	}
	type quoted struct {
		N *int  `json:"n,string"`
		B *bool `json:"b,string"`
	}
	requireLikeJSON(t, quoted{}, quoted{})
	requireLikeJSON(t, quoted{new(1), new(true)}, quoted{new(1), new(true)})
}

func TestSecretsAreWrittenAndReported(t *testing.T) {
	for name, c := range map[string]struct {
		value             any
		json              string
		secrets, withheld []string
	}{
		"nothing":                     {nil, `null`, nil, nil},
		"the empty text":              {known(""), `""`, nil, nil},
		"a withheld one":              {hush{}, `null`, nil, []string{"$"}},
		"a withheld one in a list":    {[]pair{{"a", known("x")}, {"b", hush{}}}, `[{"key":"a","value":"x"},{"key":"b","value":null}]`, []string{"x"}, []string{"[1].value"}},
		"a withheld one in a map":     {map[string]any{"b": []any{hush{}}, "a": [1]hush{}}, `{"a":[null],"b":[null]}`, nil, []string{"a[0]", "b[0]"}},
		"a withheld one that is zero": {tree{}, `{}`, nil, nil},
		"an object that is zero": {struct {
			P piece `json:"p,omitzero"`
		}{}, `{}`, nil, nil},
		"a map with other keys":                {map[int]hush{2: {}, 1: known("a")}, `{"1":"a","2":null}`, []string{"a"}, []string{"2"}},
		"a withheld one in an embedded struct": {&struct{ *inner }{&inner{}}, `{"S":null}`, nil, []string{"S"}},
		"a type that contains itself":          {tree{Secret: known("a"), Child: &tree{Secret: known("b")}, Named: map[string]tree{"x": {}, "y": {Secret: known("c")}}}, `{"secret":"a","child":{"secret":"b"},"named":{"x":{},"y":{"secret":"c"}}}`, []string{"a", "b", "c"}, nil},
		"a value or null":                      {[]option[pair]{{}, {pair{"k", known("x")}, true}, {pair{}, true}}, `[null,{"key":"k","value":"x"},{"key":"","value":null}]`, []string{"x"}, []string{"[2].value"}},
		"what embeds a secret":                 {struct{ hush }{known("x")}, `"x"`, []string{"x"}, nil},
		"what embeds a withheld one":           {[]struct{ hush }{{}}, `[null]`, nil, []string{"[0]"}},
		"what embeds a pointer to it":          {struct{ *hush }{new(known("x"))}, `"x"`, []string{"x"}, nil},
	} {
		got, err := encode(c.value)
		require.NoError(t, err, name)
		require.Equal(t, result{c.json, c.secrets, c.withheld}, got, name)
	}
}

// The race detector finds what is read beside the fields of encoding/json.
func TestWhatEncodingJSONDoesNotReadMayChangeMeanwhile(t *testing.T) {
	type inner struct {
		mutex sync.Mutex
		S     hush
	}
	type guarded struct {
		mutex sync.Mutex
		calls int
		Inner inner
		Items []inner
	}
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
	for range 2 { // which also share the plans
		done.Go(func() {
			for range 50 {
				got, err := encode(v)
				assert.NoError(t, err)
				assert.Equal(t, `{"Inner":{"S":"a"},"Items":[{"S":"b"}]}`, got.JSON)
			}
		})
	}
	done.Wait()
}

func TestTheErrorsAreThoseOfEncodingJSON(t *testing.T) {
	for _, v := range []any{[]any{known("a"), make(chan int)}, &struct{ C chan int }{}, map[string]any{"a": failing{}}, map[bool]hush{true: known("a")}, []any{func() {}}} {
		_, want := json.Marshal(v)
		require.Error(t, want)
		_, err := encode(v)
		require.EqualError(t, err, want.Error())
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
	type node struct{ Next, Other *node }
	both := &node{}
	both.Next, both.Other = both, both
	for name, v := range map[string]any{"a pointer": loop, "two pointers": both, "a map": members, "a list": list, "an interface": pointer} {
		_, err := encode(v) // not with encoding/json, which overflows the stack in Go 1.27
		require.ErrorAs(t, err, new(*json.UnsupportedValueError), name)
		require.ErrorContains(t, err, "encountered a cycle via ", name)
	}
}

func TestDeepValuesAreNotCycles(t *testing.T) {
	shared := &tree{Any: 1}
	deep := &tree{Any: []any{shared, shared}}
	for range testkit.Size(1500, 3000) {
		deep = &tree{Child: deep, Any: shared}
	}
	requireLikeJSON(t, []any{deep, deep}, []any{deep, deep})
	nested := make([]any, 1)
	nested[0] = nested[:0] // the same memory, but not the same list
	var list any = nested
	for range 1000 {
		list = []any{list}
	}
	requireLikeJSON(t, list, list)
}

func TestAnObjectIsWrittenAsItWasReadExceptForChanges(t *testing.T) {
	const read = ` { "x": [1.50, "y"], "name": "\u006e", "count": null, "KEY": "s\u0033cret" , "x": 2, "part": {"z&": "\ud800", "amount": 1} } `
	const part = `,"part":{"z&":"\ud800","amount":1}`
	tests := map[string]struct {
		change       func(*owner)
		want, hidden string
	}{
		"nothing is changed": {func(*owner) {}, `{"x":[1.50,"y"],"name":"\u006e","count":null,"KEY":"s\u0033cret","x":2` + part + `}`, `{"name":"\u006e","count":null,"KEY":null` + part + `}`},
		"what was null":      {func(o *owner) { o.Count = new(3) }, `{"x":[1.50,"y"],"name":"\u006e","count":3,"KEY":"s\u0033cret","x":2` + part + `}`, `{"name":"\u006e","count":3,"KEY":null` + part + `}`},
		"a secret":           {func(o *owner) { o.Key = new(known("new")) }, `{"x":[1.50,"y"],"name":"\u006e","count":null,"key":"new","x":2` + part + `}`, `{"name":"\u006e","count":null,"key":null` + part + `}`},
		"a secret is gone":   {func(o *owner) { o.Key = nil }, `{"x":[1.50,"y"],"name":"\u006e","count":null,"x":2` + part + `}`, `{"name":"\u006e","count":null` + part + `}`},
		"an object inside":   {func(o *owner) { o.Part.Amount = new(2) }, `{"x":[1.50,"y"],"name":"\u006e","count":null,"KEY":"s\u0033cret","x":2,"part":{"z&":"\ud800","amount":2}}`, `{"name":"\u006e","count":null,"KEY":null,"part":{"z&":"\ud800","amount":2}}`},
		"nobody has read it": {func(o *owner) { o.from = nil }, `{"name":"n","key":"s3cret","part":{"amount":1}}`, `{"name":"n","key":null,"part":{"amount":1}}`},
	}
	for name, tt := range tests {
		o := owner{from: new([]byte(read))}
		require.NoError(t, json.Unmarshal([]byte(read), (*plainOwner)(&o)))
		tt.change(&o)
		for want, values := range map[string][]any{tt.want: {[]owner{o}, []any{&o}, []option[*owner]{{&o, true}}}, tt.hidden: {[1]struct{ owner }{{o}}}} {
			for _, v := range values { // the method of a user's struct hides secrets
				got, err := encode(v)
				require.NoError(t, err)
				require.Equal(t, "["+want+"]", got.JSON, "%s: %T", name, v)
			}
		}
		data, err := json.Marshal(o)
		require.NoError(t, err)
		require.JSONEq(t, tt.hidden, string(data), "an unknown member beside a secret may contain it")
	}
	o := owner{from: new([]byte(`{"name":1}`))}
	_, err := encode(o)
	require.ErrorContains(t, err, "cannot unmarshal number", "what was read does not fit the type")
	_, err = json.Marshal(o)
	require.ErrorContains(t, err, "cannot unmarshal number")
}

func TestAnObjectIsWrittenByTheStructThatHasItsMembers(t *testing.T) {
	const read = `{"new":1,"name":"c","inside":{"key":"k","value":"hidden","more":2.0}}`
	s := shape{&circle{from: new([]byte(read))}}
	require.NoError(t, json.Unmarshal([]byte(read), s.circle))
	s.circle.Name = "changed"
	data, err := json.Marshal(s)
	require.NoError(t, err)
	require.Equal(t, `{"new":1,"name":"changed","inside":{"key":"k","value":null}}`, string(data))
	got, err := encode([]*shape{&s, {&circle{}}})
	require.NoError(t, err)
	const written = `[{"new":1,"name":"changed","inside":{"key":"k","value":"hidden","more":2.0}},{"name":"","inside":{"key":"","value":null}}]`
	require.Equal(t, result{written, []string{"hidden"}, []string{"[1].inside.value"}}, got)
}

func TestAMemberThatIsASecretInAnotherKindIsHidden(t *testing.T) {
	for read, want := range map[string]string{
		`{"pairs":[{"key":"k","VALUE":"s","x":1},null,7],"new":{"a":1}}`: `{"pairs":[{"key":"k","VALUE":null},null,null],"new":{"a":1},"name":"n"}`,
		`{"SIDE":"s","pairs":{"key":"s"}}`:                               `{"SIDE":null,"pairs":null,"name":"n"}`,
		`{"side":["s"],"pairs":null}`:                                    `{"side":null,"pairs":null,"name":"n"}`,
	} {
		s := shape{&circle{from: new([]byte(read))}}
		s.circle.Name = "n"
		data, err := hidden(&s)
		require.NoError(t, err)
		require.Equal(t, want, string(data))
	}
}

func TestTheMembersOfAnExtraAreWrittenUnlessTheyAreHidden(t *testing.T) {
	n := note{Text: "t", Extra: known(`{"x" : [1.0], "when": "never"}`), none: `{"text":null,"when":null}`}
	got, err := encode(&n)
	require.NoError(t, err)
	require.Equal(t, `{"text":"t","x":[1.0],"when":"never"}`, got.JSON)
	data, err := hidden(&n)
	require.NoError(t, err)
	require.Equal(t, `{"text":"t","when":null}`, string(data))
	n.Text, n.Extra = "", hush{}
	got, err = encode(&n)
	require.NoError(t, err)
	require.Equal(t, `{"when":null,"text":null}`, got.JSON, "what was null is null again")
}

type failing struct{ A any }

func (failing) MarshalJSON() ([]byte, error) { return nil, errors.New("no") }

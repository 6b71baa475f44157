package reveal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// The hiding types of these tests.
type (
	secret struct {
		text  string
		known bool
	}
	secretJSON struct{ text string }
	holder     struct{ Value any } // its content is another value
	nothing    struct{}
	encoded    struct{ Result }           // opens to what was encoded before
	pointing   struct{ pointerMarshaler } // opens to a value with a method of its pointer
)

type hides interface{ open() Content }

func (s *secret) open() Content {
	if s == nil || !s.known {
		return Content{}
	}
	return Content{Kind: Text, Text: s.text}
}
func (s *secretJSON) open() Content { return Content{Kind: JSON, Text: s.text} }
func (h *holder) open() Content     { return Content{Kind: Value, Value: &h.Value} }
func (*nothing) open() Content      { return Content{Kind: Null} }
func (e *encoded) open() Content    { return Content{Kind: Encoded, Result: e.Result} }
func (p *pointing) open() Content   { return Content{Kind: Value, Value: &p.pointerMarshaler} }

func (secret) MarshalJSON() ([]byte, error)     { return []byte("null"), nil }
func (secretJSON) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

func newEncoder() *Encoder {
	own := []reflect.Type{reflect.TypeFor[secret](), reflect.TypeFor[secretJSON](), reflect.TypeFor[holder](), reflect.TypeFor[nothing](), reflect.TypeFor[encoded](), reflect.TypeFor[pointing]()}
	return &Encoder{
		Hides: func(t reflect.Type) Hiding {
			for _, o := range own {
				if t == o {
					return Itself
				}
			}
			if reflect.PointerTo(t).Implements(reflect.TypeFor[hides]()) {
				return Embedded
			}
			return Nothing
		},
		Open: func(p any, _ bool) Content { return p.(hides).open() },
	}
}

func known(text string) secret { return secret{text, true} }

type Pair struct {
	Key   string `json:"key"`
	Value secret `json:"value"`
}

// withOwnMethod embeds a secret and has a MarshalJSON of its own.
type withOwnMethod struct {
	secret
	shown string
}

func (w withOwnMethod) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{w.shown: w.text})
}

type tree struct {
	Secret secret          `json:"secret,omitzero"`
	Child  *tree           `json:"child,omitempty"`
	Named  map[string]tree `json:"named,omitempty"`
}

// quotedSecret returns a struct whose secret has the option "string", which has no effect on it.
func quotedSecret() any {
	v := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "S", Type: reflect.TypeFor[secret](), Tag: `json:"s,string"`}})).Elem()
	v.Field(0).Set(reflect.ValueOf(known("x")))
	return v.Interface()
}

func TestSecretsAreWrittenAndReported(t *testing.T) {
	for name, c := range map[string]struct {
		value             any
		json              string
		secrets, withheld []string
	}{
		"a text":                      {known("a"), `"a"`, []string{"a"}, nil},
		"a text to be escaped":        {known("<\"é"), `"<\"é"`, []string{"<\"é"}, nil},
		"the empty text":              {known(""), `""`, nil, nil},
		"a pointer":                   {new(new(known("a"))), `"a"`, []string{"a"}, nil},
		"a nil pointer":               {(*secret)(nil), `null`, nil, nil},
		"a withheld one":              {secret{}, `null`, nil, []string{"$"}},
		"a withheld one in a list":    {[]Pair{{"a", known("x")}, {"b", secret{}}}, `[{"key":"a","value":"x"},{"key":"b","value":null}]`, []string{"x"}, []string{"[1].value"}},
		"a withheld one in a map":     {map[string]any{"b": []any{secret{}}, "a": [1]secret{}}, `{"a":[null],"b":[null]}`, nil, []string{"a[0]", "b[0]"}},
		"a map of secrets":            {map[int]secret{2: known("b"), 1: known("a")}, `{"1":"a","2":"b"}`, []string{"a", "b"}, nil},
		"a struct of the user":        {struct{ P *Pair }{&Pair{"k", known("x")}}, `{"P":{"key":"k","value":"x"}}`, []string{"x"}, nil},
		"an unexported field":         {struct{ s secret }{known("x")}, `{}`, nil, nil},
		"a type that contains itself": {tree{known("a"), &tree{Secret: known("b")}, map[string]tree{"x": {}, "y": {Secret: known("c")}}}, `{"secret":"a","child":{"secret":"b"},"named":{"x":{},"y":{"secret":"c"}}}`, []string{"a", "b", "c"}, nil},
		"JSON":                        {secretJSON{` {"a": "x<", "b": [1, "y", ""], "c": null} `}, `{"a":"x<","b":[1,"y",""],"c":null}`, []string{"x<", "y"}, nil},
		"what holds another value":    {[]any{holder{Pair{"k", known("x")}}, &holder{[]secret{{}}}}, `[{"key":"k","value":"x"},[null]]`, []string{"x"}, []string{"[1][0]"}},
		"a long list":                 {slices.Repeat([]secret{{}}, 12)[:12:12], "[" + strings.Repeat("null,", 11) + "null]", nil, paths("[%d]", 12)},
		"a name of one letter":        {map[string]any{"a": map[string]any{"b": secret{}}}, `{"a":{"b":null}}`, nil, []string{"a.b"}},
		"what was encoded before":     {map[string]any{"a": encoded{Result{[]byte(`[1,null]`), []string{"x"}, []string{"[1]", "$"}}}}, `{"a":[1,null]}`, []string{"x"}, []string{"a[1]", "a"}},
		"a method of the pointer":     {&pointing{pointerMarshaler{A: 1}}, `{"A":1,"Any":null}`, nil, nil},
		"what holds nothing":          {[]nothing{{}}, `[null]`, nil, nil},
		"what embeds a secret":        {struct{ secret }{known("x")}, `"x"`, []string{"x"}, nil},
		"what embeds a withheld one":  {[]struct{ secret }{{}}, `[null]`, nil, []string{"[0]"}},
		"what embeds a pointer to it": {struct{ *secret }{new(known("x"))}, `"x"`, []string{"x"}, nil},
		"what has its own method":     {withOwnMethod{known("x"), "shown"}, `{"shown":"x"}`, nil, nil},
		"the option string":           {quotedSecret(), `{"s":"x"}`, []string{"x"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := newEncoder().Encode(c.value)
			require.NoError(t, err)
			require.Equal(t, c.json, string(got.JSON))
			require.Equal(t, c.secrets, got.Secrets)
			require.Equal(t, c.withheld, got.Withheld)
		})
	}
}

func paths(format string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf(format, i))
	}
	return list
}

func TestNoSecretIsWrittenIfTheyAreHidden(t *testing.T) {
	for value, want := range map[any]string{
		known("a"): `null`, known(""): `null`, secret{}: `null`, secretJSON{`{"a":"x"}`}: `null`, nothing{}: `null`,
		holder{known("a")}: `null`, holder{[1]any{7}}: `[7]`, struct{ secret }{known("x")}: `null`, withOwnMethod{known("x"), "shown"}: `{"shown":"x"}`,
	} {
		data, err := newEncoder().EncodeHidden(value)
		require.NoError(t, err)
		require.Equal(t, want, string(data), "%T", value)
	}
}

func TestATypeIsToldWhetherItsSecretsAreHidden(t *testing.T) {
	e := newEncoder()
	open, told := e.Open, []bool(nil)
	e.Open = func(p any, hidden bool) Content {
		told = append(told, hidden)
		return open(p, hidden)
	}
	values := []any{known("a"), struct{ secret }{known("x")}}
	_, err := e.Encode(values)
	require.NoError(t, err)
	_, err = e.EncodeHidden(values)
	require.NoError(t, err)
	require.Equal(t, []bool{false, false, true}, told, "what embeds a secret is not opened to hide it")
}

func TestNoSecretStaysInTheMemoryOfAnEncoder(t *testing.T) {
	e := newEncoder()
	_, err := e.Encode([]secret{known("hunter2")})
	require.NoError(t, err)
	w, _ := e.walks.Get().(*walk)
	if w == nil {
		t.Skip("the memory is not used again")
	}
	require.Empty(t, bytes.Trim(w.out[:cap(w.out)], "\x00"))
	require.Nil(t, w.secrets)
}

func TestSecretJSONThatIsNotValidIsNotShown(t *testing.T) {
	_, err := newEncoder().Encode([]any{secretJSON{`{"a": hunter2`}})
	require.EqualError(t, err, "json: the text of a SecretJSON is not valid JSON")
}

func TestAValueIsNotChangedByWritingIt(t *testing.T) {
	v := map[string][]Pair{"a": {{"k", known("x")}}}
	_, err := newEncoder().Encode(v)
	require.NoError(t, err)
	require.Equal(t, map[string][]Pair{"a": {{"k", known("x")}}}, v)
}

func TestResultsShareNoMemory(t *testing.T) {
	e := newEncoder()
	first, err := e.Encode([]secret{known("first"), {}})
	require.NoError(t, err)
	_, err = e.Encode([]secret{known("other"), known("third")})
	require.NoError(t, err)
	require.Equal(t, Result{JSON: []byte(`["first",null]`), Secrets: []string{"first"}, Withheld: []string{"[1]"}}, first)
}

func TestManyGoroutinesShareAnEncoder(t *testing.T) {
	e := newEncoder()
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			for range 50 {
				got, err := e.Encode(tree{Secret: known("a"), Child: &tree{}})
				if err != nil || string(got.JSON) != `{"secret":"a","child":{}}` {
					t.Errorf("%s %v", got.JSON, err)
				}
			}
		})
	}
	done.Wait()
}

package reveal

import (
	"encoding/json"
	"reflect"
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

func (secret) MarshalJSON() ([]byte, error)     { return []byte("null"), nil }
func (secretJSON) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

func newEncoder() *Encoder {
	own := []reflect.Type{reflect.TypeFor[secret](), reflect.TypeFor[secretJSON](), reflect.TypeFor[holder](), reflect.TypeFor[nothing]()}
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
		"a text to be escaped":        {known("<\"é"), `"\u003c\"é"`, []string{"<\"é"}, nil},
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
		"JSON":                        {secretJSON{` {"a": "x<", "b": [1, "y", ""], "c": null} `}, `{"a":"x\u003c","b":[1,"y",""],"c":null}`, []string{"x<", "y"}, nil},
		"what holds another value":    {[]any{holder{Pair{"k", known("x")}}, &holder{[]secret{{}}}}, `[{"key":"k","value":"x"},[null]]`, []string{"x"}, []string{"[1][0]"}},
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

package lenient

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// usual has fields of all the kinds that Quick knows, and of some that it leaves to encoding/json.
type usual struct {
	A string
	B *bool
	C code
	D []string
	E int
	F **string
	G bool
	H json.Number
	I struct{ J int8 }
	K int `json:",string"`
	L float64
	M []struct {
		A  string
		JJ *float32
	}
	N map[string]int
	O any
	P time.Time
	Q json.RawMessage
	R []byte
	S [2]uint16
	inner
}

type inner struct{ T []*code }

// code is JSON that is longer than two bytes.
type code string

func (c *code) UnmarshalJSON(data []byte) error {
	if *c = code(data); len(data) < 3 {
		return errors.New("it is too short")
	}
	return nil
}

// FuzzQuick holds what Quick reads equal to what encoding/json reads.
func FuzzQuick(f *testing.F) {
	for _, text := range []string{
		`{"A":"a\u0020b","C":12.5}`, " { \"B\" : true , \"A\":\"\" } ", `{"B":true,"B":null}`, `{"B":false,"C":"c"}`, `{}`, `null`, ` null `,
		`{"E":-12,"F":"\u0041","G":true,"A":"b"}`, `{"F":null,"G":false,"E":9223372036854775807}`, `{"L":1}`, `{"A":null,"E":null,"G":null,"I":null,"L":null,"D":null,"N":null,"O":null,"S":null,"R":null}`,
		`{"D":["a","b","c"],"D":["d"]}`, `{"D":[]}`, `{"M":[{"A":"x"},{"jj2":[1,{}],"JJ":1.5}],"M":[{"JJ":2}]}`, `{"I":{"J":-1}}`, `{"L":-1.5e3}`, `{"L":12}`,
		`{"N":{"a":1},"O":[1,{"a":"b"}],"P":"2026-08-19T10:16:01Z","Q": [ 1 , 2 ] ,"R":"YWI=","S":[1,2],"T":[null,"abc"]}`, `{"H":1}`, `{"newer":{"a":[]},"x":null}`, `{"A":"é\ud800"}`,
	} {
		_, ok := Quick([]byte(text), new(usual))
		require.True(f, ok, text)
		f.Add([]byte(text))
	}
	for _, text := range []string{
		``, `[]`, `{"A":1}`, `{"a":""}`, `{"\u0041":""}`, `{"B":"true"}`, `{"B":1}`, `{"C":""}`, `{"A":"x"}x`, `{"A":"x"`, `{"A"`, `{"A":x}`, `{"A":"x",}`, `{"D":["a",]}`, `{"D":{}}`, `{"D":"a"}`, `{"I":[]}`,
		`{"E":1.0}`, `{"E":9223372036854775808}`, `{"F":1}`, `{"K":"1"}`, `{"I":{"J":128}}`, `{"L":1e400}`, `{"M":[{"JJ":1e40}]}`, `{"N":{"a":"b"}}`, `{"newer":{"a":[}}`, `{"E":nul}`, `{"G":fals}`, `{"H":tru}`,
	} {
		_, ok := Quick([]byte(text), new(usual))
		require.False(f, ok, text)
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var fast, plain usual
		if _, ok := Quick(data, &fast); ok {
			require.NoError(t, json.Unmarshal(data, &plain))
			require.Equal(t, plain, fast)
		}
		fast = usual{}
		require.Equal(t, json.Unmarshal(data, new(usual)) == nil, Strict(data, &fast) == nil)
	})
}

func TestAStructWithoutANameIsReadByTheMethodOfOneThatItEmbeds(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[struct{ time.Time }](), reflect.TypeFor[struct{ A struct{ time.Time } }]()} {
		for _, text := range []string{`"2026-08-19T10:16:01Z"`, `{"A":{"Time":"2026-08-19T10:16:01Z"}}`} {
			want, got := reflect.New(typ).Interface(), reflect.New(typ).Interface()
			require.Equal(t, json.Unmarshal([]byte(text), want) == nil, Strict([]byte(text), got) == nil)
			require.Equal(t, want, got)
		}
	}
}

func TestWhatIsLostIsSeen(t *testing.T) {
	type object struct {
		Always string
		On     bool     `json:",omitempty"`
		Tags   []string `json:",omitzero"`
		Parts  []struct{ A int }
		Next   *object
	}
	for text, want := range map[string]bool{
		`{"Always":"","On":true,"Tags":["a"],"Parts":[{"A":1}],"Next":null}`: true, `{}`: true,
		`{"newer":1}`: false, `{"Parts":[{"A":1},{"B":1}]}`: false, `{"On":false}`: false, `{"Tags":[]}`: false, `{"Tags":null}`: false, `{"Always":null}`: false, `{"Next":{"Next":{"new":0}}}`: false,
	} {
		whole, ok := Quick([]byte(text), new(object))
		require.True(t, ok)
		require.Equal(t, want, whole, text)
	}
}

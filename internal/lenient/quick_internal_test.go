package lenient

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
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
		`{"a":""}`, `{"\u0041":""}`, `{"K":"1"}`,
	} {
		ok := Quick([]byte(text), new(usual))
		require.True(f, ok, text)
		f.Add([]byte(text))
	}
	for _, text := range []string{
		``, `[]`, `{"A":1}`, `{"B":"true"}`, `{"B":1}`, `{"C":""}`, `{"A":"x"}x`, `{"A":"x"`, `{"A"`, `{"A":x}`, `{"A":"x",}`, `{"D":["a",]}`, `{"D":{}}`, `{"D":"a"}`, `{"I":[]}`,
		`{"E":1.0}`, `{"E":9223372036854775808}`, `{"F":1}`, `{"K":"x"}`, `{"I":{"J":128}}`, `{"L":1e400}`, `{"M":[{"JJ":1e40}]}`, `{"N":{"a":"b"}}`, `{"newer":{"a":[}}`, `{"E":nul}`, `{"G":fals}`, `{"H":tru}`,
	} {
		ok := Quick([]byte(text), new(usual))
		require.False(f, ok, text)
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var fast, plain usual
		ok := Quick(data, &fast)
		require.Equal(t, json.Unmarshal(data, &plain) == nil, ok)
		if ok {
			require.Equal(t, plain, fast)
		}
	})
}

func TestAStructWithoutANameIsReadByTheMethodOfOneThatItEmbeds(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[struct{ time.Time }](), reflect.TypeFor[struct{ A struct{ time.Time } }](), reflect.TypeFor[[]struct{ time.Time }](), reflect.TypeFor[map[string]struct{ time.Time }]()} {
		for _, text := range []string{`"2026-08-19T10:16:01Z"`, `{"A":{"Time":"2026-08-19T10:16:01Z"}}`, `[{"Time":"2026-08-19T10:16:01Z"}]`, `["2026-08-19T10:16:01Z"]`, `{"A":"2026-08-19T10:16:01Z"}`} {
			want, got := reflect.New(typ).Interface(), reflect.New(typ).Interface()
			require.Equal(t, json.Unmarshal([]byte(text), want) == nil, Quick([]byte(text), got))
			require.Equal(t, want, got)
		}
	}
}

// TestAListIsMadeAsLongAsItBecomes fails if a list grows while it is read.
func TestAListIsMadeAsLongAsItBecomes(t *testing.T) {
	text := []byte(`[` + strings.Repeat(`true,`, 999) + `true]`)
	var list []bool
	require.LessOrEqual(t, testing.AllocsPerRun(10, func() {
		list = nil
		ok := Quick(text, &list)
		require.True(t, ok)
	}), 4.0)
	require.Len(t, list, 1000)
	require.Less(t, cap(list), 1100)
}

// TestListsDeepInsideAreNotCounted fails if each of many lists inside each other is scanned for
// those around it.
func TestListsDeepInsideAreNotCounted(t *testing.T) {
	type nested []nested
	reads := func(depth int) time.Duration {
		text := []byte(strings.Repeat("[", depth) + strings.Repeat("]", depth))
		return testkit.Least(func() { require.True(t, Quick(text, new(nested))) })
	}
	few := max(reads(rawjson.MaxDepth/16), 20*time.Microsecond) // the clock does not show less
	require.Less(t, reads(rawjson.MaxDepth), 64*few)
}

package reveal

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// requireLikeJSON compares the encoder with encoding/json without its escapes for HTML: the same
// bytes, or an error from both.
func requireLikeJSON(t testing.TB, v any) {
	t.Helper()
	want, wantErr := rawjson.Encode(v)
	got, err := newEncoder().Encode(v)
	if wantErr != nil {
		require.Error(t, err, "encoding/json: %v\ngot %s", wantErr, got.JSON)
		return
	}
	require.NoError(t, err, "%T", v)
	require.Equal(t, string(want), string(got.JSON), "%T", v)
	require.Empty(t, got.Secrets)
	require.Empty(t, got.Withheld)
}

// everywhere returns values that contain v in different places: addressable and not, and
// beside an interface, so that the walk does not leave it to encoding/json.
func everywhere(v any) []any {
	value := reflect.ValueOf(v)
	t := value.Type()
	pointer := reflect.New(t)
	pointer.Elem().Set(value)
	list := reflect.MakeSlice(reflect.SliceOf(t), 1, 1)
	list.Index(0).Set(value)
	array := reflect.New(reflect.ArrayOf(1, t)).Elem()
	array.Index(0).Set(value)
	members := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), t))
	members.SetMapIndex(reflect.ValueOf("k"), value)
	var all []any
	for _, inner := range []reflect.Value{value, pointer, list, array, members} {
		all = append(all, inner.Interface(), []any{inner.Interface()}, map[string]any{"k": inner.Interface()})
		for _, tag := range []reflect.StructTag{``, `json:",omitempty"`, `json:",omitzero"`, `json:",string"`, `json:"v,omitempty,omitzero,string"`} {
			holder := reflect.New(reflect.StructOf([]reflect.StructField{
				{Name: "V", Type: inner.Type(), Tag: tag}, {Name: "Any", Type: reflect.TypeFor[any]()},
			}))
			all = append(all, holder.Elem().Interface())
			holder.Elem().Field(0).Set(inner)
			all = append(all, holder.Interface(), holder.Elem().Interface())
		}
	}
	return all
}

type (
	valueMarshaler   struct{ A int }
	pointerMarshaler struct {
		A   int
		Any any
	}
	valueText        struct{ A int }
	pointerText      struct{ A int }
	textAppender     struct{ A int }
	mixedMarshaler   struct{ Any any }
	nilMarshaler     []int
	failingMarshaler struct{ Any any }
	badMarshaler     struct{ Any any }
	htmlMarshaler    struct{}
)

func (v valueMarshaler) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, ` { "a" : %d } `, v.A), nil
}
func (v *pointerMarshaler) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `["pointer",%d]`, v.A), nil
}
func (v valueText) MarshalText() ([]byte, error)           { return fmt.Appendf(nil, "<%d>", v.A), nil }
func (v *pointerText) MarshalText() ([]byte, error)        { return fmt.Appendf(nil, "*%d", v.A), nil }
func (v textAppender) AppendText(b []byte) ([]byte, error) { return fmt.Appendf(b, "+%d", v.A), nil }
func (mixedMarshaler) MarshalText() ([]byte, error)        { return []byte("text"), nil }
func (*mixedMarshaler) MarshalJSON() ([]byte, error)       { return []byte(`"json"`), nil }
func (n nilMarshaler) MarshalJSON() ([]byte, error)        { return fmt.Appendf(nil, "%t", n == nil), nil }
func (failingMarshaler) MarshalJSON() ([]byte, error)      { return nil, fmt.Errorf("no") }
func (badMarshaler) MarshalJSON() ([]byte, error)          { return []byte("{"), nil }
func (htmlMarshaler) MarshalJSON() ([]byte, error)         { return []byte("\"<a>&\u2028\""), nil }

type (
	zeroByValue   struct{ A int }
	zeroByPointer struct{ A int }
	withZeroers   struct {
		Value      zeroByValue     `json:",omitzero"`
		Pointer    zeroByPointer   `json:",omitzero"`
		ToValue    *zeroByValue    `json:",omitzero"`
		ToPointer  *zeroByPointer  `json:",omitzero"`
		Interface  zeroer          `json:",omitzero"`
		Time       time.Time       `json:",omitzero"`
		Plain      struct{ A int } `json:",omitzero"`
		List       []int           `json:",omitzero"`
		Any        any             `json:",omitzero"`
		EmptyAny   any             `json:",omitempty"`
		Array      [2]int          `json:",omitzero"`
		EmptyArray [0]int          `json:",omitempty"`
		EmptyMap   map[string]int  `json:",omitempty"`
		Struct     struct{}        `json:",omitempty"`
		Float      float64         `json:",omitempty"`
		Pair       *int            `json:",omitempty"`
	}
)

func (z zeroByValue) IsZero() bool    { return z.A == 7 }
func (z *zeroByPointer) IsZero() bool { return z.A == 7 }

type (
	Inner struct {
		A, B int
		Any  any
		C    string
	}
	Other struct {
		B   int
		C   int
		D   int `json:"A"`
		Any any `json:"any"`
	}
	inner     struct{ X, Y any }
	Number    int
	number    int
	Embeds    struct{ Inner }
	EmbedsTwo struct {
		Inner
		Other
		Any any `json:"outer"`
	}
	EmbedsPointers struct {
		*Inner
		*Other
		B int
	}
	EmbedsUnexported struct {
		inner
		X int
	}
	EmbedsUnexportedPointer struct {
		*inner
		Number
		number
	}
	EmbedsNamed struct {
		Inner `json:"in"`
		inner `json:"hidden"`
		Other `json:"-"`
	}
	EmbedsNamedLeaf struct {
		leaf `json:"leaf"`
		Any  any
	}
	leaf        struct{ A valueText }
	EmbedsTwice struct {
		First
		Second
		Any any
	}
	First           struct{ Inner }
	Second          struct{ Inner }
	EmbedsInterface struct {
		fmt.Stringer
		Any any
	}
	EmbedsMarshaler struct {
		valueMarshaler
		Any any
	}
	EmbedsTwoMarshalers struct {
		valueMarshaler
		valueText
		Any any
	}
	EmbedsPointerMarshaler struct {
		pointerMarshaler
		Any any
	}
	EmbedsMap struct {
		Members
		Any any
	}
	Members       map[string]any
	EmbedsAddress struct {
		*Address
		Any any
	}
	Address struct {
		Marshaler pointerMarshaler
		Texts     [1]pointerText
	}
	EmbedsItself struct {
		*EmbedsItself
		Any any
		B   int
	}
	EmbedsItselfAndMore struct {
		*EmbedsItselfAndMore
		Inner
	}
	Loop struct {
		Next *Loop
		Any  any
		List []Loop
		Map  map[string]Loop
	}
)

// tagsThatClash is made by reflection, because go vet refuses such a struct in code.
var tagsThatClash = reflect.StructOf([]reflect.StructField{
	{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
	{Name: "B", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
	{Name: "X", Type: reflect.TypeFor[any](), Tag: `json:"X"`},
	{Name: "Bad", Type: reflect.TypeFor[int](), Tag: `json:a`},
	{Name: "Inner", Type: reflect.TypeFor[Inner](), Anonymous: true},
})

// names is a struct with valid and invalid names in its tags.
var names = func() reflect.Type {
	fields := []reflect.StructField{{Name: "Any", Type: reflect.TypeFor[any]()}, {Name: "Ünicode", Type: reflect.TypeFor[int]()}}
	for i, tag := range []reflect.StructTag{
		`json:"-,"`, `json:"-"`, `json:"a b"`, `json:"<&>"`, `json:"ä"`, `json:"a\\b"`, `json:"a\"b"`, `json:"$%&/()=?"`, `json:"'quoted'"`,
		`json:"plain-Name_1.5"`, `json:",omitempty"`, `json:"unknown,sometimes"`, `xml:"x"`, `json:""`, `json:","`, `json:" "`,
	} {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int](), Tag: tag})
	}
	return reflect.StructOf(fields)
}()

// quoted is a struct whose fields all have the option string.
var quoted = func() reflect.Type {
	fields := []reflect.StructField{{Name: "Any", Type: reflect.TypeFor[any](), Tag: `json:",string"`}}
	for i, v := range []any{0, "", false, float32(0), json.Number(""), new(int), new(string), []int{}, Number(0), valueText{}, pointerText{}, json.RawMessage{}, uint8(0)} {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeOf(v), Tag: `json:",string"`})
	}
	return reflect.StructOf(append(fields, reflect.StructField{Name: "Empty", Type: reflect.TypeFor[int](), Tag: `json:",string,omitempty"`}))
}()

func quotedValue(n *int) any {
	v := reflect.New(quoted).Elem()
	v.FieldByName("F0").SetInt(7)
	v.FieldByName("F1").SetString("a\"<")
	v.FieldByName("F4").SetString("1.5")
	v.FieldByName("F5").Set(reflect.ValueOf(n))
	return v.Interface()
}

func samples() map[string]any {
	n := 3
	return map[string]any{
		"false": false, "int": -5, "int8": int8(-128), "uint": uint(math.MaxUint), "uintptr": uintptr(9),
		"float": 1e21, "small float": 1e-7, "float32": float32(3.4028235e38), "negative zero": math.Copysign(0, -1), "not a number": math.NaN(),
		"text": "plain", "empty text": "", "html": "<a href=\"x\">&</a>", "controls": "\x00\b\f\n\r\t\x1f\x7f\\/", "invalid UTF-8": "a\xffb\xed\xa0\x80",
		"separators": "\u2028\u2029\u20ac\U0001f600", "named text": time.Month(3), "duration": time.Second, "number": json.Number("1.50"), "no number": json.Number("x"), "empty number": json.Number(""),
		"bytes": []byte("a<b"), "nil bytes": []byte(nil), "byte array": [3]byte{1, 2, 3}, "named bytes": []Byte{1, 2}, "texts": []string{"a", "<"}, "nil texts": []string(nil), "no texts": []string{},
		"numbers": []int{1, 2}, "floats": []float64{1.5}, "lists": [][]string{nil, {}, {"a"}}, "raw": json.RawMessage(` {"a" : "<" } `), "nil raw": json.RawMessage(nil), "bad raw": json.RawMessage("{"),
		"map": map[string]any{"b": 1, "a": nil, "<": "x", "": 0, "é": 1}, "nil map": map[string]any(nil), "numbers as keys": map[int]any{10: 1, 9: 2, -1: 3},
		"uints as keys": map[uint8]any{10: 1, 9: 2}, "texts as keys": map[valueText]any{{1}: 1, {2}: 2}, "structs as keys": map[struct{ A int }]any{{1}: 1}, "no structs as keys": map[struct{ A int }]any{},
		"months as keys": map[time.Month]any{2: 1}, "addresses as keys": map[netip.Addr]any{netip.MustParseAddr("::1"): 1}, "truths as keys": map[bool]any{true: 1}, "failing keys": map[failingKey]any{{}: 1}, "named keys": map[Key]any{"z": 1, "a": 2}, "keys with a method": map[textKey]any{"z": 1, "a": 2},
		"embeds an address": EmbedsAddress{&Address{pointerMarshaler{A: 1}, [1]pointerText{{2}}}, 3},
		"embeds more":       EmbedsItselfAndMore{Inner: Inner{A: 1, Any: 2}},
		"embeds itself":     EmbedsItself{EmbedsItself: &EmbedsItself{Any: 1}, B: 2},
		"pointers as keys":  map[*pointerText]any{{1}: 1, {0}: 2}, "appended keys": map[textAppender]any{{1}: 1},
		"value marshaler": valueMarshaler{1}, "pointer marshaler": pointerMarshaler{A: 1}, "value text": valueText{1}, "pointer text": pointerText{1}, "appender": textAppender{1}, "mixed": mixedMarshaler{},
		"nil marshaler": nilMarshaler(nil), "failing": failingMarshaler{}, "bad": badMarshaler{}, "html marshaler": htmlMarshaler{}, "time": time.Unix(1, 2).UTC(), "address": netip.MustParseAddr("10.0.0.1"),
		"nil pointer to marshaler": (*valueMarshaler)(nil), "pointer to pointer": new(&n), "channel": make(chan int), "nil func": (func())(nil), "complex": 1i,
		"zeroers": withZeroers{}, "sevens": withZeroers{
			Value: zeroByValue{7}, Pointer: zeroByPointer{7}, ToValue: &zeroByValue{7}, ToPointer: &zeroByPointer{7}, Interface: zeroByValue{7}, List: []int{}, Any: 0, EmptyAny: 0,
		}, "not zero": withZeroers{Value: zeroByValue{1}, Pointer: zeroByPointer{1}, ToValue: &zeroByValue{1}, ToPointer: &zeroByPointer{1}, Interface: (*zeroByPointer)(nil), Pair: new(0), Float: 1},
		"embeds": Embeds{Inner{A: 1, B: 2, C: "c"}}, "embeds two": EmbedsTwo{Inner{A: 1, B: 2, C: "c"}, Other{B: 3, C: 4, D: 5}, 6},
		"embeds nil pointers": EmbedsPointers{B: 1}, "embeds a pointer": EmbedsPointers{Inner: &Inner{A: 1, Any: pointerMarshaler{}}, B: 2}, "embeds pointers": EmbedsPointers{&Inner{A: 1}, &Other{D: 2}, 3},
		"embeds unexported": EmbedsUnexported{inner{1, pointerText{2}}, 3}, "embeds an unexported pointer": EmbedsUnexportedPointer{&inner{1, 2}, 3, 4}, "embeds an unexported nil": EmbedsUnexportedPointer{},
		"embeds with names": EmbedsNamed{Inner{A: 1}, inner{2, valueText{1}}, Other{}}, "embeds twice": EmbedsTwice{First{Inner{A: 1}}, Second{Inner{A: 2}}, 1},
		"embeds a named leaf": EmbedsNamedLeaf{leaf{valueText{1}}, 1}, "embeds an interface": EmbedsInterface{time.Second, 1}, "embeds no interface": EmbedsInterface{}, "embeds a marshaler": EmbedsMarshaler{},
		"embeds two marshalers": EmbedsTwoMarshalers{}, "embeds a pointer marshaler": EmbedsPointerMarshaler{}, "embeds a map": EmbedsMap{Members{"a": 1}, 2}, "names": reflect.Zero(names).Interface(), "quoted zeros": reflect.Zero(quoted).Interface(), "quoted": quotedValue(&n),
		"tags that clash": reflect.Zero(tagsThatClash).Interface(), "deep": Loop{Next: &Loop{List: []Loop{{}, {}}}, Map: map[string]Loop{"a": {}}, Any: &Loop{Any: Loop{}}}, "any": []any{nil, 1, "a", []any{}, map[string]any{}, valueText{}, &pointerMarshaler{}, pointerMarshaler{}},
	}
}

type (
	failingKey struct{}

	Byte byte
	Key  string

	textKey string
)

func (failingKey) MarshalText() ([]byte, error) { return nil, errors.New("no") }
func (k textKey) MarshalText() ([]byte, error)  { return []byte("method " + k), nil }

func TestValuesThatHideNothingAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	requireLikeJSON(t, nil)
	for name, sample := range samples() {
		t.Run(name, func(t *testing.T) {
			for _, v := range everywhere(sample) {
				requireLikeJSON(t, v)
			}
		})
	}
}

func TestTheNextValueIsWrittenAfterAnError(t *testing.T) {
	e := newEncoder()
	for range 3 {
		_, err := e.Encode(map[string]any{"a": []any{secret{"text-1", true}, secret{}, make(chan int)}})
		require.Error(t, err)
		got, err := e.Encode([]any{1, secret{}})
		require.NoError(t, err)
		require.Equal(t, `[1,null]`, string(got.JSON))
		require.Equal(t, []string{"[1]"}, got.Withheld)
		require.Empty(t, got.Secrets)
	}
}

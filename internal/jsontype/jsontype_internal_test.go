package jsontype

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type (
	Inner struct {
		A, B int
		C    string
	}
	Other struct {
		B, C int
		D    int `json:"A"`
		Any  any `json:"any"`
	}
	inner  struct{ X, Y any }
	First  struct{ Inner }
	Second struct{ Inner }
	Number int
	number int
	Itself struct {
		*Itself
		B int
	}
	ItselfAndMore struct {
		*ItselfAndMore
		Inner
	}
)

// structs are structs with fields that hide each other, have odd names, or are not written.
var structs = []any{
	struct{}{}, Inner{}, Itself{}, ItselfAndMore{},
	struct{ Inner }{},
	struct {
		Inner
		Other
		Any any `json:"outer"`
	}{},
	struct {
		*Inner
		*Other
		B int
	}{Inner: &Inner{}, Other: &Other{}},
	struct {
		inner
		X int
	}{},
	struct {
		Number
		number
	}{},
	struct {
		Inner `json:"in"`
		Other `json:"-"`
	}{},
	struct {
		First
		Second
		Any any
	}{},
	struct {
		fmt.Stringer
		Any any `json:"-"`
	}{},
	struct {
		C int `json:"ä"`
		D int
		f int
	}{f: 1},
	reflect.Zero(reflect.StructOf([]reflect.StructField{ // by reflection, because go vet refuses it in code
		{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
		{Name: "B", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
		{Name: "X", Type: reflect.TypeFor[any](), Tag: `json:"X"`},
		{Name: "Dash", Type: reflect.TypeFor[int](), Tag: `json:"-,"`},
		{Name: "All", Type: reflect.TypeFor[int](), Tag: `json:"!#$%&()*+-./:;<=>?@[]^_{|}~ "`},
		{Name: "Inner", Type: reflect.TypeFor[Inner](), Anonymous: true},
	})).Interface(),
}

func TestTheFieldsAreThoseThatEncodingJSONWritesInItsOrder(t *testing.T) {
	for _, v := range structs {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		decoder := json.NewDecoder(strings.NewReader(string(data)))
		var want, got []string
		_, err = decoder.Token()
		require.NoError(t, err)
		for decoder.More() {
			name, err := decoder.Token()
			require.NoError(t, err)
			require.NoError(t, decoder.Decode(new(any)))
			want = append(want, name.(string))
		}
		for _, f := range Fields(reflect.TypeOf(v)) {
			got = append(got, f.Name)
			sf := reflect.TypeOf(v).FieldByIndex(f.Index)
			require.Equal(t, sf.Type, f.Type)
			last := f.Index[len(f.Index)-1]
			require.Equal(t, sf.Name, f.Owner.Field(last).Name)
		}
		require.Equal(t, want, got, "%T", v)
	}
}

func TestAFieldHasTheOptionsOfItsTag(t *testing.T) {
	for _, tag := range []string{"a`b", `a\b`, `a"b`, "a\u2028b"} {
		_, ok := tagName(tag)
		require.False(t, ok, tag)
	}
	fields := Fields(reflect.TypeOf(struct {
		A     int  `json:",omitempty"`
		B     *int `json:"b,omitzero,string"`
		inner `json:"named"`
	}{}))
	for i, want := range []Field{{OmitEmpty: true}, {OmitZero: true, String: true}, {Unexported: true}} {
		got := fields[i]
		require.Equal(t, want, Field{Unexported: got.Unexported, OmitEmpty: got.OmitEmpty, OmitZero: got.OmitZero, String: got.String})
	}
}

// zeroish is zero if it is 1.
type zeroish int

func (z zeroish) IsZero() bool { return z == 1 }

func TestAFieldIsOmittedWhereEncodingJSONOmitsIt(t *testing.T) {
	type object struct {
		Always   string
		Text     string         `json:",omitempty"`
		List     []int          `json:",omitempty"`
		Map      map[string]int `json:",omitzero"`
		Zero     []int          `json:",omitzero"`
		Array    [1]int         `json:",omitempty"`
		None     [0]int         `json:",omitempty"`
		Struct   Inner          `json:",omitempty"`
		Inner    Inner          `json:",omitzero"`
		Time     time.Time      `json:",omitzero"`
		When     *time.Time     `json:",omitzero"`
		Pointer  *int           `json:",omitempty"`
		Number   float64        `json:",omitempty"`
		Flag     bool           `json:",omitempty,omitzero"`
		Any      any            `json:",omitempty"`
		Own      zeroish        `json:",omitzero"`
		Behind   *zeroish       `json:",omitzero"`
		Stringer fmt.Stringer   `json:",omitzero"`
	}
	for _, v := range []object{
		{},
		{List: []int{}, Map: map[string]int{}, Zero: []int{}, Pointer: new(int), When: new(time.Time{}), Own: 1, Behind: new(zeroish(1)), Any: 0, Stringer: time.Time{}},
		{Text: "a", List: []int{0}, Array: [1]int{1}, Inner: Inner{A: 1}, Time: time.Unix(1, 0), When: new(time.Unix(1, 0)), Number: 1, Flag: true, Own: 2, Behind: new(zeroish(2))},
	} {
		data, err := json.Marshal(v)
		require.NoError(t, err)
		var written map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(data, &written))
		for _, f := range Fields(reflect.TypeFor[object]()) {
			_, want := written[f.Name]
			require.Equal(t, !want, f.Omits(reflect.ValueOf(v).FieldByIndex(f.Index)), "%s of %s", f.Name, data)
		}
	}
}

func TestWhetherATypeHasMethodsOfItsOwn(t *testing.T) {
	for typ, want := range map[reflect.Type][3]bool{ // by its pointer in the end
		reflect.TypeFor[int](): {}, reflect.TypeFor[time.Time](): {true, true, true}, reflect.TypeFor[big.Int](): {true, false, true}, reflect.TypeFor[json.Marshaler](): {},
	} {
		require.Equal(t, want, [3]bool{ReadsItself(typ), WritesItself(typ, false), WritesItself(typ, true)}, "%s", typ)
	}
}

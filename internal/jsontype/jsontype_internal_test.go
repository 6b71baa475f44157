package jsontype

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestATagGivesANameThatEncodingJSONTakes(t *testing.T) {
	for tag, want := range map[string]bool{"plain-Name_1.5": true, "ä": true, "a b": true, "$%&/()=?": true, "a`b": false, `a\b`: false, `a"b`: false, "a\u2028b": false} {
		name, ok := tagName(tag)
		require.Equal(t, want, ok, tag)
		require.Equal(t, want, name == tag, tag)
	}
}

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
		B int `json:"a b"`
		C int `json:"ä"`
		D int
		E int `json:"plain-Name_1.5"`
		f int
	}{f: 1},
	reflect.Zero(reflect.StructOf([]reflect.StructField{ // by reflection, because go vet refuses it in code
		{Name: "A", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
		{Name: "B", Type: reflect.TypeFor[int](), Tag: `json:"x"`},
		{Name: "X", Type: reflect.TypeFor[any](), Tag: `json:"X"`},
		{Name: "Dash", Type: reflect.TypeFor[int](), Tag: `json:"-,"`},
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
	type options struct {
		A     int  `json:",omitempty"`
		B     *int `json:"b,omitzero,string"`
		C     int  `json:""`
		inner `json:"named"`
	}
	fields := Fields(reflect.TypeFor[options]())
	require.Len(t, fields, 4)
	for i, want := range []Field{{Name: "A", OmitEmpty: true}, {Name: "b", OmitZero: true, String: true}, {Name: "C"}, {Name: "named", Unexported: true}} {
		got := fields[i]
		require.Equal(t, want, Field{Name: got.Name, Unexported: got.Unexported, OmitEmpty: got.OmitEmpty, OmitZero: got.OmitZero, String: got.String})
	}
}

func TestWhetherATypeHasMethodsOfItsOwn(t *testing.T) {
	for v, want := range map[any][2]bool{
		0: {}, struct{}{}: {}, time.Time{}: {true, true}, netip.Addr{}: {true, true}, big.Word(1): {},
		struct{ time.Time }{}: {true, true},
	} {
		require.Equal(t, want, [2]bool{ReadsItself(reflect.TypeOf(v)), WritesItself(reflect.TypeOf(v), false)}, "%T", v)
	}
	require.True(t, WritesItself(reflect.TypeFor[big.Int](), true), "by its pointer")
	require.False(t, WritesItself(reflect.TypeFor[big.Int](), false), "it has no address")
	require.False(t, WritesItself(reflect.TypeFor[json.Marshaler](), true), "an interface")
}

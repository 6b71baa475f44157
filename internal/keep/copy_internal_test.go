package keep

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// requireLikeJSON compares Encode of a value with what encoding/json, without its escapes for HTML,
// writes of the same value with open secrets: the same bytes, or an error from both.
func requireLikeJSON(t testing.TB, v, open any) {
	t.Helper()
	want, wantErr := rawjson.Encode(open)
	got, err := newTypes().Encode(v)
	if wantErr != nil {
		require.Error(t, err, "encoding/json: %v\ngot %s", wantErr, got.JSON)
		return
	}
	require.NoError(t, err, "%T", v)
	require.Equal(t, string(want), string(got.JSON), "%T", v)
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
	Inner        struct{ S secret }
	embedsSecret struct {
		Inner
		T *secret `json:",omitzero"`
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
	reflect.TypeFor[secret](), reflect.TypeFor[secret](), reflect.TypeFor[maybe[secret]](), reflect.TypeFor[embedsSecret](), reflect.TypeFor[embedsInner](), reflect.TypeFor[tree](), reflect.TypeFor[keeping](),
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
		name := pick(m, []string{"", "", "x", "y", "a b", "-", "<>", "ü", "x\\"})
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
	case *secret:
		if m.IntN(4) > 0 {
			*one = secret{pick(m, []string{"", "a", "<\"é\u2028"}), true, m.open}
		}
		return v
	case *maybe[secret]:
		*one = maybe[secret]{m.makeValue(reflect.TypeFor[secret](), depth).Interface().(secret), m.IntN(3) > 0}
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

package lenient

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// TestWhatAValueTakesIsCounted has bodies that take the given number of bytes, with a budget
// around it.
func TestWhatAValueTakesIsCounted(t *testing.T) {
	type inner struct{ A, B int64 }
	type nested struct {
		List    []inner
		Pointer *inner
		Map     map[string]inner
		Any     any
		Array   [2][]inner
		Maybe   maybe[[]inner]
		Texts   []string
		Next    []nested
	}
	next := int(reflect.TypeFor[nested]().Size())
	for body, want := range map[string]int{
		`{"list":[{},{"a":1}, null]}`: 3 * 16, `{"LIST":[]}`: 0, `{"list":{}}`: 0, `{"other":[1,2]}`: 0,
		`{"pointer":{}}`: 16, `{"pointer":null}`: 0, `{"map":{"a":{},"b":{}}}`: sizeOfMap + 2*32,
		`{"any":[1,[2],{"a":null}]}`: 4*16 + sizeOfMap + 32, `{"array":[[{}],[{}]]}`: 32, `{"maybe":[{}]}`: 16,
		`{"texts":["",null,5]}`: 3*16 + sizeOfError, `{"next":[{"next":[{"list":[{}]}]}]}`: 2*next + 16, `null`: 0, ``: 0,
	} {
		c := sizeCounter{reader: reader(), data: []byte(body), left: 1 << 20}
		c.value(reflect.TypeFor[nested](), 0)
		require.Equal(t, want, 1<<20-c.left, body)
	}
	data := `{"x":1,"y":2,"part":{"z":1}}`
	c := sizeCounter{reader: reader(), data: []byte(data), left: 1 << 20}
	c.value(typeOfPayload, 0)
	require.Equal(t, 2*sizeOfExtra+int(reflect.TypeFor[part]().Size()), 1<<20-c.left)
	keeping := reader()
	keeping.Traits = func(t reflect.Type) Traits { return Traits{Keeps: t == reflect.TypeFor[inner]()} }
	c = sizeCounter{reader: keeping, data: []byte(`[{},{}]`), left: 1 << 20}
	c.value(reflect.TypeFor[[]inner](), 0)
	require.Equal(t, 2*(16+sizeOfKept), 1<<20-c.left)
}

// The numbers are those of Go 1.26 and 1.27; another version may need others.
func TestTheSizesAreThoseOfGo(t *testing.T) {
	testkit.SkipUnderRace(t)
	const n = 1000
	var keeps any
	each := func(value func() any) int {
		return int(testkit.Allocated(func() {
			for range n {
				keeps = value()
			}
		})) / n
	}
	require.InDelta(t, sizeOfMap, each(func() any { return map[string]any{} }), 8)
	require.InDelta(t, sizeOfExtra, each(func() any {
		extra := map[string]json.RawMessage{}
		extra["a"] = nil
		return extra
	}), 40)
	require.InDelta(t, sizeOfKept, each(func() any { return keep.New([]byte(nil)) }), 8)
	require.InDelta(t, sizeOfError, each(func() any { return &json.UnmarshalTypeError{} }), 8)
	require.NotNil(t, keeps)
}

func TestASmallResponseMayTakeMuchMemory(t *testing.T) {
	data := []byte(`[` + strings.Repeat(`{"z":1},`, 999) + `{"z":1}]`)
	require.NoError(t, reader().CheckSize(data, reflect.TypeFor[[]part]()))
}

// FuzzQuickBound compares the bound by which most JSON passes with the count. What is cut off, or
// not JSON, is counted without a panic.
func FuzzQuickBound(f *testing.F) {
	for _, seed := range []string{
		`{"id":"r","part":{"steps":[{"type":"t"},7,null],"x":{}},"parts":[{},{},null]}`, `[{},{"a":[{}]}]`, `{"named":{"a":1,"b":2},"tags":["",5]}`,
		`{"inner":{"inner":{}},"errors":[{},{}],"nullables":[{"reminders":{}}],"any":{"a":[[],{}]}}`, `{"a":"{\"b\":{\"c\":1}}"}`,
	} {
		for end := range len(seed) + 1 {
			f.Add([]byte(seed[:end]))
		}
	}
	r := reader()
	types := []reflect.Type{typeOfPayload, reflect.TypeFor[mendable](), reflect.TypeFor[[]payload](), reflect.TypeFor[any](), reflect.TypeFor[map[string][]phases]()}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, typ := range types {
			c := sizeCounter{reader: r, data: data, left: 1 << 30}
			c.value(typ, 0)
			if json.Valid(data) {
				require.LessOrEqual(t, 1<<30-c.left, quickBound(data, r.mostOf(typ)), "%s", typ)
			}
		}
	})
}

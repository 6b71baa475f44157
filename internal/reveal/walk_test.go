package reveal

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCyclesAreErrors(t *testing.T) {
	loop := &Loop{}
	loop.Next = loop
	members := map[string]any{}
	members["self"] = members
	list := make([]any, 1)
	list[0] = list
	var pointer any
	pointer = &pointer
	inList := &Loop{List: make([]Loop, 1)}
	inList.List[0].List = inList.List
	for name, v := range map[string]any{"a pointer": loop, "a map": members, "a list": list, "an interface": pointer, "a list of structs": inList, "hidden": holder{Value: loop}} {
		t.Run(name, func(t *testing.T) {
			_, err := newEncoder().Encode(v) // not with encoding/json, which overflows the stack in Go 1.27
			var unsupported *json.UnsupportedValueError
			require.ErrorAs(t, err, &unsupported)
			require.ErrorContains(t, err, "encountered a cycle via ")
		})
	}
}

func TestDeepValuesAreNotCycles(t *testing.T) {
	shared := &Loop{}
	deep := &Loop{Any: []any{shared, shared}}
	for range 4 * mostDepth {
		deep = &Loop{Next: deep, Any: shared}
	}
	requireLikeJSON(t, deep)
	requireLikeJSON(t, []any{deep, deep})
	requireLikeJSON(t, slices.Repeat([]any{shared, map[string]any{}, []any{1}}, 2*mostDepth))
	nested := make([]any, 1)
	nested[0] = nested[:0] // the same memory, but not the same list
	var list any = nested
	for range mostDepth {
		list = []any{list}
	}
	requireLikeJSON(t, list)
}

func TestEveryCharacterIsWrittenAsEncodingJSONWritesIt(t *testing.T) {
	for c := range 256 {
		requireLikeJSON(t, string([]byte{byte(c)}))
		requireLikeJSON(t, []any{string(rune(c)) + "a"})
	}
}

package lenient

import (
	"context"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

func TestTheIDsOfAListAreTextsAndNumbers(t *testing.T) {
	list := []byte(` [{"id":7}, {"n":1,"id":"a\u0062"},{"id":-9007199254740993},{"id":null},{"id":true},{"id":{"id":1}},{"ID":1},"id",3,[],{"id":"x"}]`)
	want := []string{"7", "ab", "-9007199254740993", "", "", "", "", "", "", "", "x"}
	require.Equal(t, want, IDs(t.Context(), list, "id", len(want)))
	require.Equal(t, want[:2], IDs(t.Context(), list, "id", 2), "no more than asked for")
	require.Equal(t, append(want, ""), IDs(t.Context(), list, "id", len(want)+1))
	require.Equal(t, []string{"", "1"}, IDs(t.Context(), list, "n", 2))
	require.Equal(t, []string{""}, IDs(t.Context(), []byte(`{"id":1}`), "id", 1), "no list")

	ended, stop := context.WithCancel(t.Context())
	stop()
	require.Equal(t, []string{"", ""}, IDs(ended, list, "id", 2))
}

func TestTypesThatJSONCannotBeDecodedInto(t *testing.T) {
	for reason, types := range map[string][]reflect.Type{
		"": {
			reflect.TypeFor[int](), reflect.TypeFor[*string](), reflect.TypeFor[any](), reflect.TypeFor[json.RawMessage](),
			reflect.TypeFor[[]string](), reflect.TypeFor[map[string]any](), reflect.TypeFor[struct{}](),
		},
		"a []byte would hold base64: use a json.RawMessage for JSON as it comes": {reflect.TypeFor[[]byte]()},
		"JSON cannot be decoded into a chan int":                                 {reflect.TypeFor[chan int](), reflect.TypeFor[*chan int]()},
		"JSON cannot be decoded into a func()":                                   {reflect.TypeFor[**func()]()},
		"JSON cannot be decoded into a complex64":                                {reflect.TypeFor[complex64]()},
		"JSON cannot be decoded into a complex128":                               {reflect.TypeFor[complex128]()},
		"JSON cannot be decoded into a unsafe.Pointer":                           {reflect.TypeFor[unsafe.Pointer]()},
		"JSON cannot be decoded into the interface io.Reader":                    {reflect.TypeFor[io.Reader](), reflect.TypeFor[*io.Reader]()},
	} {
		for _, typ := range types {
			require.Equal(t, reason, CannotHold(typ), "%s", typ)
		}
	}
}

// longList is a list of about 3 MB.
func longList() []byte {
	item := `{"id":"r","part":{"steps":[{"type":"t"}],"x":{}},"name":"` + strings.Repeat("n", 150) + `"},`
	return []byte("[" + strings.TrimSuffix(strings.Repeat(item, 3<<20/len(item)), ",") + "]")
}

func TestAListEndsSoonAfterItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, decoded := reader(), 0
	var list []payload
	err := ReadList(ctx, longList(), &list, func(data []byte, out any) error {
		stop()
		decoded += len(data)
		return r.Read(data, out)
	}, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Positive(t, decoded)
	require.Less(t, decoded, 80<<10)
}

func BenchmarkReadList(b *testing.B) {
	r, data := reader(), longList()
	b.ReportAllocs()
	for b.Loop() {
		var list []payload
		require.NoError(b, ReadList(b.Context(), data, &list, r.Read, nil))
	}
}

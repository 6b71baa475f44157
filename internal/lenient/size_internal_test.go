package lenient

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// taken is what JSON takes as a value of a type, in addition to the type itself.
func taken[T any](r *Reader, body string) int {
	c := sizeCounter{reader: r, data: []byte(body), left: 1 << 30}
	c.value(reflect.TypeFor[T](), 0)
	return 1<<30 - c.left
}

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
	ofEntries := func(n int) string { return `{"map":{` + strings.TrimSuffix(strings.Repeat(`"x":{},`, n), ",") + `}}` }
	const ofMap, ofExtra = sizeOfMap + entriesOfMap*33, sizeOfExtra + sizeOfExtraMember
	for body, want := range map[string]int{
		`{"list":[{},{"a":1}, null]}`: 3 * 2 * 16, `{"LIST":[]}`: 0, `{"list":{}}`: 0, `{"other":[1,2]}`: 0,
		`{"pointer":{}}`: 16, `{"pointer":null}`: 0, `{"pointer":5}`: 16, `{"map":{"a":{},"b":{}}}`: ofMap, `{"map":{}}`: sizeOfMap,
		ofEntries(8): ofMap, ofEntries(9): ofMap + entriesOfMap*33, ofEntries(14): ofMap + entriesOfMap*33, ofEntries(15): ofMap + 3*entriesOfMap*33,
		`{"any":[1,[2],{"a":null}]}`: 4*2*16 + 24 + 8 + 24 + 8 + ofMap, `{"array":[[{}],[{}]]}`: 2 * 2 * 16, `{"maybe":[{}]}`: 24 + 2*16,
		`{"texts":["",null,5]}`: 3 * 2 * 16, `{"next":[{"next":[{"list":[{}]}]}]}`: 2*2*next + 2*16, `null`: 0, ``: 0,
	} {
		require.Equal(t, want, taken[nested](reader(), body), body)
	}
	require.Equal(t, rawjson.MaxDepth*2*(24+2*16), taken[[][]inner](reader(), "["+strings.Repeat("[{}],", 2*rawjson.MaxDepth-1)+"[{}]]"), "many, but not deep")
	type tree []tree
	deep := strings.Repeat("[", 2*rawjson.MaxDepth) + strings.Repeat("]", 2*rawjson.MaxDepth)
	require.Equal(t, 24+rawjson.MaxDepth*2*24, taken[tree](reader(), deep), "what is deeper is refused later, and takes no stack")
	for body, want := range map[string]int{
		`{"x":1,"y":2,"part":{"z":1}}`:      2*ofExtra + sizeOfExtraMember + int(reflect.TypeFor[part]().Size()),
		`{"part":{"name":7,"raw":7}}`:       ofExtra + int(reflect.TypeFor[part]().Size()),
		`{"part":{"name":"x","steps":[7]}}`: int(reflect.TypeFor[part]().Size()) + sizeOfItem(reflect.TypeFor[phase]()),
	} {
		require.Equal(t, want, taken[payload](reader(), body), body)
	}
	keeping := reader()
	keeping.Traits = func(t reflect.Type) Traits { return Traits{Keeps: t == reflect.TypeFor[inner]()} }
	require.Equal(t, 2*(16+sizeOfKept), taken[[]inner](keeping, `[{},{}]`), "a list that is read item by item does not grow")
}

func TestWhatMayNotFitATypeIsKnownByItsFirstByte(t *testing.T) {
	for typ, fits := range map[reflect.Type]string{
		reflect.TypeFor[phase](): "{", reflect.TypeFor[*map[string]int](): "{", reflect.TypeFor[[]string](): "[", reflect.TypeFor[[2]int](): "[",
		reflect.TypeFor[string](): `"`, reflect.TypeFor[*bool](): "tf", reflect.TypeFor[int](): "-5", reflect.TypeFor[float64](): "-5",
		reflect.TypeFor[any](): `{["tf-5`, reflect.TypeFor[json.RawMessage](): `{["tf-5`, reflect.TypeFor[when](): "", reflect.TypeFor[time.Time](): "",
	} {
		require.False(t, mayNotFit(typ, 'n'), "null fits a %s", typ)
		for _, begin := range []byte(`{["tf-5`) {
			require.Equal(t, !strings.Contains(fits, string(begin)), mayNotFit(typ, begin), "%c for a %s", begin, typ)
		}
	}
	for begin, size := range map[byte]int{'[': 24, '"': 16, '{': 0, 't': 0, 'f': 0, '-': 8, '5': 8} {
		require.Equal(t, size, sizeBoxed(begin), "%c", begin)
	}
}

func TestJSONThatTakesTooMuchMemoryIsRefused(t *testing.T) {
	big := strings.Repeat
	for name, c := range map[string]struct {
		body string
		most int
		want string
	}{
		"just small enough":        {`[` + big(`{},`, 99) + `{}]`, 301 + 100*16, ""},
		"one byte more":            {`[` + big(`{},`, 99) + `{}]`, 301 + 100*16 - 1, "its values would take over 1900 bytes of memory"},
		"one item more":            {`[{},{}]`, 7 + 16, "its values would take over 23 bytes of memory"},
		"no room for values":       {`[{}]`, 4, "its values would take over 4 bytes of memory"},
		"the JSON alone":           {`[]` + big(" ", 100), 101, "its values would take over 101 bytes of memory"},
		"a long number":            {`{"z":` + big("9", longest+1) + `}`, 200 << 10, "a number of over 65536 bytes"},
		"a long name":              {`{"z":"","` + big("y", longest) + `" : 1}`, 200 << 10, "a name of over 65536 bytes"},
		"a shorter name":           {`{"z":"","` + big("y", longest-2) + `" : 1}`, 190 << 10, ""},
		"a name behind a text":     {`{"z":"` + big("x", longest) + `","y":1}`, 190 << 10, ""},
		"many numbers":             {`{"z":[` + big("99,", longest) + `9]}`, 400 << 10, ""},
		"a shorter one":            {`{"z":` + big("9", longest) + `}`, 200 << 10, ""},
		"digits in a text":         {`"` + big("9", 3*longest) + `"`, 400 << 10, ""},
		"a text that is not UTF-8": {`{"z":"` + big("\xff", 100<<10) + `"}`, 500 << 10, "its values would take over 512000 bytes of memory"},
		"with more room":           {`{"z":"` + big("\xff", 100<<10) + `"}`, 700 << 10, ""},
	} {
		err := reader().CheckSize([]byte(c.body), reflect.TypeFor[[]shapeLike](), c.most)
		require.Equal(t, cmp.Or(c.want, "<nil>"), fmt.Sprint(err), name)
	}
}

// facts is as large as what is noted of an object that keeps its JSON.
type facts struct {
	read *[]byte
	_    [6]uintptr
}

// shapeLike takes 16 bytes as a value.
type shapeLike struct{ A, B int64 }

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
	require.InDelta(t, sizeOfKept, each(func() any { return &facts{read: new([]byte(nil))} }), 8)
	require.InDelta(t, sizeOfMap+entriesOfMap*33, each(func() any { return map[string]any{"a": nil} }), 24)
	require.NotNil(t, keeps)
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
			require.True(t, !json.Valid(data) || 1<<30-c.left <= quickBound(data, r.shapeOf(typ).most()), "%s", typ)
		}
	})
}

// A vehicle is one of several objects, which have a member of the same name and of different types.
type (
	vehicle struct{ Kind string }
	car     struct {
		Kind  string
		Load  string
		Seats []seat
	}
	seat  struct{ Belts [64]int64 }
	truck struct {
		Kind string
		Load int
	}
)

func kindOfVehicle(object []byte) reflect.Type {
	if string(rawjson.Get(object, "kind")) == `"car"` {
		return reflect.TypeFor[car]()
	}
	return reflect.TypeFor[truck]()
}

// UnmarshalJSON reads only what fits.
func (v *vehicle) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, reflect.New(kindOfVehicle(data)).Interface())
}

func readerOfVehicles() *Reader {
	r := reader()
	traits := r.Traits
	r.Traits = func(t reflect.Type) Traits {
		if t != reflect.TypeFor[vehicle]() {
			return traits(t)
		}
		return Traits{
			OneOf:  []reflect.Type{reflect.TypeFor[car](), reflect.TypeFor[truck]()},
			KindOf: kindOfVehicle,
		}
	}
	return r
}

func TestATypeThatIsOneOfSeveralObjectsIsReadByItsForm(t *testing.T) {
	sent := []byte(`[{"kind":"car","load":"1.5"},{"load":1.0},{"load":"x","kind":"truck"},null]`)
	f := readerOfVehicles().fit(sent, reflect.TypeFor[[]vehicle]())
	require.Equal(t, `[{"kind":"car","load":"1.5"},{"load":1},{"load":null,"kind":"truck"},null]`, string(f.out))
	require.Equal(t, "$[2].load", pathTo(sent, f.firstAt))
	for body, want := range map[string]uintptr{
		`[{"kind":"car","seats":[{},{}]}]`:   reflect.TypeFor[vehicle]().Size() + reflect.TypeFor[car]().Size() + 4*reflect.TypeFor[seat]().Size(),
		`[{"kind":"truck","seats":[{},{}]}]`: reflect.TypeFor[vehicle]().Size() + reflect.TypeFor[truck]().Size(),
	} {
		require.EqualValues(t, want, taken[[]vehicle](readerOfVehicles(), body), body)
	}
}

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
		"a []byte would hold base64: use a json.RawMessage for JSON as received": {reflect.TypeFor[[]byte]()},
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

// aLongList is a list of about 3 MB.
func aLongList() []byte {
	item := `{"id":"r","part":{"steps":[{"type":"t"}],"x":{}},"name":"` + strings.Repeat("n", 150) + `"},`
	return []byte("[" + strings.TrimSuffix(strings.Repeat(item, 3<<20/len(item)), ",") + "]")
}

func TestAListIsReadWithTheItemsThatCanBeRead(t *testing.T) {
	for _, n := range []int{2, 1500} { // the second is long
		item := func(i int) string { return fmt.Sprintf(`{"count":%d,"id":"%s"}`, i, strings.Repeat("x", 100)) }
		var items []string
		for i := range n {
			items = append(items, item(i))
		}
		var list []payload
		read := reader().Read
		for _, text := range []string{"[" + strings.Join(items, ",") + "]", " [ " + strings.Join(items, " ,\n") + " ] "} {
			require.NoError(t, ReadList(t.Context(), []byte(text), &list, read, nil))
			require.Len(t, list, n)
			require.Equal(t, n-1, list[n-1].Count)
		}
		good := "[" + strings.Join(items, ",") + "]"
		bad := n / 2
		items[bad] = strings.Replace(items[bad], "x", `x","count":"`, 1)
		text := []byte("[" + strings.Join(append(items, item(n)), ",") + "]")
		for _, goOn := range []bool{true, false} {
			var unfit []int
			require.NoError(t, ReadList(t.Context(), text, &list, read, func(i int, _ error) bool {
				unfit = append(unfit, i)
				return goOn
			}))
			require.Equal(t, []int{bad}, unfit)
			require.Equal(t, goOn, len(list) == n+1)
			require.True(t, goOn || len(list) == bad)
			require.True(t, !goOn || list[n].Count == n, "what is behind it is read, also in later parts")
		}
		err := ReadList(t.Context(), text, &list, read, nil)
		if n == 2 {
			require.EqualError(t, err, "$[1].count: want a number, got a string")
		} else {
			require.Equal(t, &ItemError{Index: bad, At: strings.Index(string(text), items[bad]), Err: err.(*ItemError).Err}, err)
		}
		for _, text := range []string{good, string(text)} {
			for _, broken := range []string{text[:len(text)-1], text + "x", text[:len(text)-1] + ",]", text[:len(text)-1] + "}", strings.Replace(text, "},", "}", 1), text[1:], strings.Replace(text, `:0`, ":x", 1)} {
				var failed *Error
				require.ErrorAs(t, ReadList(t.Context(), []byte(broken), &list, read, nil), &failed)
				require.True(t, failed.NotJSON)
			}
		}
	}
	require.NoError(t, ReadList(t.Context(), []byte("null"), new([]payload), reader().Read, nil))
	require.NoError(t, ReadList(t.Context(), []byte("["+strings.Repeat(" ", longList)+"{},{}]"), new([]payload), reader().Read, nil))
}

func TestAListEndsSoonAfterItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	r, decoded := reader(), 0
	var list []payload
	err := ReadList(ctx, aLongList(), &list, func(data []byte, out any) error {
		stop()
		decoded += len(data)
		return r.Read(data, out)
	}, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Positive(t, decoded)
	require.Less(t, decoded, 80<<10)
}

func BenchmarkReadList(b *testing.B) {
	r, data := reader(), aLongList()
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, ReadList(b.Context(), data, new([]payload), r.Read, nil))
	}
}

func TestMain(m *testing.M) { testkit.Main(m) }

package lenient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestPowersThatAreFarTooLargeAreCutOff(t *testing.T) {
	for number, want := range map[string]string{"1e-999999999": "0", "1e999999999": "", "1e99999999999999999999": "", "1e20": ""} {
		whole, exact := Whole(number)
		require.Equal(t, want, whole, number)
		require.False(t, exact, number)
	}
}

// FuzzWholePart compares the numbers without their fraction with those of math/big.
func FuzzWholePart(f *testing.F) {
	for _, number := range []string{
		"9007199254740993.0", "9007199254740991.5", "-9223372036854775808.0", "18446744073709551615.00", "123456789012345678901234567890", "1e3", "1E+3", "-1e3", "1.5e1", "1.55e1", "1500e-2",
		"1501e-2", "1.5e-2", "-2.75", "-0.5", "-0.0", "0.5", "5e-1", "0.00012e5", "1e19", "1e20", "0." + strings.Repeat("0", 50) + "1e51",
	} {
		f.Add(number)
	}
	f.Fuzz(func(t *testing.T, number string) {
		if len(number) > 100 || number == "" || number[0] == ' ' || !json.Valid([]byte(number)) || strings.Trim(number[:1], "-0123456789") != "" {
			return
		}
		text, exact := Whole(strings.TrimSpace(number))
		if i := strings.IndexAny(number, "eE"); i >= 0 {
			if power, err := strconv.Atoi(strings.TrimSpace(number[i+1:])); err != nil || power < -1000 || power > 1000 {
				return // too slow for big.Rat
			}
		}
		r, ok := new(big.Rat).SetString(strings.TrimSpace(number))
		require.True(t, ok)
		want := new(big.Int).Quo(r.Num(), r.Denom())
		if text == "" {
			require.Greater(t, len(want.Text(10)), maxDigits)
			return
		}
		require.Equal(t, want.Text(10), text)
		require.Equal(t, r.IsInt(), exact)
	})
}

// Types that stand for those of the package that the Reader belongs to.
type (
	when         struct{ time.Time }
	maybe[T any] struct{ value *T }
	strategy     struct {
		MaxRetries int      `json:"maxRetries"`
		SameRegion bool     `json:"sameRegion"`
		OnlyOn     []string `json:"onlyOn"`
	}
	keyValue struct {
		Key   string  `json:"key"`
		Value *string `json:"value"`
	}
	assertion struct {
		Target string `json:"target"`
		Regex  string `json:"regex"`
	}
	settings struct {
		Reminders reminders `json:"reminders"`
	}
	reminders struct {
		Amount int `json:"amount"`
	}
	anything  struct{ raw []byte }
	runtimeID string
	intent    struct {
		RequiredOutcomes []string `json:"requiredOutcomes"`
	}
)

func (w *when) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if data[0] != '"' {
		return fmt.Errorf("want a date, got %s", rawjson.Describe(data))
	}
	var err error
	w.Time, err = time.Parse(`"2006-01-02"`, string(data))
	if err != nil {
		err = errors.New("it is not a date")
	}
	return err
}

func (m *maybe[T]) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &m.value) }
func (maybe[T]) held() reflect.Type                 { return reflect.TypeFor[T]() }

// UnmarshalJSON reads a text, or an object by its fields.
func (s *strategy) UnmarshalJSON(data []byte) error {
	type plain strategy
	if data[0] == '"' {
		return nil
	}
	return json.Unmarshal(data, (*plain)(s))
}

func (a *anything) UnmarshalJSON(data []byte) error {
	a.raw = bytes.Clone(data)
	return nil
}

// reader reads the types of this package loosely.
func reader() *Reader {
	return &Reader{Package: reflect.TypeFor[mendable]().PkgPath(), Measures: []string{"measured"}, Traits: func(t reflect.Type) Traits {
		switch t {
		case reflect.TypeFor[keyValue]():
			return Traits{Texts: []string{"value"}}
		case reflect.TypeFor[assertion]():
			return Traits{Texts: []string{"target", "regex"}}
		case reflect.TypeFor[runtimeID]():
			return Traits{Text: true}
		case reflect.TypeFor[anything]():
			return Traits{AnyItem: true}
		case reflect.TypeFor[config]():
			return Traits{Raw: true}
		case reflect.TypeFor[payload]():
			return Traits{Fixed: true}
		}
		if wrapper, ok := reflect.Zero(t).Interface().(interface{ held() reflect.Type }); ok {
			return Traits{Wraps: wrapper.held()}
		}
		return Traits{}
	}}
}

var typeOfPayload = reflect.TypeFor[payload]()

// config takes any JSON as it is.
type config struct{ raw []byte }

func (c *config) UnmarshalJSON(data []byte) error {
	c.raw = bytes.Clone(data)
	return nil
}

// mendable has a member of each kind that the Reader handles.
type mendable struct {
	Int       int               `json:"int"`
	Small     int8              `json:"small"`
	ID        *int64            `json:"id"`
	Unsigned  uint              `json:"unsigned"`
	Measure   float64           `json:"measure"`
	Narrow    float32           `json:"narrow"`
	Measured  int               `json:"measured"`
	Text      string            `json:"text"`
	Flag      *bool             `json:"flag"`
	Tags      []string          `json:"tags"`
	Counts    []int             `json:"counts"`
	Pair      [2]int            `json:"pair"`
	Raw       json.RawMessage   `json:"raw"`
	Raws      []json.RawMessage `json:"raws"`
	Any       any               `json:"any"`
	When      when              `json:"when"`
	Null      maybe[int]        `json:"null"`
	Nullables maybe[[]settings] `json:"nullables"`
	Named     map[string]int    `json:"named"`
	Numbered  map[int]int       `json:"numbered"`
	Bytes     []byte            `json:"bytes"`
	Quoted    int               `json:"quoted,string"`
	Strategy  *strategy         `json:"strategy"`
	Secret    keyValue          `json:"secret"`
	Config    config            `json:"config"`
	Assertion assertion         `json:"assertion"`
	Errors    []anything        `json:"errors"`
	Runtime   *runtimeID        `json:"runtime"`
	Number    json.Number       `json:"number"`
	Inner     *mendable         `json:"inner"`
	intent
}

// fit reads JSON, and returns what was found on the way and the copy that fits.
func (r *Reader) fit(data []byte, t reflect.Type) *reading {
	q := &reading{reader: r, in: data, loose: true}
	q.result(q.value(reflect.New(t).Elem(), rawjson.SkipSpace(data, 0), rawjson.MaxDepth, &theirs))
	q.out = append(q.out, data[q.from:]...)
	return q
}

func TestOnlyMembersThatDoNotFitAreRewritten(t *testing.T) {
	for sent, want := range map[string]string{
		`{"int":2.0, "raw":{"a":5.0} }`:                  `{"int":2, "raw":{"a":5.0} }`,
		`{"INT":-2.0,"MEASURED":-2.75}`:                  `{"INT":-2,"MEASURED":-2}`,
		`{"flag":false,"int":5.0}`:                       `{"flag":false,"int":5}`,
		`{"id":9007199254740993.0,"unsigned":1e3}`:       `{"id":9007199254740993,"unsigned":1000}`,
		`{"small":1.27E2,"measure":5.0,"any":[5.0]}`:     `{"small":127,"measure":5.0,"any":[5.0]}`,
		`{"counts":[1.0, 2, 3e0],"pair":[1.0,2,3.0]}`:    `{"counts":[1, 2, 3],"pair":[1,2,3.0]}`,
		`{"unknown":5.0,"int":5.0}`:                      `{"unknown":5.0,"int":5}`,
		`{"tags":"a \"b"}`:                               `{"tags":["a \"b"]}`,
		`{"requiredOutcomes":"x","int":1.0}`:             `{"requiredOutcomes":["x"],"int":1}`,
		`{"errors":"boom"}`:                              `{"errors":["boom"]}`,
		`{"errors":{"message":"m","n":1.0}}`:             `{"errors":[{"message":"m","n":1.0}]}`,
		`{"raws":{"a":1.0}}`:                             `{"raws":[{"a":1.0}]}`,
		`{"null":3.0,"named":{"a":1.0}}`:                 `{"null":3,"named":{"a":1}}`,
		`{"numbered":{"7":1.0}}`:                         `{"numbered":{"7":1}}`,
		`{"nullables":[{"reminders":{"amount":1.0}}]}`:   `{"nullables":[{"reminders":{"amount":1}}]}`,
		`{"strategy":{"maxRetries":2.0,"onlyOn":"X"}}`:   `{"strategy":{"maxRetries":2,"onlyOn":["X"]}}`,
		`{"strategy":"FALLBACK","int":1.0}`:              `{"strategy":"FALLBACK","int":1}`,
		`{"secret":{"key":"k","value":200}}`:             `{"secret":{"key":"k","value":"200"}}`,
		`{"secret":{"key":"k","value":null},"int":1.0}`:  `{"secret":{"key":"k","value":null},"int":1}`,
		`{"config":{"n":1.0},"int":1.0}`:                 `{"config":{"n":1.0},"int":1}`,
		`{"assertion":{"target":200}}`:                   `{"assertion":{"target":"200"}}`,
		`{"assertion":{"target":true,"regex":{"a":1}}}`:  `{"assertion":{"target":"true","regex":"{\"a\":1}"}}`,
		`{"runtime":2024.10}`:                            `{"runtime":"2024.10"}`,
		`{"quoted":"5","number":5.0,"int":5.0}`:          `{"quoted":"5","number":5.0,"int":5}`,
		`{"inner":{"inner":{"int":1.0}}}`:                `{"inner":{"inner":{"int":1}}}`,
		`{"int":null,"tags":[null],"text":"5.0","id":1}`: `{"int":null,"tags":[null],"text":"5.0","id":1}`,
		`{"\u0069nt":1.0}`:                               `{"\u0069nt":1}`,
		`{"bytes":"AQI=","int":1.0}`:                     `{"bytes":"AQI=","int":1}`,
	} {
		f := reader().fit([]byte(sent), reflect.TypeFor[mendable]())
		require.Zero(t, f.unreadable, sent)
		require.Equal(t, want, string(f.out), sent)
		require.NoError(t, reader().Read([]byte(sent), new(mendable)), sent)
	}
}

func TestADecodeErrorHasThePathOfTheUnreadableMember(t *testing.T) {
	for sent, want := range map[string]struct{ text, partial string }{
		`{"int":"5","text":"t"}`:                {`$.int: want a number, got a string`, `{"int":null,"text":"t"}`},
		`{"int":true}`:                          {`$.int: want a number, got a boolean`, `{"int":null}`},
		`{"small":128}`:                         {`$.small: the number is out of range`, `{"small":null}`},
		`{"small":1e2,"id":1e19}`:               {`$.id: the number is out of range`, `{"small":100,"id":null}`},
		`{"unsigned":-1}`:                       {`$.unsigned: the number is out of range`, `{"unsigned":null}`},
		`{"measure":1e999}`:                     {`$.measure: the number is out of range`, `{"measure":null}`},
		`{"narrow":1e39}`:                       {`$.narrow: the number is out of range`, `{"narrow":null}`},
		`{"text":5}`:                            {`$.text: want a string, got a number`, `{"text":null}`},
		`{"text":["a"]}`:                        {`$.text: want a string, got an array`, `{"text":null}`},
		`{"flag":1}`:                            {`$.flag: want a boolean, got a number`, `{"flag":null}`},
		`{"tags":["a",{"b":1}]}`:                {`$.tags[1]: want a string, got an object`, `{"tags":["a",null]}`},
		`{"tags":7}`:                            {`$.tags: want an array, got a number`, `{"tags":null}`},
		`{"counts":[1,[2]]}`:                    {`$.counts[1]: want a number, got an array`, `{"counts":[1,null]}`},
		`{"counts":5}`:                          {`$.counts: want an array, got a number`, `{"counts":null}`},
		`{"inner":{"inner":[{"int":1}]}}`:       {`$.inner.inner: want an object, got an array`, `{"inner":{"inner":null}}`},
		`{"named":{"a b":"x","c":"y"}}`:         {`$.named["a b"]: want a number, got a string`, `{"named":{"a b":null,"c":null}}`},
		`{"named":[1]}`:                         {`$.named: want an object, got an array`, `{"named":null}`},
		`{"numbered":{"x":1}}`:                  {`$.numbered.x: the name is not a valid key of the map`, ``},
		`{"small":-129}`:                        {`$.small: the number is out of range`, `{"small":null}`},
		`{"bytes":"?"}`:                         {`$.bytes: want a string in base64, got a string`, `{"bytes":null}`},
		`{"when":12}`:                           {`$.when: want a date, got a number`, `{"when":null}`},
		`{"when":"yesterday"}`:                  {`$.when: it is not a date`, `{"when":null}`},
		`{"null":"x"}`:                          {`$.null: want a number, got a string`, `{"null":null}`},
		`{"strategy":5}`:                        {`$.strategy: the value does not fit its type`, `{"strategy":null}`},
		`{"strategy":{"sameRegion":"x"}}`:       {`$.strategy.sameRegion: want a boolean, got a string`, `{"strategy":{"sameRegion":null}}`},
		`{"number":"x"}`:                        {`$.number: the value does not fit its type`, `{"number":null}`},
		`{"inner":{"int":2.0,"text":1},"id":1}`: {`$.inner.text: want a string, got a number`, `{"inner":{"int":2,"text":null},"id":1}`},
		`{"id":5.5,"measured":5.5}`:             {`$.id: want a whole number`, `{"id":null,"measured":5}`},
		`{"counts":[1,2.5]}`:                    {`$.counts[1]: want a whole number`, `{"counts":[1,null]}`},
		`[]`:                                    {`want an object, got an array`, `[]`},
		`7`:                                     {`want an object, got a number`, `7`},
		`{"int":1,"te`:                          {`cut off after 12 bytes: unexpected EOF`, ``},
		`[1`:                                    {`cut off after 2 bytes: unexpected EOF`, ``},
		`{"int":1}}`:                            {`not JSON`, ``},
		`"pl`:                                   {`not JSON`, ``},
	} {
		var failed *Error
		require.ErrorAs(t, reader().Read([]byte(sent), new(mendable)), &failed, sent)
		require.Equal(t, want.text, failed.Error(), sent)
		require.Equal(t, strings.HasPrefix(want.text, "$"), failed.Path != "", sent)
		require.Equal(t, strings.HasPrefix(want.text, "not JSON") || strings.HasPrefix(want.text, "cut off"), failed.NotJSON, sent)
		if want.partial != "" {
			require.Equal(t, want.partial, string(failed.Partial))
		}
		if failed.Path != "" && want.partial != "" {
			require.NoError(t, json.Unmarshal(failed.Partial, new(mendable)), sent)
		}
	}
}

// day is read from its name.
type day int

func (d *day) UnmarshalText(text []byte) error {
	if *d = day(strings.Index("SunMonTueWed", string(text)) / 3); *d < 1 {
		return errors.New("no day")
	}
	return nil
}

func TestMembersOfUsersTypesAreReadStrictly(t *testing.T) {
	require.EqualError(t, reader().Read([]byte(`{"measured":5.5}`), &struct{ Measured int }{}), "$.measured: want a whole number")
	require.EqualError(t, reader().Read([]byte(`["a","b"]`), new([]int)), "$[0]: want a number, got a string")
	require.EqualError(t, reader().Read([]byte(`{"Tags":"a"}`), &struct{ Tags []string }{}), "$.Tags: want an array, got a string")
	require.EqualError(t, reader().Read([]byte(`{"C":1}`), &struct{ C chan int }{}), "$.C: the number is out of range")
	named := make(map[day]int)
	require.NoError(t, reader().Read([]byte(`{"Mon":1.0,"Tue":2}`), &named))
	require.Equal(t, map[day]int{1: 1, 2: 2}, named)
	require.EqualError(t, reader().Read([]byte(`{"Mon":1.0,"May":2}`), &named), "$.May: the name is not a valid key of the map")
	var array struct{ C [2]uint8 }
	require.NoError(t, reader().Read([]byte(`{"C":[1.0,2]}`), &array), "an array of bytes is no text")
	require.Equal(t, [2]uint8{1, 2}, array.C)
	for out, most := range map[any]string{
		new(int8): "127", new(int16): "32767", new(int32): "2147483647", new(int64): "9223372036854775807", new(uint8): "255", new(uint16): "65535",
		new(uint32): "4294967295", new(uint64): "18446744073709551615",
	} {
		require.NoError(t, reader().Read([]byte(most+".0"), out))
		require.Equal(t, most, fmt.Sprint(reflect.ValueOf(out).Elem().Interface()))
		require.ErrorContains(t, reader().Read([]byte(most+"1"), out), "the number is out of range")
	}
}

func TestACopyThatWouldBeMuchLongerThanTheJSONIsNotMade(t *testing.T) {
	many := strings.Repeat(`0,`, 600_000) // each becomes null
	cut := `$.named["` + strings.Repeat("ä", 50) + `…"]`
	for name, c := range map[string]struct{ sent, path, text string }{
		"unreadable values":      {`{"tags":[` + many + `0]}`, "$.tags[0]", "$.tags[0]: want a string, got a number"},
		"a very long loose text": {`{"assertion":{"target":[` + many + `0]}}`, "", "too many values do not fit their type"},
		"a name of 100 bytes":    {`{"named":{"` + strings.Repeat("ä", 50) + `":"x"}}`, strings.Replace(cut, "…", "", 1), strings.Replace(cut, "…", "", 1) + ": want a number, got a string"},
		"a long name of a map":   {`{"named":{"` + strings.Repeat("ä", 200) + `":"x"}}`, cut, cut + ": want a number, got a string"},
	} {
		var failed *Error
		require.ErrorAs(t, reader().Read([]byte(c.sent), new(mendable)), &failed, name)
		require.Equal(t, c.text, failed.Error(), name)
		require.Equal(t, c.path, failed.Path, name)
		require.True(t, len(failed.Partial) <= len(c.sent)+1, name)
	}
	var failed *Error
	few := `{"tags":[` + many[:2*380_000] + `0]}`
	require.ErrorAs(t, reader().Read([]byte(few), new(mendable)), &failed)
	require.Greater(t, len(failed.Partial), len(few)+1_100_000, "as much longer as it may be")
	require.NoError(t, reader().Read([]byte(`{"text":"`+strings.Repeat("x", roomForTexts)+`","assertion":{"target":1}}`), new(mendable)), "a short loose text behind a long text")
}

func TestAReadKeepsNothingOfWhatWasThere(t *testing.T) {
	v := mendable{Text: "left over"}
	require.NoError(t, reader().Read([]byte(`{"int":1.0}`), &v))
	require.Equal(t, mendable{Int: 1}, v)
}

func TestTheReasonOfADecodeErrorNamesNoGoType(t *testing.T) {
	require.Equal(t, io.EOF, reader().reasonOf(&Error{Err: io.EOF}))
	require.Equal(t, io.EOF, reader().reasonOf(io.EOF))
	for _, data := range []string{`"x"`, `{`, `1.5`} {
		require.EqualError(t, reader().reasonOf(json.Unmarshal([]byte(data), new(int))), "the value does not fit its type")
	}
	for _, err := range []error{errors.New("json: odd"), nil} {
		require.EqualError(t, reader().reasonOf(err), "the value does not fit its type")
	}
}

func TestOnlyTheFirstValueThatCannotBeReadCostsAPath(t *testing.T) {
	type node struct {
		Next    *node
		Numbers []int
	}
	used := func(depth int) uint64 {
		data := []byte(strings.Repeat(`{"next":`, depth) + `{"numbers":[` + strings.Repeat(`"",`, 3000) + `0]}` + strings.Repeat("}", depth))
		return testkit.Allocated(func() {
			f := reader().fit(data, reflect.TypeFor[node]())
			require.Equal(t, 3000, f.unreadable)
			require.Equal(t, "$"+strings.Repeat(".next", depth)+".numbers[0]", pathTo(data, f.firstAt))
		})
	}
	require.Less(t, used(200), 3*used(1)) // a path for each value would cost far more
}

// FuzzFit checks the copy that fits. It changes nothing that encoding/json can read, its
// result can be read, and its errors name paths that exist.
func FuzzFit(f *testing.F) {
	for _, text := range []string{
		`{"int":2.75,"raw":{"a":5.0}}`, `[{"int":"x"}]`, `{"inner":{"inner":{"tags":"x"}},"named":{"a b":true}}`, `{"errors":"boom","quoted":"x"}`,
		`{"int":1.0,"int":"x"}`, `{"when":"x","strategy":{"onlyOn":1}}`, `{"traceId":1,"apiCheckResult":{"response":[1],"errors":{"a":1}}}`, `"\ud800"`,
		`{"newer":{"a":[}}`, `{"part":{"name":1,"newer":[1}}`, `{"parts":[{"steps":7},{"name":[1}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzFit[mendable](t, data)
		fuzzFit[payload](t, data)
		fuzzFit[struct {
			N map[string]*[]uint8
			R []mendable
			I any
		}](t, data)
	})
}

func fuzzFit[T any](t *testing.T, data []byte) {
	var plain, loose T
	err := json.Unmarshal(data, &plain)
	failed := reader().Read(data, &loose)
	var object T
	require.Equal(t, failed, reader().ReadObject(data, &object))
	require.Equal(t, loose, object)
	if !json.Valid(data) {
		require.Error(t, failed)
		return
	}
	f := reader().fit(data, reflect.TypeFor[T]())
	require.True(t, json.Valid(f.out), "%s", f.out)
	if err == nil {
		require.NoError(t, failed)
		emptyExtras(reflect.ValueOf(&loose).Elem())
		require.Equal(t, plain, loose)
		require.Zero(t, f.unreadable)
		require.Equal(t, string(data), string(f.out))
		return
	}
	if failed != nil {
		d, ok := failed.(*Error)
		require.True(t, ok, "%T", failed)
		require.True(t, json.Valid(d.Partial))
		if d.Path != "" && utf8.Valid(data) {
			var document any
			require.NoError(t, json.Unmarshal(data, &document))
			paths := make(map[string]bool)
			pathsOf(document, "$", paths)
			require.True(t, paths[d.Path], d.Path)
		}
		require.NotContains(t, d.Error(), "json:")
	}
}

// emptyExtras takes away what encoding/json does not read.
func emptyExtras(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			emptyExtras(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			emptyExtras(v.Index(i))
		}
	case reflect.Struct:
		for f, field := range v.Fields() {
			if f.Name == "Extra" {
				field.SetZero()
			} else {
				emptyExtras(field)
			}
		}
	}
}

// pathsOf collects the paths of all values in a document, in the form that errors have.
func pathsOf(document any, path string, all map[string]bool) {
	all[path] = true
	switch v := document.(type) {
	case map[string]any:
		for name, member := range v {
			pathsOf(member, string(appendStep([]byte(path), rawjson.Step{Name: name, Index: -1})), all)
		}
	case []any:
		for i, item := range v {
			pathsOf(item, string(appendStep([]byte(path), rawjson.Step{Index: i})), all)
		}
	}
}

package monitoring

import (
	"bytes"
	"encoding/json"
	"math/big"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheFractionOfANumberIsCutOffExactly(t *testing.T) {
	for number, want := range map[string]struct {
		whole string
		exact bool
	}{
		"9007199254740993.0":                    {"9007199254740993", true},
		"9007199254740991.5":                    {"9007199254740991", false},
		"-9223372036854775808.0":                {"-9223372036854775808", true},
		"18446744073709551615.00":               {"18446744073709551615", true},
		"1e3":                                   {"1000", true},
		"1E+3":                                  {"1000", true},
		"1.5e1":                                 {"15", true},
		"1.55e1":                                {"15", false},
		"1500e-2":                               {"15", true},
		"1501e-2":                               {"15", false},
		"-2.75":                                 {"-2", false},
		"-0.5":                                  {"0", false},
		"-0.0":                                  {"0", true},
		"0e999999999":                           {"0", true},
		"0.5":                                   {"0", false},
		"5e-1":                                  {"0", false},
		"0.00012e5":                             {"12", true},
		"1e-999999999":                          {"0", false},
		"1e999999999":                           {"", false},
		"1e99999999999999999999":                {"", false},
		"1e-99999999999999999999":               {"0", false},
		"1e19":                                  {"10000000000000000000", true},
		"1e20":                                  {"", false},
		"0." + strings.Repeat("0", 50) + "1e51": {"1", true},
	} {
		whole, exact := wholePart(number)
		require.Equal(t, want.whole, whole, number)
		require.Equal(t, want.exact, exact, number)
	}
}

func FuzzWholePart(f *testing.F) {
	for _, number := range []string{"5.0", "-1e3", "1.5e-2", "0.0001e9", "123456789012345678901234567890", "9007199254740993.0"} {
		f.Add(number)
	}
	f.Fuzz(func(t *testing.T, number string) {
		if len(number) > 100 || number == "" || number[0] == ' ' || !json.Valid([]byte(number)) || strings.Trim(number[:1], "-0123456789") != "" {
			return
		}
		text, exact := wholePart(strings.TrimSpace(number))
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

// mendable has a member of each type that mend handles. Being a type of this package, its
// numbers are rounded.
type mendable struct {
	Int       int                       `json:"int"`
	Small     int8                      `json:"small"`
	ID        *int64                    `json:"id"`
	Unsigned  uint                      `json:"unsigned"`
	Measure   float64                   `json:"measure"`
	Narrow    float32                   `json:"narrow"`
	Text      string                    `json:"text"`
	Flag      *bool                     `json:"flag"`
	Tags      []string                  `json:"tags"`
	Counts    []int                     `json:"counts"`
	Pair      [2]int                    `json:"pair"`
	Raw       json.RawMessage           `json:"raw"`
	Raws      []json.RawMessage         `json:"raws"`
	Any       any                       `json:"any"`
	When      Timestamp                 `json:"when"`
	Null      Nullable[int]             `json:"null"`
	Nullables Nullable[[]AlertSettings] `json:"nullables"`
	Named     map[string]int            `json:"named"`
	Numbered  map[int]int               `json:"numbered"`
	Bytes     []byte                    `json:"bytes"`
	Quoted    int                       `json:"quoted,string"`
	Strategy  *RetryStrategy            `json:"strategy"`
	Secret    KeyValue                  `json:"secret"`
	Config    SecretJSON                `json:"config"`
	Assertion Assertion                 `json:"assertion"`
	Errors    []ResultError             `json:"errors"`
	Runtime   *RuntimeID                `json:"runtime"`
	Number    json.Number               `json:"number"`
	Inner     *mendable                 `json:"inner"`
	CheckIntent
}

func TestOnlyMembersThatDoNotFitAreRewritten(t *testing.T) {
	for sent, want := range map[string]string{
		`{"int":2.75, "raw":{"a":5.0} }`:                 `{"int":2, "raw":{"a":5.0} }`,
		`{"INT":-2.75}`:                                  `{"INT":-2}`,
		`{"id":9007199254740993.0,"unsigned":1e3}`:       `{"id":9007199254740993,"unsigned":1000}`,
		`{"small":1.27E2,"measure":5.0,"any":[5.0]}`:     `{"small":127,"measure":5.0,"any":[5.0]}`,
		`{"counts":[1.0, 2, 3e0],"pair":[1.5,2,3.0]}`:    `{"counts":[1, 2, 3],"pair":[1,2,3]}`,
		`{"unknown":5.0,"int":5.0}`:                      `{"unknown":5.0,"int":5}`,
		`{"tags":"a \"b"}`:                               `{"tags":["a \"b"]}`,
		`{"requiredOutcomes":"x","int":1.0}`:             `{"requiredOutcomes":["x"],"int":1}`,
		`{"errors":"boom"}`:                              `{"errors":["boom"]}`,
		`{"errors":{"message":"m","n":1.0}}`:             `{"errors":[{"message":"m","n":1.0}]}`,
		`{"raws":{"a":1.0}}`:                             `{"raws":[{"a":1.0}]}`,
		`{"null":3.5,"named":{"a":1.0}}`:                 `{"null":3,"named":{"a":1}}`,
		`{"numbered":{"7":1.0}}`:                         `{"numbered":{"7":1}}`,
		`{"nullables":[{"reminders":{"amount":1.5}}]}`:   `{"nullables":[{"reminders":{"amount":1}}]}`,
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
	} {
		m := mend([]byte(sent), reflect.TypeFor[mendable]())
		require.Zero(t, m.unreadable, sent)
		require.Equal(t, want, string(m.out), sent)
		require.NoError(t, unmarshal([]byte(sent), new(mendable)), sent)
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
		`{"bytes":"?"}`:                         {`$.bytes: want a string in base64, got a string`, `{"bytes":null}`},
		`{"when":12}`:                           {`$.when: timestamp: want a string, got a number`, `{"when":null}`},
		`{"when":"yesterday"}`:                  {`$.when: timestamp: "yesterday" is neither a timestamp of ISO 8601 nor a calendar date`, `{"when":null}`},
		`{"null":"x"}`:                          {`$.null: want a number, got a string`, `{"null":null}`},
		`{"strategy":5}`:                        {`$.strategy: the value does not fit its type`, `{"strategy":null}`},
		`{"strategy":{"sameRegion":"x"}}`:       {`$.strategy.sameRegion: want a boolean, got a string`, `{"strategy":{"sameRegion":null}}`},
		`{"number":"x"}`:                        {`$.number: the value does not fit its type`, `{"number":null}`},
		`{"inner":{"int":2.5,"text":1},"id":1}`: {`$.inner.text: want a string, got a number`, `{"inner":{"int":2,"text":null},"id":1}`},
		`[]`:                                    {`want an object, got an array`, `[]`},
		`7`:                                     {`want an object, got a number`, `7`},
	} {
		var failed *DecodeError
		require.ErrorAs(t, unmarshal([]byte(sent), new(mendable)), &failed, sent)
		require.Equal(t, "monitoring: read the response: "+want.text, failed.Error(), sent)
		require.Equal(t, strings.HasPrefix(want.text, "$"), failed.Path != "", sent)
		if want.partial != "" {
			require.Equal(t, want.partial, string(failed.Partial))
		}
		if failed.Path != "" && want.partial != "" {
			require.NoError(t, json.Unmarshal(failed.Partial, new(mendable)), sent)
		}
	}
}

func TestWholeNumbersOfUsersTypesAreNotRounded(t *testing.T) {
	type users = struct{ N int }
	var v users
	require.NoError(t, unmarshal([]byte(`{"N":5.0}`), &v))
	require.Equal(t, 5, v.N)
	require.EqualError(t, unmarshal([]byte(`{"N":5.5}`), &v), "monitoring: read the response: $.N: want a whole number")
	require.EqualError(t, unmarshal([]byte(`{"M":[{"N":"x"}]}`), &struct{ M []users }{}), "monitoring: read the response: $.M[0].N: want a number, got a string")
	require.EqualError(t, unmarshal([]byte(`["a","b"]`), new([]int)), "monitoring: read the response: $[0]: want a number, got a string")
	require.EqualError(t, unmarshal([]byte(`{"C":1}`), &struct{ C chan int }{}), "monitoring: read the response: $.C: the number is out of range")
}

func TestOfTwoFieldsOfOneNameTheLessNestedOneIsUsed(t *testing.T) {
	type Inner struct {
		N string
		M int
	}
	type outer struct {
		*Inner
		N int
	}
	var v outer
	require.NoError(t, unmarshal([]byte(`{"N":5.0,"M":6.0}`), &v))
	require.Equal(t, 5, v.N)
	require.Equal(t, 6, v.M)
}

func TestErrorsOfInvalidJSONDoNotQuoteEncodingJSON(t *testing.T) {
	for sent, want := range map[string]string{
		`{"int":1,"te`: "it is cut off after 12 bytes: unexpected EOF",
		`{"int":1`:     "it is cut off after 8 bytes: unexpected EOF",
		`{"int":1}}`:   "it is not JSON",
		`{int:1}`:      "it is not JSON",
		`plain`:        "it is not JSON",
		``:             "it is not JSON",
	} {
		err := unmarshal([]byte(sent), new(mendable))
		require.EqualError(t, err, "monitoring: read the response: "+want, sent)
		var failed *DecodeError
		require.ErrorAs(t, err, &failed)
		require.True(t, failed.broken)
		require.Nil(t, failed.Partial)
	}
}

// at returns the value at a path in the form that errors have, such as $.a["b c"][3].
func at(t *testing.T, document any, path string) any {
	for path = strings.TrimPrefix(path, "$"); path != ""; {
		switch {
		case path[0] == '.':
			end := strings.IndexAny(path[1:], ".[")
			if end < 0 {
				end = len(path) - 1
			}
			document, path = memberOf(t, document, path[1:1+end]), path[1+end:]
		case strings.HasPrefix(path, `["`):
			quoted, err := strconv.QuotedPrefix(path[1:])
			require.NoError(t, err)
			name, err := strconv.Unquote(quoted)
			require.NoError(t, err)
			document, path = memberOf(t, document, name), path[1+len(quoted)+1:]
		default:
			number, rest, ok := strings.Cut(path[1:], "]")
			require.True(t, ok, path)
			index, err := strconv.Atoi(number)
			require.NoError(t, err)
			list, ok := document.([]any)
			require.True(t, ok && index < len(list), path)
			document, path = list[index], rest
		}
	}
	return document
}

func memberOf(t *testing.T, document any, name string) any {
	object, ok := document.(map[string]any)
	require.True(t, ok, name)
	value, ok := object[name]
	require.True(t, ok, name)
	return value
}

// FuzzMend checks the slow path of decoding. It changes nothing that encoding/json can read, its
// result can be read, and its errors name paths that exist.
func FuzzMend(f *testing.F) {
	files, _ := filepath.Glob("testdata/responses/*.all-members.json")
	for _, file := range files {
		f.Add([]byte(readFile(f, file)))
	}
	for _, text := range []string{
		`{"int":2.75,"raw":{"a":5.0}}`, `[{"int":"x"}]`, `{"inner":{"inner":{"tags":"x"}},"named":{"a b":true}}`, `{"errors":"boom","quoted":"x"}`,
		`{"int":1.0,"int":"x"}`, `{"when":"x","strategy":{"onlyOn":1}}`, `{"traceId":1,"apiCheckResult":{"response":[1],"errors":{"a":1}}}`, `"\ud800"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzMend[mendable](t, data)
		fuzzMend[CheckGroup](t, data)
		fuzzMend[[]MaintenanceWindow](t, data)
		fuzzMend[CheckResult](t, data)
		fuzzMend[struct {
			N map[string]*[]uint8
			R []CheckSession
			I any
		}](t, data)
	})
}

func fuzzMend[T any](t *testing.T, data []byte) {
	var plain, lenient T
	err := json.Unmarshal(data, &plain)
	failed := unmarshal(data, &lenient)
	if !json.Valid(data) {
		require.Error(t, failed)
		mend(data, reflect.TypeFor[T]()) // must neither panic nor loop
		return
	}
	m := mend(data, reflect.TypeFor[T]())
	require.True(t, json.Valid(m.out), "%s", m.out)
	if err == nil {
		require.NoError(t, failed)
		require.Equal(t, plain, lenient)
		if _, own := any(&lenient).(selfReader); !own { // its own UnmarshalJSON calls mend
			require.Zero(t, m.unreadable)
			if len(m.moved) == 0 {
				var again T
				require.NoError(t, json.Unmarshal(m.out, &again))
			}
		}
		return
	}
	if m.first.path != "" && utf8Valid(data) {
		at(t, parseJSON(t, string(data)), m.first.path)
	}
	if failed != nil {
		d, ok := failed.(*DecodeError)
		require.True(t, ok, "%T", failed)
		require.True(t, json.Valid(d.Partial))
		require.NotContains(t, d.Error(), "json:")
	}
}

func utf8Valid(data []byte) bool { return bytes.Equal(data, bytes.ToValidUTF8(data, nil)) }

func TestTheSlowPathKeepsNothingOfTheFastPath(t *testing.T) {
	v := mendable{Text: "left over"}
	require.NoError(t, unmarshal([]byte(`{"int":1.5}`), &v))
	require.Equal(t, mendable{Int: 1}, v)
}

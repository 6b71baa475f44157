package document_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/document"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
)

type (
	// secret is withheld if it is nil, and anyJSON a secret that takes any JSON.
	secret  struct{ text *string }
	anyJSON struct{ text *string }
	// maybe is null unless it is there.
	maybe struct {
		value string
		there bool
	}
	item struct {
		Key    string   `json:"key"`
		Value  secret   `json:"value"`
		Size   *float64 `json:"size,omitempty"`
		Hidden bool     `json:"-"`
	}
	plan struct {
		Type  string   `json:"type,omitempty"`
		Days  *float64 `json:"days,omitempty"`
		Words []string `json:"words,omitzero"`
	}
	place struct {
		Host string  `json:"host,omitempty"`
		Port float64 `json:"port"`
	}
	Common struct {
		Name  string `json:"name"`
		Count uint8  `json:"count,omitempty"`
	}
	record struct {
		Common
		Items  []item          `json:"items,omitzero"`
		Plan   *plan           `json:"plan"`
		Rules  []plan          `json:"rules,omitempty"`
		Place  place           `json:"place,omitzero"`
		Maybe  maybe           `json:"maybe,omitzero"`
		Config anyJSON         `json:"config,omitzero"`
		When   time.Time       `json:"when,omitzero"`
		Raw    json.RawMessage `json:"raw,omitempty"`
		Any    any             `json:"any,omitempty"`
		Flags  []*bool         `json:"flags,omitempty"`
	}
)

var plans = &jsontype.Plans{Traits: func(t reflect.Type) (traits jsontype.Traits) {
	reveal := func(text *string) (string, bool) {
		if text == nil {
			return "", true
		}
		return *text, false
	}
	switch t {
	case reflect.TypeFor[secret]():
		traits.Reveal = func(p any) (string, bool) { return reveal(p.(*secret).text) }
	case reflect.TypeFor[anyJSON]():
		traits.Raw = true
		traits.Reveal = func(p any) (string, bool) { return reveal(p.(*anyJSON).text) }
	case reflect.TypeFor[maybe]():
		traits.Inner = func(p any) (any, bool) { return &p.(*maybe).value, p.(*maybe).there }
	case reflect.TypeFor[item]():
		traits.Blank = func(p any) bool { return p.(*item).Hidden }
	case reflect.TypeFor[plan]():
		traits.Text = func(p any) (string, bool) { // an object may say the same
			one := p.(*plan)
			return one.Type, one.Type == "none" || one.Type == "all" && one.Days == nil
		}
	case reflect.TypeFor[place]():
		traits.ReadAs = []string{"url"}
	}
	return traits
}}

func planOf(v any) (*jsontype.Plan, reflect.Value) {
	value := reflect.ValueOf(v).Elem()
	return plans.Of(value.Type()), value
}

func written(t *testing.T, v any, hide bool) string {
	t.Helper()
	w := document.Writer{Hide: hide}
	p, value := planOf(v)
	data := w.Value(p, value)
	require.NoError(t, w.Err)
	return string(data)
}

// full returns a record in which nothing is left out.
func full() *record {
	return &record{
		Common: Common{"n <&> \u2028\"\n", 3}, Items: []item{{Key: "k", Value: secret{new("s")}, Size: new(1.5)}, {Key: "l"}}, Plan: &plan{Days: new(-1.0)},
		Rules: []plan{{Type: "none"}, {Words: []string{}}}, Place: place{"h", 1}, Maybe: maybe{"m", true}, Config: anyJSON{new(`{ "a": 1.0 }`)},
		When: time.Unix(0, 0).UTC(), Raw: json.RawMessage(`[1]`), Any: map[string]any{"a": "<"}, Flags: []*bool{nil, new(true)},
	}
}

func TestAValueIsWrittenWithItsSecrets(t *testing.T) {
	require.Equal(t, `{"name":"","plan":null}`, written(t, &record{}, false), "what is zero is left out as its tag says")
	require.Equal(t, "{\"name\":\"n <&> \u2028\\\"\\n\",\"count\":3,\"items\":[{\"key\":\"k\",\"value\":\"s\",\"size\":1.5},{\"key\":\"l\",\"value\":null}],"+
		`"plan":{"days":-1},"rules":["none",{"words":[]}],"place":{"host":"h","port":1},"maybe":"m","config":{"a":1.0},"when":"1970-01-01T00:00:00Z",`+
		`"raw":[1],"any":{"a":"<"},"flags":[null,true]}`, written(t, full(), false))
	hidden := written(t, full(), true)
	require.Contains(t, hidden, `{"key":"k","value":null,"size":1.5}`)
	require.Contains(t, hidden, `"config":null`)
	require.Equal(t, `{"key":"","value":null}`, written(t, &item{Value: secret{new("s")}, Hidden: true}, false), "the object says that it is withheld")
	require.Equal(t, `null`, written(t, &maybe{}, false))
}

func TestNumbersAreWrittenAsEncodingJSONDoes(t *testing.T) {
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.9e-7, 1e20, 1e21, -1e21, 1e300, math.Pi, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		want, err := json.Marshal(f)
		require.NoError(t, err)
		require.Equal(t, string(want), written(t, &f, false))
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	for name, v := range map[string]any{
		"no number": new(math.Inf(1)), "a secret that is no JSON": &anyJSON{new("{")}, "a function": &record{Any: func() {}},
	} {
		var w document.Writer
		w.Value(planOf(v))
		require.Error(t, w.Err, name)
	}
}

func read[T any](t *testing.T, data string) *T {
	t.Helper()
	v := new(T)
	require.NoError(t, json.Unmarshal([]byte(data), v))
	return v
}

func (s *secret) UnmarshalJSON(data []byte) error  { return json.Unmarshal(data, &s.text) }
func (s *anyJSON) UnmarshalJSON(data []byte) error { s.text = new(string(data)); return nil }
func (p *plan) UnmarshalJSON(data []byte) error {
	type plain plan
	if data[0] == '"' {
		return json.Unmarshal(data, &p.Type)
	}
	return json.Unmarshal(data, (*plain)(p))
}

const kept = `{"name":"\u006e","new":[1.0, 2],"items":[{"key":"a","value":"\u0073","size":1.0,"x":1},null,{"key":"b","value":null,"x":{"y": 2}}],
	"plan":{"DAYS":2,"days":1,"words":[ "a","b" ],"x":3,"days":3},"rules":[{"type":"A","days":1.0,"x":4},{"type":"A","days":2,"x":5},{"type":"B","x":6}],"place":{"url":"h","port":1.0,"x":7}}`

func TestOnlyWhatHasChangedIsWrittenAnew(t *testing.T) {
	compact := strings.NewReplacer(", ", ",", ": ", ":", "[ ", "[", " ]", "]", "\n\t", "").Replace
	for name, c := range map[string]struct {
		change   func(*record)
		from, to string // a part of the JSON, and what it becomes; "" for nothing
	}{
		"nothing":                                  {func(*record) {}, "", ""},
		"a text":                                   {func(r *record) { r.Name = "m" }, `"name":"\u006e"`, `"name":"m"`},
		"a secret beside what is unknown":          {func(r *record) { r.Items[0].Value = secret{new("t")} }, `"value":"\u0073"`, `"value":"t"`},
		"a number beside an odd text":              {func(r *record) { r.Items[0].Size = new(2.0) }, `"size":1.0`, `"size":2`},
		"a member that goes":                       {func(r *record) { r.Items[0].Size = nil }, `"size":1.0,`, ``},
		"a member that comes":                      {func(r *record) { r.Count = 7 }, `"place":{"url":"h","port":1.0,"x":7}}`, `"place":{"url":"h","port":1.0,"x":7},"count":7}`},
		"items that move":                          {func(r *record) { r.Items[0], r.Items[2] = r.Items[2], r.Items[0] }, `[{"key":"a","value":"\u0073","size":1.0,"x":1},null,{"key":"b","value":null,"x":{"y":2}}]`, `[{"key":"b","value":null,"x":{"y":2}},null,{"key":"a","value":"\u0073","size":1.0,"x":1}]`},
		"an item that goes":                        {func(r *record) { r.Items = r.Items[1:] }, `{"key":"a","value":"\u0073","size":1.0,"x":1},`, ``},
		"an item with another key":                 {func(r *record) { r.Items[0].Key = "c" }, `{"key":"a","value":"\u0073","size":1.0,"x":1}`, `{"key":"c","value":"s","size":1}`},
		"a literal with the same key":              {func(r *record) { r.Items[0] = item{Key: "a"} }, `{"key":"a","value":"\u0073","size":1.0,"x":1}`, `{"key":"a","value":null,"x":1}`},
		"an item that comes, and one that is null": {func(r *record) { r.Items = append(r.Items, item{Key: "z"}) }, `"x":{"y":2}}]`, `"x":{"y":2}},{"key":"z","value":null}]`},
		"a name in another case":                   {func(r *record) { r.Plan.Words[1] = "c" }, `{"DAYS":2,"days":1,"words":["a","b"],"x":3,"days":3}`, `{"DAYS":2,"words":["a","c"],"x":3,"days":3}`},
		"an object that gets another type":         {func(r *record) { r.Plan.Type = "C" }, `{"DAYS":2,"days":1,"words":["a","b"],"x":3,"days":3}`, `{"type":"C","days":3,"words":["a","b"]}`},
		"an object that becomes a text":            {func(r *record) { r.Plan.Type = "none" }, `{"DAYS":2,"days":1,"words":["a","b"],"x":3,"days":3}`, `"none"`},
		"an object that becomes null":              {func(r *record) { r.Plan = nil }, `{"DAYS":2,"days":1,"words":["a","b"],"x":3,"days":3}`, `null`},
		"an item without a key at its place":       {func(r *record) { r.Rules[1].Days = new(7.0) }, `"days":2,"x":5`, `"days":7,"x":5`},
		"one between the same neighbors":           {func(r *record) { r.Rules = []plan{r.Rules[0], {Type: "A"}, r.Rules[2], {}} }, `{"type":"A","days":2,"x":5},{"type":"B","x":6}`, `{"type":"A","x":5},{"type":"B","x":6},{}`},
		"one without a place":                      {func(r *record) { r.Rules = []plan{{Type: "A", Days: new(9.0)}, r.Rules[2]} }, `{"type":"A","days":1.0,"x":4},{"type":"A","days":2,"x":5},`, `{"type":"A","days":9},`},
		"one before the first, and one less":       {func(r *record) { r.Rules = []plan{{Type: "A", Days: new(9.0)}, r.Rules[0], r.Rules[2]} }, `{"type":"A","days":1.0,"x":4},{"type":"A","days":2,"x":5},`, `{"type":"A","days":9},{"type":"A","days":1.0,"x":4},`},
		"an item twice":                            {func(r *record) { r.Rules = append(r.Rules, r.Rules[2]) }, `{"type":"B","x":6}`, `{"type":"B","x":6},{"type":"B","x":6}`},
		"a list that is emptied":                   {func(r *record) { r.Items = []item{} }, `[{"key":"a","value":"\u0073","size":1.0,"x":1},null,{"key":"b","value":null,"x":{"y":2}}]`, `[]`},
		"another name of what is read":             {func(r *record) { r.Place.Port = 2 }, `{"url":"h","port":1.0,"x":7}`, `{"port":2,"x":7,"host":"h"}`},
	} {
		was, now := read[record](t, kept), read[record](t, kept)
		was.Place.Host, now.Place.Host = "h", "h" // who reads it knows the other name
		c.change(now)
		var w document.Writer
		p, before := planOf(was)
		require.Contains(t, compact(kept), c.from, name)
		want := strings.Replace(compact(kept), c.from, c.to, 1)
		require.Equal(t, want, string(w.Patch(p, []byte(kept), before, reflect.ValueOf(now).Elem())), name)
		require.NoError(t, w.Err)
	}
}

func TestAMemberWhoseNameDiffersInCaseIsPatchedUnderTheNameOfItsField(t *testing.T) {
	for odd, want := range map[string]string{
		`{"PORT":1.0,"x":1,"Host":"h"}`: `{"port":2,"x":1,"Host":"h"}`, `{"host":"g","port":1,"host":"h"}`: `{"port":2,"host":"h"}`,
	} {
		was, now := read[place](t, odd), read[place](t, odd)
		now.Port = 2
		var w document.Writer
		p, before := planOf(was)
		require.Equal(t, want, string(w.Patch(p, []byte(odd), before, reflect.ValueOf(now).Elem())))
	}
}

func TestOfSeveralItemsWithOneKeyEachKeepsWhatItHad(t *testing.T) {
	const twice = `{"plan":null,"items":[{"key":"a","value":"s","size":1.0,"x":1},{"key":"a","value":"s","size":2.0,"x":2}]}`
	first, second := `{"key":"a","value":"s","size":1.0,"x":1}`, `{"key":"a","value":"s","size":2.0,"x":2}`
	for want, change := range map[string]func(*record){
		second:               func(r *record) { r.Items = r.Items[1:] },
		second + "," + first: func(r *record) { r.Items[0], r.Items[1] = r.Items[1], r.Items[0] },
		`{"key":"a","value":"s","size":3,"x":1},` + second: func(r *record) { r.Items[0].Size = new(3.0) },
		second + `,{"key":"a","value":"s","size":3,"x":1}`: func(r *record) { r.Items = []item{r.Items[1], {Key: "a", Value: r.Items[0].Value, Size: new(3.0)}} },
		first + "," + second + "," + second:                func(r *record) { r.Items = append(r.Items, r.Items[1]) },
	} {
		was, now := read[record](t, twice), read[record](t, twice)
		change(now)
		var w document.Writer
		p, before := planOf(was)
		require.Equal(t, `{"plan":null,"items":[`+want+`]}`, string(w.Patch(p, []byte(twice), before, reflect.ValueOf(now).Elem())))
	}
}

// Items that are pointers have keys, too, and a list whose tag omits nothing becomes null.
func TestAListOfPointersIsPatchedByItsKeys(t *testing.T) {
	type lists struct {
		To []*item `json:"to"`
	}
	const a, b = `{"key":"a","value":"s","x":1}`, `{"key":"b","value":"s","x":2}`
	for want, change := range map[string]func(*lists){
		`[null,` + b + `,` + a + `]`:                     func(l *lists) { l.To = []*item{nil, l.To[2], l.To[0]} },
		`[{"key":"a","value":"t","x":1},null,` + b + `]`: func(l *lists) { l.To[0].Value = secret{new("t")} },
		`[` + b + `,{"key":"c","value":"s"}]`:            func(l *lists) { l.To = []*item{l.To[2], {Key: "c", Value: secret{new("s")}}} },
		`null`:                                           func(l *lists) { l.To = nil },
		`[]`:                                             func(l *lists) { l.To = []*item{} },
	} {
		const read0 = `{"to":[` + a + `,null,` + b + `]}`
		was, now := read[lists](t, read0), read[lists](t, read0)
		change(now)
		var w document.Writer
		p, before := planOf(was)
		require.Equal(t, `{"to":`+want+`}`, string(w.Patch(p, []byte(read0), before, reflect.ValueOf(now).Elem())))
	}
}

func TestAHiddenPatchShowsNoSecretAndNothingThatMayBeOne(t *testing.T) {
	was, now := read[record](t, kept), read[record](t, kept)
	now.Name, now.Plan.Days = "m", new(9.0)
	w := document.Writer{Hide: true}
	p, before := planOf(was)
	require.JSONEq(t, `{"name":"m","items":[{"key":"a","value":null,"size":1},null,{"key":"b","value":null}],
		"plan":{"DAYS":2,"days":9,"words":["a","b"],"x":3},"rules":[{"type":"A","days":1,"x":4},{"type":"A","days":2,"x":5},{"type":"B","x":6}],"place":{"url":"h","port":1,"x":7}}`,
		string(w.Patch(p, []byte(kept), before, reflect.ValueOf(now).Elem())))
}

func TestAHiddenPatchLeavesOutASecretUnderANameInAnotherCase(t *testing.T) {
	type outer struct {
		Inner struct {
			Items []item `json:"items"`
			Size  int    `json:"size"`
		} `json:"inner"`
	}
	const odd = `{"inner":{"items":[{"key":"a","value":"s"}],"ITEMS":[{"key":"a","value":"t"}],"size":1,"SIZE":2,"x":3}}`
	v := read[outer](t, strings.Replace(odd, `"ITEMS":[{"key":"a","value":"t"}],`, "", 1))
	w := document.Writer{Hide: true}
	p, value := planOf(v)
	require.Equal(t, `{"inner":{"items":[{"key":"a","value":null}],"size":1,"SIZE":2,"x":3}}`, string(w.Patch(p, []byte(odd), value, value)))
}

func TestAJSONThatDoesNotFitItsValueIsWrittenAnew(t *testing.T) {
	for _, odd := range []string{`null`, `{"items":{"a":1}}`, `{"items":[]}`, `{"plan":7,"items":null}`, `[]`, `"x"`, ``} {
		was, now := full(), full()
		now.Items[0].Key, now.Plan.Days = "other", new(2.0)
		var w document.Writer
		p, before := planOf(was)
		data := string(w.Patch(p, []byte(odd), before, reflect.ValueOf(now).Elem()))
		require.NoError(t, w.Err)
		again := read[struct {
			Items []item `json:"items"`
			Plan  *plan  `json:"plan"`
		}](t, data)
		require.Equal(t, "other", again.Items[0].Key, odd)
		require.Equal(t, 2.0, *again.Plan.Days, odd)
	}
}

func TestTwoValuesAreEqualIfTheyAreWrittenInTheSameWay(t *testing.T) {
	values := []*record{{}, full()}
	for _, change := range []func(*record){
		func(r *record) { r.Name = "x" }, func(r *record) { r.Count = 0 }, func(r *record) { r.Items = nil }, func(r *record) { r.Items = []item{} },
		func(r *record) { r.Items[0].Value = secret{} }, func(r *record) { r.Items[0].Value = secret{new("")} }, func(r *record) { r.Items[0].Hidden = true },
		func(r *record) { r.Items[0].Size = new(2.5) }, func(r *record) { r.Plan = nil }, func(r *record) { r.Plan.Type = "none" }, func(r *record) { r.Plan = &plan{Type: "all"} }, func(r *record) { r.Plan.Type = "all" }, func(r *record) { r.Rules[0].Days = new(1.0) },
		func(r *record) { r.Rules = r.Rules[:1] }, func(r *record) { r.Maybe = maybe{} }, func(r *record) { r.Maybe.value = "" }, func(r *record) { r.Config = anyJSON{new("1")} },
		func(r *record) { r.When = time.Unix(1, 0).UTC() }, func(r *record) { r.Raw = nil }, func(r *record) { r.Any = 1 }, func(r *record) { r.Flags[1] = new(false) },
	} {
		one := full()
		change(one)
		values = append(values, one)
	}
	for i, a := range values {
		for k, b := range values {
			p, one := planOf(a)
			same := written(t, a, false) == written(t, b, false)
			require.Equal(t, same, document.Equal(p, one, reflect.ValueOf(b).Elem()), "%d and %d", i, k)
		}
	}
}

func TestSecretsAreFoundWithTheirPaths(t *testing.T) {
	r := read[record](t, kept)
	r.Items = append(r.Items, item{Key: "h", Value: secret{new("t")}, Hidden: true})
	r.Config = anyJSON{new("[1]")}
	p, v := planOf(r)
	require.Equal(t, []document.Secret{
		{Text: "s"}, {Withheld: "at.items[2].value"}, {Withheld: "at.items[3].value"}, {Text: "[1]", Raw: true},
	}, document.Secrets(nil, p, v, []byte(kept), []byte("at")), "an item that is null has none")
}

package updates

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// fields are those of the object of these tests, a shelf. Nothing has a field for the weight, and
// only the service makes Made. Who reads a book knows whether its value is a secret; a lock always
// is one.
type (
	fields struct {
		Name  *string  `json:"name,omitempty"`
		Size  *float64 `json:"size,omitempty"`
		Color *string  `json:"color,omitempty"`
		Tags  []string `json:"tags,omitempty"`
		Books []book   `json:"books,omitempty"`
		Locks []lock   `json:"locks,omitempty"`
		Theme any      `json:"theme,omitempty"`
	}
	book struct {
		Key    string `json:"key"`
		Value  code   `json:"value"`
		Locked bool   `json:"locked,omitempty"`
		Secret bool   `json:"secret,omitempty"`
	}
	lock struct {
		ID   int  `json:"id"`
		Code code `json:"code"`
	}
	// code is a secret, nil if it is withheld.
	code struct{ text *string }
)

func (c *code) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &c.text) }
func (c code) MarshalJSON() ([]byte, error)     { return json.Marshal(c.text) }

func object(members ...schema.Member) *schema.Node {
	return &schema.Node{Kinds: schema.Object, Members: members}
}

var (
	secret = &schema.Node{Kinds: schema.String, Secret: true}
	flag   = &schema.Node{Kinds: schema.Boolean}
	node   = object(
		schema.Member{Name: "name", Node: &schema.Node{Kinds: schema.String}},
		schema.Member{Name: "size", Node: &schema.Node{Kinds: schema.Number}},
		schema.Member{Name: "color", Node: &schema.Node{Kinds: schema.String | schema.Null}},
		schema.Member{Name: "weight", Node: &schema.Node{Kinds: schema.Number}},
		schema.Member{Name: "tags", Node: &schema.Node{Kinds: schema.Array, Items: &schema.Node{Kinds: schema.String}}},
		schema.Member{Name: "theme", Node: object(schema.Member{Name: "hue", Node: &schema.Node{}})},
		schema.Member{Name: "books", Node: &schema.Node{Kinds: schema.Array, Items: object(schema.Member{Name: "key", Node: &schema.Node{Kinds: schema.String}},
			schema.Member{Name: "value", Node: secret}, schema.Member{Name: "locked", Node: flag}, schema.Member{Name: "secret", Node: flag})}},
		schema.Member{Name: "locks", Node: &schema.Node{Kinds: schema.Array, Items: object(schema.Member{Name: "id", Node: &schema.Node{Kinds: schema.Integer}}, schema.Member{Name: "code", Node: secret})}},
	)
)

var plans = &jsontype.Plans{Traits: func(t reflect.Type) jsontype.Traits {
	if t != reflect.TypeFor[code]() {
		return jsontype.Traits{}
	}
	return jsontype.Traits{Reveal: func(pointer any) (string, bool) {
		if text := pointer.(*code).text; text != nil {
			return *text, false
		}
		return "", true
	}}
}}

// leftOut returns what an update leaves out.
func leftOut(t *testing.T, u *Update) []string {
	t.Helper()
	b, err := u.Body()
	require.NoError(t, err)
	return b.LeftOut()
}

// change returns the update of a shelf after a change of its fields.
func change(t *testing.T, read string, f func(*fields)) *Update {
	t.Helper()
	decode := func() *fields {
		out := new(fields)
		require.NoError(t, json.Unmarshal([]byte(read), out))
		return out
	}
	now := decode()
	f(now)
	return &Update{
		Plans: plans, Node: node, Made: []string{"Made"}, Read: []byte(read), Fields: now,
		AsRead: func() any { return decode() },
	}
}

// TestNoBodyIsMadeOfAnObjectThatNobodyHasChanged fails if what the object has for a member is
// another value than with a body, or if a body is made although nobody has changed the object.
func TestNoBodyIsMadeOfAnObjectThatNobodyHasChanged(t *testing.T) {
	const read = `{"name":"n","color":null,"COLOR":"x","tags":null,"size":0,"theme":{"hue":1,"tone":2},"Made":1,"new":{"a":1},` +
		`"books":[{"key":"k","value":null,"secret":true}],"locks":[{"id":1,"code":"c"}]}`
	for _, patches := range []bool{false, true} {
		there := change(t, read, func(*fields) {})
		there.AsRead, there.Patches, there.Keeps = nil, patches, []string{"size"}
		u := change(t, read, func(f *fields) { f.Name, f.Tags = new("other"), []string{"a"} })
		u.There, u.Patches = there, patches
		b, err := u.Body()
		require.NoError(t, err)
		require.True(t, u.Changes())
		require.Nil(t, there.body)
		require.Equal(t, !patches, b.value("locks") != nil)

		asBody, err := there.Body()
		require.NoError(t, err)
		for _, name := range []string{"name", "color", "tags", "size", "theme", "books", "locks", "Made", "new", "weight", "none"} {
			want := asBody.value(name)
			if want == nil {
				want = there.members().get(name)
			}
			require.Equal(t, string(want), string(there.has(name)), name)
		}
	}
}

func TestABodyHasWhatWasReadWithWhatHasChanged(t *testing.T) {
	const read = `{"NAME":"old","name":"n","SIZE":1.0,"color":"red","books":[{"key":"k","value":"v","x":1}],"tags":null,"Made":"x","new":1}`
	for name, test := range map[string]struct {
		change  func(*fields)
		want    string
		changed int
		unset   []string
	}{
		"nothing":                  {func(*fields) {}, `{"name":"n","size":1.0,"color":"red","books":[{"key":"k","value":"v","x":1}]}`, 0, nil},
		"a value":                  {func(f *fields) { f.Size = new(2.0) }, `{"name":"n","size":2,"color":"red","books":[{"key":"k","value":"v","x":1}]}`, 1, nil},
		"a list is cleared":        {func(f *fields) { f.Books = nil }, `{"name":"n","size":1.0,"color":"red","books":[]}`, 1, nil},
		"null where there is one":  {func(f *fields) { f.Color = nil }, `{"name":"n","size":1.0,"books":[{"key":"k","value":"v","x":1}],"color":null}`, 1, nil},
		"null where there is none": {func(f *fields) { f.Name = nil }, `{"size":1.0,"color":"red","books":[{"key":"k","value":"v","x":1}]}`, 0, []string{"name"}},
		"an item more":             {func(f *fields) { f.Tags = []string{"a"} }, `{"name":"n","size":1.0,"color":"red","tags":["a"],"books":[{"key":"k","value":"v","x":1}]}`, 1, nil},
	} {
		u := change(t, read, test.change)
		b, err := u.Body()
		require.NoError(t, err, name)
		require.Equal(t, test.want, string(b.JSON), name)
		require.Equal(t, test.changed, b.changed, name)
		require.Equal(t, test.unset, b.Unset, name)
		require.Equal(t, []string{"NAME", "new"}, leftOut(t, u), name)
	}
	b, err := change(t, `{"color":null,"name":null,"tags":["a","\ud800"]}`, func(f *fields) { f.Tags[0] = "b" }).Body()
	require.NoError(t, err)
	require.Equal(t, `{"tags":["b","\ud800"],"color":null}`, string(b.JSON))
	u := change(t, `{"theme":{"old":1,"HUE":"x","name":1.0}}`, func(*fields) {})
	b, err = u.Body()
	require.NoError(t, err)
	require.Equal(t, `{"theme":{"old":1,"name":1.0}}`, string(b.JSON))
	require.Empty(t, u.Diff(false), "what is not accepted is no change")
	b, err = change(t, `{"theme":{"HUE":"x"}}`, func(*fields) {}).Body()
	require.NoError(t, err)
	require.Equal(t, `{"theme":{}}`, string(b.JSON), "nothing of it is accepted")
}

func TestWhatWasReadIsDecodedOnceForAllThatIsAsked(t *testing.T) {
	const read = `{"id":1,"name":"n","locks":[{"id":1,"code":"c"}]}`
	ask := func(u *Update) {
		b, err := u.Body()
		require.NoError(t, err)
		require.Len(t, b.Broken(Rules{Complete: true}), 1, "no update of these knows the id")
		require.Len(t, u.Diff(false), 1)
		require.Empty(t, b.Answered([]byte(read)).Reset)
		require.Equal(t, []string{"id"}, b.LeftOut())
	}
	u, decodings := change(t, read, func(f *fields) { f.Name = new("m") }), 0
	asRead := u.AsRead
	u.AsRead = func() any {
		decodings++
		return asRead()
	}
	ask(u)
	require.Equal(t, 1, decodings)

	u = change(t, read, func(f *fields) { f.Name = new("m") })
	u.There = change(t, read, func(*fields) {})
	u.There.AsRead = nil // what is there was just read
	u.AsRead = func() any {
		require.Fail(t, "it is there")
		return nil
	}
	require.True(t, u.Changes())
	ask(u)
	require.Len(t, u.DiffFrom(u.There), 1)
}

// The service may reset what such an update leaves out, also where nobody can set it.
func TestAnUpdateThatIsNoPatchAlsoSendsWhatItHasNoFieldFor(t *testing.T) {
	const read = `{"name":"n","WEIGHT":1.50,"size":2.0,"Made":"x","new":1}`
	for name, test := range map[string]struct {
		patches bool
		change  func(*fields)
		want    string
	}{
		"nothing has changed": {false, func(*fields) {}, `{"name":"n","size":2.0,"weight":1.50}`},
		"something else has":  {false, func(f *fields) { f.Size = new(3.0) }, `{"name":"n","size":3,"weight":1.50}`},
		"a patch":             {true, func(f *fields) { f.Size = new(3.0) }, `{"name":"n","size":3}`},
	} {
		u := change(t, read, test.change)
		u.Patches = test.patches
		b, err := u.Body()
		require.NoError(t, err, name)
		require.Equal(t, test.want, string(b.JSON), name)
		require.Equal(t, []string{"new"}, b.LeftOut(), "%s: what the body describes is never left out of what is sent whole", name)
	}
}

func TestMembersThatAnUpdateDoesNotKnowAreNamed(t *testing.T) {
	u := change(t, `{"name":"n","MADE":"x","zone":{"a":1},"empty":[],"off":false,"none":null,"again":1,"again":null,"back":null,"back":2,"a\nb":1,"Tags":["x"]}`, func(*fields) {})
	require.Equal(t, []string{"zone", "empty", "off", "back", "a b"}, leftOut(t, u))
}

func TestWhatAnAnswerHasLostIsNamed(t *testing.T) {
	const list = `[{"key":"a","value":"v"},{"key":"k","value":null,"secret":true}]`
	const read = `{"id":1,"name":"n","new":[1],"old":{"a":1},"books":` + list + `}`
	u := change(t, read, func(*fields) {})
	for answer, want := range map[string][]string{
		`{"books":[]}`: nil, // it does not tell what it is about
		`{"id":1}`:     {"books"},
		`{"id":1,"new":[2],"old":{"b":2},"BOOKS":` + list + `}`:                                                   nil,
		`{"id":1,"new":[],"books":` + list + `}`:                                                                  {"new"},
		`{"id":1,"old":{ },"books":` + list + `}`:                                                                 {"old"},
		`{"id":1,"books":[{"key":"n","value":"n"},{"key":"k","value":"","secret":true},{"key":"a","value":"w"}]}`: nil,
		`{"id":1,"books":[{"key":"a","value":"v"}]}`:                                                              {"books"},
		`{"id":1,"books":[{"key":"a","value":""},{"key":"k","value":"","secret":true}]}`:                          {"books"},
		`{"id":1,"books":[{"key":"a","value":"v"},{"key":"k","value":"","secret":false}]}`:                        {"books"},
	} {
		b, err := u.Body()
		require.NoError(t, err)
		require.Equal(t, want, b.Answered([]byte(answer)).Reset, answer)
		sends := *b
		sends.JSON = []byte(`{"books":[],"new":[],"old":{}}`)
		require.Empty(t, sends.Answered([]byte(answer)).Reset, "what is sent is not lost")
	}
	u = change(t, read, func(*fields) {})
	u.There = change(t, `{"id":1}`, func(*fields) {})
	b, err := u.Body()
	require.NoError(t, err)
	require.Empty(t, b.Answered([]byte(`{"id":1}`)).Reset, "it was not there before the update")
}

func TestAnUpdateOfNothingIsSentAsItIsAndOfWhatCannotBeReadIsAnError(t *testing.T) {
	u := &Update{Plans: plans, Node: node, Fields: &fields{Name: new("n")}, AsRead: func() any { return nil }}
	require.Equal(t, []Change{{Path: "name", After: `"n"`}}, u.Diff(false))
	u = &Update{Plans: plans, Node: node, Fields: u.Fields, AsRead: u.AsRead, Read: []byte("{")}
	_, err := u.Body()
	require.ErrorContains(t, err, "cannot be decoded")
	require.Empty(t, u.Diff(false))
}

func TestAMemberWithAWithheldSecretIsLeftOutUntilItIsChanged(t *testing.T) {
	const read = `{"name":"n","books":[{"key":"k","value":null}]}`
	u := change(t, read, func(*fields) {})
	b, err := u.Body()
	require.NoError(t, err)
	require.Equal(t, `{"name":"n"}`, string(b.JSON))
	require.Empty(t, b.Withheld)
	require.Equal(t, []string{"books"}, leftOut(t, u))
	for now, want := range map[string][]string{`{"books":[{"new":1,"value":"set","key":"k"}]}`: nil, `{"books":[{"key":"l"}]}`: {"books"}, `{"books":[[]]}`: {"books"}, `{}`: {"books"}} {
		require.Equal(t, want, b.notRestored(index(node, []byte(now))), "the other state has no such book: %s", now)
	}
	b, err = change(t, read, func(f *fields) { f.Books = append(f.Books, book{Key: "l", Value: code{new("w")}}) }).Body()
	require.NoError(t, err)
	require.Empty(t, b.left)
	require.Equal(t, []string{"books[0].value"}, b.Withheld)
	b, err = change(t, read, func(f *fields) { f.Books = nil }).Body()
	require.NoError(t, err)
	require.Equal(t, []string{"books"}, b.Unset)
}

func TestAPatchHasOnlyWhatIsNotThere(t *testing.T) {
	const old, now = `{"name":"n","size":1.0,"color":"red","books":null,"tags":null}`, `{"name":"n","size":2,"color":"blue","books":[{"key":"k","value":"v"}],"locks":[{"id":1,"code":"c"}]}`
	const few, empty = `{"name":"n"}`, `{"name":"n","color":"blue","locks":[]}`
	for name, c := range map[string]struct {
		u       *Update
		now     string
		patches bool
		want    string
		absent  []string
	}{
		"a change":                         {change(t, now, func(f *fields) { f.Size = new(3.0) }), now, true, `{"size":3}`, nil},
		"no change":                        {change(t, now, func(*fields) {}), now, true, `{}`, nil},
		"another state":                    {change(t, old, func(*fields) {}), now, true, `{"size":1.0,"color":"red","books":[]}`, []string{"locks"}},
		"another state, but not a patch":   {change(t, old, func(*fields) {}), now, false, `{"name":"n","size":1.0,"color":"red","books":[]}`, []string{"locks"}},
		"neither a text nor an empty list": {change(t, few, func(*fields) {}), empty, true, `{}`, nil},
	} {
		c.u.There, c.u.Patches = change(t, c.now, func(*fields) {}), c.patches
		b, err := c.u.Body()
		require.NoError(t, err)
		require.Equal(t, c.want, string(b.JSON), name)
		require.Equal(t, c.absent, b.absent, name)
		require.Equal(t, c.absent, b.LeftOut(), name)
	}
}

func TestAnEmptySecretIsNullInWhatIsKept(t *testing.T) {
	const others = `{"a":"","environmentVariables":[{"value":"","secret":false},{"value":"","secret":null},{"value":""},{"value":"x","secret":true}`
	require.Equal(t, others+`,{"value":null,"secret":true}]}`, string(NullForWithheld([]byte(others+`,{"value":"","secret":true}]}`))))
	require.Equal(t, others+` ]}`, string(NullForWithheld([]byte(others+` ]}`))), "without one the JSON stays as it is")
	for _, member := range []string{"\"value\"\n: \"\"", `"v\u0061lue":""`} {
		require.JSONEq(t, `{"b":"","environmentVariables":[{"value":null,"secret":true}]}`, string(NullForWithheld([]byte(`{"b":"","environmentVariables":[{`+member+`,"secret":true}]}`))))
	}
}

func TestAWithheldSecretIsOverwrittenByWhatHasNoValueForIt(t *testing.T) {
	read := `{"books":[{"key":"k","value":null},null,{"key":"l","value":"w"}],"lock":{"user":"u","password":null}}`
	books, lock := Place{Path: []string{"books"}, List: true}, Place{Path: []string{"lock"}}
	broken := func(p Place, sent string, set func(*Body)) []string {
		b := &Body{update: &Update{Plans: plans, Read: []byte(read), Secrets: []Place{p}}}
		b.update.Node, b.JSON = node, []byte(sent)
		if set != nil {
			set(b)
		}
		var names []string
		b.keepSecrets(func(path, _ string, args ...any) {
			require.Equal(t, p.Path[0], path)
			names = append(names, args[0].(string))
		})
		return names
	}
	for sent, want := range map[string][]string{
		`{"books":[{"key":"k","value":"v"}]}`:  nil,
		`{"books":[{"key":"k","value":""}]}`:   nil,
		`{"books":[{"key":"k","value":null}]}`: {"k"},
		`{"books":[{"key":"l","value":"w"}]}`:  {"k"},
		`{"books":[]}`:                         nil,
		`{}`:                                   {"k"},
	} {
		require.Equal(t, want, broken(books, sent, nil), sent)
	}
	require.Empty(t, broken(books, "{}", func(b *Body) { b.left = []string{"books"} }), "it is left out on purpose")
	require.Empty(t, broken(books, "{}", func(b *Body) { b.update.Patches = true }), "a patch keeps what is left out")
	books.EmptyIsWithheld = true
	require.Equal(t, []string{"k"}, broken(books, `{"books":[{"key":"k","value":""}]}`, nil))
	require.Equal(t, []string{"password"}, broken(lock, `{"lock":{"user":"v"}}`, nil))
	require.Empty(t, broken(lock, `{"lock":null}`, nil))
	read = `{"BOOKS":[{"key":"k","value":null},{"key":"k"}]}`
	require.Equal(t, []string{"k"}, broken(books, `{"books":[{"key":"k","value":"v"}]}`, nil), "it: duplicate field, by another spelling of its name")
	require.Empty(t, broken(books, `{"books":[{"key":"l","value":"w"}]}`, func(b *Body) { b.update.Removed = []string{"k"} }), "it may be removed")
}

func lines(changes []Change) (list []string) {
	for _, c := range changes {
		kind := []string{"", "hidden ", "secret ", "withheld ", "order ", "left ", "absent "}[c.Kind]
		list = append(list, fmt.Sprintf("%s%s(%s): %s -> %s %s", kind, c.Path, c.Item, c.Before, c.After, c.Value))
	}
	return list
}

func TestADiffHasEachChangeAndNoSecret(t *testing.T) {
	const read = `{"name":"n","size":1.0,"tags":["a","b"],"locks":[{"id":1,"code":"c"},{"id":2,"code":"d"}],` +
		`"books":[{"key":"o","value":"1"},{"key":"l","value":"2","locked":true},{"key":"s","value":"3","secret":true},{"key":"f","value":"5","new":"n"}]}`
	x := code{new("x")}
	for name, c := range map[string]struct {
		change func(*fields)
		want   []string
		values []string // with values, if that differs
	}{
		"values":        {func(f *fields) { f.Name, f.Size, f.Color = new("m"), new(1.0), new("red") }, []string{`name(): "n" -> "m" `, `color():  -> "red" `}, nil},
		"unset":         {func(f *fields) { f.Name = nil }, []string{`name(): "n" ->  `}, nil},
		"an open value": {func(f *fields) { f.Books[0].Value = x }, []string{`hidden books[0].value(o): [redacted] -> [redacted] "x"`}, []string{`books[0].value(o): "1" -> "x" `}},
		"a locked one":  {func(f *fields) { f.Books[1].Value = x }, []string{`hidden books[1].value(l): [redacted] -> [redacted] "x"`}, nil},
		"one that is locked no more": {func(f *fields) { f.Books[1].Value, f.Books[1].Locked = x, false },
			[]string{`hidden books[1].value(l): [redacted] -> [redacted] "x"`, `books[1].locked(l): true ->  `}, nil},
		"a secret one": {func(f *fields) { f.Books[2].Value = x }, []string{`secret books[2].value(s): [redacted] -> [redacted] "x"`}, nil},
		"one that becomes a secret": {func(f *fields) { f.Books[0].Value, f.Books[0].Secret = x, true },
			[]string{`secret books[0].value(o): [redacted] -> [redacted] "x"`, `books[0].secret(o):  -> true `}, nil},
		"one that is a secret no more": {func(f *fields) { f.Books[2].Value, f.Books[2].Secret = x, false },
			[]string{`secret books[2].value(s): [redacted] -> [redacted] "x"`, `books[2].secret(s): true ->  `}, nil},
		"a code":              {func(f *fields) { f.Locks[1].Code = x }, []string{`secret locks[1].code(): [redacted] -> [redacted] "x"`}, nil},
		"an item more":        {func(f *fields) { f.Books = append(f.Books, book{Key: "n", Value: x}) }, []string{`books[4]():  -> {"key":"n","value":"[redacted]"} {"key":"n","value":"x"}`}, []string{`books[4]():  -> {"key":"n","value":"x"} `}},
		"an item less":        {func(f *fields) { f.Locks = f.Locks[1:] }, []string{`locks[0](): {"id":1,"code":"[redacted]"} ->  `}, nil},
		"an unknown one less": {func(f *fields) { f.Books = f.Books[:3] }, []string{`books[3](): {"key":"f","value":"[redacted]","new":"[redacted]"} ->  `}, []string{`books[3](): {"key":"f","value":"5","new":"[redacted]"} ->  `}},
		"another order": {func(f *fields) {
			slices.Reverse(f.Locks)
			slices.Reverse(f.Tags)
			f.Books[0], f.Books[1] = f.Books[1], f.Books[0]
		}, []string{
			`order tags(): ["a","b"] -> ["b","a"] `, `order books(): ["o","l","s","f"] -> ["l","o","s","f"] `, `order locks(): [1,2] -> [2,1] `}, nil},
		"no items": {func(f *fields) { f.Tags = nil }, []string{`tags[0](): "a" ->  `, `tags[1](): "b" ->  `}, nil},
	} {
		u := change(t, read, c.change)
		require.Equal(t, c.want, lines(u.Diff(false)), name)
		if c.values == nil {
			c.values = c.want
		}
		require.Equal(t, c.values, lines(u.Diff(true)), name)
	}
}

func TestAValueMeansTheSameAsBefore(t *testing.T) {
	group, check := schema.Lookup("PUT /v2/check-groups/{id}").Body, schema.Lookup("PUT /v1/checks/api/{id}").Body
	window := schema.Lookup("PUT /v1/maintenance-windows/{id}").Body
	for name, c := range map[string]struct {
		node          *schema.Node
		member        string
		before, after string // "" is no value
		same, back    bool   // back: the other way round
	}{
		"a set in another order":           {group, "tags", `["a","b"]`, `["b","a"]`, true, true},
		"an item of a set twice":           {group, "locations", `["a","b"]`, `["b","a","b"]`, true, true},
		"an item of a set more":            {group, "privateLocations", `["a"]`, `["a","b"]`, false, false},
		"subscriptions":                    {group, "alertChannelSubscriptions", `[{"alertChannelId":1,"activated":true},{"alertChannelId":2.0,"activated":false}]`, `[{"activated":false,"alertChannelId":2},{"alertChannelId":1,"activated":true}]`, true, true},
		"a subscription turned off":        {group, "alertChannelSubscriptions", `[{"alertChannelId":1,"activated":true}]`, `[{"alertChannelId":1,"activated":false}]`, false, false},
		"conditions of retries":            {check, "retryStrategy", `{"type":"FIXED","onlyOn":["A","B"]}`, `{"type":"FIXED","onlyOn":["B","A","A"]}`, true, true},
		"a condition as a text":            {check, "retryStrategy", `{"type":"FIXED","onlyOn":"A"}`, `{"type":"FIXED","onlyOn":["A"]}`, true, true},
		"another condition as a text":      {check, "retryStrategy", `{"type":"FIXED","onlyOn":"A"}`, `{"type":"FIXED","onlyOn":["A","B"]}`, false, false},
		"another order of headers":         {check, "request", `{"headers":[{"key":"a","value":""},{"key":"b","value":""}]}`, `{"headers":[{"key":"b","value":""},{"key":"a","value":""}]}`, false, false},
		"another order of variables":       {group, "environmentVariables", `[{"key":"a"},{"key":"b"}]`, `[{"key":"b"},{"key":"a"}]`, false, false},
		"defaults of retries":              {check, "retryStrategy", `{"type":"FIXED","baseBackoffSeconds":60.0,"sameRegion":true}`, `{"type":"FIXED"}`, true, true},
		"what the service fills in":        {check, "retryStrategy", `{"type":"FIXED","maxRetries":2,"maxDurationSeconds":600}`, `{"type":"FIXED"}`, true, false},
		"no default":                       {check, "retryStrategy", `{"type":"FIXED","maxRetries":3}`, `{"type":"FIXED"}`, false, false},
		"a flag of a header":               {check, "request", `{"headers":[{"key":"a","value":"","locked":false}]}`, `{"headers":[{"key":"a","value":""}]}`, true, true},
		"members of an assertion":          {check, "request", `{"assertions":[{"source":"s","property":"","target":"","regex":null}]}`, `{"assertions":[{"source":"s","regex":""}]}`, true, true},
		"an empty list":                    {check, "request", `{"headers":[]}`, `{}`, true, true},
		"no user":                          {check, "request", `{"basicAuth":{"username":"","password":""}}`, `{"basicAuth":null}`, true, true},
		"a user":                           {check, "request", `{"basicAuth":{"username":"u","password":""}}`, `{}`, false, false},
		"a withheld password":              {check, "request", `{"basicAuth":{"username":"","password":null}}`, `{}`, false, false},
		"a withheld value":                 {group, "environmentVariables", `[{"key":"a","value":null}]`, `[{"key":"a"}]`, false, false},
		"an object of defaults":            {group, "alertSettings", `{"reminders":{"amount":0,"interval":5}}`, `{}`, true, true},
		"redirects":                        {check, "request", `{"followRedirects":true}`, `{}`, false, false},
		"certificates":                     {check, "alertSettings", `{"sslCertificates":{"enabled":false}}`, `{}`, false, false},
		"an unknown member":                {group, "alertSettings", `{"future":[]}`, `{}`, false, false},
		"null of a group at the top":       {group, "alertSettings", `null`, `{}`, false, false},
		"a default at the top":             {group, "runParallel", `false`, ``, false, false},
		"a list at the top":                {group, "tags", `[]`, ``, false, false},
		"a strategy of the checks or null": {group, "retryStrategy", `"FALLBACK"`, `null`, false, false},
		"a time of another zone":           {window, "startsAt", `"2026-06-01T02:00:00+02:00"`, `"2026-06-01T00:00:00.000Z"`, true, true},
		"another time":                     {window, "startsAt", `"2026-06-01T02:00:00+02:00"`, `"2026-06-01T02:00:00Z"`, false, false},
		"texts that are no times":          {window, "startsAt", `"soon"`, `"later"`, false, false},
		"a time and a text that is none":   {window, "startsAt", `"0001-01-01T00:00:00Z"`, `"later"`, false, false},
	} {
		value := func(text string) []byte {
			if text == "" {
				return nil
			}
			return []byte(text)
		}
		node := c.node.Member(c.member).Node
		require.Equal(t, c.same, comparer{}.same(node, value(c.before), value(c.after)), name)
		require.Equal(t, c.back, comparer{}.same(node, value(c.after), value(c.before)), "%s, the other way round", name)
	}
}

// An answer has null in place of what it withholds, and maybe null for more.
func TestAnAnswerThatWithholdsAPartIsWhatWasSent(t *testing.T) {
	for _, c := range []struct {
		answer, sent string
		hides        bool
	}{
		{`{"a":null,"b":1}`, `{"a":"s","b":1.0}`, true}, {`{"a":null,"b":2}`, `{"a":"s","b":1}`, false}, {`{"a":null}`, `{"a":"s","b":1}`, false},
		{`{"a":null,"b":1}`, `{"a":"s"}`, false}, {`{"a":null,"b":null}`, `{"a":"s"}`, true}, {`[null,2]`, `["s",2]`, true}, {`[null]`, `["s",2]`, false},
		{`[{"k":"k","v":null}]`, `[{"k":"k","v":"s"}]`, true}, {`[{"k":"l","v":null}]`, `[{"k":"k","v":"s"}]`, false}, {`{}`, `[]`, false}, {`"a"`, `"b"`, false},
	} {
		require.Equal(t, c.hides, comparer{}.hides([]byte(c.answer), []byte(c.sent), 2), "%s for %s", c.answer, c.sent)
	}
	require.False(t, comparer{}.hides([]byte(`{"a":{"b":{"c":null}}}`), []byte(`{"a":{"b":{"c":"s"}}}`), 2), "what is deeper is one value")
	require.True(t, comparer{}.hides([]byte(`{"a":{"b":{"c":1}}}`), []byte(`{"a":{"b":{"c":1.0}}}`), 2))
}

// What a state has as null says nothing, and neither does a default.
func TestAStateIsRestoredIfItsValuesAreThere(t *testing.T) {
	group := schema.Lookup("PUT /v2/check-groups/{id}").Body
	for _, c := range []struct {
		member, state, there string
		restored             bool
	}{
		{"alertSettings", `{"reminders":{"interval":5}}`, `{"reminders":{}}`, true}, {"alertSettings", `{"reminders":{"interval":10}}`, `{"reminders":{}}`, false},
		{"alertSettings", `{"reminders":null}`, `{"reminders":{"amount":1}}`, true}, {"alertSettings", `{}`, `{"reminders":{"amount":1}}`, true},
		{"tags", `["a","b"]`, `["b","a"]`, true}, {"tags", `["a"]`, `["b","a"]`, false}, {"tags", `["a"]`, `{}`, false}, {"tags", `null`, `["a"]`, true},
		{"environmentVariables", `[{"key":"K","value":null}]`, `[{"key":"K","value":"v"}]`, true}, {"environmentVariables", `[{"key":"K","value":"w"}]`, `[{"key":"K","value":"v"}]`, false},
		{"environmentVariables", `[{"key":"L","value":null}]`, `[{"key":"K","value":"v"}]`, false},
	} {
		require.Equal(t, c.restored, comparer{}.restored(group.Member(c.member).Node, []byte(c.state), []byte(c.there), 3), "%s and %s", c.state, c.there)
	}
}

func TestItemsOfAListAreMatchedByWhatIdentifiesThem(t *testing.T) {
	for _, c := range []struct {
		was, is string
		partner []int
		gone    []bool
	}{
		{`[{"key":"a","v":1},{"key":"b"}]`, `[{"key":"b"},{"key":"\u0061","v":2}]`, []int{1, 0}, []bool{false, false}},
		{`[{"key":"a","v":1},{"key":"a","v":2}]`, `[{"v":2.0,"key":"a"}]`, []int{1}, []bool{true, false}}, // of two of one key the equal one
		{`[{"key":"a","v":1},{"key":"a","v":2}]`, `[{"key":"a","v":3},{"key":"a","v":1}]`, []int{1, 0}, []bool{false, false}},
		{`[{"key":"a","v":1},{"key":"a","v":2}]`, `[{"key":"a","v":3},{"key":"a","v":4},{"key":"a"}]`, []int{0, 1, -1}, []bool{false, false}}, // or in order
		{`[{"key":"a"},{"key":"a"}]`, `[{"key":"a"},{"key":"a"},{"key":"a"}]`, []int{0, 1, -1}, []bool{false, false}},
		{`[{"id":1.0,"v":1},{"alertChannelId":2,"v":1}]`, `[{"alertChannelId":2.0},{"id":1}]`, []int{1, 0}, []bool{false, false}},
		{`[{"key":"a"}]`, `[{"key":"b"}]`, []int{-1}, []bool{true}},
		{`["a","b"]`, `["a","c"]`, []int{0, 1}, []bool{false, false}}, // what has no name is told by its place, if its content is new
		{`["a","b"]`, `["b"]`, []int{1}, []bool{true, false}},
		{`[{"key":null,"v":1}]`, `[{"v":2}]`, []int{0}, []bool{false}},
		{`["a"]`, `[{"key":"a"}]`, []int{-1}, []bool{true}},
	} {
		partner, gone := comparer{}.match(itemsOf([]byte(c.was)), itemsOf([]byte(c.is)))
		require.Equal(t, c.partner, partner, "%v", c)
		require.Equal(t, c.gone, gone, "%v", c)
	}
}

func TestADiffFromAnotherStateSaysWhatStaysAsItIs(t *testing.T) {
	const books = `,"books":[{"key":"k","value":null,"secret":true},{"key":"l","value":"v"}]}`
	u := change(t, `{"name":"n","color":"red"`+books, func(f *fields) { f.Size = new(1.0) })
	require.Equal(t, []string{`name():  -> "n" `, `size():  -> 1 `, `color():  -> "red" `, "left books():  ->  "}, lines(u.DiffFrom(nil)))
	require.Equal(t, []string{`name(): "m" -> "n" `, `size(): 2 -> 1 `, `color():  -> "red" `, "absent tags():  ->  "}, lines(u.DiffFrom(change(t, `{"name":"m","size":2,"tags":["a"]`+books, func(*fields) {}))))
	u = change(t, `{"books":[{"key":"k","value":"w","new":[2],"a\nb":1}]}`, func(*fields) {})
	require.Equal(t, []string{"hidden books[0].new(k): [redacted] -> [redacted] [2]", "hidden books[0].a b(k):  -> [redacted] 1"}, lines(u.DiffFrom(change(t, `{"books":[{"key":"k","value":"w","new":[1]}]}`, func(*fields) {}))))
	u = change(t, `{"books":[{"key":"k","value":"w"}]}`, func(*fields) {})
	require.Equal(t, []string{`withheld books[0].value(k): null -> [redacted] "w"`, `books[0].secret(k): true ->  `, `books[1](): {"key":"l","value":"[redacted]"} ->  `}, lines(u.DiffFrom(change(t, `{"name":"n"`+books, func(*fields) {}))))
}

func TestALongTextIsShownFromWhereItDiffers(t *testing.T) {
	long := strings.Repeat("ä", 300)
	for after, want := range map[string][2]string{
		long[:400] + "X" + long[400:]: {"…" + long[:200] + "…", "…" + long[:40] + "X" + long[:158] + "…"},
		"X" + long:                    {long[:200] + "…", "X" + long[:198] + "…"},
		long[:40]:                     {long[:200] + "…", long[:40]},
	} {
		was, is := FromDifference(long, after)
		require.Equal(t, want, [2]string{was, is})
	}
	was, is := FromDifference(long[:198]+"a", long[:198]+"b")
	require.Equal(t, []string{long[:198] + "a", long[:198] + "b"}, []string{was, is}, "what is short is shown as a whole")
	require.Equal(t, []string{long[:200], long[:200] + "…", "a b"}, []string{Shorten(long[:200]), Shorten(long[:202]), Shorten("a\nb")})
}

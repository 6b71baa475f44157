package updates

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// shelf is the object of these tests, and fields are the fields of its update. Who reads a book knows
// whether its value is a secret; a lock always is one.
type (
	shelf struct {
		Name string `json:"name"`
		Made string // is in no update
	}
	fields struct {
		Name  *string  `json:"name,omitempty"`
		Size  *float64 `json:"size,omitempty"`
		Color *string  `json:"color,omitempty"`
		Tags  []string `json:"tags,omitempty"`
		Books []book   `json:"books,omitempty"`
		Locks []lock   `json:"locks,omitempty"`
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
		schema.Member{Name: "tags", Node: &schema.Node{Kinds: schema.Array, Items: &schema.Node{Kinds: schema.String}}},
		schema.Member{Name: "books", Node: &schema.Node{Kinds: schema.Array, Items: object(schema.Member{Name: "key", Node: &schema.Node{Kinds: schema.String}},
			schema.Member{Name: "value", Node: secret}, schema.Member{Name: "locked", Node: flag}, schema.Member{Name: "secret", Node: flag})}},
		schema.Member{Name: "locks", Node: &schema.Node{Kinds: schema.Array, Items: object(schema.Member{Name: "id", Node: &schema.Node{Kinds: schema.Integer}}, schema.Member{Name: "code", Node: secret})}},
	)
)

var types = &keep.Types{
	Owns:   func(reflect.Type) bool { return true },
	Decode: json.Unmarshal,
	Traits: func(t reflect.Type) keep.Traits {
		if t != reflect.TypeFor[code]() {
			return keep.Traits{}
		}
		return keep.Traits{Secret: true, Withheld: func(pointer any) []string {
			if pointer.(*code).text == nil {
				return []string{"$"}
			}
			return nil
		}}
	},
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
		Types: types, Node: node, Object: reflect.TypeFor[shelf](), Read: []byte(read), Fields: now,
		AsRead: func() any { return decode() }, AsTyped: func(string, []byte) bool { return false },
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
		b, err := u.Body(false)
		require.NoError(t, err, name)
		require.Equal(t, test.want, string(b.JSON), name)
		require.Equal(t, test.changed, b.Changed, name)
		require.Equal(t, test.unset, b.Unset, name)
		require.Equal(t, []string{"NAME", "new"}, u.LeftOut(), name)
		b, err = u.Body(true)
		require.NoError(t, err, name)
		require.NotContains(t, string(b.JSON), `"x"`, "what is unknown may be a secret")
	}
	b, err := change(t, `{"color":null,"name":null,"tags":["a","\ud800"]}`, func(f *fields) { f.Tags[0] = "b" }).Body(false)
	require.NoError(t, err)
	require.Equal(t, `{"tags":["b","\ud800"],"color":null}`, string(b.JSON))
	u := change(t, `{"books":[{"key":"k","value":"v","old":1}]}`, func(*fields) {})
	u.AsTyped = func(member string, _ []byte) bool { return member == "books" }
	b, err = u.Body(false)
	require.NoError(t, err)
	require.Equal(t, `{"books":[{"key":"k","value":"v"}]}`, string(b.JSON))
	require.Empty(t, u.Diff(false), "what is sent as its field is no change")
}

func TestMembersThatAnUpdateDoesNotKnowAreNamed(t *testing.T) {
	u := change(t, `{"name":"n","MADE":"x","zone":{"a":1},"empty":[],"off":false,"none":null,"again":1,"again":null,"back":null,"back":2,"a\nb":1,"Tags":["x"]}`, func(*fields) {})
	require.Equal(t, []string{"zone", "empty", "off", "back", "a b"}, u.LeftOut())
}

func TestWhatAnAnswerHasLostIsNamed(t *testing.T) {
	const list = `[{"key":"a","value":"v"},{"key":"k","value":null,"secret":true}]`
	u := change(t, `{"id":1,"name":"n","new":[1],"old":{"a":1},"books":`+list+`}`, func(*fields) {})
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
		b, err := u.Body(false)
		require.NoError(t, err)
		require.Equal(t, want, u.Reset(b, []byte(answer)), answer)
		b.JSON = []byte(`{"books":[],"new":[],"old":{}}`)
		require.Empty(t, u.Reset(b, []byte(answer)), "what is sent is not lost")
	}
	u.Now = change(t, `{"id":1}`, func(*fields) {})
	b, err := u.Body(false)
	require.NoError(t, err)
	require.Empty(t, u.Reset(b, []byte(`{"id":1}`)), "it was not there before the update")
}

func TestAnUpdateOfNothingIsSentAsItIsAndOfWhatCannotBeReadIsAnError(t *testing.T) {
	u := &Update{Types: types, Node: node, Fields: &fields{Name: new("n")}, AsRead: func() any { return nil }}
	require.Equal(t, []Change{{Path: "name", After: `"n"`}}, u.Diff(false))
	u.Read = []byte("{")
	_, err := u.Body(false)
	require.ErrorContains(t, err, "cannot be decoded")
	require.Empty(t, u.Diff(false))
}

func TestAMemberWithAWithheldSecretIsLeftOutUntilItIsChanged(t *testing.T) {
	const read = `{"name":"n","books":[{"key":"k","value":null}]}`
	u := change(t, read, func(*fields) {})
	b, err := u.Body(false)
	require.NoError(t, err)
	require.Equal(t, `{"name":"n"}`, string(b.JSON))
	require.Empty(t, b.Withheld)
	require.Equal(t, []string{"books"}, u.LeftOut())
	for now, want := range map[string][]string{`{"books":[{"new":1,"value":"set","key":"k"}]}`: {}, `{"books":[{"key":"l"}]}`: {"books"}, `{"books":[[]]}`: {"books"}, `{}`: {"books"}} {
		require.Equal(t, want, u.NotRestored([]byte(now)), "the other state has no such book: %s", now)
	}
	b, err = change(t, read, func(f *fields) { f.Books = append(f.Books, book{Key: "l", Value: code{new("w")}}) }).Body(false)
	require.NoError(t, err)
	require.Empty(t, b.Left)
	require.Equal(t, []string{"books[0].value"}, b.Withheld)
	b, err = change(t, read, func(f *fields) { f.Books = nil }).Body(false)
	require.NoError(t, err)
	require.Equal(t, []string{"books"}, b.Unset)
}

func TestAPatchHasOnlyWhatIsNotThere(t *testing.T) {
	const old, now = `{"name":"n","size":1.0,"color":"red","books":null,"tags":null}`, `{"name":"n","size":2,"color":"blue","books":[{"key":"k","value":"v"}],"locks":[{"id":1,"code":"c"}]}`
	for name, c := range map[string]struct {
		u       *Update
		patches bool
		want    string
		absent  []string
	}{
		"a change":                       {change(t, now, func(f *fields) { f.Size = new(3.0) }), true, `{"size":3}`, nil},
		"no change":                      {change(t, now, func(*fields) {}), true, `{}`, nil},
		"another state":                  {change(t, old, func(*fields) {}), true, `{"size":1.0,"color":"red","books":[]}`, []string{"locks"}},
		"another state, but not a patch": {change(t, old, func(*fields) {}), false, `{"name":"n","size":1.0,"color":"red","books":[]}`, []string{"locks"}},
	} {
		c.u.Now, c.u.Patches = change(t, now, func(*fields) {}), c.patches
		b, err := c.u.Body(false)
		require.NoError(t, err)
		require.Equal(t, c.want, string(b.JSON), name)
		require.Equal(t, c.absent, b.Absent, name)
		require.Equal(t, c.absent, c.u.LeftOut(), name)
	}
}

func TestAnEmptySecretIsNullInWhatIsKept(t *testing.T) {
	const others = `{"a":"","environmentVariables":[{"value":"","secret":false},{"value":"","secret":null},{"value":""},{"value":"x","secret":true}`
	require.Equal(t, others+`,{"value":null,"secret":true}]}`, string(NullForWithheld([]byte(others+`,{"value":"","secret":true}]}`))))
	require.Equal(t, others+` ]}`, string(NullForWithheld([]byte(others+` ]}`))), "without one the JSON stays as it is")
}

func TestAWithheldSecretIsOverwrittenByWhatHasNoValueForIt(t *testing.T) {
	u := &Update{Node: node, Read: []byte(`{"books":[{"key":"k","value":null},null,{"key":"l","value":"w"}],"lock":{"user":"u","password":null}}`)}
	books, lock := Place{Path: []string{"books"}, List: true}, Place{Path: []string{"lock"}}
	for sent, want := range map[string][]string{
		`{"books":[{"key":"k","value":"v"}]}`:  nil,
		`{"books":[{"key":"k","value":""}]}`:   nil,
		`{"books":[{"key":"k","value":null}]}`: {"k"},
		`{"books":[{"key":"l","value":"w"}]}`:  {"k"},
		`{"books":[]}`:                         nil,
		`{}`:                                   {"k"},
	} {
		require.ElementsMatch(t, want, u.Overwritten(Body{}, books, []byte(sent)), sent)
	}
	require.Empty(t, u.Overwritten(Body{Left: []string{"books"}}, books, []byte("{}")), "it is left out on purpose")
	books.EmptyIsWithheld = true
	require.Equal(t, []string{"k"}, u.Overwritten(Body{}, books, []byte(`{"books":[{"key":"k","value":""}]}`)))
	require.Equal(t, []string{"password"}, u.Overwritten(Body{}, lock, []byte(`{"lock":{"user":"v"}}`)))
	require.Empty(t, u.Overwritten(Body{}, lock, []byte(`{"lock":null}`)))
	u.Read = []byte(`{"BOOKS":[{"key":"k","value":null},{"key":"k"}]}`)
	require.Equal(t, []string{"k"}, u.Overwritten(Body{}, books, []byte(`{"books":[{"key":"k","value":"v"}]}`)), "it is there twice, by another spelling of its name")
	u.Removed = []string{"k"}
	require.Empty(t, u.Overwritten(Body{}, books, []byte(`{"books":[{"key":"l","value":"w"}]}`)), "it may be removed")
}

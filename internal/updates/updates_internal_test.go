package updates

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// shelf is the object of these tests, and fields are the fields of its update.
type (
	shelf struct {
		Name string `json:"name"`
		Made string // is in no update
	}
	fields struct {
		Name  *string  `json:"name,omitempty"`
		Size  *float64 `json:"size,omitempty"`
		Color *string  `json:"color,omitempty"`
		Books []book   `json:"books,omitempty"`
	}
	book struct {
		Key   string `json:"key"`
		Value *code  `json:"value"`
	}
	// code is a secret; the empty one is withheld.
	code string
)

var node = &schema.Node{Kinds: schema.Object, Members: []schema.Member{
	{Name: "name", Node: &schema.Node{Kinds: schema.String}},
	{Name: "size", Node: &schema.Node{Kinds: schema.Number}},
	{Name: "color", Node: &schema.Node{Kinds: schema.String | schema.Null}},
	{Name: "books", Node: &schema.Node{Kinds: schema.Array, Items: &schema.Node{Kinds: schema.Object, Members: []schema.Member{
		{Name: "key", Node: &schema.Node{Kinds: schema.String}},
		{Name: "value", Node: &schema.Node{Kinds: schema.String, Secret: true}},
	}}}},
}}

var types = &keep.Types{
	Owns:   func(reflect.Type) bool { return true },
	Decode: json.Unmarshal,
	Traits: func(t reflect.Type) keep.Traits {
		if t != reflect.TypeFor[code]() {
			return keep.Traits{}
		}
		return keep.Traits{Secret: true, Withheld: func(pointer any) []string {
			if *pointer.(*code) == "" {
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
	const read = `{"NAME":"old","name":"n","size":1.0,"color":"red","books":[{"key":"k","value":"v"}],"Made":"x","new":1}`
	for name, test := range map[string]struct {
		change         func(*fields)
		want           string
		changed        int
		unset, unknown []string
	}{
		"nothing":                  {func(*fields) {}, `{"name":"n","size":1.0,"color":"red","books":[{"key":"k","value":"v"}]}`, 0, nil, []string{"NAME", "new"}},
		"a value":                  {func(f *fields) { f.Size = new(2.0) }, `{"name":"n","size":2,"color":"red","books":[{"key":"k","value":"v"}]}`, 1, nil, []string{"NAME", "new"}},
		"a list is cleared":        {func(f *fields) { f.Books = nil }, `{"name":"n","size":1.0,"color":"red","books":[]}`, 1, nil, []string{"NAME", "new"}},
		"null where there is one":  {func(f *fields) { f.Color = nil }, `{"name":"n","size":1.0,"books":[{"key":"k","value":"v"}],"color":null}`, 1, nil, []string{"NAME", "new"}},
		"null where there is none": {func(f *fields) { f.Name = nil }, `{"size":1.0,"color":"red","books":[{"key":"k","value":"v"}]}`, 0, []string{"name"}, []string{"NAME", "new"}},
	} {
		b, err := change(t, read, test.change).Body(false)
		require.NoError(t, err, name)
		require.Equal(t, test.want, string(b.JSON), name)
		require.Equal(t, test.changed, b.Changed, name)
		require.Equal(t, test.unset, b.Unset, name)
		require.Equal(t, test.unknown, b.Unknown, name)
	}
}

func TestAnUpdateThatWasMadeOfNothingIsSentAsItIs(t *testing.T) {
	u := &Update{Types: types, Node: node, Fields: &fields{Name: new("n")}}
	b, err := u.Body(false)
	require.NoError(t, err)
	require.JSONEq(t, `{"name":"n"}`, string(b.JSON))
	require.Equal(t, []Change{{Path: "name", After: `"n"`}}, u.Diff(false))
}

func TestAnUpdateWhoseObjectCannotBeReadIsAnError(t *testing.T) {
	u := &Update{Types: types, Node: node, Read: []byte("{"), Fields: &fields{}, AsRead: func() any { return nil }}
	_, err := u.Body(false)
	require.ErrorContains(t, err, "cannot be decoded")
	require.Empty(t, u.Diff(false))
	require.Empty(t, u.NotRestored([]byte("{}")))
}

func TestAMemberWithAWithheldSecretIsLeftOutUntilItIsChanged(t *testing.T) {
	const read = `{"name":"n","books":[{"key":"k","value":""}]}`
	same := change(t, read, func(*fields) {})
	b, err := same.Body(false)
	require.NoError(t, err)
	require.Equal(t, `{"name":"n"}`, string(b.JSON))
	require.Equal(t, []string{"books"}, b.Left)
	require.Empty(t, b.Withheld)
	require.Equal(t, []string{"books"}, same.LeftOut())
	require.Empty(t, same.Diff(false))
	require.Empty(t, same.NotRestored([]byte(read)))
	require.Equal(t, []string{"books"}, same.NotRestored([]byte(`{"books":[]}`)), "the other state has no such book")

	more := change(t, read, func(f *fields) { f.Books = append(f.Books, book{"l", new(code("w"))}) })
	b, err = more.Body(false)
	require.NoError(t, err)
	require.Empty(t, b.Left)
	require.Equal(t, []string{"books[0].value"}, b.Withheld)
}

func TestADiffShowsNoSecret(t *testing.T) {
	const read = `{"name":"n","size":1.0,"books":[{"key":"k","value":"v"},{"key":"l","value":"w"}]}`
	u := change(t, read, func(f *fields) {
		f.Size = new(1.0)
		f.Name = new("m")
		f.Books[1].Value = new(code("changed"))
	})
	want := []Change{
		{Path: "name", Before: `"n"`, After: `"m"`},
		{Path: "books[1].value", Item: "l", Before: "[redacted]", After: "[redacted]", Kind: Secret, Value: []byte(`"changed"`)},
	}
	require.Equal(t, want, u.Diff(false))
	require.Equal(t, want, u.DiffFrom(change(t, read, func(*fields) {})))
	all := u.DiffFrom(nil)
	require.Equal(t, `[{"key":"k","value":"[redacted]"},{"key":"l","value":"[redacted]"}]`, all[len(all)-1].After)
}

func TestItemsOfAListAreMatchedByWhatIdentifiesThem(t *testing.T) {
	for _, c := range []struct {
		was, is string
		partner []int
		gone    []bool
	}{
		{`[{"key":"a","v":1},{"key":"b"}]`, `[{"key":"b"},{"key":"\u0061","v":2}]`, []int{1, 0}, []bool{false, false}},
		{`[{"key":"a","v":1},{"key":"a","v":2}]`, `[{"key":"a","v":2}]`, []int{0}, []bool{false, true}}, // two of one key in order
		{`[{"id":1.0,"v":1},{"alertChannelId":2}]`, `[{"alertChannelId":2.0},{"id":1}]`, []int{1, 0}, []bool{false, false}},
		{`[{"key":"a"}]`, `[{"key":"b"}]`, []int{-1}, []bool{true}},
		{`["a","b"]`, `["a","c"]`, []int{0, 1}, []bool{false, false}}, // what has no name is told by its place, if its content is new
		{`["a","b"]`, `["b"]`, []int{1}, []bool{true, false}},
		{`[{"key":null,"v":1}]`, `[{"v":2}]`, []int{0}, []bool{false}},
		{`["a"]`, `[{"key":"a"}]`, []int{-1}, []bool{true}},
	} {
		partner, gone := match(itemsOf([]byte(c.was)), itemsOf([]byte(c.is)))
		require.Equal(t, c.partner, partner, "%v", c)
		require.Equal(t, c.gone, gone, "%v", c)
	}
}

func TestAPatchHasOnlyWhatIsNotThere(t *testing.T) {
	const old, now = `{"name":"n","size":1.0,"color":"red","books":null}`, `{"name":"n","size":2,"color":"blue","books":[{"key":"k","value":"v"}]}`
	present := change(t, now, func(*fields) {})
	for name, c := range map[string]struct {
		u       *Update
		patches bool
		want    string
	}{
		"a change":                       {change(t, now, func(f *fields) { f.Size = new(3.0) }), true, `{"size":3}`},
		"no change":                      {change(t, now, func(*fields) {}), true, `{}`},
		"another state":                  {change(t, old, func(*fields) {}), true, `{"size":1.0,"color":"red","books":[]}`},
		"another state, but not a patch": {change(t, old, func(*fields) {}), false, `{"name":"n","size":1.0,"color":"red","books":[]}`},
	} {
		c.u.Now, c.u.Patches = present, c.patches
		b, err := c.u.Body(false)
		require.NoError(t, err)
		require.Equal(t, c.want, string(b.JSON), name)
	}
}

func TestWhatIsSentAsItsFieldIsNoChange(t *testing.T) {
	u := change(t, `{"books":[{"key":"k","value":"v","old":1}]}`, func(*fields) {})
	u.AsTyped = func(member string, _ []byte) bool { return member == "books" }
	b, err := u.Body(false)
	require.NoError(t, err)
	require.Equal(t, `{"books":[{"key":"k","value":"v"}]}`, string(b.JSON))
	require.Empty(t, u.Diff(false))
}

func TestAStateIsRestoredWhereItHasWhatItHad(t *testing.T) {
	const state = `{"a":[{"key":"k","value":null}],"b":1,"c":null}`
	for now, want := range map[string]bool{
		state: true, `{"b":1.0,"a":[{"value":"set","key":"k"}],"c":7,"d":8}`: true,
		`{"a":[],"b":1}`: false, `{"a":[{"key":"l"}],"b":1}`: false, `{"a":[{"key":"k"}],"b":2}`: false, `[]`: false, ``: false,
	} {
		require.Equal(t, want, restored([]byte(state), []byte(now)), now)
	}
	require.False(t, restored([]byte(`{}`), []byte(`[]`)))
	require.True(t, restored(nil, []byte(`[]`)))
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
	u.Removed = []string{"k"}
	require.Empty(t, u.Overwritten(Body{}, books, []byte(`{"books":[{"key":"l","value":"w"}]}`)), "it may be removed")
}

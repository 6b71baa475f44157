package updates

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
		"a secret one":  {func(f *fields) { f.Books[2].Value = x }, []string{`secret books[2].value(s): [redacted] -> [redacted] "x"`}, nil},
		"one that becomes a secret": {func(f *fields) { f.Books[0].Value, f.Books[0].Secret = x, true },
			[]string{`secret books[0].value(o): [redacted] -> [redacted] "x"`, `books[0].secret(o):  -> true `}, nil},
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

func TestItemsOfAListAreMatchedByWhatIdentifiesThem(t *testing.T) {
	for _, c := range []struct {
		was, is string
		partner []int
		gone    []bool
	}{
		{`[{"key":"a","v":1},{"key":"b"}]`, `[{"key":"b"},{"key":"\u0061","v":2}]`, []int{1, 0}, []bool{false, false}},
		{`[{"key":"a","v":1},{"key":"a","v":2}]`, `[{"key":"a","v":2}]`, []int{0}, []bool{false, true}}, // two of one key in order
		{`[{"id":1.0,"v":1},{"alertChannelId":2,"v":1}]`, `[{"alertChannelId":2.0},{"id":1}]`, []int{1, 0}, []bool{false, false}},
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

package updates_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// kind is a type of object with its updates. Objects and updates are pointers.
type kind struct {
	operation string
	checkType string // "" for a group
	object    reflect.Type
	read      func(*testing.T, *monitoring.Client) (any, error)
	write     func(*testing.T, *monitoring.Client, any) error
	edit      func(t *testing.T, c *monitoring.Client, change func(update any)) error
}

// kindOf returns a kind by its methods.
func kindOf[O, U, ID any](operation, checkType string, id ID, read func(*testing.T, *monitoring.Client) (*O, error),
	write func(*monitoring.Client) func(context.Context, ID, U, ...monitoring.CallOption) (*O, error),
	edit func(*monitoring.Client) func(context.Context, ID, func(*U) error, ...monitoring.CallOption) (*O, error)) kind {
	return kind{
		operation, checkType, reflect.TypeFor[O](), func(t *testing.T, c *monitoring.Client) (any, error) { return read(t, c) },
		func(t *testing.T, c *monitoring.Client, u any) error {
			return kit.Second(write(c)(t.Context(), id, *u.(*U), monitoring.WithoutValidation()))
		},
		func(t *testing.T, c *monitoring.Client, change func(any)) error {
			return kit.Second(edit(c)(t.Context(), id, func(u *U) error { change(u); return nil }, monitoring.WithoutValidation()))
		},
	}
}

func readCheck[O any](t *testing.T, c *monitoring.Client) (*O, error) {
	return monitoring.Do[O](t.Context(), c, "GET", "/v1/checks/"+kit.UUID1, nil, nil)
}

type (
	client = *monitoring.Client
	calls  = context.Context
	option = monitoring.CallOption
)

var kinds = map[string]kind{
	"a group": kindOf("PUT /v2/check-groups/{id}", "", int64(7), func(t *testing.T, c client) (*monitoring.CheckGroup, error) { return c.CheckGroups.Get(t.Context(), 7) },
		func(c client) func(calls, int64, monitoring.CheckGroupUpdate, ...option) (*monitoring.CheckGroup, error) {
			return c.CheckGroups.Update
		},
		func(c client) func(calls, int64, func(*monitoring.CheckGroupUpdate) error, ...option) (*monitoring.CheckGroup, error) {
			return c.CheckGroups.Edit
		}),
	"a browser check": kindOf("PUT /v1/checks/browser/{id}", "BROWSER", kit.UUID1, readCheck[monitoring.BrowserCheck],
		func(c client) func(calls, string, monitoring.BrowserCheckUpdate, ...option) (*monitoring.BrowserCheck, error) {
			return c.Checks.UpdateBrowser
		},
		func(c client) func(calls, string, func(*monitoring.BrowserCheckUpdate) error, ...option) (*monitoring.BrowserCheck, error) {
			return c.Checks.EditBrowser
		}),
	"an API check": kindOf("PUT /v1/checks/api/{id}", "API", kit.UUID1, readCheck[monitoring.APICheck],
		func(c client) func(calls, string, monitoring.APICheckUpdate, ...option) (*monitoring.APICheck, error) {
			return c.Checks.UpdateAPI
		},
		func(c client) func(calls, string, func(*monitoring.APICheckUpdate) error, ...option) (*monitoring.APICheck, error) {
			return c.Checks.EditAPI
		}),
	"a TCP check": kindOf("PUT /v1/checks/tcp/{id}", "TCP", kit.UUID1, readCheck[monitoring.TCPCheck],
		func(c client) func(calls, string, monitoring.TCPCheckUpdate, ...option) (*monitoring.TCPCheck, error) {
			return c.Checks.UpdateTCP
		},
		func(c client) func(calls, string, func(*monitoring.TCPCheckUpdate) error, ...option) (*monitoring.TCPCheck, error) {
			return c.Checks.EditTCP
		}),
}

type update interface {
	Diff() []monitoring.Change
	Withheld() []string
	Validate() error
}

// updateOf returns the update of an object, and diffFrom the changes that an update makes to one.
func updateOf(object any) update {
	u := reflect.ValueOf(object).MethodByName("ToUpdate").Call(nil)[0]
	pointer := reflect.New(u.Type())
	pointer.Elem().Set(u)
	return pointer.Interface().(update)
}

func diffFrom(u update, object any) []monitoring.Change {
	return reflect.ValueOf(u).MethodByName("DiffFrom").Call([]reflect.Value{reflect.ValueOf(object)})[0].Interface().([]monitoring.Change)
}

// again writes a value with its secrets, and reads it as another process would.
func again[T any](t *testing.T, v T, write func(any) ([]byte, error)) T {
	data, err := write(v)
	require.NoError(t, err)
	read := reflect.New(reflect.TypeOf(v).Elem()).Interface()
	require.NoError(t, json.Unmarshal(data, read), string(data))
	return read.(T)
}

// field returns the field of an update for a member of its body.
func field(u update, member string) reflect.Value {
	v := reflect.ValueOf(u).Elem()
	f, _ := v.Type().FieldByNameFunc(func(name string) bool {
		f, _ := v.Type().FieldByName(name)
		return strings.HasPrefix(f.Tag.Get("json")+",", member+",")
	})
	return v.FieldByName(f.Name)
}

// mix gives an update members of another one, and a document the same members of the other document.
// Of two lists it takes random items of both, in random order.
func mix(d *documents, u, other update, doc, from map[string]any, node *schema.Node) (mixed []string) {
	for _, m := range node.Members {
		value := from[m.Name]
		to, with := field(u, m.Name), field(other, m.Name)
		if value == nil || !to.IsValid() || !d.chance(25) {
			continue
		}
		mixed = append(mixed, m.Name)
		had, isList := doc[m.Name].([]any)
		items, _ := value.([]any)
		if !isList || to.Len() != len(had) || with.Len() != len(items) {
			to.Set(with)
			doc[m.Name] = value
			continue
		}
		list, all := reflect.MakeSlice(to.Type(), 0, 8), []any{}
		order := d.Perm(len(had) + len(items))
		for _, i := range order[:d.IntN(len(order)+1)] {
			if i < len(had) {
				list, all = reflect.Append(list, to.Index(i)), append(all, had[i])
			} else {
				list, all = reflect.Append(list, with.Index(i-len(had))), append(all, items[i-len(had)])
			}
		}
		to.Set(list)
		doc[m.Name] = all
	}
	return mixed
}

// A model says what a service must have after an update, whatever the spelling of its JSON is.
func TestOnlyEditedMembersChange(t *testing.T) {
	eachKind(t, 90, func(t *testing.T, d *documents, k kind, s *service) {
		s.replace = k.checkType == "" && d.chance(50)
		first := copyOf(s.doc).(map[string]any)
		client := s.client(t)
		object, err := k.read(t, client)
		require.NoError(t, err, string(s.view()))
		u := updateOf(object)
		require.NoError(t, u.Validate(), "%v", s.doc)
		require.Empty(t, u.Diff())
		other, err := k.read(t, client) // in another spelling
		require.NoError(t, err)
		require.Empty(t, diffFrom(u, other))

		next, want := newDocuments(d.Uint64()), copyOf(first).(map[string]any)
		next.loose, next.nulls, next.checkType = false, false, k.checkType
		from := next.document(s.node)
		source := reflect.New(k.object)
		require.NoError(t, json.Unmarshal(d.spell(from), source.Interface()))
		mixed := mix(d, u, updateOf(source.Interface()), want, from, s.node)
		planned := again(t, u, monitoring.MarshalWithSecrets)
		require.ElementsMatch(t, linesOf(u.Diff()), linesOf(planned.Diff()))
		require.NoError(t, k.write(t, client, []any{u, planned}[d.IntN(2)]))
		require.Equal(t, s.expected(want), s.expected(s.doc), "%q sent %s", mixed, s.body)
		for name := range kit.ParseJSON(t, s.body).(map[string]any) {
			_, was := first[name]
			require.True(t, s.node.Member(name) != nil && (was || slices.Contains(mixed, name)), "%s was sent", name)
		}
	})
}

// A secret that the service withholds is never lost: it is still there, or has a new value, or the whole
// list was emptied, or nothing was sent.
func TestNoUpdateLosesAWithheldSecret(t *testing.T) {
	refused, sent := 0, 0
	eachKind(t, 90, func(t *testing.T, d *documents, k kind, s *service) {
		s.withhold = true
		before := copyOf(s.doc).(map[string]any)
		client := s.client(t)
		object, err := k.read(t, client)
		require.NoError(t, err)
		u := updateOf(object)
		held := s.withheldMembers()
		require.ElementsMatch(t, slices.Concat(held, future(before)), u.Withheld())
		source := reflect.New(k.object)
		require.NoError(t, json.Unmarshal(d.spell(d.other().document(s.node)), source.Interface()))
		mix(d, u, updateOf(source.Interface()), copyOf(before).(map[string]any), kit.ParseJSON(t, string(text(source.Interface()))).(map[string]any), s.node)
		if err := k.write(t, client, again(t, u, monitoring.MarshalWithSecrets)); err != nil {
			refused++
			kit.ErrAs[*monitoring.ValidationError](t, err)
			require.Zero(t, s.updates)
			return
		}
		sent++
		eachSecret(s.doc, func(holder map[string]any, member string) { require.NotNil(t, holder[member], s.body) })
		for _, path := range [][]string{{"environmentVariables"}, {"apiCheckDefaults", "headers"}, {"apiCheckDefaults", "queryParameters"}, {"request", "headers"}, {"request", "queryParameters"}} {
			was, is := itemsAt(before, path), itemsAt(s.doc, path)
			for _, item := range was {
				withheld := item["secret"] == true && len(path) == 1 || item["locked"] == true && len(path) == 2
				kept := slices.ContainsFunc(is, func(one map[string]any) bool { return one["key"] == item["key"] && one["value"] != nil })
				require.True(t, !withheld || kept || len(is) == 0, "%s of %s: %s", item["key"], path, s.body)
			}
		}
	})
	if !testkit.UnderRace { // it makes fewer rounds
		require.Greater(t, refused, 2)
		require.Greater(t, sent, 100)
	}
}

func itemsAt(doc map[string]any, path []string) (items []map[string]any) {
	for _, name := range path[:len(path)-1] {
		doc, _ = doc[name].(map[string]any)
	}
	list, _ := doc[path[len(path)-1]].([]any)
	for _, item := range list {
		items = append(items, item.(map[string]any))
	}
	return items
}

// future returns the members that no update knows.
func future(doc map[string]any) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(doc)), func(name string) bool { return !strings.HasPrefix(name, "future") })
}

// A snapshot restores what it has; what it does not have stays as it is.
func TestASnapshotRestoresWhatItHas(t *testing.T) {
	eachKind(t, 90, func(t *testing.T, d *documents, k kind, s *service) {
		s.withhold = d.chance(30)
		client := s.client(t)
		object, err := k.read(t, client)
		require.NoError(t, err)
		write := []func(any) ([]byte, error){monitoring.MarshalWithSecrets, json.Marshal}[d.IntN(2)]
		u := updateOf(again(t, object, write))
		first, left := s.doc, u.Withheld()
		s.doc = d.other().document(s.node)
		later := copyOf(s.doc).(map[string]any)
		err = k.edit(t, client, func(update any) { reflect.ValueOf(update).Elem().Set(reflect.ValueOf(u).Elem()) })
		if errors.As(err, new(*monitoring.ValidationError)) { // only what is withheld differs
			require.NotEmpty(t, left)
			return
		}
		require.NoError(t, err)
		live, err := k.read(t, client)
		require.NoError(t, err)
		for _, c := range diffFrom(u, live) {
			require.True(t, c.Left, "%v of %s", c, s.body)
		}
		for _, m := range s.node.Members {
			value, was := first[m.Name]
			want := value
			switch {
			case slices.Contains(left, m.Name), !was, value == nil && m.Node.Kinds&(schema.Null|schema.Array) == 0:
				want = later[m.Name]
			case value == nil && m.Node.Kinds&schema.Array != 0:
				require.Empty(t, s.doc[m.Name])
				continue
			}
			require.Equal(t, s.expected(map[string]any{m.Name: want}), s.expected(map[string]any{m.Name: s.doc[m.Name]}), "%s: %s", m.Name, s.body)
		}
	})
}

func eachKind(t *testing.T, seeds uint64, f func(*testing.T, *documents, kind, *service)) {
	t.Parallel()
	for name, k := range kinds {
		for seed := range uint64(testkit.Rounds(int(seeds))) {
			d := newDocuments(seed)
			node := schema.Lookup(k.operation).Body
			d.checkType = k.checkType
			s := &service{doc: d.document(node), node: node, spell: d.spell}
			if !t.Run(fmt.Sprintf("%s %d", name, seed), func(t *testing.T) { f(t, d, k, s) }) {
				return
			}
		}
	}
}

// spell writes a value in one of its spellings.
func (d *documents) spell(v any) []byte {
	space := func() string { return strings.Repeat([]string{" ", "\n", "\t"}[d.IntN(3)], max(0, d.IntN(8)-6)) }
	join := func(open, end string, parts []string) []byte {
		return []byte(space() + open + strings.Join(parts, ",") + space() + end)
	}
	switch v := v.(type) {
	case map[string]any:
		var parts []string
		names := slices.Sorted(maps.Keys(v))
		for _, i := range d.Perm(len(names)) {
			parts = append(parts, space()+string(d.spellText(names[i]))+space()+":"+space()+string(d.spell(v[names[i]])))
		}
		return join("{", "}", parts)
	case []any:
		var parts []string
		for _, value := range v {
			parts = append(parts, string(d.spell(value))+space())
		}
		return join("[", "]", parts)
	case string:
		return d.spellText(v)
	case json.Number:
		if strings.Trim(v.String(), "0123456789") == "" && v[0] != '0' && d.chance(30) {
			return []byte(v.String() + []string{".0", "e0", ".00E+0", "0e-1"}[d.IntN(4)])
		}
	}
	return text(v)
}

func (d *documents) spellText(v string) []byte {
	out := []byte{'"'}
	for _, r := range v {
		switch {
		case r < 0x10000 && d.chance(5), r < ' ', r == '"', r == '\\':
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, string(r)...)
		}
	}
	return append(out, '"')
}

func newDocuments(seed uint64) *documents {
	r := rand.New(rand.NewPCG(seed, 1))
	return &documents{Rand: r, extras: r.IntN(2) == 0, loose: r.IntN(2) == 0, nulls: r.IntN(2) == 0, few: r.IntN(6) == 0}
}

// other makes other documents of the same type.
func (d *documents) other() *documents {
	next := newDocuments(d.Uint64())
	next.checkType = d.checkType
	return next
}

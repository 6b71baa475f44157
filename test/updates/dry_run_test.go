package updates_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// editor is an edit of one kind of object. Its function gets a pointer to the update.
type editor struct {
	name, doc, operation string
	edit                 func(c *monitoring.Client, f func(u any) error, opts ...monitoring.CallOption) (object any, err error)
	rename               func(u any, name string) // "" breaks a rule
	line                 string                   // of a new name
}

// editors are all edits there are.
func editors(t *testing.T) (list []editor) {
	set := func(field string) func(any, string) {
		return func(u any, name string) { reflect.ValueOf(u).Elem().FieldByName(field).SetString(name) }
	}
	for _, k := range kinds {
		member, rename := "name", set("Name")
		if k.service == "AlertChannels" { // which have no name
			member, rename = "type", set("Type")
		}
		d := newDocuments(1, k)
		d.few, d.nulls, d.loose, d.extras = true, false, false, false
		doc := d.document(schema.Lookup(k.operation).Body)
		doc[member] = "old"
		list = append(list, editor{"Edit of " + k.name(), string(text(doc)), k.operation,
			func(c *monitoring.Client, f func(any) error, opts ...monitoring.CallOption) (any, error) {
				service, id := k.on(c, kit.UUID1)
				method := service.MethodByName("Edit")
				call := reflect.MakeFunc(method.Type().In(2), func(in []reflect.Value) []reflect.Value {
					err := f(in[0].Interface())
					return []reflect.Value{reflect.ValueOf(&err).Elem()}
				})
				out := method.CallSlice([]reflect.Value{reflect.ValueOf(t.Context()), id, call, reflect.ValueOf(opts)})
				err, _ := out[1].Interface().(error)
				if out[0].IsNil() {
					return nil, err
				}
				return out[0].Interface(), err
			}, rename, member + `: "old" -> "new"`})
	}
	for _, kind := range allKinds {
		doc := checkOf(t, kind)
		doc["name"] = "old"
		list = append(list, editor{"Edit of any check: " + string(kind), string(text(doc)), "",
			func(c *monitoring.Client, f func(any) error, opts ...monitoring.CallOption) (any, error) {
				check, err := c.Checks.Edit(t.Context(), kit.UUID1, func(check *monitoring.Check) error { return f(check) }, opts...)
				if check == nil {
					return nil, err
				}
				return check, err
			}, set("Name"), `name: "old" -> "new"`})
	}
	return list
}

func TestADryRunOfAnyEditWritesNothingAndSaysWhatTheWriteWould(t *testing.T) {
	other := errors.New("not on a Friday")
	for _, e := range editors(t) {
		for name, c := range map[string]struct {
			rename  string // to this; "old" changes nothing
			err     error  // of the function
			writes  bool
			changes bool
			refused bool
			want    error
		}{
			"a change":                {"new", nil, true, true, false, nil},
			"a dry run":               {"new", monitoring.ErrDryRun, false, true, false, nil},
			"a wrapped dry run":       {"new", fmt.Errorf("stop: %w", monitoring.ErrDryRun), false, true, false, nil},
			"a dry run of no change":  {"old", monitoring.ErrDryRun, false, false, false, nil},
			"no change":               {"old", nil, false, false, false, nil},
			"a broken rule":           {"", nil, false, false, true, nil},
			"a dry run that breaks":   {"", monitoring.ErrDryRun, false, false, true, nil},
			"an error and a mistake":  {"", other, false, false, false, other},
			"an error of its own":     {"new", other, false, false, false, other},
			"an error without change": {"old", other, false, false, false, other},
		} {
			t.Run(e.name+": "+name, func(t *testing.T) {
				s := &oneCheck{doc: kit.ParseJSON(t, e.doc).(map[string]any), put: patch}
				var hooked, told int
				client := kit.Client(t, s, monitoring.WithStartHook(func(ctx context.Context, _ string) context.Context {
					hooked++
					return ctx
				}))
				var changes []monitoring.Change
				object, err := e.edit(client, func(u any) error {
					e.rename(u, c.rename)
					return c.err
				}, monitoring.WithChanges(func(list []monitoring.Change) {
					require.Empty(t, s.puts, "it is told before")
					told, changes = told+1, list
				}))
				require.Equal(t, c.writes, len(s.puts) == 1)
				require.Equal(t, 1, s.gets)
				if errors.Is(c.err, monitoring.ErrDryRun) {
					require.Equal(t, 1, hooked, "only the read is a call")
				}
				if c.changes {
					require.Equal(t, []string{e.line}, linesOf(changes))
				}
				require.Equal(t, c.changes, told == 1)
				switch {
				case c.want != nil:
					require.ErrorIs(t, err, c.want)
					require.NotErrorIs(t, err, monitoring.ErrDryRun)
					require.False(t, errors.As(err, new(*monitoring.ValidationError)), "it is returned alone")
				case c.refused:
					kit.ErrAs[*monitoring.ValidationError](t, err)
					require.Nil(t, object)
				default:
					require.NoError(t, err)
					require.NotNil(t, object)
				}
				if errors.Is(c.err, monitoring.ErrDryRun) && !c.refused {
					shown, err := monitoring.MarshalWithSecrets(object)
					require.NoError(t, err)
					require.JSONEq(t, string(text(s.doc)), string(shown), "it is returned as it was read")
				}
			})
		}
	}
}

// An edit may be refused by what only the edit knows. Validate in it says the same, in the same
// words, and so does the dry run.
func TestValidateInAnEditSaysWhatTheWriteSays(t *testing.T) {
	const doc = `{"id":7,"name":"Shop","tags":["a"],"future":1,"environmentVariables":[{"key":"A","value":"a"},{"key":"TOKEN","value":null,"secret":true},{"key":"PIN","value":null,"secret":true}]}`
	const remedy = `: give each a value with SetVariable, remove it with RemoveVariable, or leave environmentVariables as it was read`
	type u = monitoring.CheckGroup
	for name, c := range map[string]struct {
		edit  func(*u)
		opts  []monitoring.CallOption
		rules []string
	}{
		"one of two secrets is rotated": {func(u *u) {
			require.NoError(t, u.SetVariable(monitoring.EnvironmentVariable{Key: "TOKEN", Value: monitoring.NewSecret("new")}))
		}, nil, []string{"environmentVariables: would overwrite secrets that the service withholds (PIN)" + remedy}},
		"a new variable has no value, too": {func(u *u) {
			u.EnvironmentVariables = append(u.EnvironmentVariables, monitoring.EnvironmentVariable{Key: "B"})
		}, nil, []string{"environmentVariables: would overwrite secrets that the service withholds (TOKEN, PIN)" + remedy,
			"environmentVariables[3].value: has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with NewSecret, or omit the list or object"}},
		"a member that the package does not know": {func(u *u) { u.Tags = nil }, []monitoring.CallOption{monitoring.WithStrictUpdates()}, []string{
			"environmentVariables: would be omitted, because the service withholds a secret in it: give each a value with NewSecret",
			"future: would be omitted, because this package does not know it: send it with WithBodyField"}},
		"a rule that is turned off": {func(u *u) { u.Concurrency = new(-1) }, []monitoring.CallOption{monitoring.WithoutValidation()}, nil},
		"a rule":                    {func(u *u) { u.Concurrency = new(-1) }, nil, []string{"concurrency: -1 is below 1"}},
		"a member of an option":     {func(u *u) { u.Concurrency = new(-1) }, []monitoring.CallOption{monitoring.WithBodyField("concurrency", 1)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, s, client := groupOf(t, doc)
			told := 0
			opts := append(c.opts, monitoring.WithChanges(func([]monitoring.Change) { told++ }))
			var says error
			edit := func(dry error) error {
				return kit.Second(client.CheckGroups.Edit(t.Context(), 7, func(u *u) error {
					c.edit(u)
					says = u.Validate()
					require.Zero(t, told, "Validate tells nobody")
					return dry
				}, opts...))
			}
			dry := edit(monitoring.ErrDryRun)
			require.Zero(t, s.updates)
			require.Equal(t, fmt.Sprint(dry), fmt.Sprint(says))
			told = 0
			require.Equal(t, fmt.Sprint(edit(nil)), fmt.Sprint(says))
			if c.rules == nil {
				require.NoError(t, says)
				require.Equal(t, 1, s.updates)
				return
			}
			require.Equal(t, c.rules, kit.BrokenRules(t, says))
			require.Zero(t, s.updates)
		})
	}
	before := readGroup(t, strings.Replace(doc, `"value":"a"`, `"value":"old"`, 1))
	_, s, client := groupOf(t, doc)
	err := kit.Second(client.CheckGroups.Edit(t.Context(), 7, func(u *u) error { *u = *before.Clone(); return monitoring.ErrDryRun }))
	require.ErrorContains(t, err, "environmentVariables: cannot be restored", "a dry run of a snapshot that changes nothing")
	require.Zero(t, s.updates)
}

func TestChangesHaveWhatOptionsAddAndNoSecret(t *testing.T) {
	_, s, client := groupOf(t, shop)
	var changes []monitoring.Change
	tell := monitoring.WithChanges(func(list []monitoring.Change) { changes = list })
	_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error {
		u.EnvironmentVariables[2].Value = monitoring.NewSecret("s3cret-new")
		return nil
	}, tell, monitoring.WithBodyField("concurrency", 4), monitoring.WithBodyField("future", "s3cret"))
	require.NoError(t, err)
	require.Equal(t, 1, s.updates)
	require.ElementsMatch(t, []string{"environmentVariables[2].value (S): a secret is changed", "concurrency: 3 -> 4", "future: added [redacted]"}, linesOf(changes))

	plan := readGroup(t, shop)
	plan.Concurrency = new(5)
	_, s, client = groupOf(t, shop)
	require.NoError(t, kit.Second(client.CheckGroups.Update(t.Context(), plan, tell, monitoring.WithUnchanged())))
	require.Equal(t, []string{"concurrency: 3 -> 5"}, linesOf(changes))
	require.Equal(t, 1, s.updates)
}

func TestChangesAreAnOptionOfEditsOnly(t *testing.T) {
	for _, o := range kit.Operations {
		client, sent := kit.Recorded(t, 500, "{}", monitoring.WithMaxRetries(0))
		_, err := o.Do(t.Context(), client, monitoring.WithChanges(func([]monitoring.Change) { t.Error("there is no edit") }))
		require.ErrorContains(t, err, "WithChanges is for Edit", o.Row.Name)
		require.Empty(t, sent.Sent, o.Row.Name)
		require.ErrorContains(t, kit.Second(o.Do(t.Context(), client, monitoring.WithChanges(nil))), "WithChanges needs a function")
	}
}

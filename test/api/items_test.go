package api_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// encoding/json reads the items of a list into those that the list has, or had before it was cut.
// So items read themselves, if users fill the list or a method returns it. What only stands inside
// a response is read with that, which starts empty.
func TestItemsOfListsStartEmpty(t *testing.T) {
	items := itemTypes()
	for _, typ := range []reflect.Type{
		reflect.TypeFor[monitoring.KeyValue](), reflect.TypeFor[monitoring.Assertion](), reflect.TypeFor[monitoring.EnvironmentVariable](),
		reflect.TypeFor[monitoring.AlertChannelSubscription](), reflect.TypeFor[monitoring.Dependency](), reflect.TypeFor[monitoring.CheckGroup](),
		reflect.TypeFor[monitoring.Check](), reflect.TypeFor[monitoring.CheckResult](),
	} {
		require.Contains(t, items, typ)
	}
	for typ := range items {
		full := reflect.New(reflect.SliceOf(typ))
		require.NoError(t, json.Unmarshal([]byte("["+sampleOf(typ)+"]"), full.Interface()), typ)
		require.False(t, full.Elem().Index(0).IsZero(), typ)
		// Null changes nothing in an object that is read and written back as a whole.
		_, whole := typ.MethodByName("ToUpdate")
		_, isObject := reflect.PointerTo(typ).MethodByName("Omitted")
		whole = whole || isObject
		whole = whole && typ != reflect.TypeFor[monitoring.EnvironmentVariable]() || typ == reflect.TypeFor[monitoring.Check]()
		for _, read := range []string{`[{}]`, `[null]`, `[{"unknown":2}]`, `[{"id":"7"}]`, `[{"key":"new","KEY":"x"}]`} {
			require.ErrorContains(t, json.Unmarshal([]byte(`[7]`), reflect.New(full.Elem().Type()).Interface()), "got a number", typ)
			for length := range 2 {
				old, empty := reflect.New(full.Elem().Type()), reflect.New(full.Elem().Type())
				old.Elem().Set(reflect.MakeSlice(full.Elem().Type(), 1, 1))
				reflect.Copy(old.Elem(), full.Elem())
				old.Elem().SetLen(length)
				if json.Unmarshal([]byte(read), empty.Interface()) != nil || read == `[null]` && whole {
					continue
				}
				require.NoError(t, json.Unmarshal([]byte(read), old.Interface()), typ)
				require.True(t, reflect.DeepEqual(empty.Interface(), old.Interface()), "%s: %s, read into a list of %d: mark the type with //monitoring:json, and run go generate", typ, read, length)
			}
		}
	}
}

// An item with another key is another item.
func TestAnItemKeepsNoUnknownMemberOfTheOneBefore(t *testing.T) {
	group := kit.Returned[monitoring.CheckGroup](`{"id":7,"name":"a","apiCheckDefaults":{"headers":[{"key":"A","value":"1","unknown":1}]},
		"alertChannelSubscriptions":[{"alertChannelId":1,"activated":true,"unknown":1}]}`)
	require.NoError(t, json.Unmarshal([]byte(`[{"key":"B","value":"2"}]`), &group.APICheckDefaults.Headers))
	require.NoError(t, json.Unmarshal([]byte(`[{"alertChannelId":2}]`), &group.AlertChannelSubscriptions))
	client, sent := kit.Recorded(t, 200, `{"id":7,"name":"a"}`)
	_, err := client.CheckGroups.Update(t.Context(), group)
	require.NoError(t, err)
	require.Contains(t, sent.Sent[0].Body, `"key":"B"`)
	require.NotContains(t, sent.Sent[0].Body, "unknown")
}

func TestACheckWithManyItemsIsReadWithFewAllocations(t *testing.T) {
	var headers, assertions []string
	for i := range 20 {
		headers = append(headers, fmt.Sprintf(`{"key":"X-Header-%d","value":"value %d","locked":false}`, i, i))
		assertions = append(assertions, fmt.Sprintf(`{"source":"JSON_BODY","property":"$.member%d","comparison":"EQUALS","target":"%d"}`, i, i))
	}
	body := fmt.Appendf(nil, `{"id":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","checkType":"API","name":"Search","request":{"method":"GET",
		"url":"https://shop.test","headers":[%s],"assertions":[%s]}}`, strings.Join(headers, ","), strings.Join(assertions, ","))
	count := testing.AllocsPerRun(20, func() {
		var check monitoring.Check
		if err := json.Unmarshal(body, &check); err != nil {
			panic(err)
		}
	})
	require.LessOrEqual(t, count, 240.0)
}

// itemTypes returns the structs that are items of lists which methods return, or which users fill
// in requests and objects.
func itemTypes() map[reflect.Type]bool {
	found, seen := make(map[reflect.Type]bool), make(map[reflect.Type]bool)
	for f := range reflect.TypeFor[monitoring.Client]().Fields() {
		if f.IsExported() {
			for m := range f.Type.Methods() {
				for in := range m.Type.Ins() {
					if in != f.Type {
						addItems(in, found, seen)
					}
				}
				for out := range m.Type.Outs() {
					addReturned(out, found)
				}
			}
		}
	}
	return found
}

// addReturned adds what a method returns: the items of a list, of a page, or of an iterator.
func addReturned(t reflect.Type, found map[reflect.Type]bool) {
	switch {
	case t.Kind() == reflect.Slice && isOurs(t.Elem()):
		found[t.Elem()] = true
	case t.Kind() == reflect.Pointer:
		addReturned(t.Elem(), found)
	case t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Page["):
		items, _ := t.FieldByName("Items")
		addReturned(items.Type, found)
	case t.Kind() == reflect.Func && t.NumIn() == 1 && t.In(0).Kind() == reflect.Func && t.In(0).NumIn() > 0:
		addReturned(reflect.SliceOf(t.In(0).In(0)), found)
	}
}

// addItems adds the items of the lists in a type. Only a service makes a struct with an Extra, and
// the channels of a check.
func addItems(t reflect.Type, found, seen map[reflect.Type]bool) {
	if seen[t] || t == reflect.TypeFor[monitoring.AlertChannels]() {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Slice:
		item := t.Elem()
		if isOurs(item) && !strings.Contains(item.Name(), "[") && !hasExtra(item) {
			found[item] = true
		}
		addItems(item, found, seen)
	case reflect.Pointer, reflect.Map:
		addItems(t.Elem(), found, seen)
	case reflect.Func:
		for in := range t.Ins() {
			addItems(in, found, seen)
		}
	case reflect.Struct:
		if kit.IsNullable(t) {
			addItems(kit.NullableOf(t), found, seen)
		}
		for f := range t.Fields() {
			if isOurs(t) && (f.IsExported() || f.Anonymous) {
				addItems(f.Type, found, seen)
			}
		}
	}
}

func hasExtra(t reflect.Type) bool {
	f, ok := t.FieldByName("Extra")
	return ok && f.Type == reflect.TypeFor[map[string]json.RawMessage]()
}

func isOurs(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[monitoring.Client]().PkgPath()
}

// sampleOf returns JSON of a type with all members and one that is unknown, and without null.
func sampleOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[monitoring.Timestamp](), t == reflect.TypeFor[time.Time]():
		return `"2026-07-14T09:12:44.310Z"`
	case t == reflect.TypeFor[monitoring.Date]():
		return `"2026-07-14"`
	case kit.IsNullable(t):
		return sampleOf(kit.NullableOf(t))
	case t == reflect.TypeFor[json.RawMessage](), t == reflect.TypeFor[monitoring.SecretJSON]():
		return `{"a":1}`
	case t == reflect.TypeFor[monitoring.Secret](), t.Kind() == reflect.String:
		return `"old"`
	case t.Kind() == reflect.Pointer:
		return sampleOf(t.Elem())
	case t.Kind() == reflect.Slice:
		return "[" + sampleOf(t.Elem()) + "]"
	case t.Kind() == reflect.Map:
		return `{"old":` + sampleOf(t.Elem()) + `}`
	case t.Kind() == reflect.Bool:
		return "true"
	case t.Kind() == reflect.Struct:
		members := []string{`"unknown":1`}
		for name, field := range kit.WireFields(t, "json") {
			members = append(members, fmt.Sprintf("%q:%s", name, sampleOf(field.Type)))
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	return "7"
}

package updates_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// memory finds the memory through which a change of one value could change another: arrays of
// slices and structs behind pointers, also in unexported fields. Pointers to scalars may be
// shared, because a change replaces the pointer.
func memory(v reflect.Value, path string, found map[uintptr]string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem().Kind() == reflect.Struct {
			found[v.Pointer()] = path
			memory(v.Elem(), path, found)
		}
	case reflect.Slice:
		if v.Cap() > 0 && v.Type().Elem().Size() > 0 {
			found[v.Pointer()] = path
		}
		for i := range v.Len() {
			memory(v.Index(i), path+"[]", found)
		}
	case reflect.Struct:
		if v.Type().PkgPath() == "time" { // locations are shared, but never changed
			return
		}
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if name == "kept" || name == "made" { // never changed
				continue
			}
			memory(v.Field(i), path+"."+name, found)
		}
	}
}

func requireNothingShared(t *testing.T, a, b any) {
	t.Helper()
	first, second := make(map[uintptr]string), make(map[uintptr]string)
	memory(reflect.ValueOf(a), "", first)
	memory(reflect.ValueOf(b), "", second)
	var shared []string
	for address, path := range first {
		if _, ok := second[address]; ok {
			shared = append(shared, path)
		}
	}
	slices.Sort(shared)
	assert.Empty(t, shared, "memory that two values of type %T share", a)
}

func TestTwoUpdatesOfOneObjectShareNoMemory(t *testing.T) {
	g := kit.Decode[*monitoring.CheckGroup](t, "get-v1-check-group.all-members")
	requireNothingShared(t, g.ToUpdate(), g.ToUpdate())
	b := kit.Decode[*monitoring.BrowserCheck](t, "put-v1-checks-browser.all-members")
	requireNothingShared(t, b.ToUpdate(), b.ToUpdate())
}

func TestAnUpdateSharesNoMemoryWithTheObject(t *testing.T) {
	g := kit.Decode[*monitoring.CheckGroup](t, "get-v1-check-group.all-members")
	requireNothingShared(t, g.ToUpdate(), *g)
	b := kit.Decode[*monitoring.BrowserCheck](t, "put-v1-checks-browser.all-members")
	requireNothingShared(t, b.ToUpdate(), *b)
}

func TestAChangeOfOneUpdateDoesNotChangeAnother(t *testing.T) {
	g := kit.Decode[*monitoring.CheckGroup](t, "get-v1-check-group.all-members")
	before := kit.ToJSON(t, g)
	first, second := g.ToUpdate(), g.ToUpdate()
	want := kit.ToJSON(t, second)
	first.Tags[0], first.Locations[0], first.PrivateLocations[0] = "x", "x", "x"
	first.APICheckDefaults.Headers[0].Value = monitoring.NewSecret("x")
	first.EnvironmentVariables[0].Value = monitoring.NewSecret("x")
	first.AlertChannelSubscriptions[0].AlertChannelID = 7
	settings, _ := first.AlertSettings.Get()
	settings.Reminders.Amount = new(99)
	strategy, _ := first.RetryStrategy.Get()
	strategy.OnlyOn[0] = "x"
	require.Equal(t, want, kit.ToJSON(t, second))
	require.Equal(t, before, kit.ToJSON(t, g))
}

package monitoring

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// wireType is an exported type of requests or responses.
type wireType struct {
	typ reflect.Type
	// forms returns the value in each form in which a program may hold it: in a pointer, a
	// list, a struct and so on. It is nil for a type that cannot have a secret in it.
	forms func(any) map[string]any
}

// wire is a type that cannot have a secret in it. It has no forms: with forms for every type,
// compiling the tests took half as long again.
func wire[T any]() wireType { return wireType{typ: reflect.TypeFor[T]()} }

// unexported is a user's struct with unexported fields. On such fields fmt calls no methods.
type unexported[T any] struct {
	value    T
	pointer  *T
	list     []T
	members  map[string]T
	any      any
	nullable Nullable[T]
}

// holder is a type that can have a secret in it.
func holder[T any]() wireType {
	return wireType{reflect.TypeFor[T](), func(given any) map[string]any {
		v := given.(T)
		inside := unexported[T]{v, &v, []T{v}, map[string]T{"k": v}, &v, Value(v)}
		return map[string]any{
			"a value": v, "a pointer": &v, "a list": []T{v}, "a list of pointers": []*T{&v}, "an array": [1]T{v}, "a map": map[string]T{"k": v},
			"a map of pointers": map[int]*T{1: &v}, "a list of any": []any{v, &v}, "unexported fields": inside, "a pointer to unexported fields": &inside,
			"an embedded struct": struct{ unexported[T] }{inside}, "an exported field": struct{ V T }{v}, "a pointer in a struct": struct{ P *T }{&v},
			"a Nullable": Value(v), "a pointer to a Nullable": new(Value(&v)), "a page": Page[T]{Items: []T{v}}, "a pointer to a page": &Page[T]{Items: []T{v}},
		}
	}}
}

// exportedWireTypes returns the names of the exported types of this package that have
// json tags or JSON methods.
func exportedWireTypes(t *testing.T) []string {
	t.Helper()
	notOnTheWire := []string{"APIError", "DecodeError", "Response", "Nullable"} // of errors and calls; a Nullable is checked with its type
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	set := token.NewFileSet()
	names := make(map[string]bool)
	look := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			fields, ok := n.Type.(*ast.StructType)
			if !ok {
				return false
			}
			for _, f := range fields.Fields.List {
				if f.Tag != nil && strings.Contains(f.Tag.Value, `json:"`) {
					names[n.Name.Name] = true
				}
			}
			return false
		case *ast.FuncDecl:
			if n.Recv != nil && strings.HasSuffix(n.Name.Name, "arshalJSON") {
				names[testkit.Receiver(n.Recv.List[0].Type)] = true
			}
			return false
		}
		return true
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, look)
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool { return !ast.IsExported(name) || slices.Contains(notOnTheWire, name) })
	return slices.Sorted(maps.Keys(names))
}

func TestEveryExportedWireTypeIsChecked(t *testing.T) {
	var checked []string
	for _, w := range wireTypes {
		checked = append(checked, w.typ.Name())
	}
	found := exportedWireTypes(t)
	require.Greater(t, len(found), 70)
	for _, name := range found {
		if !slices.Contains(checked, name) {
			t.Errorf("%s is sent or received, but not checked for secrets: add wire[%[1]s]() to wireTypes in tables_test.go", name)
		}
	}
	for _, name := range checked {
		if !slices.Contains(found, name) {
			t.Errorf("wireTypes has %s, which is not encoded as JSON any more: remove it", name)
		}
	}
}

// planter fills all fields of a value, and counts the secrets among them.
type planter struct{ canaries int }

func (p *planter) plant(t *testing.T, v reflect.Value) {
	switch at := v.Addr().Interface().(type) {
	case *Secret:
		p.canaries++
		*at = NewSecret(canary)
		return
	case *SecretJSON:
		p.canaries++
		*at = NewSecretJSON(json.RawMessage(`{"key":"` + canary + `"}`))
		return
	case *json.RawMessage:
		*at = json.RawMessage(`{"a":1}`)
		return
	case *time.Time:
		*at = time.Date(2026, 7, 14, 0, 0, 0, 0, time.UTC)
		return
	case *Timestamp:
		require.NoError(t, at.UnmarshalText([]byte("2026-07-14T09:12:44.310Z")))
		return
	case *ResultAssertion, *ResultError: // they are written as they were read
		require.NoError(t, json.Unmarshal([]byte(`{"message":"m"}`), at))
		return
	}
	if isNullable(v.Type()) {
		inner := reflect.New(nullableOf(v.Type()))
		p.plant(t, inner.Elem())
		require.NoError(t, v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON([]byte(toJSON(t, inner.Interface()))))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		p.plant(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			p.plant(t, v.Index(i))
		}
	case reflect.Map:
		item := reflect.New(v.Type().Elem()).Elem()
		p.plant(t, item)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("k").Convert(v.Type().Key()), item)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				p.plant(t, v.Field(i))
			}
		}
	case reflect.Interface:
		auth := BasicAuth{}
		p.plant(t, reflect.ValueOf(&auth).Elem())
		v.Set(reflect.ValueOf(auth))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1.5)
	default:
		t.Fatalf("planter has no value for a %s", v.Type())
	}
}

func TestNoTypeShowsASecret(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	for _, w := range wireTypes {
		value := reflect.New(w.typ).Elem()
		var p planter
		p.plant(t, value)
		if p.canaries == 0 {
			require.Nil(t, w.forms, "%s has no secret: write wire[%[1]s]() into wireTypes in tables_test.go", w.typ.Name())
			continue
		}
		require.NotNil(t, w.forms, "%s can hold a secret: write holder[%[1]s]() into wireTypes in tables_test.go", w.typ.Name())
		for form, v := range w.forms(value.Interface()) {
			requireHidden(t, form+" of "+w.typ.Name(), v)
		}
	}
}

func TestEveryTypeIsWrittenWithItsSecretsAndReadBack(t *testing.T) {
	for _, w := range wireTypes {
		t.Run(w.typ.Name(), func(t *testing.T) {
			value := reflect.New(w.typ)
			var p planter
			p.plant(t, value.Elem())
			written := toJSON(t, value.Elem().Interface())
			require.Equal(t, p.canaries, strings.Count(written, canary), written)
			require.Equal(t, written, toJSON(t, value.Interface()), "the pointer gives the same")

			first, second := reflect.New(w.typ), reflect.New(w.typ)
			require.NoError(t, json.Unmarshal([]byte(written), first.Interface()))
			require.JSONEq(t, written, toJSON(t, first.Interface()))
			require.NoError(t, json.Unmarshal([]byte(toJSON(t, first.Interface())), second.Interface()))
			require.True(t, reflect.DeepEqual(first.Interface(), second.Interface()))
			if p.canaries == 0 {
				plain, err := json.Marshal(value.Interface())
				require.NoError(t, err)
				require.Equal(t, string(plain), written, "without secrets the result is that of json.Marshal")
			}
		})
	}
}

func TestEveryTypeSaysWhichSecretsAreWithheld(t *testing.T) {
	for _, w := range wireTypes {
		value := reflect.New(w.typ)
		var p planter
		p.plant(t, value.Elem())
		sent, err := encodeBody(value.Interface())
		require.NoError(t, err)
		require.Empty(t, sent.withheld, w.typ.Name())
		require.Len(t, sent.secrets, p.canaries, w.typ.Name())

		// json.Marshal hides the secrets, so they are withheld after reading the JSON back.
		plain, err := json.Marshal(value.Interface())
		require.NoError(t, err)
		read := reflect.New(w.typ)
		require.NoError(t, json.Unmarshal(plain, read.Interface()))
		sent, err = encodeBody(read.Interface())
		require.NoError(t, err)
		require.Empty(t, sent.secrets, w.typ.Name())
		withheld := p.canaries
		if w.typ == reflect.TypeFor[CheckUpdate]() {
			withheld-- // the password in Request is read back as plain JSON
		}
		require.Len(t, sent.withheld, withheld, "%s: %v", w.typ.Name(), sent.withheld)
	}
}

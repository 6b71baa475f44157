package secrets_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// unexported is a user's struct with unexported fields. On such fields fmt calls no methods.
type unexported[T any] struct {
	value    T
	pointer  *T
	list     []T
	members  map[string]T
	any      any
	nullable monitoring.Nullable[T]
}

// A holder is a type that can have a secret in it.
type holder struct {
	typ reflect.Type
	// forms returns a value in each form in which a program may hold it: in a pointer, a list, a
	// struct and so on.
	forms func(any) map[string]any
}

// holders are the types of kit.WireTypes that can have a secret in them. The others have no forms:
// with forms for every type, compiling the tests took half as long again.
var holders = []holder{
	holds[monitoring.APICheckDefaults](), holds[monitoring.AlertChannels](), holds[monitoring.AlertNotification](), holds[monitoring.AlertWebhook](),
	holds[monitoring.BasicAuth](), holds[monitoring.BrowserCheck](), holds[monitoring.BrowserCheckUpdate](), holds[monitoring.Check](),
	holds[monitoring.CheckCommon](), holds[monitoring.CheckGroup](), holds[monitoring.CheckGroupUpdate](), holds[monitoring.CheckUpdate](),
	holds[monitoring.EnvironmentVariable](), holds[monitoring.KeyValue](), holds[monitoring.Secret](), holds[monitoring.SecretJSON](), holds[monitoring.TCPCheck](),
}

func holds[T any]() holder {
	return holder{reflect.TypeFor[T](), func(given any) map[string]any {
		v := given.(T)
		inside := unexported[T]{v, &v, []T{v}, map[string]T{"k": v}, &v, monitoring.Value(v)}
		return map[string]any{
			"a value": v, "a pointer": &v, "a list": []T{v}, "a list of pointers": []*T{&v}, "an array": [1]T{v}, "a map": map[string]T{"k": v},
			"a map of pointers": map[int]*T{1: &v}, "a list of any": []any{v, &v}, "unexported fields": inside, "a pointer to unexported fields": &inside,
			"an embedded struct": struct{ unexported[T] }{inside}, "an exported field": struct{ V T }{v}, "a pointer in a struct": struct{ P *T }{&v},
			"a Nullable": monitoring.Value(v), "a pointer to a Nullable": new(monitoring.Value(&v)), "a page": monitoring.Page[T]{Items: []T{v}}, "a pointer to a page": &monitoring.Page[T]{Items: []T{v}},
		}
	}}
}

// exportedWireTypes returns the names of the exported types of the SDK that have json tags or JSON
// methods.
func exportedWireTypes(t *testing.T) []string {
	t.Helper()
	notOnTheWire := []string{"APIError", "DecodeError", "Response", "Nullable"} // of errors and calls; a Nullable is checked with its type
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
	for _, path := range kit.Files(t, "*.go") {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, kit.Path(path), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, look)
	}
	maps.DeleteFunc(names, func(name string, _ bool) bool { return !ast.IsExported(name) || slices.Contains(notOnTheWire, name) })
	return slices.Sorted(maps.Keys(names))
}

func TestEveryExportedWireTypeIsChecked(t *testing.T) {
	var checked []string
	for _, typ := range kit.WireTypes() {
		checked = append(checked, typ.Name())
	}
	found := exportedWireTypes(t)
	require.Greater(t, len(found), 70)
	for _, name := range found {
		if !slices.Contains(checked, name) {
			t.Errorf("%s has JSON tags, but is not checked for secrets: no method of a service takes or returns it", name)
		}
	}
	for _, name := range checked {
		if !slices.Contains(found, name) {
			t.Errorf("WireTypes finds %s, which is not encoded as JSON", name)
		}
	}
}

// planter fills all fields of a value, and counts the secrets among them.
type planter struct {
	canaries  int
	different bool // whether each secret has a number
}

// text returns the text of the next secret.
func (p *planter) text() string {
	p.canaries++
	if p.different {
		return fmt.Sprintf("%s/%d/", testkit.Canary, p.canaries)
	}
	return testkit.Canary
}

func (p *planter) plant(t *testing.T, v reflect.Value) {
	switch at := v.Addr().Interface().(type) {
	case *monitoring.Secret:
		*at = monitoring.NewSecret(p.text())
		return
	case *monitoring.SecretJSON:
		*at = monitoring.NewSecretJSON(json.RawMessage(`{"key":"` + p.text() + `"}`))
		return
	case *json.RawMessage:
		*at = json.RawMessage(`{"a":1}`)
		return
	case *time.Time:
		*at = time.Date(2026, 7, 14, 0, 0, 0, 0, time.UTC)
		return
	case *monitoring.Timestamp:
		require.NoError(t, at.UnmarshalText([]byte("2026-07-14T09:12:44.310Z")))
		return
	case *monitoring.ResultAssertion, *monitoring.ResultError: // they are written as they were read
		require.NoError(t, json.Unmarshal([]byte(`{"message":"m"}`), at))
		return
	}
	if kit.IsNullable(v.Type()) {
		inner := reflect.New(kit.NullableOf(v.Type()))
		p.plant(t, inner.Elem())
		require.NoError(t, v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON([]byte(kit.ToJSON(t, inner.Interface()))))
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
		auth := monitoring.BasicAuth{}
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
	testkit.SkipUnderRace(t)
	for _, typ := range kit.WireTypes() {
		value := reflect.New(typ).Elem()
		var p planter
		p.plant(t, value)
		i := slices.IndexFunc(holders, func(h holder) bool { return h.typ == typ })
		if p.canaries == 0 {
			require.Equal(t, -1, i, "%s has no secret: remove it from holders", typ.Name())
			continue
		}
		require.NotEqual(t, -1, i, "%s can hold a secret: write holds[monitoring.%[1]s]() into holders", typ.Name())
		for form, v := range holders[i].forms(value.Interface()) {
			testkit.RequireHidden(t, form+" of "+typ.Name(), v)
		}
	}
}

func TestEveryTypeIsWrittenWithItsSecretsAndReadBack(t *testing.T) {
	for _, typ := range kit.WireTypes() {
		t.Run(typ.Name(), func(t *testing.T) {
			value := reflect.New(typ)
			var p planter
			p.plant(t, value.Elem())
			written := kit.ToJSON(t, value.Elem().Interface())
			require.Equal(t, p.canaries, strings.Count(written, testkit.Canary), written)
			require.Equal(t, written, kit.ToJSON(t, value.Interface()), "the pointer gives the same")

			first, second := reflect.New(typ), reflect.New(typ)
			require.NoError(t, json.Unmarshal([]byte(written), first.Interface()))
			require.JSONEq(t, written, kit.ToJSON(t, first.Interface()))
			require.NoError(t, json.Unmarshal([]byte(kit.ToJSON(t, first.Interface())), second.Interface()))
			require.True(t, reflect.DeepEqual(first.Interface(), second.Interface()))
			if p.canaries == 0 {
				plain, err := json.Marshal(value.Interface())
				require.NoError(t, err)
				require.Equal(t, string(plain), written, "without secrets the result is that of json.Marshal")
			}
		})
	}
}

// TestEveryTypeSaysWhichSecretsAreWithheld sends a value of each type as a body. The service quotes
// the body in its error, so a secret that the client does not know of would be shown.
func TestEveryTypeSaysWhichSecretsAreWithheld(t *testing.T) {
	var echoed string
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		echoed = string(body)
		return testkit.Respond(http.StatusBadRequest, nil, echoed), err
	}), monitoring.WithoutValidation(), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1e6, Per: time.Second}))
	send := func(body any) error {
		return kit.Second(monitoring.Do[struct{}](t.Context(), client, "PUT", "/v1/things", nil, body))
	}
	for _, typ := range kit.WireTypes() {
		value := reflect.New(typ)
		var p planter
		p.different = true
		p.plant(t, value.Elem())
		var failed *monitoring.APIError
		require.ErrorAs(t, send(value.Interface()), &failed, "%s: nothing is withheld", typ.Name())
		require.Equal(t, p.canaries, strings.Count(echoed, testkit.Canary), typ.Name())
		require.Equal(t, p.canaries, strings.Count(string(failed.Body), "[redacted]"), "%s: %s", typ.Name(), failed.Body)
		require.NotContains(t, string(failed.Body), testkit.Canary, typ.Name())

		// json.Marshal hides the secrets, so they are withheld after reading the JSON back.
		plain, err := json.Marshal(value.Interface())
		require.NoError(t, err)
		read := reflect.New(typ)
		require.NoError(t, json.Unmarshal(plain, read.Interface()))
		withheld := p.canaries
		if typ == reflect.TypeFor[monitoring.CheckUpdate]() {
			withheld-- // the password in Request is read back as plain JSON
		}
		err = send(read.Interface())
		if withheld == 0 {
			require.ErrorAs(t, err, &failed, typ.Name())
			continue
		}
		var refused *monitoring.ValidationError
		require.ErrorAs(t, err, &refused, typ.Name())
		require.Len(t, refused.Violations, withheld, "%s: %v", typ.Name(), refused.Violations)
		for _, violation := range refused.Violations {
			require.Contains(t, violation.Message, "is withheld by the service", typ.Name())
		}
	}
}

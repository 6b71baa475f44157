package secrets_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// forms returns a value in each form in which a program may hold it. fmt calls no methods on what is
// in unexported fields.
func forms(v, pointer any) map[string]any {
	type unexported struct{ value, pointer, list, members any }
	hidden := unexported{v, pointer, []any{v}, map[string]any{"k": pointer}}
	return map[string]any{"a value": v, "a pointer": pointer, "what contains it": []any{v, &hidden, map[int]any{2: pointer}, struct{ unexported }{hidden}}}
}

// TestEveryExportedWireTypeIsChecked compares kit.WireTypes with the API listing: the types that have
// JSON tags or methods for JSON.
func TestEveryExportedWireTypeIsChecked(t *testing.T) {
	listing, _, _ := strings.Cut(kit.File(t, "testdata/api.txt"), "package monitoringtest")
	listed := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^func \(\w+ \*?(\w+)\) \w*arshalJSON|^type (\w+)(?:\n+\t|.)*json:"`).FindAllStringSubmatch(listing, -1) {
		listed[m[1]+m[2]] = true
	}
	for _, notOnTheWire := range []string{"APIError", "DecodeError", "PageError", "Response"} {
		delete(listed, notOnTheWire)
	}
	var checked []string
	for _, typ := range kit.WireTypes() {
		checked = append(checked, typ.Name())
	}
	require.Greater(t, len(checked), 70)
	require.Equal(t, slices.Sorted(maps.Keys(listed)), checked, "a type that is not checked is in no method of a service")
}

// planter fills all fields of a value, and counts the secrets among them.
type planter struct {
	canaries int
	prefix   string // of secrets that differ in two more bytes; "" for the canary everywhere
}

// text returns the text of the next secret.
func (p *planter) text() string {
	p.canaries++
	if p.prefix == "" {
		return testkit.Canary
	}
	return fmt.Sprintf("%s%02d", p.prefix, p.canaries)
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
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		p.plant(t, v.Index(0))
	case reflect.Map:
		item := reflect.New(v.Type().Elem()).Elem()
		p.plant(t, item)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("k").Convert(v.Type().Key()), item)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			form := v.Type() == reflect.TypeFor[monitoring.Check]() && f.Name == "Generic" // that of the planted CheckType
			if f.IsExported() && (f.Tag.Get("json") != "-" || form) {
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
	testkit.SkipUnderRace(t)
	for _, typ := range kit.WireTypes() {
		value := reflect.New(typ)
		var p planter
		p.plant(t, value.Elem())
		if p.canaries == 0 {
			continue
		}
		for form, v := range forms(value.Elem().Interface(), value.Interface()) {
			testkit.RequireHidden(t, form+" of "+typ.Name(), v)
		}
	}
}

// TestEveryTypeIsWrittenAndReadBackAndSaysWhichSecretsAreWithheld sends a value of each type as a body. The service quotes
// the body in its error, so a secret that the client does not know of would be shown.
func TestEveryTypeIsWrittenAndReadBackAndSaysWhichSecretsAreWithheld(t *testing.T) {
	var echoed string
	var log bytes.Buffer
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		echoed = string(body)
		return testkit.Respond(http.StatusBadRequest, nil, echoed), err
	}), monitoring.WithoutValidation(), monitoring.WithoutRateLimit(), monitoring.WithWireLog(&log))
	send := func(body any) error {
		return kit.Second(monitoring.Do[struct{}](t.Context(), client, "PUT", "/v1/things", nil, body))
	}
	for _, typ := range kit.WireTypes() {
		value := reflect.New(typ)
		p := planter{prefix: testkit.Canary + "/"}
		p.plant(t, value.Elem())
		written := kit.ToJSON(t, value.Elem().Interface())
		require.Equal(t, p.canaries, strings.Count(written, testkit.Canary), written)
		require.Equal(t, written, kit.ToJSON(t, value.Interface()), "the pointer gives the same")
		first, second := reflect.New(typ), reflect.New(typ)
		require.NoError(t, json.Unmarshal([]byte(written), first.Interface()))
		require.JSONEq(t, written, kit.ToJSON(t, first.Interface()))
		require.NoError(t, json.Unmarshal([]byte(kit.ToJSON(t, first.Interface())), second.Interface()))
		require.True(t, reflect.DeepEqual(first.Interface(), second.Interface()), typ.Name())

		var failed *monitoring.APIError
		require.ErrorAs(t, send(value.Interface()), &failed, "%s: nothing is withheld", typ.Name())
		require.Equal(t, p.canaries, strings.Count(echoed, testkit.Canary), typ.Name())
		require.Equal(t, p.canaries, strings.Count(string(failed.Body), "[redacted]"), "%s: %s", typ.Name(), failed.Body)
		require.NotContains(t, string(failed.Body), testkit.Canary, typ.Name())
		require.NotContains(t, log.String(), testkit.Canary, typ.Name())

		// json.Marshal hides the secrets, so they are withheld after reading the JSON back.
		plain, err := json.Marshal(value.Interface())
		require.NoError(t, err)
		if p.canaries == 0 {
			require.Equal(t, string(plain), written, "without secrets the result is that of json.Marshal")
		}
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

func TestEveryFormOfACheckHidesItsSecretsAndWritesThem(t *testing.T) {
	kinds := map[string]monitoring.CheckType{
		"API": monitoring.CheckTypeAPI, "Browser": monitoring.CheckTypeBrowser, "Generic": monitoring.CheckTypeAgentic, "Heartbeat": monitoring.CheckTypeHeartbeat,
		"MultiStep": monitoring.CheckTypeMultiStep, "Playwright": monitoring.CheckTypePlaywright, "Probe": monitoring.CheckTypeDNS, "TCP": monitoring.CheckTypeTCP,
	}
	for field := range reflect.TypeFor[monitoring.Check]().Fields() {
		if field.Tag.Get("json") != "-" || !field.IsExported() {
			continue
		}
		kind, known := kinds[field.Name]
		require.True(t, known, "a kind of check with the form %s", field.Name)
		var p planter
		check := monitoring.Check{CheckCommon: monitoring.CheckCommon{CheckType: kind}}
		p.plant(t, reflect.ValueOf(&check).Elem().FieldByIndex(field.Index))
		if kind != monitoring.CheckTypeTCP {
			require.NotZero(t, p.canaries, field.Name)
		}
		written := kit.ToJSON(t, check)
		require.Equal(t, p.canaries, strings.Count(written, testkit.Canary), written)
		var read monitoring.Check
		require.NoError(t, json.Unmarshal([]byte(written), &read))
		require.JSONEq(t, "["+written+"]", kit.ToJSON(t, []*monitoring.Check{&read}))
		require.False(t, reflect.ValueOf(read).FieldByIndex(field.Index).IsNil(), "%s is read as its form", kind)
		for what, c := range map[string]any{"a literal": check, "a check that was read": &read, "a list of both": []any{&check, read}} {
			testkit.RequireHidden(t, what+" with the form "+field.Name, c)
		}
		read.API, read.Browser, read.Generic, read.Heartbeat, read.MultiStep, read.Playwright, read.Probe, read.TCP = nil, nil, nil, nil, nil, nil, nil, nil
		testkit.RequireHidden(t, "a check that has lost its form "+field.Name, read)
	}
}

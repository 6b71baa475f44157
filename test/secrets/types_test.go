package secrets_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
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
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// forms returns a value in each form in which a program may hold it. fmt calls no methods on what
// is in unexported fields.
func forms(v, pointer any) map[string]any {
	type unexported struct{ value, pointer, list, members any }
	hidden := unexported{v, pointer, []any{v}, map[string]any{"k": pointer}}
	return map[string]any{"a value": v, "a pointer": pointer, "what contains it": []any{v, &hidden, map[int]any{2: pointer}, struct{ unexported }{hidden}}}
}

// TestEveryExportedWireTypeIsChecked compares kit.WireTypes with the API listing: the types that
// have JSON tags, or methods for JSON.
func TestEveryExportedWireTypeIsChecked(t *testing.T) {
	listing, _, _ := strings.Cut(kit.File(t, "testdata/api.txt"), "package monitoringtest")
	listed := make(map[string]bool)
	for _, m := range regexp.MustCompile(`(?m)^func \(\w+ \*?(\w+)\) \w*arshalJSON|^type (\w+)(?:\n+\t|.)*json:"`).FindAllStringSubmatch(listing, -1) {
		listed[m[1]+m[2]] = true
	}
	// The config of a channel is on the wire as a SecretJSON.
	for _, notOnTheWire := range []string{"APIError", "DecodeError", "PageError", "Response", "WebhookConfig", "PagerDutyConfig", "OpsgenieConfig"} {
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
			form := v.Type() == reflect.TypeFor[monitoring.Check]() && f.Name == "Other" // that of the planted CheckType
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

func TestNoServiceOfAClientShowsASecret(t *testing.T) {
	testkit.SkipUnderRace(t)
	client := kit.Client(t, testkit.Status(200, "{}"), monitoring.WithHeader("X-Token", testkit.Canary), monitoring.WithAccount(kit.UUID1))
	services := reflect.ValueOf(client).Elem()
	for i := range services.NumField() {
		if f := services.Type().Field(i); f.IsExported() {
			service := services.Field(i)
			for form, v := range forms(service.Elem().Interface(), service.Interface()) {
				testkit.RequireHidden(t, form+" of client."+f.Name, v)
			}
		}
	}
	for form, v := range forms(*client, client) {
		testkit.RequireHidden(t, form+" of the client", v)
	}
}

// readAs reads JSON as a value.
func readAs[T any](t *testing.T, text string) (v T) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return v
}

func TestTheAddressesOfAlertChannelsAreSecrets(t *testing.T) {
	const channels = `"alertChannels":{"email":[{"address":"a@b.test"}],"sms":[{"number":"+49115","name":"on call"}],
		"slack":[{"url":"https://hooks.test/` + testkit.Canary + `"}],"webhook":[{"url":"https://hooks.test/` + testkit.Canary + `","name":"n","method":"POST"}]}`
	check := readAs[monitoring.Check](t, `{"id":"c","name":"n","checkType":"API","request":{"method":"GET","url":"https://a.test"},`+channels+`}`)
	for form, v := range forms(check, &check) {
		testkit.RequireHidden(t, form, v)
	}
	require.Equal(t, "https://hooks.test/"+testkit.Canary, check.AlertChannels.Slack[0].URL.Reveal())
	require.Equal(t, "https://hooks.test/"+testkit.Canary, check.AlertChannels.Webhook[0].URL.Reveal())
	require.Contains(t, fmt.Sprintf("%+v", *check.AlertChannels), "a@b.test", "who is alerted is no secret")
	require.Contains(t, fmt.Sprintf("%+v", *check.AlertChannels), "+49115")
	require.Equal(t, 2, strings.Count(kit.ToJSON(t, check), testkit.Canary), "a snapshot has them")
}

// The body that an API check sends is a text, because a check in a file must be whole. TCP checks
// have the same under the name data.
func TestTheBodyOfACheckIsWrittenAsJSONButNeitherPrintedNorLogged(t *testing.T) {
	const body = `user=u&password=` + testkit.Canary
	read := readAs[monitoring.Check](t, `{"id":"c","name":"n","checkType":"API","request":{"method":"POST","url":"https://a.test","body":"`+body+`"}}`)
	create := &monitoring.Check{Name: "n", API: &monitoring.APIRequest{Method: "POST", URL: "https://a.test", Body: new(body)}}
	for _, v := range []any{read, &read, read.API, *create, create, create.API} {
		for how, text := range testkit.Rendered(v) {
			if strings.HasPrefix(how, "%") || how == "slog text" || how == "an error" || how == "text/template" {
				require.False(t, testkit.ShowsCanary(text), "%T with %s: %.200s", v, how, text)
			}
		}
		data, err := json.Marshal(v)
		require.NoError(t, err)
		require.Contains(t, string(data), testkit.Canary, "%T", v)
	}

	var log bytes.Buffer
	said := `{"statusCode":400,"error":"Bad Request","message":"not ` + body + `"}`
	before := kit.ToJSON(t, read)
	after := strings.Replace(before, testkit.Canary, testkit.Canary+"&new=1", 1)
	client := kit.Client(t, testkit.InTurn(testkit.Status(200, before), testkit.Status(200, after), testkit.Status(400, said), testkit.Status(400, said)),
		monitoring.WithWireLog(&log), monitoring.WithMaxRetries(0))
	require.NoError(t, kit.Second(client.Checks.Edit(t.Context(), "c", func(u *monitoring.Check) error {
		u.API.Body = new(body + "&new=1")
		return nil
	})))
	require.Error(t, kit.Second(client.Checks.Create(t.Context(), create)))
	connects := &monitoring.Check{Name: "n", TCP: &monitoring.TCPRequest{Hostname: "a.test", Port: 25, Data: monitoring.Value(body)}}
	require.Error(t, kit.Second(client.Checks.Create(t.Context(), connects)))
	require.Contains(t, log.String(), `< {"id":"c","name":"n","checkType":"API","request":{"method":"POST","url":"https://a.test","body":"[redacted]"}}`)
	require.Contains(t, log.String(), `> {"name":"n","request":{"method":"POST","url":"https://a.test","body":"[redacted]"}}`)
	require.Contains(t, log.String(), `"data":"[redacted]"`)
	require.Contains(t, log.String(), `"message":"not [redacted]"`)
	require.False(t, testkit.ShowsCanary(log.String()), log.String())
}

func TestWhatBelongsToAnotherKindOfCheckIsHiddenAsDeepAsThereAndNothingIsLost(t *testing.T) {
	const variables, request, heartbeat = `[{"key":"K","value":"` + testkit.Canary + `"}]`, `{"url":"https://` + testkit.Canary + `"}`, `{"period":1,"pingUrl":"` + testkit.Canary + `"}`
	for _, kind := range []string{"API", "BROWSER", "MULTI_STEP", "PLAYWRIGHT", "HEARTBEAT", "TCP", "DNS", "ICMP", "SSL", "URL", "GRPC", "AGENTIC", "NEW"} {
		text := `{"id":"c","name":"n","checkType":"` + kind + `","environmentVariables":` + variables + `,"newer":{"a":[1,"x"]},"Other":7.0,"maxPacketLossThreshold":5`
		switch kind {
		case "API", "DNS", "ICMP", "SSL", "TCP", "URL": // the address of their own request is no secret
			text += `,"heartbeat":` + heartbeat + `}`
		case "HEARTBEAT":
			text += `,"request":` + request + `}`
		default:
			text += `,"request":` + request + `,"heartbeat":` + heartbeat + `}`
		}
		check := readAs[monitoring.Check](t, text)
		testkit.RequireHidden(t, kind, check)
		data, err := json.Marshal(check)
		require.NoError(t, err)
		require.Contains(t, string(data), `"newer":{"a":[1,"x"]},"Other":7.0,"maxPacketLossThreshold":5`, kind)
		require.Contains(t, string(data), `"environmentVariables":[{"key":"K","value":null}]`, kind)
		require.Len(t, kit.ParseJSON(t, string(data)), len(kit.ParseJSON(t, text).(map[string]any)), "%s: no member is dropped", kind)
		require.JSONEq(t, text, kit.ToJSON(t, check), "a snapshot is whole")
		require.Contains(t, string(check.Extra.Reveal()), `"newer":{"a":[1,"x"]}`, kind)
	}
	odd := readAs[monitoring.Check](t, `{"id":"c","checkType":"BROWSER","requeſt":"`+testkit.Canary+`","heartbeat":7,"environmentVariables":[]}`)
	data, err := json.Marshal(odd)
	require.NoError(t, err)
	require.Contains(t, string(data), `"requeſt":null,"heartbeat":null`, "what cannot be read as there is hidden as a whole")
}

func TestExtraHasTheMembersOfACheckThatHaveNoField(t *testing.T) {
	const rest = `,"id":"c","NAME":"n","newer":{"a":1}`
	for text, want := range map[string]string{
		`{"checkType":"API","request":{},"browsers":["x"]` + rest + `}`: `{"browsers":["x"],"newer":{"a":1}}`,
		`{"browsers":["x"],"maxPacketLossThreshold":5` + rest + `}`:     `{"browsers":["x"],"newer":{"a":1}}`,
		`{"checkType":"PLAYWRIGHT","browsers":["x"]` + rest + `}`:       `{"newer":{"a":1}}`,
	} {
		check := readAs[monitoring.Check](t, text)
		require.JSONEq(t, want, string(check.Extra.Reveal()))
		written := kit.ToJSON(t, check)
		check.Extra = monitoring.NewSecretJSON(json.RawMessage(`{"other":1}`))
		require.Equal(t, written, kit.ToJSON(t, check), "it is a copy")
	}
	require.True(t, readAs[monitoring.Check](t, `{"id":"c","checkType":"TCP","request":{}}`).Extra.IsZero())
	require.JSONEq(t, `{"newer":1}`, string(readAs[monitoring.Check](t, `{"id":"c","checkType":"API","request":{},"newer":1}`).Extra.Reveal()))
	other := readAs[monitoring.Check](t, `{"id":"c","checkType":"GRPC","request":{"url":"x"},"newer":1}`)
	require.JSONEq(t, `{"newer":1}`, string(other.Extra.Reveal()), "the request of a kind without a field is in Other")
	require.JSONEq(t, `{"url":"x"}`, string(other.Other.Reveal()))
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

// TestEveryTypeIsWrittenAndReadBackAndSaysWhichSecretsAreWithheld sends a value of each type as a
// body. The service quotes the body in its error, so a secret that the client does not know of
// would be shown.
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
		if reads, ok := second.Interface().(json.Unmarshaler); ok && !slices.Contains([]string{"ResultAssertion", "ResultError", "SecretJSON"}, typ.Name()) {
			require.Error(t, reads.UnmarshalJSON([]byte(`{"`)), typ.Name()) // those keep any bytes
		}

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
		switch typ {
		case reflect.TypeFor[monitoring.Heartbeat]():
			withheld -= 2 // without a token the service makes one, and the address
		case reflect.TypeFor[monitoring.PrivateLocation]():
			withheld-- // null for its proxy is read as absent
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
			require.Contains(t, violation.Message, "the service", typ.Name())
		}
	}
}

func TestEveryKindOfCheckHidesItsSecretsAndWritesThem(t *testing.T) {
	kinds := map[string]monitoring.CheckType{"Other": monitoring.CheckTypeGRPC}
	for _, kind := range schema.CheckTypes() {
		check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"` + kind + `"}`)
		for field, value := range reflect.ValueOf(check).Elem().Fields() {
			if field.Tag.Get("json") == "-" && value.Kind() == reflect.Pointer && !value.IsNil() {
				kinds[field.Name] = monitoring.CheckType(kind)
			}
		}
	}
	for field := range reflect.TypeFor[monitoring.Check]().Fields() {
		if field.Tag.Get("json") != "-" || !field.IsExported() || field.Name == "Extra" {
			continue
		}
		kind, known := kinds[field.Name]
		require.True(t, known, "no kind of check has the field %s", field.Name)
		var p planter
		check := monitoring.Check{CheckType: kind}
		p.plant(t, reflect.ValueOf(&check).Elem().FieldByIndex(field.Index))
		if !slices.Contains([]string{"DNS", "ICMP", "SSL", "TCP", "URL"}, field.Name) { // which have no secrets
			require.NotZero(t, p.canaries, "%s: add it to the list above if it has no secrets", field.Name)
		}
		written := kit.ToJSON(t, check)
		require.Equal(t, p.canaries, strings.Count(written, testkit.Canary), written)
		var read monitoring.Check
		require.NoError(t, json.Unmarshal([]byte(written), &read))
		require.JSONEq(t, "["+written+"]", kit.ToJSON(t, []*monitoring.Check{&read}))
		require.False(t, reflect.ValueOf(read).FieldByIndex(field.Index).IsZero(), "%s is read into its field", kind)
		for what, c := range map[string]any{"a literal": check, "a check that was read": &read, "a list of both": []any{&check, read}} {
			testkit.RequireHidden(t, what+" with the field "+field.Name, c)
		}
		check.ID, check.Name = "c", "n"
		requireNotLogged(t, &check)
		for _, change := range slices.Concat(check.Diff(), check.DiffFrom(nil), check.DiffFrom(&read), read.DiffFrom(&check)) {
			require.NotContains(t, change.String()+change.WithValues()+fmt.Sprintf("%+v %#v", change, change), testkit.Canary, field.Name)
		}
		reflect.ValueOf(&read).Elem().FieldByIndex(field.Index).SetZero()
		testkit.RequireHidden(t, "a check that has lost its field "+field.Name, read)
	}
}

// requireNotLogged reads, creates and changes a check, and looks at all that a client logs.
func requireNotLogged(t *testing.T, check *monitoring.Check) {
	t.Helper()
	var wire, log bytes.Buffer
	has := kit.ToJSON(t, check)
	client := kit.Client(t, testkit.Status(200, has), monitoring.WithWireLog(&wire), monitoring.WithoutValidation(),
		monitoring.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	read, err := client.Checks.Get(t.Context(), "c")
	require.NoError(t, err)
	require.False(t, read.Other.IsZero() && read.CheckType == monitoring.CheckTypeGRPC)
	read.Name = "new"
	require.Error(t, kit.Second(client.Checks.Update(t.Context(), read)), "the answer has the old name")
	if check.CheckType != monitoring.CheckTypeGRPC && check.Playwright == nil {
		require.NoError(t, kit.Second(client.Checks.Create(t.Context(), check.Template())))
		require.Contains(t, wire.String(), "> POST", "%s", check)
	}
	require.Contains(t, wire.String(), `"name":"n"`, "%s: names are shown", check)
	require.NotContains(t, wire.String()+log.String(), testkit.Canary, "%s", check)
}

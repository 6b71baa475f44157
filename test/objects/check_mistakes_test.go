package objects_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// What a type for each kind and operation would not compile is refused before anything is sent.
func TestAMistakeInACheckOfOnesOwnIsRefusedByItsPath(t *testing.T) {
	tcp := &monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432}
	for name, c := range map[string]struct {
		check   monitoring.Check
		creates bool
		rules   []string
	}{
		"two kinds": {monitoring.Check{Name: "n", TCP: tcp, URL: &monitoring.URLRequest{URL: "https://shop.test"}}, true,
			[]string{"check: has both TCP and URL: set only one"}},
		"two kinds in an update": {monitoring.Check{ID: kit.UUID1, TCP: tcp, API: &monitoring.APIRequest{}}, false,
			[]string{"check: has both API and TCP: set only one"}},
		"a checkType beside another kind": {monitoring.Check{Name: "n", CheckType: monitoring.CheckTypeAPI, TCP: tcp}, true,
			[]string{"checkType: is API, but TCP is set"}},
		"a checkType beside another kind in an update": {monitoring.Check{ID: kit.UUID1, CheckType: "WEATHER", TCP: tcp}, false,
			[]string{"checkType: is WEATHER, but TCP is set"}},
		"no kind": {monitoring.Check{Name: "n"}, true, []string{"checkType: is missing: set the field of a kind, such as API"}},
		"no kind in an update": {monitoring.Check{ID: kit.UUID1, Muted: new(true)}, false,
			[]string{"checkType: is missing: set it, or the field of the kind"}},
		"a kind without its field": {monitoring.Check{Name: "n", CheckType: monitoring.CheckTypeTCP}, true, []string{"request: is required: set TCP"}},
		"a kind that cannot be created": {monitoring.Check{Name: "n", CheckType: monitoring.CheckTypeGRPC}, true,
			[]string{"checkType: Create has no operation for GRPC checks: use Do if your service has one"}},
		"a kind in lower case": {monitoring.Check{Name: "n", CheckType: "tcp"}, true, []string{"checkType: is tcp: write TCP"}},
		"a kind with a dash in an update": {monitoring.Check{ID: kit.UUID1, CheckType: "Multi-Step", Muted: new(true)}, false,
			[]string{"checkType: is Multi-Step: write MULTI_STEP"}},
		"an id":             {monitoring.Check{ID: kit.UUID1, Name: "n", TCP: tcp}, true, []string{"id: is set by the service: create a Template to make a copy"}},
		"no id":             {monitoring.Check{CheckType: monitoring.CheckTypeTCP, Muted: new(true)}, false, []string{"id: is required in an update"}},
		"no id and no kind": {monitoring.Check{}, false, []string{"checkType: is missing: set it, or the field of the kind", "id: is required in an update"}},
		"a setting of other kinds": {monitoring.Check{Name: "n", TCP: tcp, SetupSnippetID: monitoring.Value(int64(1))}, true,
			[]string{"setupSnippetId: is not a setting of a TCP check"}},
		"a DNS check that nobody has read": {monitoring.Check{ID: kit.UUID1, CheckType: monitoring.CheckTypeDNS, DNS: &monitoring.DNSRequest{}, Muted: new(true)}, false,
			[]string{"DNS check: was not read by the client, and an update resets the fields that it omits: use Edit"}},
		"a heartbeat without its token": {monitoring.Check{ID: kit.UUID1, Heartbeat: &monitoring.Heartbeat{Period: 1, PeriodUnit: "days", Grace: new(0.0), GraceUnit: "hours"}}, false,
			[]string{"heartbeat.pingToken: has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with NewSecret, or omit the list or object"}},
		"a subscription without a channel": {monitoring.Check{Name: "n", TCP: tcp, AlertChannelSubscriptions: []monitoring.AlertChannelSubscription{{Activated: true}}}, true,
			[]string{"alertChannelSubscriptions[0].alertChannelId: 0 is below 1"}},
		"the alerts of all channels alone": {monitoring.Check{ID: kit.UUID1, CheckType: monitoring.CheckTypeTCP, AutoAssignAlerts: new(true)}, false,
			[]string{"autoAssignAlerts: cannot be the only change: change another field as well"}},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := kit.Recorded(t, 200, `{}`)
			call := client.Checks.Update
			if c.creates {
				call = client.Checks.Create
			}
			if c.creates == (c.check.ID == "") { // a check with an id can only be updated
				require.Equal(t, c.rules, kit.BrokenRules(t, c.check.Validate()))
			}
			require.Equal(t, c.rules, kit.BrokenRules(t, kit.Second(call(t.Context(), &c.check))))
			require.Empty(t, sent.Sent)
		})
	}
	require.NoError(t, (&monitoring.Check{ID: kit.UUID1, CheckType: monitoring.CheckTypeTCP, AutoAssignAlerts: new(true), Muted: new(true)}).Validate())
	client, _ := kit.Recorded(t, 200, `{}`)
	require.EqualError(t, kit.Second(client.Checks.Create(t.Context(), &monitoring.Check{})),
		"monitoring: create a check: invalid request, not sent: checkType: is missing: set the field of a kind, such as API")
	require.ErrorContains(t, kit.Second(client.Checks.Update(t.Context(), &monitoring.Check{})), "monitoring: update a check: invalid request, not sent: ")
	require.ErrorContains(t, kit.Second(client.Checks.Create(t.Context(), &monitoring.Check{CheckType: "ECHO"})), "monitoring: create an ECHO check: invalid request, not sent: ")
}

// wireField is a field of a check, or of the script of one, for a member of its JSON.
type wireField struct {
	name string
	at   func(*monitoring.Check) reflect.Value
}

// wireFields are those that stand beside the request of a check.
func wireFields() (list []wireField) {
	for _, f := range jsontype.Fields(reflect.TypeFor[monitoring.Check]()) {
		list = append(list, wireField{f.Name, func(c *monitoring.Check) reflect.Value { return reflect.ValueOf(c).Elem().FieldByIndex(f.Index) }})
	}
	for _, f := range jsontype.Fields(reflect.TypeFor[monitoring.CheckScript]()) {
		list = append(list, wireField{f.Name, func(c *monitoring.Check) reflect.Value {
			script := c.Browser
			if script == nil {
				script = c.MultiStep
			}
			if script == nil {
				return reflect.Value{}
			}
			return reflect.ValueOf(script).Elem().FieldByIndex(f.Index)
		}})
	}
	return list
}

// sample returns JSON of a type.
func sample(t reflect.Type) string {
	if kit.IsNullable(t) {
		t = kit.NullableOf(t)
	}
	switch {
	case t == reflect.TypeFor[monitoring.Timestamp]():
		return `"2026-06-01T00:00:00.000Z"`
	case t == reflect.TypeFor[monitoring.EnvironmentVariable]():
		return `{"key":"K","value":"v"}`
	case t == reflect.TypeFor[json.RawMessage]():
		return `{"a":1}`
	case t.Kind() == reflect.Pointer:
		return sample(t.Elem())
	case t.Kind() == reflect.Slice:
		return "[" + sample(t.Elem()) + "]"
	case t.Kind() == reflect.Struct:
		return "{}"
	case t.Kind() == reflect.Bool:
		return "true"
	case t.Kind() == reflect.String:
		return `"s"`
	}
	return "1"
}

// Those that only the service makes, and those that say what is written.
var (
	readOnly = []string{"created_at", "updated_at", "alertChannels", "project", "logicalId", "member", "pending", "projectBindings",
		"setupScriptDependencies", "tearDownScriptDependencies"}
	identity = []string{"id", "checkType"}
)

// ofAnyKind calls f with a check of each kind as a client returns it, and with its operations.
func ofAnyKind(t *testing.T, f func(t *testing.T, read func(members string) *monitoring.Check, creates, updates *schema.Operation, what string)) {
	whats := map[string]string{"API": "an API check", "BROWSER": "a browser check", "DNS": "a DNS check", "HEARTBEAT": "a heartbeat", "ICMP": "an ICMP check",
		"MULTI_STEP": "a multi-step check", "PLAYWRIGHT": "a Playwright check", "SSL": "an SSL check", "TCP": "a TCP check", "URL": "a URL check",
		"GRPC": "a GRPC check", "AGENTIC": "an AGENTIC check", "TRACEROUTE": "a TRACEROUTE check"}
	for _, kind := range schema.CheckTypes() {
		t.Run(kind, func(t *testing.T) {
			require.Contains(t, whats, kind, "add what errors call it")
			var path string
			var creates *schema.Operation
			if creatable(kind) {
				path = "/" + strings.ToLower(strings.ReplaceAll(kind, "_", ""))
				creates = schema.Lookup("POST /v1/checks" + path)
			}
			f(t, func(members string) *monitoring.Check {
				return kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"` + kind + `","name":"n"` + members + `}`)
			}, creates, schema.Lookup("PUT /v1/checks"+path+"/{id}"), whats[kind])
		})
	}
}

// updated returns what an update of a check sends without the rules, and the rules that it breaks
// nevertheless.
func updated(t *testing.T, check *monitoring.Check) (body []byte, rules []string) {
	client, sent := kit.Recorded(t, 400, `{}`)
	err := kit.Second(client.Checks.Update(t.Context(), check, monitoring.WithoutValidation()))
	if len(sent.Sent) == 0 {
		if err != nil {
			rules = kit.BrokenRules(t, err)
		}
		return nil, rules
	}
	return []byte(sent.Sent[0].Body), nil
}

// Each field is a setting of the kinds whose bodies have it, and of no other kind.
func TestAFieldIsASettingOfTheKindsWhoseBodiesHaveIt(t *testing.T) {
	set := 0
	ofAnyKind(t, func(t *testing.T, read func(string) *monitoring.Check, creates, updates *schema.Operation, what string) {
		has := func(o *schema.Operation, name string) bool {
			m := o.Body.Member(name)
			return m != nil && !m.Node.TakesNothing()
		}
		for _, f := range wireFields() {
			check := read("")
			field := f.at(check)
			if slices.Contains(append(identity, readOnly...), f.name) || f.name == "autoAssignAlerts" || !field.IsValid() {
				continue
			}
			require.NoError(t, json.Unmarshal([]byte(sample(field.Type())), field.Addr().Interface()))
			foreign := []string{f.name + ": is not a setting of " + what}
			own := &monitoring.Check{ID: kit.UUID1, CheckType: check.CheckType, Browser: check.Browser, MultiStep: check.MultiStep}
			if f.at(own).Set(field); f.name != "name" && check.DNS == nil {
				body, rules := updated(t, own)
				require.Equal(t, has(updates, f.name), body != nil, "a literal with %s: %v", f.name, rules)
				require.Equal(t, !has(updates, f.name), reflect.DeepEqual(foreign, rules), "%v", rules)
			}
			body, rules := updated(t, check)
			require.Equal(t, has(updates, f.name), rawjson.Get(body, f.name) != nil, "%s, which was changed: %v", f.name, rules)
			require.Equal(t, !has(updates, f.name), reflect.DeepEqual(foreign, rules), "%v", rules)
			if creates != nil {
				client, sent := kit.Recorded(t, 400, `{}`)
				own.ID = ""
				err := kit.Second(client.Checks.Create(t.Context(), own, monitoring.WithoutValidation()))
				require.Equal(t, has(creates, f.name), len(sent.Sent) == 1, "a create with %s: %v", f.name, err)
				if len(sent.Sent) == 0 {
					require.Equal(t, foreign, kit.BrokenRules(t, err))
				} else {
					require.NotNil(t, rawjson.Get([]byte(sent.Sent[0].Body), f.name))
				}
			}
			set++
		}
	})
	require.Greater(t, set, 390)
}

func TestWhatOnlyTheServiceMakesOfACheckCanOnlyBeRead(t *testing.T) {
	ofAnyKind(t, func(t *testing.T, read func(string) *monitoring.Check, creates, _ *schema.Operation, what string) {
		for _, f := range wireFields() {
			if !slices.Contains(readOnly, f.name) {
				continue
			}
			check := read("")
			require.NoError(t, json.Unmarshal([]byte(sample(f.at(check).Type())), f.at(check).Addr().Interface()))
			_, rules := updated(t, check)
			require.Equal(t, []string{f.name + ": can only be read"}, rules)
			copied := check.Clone()
			removed := read(`,"` + f.name + `":` + sample(f.at(check).Type()))
			f.at(removed).SetZero()
			_, rules = updated(t, removed)
			require.Equal(t, []string{f.name + ": can only be read"}, rules, "it was removed")

			own := &monitoring.Check{ID: kit.UUID1, CheckType: check.CheckType}
			f.at(own).Set(f.at(copied))
			_, rules = updated(t, own)
			require.Contains(t, rules, f.name+": can only be read")
			require.Regexp(t, "is a stored copy, which the client did not read: use Edit|DNS check: was not read by the client", strings.Join(rules, "\n"))
			if creates != nil {
				client, sent := kit.Recorded(t, 400, `{}`)
				own.ID = ""
				err := kit.Second(client.Checks.Create(t.Context(), own, monitoring.WithoutValidation()))
				require.Contains(t, strings.Join(kit.BrokenRules(t, err), "\n"), f.name+": can only be read")
				require.Contains(t, strings.Join(kit.BrokenRules(t, err), "\n"), ": is a stored copy: create a Template")
				require.Empty(t, sent.Sent)
			}
		}
	})
}

// What was set, and is not any more, is null where the service takes that, and empty for a list.
func TestWhatWasUnsetInACheckIsNullOrEmptyOrRefused(t *testing.T) {
	tried := make(map[string]int)
	ofAnyKind(t, func(t *testing.T, read func(string) *monitoring.Check, _, updates *schema.Operation, _ string) {
		for _, m := range updates.Body.Members {
			if m.Node.TakesNothing() || m.Name == "checkType" {
				continue
			}
			for _, f := range wireFields() {
				if f.name != m.Name || !f.at(read("")).IsValid() {
					continue
				}
				field := f.at(read(""))
				check := read(`,"` + f.name + `":` + sample(field.Type()))
				f.at(check).SetZero()
				body, rules := updated(t, check)
				switch {
				case field.Kind() == reflect.Slice:
					require.Equal(t, "[]", string(rawjson.Get(body, f.name)), "%s: %v", f.name, rules)
					tried["list"]++
				case m.Node.Nullable():
					require.Equal(t, "null", string(rawjson.Get(body, f.name)), "%s: %v", f.name, rules)
					tried["null"]++
				default:
					require.Equal(t, 1, len(rules), rules)
					require.Contains(t, rules[0], f.name+": cannot be unset, because the service does not accept null: set ")
					tried["refused"]++
				}
			}
		}
	})
	require.Len(t, tried, 3, "%v", tried)
}

func TestNothingIsUnsetWhereNothingWas(t *testing.T) {
	const read = `{"id":"` + kit.UUID1 + `","checkType":"TCP","name":"n","tags":[ ],"projectBindings":null,"setupSnippetId":null,"request":{"hostname":"db.shop.test","port":5432}}`
	check := kit.Returned[monitoring.Check](read)
	require.NotNil(t, check.Tags)
	require.True(t, check.SetupSnippetID.IsNull(), "which is no setting of a TCP check")
	check.Tags, check.ProjectBindings, check.SetupSnippetID = nil, nil, monitoring.Nullable[int64]{}
	require.Empty(t, check.Diff())
	client, sent := kit.Recorded(t, 200, read)
	require.NoError(t, kit.Second(client.Checks.Update(t.Context(), check)))
	require.Empty(t, sent.Sent)
}

func TestWhatIsRequiredAndWasUnsetIsRefusedOnce(t *testing.T) {
	snippet := kit.Returned[monitoring.Snippet](`{"id":5,"name":"n","script":"s"}`)
	snippet.Name = ""
	require.Equal(t, []string{"name: is required"}, kit.BrokenRules(t, snippet.Validate()))
}

func TestACheckWithAnIDIsValidatedAsAnUpdate(t *testing.T) {
	require.NoError(t, (&monitoring.Check{ID: kit.UUID1, CheckType: monitoring.CheckTypeAPI, Muted: new(true)}).Validate())
	require.NoError(t, (&monitoring.MaintenanceWindow{ID: 7, Name: "w"}).Validate())
	require.NoError(t, (&monitoring.EnvironmentVariable{Key: "K", Value: monitoring.NewSecret("v")}).Validate(), "a create has the key, too")
}

func TestTheFieldOfTheKindSaysTheCheckTypeOfACheckThatWasRead(t *testing.T) {
	const read = `{"id":"` + kit.UUID1 + `","checkType":"TCP","name":"n","request":{"hostname":"db.shop.test","port":5432}}`
	check := kit.Returned[monitoring.Check](read)
	check.CheckType = ""
	client, sent := kit.Recorded(t, 200, read)
	require.NoError(t, kit.Second(client.Checks.Update(t.Context(), check)))
	require.Empty(t, sent.Sent, "nothing has changed")
	check.Name = "new"
	_ = kit.Second(client.Checks.Update(t.Context(), check))
	require.Equal(t, `{"name":"new"}`, sent.Sent[0].Body)
	require.NoError(t, check.SetFrom(&monitoring.Check{TCP: &monitoring.TCPRequest{Port: 1}}))
	require.Equal(t, 1, check.TCP.Port)

	own := &monitoring.Check{Name: "n", TCP: &monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432}}
	require.NoError(t, own.Validate())
	require.Empty(t, own.CheckType, "what the caller has set stays")
}

func TestTheKindOfACheckCannotBeChangedInAnEdit(t *testing.T) {
	const check = `{"id":"` + kit.UUID1 + `","checkType":"TCP","name":"n","request":{"hostname":"db.shop.test","port":5432}}`
	other := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"URL","name":"n","request":{"url":"https://shop.test"}}`)
	another := kit.Returned[monitoring.Check](strings.Replace(check, kit.UUID1, kit.UUID2, 1))
	const changed = "checkType: cannot be changed: create a Template instead"
	for name, c := range map[string]struct {
		edit  func(*monitoring.Check)
		rules []string
	}{
		"two fields":              {func(c *monitoring.Check) { c.URL = other.URL }, []string{"check: has both TCP and URL: set only one"}},
		"another field":           {func(c *monitoring.Check) { c.TCP, c.URL = nil, other.URL }, []string{"checkType: is TCP, but URL is set"}},
		"another kind":            {func(c *monitoring.Check) { c.CheckType = monitoring.CheckTypeURL }, []string{"checkType: is URL, but TCP is set"}},
		"another kind and field":  {func(c *monitoring.Check) { c.CheckType, c.TCP, c.URL = "URL", nil, other.URL }, []string{changed}},
		"a kind without a field":  {func(c *monitoring.Check) { c.CheckType, c.TCP = "GRPC", nil }, []string{changed}},
		"no field":                {func(c *monitoring.Check) { c.TCP = nil }, []string{"request: cannot be unset, because the service does not accept null: set a value, or leave the field as it was read"}},
		"a check of another kind": {func(c *monitoring.Check) { *c = *other }, []string{changed}},
		"another check":           {func(c *monitoring.Check) { *c = *another }, []string{"id: cannot be changed: create a Template to make a copy, or use SetFrom to change another TCP check"}},
		"another id":              {func(c *monitoring.Check) { c.ID = kit.UUID2 }, []string{"id: cannot be changed: create a Template to make a copy, or use SetFrom to change another TCP check"}},
		"no id":                   {func(c *monitoring.Check) { c.ID = "" }, []string{"id: cannot be changed: create a Template to make a copy, or use SetFrom to change another TCP check"}},
	} {
		t.Run(name, func(t *testing.T) {
			client, sent := kit.Recorded(t, 200, check)
			var says error
			_, err := client.Checks.Edit(t.Context(), kit.UUID1, func(c2 *monitoring.Check) error {
				c.edit(c2)
				says = c2.Validate()
				return nil
			})
			require.Equal(t, c.rules, kit.BrokenRules(t, err))
			if !strings.HasPrefix(name, "a check of another") && name != "another check" { // whose Validate is its own
				require.Equal(t, err.Error(), fmt.Sprint(says), "Validate says the same")
			}
			require.Len(t, sent.Sent, 1)
		})
	}
	client, sent := kit.Recorded(t, 200, check)
	require.Panics(t, func() {
		client.Checks.Edit(t.Context(), kit.UUID1, func(c *monitoring.Check) error { c.URL.Method = "GET"; return nil })
	}, "the field of another kind is nil")
	require.NoError(t, kit.Second(client.Checks.Edit(t.Context(), kit.UUID1, func(*monitoring.Check) error { return nil })), "the turn was given back")
	require.Len(t, sent.Sent, 2)
	require.ErrorContains(t, kit.Returned[monitoring.Check](check).SetFrom(other), "set from: a TCP check cannot take the settings of a URL check")
}

// What only a kind without a field has can be read. Nobody knows what its update does with a part.
func TestTheRequestOfAKindWithoutAFieldIsNeverSent(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"id":"`+kit.UUID1+`","checkType":"GRPC","name":"n","request":{"url":"grpc.test"}}`)
	_, err := client.Checks.Edit(t.Context(), kit.UUID1, func(c *monitoring.Check) error {
		c.Other = monitoring.NewSecretJSON([]byte(`{"url":"new.test"}`))
		return nil
	})
	require.Equal(t, []string{"request: can only be read"}, kit.BrokenRules(t, err))
	wish := &monitoring.Check{CheckType: monitoring.CheckTypeGRPC, Name: "m", Other: monitoring.NewSecretJSON([]byte(`{"url":"new.test"}`))}
	_, err = client.Checks.Edit(t.Context(), kit.UUID1, func(c *monitoring.Check) error { return c.SetFrom(wish) })
	require.NoError(t, err)
	require.Equal(t, []string{`{"name":"m"}`}, writes(sent))
}

func TestTheKindOfACheckCannotBeChangedInAnUpdate(t *testing.T) {
	for name, c := range map[string]struct {
		read string
		edit func(*monitoring.Check)
	}{
		"another kind and field": {`,"checkType":"TCP","request":{"hostname":"db.shop.test","port":5432}`, func(c *monitoring.Check) {
			c.CheckType, c.TCP, c.URL = "URL", nil, &monitoring.URLRequest{URL: "https://shop.test"}
		}},
		"a kind for what came without one": {"", func(c *monitoring.Check) { c.TCP = &monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432} }},
	} {
		t.Run(name, func(t *testing.T) {
			check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","name":"n"` + c.read + `}`)
			require.NoError(t, check.Validate())
			c.edit(check)
			rules := []string{"checkType: cannot be changed: create a Template instead"}
			require.Equal(t, rules, kit.BrokenRules(t, check.Validate()))
			require.Empty(t, check.Diff(), "an update changes nothing")
			client, sent := kit.Recorded(t, 200, `{}`)
			require.Equal(t, rules, kit.BrokenRules(t, kit.Second(client.Checks.Update(t.Context(), check, monitoring.WithoutValidation()))))
			require.Empty(t, sent.Sent)
		})
	}
}

func TestWhatOnlyACreateSetsCannotBeClearedInAnUpdate(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"id":"`+kit.UUID1+`","name":"n","slugName":"office"}`)
	_, err := client.PrivateLocations.Edit(t.Context(), kit.UUID1, func(l *monitoring.PrivateLocation) error {
		l.SlugName = ""
		return nil
	})
	require.Equal(t, []string{"slugName: cannot be changed: create a Template instead"}, kit.BrokenRules(t, err))
	own := &monitoring.PrivateLocation{ID: kit.UUID1, Name: "n", SlugName: "office", Icon: new("location"), ProxyURL: monitoring.Null[monitoring.Secret]()}
	require.Equal(t, []string{"slugName: cannot be changed: omit it"}, kit.BrokenRules(t, own.Validate()))
	require.Empty(t, writes(sent))
}

func TestACheckOfNoKindIsNoWish(t *testing.T) {
	wish := &monitoring.Check{Name: "m", Other: monitoring.NewSecretJSON([]byte(`{"url":"https://shop.test"}`))}
	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"URL","name":"n","request":{"url":"https://shop.test"}}`)
	require.Equal(t, monitoring.CheckTypeURL, check.Template().CheckType)
	require.EqualError(t, check.SetFrom(wish), "monitoring: set from: checkType is required beside request")
	require.Empty(t, check.Diff())
	wish.ID = kit.UUID1
	require.Equal(t, &monitoring.Check{Name: "m", Other: wish.Other, AutoAssignAlerts: new(false)}, wish.Template(), "which needs no kind")
}

// Other is the request of a kind without a field. No body has it, and no other kind reads it.
func TestOtherOfAKindWithAFieldIsRefused(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{}`)
	other := monitoring.NewSecretJSON([]byte(`{"url":"https://shop.test","method":"GET"}`))
	read := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"API","name":"n","request":{"url":"https://a.test"}}`)
	read.Other = other
	want := []string{"check: has Other, which is for kinds without a field: use API"}
	require.Equal(t, want, kit.BrokenRules(t, read.Validate()))
	require.Equal(t, want, kit.BrokenRules(t, kit.Second(client.Checks.Update(t.Context(), read))))
	own := &monitoring.Check{Name: "n", CheckType: monitoring.CheckTypeTCP, Other: other}
	require.Equal(t, []string{"check: has Other, which is for kinds without a field: use TCP"}, kit.BrokenRules(t, kit.Second(client.Checks.Create(t.Context(), own))))
	require.Empty(t, sent.Sent)
}

// SetFrom takes the request of one kind, so the others would be lost.
func TestACheckOfTwoKindsIsNoWish(t *testing.T) {
	const read = `{"id":"` + kit.UUID1 + `","checkType":"API","name":"n","request":{"url":"https://a.test"}}`
	api := &monitoring.APIRequest{URL: "https://b.test"}
	for want, wish := range map[string]*monitoring.Check{
		"check: has both API and TCP: set only one": {Name: "m", API: api, TCP: &monitoring.TCPRequest{Hostname: "h"}},
		"checkType: is TCP, but API is set":         {Name: "m", CheckType: monitoring.CheckTypeTCP, API: api},
	} {
		check := kit.Returned[monitoring.Check](read)
		require.EqualError(t, check.SetFrom(wish), "monitoring: set from: "+want)
		require.Empty(t, check.Diff())
	}
}

func TestOnlyAScriptHasVariables(t *testing.T) {
	check := &monitoring.Check{ID: kit.UUID1, Name: "n", TCP: &monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432}}
	require.EqualError(t, check.SetVariable(monitoring.NewEnvironmentVariable("K", "v")), `monitoring: set variable "K": a TCP check has no variables`)
	require.NoError(t, check.RemoveVariable("K"), "there is none")
	for _, check := range []*monitoring.Check{{Browser: new(monitoring.CheckScript)}, {MultiStep: new(monitoring.CheckScript)}} {
		require.NoError(t, check.SetVariable(monitoring.NewEnvironmentVariable("K", "v")))
		require.Len(t, cmp.Or(check.Browser, check.MultiStep).EnvironmentVariables, 1)
		require.NoError(t, check.RemoveVariable("K"))
		require.Empty(t, cmp.Or(check.Browser, check.MultiStep).EnvironmentVariables)
	}
}

// A request that the service has left out is not written, and one that was set then is.
func TestTheRequestThatACheckLacksIsWrittenIfItIsSet(t *testing.T) {
	for name, read := range map[string]func(string) *monitoring.Check{
		"of a client": kit.Returned[monitoring.Check],
		"of a file": func(data string) *monitoring.Check {
			check := new(monitoring.Check)
			require.NoError(t, json.Unmarshal([]byte(data), check))
			return check
		},
	} {
		check := read(`{"id":"` + kit.UUID1 + `","checkType":"TCP","name":"n"}`)
		require.JSONEq(t, `{"id":"`+kit.UUID1+`","checkType":"TCP","name":"n"}`, kit.ToJSON(t, check), name)
		check.TCP = &monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432}
		require.JSONEq(t, `{"id":"`+kit.UUID1+`","checkType":"TCP","name":"n","request":{"hostname":"db.shop.test","port":5432}}`, kit.ToJSON(t, check), name)
		own := &monitoring.Check{TCP: new(monitoring.TCPRequest)}
		require.JSONEq(t, `{"checkType":"TCP","request":{}}`, kit.ToJSON(t, own), "the field says the kind")
		for _, empty := range []string{`{"checkType":"API","request":{}}`, `{"checkType":"HEARTBEAT","heartbeat":{}}`} {
			require.JSONEq(t, empty, kit.ToJSON(t, read(empty)), "one that is empty is there")
		}
	}
}

func TestTheLineOfAnObject(t *testing.T) {
	tcp := &monitoring.TCPRequest{Hostname: "db.shop.test", Port: 5432}
	for want, object := range map[string]fmt.Stringer{
		`TCP check "Shop" (` + kit.UUID1 + `)`: monitoring.Check{ID: kit.UUID1, Name: "Shop", TCP: tcp},
		`TCP check "Shop", activated`:          monitoring.Check{Name: "Shop", TCP: tcp, Activated: new(true)},
		`TCP check, deactivated`:               monitoring.Check{TCP: tcp, Activated: new(false)},
		`variable "KEY"`:                       monitoring.EnvironmentVariable{Key: "KEY"},
		`SLACK alert channel (5)`:              monitoring.AlertChannel{ID: 5, Type: "SLACK"},
		`alert channel`:                        monitoring.AlertChannel{},
		`check "Shop"`:                         monitoring.Check{Name: "Shop"},
		`maintenance window "Move" (7)`:        monitoring.MaintenanceWindow{ID: 7, Name: "Move"},
		`check group "Shop" (7)`:               monitoring.CheckGroup{ID: 7, Name: "Shop"},
		`snippet "Sign in"`:                    monitoring.Snippet{Name: "Sign in"},
		`private location "Office" (l)`:        monitoring.PrivateLocation{ID: "l", Name: "Office"},
	} {
		require.Equal(t, want, object.String())
		require.Equal(t, fmt.Sprintf("%q", want), fmt.Sprintf("%q", object))
	}
	require.NotContains(t, fmt.Sprintf("%+v", monitoring.Check{TCP: tcp}), "redacted", "there is nothing to mask")
}

// JSON that no call would send has no form, and the line of the object is shown.
func TestAnObjectWithBrokenJSONIsNotWritten(t *testing.T) {
	for _, check := range []*monitoring.Check{
		{ID: kit.UUID1, CheckType: monitoring.CheckTypeTCP}, kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"TCP"}`),
	} {
		check.ProjectBindings = json.RawMessage("{")
		require.ErrorContains(t, kit.Second(monitoring.MarshalPlan(check)), "monitoring: marshal plan: json: error calling MarshalJSON")
		require.Equal(t, check.String(), fmt.Sprintf("%+v", check))
	}
	channel := kit.Returned[monitoring.AlertChannel](`{"id":5,"type":"SLACK","config":{"url":"u"}}`)
	channel.Config = monitoring.NewSecretJSON([]byte("{"))
	require.Nil(t, channel.Omitted())
	require.ErrorContains(t, channel.Validate(), "json: the text of a SecretJSON is not valid JSON")
	client, sent := kit.Recorded(t, 200, `{}`)
	require.ErrorContains(t, kit.Second(client.AlertChannels.Update(t.Context(), channel)), "json: the text of a SecretJSON is not valid JSON")
	require.Empty(t, sent.Sent)
	require.Empty(t, channel.DiffFrom(kit.Returned[monitoring.AlertChannel](`{"id":5,"type":"EMAIL","config":{"address":"a"}}`)))
	own := &monitoring.Check{CheckType: monitoring.CheckTypeTCP, ProjectBindings: json.RawMessage("{")}
	require.Nil(t, (&monitoring.Check{CheckType: monitoring.CheckTypeTCP, Name: "n"}).DiffFrom(own))
}

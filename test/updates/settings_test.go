package updates_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// oneCheck is a service with one check. put says what becomes of it by the body of an update.
type oneCheck struct {
	doc  map[string]any
	put  func(doc, body map[string]any)
	puts []string // their operations and bodies
	gets int
}

func (s *oneCheck) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodGet {
		s.gets++
		return testkit.Respond(200, nil, string(text(s.doc))), nil
	}
	data, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	s.puts = append(s.puts, req.Method+" "+strings.Replace(req.URL.Path, kit.UUID1, "{id}", 1)+" "+string(data))
	body, err := object(data)
	if err != nil {
		return nil, err
	}
	s.put(s.doc, body)
	s.doc["updated_at"] = "2026-12-24T00:00:00.000Z"
	return testkit.Respond(200, nil, string(text(s.doc))), nil
}

func patch(doc, body map[string]any) { maps.Copy(doc, body) }

// allKinds are the kinds of checks, one that is not known, and that of a check without a type.
var allKinds = append(knownKinds(), "WEATHER", "")

func knownKinds() (list []monitoring.CheckType) {
	for _, kind := range schema.CheckTypes() {
		list = append(list, monitoring.CheckType(kind))
	}
	return list
}

// updateOfKind returns the operation with which a setting of a check is changed.
func updateOfKind(name monitoring.CheckType) string {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.checkType == string(name) && name != "" })
	if i < 0 {
		return "PUT /v1/checks/{id}"
	}
	return kinds[i].operation
}

// checkOf returns a check of a kind as the service shows it, with settings that are no defaults, a
// member that the package does not know, and a withheld secret where the kind has variables.
func checkOf(t *testing.T, kind monitoring.CheckType) map[string]any {
	svc := monitoringtest.New()
	members := map[string]any{"description": "old", "shouldFail": true, "alertChannelSubscriptions": []monitoring.AlertChannelSubscription{{AlertChannelID: 8, Activated: true}}}
	svc.AddCheck(monitoringtest.Check{ID: kit.UUID1, Type: kind, Name: "Shop", Tags: []string{"a"}, Members: members})
	check, err := kit.Fake(t, svc).Checks.Get(t.Context(), kit.UUID1)
	require.NoError(t, err)
	data, err := monitoring.MarshalWithSecrets(check)
	require.NoError(t, err)
	doc, err := object(data)
	require.NoError(t, err)
	doc["future"] = map[string]any{"deep": json.Number("1.50")}
	if doc["checkType"] = string(kind); kind == "" {
		delete(doc, "checkType")
	}
	if doc["environmentVariables"] != nil {
		doc["environmentVariables"] = kit.ParseJSON(t, `[{"key":"TOKEN","value":null,"secret":true},{"key":"A","value":"s3cret-a"}]`)
	}
	return doc
}

var settingsChanges = map[string]struct {
	edit func(*monitoring.Check)
	body string
}{
	"mute":  {func(s *monitoring.Check) { s.Muted = new(true) }, `{"muted":true}`},
	"tag":   {func(s *monitoring.Check) { s.Tags = append(s.Tags, "b") }, `{"tags":["a","b"]}`},
	"group": {func(s *monitoring.Check) { s.GroupID = monitoring.Value[int64](7) }, `{"groupId":7}`},
	"name":  {func(s *monitoring.Check) { s.Name = "Store" }, `{"name":"Store"}`},
	"subscribe": {func(s *monitoring.Check) { s.Subscribe(9, true) },
		`{"alertChannelSubscriptions":[{"activated":true,"alertChannelId":8},{"alertChannelId":9,"activated":true}]}`},
	"unsubscribe": {func(s *monitoring.Check) { s.Subscribe(8, false) }, `{"alertChannelSubscriptions":[{"activated":false,"alertChannelId":8}]}`},
}

func TestASettingOfACheckOfAnyKindIsChangedAlone(t *testing.T) {
	for _, kind := range allKinds {
		for name, change := range settingsChanges {
			t.Run(string(kind)+" "+name, func(t *testing.T) {
				s := &oneCheck{doc: checkOf(t, kind), put: patch}
				want := copyOf(s.doc)
				maps.Copy(want, kit.ParseJSON(t, change.body).(map[string]any))
				edit := func(settings *monitoring.Check) error { change.edit(settings); return nil }
				check, err := kit.Client(t, s).Checks.Edit(t.Context(), kit.UUID1, edit)
				require.NoError(t, err)
				if body := change.body; kind == monitoring.CheckTypeDNS { // its update is no patch: the whole check is sent
					name, sent, _ := strings.Cut(s.puts[0], "{id} ")
					require.Equal(t, "PUT /v1/checks/dns/", name)
					require.JSONEq(t, string(text(wholeDNS(want))), sent)
				} else {
					require.Equal(t, []string{updateOfKind(kind) + " " + body}, s.puts)
				}
				require.Equal(t, 1, s.gets)
				want["updated_at"] = s.doc["updated_at"]
				require.JSONEq(t, string(text(want)), string(text(s.doc)))
				returned, err := monitoring.MarshalWithSecrets(check)
				require.NoError(t, err)
				require.JSONEq(t, string(text(want)), string(returned))

				s.doc["tags"] = check.Tags
				_, err = kit.Client(t, s).Checks.Edit(t.Context(), kit.UUID1, func(*monitoring.Check) error { return nil })
				require.NoError(t, err)
				require.Len(t, s.puts, 1, "nothing was changed, so nothing is sent")
			})
		}
	}
}

// wholeDNS returns the members of a DNS check that its update has.
func wholeDNS(doc map[string]any) map[string]any {
	whole := copyOf(doc)
	maps.DeleteFunc(whole, func(name string, _ any) bool {
		return name == "checkType" || schema.Lookup("PUT /v1/checks/dns/{id}").Body.Member(name) == nil
	})
	return whole
}

// A service may replace a DNS check by its update, or keep what is left out.
func TestNothingOfADNSCheckIsLostOrReset(t *testing.T) {
	replace := func(doc, body map[string]any) {
		for name := range wholeDNS(doc) {
			delete(doc, name)
		}
		maps.Copy(doc, body)
	}
	for model, put := range map[string]func(doc, body map[string]any){"it keeps": patch, "it replaces": replace} {
		for name, change := range settingsChanges {
			t.Run(model+" "+name, func(t *testing.T) {
				for by, edit := range map[string]func(*monitoring.Client) error{
					"Edit": func(c *monitoring.Client) error {
						return kit.Second(c.Checks.Edit(t.Context(), kit.UUID1, func(s *monitoring.Check) error { change.edit(s); return nil }))
					},
					"Update": func(c *monitoring.Client) error {
						check, err := c.Checks.Get(t.Context(), kit.UUID1)
						require.NoError(t, err)
						change.edit(check)
						return kit.Second(c.Checks.Update(t.Context(), check))
					},
				} {
					s := &oneCheck{doc: checkOf(t, monitoring.CheckTypeDNS), put: put}
					s.doc["alertSettings"] = nil
					want := copyOf(s.doc)
					maps.Copy(want, kit.ParseJSON(t, change.body).(map[string]any))
					require.NoError(t, edit(kit.Client(t, s)), by)
					want["updated_at"] = s.doc["updated_at"]
					require.JSONEq(t, string(text(want)), string(text(s.doc)), by)
					require.Len(t, s.puts, 1, by)
				}
			})
		}
	}
}

// A service that replaces resets what is left out to its defaults.
func TestAServiceThatReplacesACheckIsNoSuccess(t *testing.T) {
	for _, kind := range allKinds {
		if kind == monitoring.CheckTypeDNS {
			continue // it is sent whole
		}
		for name, change := range settingsChanges {
			t.Run(string(kind)+" "+name, func(t *testing.T) {
				s := &oneCheck{doc: checkOf(t, kind), put: func(doc, body map[string]any) {
					doc["description"], doc["tags"] = nil, []any{}
					if doc["environmentVariables"] != nil {
						doc["environmentVariables"] = []any{}
					}
					maps.Copy(doc, body)
				}}
				edit := func(settings *monitoring.Check) error { change.edit(settings); return nil }
				check, err := kit.Client(t, s).Checks.Edit(t.Context(), kit.UUID1, edit)
				if slices.Contains([]monitoring.CheckType{monitoring.CheckTypeBrowser, monitoring.CheckTypeMultiStep, monitoring.CheckTypePlaywright}, kind) { // their variables are withheld, so they are left out
					reset := kit.ErrAs[*monitoring.WithheldResetError](t, err)
					require.Equal(t, []string{"environmentVariables"}, reset.Reset)
					require.Same(t, check, reset.Object)
					return
				}
				failed := kit.ErrAs[*monitoring.UpdateIgnoredError](t, err)
				require.Same(t, check, failed.Object)
				require.Contains(t, linesOf(failed.Changes), `description: "old" -> null`)
				require.ErrorContains(t, err, "its response shows a change that was not sent (description")
				require.ErrorContains(t, err, strings.Replace(updateOfKind(kind), "{id}", kit.UUID1, 1))
				require.Equal(t, kit.UUID1, check.ID)
				require.NotContains(t, err.Error(), "s3cret")
				require.Equal(t, name != "tag", strings.Contains(err.Error(), "tags"), err)
				require.True(t, monitoring.SafeToRetry(err))
			})
		}
	}
}

// Nobody states that the deprecated update keeps what it leaves out. Of other updates another
// program may have changed the rest since the check was read.
func TestOnlyTheAnswerToTheDeprecatedUpdateIsHeldToWhatWasNotSent(t *testing.T) {
	for kind, want := range map[string]string{"GRPC": "its response shows a change that was not sent (name)", "TCP": ""} {
		check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"` + kind + `","name":"n","muted":false}`)
		check.Muted = new(true)
		client, _ := kit.Recorded(t, 200, `{"id":"`+kit.UUID1+`","checkType":"`+kind+`","name":"m","muted":true}`)
		_, err := client.Checks.Update(t.Context(), check)
		if want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
	}
}

// The response to an update may show more of what was not sent than the read did, and another form
// of nothing. That resets nothing.
func TestAnAnswerThatShowsMoreThanTheReadIsASuccess(t *testing.T) {
	for name, c := range map[string]struct {
		answer func(doc map[string]any)
		error  string
	}{
		"more in an object": {func(doc map[string]any) {
			request := doc["request"].(map[string]any)
			request["url"], request["body"], request["assertions"] = request["hostname"], nil, []any{}
			doc["alertSettings"].(map[string]any)["sslCertificates"] = map[string]any{"enabled": false}
		}, ""},
		"null for an empty list":      {func(doc map[string]any) { doc["locations"], doc["privateLocations"] = nil, []any{} }, ""},
		"something for null":          {func(doc map[string]any) { doc["retryStrategy"] = map[string]any{"type": "LINEAR"} }, "retryStrategy"},
		"another value in an object":  {func(doc map[string]any) { doc["request"].(map[string]any)["port"] = 80 }, "request.port"},
		"null for a value":            {func(doc map[string]any) { doc["alertSettings"] = nil }, "alertSettings"},
		"one item less in a list":     {func(doc map[string]any) { doc["tags"] = []any{"a"} }, "tags"},
		"one item more in a list":     {func(doc map[string]any) { doc["tags"] = []any{"a", "b", "c"} }, "tags"},
		"an empty object for a value": {func(doc map[string]any) { doc["request"] = map[string]any{} }, "request.hostname"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := checkOf(t, monitoring.CheckTypeTCP)
			doc["locations"], doc["privateLocations"], doc["retryStrategy"], doc["tags"] = []any{}, nil, nil, []any{"a", "b"}
			doc["alertSettings"] = map[string]any{"escalationType": "RUN_BASED"}
			s := &oneCheck{doc: doc, put: func(doc, body map[string]any) {
				patch(doc, body)
				c.answer(doc)
			}}
			err := kit.Second(kit.Client(t, s).Checks.Edit(t.Context(), kit.UUID1, func(k *monitoring.Check) error {
				k.Muted = new(true)
				return nil
			}))
			if c.error == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "shows a change that was not sent ("+c.error)
		})
	}
}

func TestAnAnswerThatDoesNotShowAChangeIsNoSuccess(t *testing.T) {
	mute := func(s *monitoring.Check) error {
		s.Muted, s.Description = new(true), monitoring.Null[string]()
		return nil
	}
	for name, c := range map[string]struct {
		put   func(doc, body map[string]any)
		error string
	}{
		"nothing is changed": {func(map[string]any, map[string]any) {}, `monitoring: PUT /v1/checks/heartbeat/` + kit.UUID1 + `: ` +
			`the service reported success, but its response still has the old value of description, muted`},
		"one of two": {func(doc, _ map[string]any) { doc["muted"] = true }, `still has the old value of description`},
		"one of two, and another one": {func(doc, _ map[string]any) { doc["muted"], doc["name"] = true, "x" },
			`still has the old value of description, and shows a change that was not sent (name)`},
		"a secret": {func(doc, body map[string]any) {
			patch(doc, body)
			doc["heartbeat"].(map[string]any)["pingToken"] = "s3cret-new"
		}, `shows a change that was not sent (heartbeat.pingToken)`},
		"what the service makes of it": {func(doc, _ map[string]any) { doc["muted"], doc["description"] = true, "" }, ""},
		"an answer that lacks most": {func(doc, body map[string]any) {
			maps.DeleteFunc(doc, func(n string, _ any) bool { return n != "id" })
		}, ""},
		"what only the service makes": {func(doc, body map[string]any) {
			patch(doc, body)
			doc["alertChannels"] = map[string]any{"email": []any{map[string]any{"address": "a@b.test"}}}
			doc["id"], doc["created_at"] = strings.ToUpper(kit.UUID1), "2026-07-14"
			doc["pending"], doc["project"] = true, map[string]any{"id": kit.UUID1}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := &oneCheck{doc: checkOf(t, monitoring.CheckTypeHeartbeat), put: c.put}
			err := kit.Second(kit.Client(t, s).Checks.Edit(t.Context(), kit.UUID1, mute))
			require.Len(t, s.puts, 1)
			if c.error == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.error)
		})
	}
}

func TestAnEditOfSettingsSaysWhyNothingWasSent(t *testing.T) {
	for name, c := range map[string]struct {
		kind  monitoring.CheckType
		edit  func(*monitoring.Check) error
		error string
	}{
		"retries of a heartbeat": {monitoring.CheckTypeHeartbeat, func(s *monitoring.Check) error {
			s.RetryStrategy = monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyLinear})
			return nil
		}, "monitoring: edit check " + kit.UUID1 + ": nothing was written: " +
			"retryStrategy: is not a setting of a heartbeat"},
		"private locations of a heartbeat": {monitoring.CheckTypeHeartbeat, func(s *monitoring.Check) error {
			s.PrivateLocations = []string{"office"}
			return nil
		}, "privateLocations: is not a setting of a heartbeat"},
		"a broken rule": {monitoring.CheckTypeDNS, func(s *monitoring.Check) error {
			s.Description = monitoring.Value(strings.Repeat("x", 511))
			return nil
		}, "monitoring: edit check " + kit.UUID1 + ": nothing was written: description: "},
		"what cannot be unset": {monitoring.CheckTypeTCP, func(s *monitoring.Check) error { s.Muted = nil; return nil },
			"monitoring: edit check " + kit.UUID1 + ": nothing was written: muted: cannot be unset"},
		"an error of the function": {monitoring.CheckTypeURL, func(*monitoring.Check) error { return io.ErrNoProgress },
			"monitoring: edit check " + kit.UUID1 + ": nothing was written: " + io.ErrNoProgress.Error()},
		"no function": {monitoring.CheckTypeURL, nil, "monitoring: edit check " + kit.UUID1 + ": nothing was written: the function is nil"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &oneCheck{doc: checkOf(t, c.kind), put: patch}
			err := kit.Second(kit.Client(t, s).Checks.Edit(t.Context(), kit.UUID1, c.edit))
			require.ErrorContains(t, err, c.error)
			require.Equal(t, 1, strings.Count(err.Error(), "monitoring:"), err)
			require.Empty(t, s.puts)
		})
	}
}

func TestTheFakeTakesAnEditOfSettingsOfAnyKind(t *testing.T) {
	svc := monitoringtest.New()
	client := kit.Fake(t, svc)
	group := svc.AddGroup(monitoring.CheckGroup{Name: "Shops"})
	channel := svc.AddAlertChannel(monitoringtest.AlertChannel{})
	for _, kind := range knownKinds() {
		id := svc.AddCheck(monitoringtest.Check{Type: kind})
		_, err := client.Checks.Edit(t.Context(), id, func(s *monitoring.Check) error {
			s.Name, s.Muted, s.Tags, s.GroupID = string(kind), new(true), append(s.Tags, "b"), monitoring.Value(group)
			s.AlertChannelSubscriptions = []monitoring.AlertChannelSubscription{{AlertChannelID: channel, Activated: false}}
			return nil
		})
		require.NoError(t, err, kind)
		check, err := client.Checks.Get(t.Context(), id) // the answer for a heartbeat lacks its group
		require.NoError(t, err)
		require.Equal(t, []any{string(kind), true, []string{"b"}, group, false},
			[]any{check.Name, *check.Muted, check.Tags, check.GroupID.Or(0), check.AlertChannelSubscriptions[0].Activated}, kind)
	}
}

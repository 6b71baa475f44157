package updates_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const apiToTake = `{"id":"` + kit.UUID1 + `","name":"Shop","checkType":"API","frequency":10,"muted":false,"tags":["b","a"],"groupId":7,"maxResponseTime":9000,"locations":null,
	"retryStrategy":{"type":"FIXED","maxRetries":3,"baseBackoffSeconds":30},
	"request":{"method":"GET","url":"https://shop.test/old","bodyType":"NONE","followRedirects":true,"id":"made-by-the-service",
		"headers":[{"key":"Accept","value":"text/html"},{"key":"X-Key","value":"s3cret-k","locked":true}],
		"assertions":[{"source":"STATUS_CODE","comparison":"EQUALS","target":"200"},{"regex":null}]}}`

// What a change becomes in an answer. The answer is what was read, with the changes of answer.
func TestAnUpdateIsAnErrorIfTheAnswerHasTheOldValue(t *testing.T) {
	type edit = func(u *monitoring.Check)
	url := func(u *monitoring.Check) { u.API.URL = "https://shop.test/new" }
	tag := func(u *monitoring.Check) { u.Tags = append(u.Tags, "c") }
	key := func(u *monitoring.Check) { u.API.Headers[1].Value = monitoring.NewSecret("s3cret-n") }
	with := func(path string, value any) func(doc map[string]any) {
		return func(doc map[string]any) {
			at := strings.Split(path, ".")
			for _, name := range at[:len(at)-1] {
				doc = doc[name].(map[string]any)
			}
			if doc[at[len(at)-1]] = value; value == nil {
				delete(doc, at[len(at)-1])
			}
		}
	}
	json := func(text string) any { return kit.ParseJSON(t, text) }
	for name, c := range map[string]struct {
		edit   edit
		answer func(doc map[string]any)
		want   string // the paths of the error; "" for none
	}{
		"two members that were ignored":   {func(u *monitoring.Check) { url(u); u.Frequency = new(5) }, nil, "frequency, request.url"},
		"one of two":                      {func(u *monitoring.Check) { url(u); u.Frequency = new(5) }, with("frequency", 5), "request.url"},
		"a third value":                   {url, with("request.url", "https://shop.test/new/"), ""},
		"it lacks the member":             {url, with("request.url", nil), ""},
		"an unknown part is lacking, too": {url, func(doc map[string]any) { delete(doc["request"].(map[string]any), "id") }, "request.url"},
		"it lacks the object":             {url, with("request", nil), ""},
		"null for an object":              {url, func(doc map[string]any) { doc["request"] = nil }, ""},
		"another spelling of the old one": {func(u *monitoring.Check) { u.Frequency = new(5) },
			with("frequency", 10.0), "frequency"},
		"null that was sent":                                     {func(u *monitoring.Check) { u.GroupID = monitoring.Null[int64]() }, nil, "groupId"},
		"null that was taken":                                    {func(u *monitoring.Check) { u.GroupID = monitoring.Null[int64]() }, func(doc map[string]any) { doc["groupId"] = nil }, ""},
		"a set that was sorted":                                  {tag, with("tags", json(`["a","b","c"]`)), ""},
		"a set that was ignored, and sorted":                     {tag, with("tags", json(`["a","b"]`)), "tags[2]"},
		"a set whose changed item was ignored, in another order": {func(u *monitoring.Check) { u.Tags[1] = "c" }, with("tags", json(`["a","b"]`)), "tags[1]"},
		"a set with another item":                                {tag, with("tags", json(`["a","b","C"]`)), ""},
		"an item that was not removed":                           {func(u *monitoring.Check) { u.Tags = append(u.Tags[:1], "c") }, with("tags", json(`["a","b","d"]`)), ""},
		"a list that was cleared, and is null":                   {func(u *monitoring.Check) { u.Tags = []string{} }, func(doc map[string]any) { doc["tags"] = nil }, ""},
		"a list that was not cleared":                            {func(u *monitoring.Check) { u.Tags = []string{} }, nil, "tags[0], tags[1]"},
		"an empty list in place of null, which stays null":       {func(u *monitoring.Check) { u.Locations = []monitoring.Region{} }, nil, ""},
		"a default that the answer lacks": {func(u *monitoring.Check) { u.API.BodyType = monitoring.APIBodyJSON },
			with("request.bodyType", nil), ""},
		"null in place of what was not there": {func(u *monitoring.Check) { u.Description = monitoring.Value("new") },
			func(doc map[string]any) { doc["description"] = nil }, "description"},
		"another order, of which the answer has a part": {func(u *monitoring.Check) { slices.Reverse(u.API.Headers) },
			with("request.headers", json(`[{"key":"Accept","value":"text/html"}]`)), ""},
		"one header of two": {func(u *monitoring.Check) {
			key(u)
			u.API.Headers[0].Value = monitoring.NewSecret("text/plain")
		},
			with("request.headers", json(`[{"key":"Accept","value":"text/html"},{"key":"X-Key","value":"s3cret-n","locked":true}]`)), "request.headers[0].value (Accept)"},
		"a header that was not added": {func(u *monitoring.Check) {
			u.API.Headers = append(u.API.Headers, monitoring.KeyValue{Key: "X-New", Value: monitoring.NewSecret("n")})
		}, nil, "request.headers[2]"},
		"a header that was not removed":                     {func(u *monitoring.Check) { u.API.Headers = u.API.Headers[:1] }, nil, "request.headers[1]"},
		"an assertion without a value that was not removed": {func(u *monitoring.Check) { u.API.Assertions = u.API.Assertions[:1] }, nil, "request.assertions[1]"},
		"another order that was ignored":                    {func(u *monitoring.Check) { slices.Reverse(u.API.Headers) }, nil, "request.headers"},
		"an assertion":                                      {func(u *monitoring.Check) { u.API.Assertions[0].Target = new("201") }, nil, "request.assertions[0].target"},
		"a secret that is shown as it was":                  {key, nil, "request.headers[1].value (X-Key)"},
		"a secret that is withheld": {key,
			with("request.headers", json(`[{"key":"Accept","value":"text/html"},{"key":"X-Key","value":null,"locked":true}]`)), ""},
		"a default that was sent for another value": {func(u *monitoring.Check) { u.API.FollowRedirects = new(false) }, nil, "request.followRedirects"},
		"a default in place of what was not there":  {func(u *monitoring.Check) { u.API.SkipSSL = new(true) }, with("request.skipSSL", false), "request.skipSSL"},
		"another type has other defaults": {func(u *monitoring.Check) {
			u.RetryStrategy = monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyLinear})
		}, with("retryStrategy", json(`{"type":"LINEAR","maxRetries":3,"baseBackoffSeconds":30}`)), ""},
		"a request that replaces the old one": {func(u *monitoring.Check) {
			u.API = &monitoring.APIRequest{Method: "GET", URL: "https://shop.test/new"}
		}, with("request", json(`{"method":"GET","url":"https://shop.test/new","id":"made-by-the-service","headers":[],"skipSSL":false}`)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			doc := kit.ParseJSON(t, apiToTake).(map[string]any)
			if c.answer != nil {
				c.answer(doc)
			}
			answered := testkit.InTurn(testkit.Status(200, apiToTake), testkit.Status(200, string(text(doc))))
			var lines []string
			check, edited := kit.Client(t, answered).Checks.Edit(t.Context(), kit.UUID1, func(u *monitoring.Check) error {
				c.edit(u)
				lines = linesOf(u.Diff())
				return nil
			})
			changed := kit.Returned[monitoring.Check](apiToTake)
			c.edit(changed)
			_, updated := kit.Client(t, testkit.Status(200, string(text(doc)))).Checks.Update(t.Context(), changed)
			applied := testkit.InTurn(testkit.Status(200, apiToTake), testkit.Status(200, string(text(doc))))
			for by, err := range map[string]error{"edit": edited, "update": updated,
				"apply": kit.Second(kit.Client(t, applied).Checks.Update(t.Context(), changed, monitoring.WithUnchanged()))} {
				if c.want == "" {
					require.NoError(t, err, by)
					continue
				}
				require.EqualError(t, err, "monitoring: PUT /v1/checks/api/"+kit.UUID1+": the service reported success, but its response still has "+
					"the old value of "+c.want+": read the object again to see what it has", by)
				failed := kit.ErrAs[*monitoring.UpdateIgnoredError](t, err)
				require.Equal(t, "PUT /v1/checks/api/{id}", failed.Operation)
				require.IsType(t, check, failed.Object)
				require.Subset(t, lines, linesOf(failed.Changes), by)
				require.True(t, monitoring.SafeToRetry(err))
			}
			require.Equal(t, "Shop", check.Name, "the object comes with the error")
		})
	}
}

// Who asks for all channels gets subscriptions, which an edit would otherwise report.
func TestTheChannelsThatWereAskedForAreNoChangeThatWasNotSent(t *testing.T) {
	doc := kit.ParseJSON(t, apiToTake).(map[string]any)
	doc["muted"], doc["alertChannelSubscriptions"] = true, kit.ParseJSON(t, `[{"alertChannelId":5,"activated":true}]`)
	read := strings.Replace(apiToTake, `"tags"`, `"alertChannelSubscriptions":[],"tags"`, 1)
	for asked, want := range map[*bool]bool{nil: false, new(true): true} {
		client := kit.Client(t, testkit.InTurn(testkit.Status(200, read), testkit.Status(200, string(text(doc)))))
		_, err := client.Checks.Edit(t.Context(), kit.UUID1, func(c *monitoring.Check) error {
			c.Muted, c.AutoAssignAlerts = new(true), asked
			return nil
		})
		require.Equal(t, want, err == nil, "%v", err)
	}
	const group = `{"id":7,"name":"n","muted":false,"updated_at":"2026-06-01T00:00:00.000Z"}` // nobody says what else a service changes in it
	client := kit.Client(t, testkit.InTurn(testkit.Status(200, group), testkit.Status(200, `{"id":7,"name":"m","muted":true,"updated_at":"2026-06-02T00:00:00.000Z"}`)))
	_, err := client.CheckGroups.Edit(t.Context(), 7, func(g *monitoring.CheckGroup) error {
		g.Muted, g.AutoAssignAlerts = new(true), new(true)
		return nil
	})
	require.NoError(t, err)
}

// A service that ignores an update answers with the old object, whatever kind it is of.
func TestAnUpdateOfAnyKindThatIsIgnoredIsAnErrorOfExactlyWhatItChanges(t *testing.T) {
	for seed := range uint64(testkit.Samples(15)) {
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { ofEachKind(t, seed, anIgnoredUpdateIsAnError) }) {
			return
		}
	}
}

func anIgnoredUpdateIsAnError(t *testing.T, d *documents, k kind, s *service) {
	read := s.view()
	ignores := testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return testkit.Respond(200, nil, string(read)), nil })
	var changes []monitoring.Change
	err := k.edit(t, kit.Client(t, ignores), kit.UUID1, func(u update) error {
		from := d.other().document(s.node)
		mix(d, u, updateOf(k.read(t, d.spell(from))), copyOf(s.doc), from, s.node)
		changes = u.Diff()
		return nil
	})
	if _, ok := err.(*monitoring.ValidationError); ok {
		return
	}
	must := slices.DeleteFunc(slices.Clone(changes), func(c monitoring.Change) bool {
		isMember := !strings.HasSuffix(c.Path, "]") // whose absence says nothing, also in the answer
		return isMember && (c.Before == "" || c.After == "") || c.Before+c.After == "null[]"
	})
	failed, ok := err.(*monitoring.UpdateIgnoredError)
	if !ok {
		require.NoError(t, err)
		require.Empty(t, linesOf(must), "%s", read)
		return
	}
	require.Subset(t, linesOf(changes), linesOf(failed.Changes), "%s", read)
	require.Subset(t, linesOf(failed.Changes), linesOf(must), "%s", read)
}

func TestWhatAnUpdateHasLostIsToldBeforeWhatItHasNotChanged(t *testing.T) {
	_, s, client := groupOf(t, withheldGroup)
	s.spell = func(doc any) []byte {
		if s.updates > 0 {
			object := doc.(map[string]any)
			object["environmentVariables"], object["concurrency"] = []any{}, 3
		}
		return text(doc)
	}
	_, err := client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error {
		u.Concurrency = new(5)
		return nil
	})
	require.Equal(t, []string{"environmentVariables"}, kit.ErrAs[*monitoring.WithheldResetError](t, err).Reset)
}

func TestObjectsThatAreNoChecksAreTakenOrNot(t *testing.T) {
	for name, c := range map[string]struct {
		read, want string
		update     func(*monitoring.Client) error
	}{
		"the config of a channel": {aChannel, "config", func(c *monitoring.Client) error {
			return kit.Second(c.AlertChannels.Edit(t.Context(), 5, func(u *monitoring.AlertChannel) error {
				return u.SetConfig("url", monitoring.NewSecret("https://new.shop.test"))
			}))
		}},
		"a part of the config of a channel that is withheld": {strings.Replace(aChannel, `"https://old.shop.test"`, "null", 1), "", func(c *monitoring.Client) error {
			return kit.Second(c.AlertChannels.Edit(t.Context(), 5, func(u *monitoring.AlertChannel) error {
				return u.SetConfig("url", monitoring.NewSecret("https://new.shop.test"))
			}))
		}},
		"a header of a channel that is withheld": {strings.Replace(aChannel, `"https://old.shop.test"`, `null,"headers":[{"key":"A","value":null}]`, 1), "", func(c *monitoring.Client) error {
			return kit.Second(c.AlertChannels.Edit(t.Context(), 5, func(u *monitoring.AlertChannel) error {
				return errors.Join(u.SetConfig("url", monitoring.NewSecret("https://new.shop.test")), u.SetConfig("headers", []monitoring.KeyValue{{Key: "A", Value: monitoring.NewSecret("a")}}))
			}))
		}},
		"a part of the config of a channel beside one that is withheld": {strings.Replace(aChannel, `"https://old.shop.test"`, "null", 1), "config", func(c *monitoring.Client) error {
			return kit.Second(c.AlertChannels.Edit(t.Context(), 5, func(u *monitoring.AlertChannel) error {
				return errors.Join(u.SetConfig("url", monitoring.NewSecret("https://new.shop.test")), u.SetConfig("name", "new"))
			}))
		}},
		"a new part of the config of a channel beside one that is withheld": {strings.Replace(aChannel, `"https://old.shop.test"`, "null", 1), "config", func(c *monitoring.Client) error {
			return kit.Second(c.AlertChannels.Edit(t.Context(), 5, func(u *monitoring.AlertChannel) error {
				return errors.Join(u.SetConfig("url", monitoring.NewSecret("https://new.shop.test")), u.SetConfig("template", "new"))
			}))
		}},
		"the subscriptions of a channel": {aChannel, "subscriptions[1].activated", func(c *monitoring.Client) error {
			return kit.Second(c.AlertChannels.Edit(t.Context(), 5, func(u *monitoring.AlertChannel) error {
				u.Subscriptions[1].Activated = true
				return nil
			}))
		}},
		"a snippet": {`{"id":5,"name":"n","script":"old()"}`, "script", func(c *monitoring.Client) error {
			return kit.Second(c.Snippets.Edit(t.Context(), 5, func(u *monitoring.Snippet) error { u.Script = "new()"; return nil }))
		}},
		"a private location": {officeWithProxy, "name", func(c *monitoring.Client) error {
			return kit.Second(c.PrivateLocations.Edit(t.Context(), kit.UUID1, func(u *monitoring.PrivateLocation) error { u.Name = "new"; return nil }))
		}},
		"a variable": {`{"key":"K","value":"s3cret-old","locked":true}`, "value, locked", func(c *monitoring.Client) error {
			variable, err := c.Variables.Get(t.Context(), "K")
			require.NoError(t, err)
			variable.Value, variable.Locked = monitoring.NewSecret("new"), new(false)
			return kit.Second(c.Variables.Update(t.Context(), variable))
		}},
		"a variable whose value is withheld": {`{"key":"K","value":null,"secret":true}`, "", func(c *monitoring.Client) error {
			variable, err := c.Variables.Get(t.Context(), "K")
			require.NoError(t, err)
			variable.Value = monitoring.NewSecret("new")
			return kit.Second(c.Variables.Update(t.Context(), variable))
		}},
		"an update that was not made from what was read": {`{"key":"K","value":"old","locked":true,"secret":false}`, "", func(c *monitoring.Client) error {
			return kit.Second(c.Variables.Update(t.Context(), &monitoring.EnvironmentVariable{Key: "K",
				Value: monitoring.NewSecret("new"), Locked: new(true), Secret: new(false)}))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.update(kit.Client(t, testkit.Status(200, c.read)))
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "still has the old value of "+c.want)
			require.NotContains(t, fmt.Sprintf("%v %+v", err, err), "s3cret")
		})
	}
}

// A newer service has a second name for the host and the data of a connection.
func TestTheSecondNamesOfAConnectionAreNotChanged(t *testing.T) {
	const check = `{"id":"` + kit.UUID1 + `","checkType":"TCP","name":"n","request":{"url":"a.test","hostname":"a.test","port":25,"body":"x","data":"x"}}`
	client := kit.Client(t, testkit.InTurn(testkit.Status(200, check), testkit.Status(200, strings.Replace(check, "25", "26", 1))))
	var lines []string
	_, err := client.Checks.Edit(t.Context(), kit.UUID1, func(u *monitoring.Check) error { u.TCP.Port = 26; return nil },
		monitoring.WithChanges(func(changes []monitoring.Change) { lines = linesOf(changes) }))
	require.NoError(t, err)
	require.Equal(t, []string{"request.port: 25 -> 26"}, lines)

	client = kit.Client(t, testkit.Status(200, check))
	_, err = client.Checks.Edit(t.Context(), kit.UUID1, func(u *monitoring.Check) error { u.TCP.Hostname = "b.test"; return nil })
	require.ErrorContains(t, err, "still has the old value of request.hostname")
}

// Of several edits each has its own error.
func TestOfManyEditsThoseThatWereIgnoredAreErrors(t *testing.T) {
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		id := req.URL.Path[strings.LastIndex(req.URL.Path, "/")+1:]
		name := "old"
		if req.Method == http.MethodPut && id != "5" {
			data, err := io.ReadAll(req.Body)
			if err != nil {
				return nil, err
			}
			name = kit.ParseJSON(t, string(data)).(map[string]any)["name"].(string)
		}
		return testkit.Respond(200, nil, fmt.Sprintf(`{"id":%s,"name":"%s","script":"s"}`, id, name)), nil
	}))
	for id := int64(4); id < 7; id++ {
		_, err := client.Snippets.Edit(t.Context(), id, func(u *monitoring.Snippet) error { u.Name = "new"; return nil })
		require.Equal(t, id == 5, err != nil, err)
		if err != nil {
			require.Equal(t, id, kit.ErrAs[*monitoring.UpdateIgnoredError](t, err).Object.(*monitoring.Snippet).ID)
		}
	}
}

// A check may subscribe to one channel twice.
func TestOfTwoSubscriptionsOfAChannelTheOneThatChangesIsNamed(t *testing.T) {
	type subscriptions = []monitoring.AlertChannelSubscription
	on, off := monitoring.AlertChannelSubscription{AlertChannelID: 1, Activated: true}, monitoring.AlertChannelSubscription{AlertChannelID: 1}
	const onText, offText = `{"alertChannelId":1,"activated":true}`, `{"alertChannelId":1,"activated":false}`
	for name, c := range map[string]struct {
		read string
		set  subscriptions
		line string
	}{
		"the second is removed": {onText + "," + offText, subscriptions{on}, "alertChannelSubscriptions[1]: removed " + offText},
		"the first is removed":  {onText + "," + offText, subscriptions{off}, "alertChannelSubscriptions[0]: removed " + onText},
		"the second: duplicate field, in place of the first": {
			onText + "," + offText, subscriptions{off, off}, "alertChannelSubscriptions[0]: removed " + onText},
		"a first one is added": {offText, subscriptions{on, off}, "alertChannelSubscriptions[0]: added " + onText},
	} {
		client := kit.Client(t, testkit.Status(200, `{"id":"`+kit.UUID1+`","checkType":"TCP","alertChannelSubscriptions":[`+c.read+`]}`))
		_, err := client.Checks.Edit(t.Context(), kit.UUID1, func(u *monitoring.Check) error {
			u.AlertChannelSubscriptions = c.set
			require.Equal(t, []string{c.line}, linesOf(u.Diff()), name)
			return nil
		}, monitoring.WithoutValidation())
		require.Equal(t, []string{c.line}, linesOf(kit.ErrAs[*monitoring.UpdateIgnoredError](t, err).Changes), name)
	}
}

package updates_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const aChannel = `{"id":5,"type":"WEBHOOK","config":{"name":"n","url":"https://old.shop.test","future":{"a":1}},
	"subscriptions":[{"id":71,"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","groupId":null,"activated":true},{"id":72,"checkId":null,"groupId":4711,"activated":false}],
	"sendRecovery":true,"sendFailure":false,"sendDegraded":true,"sslExpiry":true,"sslExpiryThreshold":14,"autoSubscribe":false,"created_at":"2026-06-01T08:00:00.000Z"}`

const settingsOfAChannel = `"sendFailure":false,"sendRecovery":true,"sendDegraded":%t,"sslExpiry":true,"sslExpiryThreshold":14,"autoSubscribe":false`

func TestAnEditOfAChannelSendsItWholeAndSubscriptionsOnlyIfChanged(t *testing.T) {
	whole := func(config string, degraded bool) string {
		return `{"type":"WEBHOOK","config":` + config + `,` + fmt.Sprintf(settingsOfAChannel, degraded)
	}
	const config = `{"name":"n","url":"https://old.shop.test","future":{"a":1}}`
	for name, test := range map[string]struct {
		edit func(*monitoring.AlertChannel) error
		want string // "" for no update
	}{
		"nothing": {func(*monitoring.AlertChannel) error { return nil }, ""},
		"another order of the subscriptions is no change": {func(c *monitoring.AlertChannel) error {
			c.Subscriptions[0], c.Subscriptions[1] = c.Subscriptions[1], c.Subscriptions[0]
			return nil
		}, ""},
		"a flag": {func(c *monitoring.AlertChannel) error {
			c.SendDegraded = new(false)
			return nil
		}, whole(config, false) + `}`},
		"a flag in its place": {func(c *monitoring.AlertChannel) error {
			*c.SendDegraded = false
			return nil
		}, whole(config, false) + `}`},
		"the address": {func(c *monitoring.AlertChannel) error {
			return c.SetConfig("url", monitoring.NewSecret("https://new.shop.test"))
		}, whole(`{"name":"n","url":"https://new.shop.test","future":{"a":1}}`, true) + `}`},
		"a subscription": {func(c *monitoring.AlertChannel) error {
			c.Subscriptions[1].Activated = true
			return nil
		}, whole(config, true) + `,"subscriptions":[{"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","activated":true},{"groupId":4711,"activated":true}]}`},
		"no subscriptions": {func(c *monitoring.AlertChannel) error {
			c.Subscriptions = nil
			return nil
		}, whole(config, true) + `,"subscriptions":[]}`},
	} {
		client, sent := kit.Recorded(t, 200, aChannel)
		_, err := client.AlertChannels.Edit(context.Background(), 5, test.edit)
		require.NoError(t, err, name)
		if test.want == "" {
			require.Len(t, sent.Sent, 1, name)
			continue
		}
		require.Len(t, sent.Sent, 2, name)
		require.Equal(t, "PUT", sent.Sent[1].Method)
		require.JSONEq(t, test.want, sent.Sent[1].Body, name)
	}
}

// Nobody states that the service keeps the subscriptions that an update of a channel leaves out.
func TestAServiceThatDropsTheSubscriptionsOfAChannelIsNoSuccess(t *testing.T) {
	none := regexp.MustCompile(`"subscriptions":\[[^\]]*\]`)
	for answer, want := range map[string][]string{
		none.ReplaceAllString(aChannel, `"subscriptions":[]`):            {"subscriptions"},
		none.ReplaceAllString(aChannel, `"subscriptions":null`):          {"subscriptions"},
		none.ReplaceAllString(aChannel, `"a":1`):                         nil, // it may show none
		strings.Replace(aChannel, `"groupId":4711`, `"groupId":4712`, 1): nil, // another program may have changed some
	} {
		answer = strings.Replace(answer, `"sslExpiryThreshold":14`, `"sslExpiryThreshold":15`, 1)
		client := kit.Client(t, testkit.InTurn(testkit.Status(200, aChannel), testkit.Status(200, answer)))
		channel, err := client.AlertChannels.Edit(t.Context(), 5, func(c *monitoring.AlertChannel) error {
			c.SSLExpiryThreshold = new(15)
			return nil
		})
		require.EqualValues(t, 5, channel.ID)
		if want == nil {
			require.NoError(t, err, answer)
			continue
		}
		require.Equal(t, want, kit.ErrAs[*monitoring.WithheldResetError](t, err).Reset)
		require.EqualError(t, err, "monitoring: PUT /v1/alert-channels/5: the update succeeded, but the service deleted what it omitted (subscriptions): "+
			"set it again", "a strict update leaves them out as well")
	}
}

func TestAnUpdateOfAChannelNeverOverwritesASecretThatMayBeWithheld(t *testing.T) {
	for config, want := range map[string]string{
		`null`:                "config: is required, and the service withholds its value",
		`{"url":null}`:        "config.url: has no value",
		`{"apiKey":null}`:     "config.apiKey: has no value",
		`{"serviceKey":null}`: "config.serviceKey: has no value",
		`{"headers":[{"key":"a","value":"x"},{"key":"b","value":null}]}`: "config.headers[1].value: has no value",
		`{"queryParameters":[{"key":"a","value":null}]}`:                 "config.queryParameters[0].value: has no value",
		`{"url":"u","webhookSecret":null}`:                               "",
	} {
		client, sent := kit.Recorded(t, 200, `{"id":5,"type":"WEBHOOK","config":`+config+`,"sendDegraded":false}`)
		_, err := client.AlertChannels.Edit(context.Background(), 5, func(c *monitoring.AlertChannel) error {
			c.SendDegraded = new(true)
			return nil
		})
		if want == "" {
			require.NoError(t, err)
			require.JSONEq(t, `{"type":"WEBHOOK","config":{"url":"u"},"sendDegraded":true}`, sent.Sent[1].Body)
			continue
		}
		require.ErrorContains(t, err, want)
		require.Len(t, sent.Sent, 1, "nothing was written")
	}
}

func TestAChannelThatWasNotReadMustBeWhole(t *testing.T) {
	client, sent := kit.Recorded(t, 200, aChannel)
	channel := monitoring.EmailChannel("a@shop.test")
	channel.ID = 5
	err := kit.Second(client.AlertChannels.Update(t.Context(), channel))
	rules := kit.BrokenRules(t, err)
	require.Len(t, rules, 6)
	_, err = client.AlertChannels.Update(t.Context(), &monitoring.AlertChannel{ID: 5}, monitoring.WithoutValidation())
	require.Subset(t, kit.BrokenRules(t, err), []string{
		"type: is missing, and an update would reset it: set it, or use Edit",
		"config: has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with NewSecretJSON",
	})
	require.Contains(t, rules, "sendDegraded: is missing, and an update would reset it: set it, or use Edit")
	yes := new(true)
	channel.SendFailure, channel.SendRecovery, channel.SendDegraded, channel.SSLExpiry, channel.AutoSubscribe, channel.SSLExpiryThreshold = yes, yes, yes, yes, yes, new(30)
	channel.Subscriptions = []monitoring.ChannelSubscription{{}}
	err = kit.Second(client.AlertChannels.Update(t.Context(), channel))
	require.ErrorContains(t, err, "subscriptions[0].checkId: is required unless there is a groupId")
	require.Empty(t, sent.Sent)
	channel.Subscriptions = nil
	require.NoError(t, kit.Second(client.AlertChannels.Update(t.Context(), channel)))
	require.JSONEq(t, `{"type":"EMAIL","config":{"address":"a@shop.test"},"sendFailure":true,"sendRecovery":true,"sendDegraded":true,"sslExpiry":true,"sslExpiryThreshold":30,"autoSubscribe":true}`,
		sent.Sent[0].Body)
}

func TestConfigsOfChannelsHaveTheirSecretsAndShowNothing(t *testing.T) {
	s := monitoring.NewSecret
	for want, channel := range map[[2]string]*monitoring.AlertChannel{
		{"EMAIL", `{"address":"a@shop.test"}`}:                       monitoring.EmailChannel("a@shop.test"),
		{"SLACK", `{"channel":"#ops","url":"u"}`}:                    monitoring.SlackChannel(s("u"), "#ops"),
		{"SLACK_APP", `{"slackChannels":["a","b"]}`}:                 monitoring.SlackAppChannel("a", "b"),
		{"SMS", `{"name":"n","number":"+1"}`}:                        monitoring.SMSChannel("n", "+1"),
		{"CALL", `{"name":"n","number":"+1"}`}:                       monitoring.CallChannel("n", "+1"),
		{"PAGERDUTY", `{"serviceKey":"K","serviceName":"Checkout"}`}: monitoring.PagerDutyChannel(monitoring.PagerDutyConfig{ServiceKey: s("K"), ServiceName: "Checkout"}),
		{"OPSGENIE", `{"name":"n","apiKey":"k","region":"EU","priority":"P1"}`}: monitoring.OpsgenieChannel(monitoring.OpsgenieConfig{
			Name: "n", APIKey: s("k"), Region: "EU", Priority: "P1"}),
		{"WEBHOOK", `{"name":"n","url":"u"}`}: monitoring.WebhookChannel(monitoring.WebhookConfig{Name: "n", URL: s("u")}),
		{"WEBHOOK", `{"name":"n","url":"u","template":"t","headers":[{"key":"h","value":"v"}],"webhookSecret":"w","webhookType":"WEBHOOK_DISCORD"}`}: monitoring.WebhookChannel(
			monitoring.WebhookConfig{Name: "n", URL: s("u"), Template: s("t"), WebhookSecret: s("w"), WebhookType: "WEBHOOK_DISCORD",
				Headers: []monitoring.KeyValue{{Key: "h", Value: s("v")}}}),
	} {
		require.Equal(t, "[redacted]", fmt.Sprint(channel.Config))
		require.Equal(t, want, [2]string{string(channel.Type), string(channel.Config.Reveal())})
		require.NoError(t, channel.SetConfig("url", s("https://hooks.shop.test/T0KEN")))
		require.NoError(t, channel.SetConfig("apiKey", s("T0KEN")))
		shown := map[string]string{"SLACK": ` "#ops"`, "PAGERDUTY": ` "Checkout"`, "SMS": ` "n"`, "CALL": ` "n"`, "OPSGENIE": ` "n"`, "WEBHOOK": ` "n"`}[want[0]]
		require.Equal(t, want[0]+" alert channel"+shown, fmt.Sprint(channel))
		require.JSONEq(t, `{"type":"`+want[0]+`","config":null}`, fmt.Sprintf("%+v", channel))
		require.NoError(t, channel.Validate())
	}
}

// Whoever takes a secret for a name must not find it in a log.
func TestTheLineOfAChannelShowsNoSecretInItsName(t *testing.T) {
	for config, want := range map[string]string{
		`{"name":"Pager of https://hooks.shop.test/T0KEN","url":"https://hooks.shop.test/T0KEN"}`: "",
		`{"name":"Pager T0KEN-123","url":"https://hooks.shop.test/?k=T0KEN-1234567"}`:             "",
		`{"name":"Pager of abc","webhookSecret":"abc"}`:                                           "",
		`{"name":"Pager","url":"https://hooks.shop.test/Pager"}`:                                  ` "Pager"`,
		`{"name":"Pager","template":""}`:                                                          ` "Pager"`,
		`{"name":"` + strings.Repeat("x", 201) + `"}`:                                             "",
		`{"name":"key","apiKey":"key"}`:                                                           "",
		`{"name":"key","name":"key2","apiKey":"key2"}`:                                            "",
		`{"name":{"a":"b"}}`:                                                                      "",
		`{"name":"n\u001b[2J","headers":[{"value":"v"}]}`:                                         ` "n [2J"`,
		`{`: "", `null`: "", `7`: "", `{"":"T0KEN"}`: "",
	} {
		channel := monitoring.AlertChannel{ID: 5, Type: monitoring.ChannelWebhook, Config: monitoring.NewSecretJSON([]byte(config))}
		require.Equal(t, "WEBHOOK alert channel"+want+" (5)", channel.String(), config)
		channel.Type = "TEAMS"
		require.Equal(t, "TEAMS alert channel (5)", channel.String(), "nobody knows what its config has")
	}
}

// Config is JSON, so that nothing of it is lost. Who knows the type can read it into a struct.
func TestAConfigIsReadIntoTheTypeThatMakesIt(t *testing.T) {
	channel := channelFrom(t, `{"id":5,"type":"WEBHOOK","config":{"name":"n","url":"u","method":"PUT","template":"t","future":1,
		"headers":[{"key":"h","value":"v","locked":true}],"queryParameters":[],"webhookSecret":null,"webhookType":"WEBHOOK_DISCORD"}}`)
	var hook monitoring.WebhookConfig
	require.NoError(t, json.Unmarshal(channel.Config.Reveal(), &hook))
	s := monitoring.NewSecret
	require.Equal(t, monitoring.WebhookConfig{Name: "n", URL: s("u"), Method: "PUT", Template: s("t"), WebhookType: "WEBHOOK_DISCORD",
		Headers: []monitoring.KeyValue{{Key: "h", Value: s("v"), Locked: new(true)}}, QueryParameters: []monitoring.KeyValue{}}, hook)

	duty := monitoring.PagerDutyConfig{ServiceKey: s("k"), Account: "shop", ServiceName: "Checkout"}
	var read monitoring.PagerDutyConfig
	require.NoError(t, json.Unmarshal(monitoring.PagerDutyChannel(duty).Config.Reveal(), &read))
	require.Equal(t, duty, read)
	genie := monitoring.OpsgenieConfig{Name: "n", APIKey: s("k"), Region: "EU", Priority: "P1"}
	var opened monitoring.OpsgenieConfig
	require.NoError(t, json.Unmarshal(monitoring.OpsgenieChannel(genie).Config.Reveal(), &opened))
	require.Equal(t, genie, opened)
	require.Equal(t, `{n [redacted] EU P1} {[redacted] shop Checkout} "[redacted] [redacted] [redacted]"`,
		fmt.Sprintf("%v %v %q", genie, duty, fmt.Sprint(hook.URL, hook.Template, hook.Headers[0].Value)))
}

func channelFrom(t *testing.T, text string) *monitoring.AlertChannel {
	channel, err := kit.Client(t, testkit.Status(200, text)).AlertChannels.Get(t.Context(), 5)
	require.NoError(t, err)
	return channel
}

func TestADiffOfAChannelShowsWhatChangesAndNoSecret(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(*monitoring.AlertChannel)
		want []string
	}{
		"nothing":                            {func(*monitoring.AlertChannel) {}, nil},
		"another order of the subscriptions": {func(c *monitoring.AlertChannel) { slices.Reverse(c.Subscriptions) }, nil},
		"the id of a subscription":           {func(c *monitoring.AlertChannel) { c.Subscriptions[0].ID = 0 }, nil},
		"a flag":                             {func(c *monitoring.AlertChannel) { c.SendDegraded = new(false) }, []string{"sendDegraded: true -> false"}},
		"the address": {func(c *monitoring.AlertChannel) {
			require.NoError(t, c.SetConfig("url", monitoring.NewSecret("https://s3cret.test")))
		}, []string{"config.url: a secret is changed"}},
		"a misspelled field": {func(c *monitoring.AlertChannel) {
			require.NoError(t, c.SetConfig("Url", monitoring.NewSecret("https://s3cret.test")))
		}, []string{"config.Url: added [redacted]"}},
		"another config": {func(c *monitoring.AlertChannel) { c.Config = monitoring.NewSecretJSON([]byte(`{"name":"s3cret"}`)) },
			[]string{"config.name: a secret is changed", "config.url: removed [redacted]", "config.future: removed [redacted]"}},
		"a subscription": {func(c *monitoring.AlertChannel) { c.Subscriptions[1].Activated = true },
			[]string{"subscriptions[1].activated: false -> true"}},
		"one more": {func(c *monitoring.AlertChannel) {
			c.Subscriptions = append(c.Subscriptions, monitoring.ChannelSubscription{GroupID: 4712, Activated: true})
		}, []string{`subscriptions[2]: added {"groupId":4712,"activated":true}`}},
		"none": {func(c *monitoring.AlertChannel) { c.Subscriptions = nil }, []string{
			`subscriptions[0]: removed {"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","activated":true}`,
			`subscriptions[1]: removed {"groupId":4711,"activated":false}`}},
	} {
		now, channel := channelFrom(t, aChannel), channelFrom(t, aChannel)
		ofFile := again(t, now, monitoring.MarshalWithSecrets)
		test.edit(channel)
		require.Equal(t, test.want, linesOf(channel.Diff()), name)
		require.Equal(t, test.want, linesOf(channel.DiffFrom(now)), name)
		require.Equal(t, test.want, linesOf(channel.DiffFrom(ofFile)), name)
		stored := again(t, channel, plan)
		require.Equal(t, test.want, linesOf(stored.Diff()), name)
		shown, err := json.Marshal(channel)
		require.NoError(t, err)
		require.NotContains(t, fmt.Sprintf("%v %+v %#v %v %s", channel, channel, channel, channel.Diff(), shown), ".test", "a part of the config")
	}
}

func TestAnUpdateOfAChannelNamesWhatItLeavesOut(t *testing.T) {
	channel := channelFrom(t, `{"id":5,"type":"WEBHOOK","config":null,"sendFailure":true,"limits":{"perHour":9}}`)
	require.Equal(t, []string{"config", "limits"}, channel.Omitted())
	channel.SendFailure = new(false)
	for name, options := range map[string][]monitoring.ClientOption{"with rules": nil, "without": {monitoring.WithoutValidation()}} {
		client := kit.Client(t, testkit.Status(200, aChannel), options...)
		err := kit.Second(client.AlertChannels.Update(t.Context(), channel))
		require.Equal(t, []string{"config: is required, and the service withholds its value: set it"}, kit.BrokenRules(t, err), name)
	}
	email := monitoring.EmailChannel("a@shop.test")
	channel.Type, channel.Config = email.Type, email.Config
	require.Equal(t, []string{"limits"}, channel.Omitted())
	require.Equal(t, []string{`type: "WEBHOOK" -> "EMAIL"`, "config: a withheld secret is set", "sendFailure: true -> false"}, linesOf(channel.Diff()))
	require.NoError(t, channel.Validate())
	complete := kit.Client(t, testkit.Status(200, aChannel), monitoring.WithStrictUpdates())
	err := kit.Second(complete.AlertChannels.Update(t.Context(), channel))
	require.ErrorContains(t, err, "limits: would be omitted, because this package does not know it")
}

func TestASignatureThatMayBeWithheldIsNeitherSentNorAChange(t *testing.T) {
	const text = `{"id":5,"type":"WEBHOOK","config":{"url":"u","webhookSecret":null},"sendFailure":true}`
	channel := channelFrom(t, text)
	require.Empty(t, channel.Diff())
	require.Empty(t, channel.DiffFrom(channelFrom(t, text)))
	channel.Config = monitoring.NewSecretJSON([]byte(`{"url":"u"}`))
	require.Empty(t, channel.Diff())
	require.NoError(t, channel.SetConfig("webhookSecret", monitoring.NewSecret("s")))
	require.Equal(t, []string{"config.webhookSecret: added [redacted]"}, linesOf(channel.Diff()))
	client, sent := kit.Recorded(t, 200, text)
	kit.ErrAs[*monitoring.UpdateIgnoredError](t, kit.Second(client.AlertChannels.Update(t.Context(), channel)))
	require.JSONEq(t, `{"type":"WEBHOOK","config":{"url":"u","webhookSecret":"s"},"sendFailure":true}`, sent.Sent[0].Body)
}

func TestAFieldThatCannotBeSetLeavesTheConfigAsItWas(t *testing.T) {
	channel := channelFrom(t, aChannel)
	before := channel.Config
	require.EqualError(t, channel.SetConfig("a..b", 1), `monitoring: set config: "a..b": want names separated by dots, such as "alertSettings.reminders"`)
	require.EqualError(t, channel.SetConfig("url.x", 1), "monitoring: set config: url.x: url is not an object: set it as a whole")
	require.EqualError(t, new(monitoring.AlertChannel).SetConfig("url", 1), "monitoring: set config: url: what it would be set in is not a JSON object")
	require.ErrorContains(t, channel.SetConfig("url", func() {}), "monitoring: set config: ")
	require.Equal(t, before, channel.Config)
	require.Empty(t, channel.Diff())
}

// The order of subscriptions means nothing.
func TestSubscriptionsInAnotherOrderAreNoChange(t *testing.T) {
	const read = `{"id":5,"type":"EMAIL","config":{"address":"a"},"subscriptions":[{"groupId":2,"activated":true},{"checkId":"` + kit.UUID2 + `","activated":true},` +
		`{"groupId":1,"activated":false},{"checkId":"` + kit.UUID1 + `","activated":false},{"groupId":1,"activated":true}]}`
	channel := channelFrom(t, read)
	slices.Reverse(channel.Subscriptions)
	before := slices.Clone(channel.Subscriptions)
	require.Empty(t, channel.Diff())
	require.Equal(t, before, channel.Subscriptions, "they are the caller's")
	channel.Subscriptions[0], channel.Subscriptions[3] = channel.Subscriptions[3], channel.Subscriptions[0]
	require.Empty(t, channel.Diff())
	channel.Subscriptions[0].Activated = false
	require.Len(t, channel.Diff(), 1)
}

func TestAPlanForAChannelIsAppliedUnlessItHasChangedSince(t *testing.T) {
	svc := monitoringtest.New()
	client := kit.Fake(t, svc)
	id := svc.AddAlertChannel(monitoringtest.AlertChannel{Config: map[string]any{"address": "old@shop.test"}})
	checks := []string{svc.AddCheck(monitoringtest.Check{}), svc.AddCheck(monitoringtest.Check{})}
	channel, err := client.AlertChannels.Get(t.Context(), id)
	require.NoError(t, err)
	read := channel.Clone()
	require.NoError(t, channel.SetConfig("address", "new@shop.test"))
	planned := again(t, channel, plan)
	applied, err := client.AlertChannels.Update(t.Context(), planned, monitoring.WithUnchanged())
	require.NoError(t, err)
	require.Equal(t, `{"address":"new@shop.test"}`, string(applied.Config.Reveal()))
	require.Equal(t, read.Subscriptions, applied.Subscriptions)
	require.Empty(t, planned.DiffFrom(applied))

	applied.SendDegraded = new(true)
	planned = again(t, applied, plan)
	require.NoError(t, kit.Second(client.AlertChannels.Subscribe(t.Context(), id, monitoring.ChannelSubscription{CheckID: checks[0]})))
	_, err = client.AlertChannels.Update(t.Context(), planned, monitoring.WithUnchanged())
	changed := kit.ErrAs[*monitoring.StaleUpdateError](t, err)
	require.Len(t, changed.Changes, 1)
	require.Contains(t, changed.Changes[0].String(), ".activated: true -> false")
	require.ErrorContains(t, err, fmt.Sprint("monitoring: update alert channel ", id))
}

// The subscriptions of now count, not those of the state that is restored.
func TestARestoredChannelHasTheSubscriptionsOfItsState(t *testing.T) {
	earlier := channelFrom(t, aChannel)
	stored, err := monitoring.MarshalWithSecrets(earlier)
	require.NoError(t, err)
	var ofFile monitoring.AlertChannel
	require.NoError(t, monitoring.UnmarshalStrict(stored, &ofFile))
	for name, test := range map[string]struct {
		now  string
		sent bool
	}{
		"other subscriptions are replaced": {`[{"id":9,"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e12","activated":true}]`, true},
		"the same, in another form, are not sent": {
			`[{"activated":false,"groupId":4711},{"id":"71","groupId":null,"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","activated":true}]`, false},
	} {
		for way, restore := range map[string]func(*monitoring.AlertChannel) error{
			"as it was":       func(c *monitoring.AlertChannel) error { *c = *earlier.Clone(); return nil },
			"set":             func(c *monitoring.AlertChannel) error { return c.SetFrom(earlier) },
			"set from a file": func(c *monitoring.AlertChannel) error { return c.SetFrom(&ofFile) },
		} {
			client, sent := kit.Recorded(t, 200, `{"id":5,"type":"EMAIL","config":{"address":"a"},"subscriptions":`+test.now+`}`)
			require.NoError(t, kit.Second(client.AlertChannels.Edit(t.Context(), 5, restore)), name+way)
			body := kit.ParseJSON(t, sent.Sent[1].Body).(map[string]any)
			_, has := body["subscriptions"]
			require.Equal(t, test.sent, has, "%s, %s", name, way)
			require.Equal(t, "WEBHOOK", body["type"], way)
			require.NotContains(t, sent.Sent[1].Body, `"id"`, way)
		}
	}
}

// A file that json.Marshal wrote has null for the config. It says nothing about that of the
// service, unless the channel becomes one of another type.
func TestAWithheldConfigOfAFileLeavesThatOfTheServiceUnlessTheTypeDiffers(t *testing.T) {
	for wish, want := range map[string]string{
		`{"type":"WEBHOOK","config":null,"sendDegraded":false}`:  `{"type":"WEBHOOK","config":{"name":"n","url":"https://old.shop.test","future":{"a":1}},` + fmt.Sprintf(settingsOfAChannel, false) + `}`,
		`{"config":null,"sendDegraded":false}`:                   `{"type":"WEBHOOK","config":{"name":"n","url":"https://old.shop.test","future":{"a":1}},` + fmt.Sprintf(settingsOfAChannel, false) + `}`,
		`{"type":"WEBHOOK","config":{"url":"https://new.test"}}`: `{"type":"WEBHOOK","config":{"url":"https://new.test"},` + fmt.Sprintf(settingsOfAChannel, true) + `}`,
		`{"type":"EMAIL","config":null}`:                         "",
	} {
		var c monitoring.AlertChannel
		require.NoError(t, json.Unmarshal([]byte(wish), &c))
		client, sent := kit.Recorded(t, 200, aChannel)
		_, err := client.AlertChannels.Edit(t.Context(), 5, func(now *monitoring.AlertChannel) error { return now.SetFrom(&c) })
		if want == "" {
			require.Contains(t, strings.Join(kit.BrokenRules(t, err), "\n"), "config: has no value")
			require.Len(t, sent.Sent, 1)
			continue
		}
		require.JSONEq(t, want, sent.Sent[1].Body, wish)
		require.Equal(t, string(rawjson.Get([]byte(wish), "config")), string(c.Config.Reveal()), "the wish is as it was")
	}
}

// The service refuses the ids of subscriptions that belong to another channel.
func TestATemplateOfAChannelHasItsSecretsAndNoID(t *testing.T) {
	made := channelFrom(t, aChannel).Template()
	require.Equal(t, []monitoring.ChannelSubscription{{CheckID: "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11", Activated: true}, {GroupID: 4711}}, made.Subscriptions)
	client, sent := kit.Recorded(t, 201, aChannel)
	require.NoError(t, kit.Second(client.AlertChannels.Create(t.Context(), made)))
	require.JSONEq(t, `{"type":"WEBHOOK","config":{"name":"n","url":"https://old.shop.test","future":{"a":1}},`+fmt.Sprintf(settingsOfAChannel, true)+
		`,"subscriptions":[{"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","activated":true},{"groupId":4711,"activated":false}]}`, sent.Sent[0].Body)
}

// A subscription of nothing that the service has is not sent, so it forbids no update.
func TestAnOddSubscriptionThatIsNotSentForbidsNothing(t *testing.T) {
	channel := channelFrom(t, `{"id":5,"type":"EMAIL","config":{"address":"a"},"subscriptions":[{"id":7,"activated":true}]}`)
	channel.SendDegraded = new(true)
	require.NoError(t, channel.Validate())
	channel.Subscriptions = append(channel.Subscriptions, monitoring.ChannelSubscription{GroupID: 1})
	require.ErrorContains(t, channel.Validate(), "subscriptions[0].checkId: is required unless there is a groupId")
}

func TestSubscribeSendsNoIDOfTheSubscription(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"id":"72","groupId":4711,"checkId":null,"activated":true}`)
	made, err := client.AlertChannels.Subscribe(t.Context(), 5, monitoring.ChannelSubscription{ID: 71, GroupID: 4711, Activated: true})
	require.NoError(t, err)
	require.JSONEq(t, `{"groupId":4711,"activated":true}`, sent.Sent[0].Body)
	require.Equal(t, &monitoring.ChannelSubscription{ID: 72, GroupID: 4711, Activated: true}, made)
}

func TestAChannelThatGetsAnotherTypeIsWrittenWithWhatItHas(t *testing.T) {
	channel := channelFrom(t, `{"id":5,"type":"WEBHOOK","config":{"url":"https://old.shop.test"},"sendFailure":false,"future":[1.0]}`)
	slack := monitoring.SlackChannel(monitoring.NewSecret("https://slack.test"), "#ops")
	channel.Type, channel.Config = slack.Type, slack.Config
	const whole = `{"id":5,"type":"SLACK","config":{"channel":"#ops","url":"https://slack.test"},"sendFailure":false,"future":[1.0]}`
	open, err := monitoring.MarshalWithSecrets(channel)
	require.NoError(t, err)
	require.Equal(t, whole, string(open))
	require.Equal(t, `{"id":5,"type":"SLACK","config":null,"sendFailure":false}`, fmt.Sprintf("%+v", channel))
	planned := again(t, channel, plan)
	require.Equal(t, []string{`type: "WEBHOOK" -> "SLACK"`, `config.channel: added [redacted]`, `config.url: a secret is changed`}, linesOf(planned.Diff()))
}

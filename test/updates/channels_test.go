package updates_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
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
		edit func(*monitoring.AlertChannelUpdate) error
		want string // "" for no update
	}{
		"nothing": {func(*monitoring.AlertChannelUpdate) error { return nil }, ""},
		"another order of the subscriptions is no change": {func(u *monitoring.AlertChannelUpdate) error {
			u.Subscriptions[0], u.Subscriptions[1] = u.Subscriptions[1], u.Subscriptions[0]
			return nil
		}, ""},
		"a flag": {func(u *monitoring.AlertChannelUpdate) error {
			u.SendDegraded = new(false)
			return nil
		}, whole(config, false) + `}`},
		"a flag in its place": {func(u *monitoring.AlertChannelUpdate) error {
			*u.SendDegraded = false
			return nil
		}, whole(config, false) + `}`},
		"the address": {func(u *monitoring.AlertChannelUpdate) error {
			return u.SetConfig("url", monitoring.NewSecret("https://new.shop.test"))
		}, whole(`{"name":"n","url":"https://new.shop.test","future":{"a":1}}`, true) + `}`},
		"a subscription": {func(u *monitoring.AlertChannelUpdate) error {
			u.Subscriptions[1].Activated = true
			return nil
		}, whole(config, true) + `,"subscriptions":[{"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","activated":true},{"groupId":4711,"activated":true}]}`},
		"no subscriptions": {func(u *monitoring.AlertChannelUpdate) error {
			u.Subscriptions = nil
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

func TestAnUpdateOfAChannelNeverOverwritesASecretThatMayBeWithheld(t *testing.T) {
	for config, want := range map[string]string{
		`null`:                "config: is withheld",
		`{"url":null}`:        "config.url: is null",
		`{"apiKey":null}`:     "config.apiKey: is null",
		`{"serviceKey":null}`: "config.serviceKey: is null",
		`{"headers":[{"key":"a","value":"x"},{"key":"b","value":null}]}`: "config.headers[1].value: is null",
		`{"queryParameters":[{"key":"a","value":null}]}`:                 "config.queryParameters[0].value: is null",
		`{"url":"u","webhookSecret":null}`:                               "",
	} {
		client, sent := kit.Recorded(t, 200, `{"id":5,"type":"WEBHOOK","config":`+config+`,"sendDegraded":false}`)
		_, err := client.AlertChannels.Edit(context.Background(), 5, func(u *monitoring.AlertChannelUpdate) error {
			u.SendDegraded = new(true)
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

func TestAnUpdateOfAChannelThatWasNotReadMustBeWhole(t *testing.T) {
	var update monitoring.AlertChannelUpdate
	update.Type, update.Config = monitoring.EmailChannel("a@shop.test")
	require.ErrorContains(t, update.Validate(), "sendDegraded: is required: the service sets an absent one to its default")
	yes := new(true)
	update.SendFailure, update.SendRecovery, update.SendDegraded, update.SSLExpiry, update.AutoSubscribe, update.SSLExpiryThreshold = yes, yes, yes, yes, yes, new(30)
	require.NoError(t, update.Validate())
	update.Subscriptions = []monitoring.ChannelSubscriber{{}}
	require.ErrorContains(t, update.Validate(), "subscriptions[0].checkId: is required unless there is a groupId")
}

func TestConfigsOfChannelsHaveTheirSecretsAndShowNothing(t *testing.T) {
	s := monitoring.NewSecret
	of := func(kind monitoring.AlertChannelType, config monitoring.SecretJSON) [2]string {
		require.Equal(t, "[redacted]", fmt.Sprint(config))
		return [2]string{string(kind), string(config.Reveal())}
	}
	for want, got := range map[[2]string][2]string{
		{"EMAIL", `{"address":"a@shop.test"}`}:       of(monitoring.EmailChannel("a@shop.test")),
		{"SLACK", `{"channel":"#ops","url":"u"}`}:    of(monitoring.SlackChannel(s("u"), "#ops")),
		{"SLACK_APP", `{"slackChannels":["a","b"]}`}: of(monitoring.SlackAppChannel("a", "b")),
		{"SMS", `{"name":"n","number":"+1"}`}:        of(monitoring.SMSChannel("n", "+1")),
		{"CALL", `{"name":"n","number":"+1"}`}:       of(monitoring.CallChannel("n", "+1")),
		{"PAGERDUTY", `{"serviceKey":"k"}`}:          of(monitoring.PagerDutyChannel(monitoring.PagerDutyConfig{ServiceKey: s("k")})),
		{"OPSGENIE", `{"apiKey":"k","name":"n","priority":"P1","region":"EU"}`}: of(monitoring.OpsgenieChannel(monitoring.OpsgenieConfig{
			Name: "n", APIKey: s("k"), Region: "EU", Priority: "P1"})),
		{"WEBHOOK", `{"name":"n","url":"u"}`}: of(monitoring.WebhookChannel(monitoring.WebhookConfig{Name: "n", URL: s("u")})),
		{"WEBHOOK", `{"headers":[{"key":"h","value":"v"}],"name":"n","template":"t","url":"u","webhookSecret":"w","webhookType":"WEBHOOK_DISCORD"}`}: of(
			monitoring.WebhookChannel(monitoring.WebhookConfig{Name: "n", URL: s("u"), Template: s("t"), WebhookSecret: s("w"), WebhookType: "WEBHOOK_DISCORD",
				Headers: []monitoring.KeyValue{{Key: "h", Value: s("v")}}})),
	} {
		require.Equal(t, want, got)
	}
}

func channelFrom(t *testing.T, text string) *monitoring.AlertChannel {
	var c monitoring.AlertChannel
	require.NoError(t, json.Unmarshal([]byte(text), &c))
	return &c
}

func TestADiffOfAChannelShowsWhatChangesAndNoSecret(t *testing.T) {
	for name, test := range map[string]struct {
		edit func(*monitoring.AlertChannelUpdate)
		want []string
	}{
		"nothing":                            {func(*monitoring.AlertChannelUpdate) {}, nil},
		"another order of the subscriptions": {func(u *monitoring.AlertChannelUpdate) { slices.Reverse(u.Subscriptions) }, nil},
		"a flag":                             {func(u *monitoring.AlertChannelUpdate) { u.SendDegraded = new(false) }, []string{"sendDegraded: true -> false"}},
		"the address": {func(u *monitoring.AlertChannelUpdate) {
			require.NoError(t, u.SetConfig("url", monitoring.NewSecret("https://s3cret.test")))
		}, []string{"config: a secret is changed"}},
		"a subscription": {func(u *monitoring.AlertChannelUpdate) { u.Subscriptions[1].Activated = true },
			[]string{"subscriptions[1].activated: false -> true"}},
		"one more": {func(u *monitoring.AlertChannelUpdate) {
			u.Subscriptions = append(u.Subscriptions, monitoring.ChannelSubscriber{GroupID: new(int64(4712)), Activated: true})
		}, []string{`subscriptions[2]: added {"groupId":4712,"activated":true}`}},
		"none": {func(u *monitoring.AlertChannelUpdate) { u.Subscriptions = nil }, []string{
			`subscriptions[0]: removed {"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","activated":true}`,
			`subscriptions[1]: removed {"groupId":4711,"activated":false}`}},
	} {
		channel := channelFrom(t, aChannel)
		u := channel.ToUpdate()
		test.edit(&u)
		require.Equal(t, test.want, linesOf(u.Diff()), name)
		require.Equal(t, test.want, linesOf(u.DiffFrom(channel)), name)
		stored := *again(t, &u, monitoring.MarshalWithSecrets)
		require.Equal(t, test.want, linesOf(stored.Diff()), name)
		shown, err := json.Marshal(u)
		require.NoError(t, err)
		require.NotContains(t, fmt.Sprintf("%v %+v %#v %s", u, u, u.Diff(), shown), ".test", "a part of the config")
	}
}

func TestAnUpdateOfAChannelNamesWhatItLeavesOut(t *testing.T) {
	withheld := channelFrom(t, `{"id":5,"type":"WEBHOOK","config":null,"sendFailure":true,"limits":{"perHour":9}}`)
	u := withheld.ToUpdate()
	require.Equal(t, []string{"config", "limits"}, u.Withheld())
	for name, options := range map[string][]monitoring.ClientOption{"with rules": nil, "without": {monitoring.WithoutValidation()}} {
		client := kit.Client(t, testkit.Status(200, aChannel), options...)
		err := kit.Second(client.AlertChannels.Update(t.Context(), 5, u))
		require.Equal(t, []string{"config: is withheld by the service, which requires it: set it"}, kit.BrokenRules(t, err), name)
	}
	u.Type, u.Config = monitoring.EmailChannel("a@shop.test")
	require.Equal(t, []string{"limits"}, u.Withheld())
	require.Equal(t, []string{`type: "WEBHOOK" -> "EMAIL"`, "config: a withheld secret is set"}, linesOf(u.Diff()))
	require.NoError(t, u.Validate())
	complete := kit.Client(t, testkit.Status(200, aChannel), monitoring.WithCompleteUpdates())
	err := kit.Second(complete.AlertChannels.Update(t.Context(), 5, u))
	require.ErrorContains(t, err, "limits: is left out, because this package does not know it")
}

func TestASignatureThatMayBeWithheldIsNeitherSentNorAChange(t *testing.T) {
	channel := channelFrom(t, `{"id":5,"type":"WEBHOOK","config":{"url":"u","webhookSecret":null},"sendFailure":true}`)
	u := channel.ToUpdate()
	require.Empty(t, u.Diff())
	require.Empty(t, u.DiffFrom(channel))
	require.NoError(t, u.SetConfig("webhookSecret", monitoring.NewSecret("s")))
	require.Equal(t, []string{"config: a secret is changed"}, linesOf(u.Diff()))
	data, err := monitoring.MarshalWithSecrets(u)
	require.NoError(t, err)
	require.Equal(t, map[string]any{"url": "u", "webhookSecret": "s"}, kit.ParseJSON(t, string(data)).(map[string]any)["config"])
}

func TestAPlanForAChannelIsAppliedUnlessItHasChangedSince(t *testing.T) {
	svc := monitoringtest.New()
	client := kit.Fake(t, svc)
	id := svc.AddAlertChannel(monitoringtest.AlertChannel{Config: map[string]any{"address": "old@shop.test"}})
	checks := []string{svc.AddCheck(monitoringtest.Check{}), svc.AddCheck(monitoringtest.Check{})}
	read, err := client.AlertChannels.Get(t.Context(), id)
	require.NoError(t, err)
	update := read.ToUpdate()
	require.NoError(t, update.SetConfig("address", "new@shop.test"))
	plan := *again(t, &update, monitoring.MarshalWithSecrets)
	applied, err := client.AlertChannels.Apply(t.Context(), id, plan)
	require.NoError(t, err)
	require.Equal(t, `{"address":"new@shop.test"}`, string(applied.Config.Reveal()))
	require.Equal(t, read.Subscriptions, applied.Subscriptions)
	require.Empty(t, plan.DiffFrom(applied))

	update = applied.ToUpdate()
	update.SendDegraded = new(true)
	plan = *again(t, &update, monitoring.MarshalWithSecrets)
	require.NoError(t, kit.Second(client.AlertChannels.Subscribe(t.Context(), id, monitoring.ChannelSubscriber{CheckID: checks[0]})))
	_, err = client.AlertChannels.Apply(t.Context(), id, plan)
	changed := kit.ErrAs[*monitoring.ChangedError](t, err)
	require.Len(t, changed.Changes, 1)
	require.Contains(t, changed.Changes[0].String(), ".activated: true -> false")
	require.ErrorContains(t, err, fmt.Sprint("monitoring: apply the update to alert channel ", id))
}

// The subscriptions of now count, not those of the state that is restored.
func TestARestoredChannelHasTheSubscriptionsOfItsState(t *testing.T) {
	earlier := channelFrom(t, aChannel).ToUpdate()
	for name, test := range map[string]struct {
		now  string
		sent bool
	}{
		"other subscriptions are replaced": {`[{"id":9,"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e12","activated":true}]`, true},
		"the same, in another form, are not sent": {
			`[{"activated":false,"groupId":4711},{"id":71,"groupId":null,"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","activated":true}]`, false},
	} {
		client, sent := kit.Recorded(t, 200, `{"id":5,"type":"EMAIL","config":{"address":"a"},"subscriptions":`+test.now+`}`)
		require.NoError(t, kit.Second(client.AlertChannels.Edit(t.Context(), 5, func(u *monitoring.AlertChannelUpdate) error {
			*u = earlier
			return nil
		})), name)
		body := kit.ParseJSON(t, sent.Sent[1].Body).(map[string]any)
		_, has := body["subscriptions"]
		require.Equal(t, test.sent, has, name)
		require.Equal(t, "WEBHOOK", body["type"])
	}
}

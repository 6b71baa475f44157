package updates_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
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
	require.ErrorContains(t, update.Validate(), "subscriptions[0].checkId: want the id of a check or of a group")
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

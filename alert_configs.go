package monitoring

import "reflect"

// EmailChannel returns a channel that sends mail.
func EmailChannel(address string) *AlertChannel {
	return channelOf(ChannelEmail, map[string]any{"address": address}, nil)
}

// SlackChannel returns a channel that posts to a Slack webhook. The address is a secret. channel is
// the name of a Slack channel, such as #ops.
func SlackChannel(address Secret, channel string) *AlertChannel {
	return channelOf(ChannelSlack, map[string]any{"url": address, "channel": channel}, nil)
}

// SlackAppChannel returns a channel that posts to Slack with a Slack app.
func SlackAppChannel(channels ...string) *AlertChannel {
	return channelOf(ChannelSlackApp, map[string]any{"slackChannels": append([]string{}, channels...)}, nil)
}

// SMSChannel returns a channel that sends text messages to a phone number.
func SMSChannel(name, number string) *AlertChannel {
	return channelOf(ChannelSMS, map[string]any{"name": name, "number": number}, nil)
}

// CallChannel returns a channel that calls a phone number.
func CallChannel(name, number string) *AlertChannel {
	return channelOf(ChannelCall, map[string]any{"name": name, "number": number}, nil)
}

// OpsgenieConfig configures an [OpsgenieChannel]. All fields are required.
type OpsgenieConfig struct {
	Name     string
	APIKey   Secret
	Region   string // EU or US
	Priority string // P1 to P5
}

// OpsgenieChannel returns a channel that opens alerts in Opsgenie.
func OpsgenieChannel(c OpsgenieConfig) *AlertChannel {
	return channelOf(ChannelOpsgenie, map[string]any{"name": c.Name, "apiKey": c.APIKey, "region": c.Region, "priority": c.Priority}, nil)
}

// PagerDutyConfig configures a [PagerDutyChannel]. Only ServiceKey is required.
type PagerDutyConfig struct {
	ServiceKey           Secret
	Account, ServiceName string
}

// PagerDutyChannel returns a channel that opens incidents in PagerDuty.
func PagerDutyChannel(c PagerDutyConfig) *AlertChannel {
	return channelOf(ChannelPagerDuty, map[string]any{"serviceKey": c.ServiceKey},
		map[string]any{"account": c.Account, "serviceName": c.ServiceName})
}

// WebhookConfig configures a [WebhookChannel]. Only Name and URL are required.
type WebhookConfig struct {
	Name string
	URL  Secret
	// Method is that of the request; the default is POST.
	Method string
	// Template is the body of the request. It may contain tokens, so it is a secret.
	Template                 Secret
	Headers, QueryParameters []KeyValue
	// WebhookSecret signs the requests; the zero Secret is not sent.
	WebhookSecret Secret
	// WebhookType is the product to call, such as WEBHOOK_MSTEAMS or WEBHOOK_DISCORD, if it is
	// known.
	WebhookType string
}

// WebhookChannel returns a channel that calls a URL.
func WebhookChannel(c WebhookConfig) *AlertChannel {
	return channelOf(ChannelWebhook, map[string]any{"name": c.Name, "url": c.URL}, map[string]any{
		"method": c.Method, "template": c.Template, "headers": c.Headers, "queryParameters": c.QueryParameters,
		"webhookSecret": c.WebhookSecret, "webhookType": c.WebhookType,
	})
}

// channelOf returns a channel with a config, and with the secrets in it. Optional members that are
// zero are left out.
func channelOf(kind AlertChannelType, required, optional map[string]any) *AlertChannel {
	for name, value := range optional {
		if !reflect.ValueOf(value).IsZero() {
			required[name] = value
		}
	}
	config, err := writeOpen(required)
	if err != nil { // does not happen: the members are texts and lists of them
		return &AlertChannel{Type: kind}
	}
	return &AlertChannel{Type: kind, Config: NewSecretJSON(config)}
}

package monitoring

// EmailChannel returns a channel that sends mail.
func EmailChannel(address string) *AlertChannel {
	return channelOf(ChannelEmail, map[string]any{"address": address})
}

// SlackChannel returns a channel that posts to a Slack webhook. The address is a secret. channel is
// the name of a Slack channel, such as #ops.
func SlackChannel(address Secret, channel string) *AlertChannel {
	return channelOf(ChannelSlack, map[string]any{"url": address, "channel": channel})
}

// SlackAppChannel returns a channel that posts to Slack with a Slack app.
func SlackAppChannel(channels ...string) *AlertChannel {
	return channelOf(ChannelSlackApp, map[string]any{"slackChannels": append([]string{}, channels...)})
}

// SMSChannel returns a channel that sends text messages to a phone number.
func SMSChannel(name, number string) *AlertChannel {
	return channelOf(ChannelSMS, map[string]any{"name": name, "number": number})
}

// CallChannel returns a channel that calls a phone number.
func CallChannel(name, number string) *AlertChannel {
	return channelOf(ChannelCall, map[string]any{"name": name, "number": number})
}

// OpsgenieConfig configures an [OpsgenieChannel]. All fields are required.
type OpsgenieConfig struct {
	Name     string `json:"name"`
	APIKey   Secret `json:"apiKey"`
	Region   string `json:"region"`   // EU or US
	Priority string `json:"priority"` // P1 to P5
}

// OpsgenieChannel returns a channel that opens alerts in Opsgenie.
func OpsgenieChannel(c OpsgenieConfig) *AlertChannel { return channelOf(ChannelOpsgenie, c) }

// PagerDutyConfig configures a [PagerDutyChannel]. Only ServiceKey is required.
type PagerDutyConfig struct {
	ServiceKey  Secret `json:"serviceKey"`
	Account     string `json:"account,omitzero"`
	ServiceName string `json:"serviceName,omitzero"`
}

// PagerDutyChannel returns a channel that opens incidents in PagerDuty.
func PagerDutyChannel(c PagerDutyConfig) *AlertChannel { return channelOf(ChannelPagerDuty, c) }

// WebhookConfig configures a [WebhookChannel]. Only Name and URL are required.
type WebhookConfig struct {
	Name string `json:"name"`
	URL  Secret `json:"url"`
	// Method is that of the request; the default is POST.
	Method string `json:"method,omitzero"`
	// Template is the body of the request. It may contain tokens, so it is a secret.
	Template        Secret     `json:"template,omitzero"`
	Headers         []KeyValue `json:"headers,omitzero"`
	QueryParameters []KeyValue `json:"queryParameters,omitzero"`
	// WebhookSecret signs the requests; the zero Secret is not sent.
	WebhookSecret Secret `json:"webhookSecret,omitzero"`
	// WebhookType is the product to call, such as WEBHOOK_MSTEAMS or WEBHOOK_DISCORD, if it is
	// known.
	WebhookType string `json:"webhookType,omitzero"`
}

// WebhookChannel returns a channel that calls a URL.
func WebhookChannel(c WebhookConfig) *AlertChannel { return channelOf(ChannelWebhook, c) }

// channelOf returns a channel with a config, and with the secrets in it.
func channelOf(kind AlertChannelType, config any) *AlertChannel {
	text, err := writeOpen(config)
	if err != nil { // does not happen: the fields are strings and lists of them
		return &AlertChannel{Type: kind}
	}
	return &AlertChannel{Type: kind, Config: NewSecretJSON(text)}
}

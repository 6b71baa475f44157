package monitoring

import "reflect"

// EmailChannel returns the type and the config of a channel that sends mail.
func EmailChannel(address string) (AlertChannelType, SecretJSON) {
	return ChannelEmail, configOf(map[string]any{"address": address}, nil)
}

// SlackChannel returns the type and the config of a channel that posts to a Slack webhook. The
// address is a secret. Channel is the name of a channel, such as #ops.
func SlackChannel(address Secret, channel string) (AlertChannelType, SecretJSON) {
	return ChannelSlack, configOf(map[string]any{"url": address, "channel": channel}, nil)
}

// SlackAppChannel returns the type and the config of a channel that posts to channels with a Slack
// app.
func SlackAppChannel(channels ...string) (AlertChannelType, SecretJSON) {
	return ChannelSlackApp, configOf(map[string]any{"slackChannels": append([]string{}, channels...)}, nil)
}

// SMSChannel returns the type and the config of a channel that sends text messages to a number.
func SMSChannel(name, number string) (AlertChannelType, SecretJSON) {
	return ChannelSMS, configOf(map[string]any{"name": name, "number": number}, nil)
}

// CallChannel returns the type and the config of a channel that calls a phone number.
func CallChannel(name, number string) (AlertChannelType, SecretJSON) {
	return ChannelCall, configOf(map[string]any{"name": name, "number": number}, nil)
}

// OpsgenieConfig is what [OpsgenieChannel] takes. All fields are required.
type OpsgenieConfig struct {
	Name     string
	APIKey   Secret
	Region   string // EU or US
	Priority string // P1 to P5
}

// OpsgenieChannel returns the type and the config of a channel that opens alerts in Opsgenie.
func OpsgenieChannel(c OpsgenieConfig) (AlertChannelType, SecretJSON) {
	return ChannelOpsgenie, configOf(map[string]any{"name": c.Name, "apiKey": c.APIKey, "region": c.Region, "priority": c.Priority}, nil)
}

// PagerDutyConfig is what [PagerDutyChannel] takes. Only ServiceKey is required.
type PagerDutyConfig struct {
	ServiceKey           Secret
	Account, ServiceName string
}

// PagerDutyChannel returns the type and the config of a channel that opens incidents in PagerDuty.
func PagerDutyChannel(c PagerDutyConfig) (AlertChannelType, SecretJSON) {
	return ChannelPagerDuty, configOf(map[string]any{"serviceKey": c.ServiceKey},
		map[string]any{"account": c.Account, "serviceName": c.ServiceName})
}

// WebhookConfig is what [WebhookChannel] takes. Only Name and URL are required.
type WebhookConfig struct {
	Name string
	URL  Secret
	// Method is that of the request; the default is POST.
	Method string
	// Template is the body of the request. It may have tokens, so it is a secret, too.
	Template                 Secret
	Headers, QueryParameters []KeyValue
	// WebhookSecret signs the requests. The zero one is left out.
	WebhookSecret Secret
	// WebhookType names the product that is called, such as WEBHOOK_MSTEAMS or WEBHOOK_DISCORD. It is
	// empty for any other.
	WebhookType string
}

// WebhookChannel returns the type and the config of a channel that calls an address.
func WebhookChannel(c WebhookConfig) (AlertChannelType, SecretJSON) {
	return ChannelWebhook, configOf(map[string]any{"name": c.Name, "url": c.URL}, map[string]any{
		"method": c.Method, "template": c.Template, "headers": c.Headers, "queryParameters": c.QueryParameters,
		"webhookSecret": c.WebhookSecret, "webhookType": c.WebhookType,
	})
}

// configOf returns the JSON of a config with the secrets in it. Optional members that are zero are
// left out.
func configOf(required, optional map[string]any) SecretJSON {
	for name, value := range optional {
		if !reflect.ValueOf(value).IsZero() {
			required[name] = value
		}
	}
	result, err := keeping.Encode(required)
	if err != nil { // does not happen: the members are texts and lists of them
		return SecretJSON{}
	}
	return NewSecretJSON(result.JSON)
}

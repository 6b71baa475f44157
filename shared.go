package monitoring

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// The objects of this file travel both ways, inside requests and inside responses.
// So that one that was read is written back as it was, their optional members keep
// absent, null and the zero value apart. One that came with members that this package does
// not know, or with a value that its type does not hold exactly, keeps them without showing
// them. They are sent with the object, whichever list or request it is moved to; a
// literal in its place has none.

// AlertSettings says when a check or a group alerts and reminds.
type AlertSettings struct {
	// EscalationType picks the escalation; the service's default is RUN_BASED.
	EscalationType              EscalationType               `json:"escalationType,omitempty"`
	RunBasedEscalation          *RunBasedEscalation          `json:"runBasedEscalation,omitempty"`
	TimeBasedEscalation         *TimeBasedEscalation         `json:"timeBasedEscalation,omitempty"`
	Reminders                   *Reminders                   `json:"reminders,omitempty"`
	ParallelRunFailureThreshold *ParallelRunFailureThreshold `json:"parallelRunFailureThreshold,omitempty"`

	// SSLCertificates is still returned for old checks and groups.
	//
	// Deprecated: the service ignores it.
	SSLCertificates *SSLCertificateAlerts `json:"sslCertificates,omitempty"`

	kept
}

// RunBasedEscalation alerts after a number of failed runs.
type RunBasedEscalation struct {
	// FailedRunThreshold is 1 to 5; the service's default is 1.
	FailedRunThreshold *int `json:"failedRunThreshold,omitempty"`

	kept
}

// TimeBasedEscalation alerts after a time of failing.
type TimeBasedEscalation struct {
	// MinutesFailingThreshold is 5, 10, 15 or 30 minutes.
	MinutesFailingThreshold *int `json:"minutesFailingThreshold,omitempty"`

	kept
}

// Reminders are the notifications that follow a first alert.
type Reminders struct {
	// Amount is how many reminders are sent: 0 (the default) to 5, or 100000 for no end.
	Amount *int `json:"amount,omitempty"`
	// Interval is the minutes between reminders: 1, 2, 3, 4, 5 (the default), 10, 15 or 30.
	Interval *int `json:"interval,omitempty"`

	kept
}

// ParallelRunFailureThreshold alerts only when enough locations of a parallel run fail.
type ParallelRunFailureThreshold struct {
	// Enabled is false by default.
	Enabled *bool `json:"enabled,omitempty"`
	// Percentage is 10, 20 … 100 percent of the locations; the default is 10.
	Percentage *int `json:"percentage,omitempty"`

	kept
}

// SSLCertificateAlerts is an old setting that the service may still return.
type SSLCertificateAlerts struct {
	Enabled        *bool `json:"enabled,omitempty"`
	AlertThreshold *int  `json:"alertThreshold,omitempty"` // days

	kept
}

// RetryStrategy says how the service repeats a failing run. On a check it is an
// object or null (no retries). On a group it may also be FALLBACK, which leaves each
// check its own strategy and travels as a bare string:
//
//	update.RetryStrategy = monitoring.Value(monitoring.RetryStrategy{Type: monitoring.RetryStrategyFallback})
type RetryStrategy struct {
	// Type is required.
	Type RetryStrategyType `json:"type,omitempty"`
	// BaseBackoffSeconds is the base of the waiting time; the service's default is 60.
	BaseBackoffSeconds *int `json:"baseBackoffSeconds,omitempty"`
	// SameRegion repeats in the region that failed; the service's default is true.
	SameRegion *bool `json:"sameRegion,omitempty"`
	// MaxRetries is 1 to 10; leave it nil for SINGLE_RETRY.
	MaxRetries *int `json:"maxRetries,omitempty"`
	// MaxDurationSeconds is 0 to 600; leave it nil for SINGLE_RETRY.
	MaxDurationSeconds *int `json:"maxDurationSeconds,omitempty"`
	// OnlyOn narrows what is repeated; nil repeats every failure.
	OnlyOn []RetryCondition `json:"onlyOn,omitzero"`

	literal RetryStrategyType // what came as a bare string
	kept
}

// retryObject is a strategy that travels as an object.
type retryObject RetryStrategy

// MarshalJSON writes an object, or the bare string of FALLBACK.
func (r RetryStrategy) MarshalJSON() ([]byte, error) { return revealer.EncodeHidden(&r) }

// open gives the encoder the form in which the strategy travels.
func (r *RetryStrategy) open(bool) reveal.Content {
	switch {
	case r == nil:
		return reveal.Content{Kind: reveal.Null}
	case r.Type == RetryStrategyFallback || r.literal != "" && r.literal == r.Type:
		return reveal.Content{Kind: reveal.Value, Value: new(string(r.Type))}
	}
	return reveal.Content{Kind: reveal.Value, Value: (*retryObject)(r)}
}

// UnmarshalJSON reads an object or a bare string.
func (r *RetryStrategy) UnmarshalJSON(data []byte) error {
	*r = RetryStrategy{}
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '"' {
		var text string
		err := readScalar(data, &text)
		r.Type = RetryStrategyType(text)
		r.literal = r.Type
		return err
	}
	wire := struct {
		*retryObject
		OnlyOn oneOrMany `json:"onlyOn"`
	}{retryObject: (*retryObject)(r)}
	if err := json.Unmarshal(data, &wire); err != nil {
		return fmt.Errorf("retryStrategy: %w", err)
	}
	r.OnlyOn = wire.OnlyOn
	return nil
}

// oneOrMany reads the list of conditions, which older services write as one bare string.
type oneOrMany []RetryCondition

func (o *oneOrMany) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		*o = make(oneOrMany, 1)
		return json.Unmarshal(data, &(*o)[0])
	}
	return json.Unmarshal(data, (*[]RetryCondition)(o))
}

// TriggerIncident makes a check open and resolve a status-page incident with its
// alerts. All members are required.
type TriggerIncident struct {
	ServiceID         string           `json:"serviceId"` // a UUID
	Severity          IncidentSeverity `json:"severity,omitempty"`
	Name              string           `json:"name"`
	Description       string           `json:"description"`
	NotifySubscribers bool             `json:"notifySubscribers"`

	kept
}

// AlertChannelSubscription subscribes a check or a group to an alert channel.
type AlertChannelSubscription struct {
	AlertChannelID int64 `json:"alertChannelId"`
	Activated      bool  `json:"activated"`

	kept
}

// Assertion is a condition on a response. Every member is optional.
type Assertion struct {
	Source     AssertionSource     `json:"source,omitempty"`
	Comparison AssertionComparison `json:"comparison,omitempty"`
	// Property narrows the source: a header's name, a JSON path. The default is "".
	Property *string `json:"property,omitempty"`
	// Target is what is compared with, numbers in digits: new("200"). The default is "".
	Target *string `json:"target,omitempty"`
	// Regex is applied to the source before comparing.
	Regex Nullable[string] `json:"regex,omitzero"`

	kept
}

// KeyValue is a header or a query parameter. Its value is a [Secret], because headers
// carry tokens. It is withheld if the service does not tell it.
type KeyValue struct {
	Key   string `json:"key"`
	Value Secret `json:"value"`
	// Locked hides the value in the UI; the default is false.
	Locked *bool `json:"locked,omitempty"`

	kept
}

// EnvironmentVariable is a variable of the account, a group or a browser check.
type EnvironmentVariable struct {
	// Key cannot be changed after creation.
	Key string `json:"key"`
	// Value is required in requests. In responses it is withheld if the service does not
	// tell it: the value of a variable that is secret.
	Value Secret `json:"value"`
	// Locked hides the value in the UI like a password; the default is false.
	Locked *bool `json:"locked,omitempty"`
	// Secret can be set only once: the value cannot be unlocked again. The default is false.
	Secret *bool `json:"secret,omitempty"`

	kept
}

// NewEnvironmentVariable makes a variable that is neither locked nor secret.
func NewEnvironmentVariable(key, value string) EnvironmentVariable {
	return EnvironmentVariable{Key: key, Value: NewSecret(value)}
}

// AlertChannels are the channels that a check alerts.
type AlertChannels struct {
	Email   []AlertEmail   `json:"email,omitzero"`
	Webhook []AlertWebhook `json:"webhook,omitzero"`
	Slack   []AlertSlack   `json:"slack,omitzero"`
	SMS     []AlertSMS     `json:"sms,omitzero"`
}

// AlertEmail is a channel that sends mail.
type AlertEmail struct {
	Address string `json:"address"`
}

// AlertWebhook is a channel that calls a URL.
type AlertWebhook struct {
	URL             string     `json:"url"`
	Name            string     `json:"name"`
	Method          *string    `json:"method"`
	Headers         []KeyValue `json:"headers,omitzero"`
	QueryParameters []KeyValue `json:"queryParameters,omitzero"`
}

// AlertSlack is a channel that posts to Slack.
type AlertSlack struct {
	URL string `json:"url"`
}

// AlertSMS is a channel that sends text messages.
type AlertSMS struct {
	Number string `json:"number"`
	Name   string `json:"name"`
}

package monitoring

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// The objects of this file are parts of requests and of responses. So that an object that was
// read is written back unchanged, its optional members distinguish absent, null and the zero
// value. Members that this package does not know, and values that fields cannot represent exactly,
// are in the text that the check or group around it keeps.

// AlertSettings control when a check or group alerts and reminds.
type AlertSettings struct {
	// EscalationType is RUN_BASED or TIME_BASED; the service's default is RUN_BASED.
	EscalationType EscalationType `json:"escalationType,omitempty"`
	// RunBasedEscalation applies to RUN_BASED, and TimeBasedEscalation to TIME_BASED.
	RunBasedEscalation          *RunBasedEscalation          `json:"runBasedEscalation,omitempty"`
	TimeBasedEscalation         *TimeBasedEscalation         `json:"timeBasedEscalation,omitempty"`
	Reminders                   *Reminders                   `json:"reminders,omitempty"`
	ParallelRunFailureThreshold *ParallelRunFailureThreshold `json:"parallelRunFailureThreshold,omitempty"`

	// SSLCertificates is still returned for old checks and groups.
	//
	// Deprecated: the service ignores it.
	SSLCertificates *SSLCertificateAlerts `json:"sslCertificates,omitempty"`
}

// RunBasedEscalation alerts after a number of failed runs.
type RunBasedEscalation struct {
	// FailedRunThreshold is 1 to 5; the service's default is 1.
	FailedRunThreshold *int `json:"failedRunThreshold,omitempty"`
}

// TimeBasedEscalation alerts when a check has failed for some time.
type TimeBasedEscalation struct {
	// MinutesFailingThreshold is 5, 10, 15 or 30 minutes.
	MinutesFailingThreshold *int `json:"minutesFailingThreshold,omitempty"`
}

// Reminders are the notifications that follow a first alert.
type Reminders struct {
	// Amount is how many reminders are sent: 0 (the default) to 5, or 100000 for no limit.
	Amount *int `json:"amount,omitempty"`
	// Interval is the minutes between reminders: 1, 2, 3, 4, 5 (the default), 10, 15 or 30.
	Interval *int `json:"interval,omitempty"`
}

// ParallelRunFailureThreshold alerts only if enough locations of a run fail.
type ParallelRunFailureThreshold struct {
	// Enabled is false by default.
	Enabled *bool `json:"enabled,omitempty"`
	// Percentage of the locations: 10, 20 … 100; the default is 10.
	Percentage *int `json:"percentage,omitempty"`
}

// SSLCertificateAlerts is an old setting that the service may still return.
type SSLCertificateAlerts struct {
	Enabled        *bool `json:"enabled,omitempty"`
	AlertThreshold *int  `json:"alertThreshold,omitempty"` // days
}

// RetryStrategy is how the service retries a failing run:
//
//	check.RetryStrategy = monitoring.Value(monitoring.RetryStrategy{
//		Type: monitoring.RetryStrategyLinear, BaseBackoffSeconds: new(30.0), MaxRetries: new(2),
//	})
//
// On a group, Type may also be FALLBACK: each check then uses its own strategy. In JSON, that is a
// string, so the other fields are not sent.
type RetryStrategy struct {
	// Type is required: FIXED, LINEAR, EXPONENTIAL or SINGLE_RETRY, or FALLBACK on groups.
	Type RetryStrategyType `json:"type,omitempty"`
	// BaseBackoffSeconds is the base of the seconds between retries; see [RetryStrategyFixed]. The
	// service's default is 60.
	BaseBackoffSeconds *float64 `json:"baseBackoffSeconds,omitempty"`
	// SameRegion retries in the region that failed; the service's default is true.
	SameRegion *bool `json:"sameRegion,omitempty"`
	// MaxRetries is 1 to 10, or nil for SINGLE_RETRY. The default is not documented.
	MaxRetries *int `json:"maxRetries,omitempty"`
	// MaxDurationSeconds limits all retries, from 0 to 600 seconds; nil for SINGLE_RETRY.
	MaxDurationSeconds *float64 `json:"maxDurationSeconds,omitempty"`
	// OnlyOn lists the failures to retry; nil means all. Older services accept exactly one item.
	OnlyOn []RetryCondition `json:"onlyOn,omitzero"`

	literal RetryStrategyType // the type, if the JSON was a string
}

// asText returns the type of a strategy that must be written as a text, or that was and still has
// nothing else.
func (r *RetryStrategy) asText() (text string, ok bool) {
	more := *r
	more.Type, more.literal = "", ""
	return string(r.Type), r.Type == RetryStrategyFallback || r.literal != "" && r.literal == r.Type && reflect.ValueOf(more).IsZero()
}

// MarshalJSON writes an object, or the string FALLBACK.
func (r RetryStrategy) MarshalJSON() ([]byte, error) {
	if text, ok := r.asText(); ok {
		return rawjson.Encode(text)
	}
	type plain RetryStrategy
	return rawjson.Encode(plain(r))
}

// UnmarshalJSON reads an object or a string.
func (r *RetryStrategy) UnmarshalJSON(data []byte) error {
	*r = RetryStrategy{}
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '"' {
		var text string
		err := lenient.Strict(data, &text)
		r.Type = RetryStrategyType(text)
		r.literal = r.Type
		return err
	}
	type plain RetryStrategy
	// Older services write a text for onlyOn.
	if err := responses.Read(data, (*plain)(r)); err != nil {
		return fmt.Errorf("retryStrategy: %w", err)
	}
	return nil
}

// TriggerIncident makes a check open an incident on a status page when it alerts, and resolve it
// when it recovers. All fields are required.
type TriggerIncident struct {
	ServiceID         string           `json:"serviceId"` // a UUID
	Severity          IncidentSeverity `json:"severity,omitempty"`
	Name              string           `json:"name"`
	Description       string           `json:"description"`
	NotifySubscribers bool             `json:"notifySubscribers"`
}

// AlertChannelSubscription subscribes a check or group to an alert channel or, with Activated
// false, keeps it from using the channel.
//
//monitoring:json
type AlertChannelSubscription struct {
	AlertChannelID int64 `json:"alertChannelId"`
	Activated      bool  `json:"activated"`
}

// subscribe returns a new list in which a channel has one entry, at the place of its first one.
func subscribe(list []AlertChannelSubscription, channelID int64, activated bool) []AlertChannelSubscription {
	isOfChannel := func(s AlertChannelSubscription) bool { return s.AlertChannelID == channelID }
	at := slices.IndexFunc(list, isOfChannel)
	if at < 0 {
		return append(slices.Clip(list), AlertChannelSubscription{AlertChannelID: channelID, Activated: activated})
	}
	one := list[at]
	one.Activated = activated
	rest := slices.DeleteFunc(slices.Clone(list[at:]), isOfChannel)
	return slices.Concat(list[:at], []AlertChannelSubscription{one}, rest)
}

// Assertion is a condition on a response. Each field is optional.
//
//monitoring:json
type Assertion struct {
	Source     AssertionSource     `json:"source,omitempty"`
	Comparison AssertionComparison `json:"comparison,omitempty"`
	// Property selects a part of the source, such as a header or a JSON path. The default is "".
	Property *string `json:"property,omitzero"`
	// Target is the value to compare with, a string even for numbers: new("200"). The default: "".
	Target *string `json:"target,omitzero"`
	// Regex is applied to the source before comparing. The default is "".
	Regex Nullable[string] `json:"regex,omitzero"`
}

func (Assertion) looseTexts() []string { return []string{"property", "target", "regex"} }

// KeyValue is a header or query parameter. Its value is a [Secret], because headers may contain
// tokens, and withheld if the response has null for it.
//
//monitoring:json
type KeyValue struct {
	Key   string `json:"key"`
	Value Secret `json:"value"`
	// Locked hides the value in the UI; the default is false.
	Locked *bool `json:"locked,omitempty"`
}

func (KeyValue) looseTexts() []string { return []string{"value"} }

// AlertChannels are the channels that a check uses.
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

// AlertWebhook is a channel that calls a URL, which is a secret, because anyone who has it can call
// it.
type AlertWebhook struct {
	URL             Secret     `json:"url"`
	Name            string     `json:"name"`
	Method          *string    `json:"method"`
	Headers         []KeyValue `json:"headers,omitzero"`
	QueryParameters []KeyValue `json:"queryParameters,omitzero"`
}

// AlertSlack is a channel that posts to Slack. The URL is a secret, because anyone who has it can
// post.
type AlertSlack struct {
	URL Secret `json:"url"`
}

// AlertSMS is a channel that sends text messages.
type AlertSMS struct {
	Number string `json:"number"`
	Name   string `json:"name"`
}

func (AlertSMS) looseTexts() []string { return []string{"number"} }

// EnvironmentVariable is a variable of the account, a group, or a browser or multi-step check, such
// as {Key: "TOKEN", Value: NewSecret(token), Secret: new(true)}. For the methods and updates of
// those of the account, and for fields that are not set, see [Check]. An update needs Value, Locked
// and Secret, because the service takes a missing flag for false.
//
//monitoring:json
type EnvironmentVariable struct {
	// Key is required and cannot be changed. For a variable of the account it has at most 1,024
	// bytes, and no part between slashes is "." or "..", because no path can contain these.
	Key string `json:"key,omitzero"`
	// Value is required in requests. The service withholds that of a secret variable, and an update
	// then needs a new one. For a secret variable, the empty string also means withheld, because
	// some services return it in place of null; so it cannot be sent. A variable that is not secret
	// can be created with NewSecret(""), but not updated to it.
	Value Secret `json:"value"`
	// Locked hides the value in the UI like a password; the default is false.
	Locked *bool `json:"locked,omitzero"`
	// Secret makes the service withhold the value from then on. It cannot be turned off again. The
	// default is false.
	Secret *bool `json:"secret,omitzero"`

	// Extra holds the unknown fields of the response as one JSON object, such as the id that some
	// services return; it is zero if there are none. It is a copy: changing it changes nothing.
	// Because it may contain secrets, [json.Marshal] leaves it out; [MarshalWithSecrets] includes
	// that of what a client returned.
	Extra SecretJSON `json:"-"`

	object `json:"-"`
}

func (v *EnvironmentVariable) readJSON(data []byte) error { return v.read(bytes.Clone(data)) }

func (v *EnvironmentVariable) read(data []byte) error {
	return readFields((*plainVariable)(v), data)
}

// UnmarshalJSON reads a variable of a file, or a plan of [MarshalPlan].
func (v *EnvironmentVariable) UnmarshalJSON(data []byte) error {
	if planIn(data) != nil {
		return readOwn(v, data)
	}
	// In a list nothing is kept, and an item starts empty: those around it have its JSON.
	return (*plainVariable)(v).readJSON(data)
}

// plainVariable has the fields of a variable.
type plainVariable EnvironmentVariable

func (plainVariable) looseTexts() []string { return []string{"value"} }

func (v *plainVariable) readJSON(data []byte) error {
	err := readObject(data, v)
	if (*EnvironmentVariable)(v).isWithheld() {
		v.Value = Secret{}
	}
	return err
}

func (EnvironmentVariable) looseTexts() []string { return []string{"value"} }

func isTrue(flag *bool) bool { return flag != nil && *flag }

// isWithheld reports whether the service withholds the value: it is unknown, or secret and empty.
func (v *EnvironmentVariable) isWithheld() bool {
	return v.Value.IsWithheld() || isTrue(v.Secret) && v.Value.Reveal() == ""
}

// NewEnvironmentVariable returns a variable that is neither locked nor secret.
func NewEnvironmentVariable(key, value string) EnvironmentVariable {
	return EnvironmentVariable{Key: key, Value: NewSecret(value)}
}

// BasicAuth is a user name and password.
type BasicAuth struct {
	Username string `json:"username"`
	// Password is withheld if the response has null for it.
	Password Secret `json:"password"`
}

// inTheWay returns an error if the service withholds a variable: the list cannot be sent as long as
// there is one.
func inTheWay(variables []EnvironmentVariable) error {
	var keys []string
	for _, v := range variables {
		if v.isWithheld() {
			keys = append(keys, v.Key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	return fmt.Errorf("the service withholds %s, and an update replaces the whole list: first give each a value with "+
		"SetVariable, or remove it with RemoveVariable", strings.Join(keys, ", "))
}

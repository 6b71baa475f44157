package monitoring

import "github.com/monitoring-api/monitoring-go/internal/lenient"

// The types of this file are items of lists. encoding/json reads an item into the one that the
// list has at its place, or had before it was cut. So what the JSON lacks would be that of an item
// that is gone: the headers of a file would get the flags and secrets of those that they replace.
// With an UnmarshalJSON each item starts empty. Items with an Extra do so in readObject.

// UnmarshalJSON reads the JSON in place of all that was there.
func (k *KeyValue) UnmarshalJSON(data []byte) error {
	type plain KeyValue
	return lenient.ReadItem(data, (*plain)(k))
}

// UnmarshalJSON reads the JSON in place of all that was there.
func (a *Assertion) UnmarshalJSON(data []byte) error {
	type plain Assertion
	return lenient.ReadItem(data, (*plain)(a))
}

// UnmarshalJSON reads the JSON in place of all that was there.
func (a *AlertChannelSubscription) UnmarshalJSON(data []byte) error {
	type plain AlertChannelSubscription
	return lenient.ReadItem(data, (*plain)(a))
}

// UnmarshalJSON reads the JSON in place of all that was there.
func (d *Dependency) UnmarshalJSON(data []byte) error {
	type plain Dependency
	return lenient.ReadItem(data, (*plain)(d))
}

// UnmarshalJSON reads the JSON in place of all that was there.
func (a *AlertEmail) UnmarshalJSON(data []byte) error {
	type plain AlertEmail
	return lenient.ReadItem(data, (*plain)(a))
}

// UnmarshalJSON reads the JSON in place of all that was there.
func (a *AlertWebhook) UnmarshalJSON(data []byte) error {
	type plain AlertWebhook
	return lenient.ReadItem(data, (*plain)(a))
}

// UnmarshalJSON reads the JSON in place of all that was there.
func (a *AlertSlack) UnmarshalJSON(data []byte) error {
	type plain AlertSlack
	return lenient.ReadItem(data, (*plain)(a))
}

// UnmarshalJSON reads the JSON in place of all that was there.
func (a *AlertSMS) UnmarshalJSON(data []byte) error {
	type plain AlertSMS
	return lenient.ReadItem(data, (*plain)(a))
}

// UnmarshalJSON reads the JSON in place of all that was there.
func (c *ChannelSubscription) UnmarshalJSON(data []byte) error {
	type plain ChannelSubscription
	return lenient.ReadItem(data, (*plain)(c))
}

// UnmarshalJSON reads the JSON in place of all that was there.
func (v *TestSessionVariable) UnmarshalJSON(data []byte) error {
	type plain TestSessionVariable
	return lenient.ReadItem(data, (*plain)(v))
}

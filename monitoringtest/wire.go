package monitoringtest

import (
	"encoding/json"
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// This file turns values of package monitoring into the JSON of the service, secrets
// included.

// wireJSON returns the JSON of a value as it is sent.
func wireJSON(v any) json.RawMessage { return mustMarshal(v) }

// toObject returns the members of wireJSON.
func toObject(v any) object {
	var o object
	mustUnmarshal(wireJSON(v), &o)
	return o
}

// secret makes the value of a variable or a header, or a password, from its text.
func secret(text string) monitoring.Secret { return monitoring.NewSecret(text) }

// asWritten returns a timestamp in the service's form, unless it was read in another
// form, such as a day.
func asWritten(t monitoring.Timestamp) monitoring.Timestamp {
	if t.IsZero() || t.Raw() != t.Format(time.RFC3339Nano) {
		return t
	}
	return at(t.Time)
}

// asWrittenOrNil is asWritten for a timestamp that may be null.
func asWrittenOrNil(t *monitoring.Timestamp) *monitoring.Timestamp {
	if t == nil {
		return nil
	}
	return new(asWritten(*t))
}

// alertJSON returns an alert notification as JSON, with its configuration.
func alertJSON(n monitoring.AlertNotification) json.RawMessage {
	if n.AlertConfig.IsZero() {
		n.AlertConfig = monitoring.NewSecretJSON(raw("{}"))
	}
	n.Timestamp = asWrittenOrNil(n.Timestamp)
	return wireJSON(n)
}

// mustUnmarshal reads JSON that is known to fit the type.
func mustUnmarshal(data []byte, into any) {
	if err := json.Unmarshal(data, into); err != nil {
		panic(fmt.Sprintf("monitoringtest: %T: %s", into, err))
	}
}

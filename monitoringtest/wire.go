package monitoringtest

import (
	"encoding/json"
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// What the service is given as types of the package monitoring becomes JSON here, with
// the secrets in it.

// wireJSON is the JSON that a value travels as.
func wireJSON(v any) json.RawMessage { return mustMarshal(v) }

// toObject is wireJSON by its members.
func toObject(v any) object {
	var o object
	if err := json.Unmarshal(wireJSON(v), &o); err != nil {
		panic(fmt.Sprintf("monitoringtest: %T is no JSON object: %s", v, err))
	}
	return o
}

// secret is a text as a value of a variable, a header or a password.
func secret(text string) monitoring.Secret { return monitoring.NewSecret(text) }

// asWritten is a moment as the service writes it, unless it was read in a form of its
// own, such as a day.
func asWritten(t monitoring.Timestamp) monitoring.Timestamp {
	if t.IsZero() || t.Raw() != t.Format(time.RFC3339Nano) {
		return t
	}
	return at(t.Time)
}

// asWrittenOrNil is asWritten of a moment that may be null.
func asWrittenOrNil(t *monitoring.Timestamp) *monitoring.Timestamp {
	if t == nil {
		return nil
	}
	return new(asWritten(*t))
}

// alertJSON is an alert notification with its configuration.
func alertJSON(n monitoring.AlertNotification) json.RawMessage {
	if n.AlertConfig.IsZero() {
		n.AlertConfig = monitoring.NewSecretJSON(raw("{}"))
	}
	n.Timestamp = asWrittenOrNil(n.Timestamp)
	return wireJSON(n)
}

// variableJSON is a variable as the list of variables shows it: without its value when
// it is secret.
func variableJSON(v monitoring.EnvironmentVariable) json.RawMessage {
	wire := struct {
		Key    string            `json:"key"`
		Value  monitoring.Secret `json:"value"`
		Locked bool              `json:"locked"`
		Secret bool              `json:"secret"`
	}{Key: v.Key, Value: v.Value, Locked: v.Locked != nil && *v.Locked, Secret: v.Secret != nil && *v.Secret}
	if wire.Secret {
		wire.Value = monitoring.Secret{}
	}
	return wireJSON(wire)
}

// mustUnmarshal reads JSON of which it is known that it is of the type.
func mustUnmarshal(data []byte, into any) {
	if err := json.Unmarshal(data, into); err != nil {
		panic(fmt.Sprintf("monitoringtest: %T: %s", into, err))
	}
}

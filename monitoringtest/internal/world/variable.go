package world

import (
	"encoding/json"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Variable is a variable as the service has it, with the value of a secret one.
type Variable struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	Locked bool            `json:"locked"`
	Secret bool            `json:"secret"`
}

// NewVariable returns a variable of a test.
func NewVariable(v monitoring.EnvironmentVariable) Variable {
	isTrue := func(flag *bool) bool { return flag != nil && *flag }
	return Variable{v.Key, JSON(v.Value), isTrue(v.Locked), isTrue(v.Secret)}
}

// SentVariable returns the variable of a body. An absent flag is false.
func SentVariable(key string, sent Object) Variable {
	return Variable{key, sent["value"], sent.Is("locked"), sent.Is("secret")}
}

// Open returns a variable with its value, also if it is secret.
func (v Variable) Open() monitoring.EnvironmentVariable {
	var value *string
	MustUnmarshal(v.Value, &value)
	open := monitoring.EnvironmentVariable{Key: v.Key, Locked: new(v.Locked), Secret: new(v.Secret)}
	if value != nil {
		open.Value = monitoring.NewSecret(*value)
	}
	return open
}

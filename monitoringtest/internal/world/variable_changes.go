package world

import (
	"slices"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AddVariables adds variables; a key may be there twice.
func (w *World) AddVariables(list ...monitoring.EnvironmentVariable) {
	for _, v := range list {
		w.Variables = append(w.Variables, NewVariable(v))
	}
}

// Variable returns the first variable with a key; nil if there is none.
func (w *World) Variable(key string) *Variable {
	i := slices.IndexFunc(w.Variables, func(v Variable) bool { return v.Key == key })
	if i < 0 {
		return nil
	}
	return &w.Variables[i]
}

// CreateVariable adds a variable unless there is one with its key.
func (w *World) CreateVariable(v Variable) bool {
	if w.Variable(v.Key) != nil {
		return false
	}
	w.Variables = append(w.Variables, v)
	return true
}

// UpdateVariable gives a variable another value and flags. One that is secret stays so.
func (w *World) UpdateVariable(old *Variable, v Variable) {
	v.Secret = v.Secret || old.Secret
	*old = v
}

// RemoveVariables removes the variables with a key and reports whether there were any.
func (w *World) RemoveVariables(key string) bool {
	before := len(w.Variables)
	w.Variables = slices.DeleteFunc(w.Variables, func(v Variable) bool { return v.Key == key })
	return len(w.Variables) < before
}

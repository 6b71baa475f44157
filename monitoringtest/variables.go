package monitoringtest

import (
	"encoding/json"
	"net/http"
	"slices"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// variable is a variable as the service has it, with the value of a secret one.
type variable struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	Locked bool            `json:"locked"`
	Secret bool            `json:"secret"`
}

// AddVariable adds environment variables to the account. The value of a secret one is
// null when it is listed, or empty with [WithEmptySecrets].
func (s *Service) AddVariable(variables ...monitoring.EnvironmentVariable) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range variables {
		s.addVariable(v)
	}
}

func (s *state) addVariable(v monitoring.EnvironmentVariable) {
	s.variables = append(s.variables, variable{v.Key, wireJSON(v.Value), isTrue(v.Locked), isTrue(v.Secret)})
}

// RemoveVariable removes the variables with a key and reports whether there were any,
// for tests of lists that change while they are read.
func (s *Service) RemoveVariable(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var kept []variable
	for _, v := range s.variables {
		if v.Key != key {
			kept = append(kept, v)
		}
	}
	removed := len(kept) < len(s.variables)
	s.variables = kept
	return removed
}

// Variable returns a variable of the account as the service has it, with its value also if it is
// secret, and whether there is one with this key.
func (s *Service) Variable(key string) (monitoring.EnvironmentVariable, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.variable(key)
	if v == nil {
		return monitoring.EnvironmentVariable{}, false
	}
	var value *string
	mustUnmarshal(v.Value, &value)
	found := monitoring.EnvironmentVariable{Key: v.Key, Locked: new(v.Locked), Secret: new(v.Secret)}
	if value != nil {
		found.Value = secret(*value)
	}
	return found, true
}

// variable returns the first variable with a key; nil if there is none.
func (s *state) variable(key string) *variable {
	i := slices.IndexFunc(s.variables, func(v variable) bool { return v.Key == key })
	if i < 0 {
		return nil
	}
	return &s.variables[i]
}

// withheld returns a variable as reads show it, without the value if it is secret.
func (s *Service) withheld(v variable) json.RawMessage {
	if v.Secret {
		v.Value = s.withheldSecret()
	}
	return mustMarshal(v)
}

func (s *Service) listVariables(c *call) response {
	return s.list(c, len(s.variables), func(i int) json.RawMessage { return s.withheld(s.variables[i]) })
}

// createVariable responds with the value also of a secret variable.
func (s *Service) createVariable(c *call) response {
	v := variable{c.sent.text("key"), c.sent["value"], c.sent.is("locked"), c.sent.is("secret")}
	if s.variable(v.Key) != nil {
		return fail(http.StatusConflict, "A variable with this key exists.")
	}
	s.variables = append(s.variables, v)
	s.journal.did(c.operation, v.Key)
	return reply(http.StatusCreated, v)
}

func (s *Service) getVariable(c *call) response {
	v := s.variable(c.params[0])
	if v == nil {
		return notFound()
	}
	return success(s.withheld(*v))
}

// putVariable responds with the value also of a secret variable, which stays secret. An absent flag
// is false.
func (s *Service) putVariable(c *call) response {
	v := s.variable(c.params[0])
	if v == nil {
		return notFound()
	}
	v.Value, v.Locked, v.Secret = c.sent["value"], c.sent.is("locked"), v.Secret || c.sent.is("secret")
	s.journal.did(c.operation, v.Key)
	return success(*v)
}

func (s *Service) deleteVariable(c *call) response {
	key := c.params[0]
	if s.variable(key) == nil {
		return notFound()
	}
	s.variables = slices.DeleteFunc(s.variables, func(v variable) bool { return v.Key == key })
	s.journal.did(c.operation, key)
	return noContent()
}

func isTrue(flag *bool) bool { return flag != nil && *flag }

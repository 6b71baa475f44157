package monitoringtest

import (
	"encoding/json"
	"maps"
	"strings"
)

// withhold returns a copy of a check or a group as reads show it, without its secrets.
func (s *Service) withhold(o object) object {
	o = maps.Clone(o)
	s.withholdPairs(o, "environmentVariables")
	if !s.withholdMore {
		return o
	}
	for _, name := range [...]string{"apiCheckDefaults", "request"} {
		var part object
		if o.get(name, &part) {
			s.withholdRequest(part)
			o.set(name, part)
		}
	}
	return o
}

// withholdRequest withholds the secrets of an HTTP request, or of the defaults for requests.
func (s *Service) withholdRequest(o object) {
	s.withholdPairs(o, "headers")
	s.withholdPairs(o, "queryParameters")
	var auth object
	if o.get("basicAuth", &auth) && auth["password"] != nil {
		auth["password"] = raw("null")
		o.set("basicAuth", auth)
	}
}

// withheldSecret is what reads show as the value of a secret variable.
func (s *Service) withheldSecret() json.RawMessage {
	if s.emptySecrets {
		return raw(`""`)
	}
	return raw("null")
}

// withholdPairs withholds the secret values of a list, and the locked ones, too, with
// WithMoreWithheld.
func (s *Service) withholdPairs(o object, name string) {
	list := string(o[name])
	if !strings.Contains(list, `"secret"`) && !strings.Contains(list, `"locked"`) {
		return
	}
	var pairs []object
	o.get(name, &pairs)
	for _, p := range pairs {
		switch {
		case p.is("secret"):
			p["value"] = s.withheldSecret()
		case s.withholdMore && p.is("locked"):
			p["value"] = raw("null")
		}
	}
	o.set(name, pairs)
}

// keepSecret keeps secret variables secret after an update: a secret value cannot be made
// readable again.
func keepSecret(before, after object) {
	var old, list []object
	if !before.get("environmentVariables", &old) || !after.get("environmentVariables", &list) {
		return
	}
	secret := make(set)
	for _, v := range old {
		secret[v.text("key")] = v.is("secret")
	}
	for _, v := range list {
		if secret[v.text("key")] && !v.is("secret") {
			v["secret"] = raw("true")
			after.set("environmentVariables", list)
		}
	}
}

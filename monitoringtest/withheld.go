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
	var defaults object
	if o.get("apiCheckDefaults", &defaults) {
		s.withholdPairs(defaults, "headers")
		s.withholdPairs(defaults, "queryParameters")
		var auth object
		if defaults.get("basicAuth", &auth) && auth["password"] != nil {
			auth["password"] = raw("null")
			defaults.set("basicAuth", auth)
		}
		o.set("apiCheckDefaults", defaults)
	}
	return o
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

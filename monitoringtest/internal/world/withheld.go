package world

import (
	"encoding/json"
	"maps"
	"strings"
)

// Withhold returns a copy of a check or a group as reads show it, without its secrets.
func (c *Config) Withhold(o Object) Object {
	o = maps.Clone(o)
	c.withholdPairs(o, "environmentVariables")
	if !c.WithholdMore {
		return o
	}
	for _, name := range [...]string{"apiCheckDefaults", "request"} {
		var part Object
		if o.Get(name, &part) {
			c.withholdRequest(part)
			o.Set(name, part)
		}
	}
	withholdHeartbeat(o)
	return o
}

// withholdRequest withholds the secrets of an HTTP request, or of the defaults for requests.
func (c *Config) withholdRequest(o Object) {
	c.withholdPairs(o, "headers")
	c.withholdPairs(o, "queryParameters")
	var auth Object
	if o.Get("basicAuth", &auth) && auth["password"] != nil {
		auth["password"] = Raw("null")
		o.Set("basicAuth", auth)
	}
}

// withheldSecret is what reads show as the value of a secret variable.
func (c *Config) withheldSecret() json.RawMessage {
	if c.EmptySecrets {
		return Raw(`""`)
	}
	return Raw("null")
}

// withholdPairs withholds the secret values of a list, and the locked ones, too, with
// WithMoreWithheld.
func (c *Config) withholdPairs(o Object, name string) {
	list := string(o[name])
	if !strings.Contains(list, `"secret"`) && !strings.Contains(list, `"locked"`) {
		return
	}
	var pairs []Object
	o.Get(name, &pairs)
	for _, p := range pairs {
		switch {
		case p.Is("secret"):
			p["value"] = c.withheldSecret()
		case c.WithholdMore && p.Is("locked"):
			p["value"] = Raw("null")
		}
	}
	o.Set(name, pairs)
}

// keepSecret keeps secret variables secret after an update: a secret value cannot be made
// readable again.
func keepSecret(before, after Object) {
	var old, list []Object
	if !before.Get("environmentVariables", &old) || !after.Get("environmentVariables", &list) {
		return
	}
	secret := make(Set)
	for _, v := range old {
		secret[v.Text("key")] = v.Is("secret")
	}
	for _, v := range list {
		if secret[v.Text("key")] && !v.Is("secret") {
			v["secret"] = Raw("true")
			after.Set("environmentVariables", list)
		}
	}
}

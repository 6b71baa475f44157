package world

import (
	"encoding/json"
	"maps"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// This file adds to requests what they leave out.

// completeRequest adds to the member request of a check the members that a body leaves out, also
// those of which only this account knows what it has for them. The body is that of a create or of
// an update.
func completeRequest(body *schema.Node, kind monitoring.CheckType, sent json.RawMessage) json.RawMessage {
	if m := body.Member("request"); m != nil {
		sent = m.Node.Filled(sent)
	}
	if kind == monitoring.CheckTypeTCP {
		return completeTCP(sent)
	}
	return completed(Raw(writtenRequests[kind]), sent)
}

// completed adds the members of defaults that a value and the objects in it leave out.
func completed(defaults, sent json.RawMessage) json.RawMessage {
	if len(defaults) == 0 || defaults[0] != '{' || sent[0] != '{' {
		return sent
	}
	var o, values Object
	MustUnmarshal(defaults, &o)
	MustUnmarshal(sent, &values)
	for name, value := range values {
		o[name] = completed(o[name], value)
	}
	return JSON(o)
}

// completeTCP adds to the request of a TCP check the members that it leaves out. url and
// body are other names of hostname and data.
func completeTCP(sent json.RawMessage) json.RawMessage {
	request := Object{"hostname": Raw(`""`), "data": Raw("null"), "assertions": Raw("[]"), "ipFamily": Raw(`"IPv4"`)}
	var o Object
	MustUnmarshal(sent, &o)
	for name, other := range map[string]string{"hostname": "url", "data": "body"} {
		if o[other] != nil {
			request[name] = o[other]
		}
	}
	maps.Copy(request, o)
	return JSON(request)
}

// firstOffset is the least offset that fits the frequency of a check.
func firstOffset(check Object) json.RawMessage {
	if string(check["frequency"]) == "0" {
		return Raw("10")
	}
	return Raw("1")
}

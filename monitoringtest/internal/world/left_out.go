package world

import (
	"encoding/json"
	"maps"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// This file adds to requests what they leave out.

// completeRequest adds to the member request of a check the members that a body leaves out.
func completeRequest(kind monitoring.CheckType, sent json.RawMessage) json.RawMessage {
	switch kind {
	case monitoring.CheckTypeAPI:
		return completeAPI(sent)
	case monitoring.CheckTypeTCP:
		return completeTCP(sent)
	}
	return completed(formDefaults[kind]["request"], sent)
}

// completeAPI adds to the request of an API check the members that it leaves out.
func completeAPI(sent json.RawMessage) json.RawMessage {
	var request, o Object
	MustUnmarshal(Raw(apiRequestDefaults), &request)
	MustUnmarshal(sent, &o)
	completeItems(o, "headers", "locked")
	completeItems(o, "queryParameters", "locked")
	return JSON(join(request, o))
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

// completeLists adds to the variables, headers and query parameters of a check or a group
// the members that a request leaves out.
func completeLists(sent Object) {
	completeItems(sent, "environmentVariables", "locked", "secret")
	var defaults Object
	if sent.Get("apiCheckDefaults", &defaults) {
		completeItems(defaults, "headers", "locked")
		completeItems(defaults, "queryParameters", "locked")
		sent.Set("apiCheckDefaults", defaults)
	}
}

// completeItems sets members of the items of a list to false if they are not there.
func completeItems(o Object, list string, members ...string) {
	var items []Object
	if !o.Get(list, &items) {
		return
	}
	for _, item := range items {
		for _, name := range members {
			if item[name] == nil {
				item[name] = Raw("false")
			}
		}
	}
	o.Set(list, items)
}

// firstOffset is the least offset that fits the frequency of a check.
func firstOffset(check Object) json.RawMessage {
	if string(check["frequency"]) == "0" {
		return Raw("10")
	}
	return Raw("1")
}

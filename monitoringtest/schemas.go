package monitoringtest

import "maps"

var checkSchema = schema{
	"name": text, "activated": boolean, "muted": boolean, "doubleCheck": boolean, "shouldFail": boolean,
	"locations": array | null, "tags": array | null, "alertSettings": members | null, "useGlobalAlertSettings": boolean,
	"groupId": integer | null, "groupOrder": number | null, "runtimeId": text | null, "alertChannelSubscriptions": array | null,
	"retryStrategy": members | null, "triggerIncident": members | null, "runParallel": boolean, "description": text | null,
	"frequency": integer, "privateLocations": array | null, "checkType": text,
	"intent": members | null, "aiAutoRepairEnabled": boolean | null,
}

func (s schema) and(more schema) schema {
	all := maps.Clone(s)
	maps.Copy(all, more)
	return all
}

var (
	tcpSchema = checkSchema.and(schema{
		"request": members, "frequencyOffset": integer, "degradedResponseTime": number | null, "maxResponseTime": number | null,
	})
	browserSchema = checkSchema.and(schema{
		"script": text | null, "scriptPath": text | null, "dependencies": array | null, "sslCheckDomain": text | null,
		"environmentVariables": array | null,
	})
	anySchema = tcpSchema.and(browserSchema).and(schema{
		"setupSnippetId": integer | null, "tearDownSnippetId": integer | null, "localSetupScript": text | null,
		"localTearDownScript": text | null, "heartbeat": members | null,
	})
	tcpRequestSchema = schema{
		"hostname": text, "port": integer, "data": text | null, "assertions": array, "ipFamily": text,
		"url": text, "body": text | null,
	}
)

func ruleTCP(o object) *violation {
	if o["name"] == nil {
		return badPart("name", "is required")
	}
	var request object
	if !o.get("request", &request) {
		return badPart("request", "is required")
	}
	if problem := tcpRequestSchema.check(request, "request."); problem != nil {
		return problem
	}
	var port float64
	if !request.get("port", &port) {
		return badPart("request.port", "is required")
	}
	if port < 1 || port > 65535 {
		return badPart("request.port", "must be between 1 and 65535")
	}
	if family := request.text("ipFamily"); family != "" && family != "IPv4" && family != "IPv6" {
		return badPart("request.ipFamily", "must be one of IPv4, IPv6")
	}
	if kind := o.text("checkType"); kind != "" && kind != "TCP" {
		return badPart("checkType", "must be TCP")
	}
	return nil
}

var groupSchema = schema{
	"name": text, "activated": boolean, "muted": boolean, "tags": array | null, "locations": array | null, "concurrency": number,
	"apiCheckDefaults": members, "browserCheckDefaults": text, "runtimeId": text | null, "environmentVariables": array | null,
	"alertChannelSubscriptions": array | null, "setupSnippetId": integer | null, "tearDownSnippetId": integer | null,
	"localSetupScript": text | null, "localTearDownScript": text | null, "privateLocations": array | null,
	"runParallel": boolean | null, "alertSettings": members | null, "retryStrategy": members | text | null,
	"useGlobalAlertSettings": boolean | null, "doubleCheck": boolean,
}

var apiDefaultsSchema = schema{
	"url": text | null, "headers": array, "queryParameters": array, "assertions": array, "basicAuth": members | null,
}

func ruleGroup(o object) *violation {
	if o["name"] == nil {
		return badPart("name", "is required")
	}
	var concurrency float64
	if o.get("concurrency", &concurrency) && concurrency < 1 {
		return badPart("concurrency", "must be at least 1")
	}
	if s := o.text("retryStrategy"); s != "" && s != "FALLBACK" {
		return badPart("retryStrategy", "must be an object or FALLBACK")
	}
	var defaults object
	if o.get("apiCheckDefaults", &defaults) {
		return apiDefaultsSchema.check(defaults, "apiCheckDefaults.")
	}
	return nil
}

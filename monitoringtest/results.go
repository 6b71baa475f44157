package monitoringtest

import (
	"maps"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// resultRef is an attempt of a session, found by the id of its result.
type resultRef struct {
	session *session
	run     *run
	attempt int
	set     map[string]any // what SetResult set; nil for nothing
}

func (s *Service) getResult(c *call) response {
	ref, there := s.resultsByID[c.params[1]]
	if !there || ref.session.spec.CheckID != c.params[0] || c.now.Before(ref.session.visible) {
		return notFound()
	}
	for _, a := range ref.session.attempts(ref.run, c.now) {
		if a.index == ref.attempt && a.kind != "" {
			return success(s.result(ref.session, a))
		}
	}
	return notFound() // the attempt has not ended, or never ran
}

// SetResult sets members of a result as the service returns it, such as "traceId", or
// "apiCheckResult" with "requestError" in it. Payloads may have any shape. Objects are
// replaced member by member, everything else, lists too, as a whole; nil is null. Members
// that the items of a session have as well change there, too. It panics for a result that
// does not exist; see [Service.ResultIDs].
func (s *Service) SetResult(resultID string, members map[string]any) {
	members = plain(members)
	s.mu.Lock()
	defer s.mu.Unlock()
	ref, there := s.resultsByID[resultID]
	if !there {
		panic("monitoringtest: there is no result with the id " + resultID)
	}
	ref.set = members
	s.resultsByID[resultID] = ref
}

// plain returns the members as what their JSON decodes to: maps, lists and scalars.
func plain(members map[string]any) (m map[string]any) {
	if members == nil {
		return nil
	}
	mustUnmarshal(mustMarshal(members), &m)
	return m
}

// setMembers returns the members of a result that a test set, in the order in which they
// are put on top of the generated ones.
func (s *state) setMembers(x *session, a attempt) []map[string]any {
	var list []map[string]any
	if a.kind == monitoring.ResultFinal && x.spec.Result != nil {
		list = append(list, x.spec.Result)
	}
	if set := s.resultsByID[a.id()].set; set != nil {
		list = append(list, set)
	}
	return list
}

// merge puts members on top of an object, objects member by member.
func merge(onto fields, members map[string]any) fields {
	merged := maps.Clone(onto)
	for name, v := range members {
		inner, isObject := v.(map[string]any)
		if old, wasObject := merged[name].(map[string]any); isObject && wasObject {
			v = merge(old, inner)
		}
		merged[name] = v
	}
	return merged
}

type fields = map[string]any

// result returns the full result of an attempt that has ended.
func (s *state) result(x *session, t attempt) fields {
	f := x.flags(t)
	v := fields{
		"id": t.id(), "name": x.spec.Name, "checkId": x.spec.CheckID,
		"hasFailures": f.HasFailures, "hasErrors": f.HasErrors, "isDegraded": f.IsDegraded, "isCancelled": f.IsCancelled,
		"overMaxResponseTime": false, "runLocation": t.run.location,
		"startedAt": stamp(t.begin), "stoppedAt": stamp(t.end), "created_at": stamp(t.end.Add(100 * time.Millisecond)),
		"responseTime": x.responseTime(t), "checkRunId": x.runID, "attempts": t.index,
		"resultType": t.kind, "sequenceId": t.run.sequence, "traceId": nil, "errorGroupIds": []string{},
		"apiCheckResult": nil, "browserCheckResult": nil, "multiStepCheckResult": nil, "agenticCheckResult": nil,
		"playwrightCheckResult": nil, "tracerouteCheckResult": nil, "grpcCheckResult": nil, "sslCheckResult": nil,
	}
	if f.HasFailures {
		ids := []string{}
		for _, g := range s.errorGroups[x.spec.CheckID] {
			ids = append(ids, g.id)
		}
		v["errorGroupIds"] = ids
	}
	maps.Copy(v, payload(x, t, f))
	for _, members := range s.setMembers(x, t) {
		v = merge(v, members)
	}
	delete(v, "aborted") // which only sessions tell
	return v
}

// payload returns the member of a result that belongs to the type of its check.
func payload(x *session, t attempt, f resultFlags) fields {
	failure := ""
	if f.HasFailures {
		failure = x.failure()
	}
	begin, end := t.begin.UnixMilli(), t.end.UnixMilli()
	took := x.responseTime(t)
	switch x.spec.Type {
	case monitoring.CheckTypeAPI:
		return fields{"apiCheckResult": apiPayload(x, failure, begin, took)}
	case monitoring.CheckTypeBrowser:
		p := scriptPayload(failure, begin, end)
		p["type"] = "PLAYWRIGHT"
		p["traceSummary"] = fields{"consoleErrors": 0, "networkErrors": 0, "documentErrors": 0, "userScriptErrors": count(failure)}
		p["pages"] = []fields{{"url": "https://shop.test/", "webVitals": fields{"LCP": fields{"score": "GOOD", "value": 812.4}}}}
		p["playwrightTestVideos"] = []string{}
		return fields{"browserCheckResult": p}
	case monitoring.CheckTypeMultiStep:
		return fields{"multiStepCheckResult": scriptPayload(failure, begin, end)}
	case monitoring.CheckTypePlaywright:
		errors := []fields{}
		if failure != "" {
			errors = []fields{{"testName": x.spec.Name, "message": failure}}
		}
		return fields{"playwrightCheckResult": fields{
			"errors": errors, "playwrightTraceFiles": []fields{}, "jobLog": nil, "jobAssets": nil,
			"playwrightTestVideos": nil, "playwrightTestTraces": []string{}, "playwrightTestJsonReportFile": nil,
		}}
	case monitoring.CheckTypeAgentic:
		errors := []fields{}
		if failure != "" {
			errors = []fields{{"error": fields{"message": failure}}}
		}
		return fields{"agenticCheckResult": fields{
			"summary": nil, "prompt": "Open the page and confirm that it works.",
			"assertions":  []fields{{"condition": "the page works", "passed": failure == "", "actual": failure, "expected": ""}},
			"suggestions": []fields{}, "errors": errors, "artifactManifest": nil,
			"steps": []fields{{"type": "message", "output": "Starting.", "timestamp": stamp(t.begin), "sequenceNumber": 1}},
		}}
	case monitoring.CheckTypeTraceroute:
		latency := fields{"avgMs": took, "bestMs": took - 5, "worstMs": took + 5}
		return fields{"tracerouteCheckResult": fields{
			"totalHops": 9, "destinationReached": failure == "", "finalHopLatency": latency,
			"timingPhases": fields{"dns": 1.2, "total": took}, "requestError": orNil(failure),
			"request": fields{"url": "api.shop.test", "protocol": "TCP", "port": 443}, "assertions": []fields{},
			"response": fields{
				"hostname": "api.shop.test", "resolvedIp": "203.0.113.10", "totalHops": 9, "destinationReached": failure == "",
				"truncationReason": map[bool]string{true: "destinationReached", false: "maxHops"}[failure == ""], "finalHopLatency": latency,
				"hops": []fields{}, "protocol": "TCP", "probeProtocol": "TCP",
			},
		}}
	case monitoring.CheckTypeGRPC:
		code, health, label := 0, 1, "SERVING"
		if failure != "" {
			code, health, label = 14, 2, "NOT_SERVING"
		}
		phases := fields{"dns": 1.2, "connect": 16.8, "total": took}
		return fields{"grpcCheckResult": fields{
			"grpcStatusCode": code, "healthStatus": health, "timingPhases": phases, "requestError": orNil(failure), "request": nil, "assertions": []fields{},
			"response": fields{
				"grpcMode": "HEALTH", "host": "grpc.shop.test", "resolvedIp": "203.0.113.4", "port": 443,
				"grpcMethod": "grpc.health.v1.Health/Check", "responseMessage": "", "grpcStatusCode": code, "grpcStatusMessage": failure,
				"healthStatus": health, "healthStatusLabel": label, "metadata": []fields{}, "discoveredMethods": []string{},
				"requestError": orNil(failure), "timingPhases": phases,
			},
		}}
	case monitoring.CheckTypeSSL:
		return fields{"sslCheckResult": sslPayload(failure, took)}
	}
	return nil // TCP, URL, DNS and ICMP results have no payload
}

func apiPayload(x *session, failure string, begin int64, took float64) fields {
	status, reason, body := 200, "OK", `{"status":"ok"}`
	assertion := fields{
		"order": 0, "source": "STATUS_CODE", "property": "", "comparison": "EQUALS", "target": "200", "regex": nil, "error": nil, "actual": 200,
	}
	if failure != "" {
		status, reason, body = 500, "Internal Server Error", `{"error":"internal"}`
		assertion["error"], assertion["actual"] = failure, status
	}
	return fields{
		"assertions": []fields{assertion},
		"request":    fields{"method": "GET", "url": "https://api.shop.test/health", "data": "", "headers": fields{}, "params": fields{}},
		"response": fields{
			"status": status, "statusText": reason, "body": body,
			"headers":      fields{"content-type": "application/json; charset=utf-8"},
			"timings":      fields{"socket": 0.8, "lookup": 19.1, "connect": 42.6, "response": took, "end": took},
			"timingPhases": fields{"wait": 0.8, "dns": 18.3, "tcp": 23.5, "firstByte": max(took-43, 0), "download": 0.2, "total": took},
		},
		"requestError": nil,
		"jobLog":       fields{"setup": []fields{{"time": begin, "msg": "Preparing request", "level": "INFO"}}, "request": []fields{}, "teardown": []fields{}},
		"jobAssets":    nil, "pcapDataUrl": nil,
	}
}

func scriptPayload(failure string, begin, end int64) fields {
	errors := []any{}
	if failure != "" {
		errors = append(errors, failure)
	}
	return fields{
		"errors": errors, "startTime": begin, "endTime": end, "runtimeVersion": "2026.04",
		"jobLog":    []fields{{"time": begin, "msg": "Starting job", "level": "DEBUG"}},
		"jobAssets": []string{}, "playwrightTestTraces": []string{},
	}
}

func sslPayload(failure string, took float64) fields {
	valid := failure == ""
	days, verdict, grade := 61, "pass", "A-"
	var category any
	if !valid {
		days, verdict, grade, category = -3, "fail", "F", "chain"
	}
	return fields{
		"tlsVersion": "TLS 1.3", "cipherSuite": "TLS_AES_256_GCM_SHA384", "daysUntilExpiry": days, "handshakeTimeMs": took,
		"chainTrusted": valid, "hostnameVerified": true, "baselineVerdict": verdict, "baselineGrade": grade,
		"failureCategory": category, "requestError": orNil(failure), "request": fields{"hostname": "shop.test", "port": 443}, "assertions": []fields{},
		"response": fields{
			"resolvedIp": "203.0.113.30", "protocol": "TLS 1.3", "cipherSuite": "TLS_AES_256_GCM_SHA384", "handshakeTimeMs": took,
			"hostnameVerified": true, "chainTrusted": valid, "daysUntilExpiry": days, "ocspStapled": false,
			"securityBaseline": fields{"verdict": verdict, "grade": grade},
			"certificate":      fields{"subjectCN": "shop.test", "issuerCN": "Example Issuing CA", "sans": []string{"shop.test"}},
			"chain":            []fields{{"subjectCN": "Example Issuing CA"}},
		},
	}
}

// failure returns the error message of a failing result.
func (x *session) failure() string {
	if x.spec.Error != "" {
		return x.spec.Error
	}
	if x.spec.Outcome == monitoring.SessionTimedOut {
		return "The run did not end in time."
	}
	switch x.spec.Type {
	case monitoring.CheckTypeAPI:
		return "Expected 500 to equal 200"
	case monitoring.CheckTypeBrowser, monitoring.CheckTypePlaywright:
		return "Timeout 10000ms exceeded waiting for locator('#submit')"
	case monitoring.CheckTypeMultiStep:
		return "expect(received).toBe(expected)"
	case monitoring.CheckTypeAgentic:
		return "Request failed: 503"
	case monitoring.CheckTypeTraceroute:
		return "Destination not reached after 9 hops"
	case monitoring.CheckTypeGRPC:
		return "connection refused"
	case monitoring.CheckTypeSSL:
		return "x509: certificate has expired"
	}
	return "connect ECONNREFUSED 203.0.113.9"
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func count(failure string) int {
	if failure == "" {
		return 0
	}
	return 1
}

// ResultIDs returns the ids of the results a session has so far, in the order in which a
// read of the session lists them. It panics for a session that does not exist.
func (s *Service) ResultIDs(sessionID string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.sessionsByID[sessionID]
	if x == nil {
		panic("monitoringtest: there is no session with the id " + sessionID)
	}
	var ids []string
	for _, r := range s.view(x, time.Now()).Results {
		ids = append(ids, r.ID)
	}
	return ids
}

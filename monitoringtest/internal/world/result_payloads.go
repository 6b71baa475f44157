package world

import (
	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// payload returns the member of a result that belongs to the type of its check.
func payload(x *Session, t attempt, f resultFlags) Fields {
	failure := ""
	if f.HasFailures {
		failure = x.failure()
	}
	begin, end := t.begin.UnixMilli(), t.end.UnixMilli()
	took := x.responseTime(t)
	switch x.Spec.Type {
	case monitoring.CheckTypeAPI:
		return Fields{"apiCheckResult": apiPayload(failure, begin, took)}
	case monitoring.CheckTypeBrowser:
		p := scriptPayload(failure, begin, end)
		p["type"] = "PLAYWRIGHT"
		p["traceSummary"] = Fields{"consoleErrors": 0, "networkErrors": 0, "documentErrors": 0, "userScriptErrors": count(failure)}
		p["pages"] = []Fields{{"url": "https://shop.test/", "webVitals": Fields{"LCP": Fields{"score": "GOOD", "value": 812.4}}}}
		p["playwrightTestVideos"] = []string{}
		return Fields{"browserCheckResult": p}
	case monitoring.CheckTypeMultiStep:
		return Fields{"multiStepCheckResult": scriptPayload(failure, begin, end)}
	case monitoring.CheckTypePlaywright:
		errors := []Fields{}
		if failure != "" {
			errors = []Fields{{"testName": x.Spec.Name, "message": failure}}
		}
		return Fields{"playwrightCheckResult": Fields{
			"errors": errors, "playwrightTraceFiles": []Fields{}, "jobLog": nil, "jobAssets": nil,
			"playwrightTestVideos": nil, "playwrightTestTraces": []string{}, "playwrightTestJsonReportFile": nil,
		}}
	case monitoring.CheckTypeAgentic:
		errors := []Fields{}
		if failure != "" {
			errors = []Fields{{"error": Fields{"message": failure}}}
		}
		return Fields{"agenticCheckResult": Fields{
			"summary": nil, "prompt": "Open the page and confirm that it works.",
			"assertions":  []Fields{{"condition": "the page works", "passed": failure == "", "actual": failure, "expected": ""}},
			"suggestions": []Fields{}, "errors": errors, "artifactManifest": nil,
			"steps": []Fields{{"type": "message", "output": "Starting.", "timestamp": fakeclock.Stamp(t.begin), "sequenceNumber": 1}},
		}}
	case monitoring.CheckTypeTraceroute:
		latency := Fields{"avgMs": took, "bestMs": took - 5, "worstMs": took + 5}
		return Fields{"tracerouteCheckResult": Fields{
			"totalHops": 9, "destinationReached": failure == "", "finalHopLatency": latency,
			"timingPhases": Fields{"dns": 1.2, "total": took}, "requestError": orNil(failure),
			"request": Fields{"url": "api.shop.test", "protocol": "TCP", "port": 443}, "assertions": []Fields{},
			"response": Fields{
				"hostname": "api.shop.test", "resolvedIp": "203.0.113.10", "totalHops": 9, "destinationReached": failure == "",
				"truncationReason": map[bool]string{true: "destinationReached", false: "maxHops"}[failure == ""], "finalHopLatency": latency,
				"hops": []Fields{}, "protocol": "TCP", "probeProtocol": "TCP",
			},
		}}
	case monitoring.CheckTypeGRPC:
		code, health, label := 0, 1, "SERVING"
		if failure != "" {
			code, health, label = 14, 2, "NOT_SERVING"
		}
		phases := Fields{"dns": 1.2, "connect": 16.8, "total": took}
		return Fields{"grpcCheckResult": Fields{
			"grpcStatusCode": code, "healthStatus": health, "timingPhases": phases, "requestError": orNil(failure), "request": nil,
			"assertions": []Fields{},
			"response": Fields{
				"grpcMode": "HEALTH", "host": "grpc.shop.test", "resolvedIp": "203.0.113.4", "port": 443,
				"grpcMethod": "grpc.health.v1.Health/Check", "responseMessage": "", "grpcStatusCode": code, "grpcStatusMessage": failure,
				"healthStatus": health, "healthStatusLabel": label, "metadata": []Fields{}, "discoveredMethods": []string{},
				"requestError": orNil(failure), "timingPhases": phases,
			},
		}}
	case monitoring.CheckTypeSSL:
		return Fields{"sslCheckResult": sslPayload(failure, took)}
	}
	return nil // TCP, URL, DNS and ICMP results have no payload
}

func apiPayload(failure string, begin int64, took float64) Fields {
	status, reason, body := 200, "OK", `{"status":"ok"}`
	assertion := Fields{
		"order": 0, "source": "STATUS_CODE", "property": "", "comparison": "EQUALS", "target": "200", "regex": nil, "error": nil, "actual": 200,
	}
	if failure != "" {
		status, reason, body = 500, "Internal Server Error", `{"error":"internal"}`
		assertion["error"], assertion["actual"] = failure, status
	}
	return Fields{
		"assertions": []Fields{assertion},
		"request":    Fields{"method": "GET", "url": "https://api.shop.test/health", "data": "", "headers": Fields{}, "params": Fields{}},
		"response": Fields{
			"status": status, "statusText": reason, "body": body,
			"headers":      Fields{"content-type": "application/json; charset=utf-8"},
			"timings":      Fields{"socket": 0.8, "lookup": 19.1, "connect": 42.6, "response": took, "end": took},
			"timingPhases": Fields{"wait": 0.8, "dns": 18.3, "tcp": 23.5, "firstByte": max(took-43, 0), "download": 0.2, "total": took},
		},
		"requestError": nil,
		"jobLog": Fields{"setup": []Fields{{"time": begin, "msg": "Preparing request", "level": "INFO"}}, "request": []Fields{},
			"teardown": []Fields{}},
		"jobAssets": nil, "pcapDataUrl": nil,
	}
}

func scriptPayload(failure string, begin, end int64) Fields {
	errors := []any{}
	if failure != "" {
		errors = append(errors, failure)
	}
	return Fields{
		"errors": errors, "startTime": begin, "endTime": end, "runtimeVersion": "2026.04",
		"jobLog":    []Fields{{"time": begin, "msg": "Starting job", "level": "DEBUG"}},
		"jobAssets": []string{}, "playwrightTestTraces": []string{},
	}
}

func sslPayload(failure string, took float64) Fields {
	valid := failure == ""
	days, verdict, grade := 61, "pass", "A-"
	var category any
	if !valid {
		days, verdict, grade, category = -3, "fail", "F", "chain"
	}
	return Fields{
		"tlsVersion": "TLS 1.3", "cipherSuite": "TLS_AES_256_GCM_SHA384", "daysUntilExpiry": days, "handshakeTimeMs": took,
		"chainTrusted": valid, "hostnameVerified": true, "baselineVerdict": verdict, "baselineGrade": grade,
		"failureCategory": category, "requestError": orNil(failure), "request": Fields{"hostname": "shop.test", "port": 443},
		"assertions": []Fields{},
		"response": Fields{
			"resolvedIp": "203.0.113.30", "protocol": "TLS 1.3", "cipherSuite": "TLS_AES_256_GCM_SHA384", "handshakeTimeMs": took,
			"hostnameVerified": true, "chainTrusted": valid, "daysUntilExpiry": days, "ocspStapled": false,
			"securityBaseline": Fields{"verdict": verdict, "grade": grade},
			"certificate":      Fields{"subjectCN": "shop.test", "issuerCN": "Example Issuing CA", "sans": []string{"shop.test"}},
			"chain":            []Fields{{"subjectCN": "Example Issuing CA"}},
		},
	}
}

// failure returns the error message of a failing result.
func (x *Session) failure() string {
	if x.Spec.Error != "" {
		return x.Spec.Error
	}
	if x.Spec.Outcome == monitoring.SessionTimedOut {
		return "The run did not end in time."
	}
	switch x.Spec.Type {
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

func count(failure string) int {
	if failure == "" {
		return 0
	}
	return 1
}

package main

import (
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const demoTag = "production" // of all checks of -demo

// demo makes a service with made-up data: a check that fails in one location, one that is degraded,
// one that passes at its second attempt, and others that pass.
func demo() *monitoringtest.Service {
	svc := monitoringtest.New()
	const ms = time.Millisecond
	eu, us, asia := "eu-central-1", "us-east-1", "ap-northeast-1"
	all, tags := []string{eu, us, asia}, []string{demoTag, "passing"}
	for _, c := range []monitoringtest.Check{
		{Name: "Home page", Type: "URL", Tags: tags, Locations: all, ResponseTime: 184 * ms, RunTime: time.Second},
		{Name: "Search API", Tags: tags, Locations: all, ResponseTime: 96 * ms, RunTime: 1200 * ms},
		{Name: "Orders database", Type: "TCP", Tags: tags, Locations: []string{eu}, ResponseTime: 12 * ms, RunTime: 700 * ms},
		{Name: "Payment provider", Tags: tags, Locations: []string{eu, us}, Attempts: 1, ResponseTime: 412 * ms, RunTime: 2500 * ms},
		{Name: "Login flow", Type: "BROWSER", Tags: tags, Locations: []string{eu, us}, ResponseTime: 3420 * ms, RunTime: 3 * time.Second},
		{Name: "Storefront suite", Type: "PLAYWRIGHT", Tags: tags, Locations: []string{eu}, ResponseTime: 3800 * ms, RunTime: 4000 * ms},
		{
			Name: "Checkout API", Tags: tags[:1], Locations: all, FailIn: []string{us}, Outcome: "FAILED", Attempts: 1,
			ResponseTime: 238 * ms, RunTime: 2 * time.Second, Error: "Expected status code 500 to equal 200",
			Result: map[string]any{"apiCheckResult": demoAnswer},
		},
		{
			Name: "Product images", Type: "URL", Tags: tags[:1], Locations: []string{eu, asia}, Outcome: "DEGRADED",
			Members: map[string]any{"degradedResponseTime": 2000, "maxResponseTime": 5000}, ResponseTime: 2140 * ms, RunTime: 1800 * ms,
		},
	} {
		svc.AddCheck(c)
	}
	return svc
}

// demoAnswer is what a check of the demo got from the API that fails.
var demoAnswer = map[string]any{
	"request": map[string]any{"method": "GET", "url": "https://api.shop.test/health"},
	"response": map[string]any{
		"status": 500, "statusText": "Internal Server Error",
		"body": `{"error":"internal","cause":"no connection to payments-db after 3 tries","release":"118","requestId":"7f3c2a"}`,
		"headers": map[string]any{
			"content-type": "application/json", "retry-after": "30", "server": "envoy", "set-cookie": "sid=5c1f0a; HttpOnly", "x-request-id": "7f3c2a",
		},
		"timingPhases": map[string]any{"wait": 0.8, "dns": 18.3, "tcp": 23.5, "tls": 41.2, "firstByte": 153.9, "download": 0.3, "total": 238},
	},
	"assertions": []map[string]any{
		{
			"order": 0, "source": "STATUS_CODE", "property": "", "comparison": "EQUALS", "target": "200", "actual": 500,
			"error": "Expected status code 500 to equal 200",
		},
		{"order": 1, "source": "RESPONSE_TIME", "property": "", "comparison": "LESS_THAN", "target": "2000", "actual": 238, "error": nil},
		{"order": 2, "source": "HEADERS", "property": "content-type", "comparison": "CONTAINS", "target": "json", "actual": "application/json", "error": nil},
	},
}

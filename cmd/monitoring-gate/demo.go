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
			ResponseTime: 238 * ms, RunTime: 2 * time.Second, Error: "Expected status code 503 to equal 200: upstream connect error",
		},
		{
			Name: "Product images", Type: "URL", Tags: tags[:1], Locations: []string{eu, asia}, Outcome: "DEGRADED",
			ResponseTime: 2140 * ms, RunTime: 1800 * ms,
		},
	} {
		svc.AddCheck(c)
	}
	return svc
}

package bench_test

import (
	"fmt"
	"strings"
)

// The bodies are made up, in the form in which the service sends them.

// groupBody is a check group of 2 KB.
func groupBody() string {
	variables := make([]string, 6)
	for i := range variables {
		variables[i] = fmt.Sprintf(`{"key":"SERVICE_%d_URL","value":"https://service-%d.internal.shop.test/api","locked":false,"secret":false}`, i, i)
	}
	return `{"id":4712,"name":"Search","activated":true,"muted":false,"tags":["production","search","team-a"],` +
		`"locations":["eu-central-1","us-east-1","ap-southeast-3"],"concurrency":3,"apiCheckDefaults":{"url":"https://api.shop.test",` +
		`"headers":[{"key":"Cache-Control","value":"no-store","locked":false},{"key":"X-Env","value":"prod","locked":false}],` +
		`"queryParameters":[{"key":"page","value":"1","locked":false}],"assertions":[{"source":"STATUS_CODE","comparison":"EQUALS","property":"","target":"200","regex":null},` +
		`{"source":"RESPONSE_TIME","comparison":"LESS_THAN","property":"","target":"2000","regex":null}],"basicAuth":{"username":"probe","password":"sample-password"}},` +
		`"browserCheckDefaults":"","environmentVariables":[` + strings.Join(variables, ",") + `],"useGlobalAlertSettings":false,` +
		`"alertSettings":{"escalationType":"TIME_BASED","timeBasedEscalation":{"minutesFailingThreshold":10},"reminders":{"amount":2,"interval":30},` +
		`"parallelRunFailureThreshold":{"enabled":true,"percentage":50},"sslCertificates":{"enabled":false,"alertThreshold":30}},` +
		`"alertChannelSubscriptions":[{"alertChannelId":263584,"activated":true}],"setupSnippetId":12,"tearDownSnippetId":null,` +
		`"localSetupScript":"request.headers['x-run']='1'","localTearDownScript":null,"runtimeId":"2026.04","privateLocations":null,` +
		`"retryStrategy":{"type":"EXPONENTIAL","baseBackoffSeconds":5,"sameRegion":false,"maxRetries":3,"maxDurationSeconds":300,"onlyOn":["NETWORK_ERROR"]},` +
		`"created_at":"2026-07-14T09:12:44.310Z","updated_at":"2026-08-01T07:00:00.000Z","runParallel":true}`
}

// alertsBody is a page of 100 alert notifications.
func alertsBody() string {
	items := make([]string, 100)
	for i := range items {
		items[i] = fmt.Sprintf(`{"id":"0c9f0e2b-6a3e-4f4d-9c57-6c1f5b7e8%03d","type":"WEBHOOK","status":"FAILURE",`+
			`"alertConfig":{"name":"incident hook","url":"https://hooks.shop.test/x","method":"POST","headers":[{"key":"x-env","value":"prod","locked":false}],"queryParameters":[]},`+
			`"notificationResult":"{\"error\":\"upstream 503\"}","timestamp":"2026-08-19T10:16:01.000Z","checkType":"API",`+
			`"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","checkAlertId":"f2b7a6c5-1d0e-4b3a-9f8e-7d6c5b4a3f21","alertChannelId":263584,`+
			`"checkResultId":"1f0a7c0e-6d0b-4a69-b1f5-0d9a6f3c2b71"}`, i)
	}
	return "[" + strings.Join(items, ",") + "]"
}

const logEntries = 3700

// resultBody is the result of a browser check with a log of 1 MB.
func resultBody() string {
	entries := make([]string, logEntries)
	for i := range entries {
		entries[i] = fmt.Sprintf(`{"time":%d,"msg":"step %d: %s","level":"DEBUG"}`, 1787140800000+i, i, strings.Repeat("waited for the page; ", 11))
	}
	return `{"id":"3e0f5d2b-2f4f-4f6e-9e0c-9b2c4c1d8f55","name":"Login flow","checkId":"c1f4b0a2-6f8e-4b7c-8b5e-2a7d9e3c6f77","hasFailures":true,"hasErrors":false,` +
		`"isDegraded":null,"isCancelled":false,"overMaxResponseTime":null,"runLocation":"us-west-2","startedAt":"2026-08-19T12:00:00.000Z",` +
		`"stoppedAt":"2026-08-19T12:00:09.412Z","created_at":"2026-08-19T12:00:09.900Z","responseTime":9412,"browserCheckResult":{"type":"PLAYWRIGHT",` +
		`"traceSummary":{"consoleErrors":1,"networkErrors":0,"documentErrors":0,"userScriptErrors":1},` +
		`"pages":[{"url":"https://shop.test/login","webVitals":{"LCP":{"score":"GOOD","value":812.4},"CLS":{"score":"NEEDS_IMPROVEMENT","value":0.1464843}}}],` +
		`"errors":[{"name":"Error","message":"expect(received).toBe(expected)","stack":"Error: expect(received)..."}],"startTime":1787140800000,"endTime":1787140809412,` +
		`"runtimeVersion":"2026.04","jobLog":[` + strings.Join(entries, ",") + `],"jobAssets":["screenshots/failure-1.png"],` +
		`"playwrightTestVideos":["https://files.service.test/v/1.webm"],"playwrightTestTraces":["https://files.service.test/t/1.zip"]},` +
		`"checkRunId":1787140800000,"attempts":1,"resultType":"FINAL","sequenceId":null,"traceId":null,"errorGroupIds":["d2c6f1c8-17f8-4d35-9a0d-0c6a5e1f7b90"]}`
}

// sessionsBody is the response to a trigger that started 50 sessions.
func sessionsBody() string {
	items := make([]string, 50)
	for i := range items {
		items[i] = fmt.Sprintf(`{"checkSessionId":"c0a4a2b7-3c1f-4f0e-8a57-2b7c5b1d9e%02d",`+
			`"checkSessionLink":"https://app.service.test/accounts/8f9c2a10-11d2-4e0b-9a3e-7c1d5e2f6a40/check-sessions/c0a4a2b7-3c1f-4f0e-8a57-2b7c5b1d9e%02d",`+
			`"checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e%02d","checkType":"API","name":"Checkout API %d","status":"STARTED","startedAt":"2026-08-19T10:15:00.120Z",`+
			`"stoppedAt":null,"timeElapsed":0,"runLocations":["eu-central-1","us-east-1"],"runSource":"TRIGGER_API"}`, i, i, i, i)
	}
	return `{"sessions":[` + strings.Join(items, ",") + `]}`
}

// tcpBody is a TCP check that was created.
func tcpBody() string {
	return `{"id":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","checkType":"TCP","name":"Broker","frequency":10,"frequencyOffset":3,"activated":true,"muted":false,` +
		`"shouldFail":false,"locations":["eu-central-1","us-east-1"],"tags":["production"],"degradedResponseTime":3000,"maxResponseTime":5000,` +
		`"request":{"hostname":"broker.shop.test","port":5671,"data":null,"assertions":[{"source":"RESPONSE_TIME","comparison":"LESS_THAN","property":"","target":"500","regex":null}],"ipFamily":"IPv4"},` +
		`"runParallel":true,"created_at":"2026-07-14T09:12:44.310Z","updated_at":null}`
}

// locationsBody is as small as a response is.
func locationsBody() string { return `[{"region":"eu-west-1","name":"Ireland"}]` }

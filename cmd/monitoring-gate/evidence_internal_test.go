package main

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// inText is the text of a part of a page, each element on a line of its own.
func inText(page string) string {
	page = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(page, "")
	page = regexp.MustCompile(`</?(?:b|span|a|q|small)\b[^>]*>`).ReplaceAllString(page, "")
	page = regexp.MustCompile(`\s*<[^>]*>\s*`).ReplaceAllString(page, "\n")
	return html.UnescapeString(regexp.MustCompile(`\n+`).ReplaceAllString(page, "\n"))
}

func TestWhatEachKindOfCheckShows(t *testing.T) {
	for kind, want := range map[monitoring.CheckType]string{
		"API":        "Request\nGET https://api.shop.test/health\nResponse\n500 Internal Server Error\nAssertions\nSource\nExpected\nActual\nOutcome\nstatus code\nequals 200\n500\n✗ failed\nTimings\nwait\n1 ms\ndns\n18 ms\ntcp\n24 ms\nfirst byte\n257 ms\ndownload\n0 ms\nBody\n{\"error\":\"internal\"}\n1 response header\ncontent-type\napplication/json; charset=utf-8\n",
		"BROWSER":    "Page\nhttps://shop.test/\nuser script errors\n1\nRuntime\n2026.04\n",
		"MULTI_STEP": "Runtime\n2026.04\n",
		"AGENTIC":    "Assertions\nSource\nExpected\nActual\nOutcome\nthe page works\nwrong answer\n✗ failed\n",
		"TRACEROUTE": "Request\nTCP api.shop.test\nAddress\n203.0.113.10\nEnded because\nmaxHops\nDestination reached\nno\nHops\n9\nLatency\n300 ms on average\nTimings\ndns\n1 ms\n",
		"GRPC":       "Request\ngrpc.shop.test:443 grpc.health.v1.Health/Check\nResponse\nstatus 14 wrong answer\nAddress\n203.0.113.4\nHealth\nNOT_SERVING\nTimings\ndns\n1 ms\nconnect\n17 ms\n",
		"SSL":        "Request\nshop.test:443\nResponse\nTLS 1.3 TLS_AES_256_GCM_SHA384\nDays until the certificate expires\n-3\nChain is trusted\nno\nName is that of the certificate\nyes\nSecurity baseline\nfail F\nFailed at\nchain\nAddress\n203.0.113.30\nCertificate\nshop.test\nIssuer\nExample Issuing CA\n",
		"URL":        "Request\nURL GET https://shop.test/images?size=[redacted]\n",
		"TCP":        "Request\nTCP db.shop.test:5432\n",
	} {
		inBubble(t, string(kind), func(t *testing.T) {
			svc := monitoringtest.New()
			check := monitoringtest.Check{Name: "One", Type: kind, Tags: []string{"all"}, Outcome: "FAILED", ResponseTime: 300 * time.Millisecond, Error: "wrong answer"}
			switch kind {
			case "URL":
				check.Members = map[string]any{"request": map[string]any{"method": "GET", "url": "https://shop.test/images?size=5"}}
			case "TCP":
				check.Members = map[string]any{"request": map[string]any{"hostname": "db.shop.test", "port": 5432}}
			}
			svc.AddCheck(check)
			got := gateOf(t.Context(), t, svc, env(), "-tags", "all")
			text := inText(got.page)
			require.Contains(t, text, "\neu-central-1\nwrong answer\n", "its reason")
			_, details, _ := strings.Cut(text, "✗ eu-central-1 300 ms")
			details, _, _ = strings.Cut(details, "All checks")
			_, details, _ = strings.Cut(details, "\n")
			require.Equal(t, want, details)
		})
	}
}

func TestAttemptsAreShownWithTheirOwnReasons(t *testing.T) {
	for args, reads := range map[string]int{"-html page": 3, "": 1} {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.AddCheck(monitoringtest.Check{Name: "One", Tags: []string{"all"}, Outcome: "FAILED", Attempts: 2, ResponseTime: 1500 * time.Millisecond, Members: map[string]any{"maxResponseTime": 1000}})
			left := gateOf(t.Context(), t, svc, env(), "-tags", "all", "-detach")
			require.Zero(t, left.code)
			time.Sleep(time.Minute)
			session := svc.Sessions()[0]
			for i, id := range svc.ResultIDs(session.CheckSessionID) {
				svc.SetResult(id, map[string]any{"apiCheckResult": map[string]any{"requestError": fmt.Sprint("refused at attempt ", i+1)}})
			}
			before := svc.Count(opResult)
			var got ran
			if args == "" {
				code := program{env(), new(strings.Builder), new(strings.Builder), func() (*monitoring.Client, error) { return svc.Client() }}.run(t.Context(), []string{"-sessions", session.CheckSessionID})
				require.Equal(t, exitFailed, code)
			} else {
				got = gateOf(t.Context(), t, svc, env(), "-sessions", session.CheckSessionID)
				text := inText(got.page)
				require.Contains(t, text, "✗ eu-central-1 1.50 s, limit 1 s · 500 Internal Server Error · 3 attempts\n✗ Attempt 1, 1.50 s\nrefused at attempt 1\nRequest\n")
				require.Contains(t, text, "\n✗ Attempt 2, 1.50 s\nrefused at attempt 2\nRequest\n")
				require.Contains(t, text, "\n✗ Attempt 3, the last one\nrefused at attempt 3\nRequest\n")
				require.Contains(t, text, "not evaluated")
				require.Contains(t, got.json, `"limit": 1000`)
			}
			require.Equal(t, reads, svc.Count(opResult)-before, "attempts are for the page")
			require.Equal(t, 1, svc.Count("GET /v1/checks/{id}"))
		})
	}
}

func TestDetailsAreOfTheFirst50FailedResultsByName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		for i := range 130 {
			svc.AddCheck(monitoringtest.Check{Name: fmt.Sprintf("Check %03d", 129-i), Tags: []string{"all"}, Locations: []string{eu, us}, Outcome: "FAILED", Attempts: 1, Error: fmt.Sprint("wrong ", i%100)})
		}
		got := gateOf(t.Context(), t, svc, env(), "-tags", "all")
		text := inText(got.page)
		require.Equal(t, 50, strings.Count(got.page, `<details class="run"`))
		require.Equal(t, 50, strings.Count(text, "✗ Attempt 1, "), "that is 25 checks in two locations")
		for i := range 25 {
			require.Regexp(t, fmt.Sprintf(`Check %03d(?s:.{0,400})✗ eu-central-1 `, i), text)
		}
		require.Contains(t, text, "Details are there of the first 50 failed results by name, not of Check 025 in eu-central-1, Check 025 in us-east-1, ")
		require.Contains(t, text, " and 200 more.")
		require.Equal(t, 1, strings.Count(got.page, `<details class="run" open>`))
		require.Equal(t, 25, svc.Count("GET /v1/checks/{id}"))
		require.Equal(t, 260+50, svc.Count(opResult), "the results, and the attempts before 50 of them")
	})
}

func TestDetailsDoNotHoldTheGateUp(t *testing.T) {
	for name, c := range map[string]struct {
		fault monitoringtest.Fault
		took  time.Duration
	}{
		"a key that may not read checks": {monitoringtest.Fault{Operation: "GET /v1/checks/{id}", Status: 403}, 2 * time.Second},
		"checks that hang":               {monitoringtest.Fault{Operation: "GET /v1/checks/{id}", Delay: time.Hour}, 2*time.Second + reasonsTime},
		"after an interrupt":             {monitoringtest.Fault{Operation: "GET /v1/checks/{id}", Delay: time.Hour}, 3*time.Second + interruptTime},
	} {
		inBubble(t, name, func(t *testing.T) {
			svc := newService()
			svc.Inject(c.fault)
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			if name == "after an interrupt" {
				time.AfterFunc(3*time.Second, interrupt)
			}
			got := gateOf(ctx, t, svc, env(), "-tags", "broken")
			require.Equal(t, exitFailed, got.code)
			require.Equal(t, c.took, got.took)
			require.Contains(t, inText(got.page), "us-east-1\nExpected 500 to equal 200\n")
			require.Contains(t, inText(got.page), "500 Internal Server Error")
		})
	}
}

// secrets are parts of a body or a header, each with one secret in it, which is 5ec4e75ec4e7.
var secrets = map[string]string{
	"a member":                          `{"name":"Ada","apiKey":"5ec4e75ec4e7"}`,
	"one that is no text":               `{"session_id":54,"token":["5ec4e75ec4e7"],"a":1}`,
	"one inside":                        `{"a":[{"b":{"password":"5ec4e75ec4e7"}}]}`,
	"an object of secrets":              `{"credentials":{"of":"5ec4e75ec4e7"},"b":2}`,
	"a name that is escaped":            `{"pass\u0077ord":"5ec4e75ec4e7"}`,
	"a value with quotation marks":      `{"token":"\"5ec4e75ec4e7"}`,
	"JSON in JSON":                      `{"event":"{\"token\":\"5ec4e75ec4e7\",\"b\":1}"}`,
	"JSON in JSON in JSON":              `{"event":"{\"inner\":\"{\\\"token\\\":\\\"5ec4e75ec4e7\\\"}\"}"}`,
	"JSON that is cut":                  `{"a":1,"accessToken":"5ec4e75ec4e7`,
	"an object that is cut":             `{"a":1,"cookies":{"sid":"5ec4e75ec4e7"`,
	"quotation marks in what is cut":    `{"a":1,"secret":"a\"5ec4e75ec4e7","b":`,
	"no JSON at all":                    `error: 'client_secret': '5ec4e75ec4e7'`,
	"a form":                            `name=Ada&password=5ec4e75ec4e7&b=1`,
	"a form of brackets":                `user[password]=5ec4e75ec4e7`,
	"a header in a body":                "Authorization: Bearer 5ec4e75ec4e7",
	"a scheme":                          "curl -H 'Basic 5ec4e75ec4e7=='",
	"a token of the web":                "got eyJhbGciOiJIUzI1NiJ9.5ec4e75ec4e7.sig",
	"an input of HTML":                  `<form><input type=hidden name=csrf value="5ec4e75ec4e7">`,
	"one without quotation marks":       `<INPUT value=5ec4e75ec4e7 name=a>`,
	"an element of the head":            `<meta name="csrf-token" content="5ec4e75ec4e7">`,
	"an address with a query":           "see https://files.test/a?X-Amz-Signature=5ec4e75ec4e7",
	"one with a name that says nothing": "see https://files.test/a?v=5ec4e75ec4e7",
	"one that is a query alone":         "see https://files.test/a?5ec4e75ec4e7",
	"one in JSON":                       `{"url":"https:\/\/files.test\/a?b=c\u0026sig=5ec4e75ec4e7"}`,
	"one in HTML":                       `<a href="https://files.test/a?b=c&amp;Signature=5ec4e75ec4e7">`,
	"one that is escaped":               "https://x.test/?to=https%3A%2F%2Ffiles.test%2Fa%3FX-Amz-Signature%3D5ec4e75ec4e7",
	"a password of one":                 "https://ada:5ec4e75ec4e7@files.test/",
	"the key of the gate":               "the key 5ec4e75ec4e7 was refused",
	"the key where a body is cut":       strings.Repeat("x", mostBody-6) + "5ec4e75ec4e7",
	"the key where it is no more read":  strings.Repeat("x ", mostRead/2-3) + "5ec4e75ec4e7",
}

func TestNoSecretIsInTheEvidence(t *testing.T) {
	for name, text := range secrets {
		c := newCleaner(env())
		if strings.HasPrefix(name, "the key") {
			c = newCleaner(env(envKey, "5ec4e75ec4e7"))
		}
		body, whole := c.body(text)
		require.NotContains(t, body, "5ec4e7", name)
		require.LessOrEqual(t, len(body), mostBody+len("…"), name)
		require.Equal(t, len(text) < mostBody, whole, name)
		if len(text) < mostBody {
			require.Contains(t, body, "[redacted]", name)
		}
		for what, shown := range map[string]string{"a value": c.value("x-of", text), "an address": c.address(text), "a stack": c.masked(text)} {
			require.NotContains(t, shown, "5ec4e7", "%s: %s", name, what)
		}
	}
	c := newCleaner(env())
	for _, header := range []string{"set-cookie", "X-Api-Key", "authorization", "x-auth", "X-Amz-Security-Token"} {
		require.Equal(t, "[redacted]", c.value(header, "5ec4e75ec4e7"))
	}
	require.Equal(t, "[redacted]", c.value("$.user.token", "5ec4e75ec4e7"), "the property of an assertion")
}

func TestABodyIsShownAsItIs(t *testing.T) {
	c := newCleaner(env())
	for text, want := range map[string]string{
		`{"error": "upstream", "n": [1, 2.50]}`:      `{"error": "upstream", "n": [1, 2.50]}`,
		"<h1>Not Found</h1>\n\n  <p>a &amp; b</p>\n": "<h1>Not Found</h1>\n  <p>a &amp; b</p>",
		`{"password": null, "token": "x"}`:           `{"password": null, "token": [redacted]}`,
		"":                                           "",
	} {
		body, whole := c.body(text)
		require.Equal(t, want, body)
		require.True(t, whole)
	}
	long, whole := c.body(strings.Repeat("ä", 5000))
	require.False(t, whole)
	require.Equal(t, strings.Repeat("ä", mostBody/2), long)
	large, err := json.Marshal(map[string]any{"list": make([]int, 200_000)})
	require.NoError(t, err)
	var body string
	require.Less(t, testkit.Spent(func() { body, whole = c.body(string(large)) }), time.Second)
	require.False(t, whole)
	require.True(t, strings.HasPrefix(body, `{"list":[0,0,`))
	for _, c := range []struct {
		response string
		note     string
	}{
		{`{"status":200,"body":"iVBORw0KGgo=","bodyEncoding":"base64"}`, "encoded as base64, which is not shown"},
		{`{"status":200,"body":"\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u0001"}`, "10 bytes that are no text"},
		{`{"status":200,"body":"cut","truncated":true}`, "the beginning of 3 bytes"},
	} {
		var r monitoring.CheckResult
		require.NoError(t, json.Unmarshal([]byte(`{"apiCheckResult":{"response":`+c.response+`}}`), &r))
		require.Equal(t, c.note, newEvidence(&r, newCleaner(env())).BodyNote)
	}
}

func TestThePageOfFullEvidenceHasABound(t *testing.T) {
	testkit.SkipUnderRace(t)
	text := strings.Repeat(`<"&'>`, testkit.Size(400, 2000))
	headers, phases, assertions := map[string]any{}, map[string]any{}, []any{}
	for i := range 100 {
		headers[fmt.Sprint(i, text)], phases[fmt.Sprint(i, text)] = text, 5
		assertions = append(assertions, map[string]any{"source": text, "comparison": text, "target": text, "actual": text, "error": text})
	}
	data, err := json.Marshal(map[string]any{
		"apiCheckResult": map[string]any{
			"request": map[string]any{"method": text, "url": text}, "assertions": assertions,
			"response": map[string]any{"status": 500, "statusText": text, "body": text, "headers": headers, "timingPhases": phases},
		},
		"multiStepCheckResult": map[string]any{"errors": []any{map[string]any{"stack": text}, map[string]any{"stack": text}, map[string]any{"stack": text}}},
	})
	require.NoError(t, err)
	var read monitoring.CheckResult
	require.NoError(t, json.Unmarshal(data, &read))
	require.Less(t, testkit.Spent(func() { newEvidence(&read, newCleaner(env())) }), 2*time.Second)
	page := string(madeWith(1000, 200, func(i int) string { return fmt.Sprint(i, text) }, &read).page())
	require.LessOrEqual(t, len(page), 10_000_000)
	require.True(t, strings.Contains(page, "</html>"))
	page = string(madeWith(3000, 3000, func(i int) string { return fmt.Sprint(i) }, apiResult(t)).page())
	require.LessOrEqual(t, len(page), 10_000_000)
}

func TestThePageSaysWhatItIs(t *testing.T) {
	github := []string{
		envActions, "true", "GITHUB_SHA", "8deeeb8c0ffee8deeeb8c0ffee", "GITHUB_REF_NAME", "118/merge", "GITHUB_HEAD_REF", "release/118", "GITHUB_WORKFLOW", "Deploy",
		"GITHUB_JOB", "gate", "GITHUB_SERVER_URL", "https://github.com", "GITHUB_REPOSITORY", "shop/web", "GITHUB_RUN_ID", "77",
	}
	gitlab := []string{"CI_COMMIT_SHA", "8deeeb8c0ffee8deeeb8c0ffee", "CI_COMMIT_REF_NAME", "release/118", "CI_JOB_NAME", "gate", "CI_JOB_URL", "https://gitlab.com/shop/web/-/jobs/77"}
	for name, c := range map[string]struct {
		pairs      []string
		args       string
		want, link string
	}{
		"GitHub":        {github, "-tags broken,!x -tags well", "Checks\ntagged broken and !x, or well\nCommit\n8deeeb8c0ff…\nBranch\nrelease/118\nJob\nDeploy / gate\nStarted\n2000-01-01 00:00:00 UTC\nTook\n2.0s\nExit code\n1\n", "https://github.com/shop/web/actions/runs/77"},
		"GitLab":        {gitlab, "-ids " + loginID, "Checks\nids " + loginID + "\nCommit\n8deeeb8c0ff…\nBranch\nrelease/118\nJob\ngate\nStarted\n2000-01-01 00:00:00 UTC\nTook\n2.0s\nExit code\n0\n", "https://gitlab.com/shop/web/-/jobs/77"},
		"an account":    {[]string{envAccount, theTenant}, "-tags well", "Checks\ntagged well\nAccount\n5b1d4f0e…\nStarted\n2000-01-01 00:00:00 UTC\nTook\n2.0s\nExit code\n0\n", ""},
		"nothing known": {nil, "-tags nope", "Nothing ran, so nothing is known.\nChecks\ntagged nope\nStarted\n2000-01-01 00:00:00 UTC\nTook\n0.0s\nExit code\n2\n", ""},
	} {
		inBubble(t, name, func(t *testing.T) {
			got := gateOf(t.Context(), t, newService(), env(c.pairs...), strings.Fields(c.args)...)
			require.Contains(t, inText(got.page), c.want)
			if c.link != "" {
				require.Contains(t, got.page, `href="`+c.link+`"`)
			}
		})
	}
}

func TestEachCheckHasAnAnchorThatIsLinked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const page = "https://ci.test/artifacts/gate.html"
		svc := newService()
		got := gateOf(t.Context(), t, svc, env(envActions, "true"), "-tags", "broken", "-tags", "well", "-html-url", page)
		sessions := svc.Sessions()
		for _, s := range sessions {
			require.Equal(t, 1, strings.Count(got.page, ` id="check-`+s.CheckID+`"`), s.Name)
		}
		broken := page + "#check-" + sessions[1].CheckID
		require.Contains(t, got.stdout, "%0A"+broken+"\n")
		require.Contains(t, got.markdown, "([evidence](<"+broken+">))")
		require.Contains(t, got.page, `<a class="why" href="#check-`+sessions[1].CheckID+`">why</a>`)
	})
	r := made(700, 700, same)
	r.Checks[1].CheckID = r.Checks[0].CheckID // two sessions of a check
	r.nameChecks()
	text, taken := string(r.page()), map[string]bool{}
	for _, anchor := range regexp.MustCompile(` id="(check-[^"]*)"`).FindAllStringSubmatch(text, -1) {
		require.False(t, taken[anchor[1]], anchor[1])
		taken[anchor[1]] = true
	}
	require.Len(t, taken, 700, "also those that a card does not list")
}

func TestAGreenPageHasWhatIsWorthALook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := newService()
		svc.AddCheck(monitoringtest.Check{Name: "Tour", Type: "BROWSER", Tags: []string{"well"}, ResponseTime: 4200 * time.Millisecond})
		got := gateOf(t.Context(), t, svc, env(), "-tags", "well")
		require.Zero(t, got.code)
		text := inText(got.page)
		require.Contains(t, text, "Worth a look\nPassed only at a later attempt\nLogin in eu-central-1, us-east-1, 3 attempts: Expected 500 to equal 200\nSlowest\nLogin in ")
		require.Contains(t, text, ", degraded over 3 s\nTour in eu-central-1: 4.20 s\n")
		require.Less(t, strings.Index(text, "All checks"), strings.Index(text, "Response times"))
		require.NotContains(t, gateOf(t.Context(), t, svc, env(), "-tags", "broken").page, "Worth a look")
	})
}

func TestALargeResultDoesNotHoldTheGateUp(t *testing.T) {
	testkit.SkipUnderRace(t)
	large, many := strings.Repeat(`a "token": "b" <c> = `, 200_000), map[string]any{} // 4 MB
	for i := range 50_000 {
		many[fmt.Sprint("name ", i)] = "0"
	}
	for name, result := range map[string]any{
		"a body":        map[string]any{"apiCheckResult": map[string]any{"response": map[string]any{"status": 500, "body": large}}},
		"a JSON body":   map[string]any{"apiCheckResult": map[string]any{"response": map[string]any{"status": 500, "body": "{\"a\":\"" + strings.Repeat("x", 4_000_000) + "\"}"}}},
		"headers":       map[string]any{"apiCheckResult": map[string]any{"response": map[string]any{"status": 500, "headers": many}}},
		"one header":    map[string]any{"apiCheckResult": map[string]any{"response": map[string]any{"status": 500, "headers": map[string]any{"x": large}}}},
		"an address":    map[string]any{"apiCheckResult": map[string]any{"request": map[string]any{"url": "https://shop.test/?" + large}}},
		"an assertion":  map[string]any{"apiCheckResult": map[string]any{"assertions": []any{map[string]any{"source": large, "actual": large}}}},
		"a summary":     map[string]any{"browserCheckResult": map[string]any{"traceSummary": many}},
		"a condition":   map[string]any{"agenticCheckResult": map[string]any{"assertions": []any{map[string]any{"condition": large}}}},
		"a stack trace": map[string]any{"playwrightCheckResult": map[string]any{"errors": []any{map[string]any{"message": "m", "stack": large}}}},
	} {
		data, err := json.Marshal(result)
		require.NoError(t, err)
		var r monitoring.CheckResult
		require.NoError(t, json.Unmarshal(data, &r))
		require.Less(t, testkit.Spent(func() { newEvidence(&r, newCleaner(env(envKey, theKey))) }), 500*time.Millisecond, name)
	}
}

func TestOnlyTheLastAttemptsAreShownAndThoseThatCannotBeReadSaySo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.AddCheck(monitoringtest.Check{Name: "One", Tags: []string{"all"}, Locations: []string{eu}, Outcome: "FAILED", Attempts: 5, ResponseTime: 200 * time.Millisecond})
		require.Zero(t, gateOf(t.Context(), t, svc, env(), "-tags", "all", "-detach").code)
		time.Sleep(time.Minute)
		session := svc.Sessions()[0].CheckSessionID
		svc.Inject(monitoringtest.Fault{Operation: opResult, ID: svc.ResultIDs(session)[3], Status: 403})
		got := gateOf(t.Context(), t, svc, env(), "-sessions", session)
		text := inText(got.page)
		for _, part := range []string{"✗ Attempt 3, 200 ms\nExpected 500 to equal 200\n", "✗ Attempt 4, 200 ms\nthe details were not read\n", "✗ Attempt 5, ", "✗ Attempt 6, the last one\n"} {
			require.Contains(t, text, part)
		}
		require.NotContains(t, text, "Attempt 2")
		require.Equal(t, 4, svc.Count(opResult), "no more than is shown is read")
		require.NotContains(t, got.json, `"limit"`, "it is below the limits of the check")
	})
}

func TestEvidenceOfManyResultsIsThatOfTheFirstByName(t *testing.T) {
	n := newNotes()
	for i := range 4 * mostDetailed {
		n.add(fmt.Sprintf("name %03d", 999-i), fmt.Sprint(i), details{[]string{"why"}, new(evidence)})
	}
	kept := 0
	for i := range 4 * mostDetailed {
		d := n.result(fmt.Sprint(i))
		require.Equal(t, []string{"why"}, d.reasons)
		if d.evidence != nil {
			kept++
			require.GreaterOrEqual(t, i, 3*mostDetailed)
		}
	}
	require.Equal(t, mostDetailed, kept)
}

func TestNoMoreIsMaskedThanASecretAndNoLess(t *testing.T) {
	c := newCleaner(env(envKey, "5ec4e75ec4e7"))
	require.Equal(t, strings.Repeat("x", 1015)+"[redacted]", c.maskedUpTo(strings.Repeat("x", 1015)+"5ec4e75ec4e7", 1024), "its beginning stands where the text is cut")
	c = newCleaner(env())
	for text, want := range map[string]string{
		`{"event":"{\"token\":\"5ec4e7\",\"shown\":\"yes`:      `{"event":"{\"token\":[redacted],\"shown\":\"yes`,
		`{"token":"5e\"c4e7","shown":"yes`:                     `{"token":[redacted],"shown":"yes`,
		`{"token":54,"shown":"yes`:                             `{"token":[redacted],"shown":"yes`,
		`{"a":1,"cookies":{"a": 1, "sid":"5ec4e7"},"shown":"y`: `{"a":1,"cookies":[redacted]`,
		`{"jwt":"5ec4e7"}`:                                     `{"jwt":[redacted]}`,
		`{"keys": ["a", "b"], "n": [{"csrf":1,"a":2}]}`:        `{"keys": [redacted], "n": [{"csrf":[redacted],"a":2}]}`,
	} {
		body, _ := c.body(text)
		require.Equal(t, want, body)
	}
}

func TestWhereACheckPassedAndWasSlowest(t *testing.T) {
	in := func(name string, v monitoring.Verdict, ms float64) location {
		return location{Name: name, Said: v, Verdict: v, Time: &ms, Attempts: 1}
	}
	c := &check{Name: "One", CheckID: "1", Verdict: monitoring.VerdictPassed, Locations: []location{
		in("a", monitoring.VerdictPassed, 100), in("b", monitoring.VerdictPassed, 300), in("c", monitoring.VerdictDegraded, 900), in("d", monitoring.VerdictPassed, 200),
	}}
	require.Equal(t, "a, b, d", c.PassedIn())
	r := &report{Checks: []*check{c}}
	r.finish(false)
	require.Contains(t, inText(string(r.page())), "Slowest\nOne in b: 300 ms\n")
}

func TestComparedWithAnEarlierRun(t *testing.T) {
	o := options{baseline: filepath.Join(t.TempDir(), "last.json"), failOnFlaky: true}
	const earlier = `{"sessions":[{"checkId":"A","verdict":"failed"},{"checkId":"a","verdict":"passed"},{"checkId":"B","verdict":"unknown","results":[{"attempts":3}]},
		{"checkId":"C","verdict":"passed","results":[{"attempts":3}]},{"checkId":"D","verdict":"failed"},{"checkId":"","verdict":"failed"}]}`
	require.NoError(t, os.WriteFile(o.baseline, []byte(earlier), 0o600))
	before, err := o.readBaseline()
	require.NoError(t, err)
	require.Equal(t, baseline{"a": true, "b": false, "c": true, "d": true}, before)
	r := &report{}
	for id, v := range map[string]monitoring.Verdict{"a": "passed", "b": "failed", "c": "failed", "d": "unknown", "": "failed"} {
		r.Checks = append(r.Checks, &check{Name: "check " + id, CheckID: id, Verdict: v})
	}
	r.compare(before)
	require.Equal(t, "since the last run: new: check b; still failing: check c; fixed: check a", r.SinceText())
}

func TestTheNextStepGetsEachIDOnceAndNoLinkOfWhatPassed(t *testing.T) {
	r := made(3, 0, same)
	require.Contains(t, string(r.stepOutput()), "\nlink=\n")
	r = made(3, 2, same)
	r.Checks[1].CheckID = r.Checks[0].CheckID
	require.Contains(t, string(r.stepOutput()), "\nfailed-ids="+r.Checks[0].CheckID+"\n")
}

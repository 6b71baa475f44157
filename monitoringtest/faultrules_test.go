package monitoringtest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestFaultsThatCannotHappenPanic(t *testing.T) {
	const refuse = monitoringtest.FaultRefuse
	for _, f := range []monitoringtest.Fault{
		{Kind: monitoringtest.FaultCutBody + 1}, {Status: 199}, {Status: 600}, {Status: -1}, {Probability: -0.1}, {Probability: 1.1},
		{After: -1}, {Times: -1}, {Page: -1}, {Attempt: -1}, {Delay: -1}, {DelayAfter: -1}, {BodyTime: -1}, {CutAfter: -1},
		{Kind: refuse, Status: 200}, {Kind: refuse, Body: "x"}, {Kind: refuse, NoBody: true}, {Kind: refuse, Header: http.Header{"A": {"b"}}},
		{Kind: refuse, DelayAfter: 1}, {Kind: refuse, BodyTime: 1}, {Kind: refuse, CutAfter: 1},
		{Kind: monitoringtest.FaultResetBeforeWrite, Status: 200}, {Kind: monitoringtest.FaultResetUnhandled, Status: 200},
		{Kind: monitoringtest.FaultCutBody, CutAfter: 1},
	} {
		svc := monitoringtest.New()
		require.Panics(t, func() { svc.Inject(monitoringtest.Fault{}, f) }, "%+v", f)
		svc.Inject(monitoringtest.Fault{Status: 299})
		response, _ := sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
		require.Equal(t, 299, response.StatusCode, "none of the faults was added")
	}
	for _, f := range []monitoringtest.Fault{
		{}, {Status: 200}, {Status: 599}, {Probability: 1}, {Kind: refuse, Delay: 1}, {Kind: monitoringtest.FaultResetAfter, CutAfter: 1},
		{Kind: monitoringtest.FaultCutBody, Status: 200, Body: "x"}, {NoBody: true, Header: http.Header{"A": {"b"}}},
	} {
		require.NotPanics(t, func() { monitoringtest.New().Inject(f) }, "%+v", f)
	}
}

func TestKindsOfFaultsAreTexts(t *testing.T) {
	var texts []string
	for kind := monitoringtest.FaultNone; kind <= monitoringtest.FaultCutBody; kind++ {
		text, err := kind.MarshalText()
		require.NoError(t, err)
		texts = append(texts, fmt.Sprintf("%s %s", kind, text))
		var read monitoringtest.FaultKind
		require.NoError(t, read.UnmarshalText(text))
		require.Equal(t, kind, read)
	}
	require.Equal(t, []string{
		"FaultNone none", "FaultRefuse refuse", "FaultResetBeforeWrite resetBeforeWrite", "FaultResetUnhandled resetUnhandled",
		"FaultResetAfter resetAfter", "FaultCutBody cutBody",
	}, texts)
	unknown := monitoringtest.FaultCutBody + 1
	require.Equal(t, "FaultKind(6)", unknown.String())
	_, err := unknown.MarshalText()
	require.EqualError(t, err, "monitoringtest: there is no FaultKind(6)")
	kind := monitoringtest.FaultRefuse
	require.EqualError(t, kind.UnmarshalText([]byte("Refuse")),
		`monitoringtest: "Refuse" is none of ["none" "refuse" "resetBeforeWrite" "resetUnhandled" "resetAfter" "cutBody"]`)
	require.Equal(t, monitoringtest.FaultRefuse, kind)
}

func TestAFaultChangesTheResponse(t *testing.T) {
	const newer, older = "/v1/variables", "/v1/locations"
	for name, test := range map[string]struct {
		fault  monitoringtest.Fault
		path   string
		status int
		body   string
	}{
		"a status of a success is empty":         {monitoringtest.Fault{Status: 202}, newer, 202, ""},
		"one below 400 is, too":                  {monitoringtest.Fault{Status: 399}, newer, 399, ""},
		"one of 400 has an error":                {monitoringtest.Fault{Status: 400}, newer, 400, `{"statusCode":400,"error":"Bad Request","message":"Bad Request"}`},
		"an error has the form of the operation": {monitoringtest.Fault{Status: 429}, older, 429, `{"statusCode":429,"error":"Too Many Requests","message":"Too Many Requests","attributes":{}}`},
		"an unknown status has no name":          {monitoringtest.Fault{Status: 599}, newer, 599, `{"statusCode":599,"error":"","message":""}`},
		"a wrong key is told as always":          {monitoringtest.Fault{Status: 401}, newer, 401, `{"statusCode":401,"error":"Unauthorized","message":"Bad Token"}`},
		"also by the older operations":           {monitoringtest.Fault{Status: 401}, older, 401, `{"statusCode":401,"error":"Unauthorized","message":"Bad Token","attributes":{"error":"Bad Token"}}`},
		"and where there is no operation":        {monitoringtest.Fault{Status: 401}, "/v1/unknown", 401, `{"statusCode":401,"error":"Unauthorized","message":"Bad Token","attributes":{"error":"Bad Token"}}`},
		"a session that is not there is, too":    {monitoringtest.Fault{Status: 404}, "/v2/check-sessions/" + monitoringtest.UUID("s"), 404, `{"statusCode":404,"error":"Not Found","message":"No such check session."}`},
		"an error may have another body":         {monitoringtest.Fault{Status: 500, Body: "oops"}, newer, 500, "oops"},
		"or none":                                {monitoringtest.Fault{Status: 500, NoBody: true}, newer, 500, ""},
		"a body alone keeps the status":          {monitoringtest.Fault{Body: "oops"}, newer + "?page=0", 400, "oops"},
		"no body alone does, too":                {monitoringtest.Fault{NoBody: true}, newer + "?page=0", 400, ""},
		"a header alone changes nothing else":    {monitoringtest.Fault{Header: http.Header{"X-Mine": {"1"}}}, newer, 200, "[]"},
		"a fault may do nothing":                 {monitoringtest.Fault{}, newer, 200, "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.Inject(test.fault)
			response, body := sendOnce(t, svc, newRequest(t, "GET", test.path, ""))
			require.Equal(t, test.status, response.StatusCode)
			require.Equal(t, test.body, body)
			require.Equal(t, test.fault.Header.Get("X-Mine"), response.Header.Get("X-Mine"))
		})
	}
}

func TestHeadersOfAFault(t *testing.T) {
	svc := monitoringtest.New()
	header := http.Header{"content-type": {"text/x"}, "Link": {"<a>", "<b>"}, "Content-Length": {"99"}, "X-More": {"1"}}
	svc.Inject(monitoringtest.Fault{Header: header})
	header["Link"][0] = "changed later"
	header.Set("X-More", "changed later")
	response, _ := sendOnce(t, svc, newRequest(t, "GET", "/v1/variables", ""))
	require.Equal(t, http.Header{
		"Content-Type": {"text/x"}, "Link": {"<a>", "<b>"}, "Content-Length": {"2"}, "Content-Range": {"*/0"}, "X-More": {"1"},
	}, response.Header)
	response.Header["Link"][1] = "changed by a reader"
	response, _ = sendOnce(t, svc, newRequest(t, "GET", "/v1/variables", ""))
	require.Equal(t, []string{"<a>", "<b>"}, response.Header["Link"])
}

func TestAFaultIsPassedOver(t *testing.T) {
	status := func(svc *monitoringtest.Service, path string) int {
		response, _ := sendOnce(t, svc, newRequest(t, "GET", path, ""))
		return response.StatusCode
	}
	t.Run("that is for other requests", func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{Operation: "GET /v1/variables", Status: 501}, monitoringtest.Fault{Status: 502})
		require.Equal(t, 502, status(svc, "/v1/locations"))
		require.Equal(t, 501, status(svc, "/v1/variables"))
	})
	t.Run("that waits", func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{After: 2, Times: 1, Status: 501}, monitoringtest.Fault{Times: 1, Status: 502})
		require.Equal(t, []int{502, 200, 501, 200}, []int{status(svc, "/v1/locations"), status(svc, "/v1/locations"), status(svc, "/v1/locations"), status(svc, "/v1/locations")})
	})
	t.Run("with a chance of one it never is", func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{Probability: 1, Status: 501})
		for range 20 {
			require.Equal(t, 501, status(svc, "/v1/locations"))
		}
	})
	t.Run("of the first page, for what has no pages", func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Handle("GET /v1/mine", http.NotFoundHandler())
		svc.Inject(monitoringtest.Fault{Page: 1, Status: 501})
		require.Equal(t, []int{501, 200, 404, 404, 404, 501}, []int{
			status(svc, "/v1/variables?limit=1"), status(svc, "/v1/locations"), status(svc, "/v2/check-sessions/"+monitoringtest.UUID("x")+"/completion"),
			status(svc, "/v1/mine"), status(svc, "/v1/unknown"), status(svc, "/v1/mine?page=1"),
		})
	})
}

func TestAGatewayRespondsAsItIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Inject(
			monitoringtest.Fault{CutAfter: time.Second, Delay: time.Minute, Times: 1},
			monitoringtest.Fault{CutAfter: 1, Delay: time.Minute, Times: 1, Status: 502, Body: "no", Header: http.Header{"X-Mine": {"1"}}},
			monitoringtest.Fault{CutAfter: time.Second, Delay: time.Minute, Times: 1, Status: 400, NoBody: true, Header: http.Header{"X-Mine": {"2"}}},
			monitoringtest.Fault{CutAfter: time.Second, Times: 1, Status: 502, Body: "no", NoBody: false, Header: http.Header{"X-Mine": {"3"}}},
		)
		response, body := sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
		require.Equal(t, 504, response.StatusCode)
		require.Equal(t, "<html><head><title>504 Gateway Timeout</title></head><body><h1>504 Gateway Timeout</h1></body></html>\n", body)
		start := time.Now()
		response, body = sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
		require.Equal(t, []any{502, "no", "1", "text/html"}, []any{response.StatusCode, body, response.Header.Get("X-Mine"), response.Header.Get("Content-Type")})
		require.Equal(t, time.Nanosecond, time.Since(start))
		response, body = sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
		require.Equal(t, []any{400, "", "2", ""}, []any{response.StatusCode, body, response.Header.Get("X-Mine"), response.Header.Get("Content-Type")})
		require.Empty(t, svc.Unexpected(), "it was the gateway, not the service")
		response, body = sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
		require.Equal(t, 200, response.StatusCode, "a response in time is not changed")
		require.True(t, strings.HasPrefix(body, "[{"))
		require.Empty(t, response.Header.Get("X-Mine"))
	})
}

func TestARequestThatAGatewayCutIsCarriedOutOnce(t *testing.T) {
	for name, fault := range map[string]monitoringtest.Fault{
		"before it was handled":     {CutAfter: time.Second, Delay: time.Minute},
		"after it was handled":      {CutAfter: time.Second, DelayAfter: time.Minute},
		"with a reset":              {CutAfter: time.Second, DelayAfter: time.Minute, Kind: monitoringtest.FaultResetAfter},
		"with a reset before it":    {CutAfter: time.Second, Delay: time.Minute, Kind: monitoringtest.FaultResetAfter},
		"not at all, it is in time": {CutAfter: time.Minute, Kind: monitoringtest.FaultResetAfter},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.AddCheck(monitoringtest.Check{})
				svc.Inject(fault)
				start := time.Now()
				response, err := svc.Transport().RoundTrip(newRequest(t, "POST", "/v2/check-sessions/trigger", "{}"))
				require.Equal(t, fault.Kind == monitoringtest.FaultResetAfter && fault.CutAfter < time.Minute, err != nil)
				require.Equal(t, err == nil, response != nil)
				require.LessOrEqual(t, time.Since(start), time.Second)
				require.Equal(t, 1, svc.Executed(trigger))
				require.Len(t, svc.Sessions(), 1)
			})
		})
	}
	t.Run("if there is such an operation", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.Inject(monitoringtest.Fault{CutAfter: time.Second, Delay: time.Minute})
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			start := time.Now()
			for i, path := range []string{"/v1/unknown", "/v2/check-sessions/" + id + "/completion"} {
				response, _ := sendOnce(t, svc, newRequest(t, "GET", path, ""))
				require.Equal(t, 504, response.StatusCode)
				require.Equal(t, time.Duration(i+1)*time.Second, time.Since(start), "nothing is held behind it")
			}
		})
	})
	t.Run("unless the limit is spent", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}))
			svc.AddCheck(monitoringtest.Check{})
			svc.Inject(monitoringtest.Fault{CutAfter: time.Second, Delay: time.Minute})
			for range 2 {
				sendOnce(t, svc, newRequest(t, "POST", "/v2/check-sessions/trigger", "{}"))
			}
			require.Equal(t, 1, svc.Executed(trigger))
		})
	})
}

package monitoringtest_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestAFaultHappensToTheRequestsItIsFor(t *testing.T) {
	const other = "11111111-2222-4333-8444-555555555555"
	get := func(path string) func(*testing.T) *http.Request {
		return func(t *testing.T) *http.Request { return newRequest(t, "GET", path, "") }
	}
	put := func(body string) func(*testing.T) *http.Request {
		return func(t *testing.T) *http.Request { return newRequest(t, "PUT", "/v2/check-groups/4711", body) }
	}
	as := func(account string) func(*testing.T) *http.Request {
		return func(t *testing.T) *http.Request {
			r := newRequest(t, "GET", "/v1/locations", "")
			r.Header.Set(monitoringtest.AccountHeader, account)
			return r
		}
	}
	tests := map[string]struct {
		fault    monitoringtest.Fault
		requests []func(*testing.T) *http.Request
		want     []bool
	}{
		"by an id":               {monitoringtest.Fault{ID: "4711"}, []func(*testing.T) *http.Request{get("/v1/check-groups/4711"), get("/v1/check-groups/12"), get("/v1/variables")}, []bool{true, false, false}},
		"by a page":              {monitoringtest.Fault{Page: 2}, []func(*testing.T) *http.Request{get("/v1/variables?page=2"), get("/v1/variables?page=3"), get("/v1/variables"), get("/v1/locations")}, []bool{true, false, false, false}},
		"by the first page":      {monitoringtest.Fault{Page: 1}, []func(*testing.T) *http.Request{get("/v1/variables"), get("/v1/variables?page=1"), get("/v1/variables?page=2"), get("/v1/locations")}, []bool{true, true, false, false}},
		"by a body":              {monitoringtest.Fault{BodyContains: `"b"`}, []func(*testing.T) *http.Request{put(`{"name":"a"}`), put(`{"name":"b"}`)}, []bool{false, true}},
		"by an account":          {monitoringtest.Fault{Account: strings.ToUpper(other)}, []func(*testing.T) *http.Request{as(other), as(monitoringtest.AccountID), get("/v1/locations")}, []bool{true, false, false}},
		"by the number of times": {monitoringtest.Fault{Attempt: 2}, []func(*testing.T) *http.Request{put(`{"name":"a"}`), put(`{"name":"b"}`), put(`{"name":"a"}`), put(`{"name":"a"}`), put(`{"name":"b"}`)}, []bool{false, false, true, false, true}},
		"by a function":          {monitoringtest.Fault{Match: func(r monitoringtest.Request) bool { return r.Query.Get("limit") == "7" }}, []func(*testing.T) *http.Request{get("/v1/variables?limit=7"), get("/v1/variables")}, []bool{true, false}},
		"by several of these":    {monitoringtest.Fault{Operation: "GET /v1/variables", Page: 2, Times: 1}, []func(*testing.T) *http.Request{get("/v1/error-groups/checks/" + other + "?page=2"), get("/v1/variables"), get("/v1/variables?page=2"), get("/v1/variables?page=2")}, []bool{false, false, true, false}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			svc := demo()
			test.fault.Status = 599
			svc.Inject(test.fault)
			var got []bool
			for _, request := range test.requests {
				response, err := svc.Transport().RoundTrip(request(t))
				require.NoError(t, err)
				got = append(got, response.StatusCode == 599)
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestAFaultForALaterAttemptCountsThoseThatFailedForAnotherFault(t *testing.T) {
	svc := monitoringtest.New()
	svc.Inject(monitoringtest.Fault{Status: 500, Times: 1})
	svc.Inject(monitoringtest.Fault{Status: 503, Attempt: 2})
	var got []int
	for range 3 {
		response, err := svc.Transport().RoundTrip(newRequest(t, "GET", "/v1/locations", ""))
		require.NoError(t, err)
		got = append(got, response.StatusCode)
	}
	require.Equal(t, []int{500, 503, 200}, got)
}

func TestAResponseThatComesTooLateWasCarriedOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.NewDemo()
		svc.Inject(monitoringtest.Fault{Operation: trigger, DelayAfter: time.Minute})
		start := time.Now()
		_, err := clientOf(t, svc).CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
		require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
		require.Equal(t, 30*time.Second, time.Since(start), "the client's own timeout")
		require.Equal(t, 1, svc.Executed(trigger))
		svc.ClearFaults()
		svc.Inject(monitoringtest.Fault{Operation: trigger, Delay: time.Minute})
		_, err = clientOf(t, svc).CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
		require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
		require.Equal(t, 1, svc.Executed(trigger), "a delay before the work keeps it from being done")
	})
}

func TestAGatewayCuts(t *testing.T) {
	const completion = "GET /v2/check-sessions/{checkSessionId}/completion"
	read := func(t *testing.T, f monitoringtest.Fault, path string) (*http.Response, string, time.Duration, error) {
		svc := monitoringtest.New()
		svc.Inject(f)
		id := svc.AddSession(monitoringtest.Session{Duration: time.Minute})
		start := time.Now()
		response, err := svc.Transport().RoundTrip(newRequest(t, "GET", strings.ReplaceAll(path, "{id}", id), ""))
		if err != nil {
			return nil, "", time.Since(start), err
		}
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response, string(body), time.Since(start), nil
	}
	const path = "/v2/check-sessions/{id}/completion"
	tests := map[string]func(*testing.T){
		"with a 504": func(t *testing.T) {
			response, body, took, err := read(t, monitoringtest.Fault{CutAfter: 20 * time.Second}, path)
			require.NoError(t, err)
			require.Equal(t, 504, response.StatusCode)
			require.Equal(t, "text/html", response.Header.Get("Content-Type"))
			require.Contains(t, body, "Gateway Timeout")
			require.Equal(t, 20*time.Second, took)
		},
		"with an empty success": func(t *testing.T) {
			response, body, _, err := read(t, monitoringtest.Fault{Operation: completion, CutAfter: 20 * time.Second, Status: 200, NoBody: true}, path)
			require.NoError(t, err)
			require.Equal(t, 200, response.StatusCode)
			require.Empty(t, body)
			require.Empty(t, response.Header.Get("Content-Type"))
		},
		"with a reset": func(t *testing.T) {
			_, _, took, err := read(t, monitoringtest.Fault{CutAfter: 5 * time.Second, Kind: monitoringtest.FaultResetAfter}, path)
			require.ErrorIs(t, err, syscall.ECONNRESET)
			require.Equal(t, 5*time.Second, took)
		},
		"no response that is in time": func(t *testing.T) {
			response, body, took, err := read(t, monitoringtest.Fault{CutAfter: 20 * time.Second, Status: 502, Body: "no"}, path+"?maxWaitSeconds=19")
			require.NoError(t, err)
			require.Equal(t, 408, response.StatusCode)
			require.Contains(t, body, "still in progress")
			require.Equal(t, 19*time.Second, took)
		},
		"and the request is still carried out": func(t *testing.T) {
			svc := monitoringtest.NewDemo()
			svc.Inject(monitoringtest.Fault{CutAfter: 20 * time.Second, Delay: time.Minute})
			_, err := clientOf(t, svc).CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true})
			require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
			require.Equal(t, 1, svc.Executed(trigger))
			require.Equal(t, 504, svc.Requests()[0].Status)
		},
		"not when the client gives up before": func(t *testing.T) {
			svc := monitoringtest.New()
			svc.Inject(monitoringtest.Fault{CutAfter: 20 * time.Second})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			id := svc.AddSession(monitoringtest.Session{Duration: time.Minute})
			_, err := clientOf(t, svc).CheckSessions.Completion(ctx, id, monitoring.CompletionOptions{})
			require.ErrorIs(t, err, context.DeadlineExceeded)
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
	}
}

func TestABodyTravelsSlowly(t *testing.T) {
	t.Run("in memory", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.Inject(monitoringtest.Fault{BodyTime: 10 * time.Second})
			start := time.Now()
			response, err := svc.Transport().RoundTrip(newRequest(t, "GET", "/v1/locations", ""))
			require.NoError(t, err)
			require.Zero(t, time.Since(start), "the headers are there at once")
			whole, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.Equal(t, int64(len(whole)), response.ContentLength)
			require.Equal(t, 10*time.Second, time.Since(start))

			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			_, err = clientOf(t, svc).Locations.List(ctx)
			require.ErrorIs(t, err, context.DeadlineExceeded)
		})
	})
	t.Run("and breaks off", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.Inject(monitoringtest.Fault{BodyTime: 10 * time.Second, Kind: monitoringtest.FaultCutBody})
			start := time.Now()
			_, err := clientOf(t, svc).Locations.List(t.Context())
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
			require.Equal(t, 10*time.Second, time.Since(start))
		})
	})
	t.Run("over loopback", func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{BodyTime: 20 * time.Millisecond})
		address, stop := svc.Start()
		defer stop()
		client, err := monitoring.NewClient(address, monitoringtest.APIKey, plain()...)
		require.NoError(t, err)
		defer client.CloseIdleConnections()
		start := time.Now()
		regions, err := client.Locations.List(t.Context())
		require.NoError(t, err)
		require.Len(t, regions, 22)
		require.GreaterOrEqual(t, time.Since(start), 20*time.Millisecond)
	})
}

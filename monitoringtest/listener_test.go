package monitoringtest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// served is what a request over a listener gets: a recorder stands for the connection.
func served(t *testing.T, svc *monitoringtest.Service, r *http.Request) (w *httptest.ResponseRecorder, aborted bool) {
	t.Helper()
	r.Header.Set("Authorization", "Bearer "+monitoringtest.APIKey)
	w = httptest.NewRecorder()
	defer func() {
		if p := recover(); p != nil {
			require.Equal(t, http.ErrAbortHandler, p)
			aborted = true
		}
	}()
	svc.ServeHTTP(w, r)
	return w, false
}

func TestLinksHaveTheSchemeOfTheListener(t *testing.T) {
	svc := monitoringtest.New()
	for _, scheme := range []string{"http", "https"} {
		w, aborted := served(t, svc, httptest.NewRequest("GET", scheme+"://fake.test:81/v1/variables", nil))
		require.False(t, aborted)
		require.Equal(t, `<`+scheme+`://fake.test:81/v1/variables?limit=10&page=1>; rel="self"`, w.Header().Get("Link"))
	}
}

func TestAListenerAborts(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		request *http.Request
		fault   monitoringtest.Fault
		want    string
		arrived int
	}{
		"a request that breaks off":               {httptest.NewRequest("POST", "/v2/check-sessions/trigger", iotest.ErrReader(errors.New("broken"))), monitoringtest.Fault{}, "", 0},
		"a request that nobody waits for":         {httptest.NewRequest("GET", "/v1/locations", nil).WithContext(ended), monitoringtest.Fault{}, "", 1},
		"a response that is reset":                {httptest.NewRequest("GET", "/v1/locations", nil), monitoringtest.Fault{Kind: monitoringtest.FaultResetAfter}, "", 1},
		"a response that breaks off":              {httptest.NewRequest("GET", "/v1/locations", nil), monitoringtest.Fault{Kind: monitoringtest.FaultCutBody, Body: "abcdef"}, "abc", 1},
		"a response that breaks off at its start": {httptest.NewRequest("GET", "/v1/locations", nil), monitoringtest.Fault{Kind: monitoringtest.FaultCutBody, Body: "a", Status: 207}, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.Inject(test.fault)
			w, aborted := served(t, svc, test.request)
			require.True(t, aborted)
			require.Equal(t, test.want, w.Body.String())
			require.Equal(t, test.fault.Kind == monitoringtest.FaultCutBody, w.Flushed, "what there is of the response arrives")
			if test.fault.Status != 0 {
				require.Equal(t, test.fault.Status, w.Code)
			}
			require.Equal(t, test.arrived, svc.Count(""))
		})
	}
}

func TestAListenerSendsWholeResponses(t *testing.T) {
	svc := monitoringtest.New()
	svc.AddDashboard("d")
	svc.AddDashboard("e")
	svc.Handle("HEAD /v1/locations", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "abc") }))
	svc.Inject(monitoringtest.Fault{Operation: "DELETE /v1/dashboards/{dashboardId}", Kind: monitoringtest.FaultCutBody})
	w, aborted := served(t, svc, httptest.NewRequest("DELETE", "/v1/dashboards/d", nil))
	require.False(t, aborted, "without a body, nothing is cut")
	require.Equal(t, 204, w.Code)
	w, aborted = served(t, svc, httptest.NewRequest("HEAD", "/v1/locations", nil))
	require.False(t, aborted)
	require.Equal(t, "3", w.Header().Get("Content-Length"))
	require.Empty(t, w.Body.String())

	svc.ClearFaults()
	svc.Inject(monitoringtest.Fault{Body: "not allowed"})
	address, stop := svc.Start()
	defer stop()
	request := newRequest(t, "DELETE", "/v1/dashboards/e", "")
	request.URL.Scheme, request.URL.Host = "http", strings.TrimPrefix(address, "http://")
	response, err := http.DefaultTransport.RoundTrip(request)
	require.NoError(t, err, "a fault cannot give a body to a 204")
	require.Equal(t, 204, response.StatusCode)
	require.NoError(t, response.Body.Close())
}

func TestASlowBodyIsSentPieceByPiece(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Inject(monitoringtest.Fault{Body: "abcdefghij", BodyTime: 10 * time.Second})
		start := time.Now()
		w, aborted := served(t, svc, httptest.NewRequest("GET", "/v1/locations", nil))
		require.False(t, aborted)
		require.Equal(t, 10*time.Second, time.Since(start))
		require.Equal(t, "abcdefghij", w.Body.String())
		require.True(t, w.Flushed)

		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		w, aborted = served(t, svc, httptest.NewRequest("GET", "/v1/locations", nil).WithContext(ctx))
		require.True(t, aborted, "the client went away")
		require.Equal(t, "abc", w.Body.String())
	})
}

func TestStopEndsTheRequestsThatAreHeld(t *testing.T) {
	svc := monitoringtest.New()
	id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
	arrived := make(chan struct{})
	svc.Inject(monitoringtest.Fault{Match: func(monitoringtest.Request) bool { close(arrived); return false }})
	address, stop := svc.Start()
	client, err := monitoring.NewClient(address, monitoringtest.APIKey, plain()...)
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	held := make(chan error)
	go func() {
		_, err := client.CheckSessions.Completion(context.Background(), id, monitoring.CompletionOptions{})
		held <- err
	}()
	<-arrived
	start := time.Now()
	stop()
	require.Error(t, <-held)
	require.Less(t, time.Since(start), 15*time.Second, "it does not wait until they end by themselves")
	_, err = client.Locations.List(t.Context())
	require.Error(t, err)
	stop() // again does nothing
}

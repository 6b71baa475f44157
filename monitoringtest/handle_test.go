package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestAnOperationCanBeTaught(t *testing.T) {
	inMemoryAndLoopback(t, demo, func(t *testing.T, svc *monitoringtest.Service, client *monitoring.Client) {
		const operation = "PUT /v1/snippets/{id}/lines/{rest...}"
		svc.Handle(operation, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			w.Header().Set("X-Seen", r.URL.Query().Get("q"))
			w.WriteHeader(http.StatusCreated)
			json.NewEncoder(w).Encode(map[string]any{
				"id": r.PathValue("id"), "rest": r.PathValue("rest"), "path": r.URL.Path, "body": json.RawMessage(body), "counted": svc.Count(operation),
			})
		}))
		var out map[string]any
		var response monitoring.Response
		err := callAny(t.Context(), client, "PUT", "/v1/snippets/a%20b/lines/1/2", map[string][]string{"q": {"x"}}, map[string]any{"n": 1}, &out, monitoring.WithResponse(&response))
		require.NoError(t, err)
		require.Equal(t, map[string]any{"id": "a b", "rest": "1/2", "path": "/v1/snippets/a b/lines/1/2", "body": map[string]any{"n": 1.0}, "counted": 1.0}, out)
		require.Equal(t, 201, response.StatusCode)
		require.Equal(t, "x", response.Header.Get("X-Seen"))

		require.Equal(t, 1, svc.Count(operation), "it is counted")
		require.Equal(t, operation, svc.Requests()[0].Operation, "and recorded")
		require.Equal(t, 201, svc.Requests()[0].Status)
		require.Equal(t, 1, svc.Executed(operation))
		require.Equal(t, 1, svc.ExecutedOn(operation, "a b"))
	})
}

func TestATaughtOperationIsTreatedLikeAnyOther(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour}))
	called := 0
	svc.Handle("GET /v1/checks/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		called++
		fmt.Fprint(w, `{"id":"`+r.PathValue("id")+`"}`)
	}))
	status := func(change func(*http.Request)) int {
		request := newRequest(t, "GET", "/v1/checks/7", "")
		if change != nil {
			change(request)
		}
		response, err := svc.Transport().RoundTrip(request)
		require.NoError(t, err)
		return response.StatusCode
	}
	require.Equal(t, 401, status(func(r *http.Request) { r.Header.Del("Authorization") }))
	require.Equal(t, 403, status(func(r *http.Request) { r.Header.Set(monitoringtest.AccountHeader, monitoringtest.UUID("other")) }))
	require.Zero(t, called)
	require.Equal(t, 200, status(nil))
	require.Equal(t, 429, status(nil), "the limit is spent")
	svc.Inject(monitoringtest.Fault{Operation: "GET /v1/checks/{id}", ID: "7", Status: 503})
	require.Equal(t, 503, status(nil))
	require.Equal(t, 1, called)
}

func TestTheClosestPatternIsFound(t *testing.T) {
	svc := monitoringtest.New()
	say := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) })
	}
	svc.Handle("GET /v1/checks/{id}", say("one"))
	svc.Handle("GET /v1/checks/statuses", say("all"))
	svc.Handle("GET /v1/{anything...}", say("anything"))
	svc.Handle("GET /v1/locations", say("first"))
	svc.Handle("GET /v1/locations", say("replaced"))
	tests := map[string]string{
		"/v1/checks/7": "one", "/v1/checks/statuses": "all", "/v1/checks/7/x": "anything", "/v1/locations": "replaced", "/v1/": "anything",
	}
	for path, want := range tests {
		t.Run(path, func(t *testing.T) {
			response, err := svc.Transport().RoundTrip(newRequest(t, "GET", path, ""))
			require.NoError(t, err)
			body, err := io.ReadAll(response.Body)
			require.NoError(t, err)
			require.Equal(t, want, string(body))
		})
	}
	response, err := svc.Transport().RoundTrip(newRequest(t, "GET", "/v1/variables", ""))
	require.NoError(t, err)
	require.Equal(t, "application/json; charset=utf-8", response.Header.Get("Content-Type"), "an operation of the service goes before a rest")
}

func TestAHandlerThatAbortsResetsTheConnection(t *testing.T) {
	inMemoryAndLoopback(t, demo, func(t *testing.T, svc *monitoringtest.Service, client *monitoring.Client) {
		svc.Handle("GET /v1/aborts", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
		err := callAny(t.Context(), client, "GET", "/v1/aborts", nil, nil, nil)
		require.Error(t, err)
		require.ErrorContains(t, err, "reset")
	})
}

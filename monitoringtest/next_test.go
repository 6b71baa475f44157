package monitoringtest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestAHandlerCanCallWhatItReplaces(t *testing.T) {
	t.Run("and change what comes out", func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		id := svc.AddCheck(monitoringtest.Check{Name: "Checkout"})
		svc.Handle("GET /v1/checks/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			svc.Next(answer, r)
			var check map[string]any
			require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &check))
			check["name"] = "Renamed"
			w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
			w.WriteHeader(answer.Code)
			json.NewEncoder(w).Encode(check)
		}))
		check, err := client.Checks.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, "Renamed", check.Name)
	})
	t.Run("and change what goes in, with the body that it has read", func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		var bodies []string
		svc.Handle("POST /v1/variables", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			bodies = append(bodies, string(body))
			if strings.Contains(string(body), "CHANGED") {
				r.Body = io.NopCloser(strings.NewReader(strings.Replace(string(body), "CHANGED", "NEW", 1)))
			}
			svc.Next(w, r)
		}))
		for _, key := range []string{"SAME", "CHANGED"} {
			_, err := client.Variables.Create(t.Context(), &monitoring.EnvironmentVariable{Key: key, Value: monitoring.NewSecret("v")})
			require.Equal(t, key == "SAME", err == nil, "the answer has another key")
		}
		require.Len(t, bodies, 2)
		_, there := svc.Variable("SAME")
		require.True(t, there)
		_, there = svc.Variable("NEW")
		require.True(t, there)
		require.Equal(t, 2, svc.Executed("POST /v1/variables"), "each once")
		require.Equal(t, 1, svc.ExecutedOn("POST /v1/variables", "NEW"))
		require.Equal(t, 2, svc.Count("POST /v1/variables"))
	})
	t.Run("which still refuses what breaks a rule", func(t *testing.T) {
		svc, client := monitoringtest.Run(t, monitoringtest.WithUnexpected())
		svc.Handle("POST /v1/variables", http.HandlerFunc(svc.Next))
		err := callAny(t.Context(), client, http.MethodPost, "/v1/variables", nil, map[string]any{"nmae": "x"}, nil)
		require.ErrorContains(t, err, "nmae: is not allowed")
		require.Zero(t, svc.Executed("POST /v1/variables"))
		require.Len(t, svc.Unexpected(), 1)
		require.Equal(t, 400, svc.Unexpected()[0].Status)
		require.Len(t, svc.Requests(), 1)
	})
	t.Run("which may be one that was taught, and at last the service", func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		id := svc.AddCheck(monitoringtest.Check{})
		var order []string
		for _, pattern := range []string{"GET /v1/{rest...}", "GET /v1/checks/{one}", "GET /v1/checks/{other}"} {
			svc.Handle(pattern, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				order = append(order, pattern)
				svc.Next(w, r)
			}))
		}
		_, err := client.Checks.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, []string{"GET /v1/checks/{one}", "GET /v1/checks/{other}"}, order, "the service is closer than the first")
		require.ErrorIs(t, callAny(t.Context(), client, http.MethodGet, "/v1/alien", nil, nil, nil), monitoring.ErrNotFound)
		require.Len(t, svc.Unexpected(), 1, "which nobody has taught")
		svc.ResetRequests()
	})
	t.Run("which holds the request", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc, client := monitoringtest.Run(t)
			svc.AddCheck(monitoringtest.Check{RunTime: 5 * time.Minute})
			passed := 0
			svc.Handle("GET /v2/check-sessions/{id}/completion", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				passed++
				svc.Next(w, r)
			}))
			svc.Inject(monitoringtest.Fault{Operation: "GET /v2/check-sessions/{id}/completion", CutAfter: 10 * time.Second, Times: 1})
			sessions, err := client.CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
			require.NoError(t, err)
			require.Equal(t, 5*time.Minute, sessions[0].Duration())
			require.Greater(t, passed, 5)
			require.Equal(t, 504, svc.Requests()[1].Status, "a gateway has cut the first one")
		})
	})
	t.Run("until nobody waits any more", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			svc, client := monitoringtest.Run(t)
			id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
			ended := false
			svc.Handle("GET /v2/check-sessions/{id}/completion", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer func() { ended = true }()
				svc.Next(w, r)
				t.Error("it went on")
			}))
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			_, err := client.CheckSessions.Completion(ctx, id, monitoring.CompletionOptions{})
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.True(t, ended)
		})
	})
}

func TestNextNeedsTheRequestOfAHandler(t *testing.T) {
	svc, other := monitoringtest.New(), monitoringtest.New()
	refused := func() {
		require.Contains(t, recover(), "monitoringtest: the request of Next is none that a handler of this service got")
	}
	func() {
		defer refused()
		svc.Next(httptest.NewRecorder(), newRequest(t, "GET", "/v1/locations", ""))
	}()
	svc.Handle("GET /v1/locations", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer refused()
		other.Next(w, r)
	}))
	require.Error(t, list(t, svc), "the handler wrote nothing")
}

type thing struct {
	Name  string            `json:"name"`
	Token monitoring.Secret `json:"token"`
}

func TestATaughtListHasPages(t *testing.T) {
	things := make([]thing, 25)
	for i := range things {
		things[i] = thing{fmt.Sprint(i), monitoring.NewSecret("t-" + fmt.Sprint(i))}
	}
	svc, client := monitoringtest.Run(t, monitoringtest.WithUnexpected())
	svc.Handle("GET /v1/things", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { monitoringtest.Page(w, r, things) }))
	names := func(query url.Values) (list []string, header http.Header) {
		var response monitoring.Response
		page, err := monitoring.Do[[]thing](t.Context(), client, http.MethodGet, "/v1/things", query, nil, monitoring.WithResponse(&response))
		require.NoError(t, err)
		for _, one := range *page {
			require.Equal(t, "t-"+one.Name, one.Token.Reveal(), "secrets are in clear")
			list = append(list, one.Name)
		}
		return list, response.Header
	}
	for name, test := range map[string]struct {
		query       url.Values
		first, last string
		span        string
	}{
		"of ten by default":          {nil, "0", "9", "0-9/25"},
		"of as many as limit says":   {url.Values{"limit": {"20"}}, "0", "19", "0-19/25"},
		"of which the last has less": {url.Values{"page": {"3"}, "color": {"red"}}, "20", "24", "20-24/25"},
	} {
		t.Run(name, func(t *testing.T) {
			list, header := names(test.query)
			require.Equal(t, []string{test.first, test.last}, []string{list[0], list[len(list)-1]})
			require.Equal(t, test.span, header.Get("Content-Range"))
		})
	}
	t.Run("with links that keep the other parameters", func(t *testing.T) {
		_, header := names(url.Values{"color": {"red"}})
		require.Contains(t, header.Values("Link"), `<https://monitoring.test/v1/things?color=red&limit=10&page=2>; rel="next"`)
	})
	t.Run("which are empty past the end", func(t *testing.T) {
		list, _ := names(url.Values{"page": {"4"}})
		require.Empty(t, list)
	})
	t.Run("and refuses others", func(t *testing.T) {
		err := callAny(t.Context(), client, http.MethodGet, "/v1/things", url.Values{"limit": {"101"}}, nil, nil)
		require.ErrorIs(t, err, monitoring.ErrBadRequest)
		require.ErrorContains(t, err, "limit: ")
		require.Len(t, svc.Unexpected(), 1)
	})
	t.Run("also on a server of httptest", func(t *testing.T) {
		w := httptest.NewRecorder()
		monitoringtest.Page(w, httptest.NewRequest("GET", "/things?limit=2", nil), things[:3])
		require.JSONEq(t, `[{"name":"0","token":"t-0"},{"name":"1","token":"t-1"}]`, w.Body.String())
		require.Contains(t, w.Header().Values("Link"), `<http://example.com/things?limit=2&page=2>; rel="next"`)
		w = httptest.NewRecorder()
		monitoringtest.Page(w, httptest.NewRequest("GET", "/things", nil), []thing(nil))
		require.JSONEq(t, `[]`, w.Body.String())
		for _, query := range []string{"limit=%zz", "page=0", "page=1&page=2", "limit=ten"} {
			w = httptest.NewRecorder()
			monitoringtest.Page(w, httptest.NewRequest("GET", "/things?"+query, nil), things)
			require.Equal(t, 400, w.Code, query)
		}
	})
	t.Run("without headers where lists have none", func(t *testing.T) {
		svc, client := monitoringtest.Run(t, monitoringtest.WithPageHeaders(false))
		svc.Handle("GET /v1/things", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { monitoringtest.Page(w, r, things) }))
		var response monitoring.Response
		_, err := monitoring.Do[[]thing](t.Context(), client, http.MethodGet, "/v1/things", nil, nil, monitoring.WithResponse(&response))
		require.NoError(t, err)
		require.Empty(t, response.Header.Get("Content-Range"))
	})
}

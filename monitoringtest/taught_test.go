package monitoringtest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestATaughtOperationGetsTheRequest(t *testing.T) {
	svc := monitoringtest.New()
	var got *http.Request
	var body []byte
	svc.Handle("POST /v1/things/{id}", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		r.Header.Set("X-Changed", "yes")
	}))
	request := newRequest(t, "POST", "/v1/things/a%2Fb?q=1&p=%20", "{}")
	sendOnce(t, svc, request)
	require.Equal(t, "/v1/things/a%2Fb?p=+&q=1", got.RequestURI)
	require.Equal(t, "monitoring.test", got.Host)
	require.Equal(t, []string{"/v1/things/a/b", "/v1/things/a%2Fb", "p=+&q=1", ""}, []string{got.URL.Path, got.URL.RawPath, got.URL.RawQuery, got.URL.Host})
	require.Equal(t, "a/b", got.PathValue("id"))
	require.Equal(t, "application/json", got.Header.Get("Content-Type"))
	require.Equal(t, []any{"HTTP/1.1", 1, 1, int64(2), "{}"}, []any{got.Proto, got.ProtoMajor, got.ProtoMinor, got.ContentLength, string(body)})
	require.NotEmpty(t, got.RemoteAddr)
	require.Empty(t, request.Header.Get("X-Changed"), "the headers are its own")

	sendOnce(t, svc, newRequest(t, "POST", "/v1/things/7", ""))
	require.Equal(t, []any{"/v1/things/7", "/v1/things/7", "", int64(0)}, []any{got.RequestURI, got.URL.Path, got.URL.RawQuery, got.ContentLength})
	require.Empty(t, body)
}

func TestATaughtOperationResponds(t *testing.T) {
	for name, test := range map[string]struct {
		do         func(http.ResponseWriter)
		status     int
		kind, late string // Content-Type, and a header that was set late
		body       string
	}{
		"200 if it does nothing":            {func(http.ResponseWriter) {}, 200, "", "yes", ""},
		"with the first status":             {func(w http.ResponseWriter) { w.WriteHeader(201); w.WriteHeader(202) }, 201, "", "", ""},
		"with the status after a 103":       {func(w http.ResponseWriter) { w.WriteHeader(103); w.WriteHeader(199); w.WriteHeader(204) }, 204, "", "", ""},
		"200 if it writes":                  {func(w http.ResponseWriter) { io.WriteString(w, "x"); w.WriteHeader(500) }, 200, "text/plain; charset=utf-8", "", "x"},
		"200 if it sends what there is":     {func(w http.ResponseWriter) { w.(http.Flusher).Flush(); w.WriteHeader(500) }, 200, "", "", ""},
		"with a type that is found":         {func(w http.ResponseWriter) { io.WriteString(w, "<html>") }, 200, "text/html; charset=utf-8", "", "<html>"},
		"with the type that it sets itself": {func(w http.ResponseWriter) { w.Header().Set("Content-Type", "text/x"); io.WriteString(w, "<html>") }, 200, "text/x", "", "<html>"},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.Handle("POST /v1/things", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				test.do(w)
				w.Header().Set("X-Late", "yes")
			}))
			response, body := sendOnce(t, svc, newRequest(t, "POST", "/v1/things", ""))
			require.Equal(t, test.status, response.StatusCode)
			require.Equal(t, test.kind, response.Header.Get("Content-Type"))
			require.Equal(t, test.late, response.Header.Get("X-Late"), "headers are sent with the status")
			require.Equal(t, test.body, body)
		})
	}
}

func TestATaughtOperationIsCarriedOut(t *testing.T) {
	for _, test := range []struct {
		method   string
		status   int
		executed int
	}{
		{"POST", 200, 1}, {"POST", 299, 1}, {"POST", 300, 0}, {"POST", 404, 0}, {"DELETE", 204, 1}, {"GET", 200, -1}, {"HEAD", 200, -1},
	} {
		svc := monitoringtest.New()
		pattern := test.method + " /v1/things/{a}/{b}/{c}"
		svc.Handle(pattern, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(test.status) }))
		sendOnce(t, svc, newRequest(t, test.method, "/v1/things/x/y/x", ""))
		if test.executed < 0 {
			require.Panics(t, func() { svc.Executed(pattern) }, "it changes nothing")
			continue
		}
		require.Equal(t, test.executed, svc.Executed(pattern), "%s: %d", test.method, test.status)
		require.Equal(t, test.executed, svc.ExecutedOn(pattern, "x"), "once, although it: duplicate field")
		require.Equal(t, test.executed, svc.ExecutedOn(pattern, "y"))
	}
}

func TestAPanicOfAHandlerIsThatOfTheRequest(t *testing.T) {
	svc := monitoringtest.New()
	svc.Handle("GET /v1/things", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a mistake of the test") }))
	require.PanicsWithValue(t, "a mistake of the test", func() { svc.Transport().RoundTrip(newRequest(t, "GET", "/v1/things", "")) })
	require.NoError(t, list(t, svc), "and the service goes on")
}

func TestAHandlerThatWaitsForTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		svc.Handle("POST /v1/things", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		response, err := svc.Transport().RoundTrip(newRequest(t, "POST", "/v1/things", "").WithContext(ctx))
		require.Nil(t, response)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Zero(t, svc.Executed("POST /v1/things"))
	})
}

func TestAPatternMatches(t *testing.T) {
	tests := map[string]struct {
		patterns []string
		path     string
		want     string // empty for none
	}{
		"a value":                              {[]string{"GET /x/{id}"}, "/x/7", "GET /x/{id}"},
		"no empty value":                       {[]string{"GET /x/{id}"}, "/x/", ""},
		"no shorter path":                      {[]string{"GET /x/{id}"}, "/x", ""},
		"no longer path":                       {[]string{"GET /x/{id}"}, "/x/7/y", ""},
		"no other text":                        {[]string{"GET /x/y"}, "/x/z", ""},
		"no other method":                      {[]string{"POST /x/y"}, "/x/y", ""},
		"a rest":                               {[]string{"GET /x/{rest...}"}, "/x/7/y", "GET /x/{rest...}"},
		"an empty rest":                        {[]string{"GET /x/{rest...}"}, "/x/", "GET /x/{rest...}"},
		"no rest that is not there":            {[]string{"GET /x/{rest...}"}, "/x", ""},
		"a value before a rest":                {[]string{"GET /x/{rest...}", "GET /x/{id}"}, "/x/7", "GET /x/{id}"},
		"a value before a rest, in any order":  {[]string{"GET /x/{id}", "GET /x/{rest...}"}, "/x/7", "GET /x/{id}"},
		"a text before a value":                {[]string{"GET /x/{id}", "GET /x/7"}, "/x/7", "GET /x/7"},
		"a text before a value, in any order":  {[]string{"GET /x/7", "GET /x/{id}"}, "/x/7", "GET /x/7"},
		"a text in front":                      {[]string{"GET /{a}/7", "GET /x/{b}"}, "/x/7", "GET /x/{b}"},
		"a text in front, in any order":        {[]string{"GET /x/{b}", "GET /{a}/7"}, "/x/7", "GET /x/{b}"},
		"the first of two that are equal":      {[]string{"GET /x/{a}", "GET /x/{b}"}, "/x/7", "GET /x/{a}"},
		"its own rather than the service's":    {[]string{"GET /v1/check-groups/{mine}"}, "/v1/check-groups/7", "GET /v1/check-groups/{mine}"},
		"the service's rather than all":        {[]string{"GET /{all...}"}, "/v1/check-groups/7", "GET /v1/check-groups/{id}"},
		"a path with a slash in a value":       {[]string{"GET /x/{id}"}, "/x/a%2Fb", "GET /x/{id}"},
		"no path of another number of slashes": {[]string{"GET /x/{id}"}, "//x/7", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			for _, p := range test.patterns {
				svc.Handle(p, http.NotFoundHandler())
			}
			request := newRequest(t, "GET", "/", "")
			var err error
			request.URL, err = request.URL.Parse(monitoringtest.BaseURL + test.path)
			require.NoError(t, err)
			sendOnce(t, svc, request)
			if test.want == "" {
				require.Equal(t, "the service has no such operation", svc.Unexpected()[0].Refusal)
				return
			}
			require.Equal(t, test.want, svc.Requests()[0].Operation)
		})
	}
	t.Run("an empty path", func(t *testing.T) {
		svc := monitoringtest.New()
		request := newRequest(t, "GET", "/", "")
		request.URL.Path = ""
		sendOnce(t, svc, request)
		require.Equal(t, "GET ", svc.Unexpected()[0].Operation)
	})
}

func TestATextThatIsNoPatternPanics(t *testing.T) {
	svc := monitoringtest.New()
	for _, pattern := range []string{
		"", "GET", " /x", "get /x", "G-T /x", "GET x", "GET  /x", "GET /x y", "GET /x?y=1", "GET /x#y", "GET /{}", "GET /{...}", "GET /{a.b}", "GET /{a{}", "GET /a}",
	} {
		require.Panics(t, func() { svc.Handle(pattern, http.NotFoundHandler()) }, pattern)
	}
	svc.Handle("GET /", http.NotFoundHandler())
	require.PanicsWithValue(t, `monitoringtest: there is no operation "GET /x": use one of Operations, such as "GET /v1/check-groups/{id}", or teach it with Handle`,
		func() { svc.Count("GET /x") })
	svc.Inject(monitoringtest.Fault{Operation: "GET /"})
	svc.LimitRoute("GET /", monitoring.RateLimit{Requests: 1, Per: time.Second})
}

func TestAnOperationIsTaughtOverTheControl(t *testing.T) {
	svc := monitoringtest.New()
	control := func(body string) (int, string) {
		w := httptest.NewRecorder()
		svc.Control().ServeHTTP(w, httptest.NewRequest("POST", monitoringtest.ControlPath+"handle", strings.NewReader(body)))
		return w.Code, w.Body.String()
	}
	for _, body := range []string{
		`{"operation": "GET /v9/things", "items": [{"id": 1}, {"id": 2}, {"id": 3}]}`,
		`{"operation": "GET /v9/things/{id}", "body": {"id": 12345678901234567890}}`,
		`{"operation": "GET /v9/page", "text": "<p>", "status": 202, "header": {"X-A": "b", "Content-Type": "text/html"}}`,
		`{"operation": "DELETE /v9/things/{id}", "status": 204}`,
	} {
		code, text := control(body)
		require.Equal(t, 204, code, text)
	}
	see := func(method, path string) string {
		response, body := sendOnce(t, svc, newRequest(t, method, path, ""))
		return strings.TrimSpace(fmt.Sprint(response.StatusCode, " ", response.Header.Get("Content-Type"), response.Header.Get("X-A"), " ", body))
	}
	require.Equal(t, `200 application/json; charset=utf-8 [{"id":3}]`, see("GET", "/v9/things?limit=2&page=2"))
	require.Equal(t, `200 application/json; charset=utf-8 {"id":12345678901234567890}`, see("GET", "/v9/things/x"))
	require.Equal(t, "202 text/htmlb <p>", see("GET", "/v9/page"))
	require.Equal(t, "204", see("DELETE", "/v9/things/x"))
	require.Equal(t, 1, svc.ExecutedOn("DELETE /v9/things/{id}", "x"))
	for body, want := range map[string]string{
		`{"operation": "GET"}`:                                         "$.operation: ",
		`{"operation": "GET /v9/x", "status": 99}`:                     "$.status: 99 is not from 200 to 599",
		`{"operation": "GET /v9/x", "body": 1, "text": "2"}`:           "$: has more than one of body, text and items",
		`{"operation": "GET /v9/x", "header": {"X-A": 1}, "what": {}}`: "$.header.X-A: must be a string",
	} {
		code, text := control(body)
		require.Equal(t, 400, code)
		require.Contains(t, strings.ReplaceAll(text, `\"`, `"`), want)
	}
}

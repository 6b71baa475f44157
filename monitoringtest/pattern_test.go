package monitoringtest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// statusInEachWay returns the status of a request that is sent in memory, given to the handler
// and sent to a listener. It must be the same.
func statusInEachWay(t *testing.T, svc *monitoringtest.Service, build func() *http.Request) int {
	t.Helper()
	inMemory, _ := sendOnce(t, svc, build())
	w := httptest.NewRecorder()
	svc.ServeHTTP(w, build())
	require.Equal(t, inMemory.StatusCode, w.Code, "given to the handler")
	address, stop := svc.Start()
	defer stop()
	request := build()
	request.URL.Scheme, request.URL.Host = "http", strings.TrimPrefix(address, "http://")
	overListener, err := http.DefaultTransport.RoundTrip(request)
	require.NoError(t, err)
	require.NoError(t, overListener.Body.Close())
	require.Equal(t, inMemory.StatusCode, overListener.StatusCode, "sent to a listener")
	return inMemory.StatusCode
}

func TestPathsAreTakenAsTheyWereSent(t *testing.T) {
	svc := monitoringtest.New()
	id := svc.AddGroup(monitoring.CheckGroup{ID: 17, Name: "g"})
	require.Equal(t, int64(17), id)
	for path, want := range map[string]int{
		"/v1/locations": 200, "/v1/locations?": 200, "/v1/check-groups/17": 200, "/v1/check-groups/%317": 200,
		"//v1/locations": 404, "/v1//locations": 404, "///v1/locations": 404, "/v1/locations/": 404, "/v1/locations//": 404,
		"/./v1/locations": 404, "/v1/../v1/locations": 404, "/../v1/locations": 404, "/v1/locations/.": 404, "/v1/locations/x/..": 404,
		"/v1/%6cocations": 404, "/v1%2flocations": 404, "/%761/locations": 404, "/v1/Locations": 404, "/v1/locations;a=b": 404, "/v1/locations%20": 404,
		"/v1/check-groups//17": 404, "/v1/check-groups/17/": 404, "/v1/check-groups/": 404, "/v1/check-groups/1%2F7": 400, "/v1/check-groups/..": 400,
		"/v2/../v1/check-groups/17": 404, "/": 404, "//": 404,
	} {
		build := func() *http.Request { return newRequest(t, "GET", path, "") }
		require.Equal(t, want, statusInEachWay(t, svc, build), path)
		sent, _, _ := strings.Cut(path, "?")
		for _, r := range svc.Requests()[len(svc.Requests())-3:] {
			require.Equal(t, sent, r.Path, "the record shows the path as it was sent")
		}
	}
}

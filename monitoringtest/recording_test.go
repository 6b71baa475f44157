package monitoringtest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const recordedBodies = 4 << 20

// sumOf is how many bytes the bodies of requests have.
func sumOf(list []monitoringtest.Request) (sum int) {
	for _, r := range list {
		sum += len(r.Body)
	}
	return sum
}

func TestEachRequestIsRecordedAndTheLastBodiesAreKept(t *testing.T) {
	for name, test := range map[string]struct {
		sizes []int // of the bodies, in order
		kept  []int
	}{
		"as much as is kept":             {[]int{1 << 20, 1 << 20, 1 << 20, 1 << 20}, []int{1 << 20, 1 << 20, 1 << 20, 1 << 20}},
		"a byte more":                    {[]int{1 << 20, 1 << 20, 1 << 20, 1<<20 + 1}, []int{0, 1 << 20, 1 << 20, 1<<20 + 1}},
		"many small ones after a large":  {[]int{3 << 20, 100, 200, 1<<20 - 300, 1, 2}, []int{0, 100, 200, 1<<20 - 300, 1, 2}},
		"the same with none between":     {[]int{0, 3 << 20, 0, 2 << 20, 0}, []int{0, 0, 0, 2 << 20, 0}},
		"one that is all that is kept":   {[]int{7, 4 << 20}, []int{0, 4 << 20}},
		"one that is more than is kept":  {[]int{7, 5 << 20}, []int{0, 4 << 20}},
		"the same and then a small one":  {[]int{5 << 20, 9}, []int{0, 9}},
		"two that are more than is kept": {[]int{9 << 20, 6 << 20}, []int{0, 4 << 20}},
	} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New()
			svc.Handle("POST /v1/taught", http.NotFoundHandler())
			var want []string
			for i, size := range test.sizes {
				body := strings.Repeat(string(rune('a'+i)), size)
				want = append(want, body)
				sendOnce(t, svc, newRequest(t, "POST", "/v1/taught", body))
			}
			list := svc.Requests()
			require.Len(t, list, len(test.sizes))
			require.LessOrEqual(t, sumOf(list), recordedBodies)
			for i, r := range list {
				require.Equal(t, test.kept[i], len(r.Body), "body %d", i)
				require.True(t, strings.HasPrefix(want[i], string(r.Body)), "what is kept is the start of it")
				require.Equal(t, len(r.Body) < test.sizes[i], r.BodyCut, "body %d", i)
				require.Equal(t, 404, r.Status)
			}
		})
	}
}

func TestABodyIsCutBetweenCharacters(t *testing.T) {
	for shift := range 4 {
		svc := monitoringtest.New()
		sendOnce(t, svc, newRequest(t, "POST", "/v1/locations", strings.Repeat("x", shift)+strings.Repeat("\U0001F600", 1<<20)))
		r := svc.Requests()[0]
		require.True(t, utf8.Valid(r.Body))
		require.Greater(t, len(r.Body), recordedBodies-4)
		require.Equal(t, shift > 0, r.BodyCut)
	}
	svc := monitoringtest.New()
	sendOnce(t, svc, newRequest(t, "POST", "/v1/locations", strings.Repeat("\x80", recordedBodies+1)))
	require.Greater(t, len(svc.Requests()[0].Body), recordedBodies-4, "also if it is not text")
}

func TestBodiesOfForgottenRequestsDoNotCount(t *testing.T) {
	svc := monitoringtest.New(monitoringtest.WithRecording(2))
	svc.Handle("POST /v1/taught", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	send := func(sizes ...int) {
		for _, size := range sizes {
			sendOnce(t, svc, newRequest(t, "POST", "/v1/taught", strings.Repeat("x", size)))
		}
	}
	send(2<<20, 2<<20, 2<<20, 2<<20)
	require.Equal(t, 4<<20, sumOf(svc.Requests()))
	send(3 << 20) // of the two that are kept, one is cut
	require.Equal(t, 3<<20, sumOf(svc.Requests()))
	send(1<<20, 3<<20, 1<<20)
	require.Equal(t, 4<<20, sumOf(svc.Requests()))
	send(3<<20, 2<<20)
	require.Len(t, svc.Requests()[1].Body, 2<<20, "the older one is cut")
	svc.ResetRequests()
	send(2<<20, 2<<20)
	require.Equal(t, 4<<20, sumOf(svc.Requests()))
	require.Empty(t, svc.Unexpected())
}

// The requests that were refused have bodies of their own: others do not push them out.
func TestUnexpectedRequestsAreBoundedByThemselves(t *testing.T) {
	for name, option := range map[string]monitoringtest.Option{"with a recording": nil, "without one": monitoringtest.WithoutRecording()} {
		t.Run(name, func(t *testing.T) {
			svc := monitoringtest.New(option)
			svc.Handle("POST /v1/taught", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
			for _, path := range []string{"/v1/unknown", "/v1/taught", "/v1/taught", "/v1/unknown", "/v1/taught", "/v1/taught"} {
				sendOnce(t, svc, newRequest(t, "POST", path, strings.Repeat("x", 3<<19)))
			}
			require.Equal(t, 2*3<<19, sumOf(svc.Unexpected()))
			for range 9 {
				sendOnce(t, svc, newRequest(t, "POST", "/v1/unknown", strings.Repeat("x", 1<<20)))
			}
			list := svc.Unexpected()
			require.Len(t, list, 11)
			require.Equal(t, recordedBodies, sumOf(list))
			for i, r := range list {
				require.Equal(t, i < 7, r.BodyCut)
				require.Equal(t, "the service has no such operation", r.Refusal)
			}
		})
	}
}

func TestABodyThatWasNotReadIsMarked(t *testing.T) {
	svc := monitoringtest.New()
	for name, change := range map[string]func(*http.Request){
		"without the key": func(r *http.Request) { r.Header.Del("Authorization") },
		"too large":       func(r *http.Request) { r.ContentLength = 17 << 20 },
	} {
		request := newRequest(t, "POST", "/v1/checks/tcp", "{}")
		change(request)
		sendOnce(t, svc, request)
		r := svc.Requests()[len(svc.Requests())-1]
		require.True(t, r.BodyCut, name)
		require.Empty(t, r.Body, name)
	}
	for name, body := range map[string]string{"with its body": "{}", "without a body": ""} {
		request := newRequest(t, "POST", "/v1/checks/tcp", body)
		sendOnce(t, svc, request)
		require.False(t, svc.Requests()[len(svc.Requests())-1].BodyCut, name)
	}
	request := newRequest(t, "GET", "/v1/locations", "")
	request.Header.Del("Authorization")
	sendOnce(t, svc, request)
	require.False(t, svc.Requests()[len(svc.Requests())-1].BodyCut, "there was none")
}

func TestTheControlShowsWhichBodiesWereCut(t *testing.T) {
	svc := monitoringtest.New()
	for _, size := range []int{0, 9, 5 << 20, 6} {
		body := ""
		if size > 0 {
			body = padded(max(size, 11))
		}
		sendOnce(t, svc, newRequest(t, "POST", "/v1/locations", body))
	}
	for _, what := range []string{"records", "unexpected"} {
		w := httptest.NewRecorder()
		svc.Control().ServeHTTP(w, httptest.NewRequest("GET", monitoringtest.ControlPath+what, nil))
		var list []struct {
			Body    any
			BodyCut *bool
		}
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &list))
		require.Len(t, list, 4)
		require.Nil(t, list[0].BodyCut, "there was none")
		require.Equal(t, []any{nil, true}, []any{list[1].Body, *list[1].BodyCut})
		require.Equal(t, []any{nil, true}, []any{list[2].Body, *list[2].BodyCut}, "even this one, as another came")
		require.Equal(t, map[string]any{"name": ""}, list[3].Body)
		require.Nil(t, list[3].BodyCut)
	}
}

package faults_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// clocked is a service whose clock differs from that of this machine. It tells its time in each
// response that has no Date yet.
type clocked struct {
	ahead time.Duration // of the clock of this machine
	serve func(req *http.Request, now time.Time) *http.Response
}

func (s *clocked) RoundTrip(req *http.Request) (*http.Response, error) {
	now := time.Now().Add(s.ahead)
	resp := s.serve(req, now)
	if resp == nil {
		return nil, testkit.NetError("read", 104)
	}
	if resp.Header.Get("Date") == "" {
		resp.Header.Set("Date", now.UTC().Format(http.TimeFormat))
	}
	return resp, nil
}

// atEachClock runs a test with a local clock 15 minutes before that of the service, equal to it,
// and 3 minutes behind it, and the other way round.
func atEachClock(t *testing.T, test func(t *testing.T, s *clocked, client *monitoring.Client)) {
	for _, ahead := range []time.Duration{-15 * time.Minute, -3 * time.Minute, 0, 3 * time.Minute, 15 * time.Minute} {
		t.Run(fmt.Sprintf("the service is %s ahead", ahead), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(300 * time.Millisecond) // a Date is not exact
				s := &clocked{ahead: ahead}
				test(t, s, kit.Client(t, s))
			})
		})
	}
}

func TestAPauseUntilAMomentGoesByTheClockOfTheService(t *testing.T) {
	date := func(at time.Time) string { return at.UTC().Format(http.TimeFormat) }
	for _, header := range []string{"Retry-After", "X-RateLimit-Reset"} {
		atEachClock(t, func(t *testing.T, s *clocked, client *monitoring.Client) {
			sent := 0
			s.serve = func(req *http.Request, now time.Time) *http.Response {
				if sent++; sent > 1 {
					return testkit.Respond(200, nil, "[]")
				}
				until := date(now.Add(3 * time.Second))
				if header != "Retry-After" {
					until = strconv.FormatInt(now.Add(3*time.Second).Unix(), 10)
				}
				return testkit.Respond(429, http.Header{http.CanonicalHeaderKey(header): {until}}, "{}")
			}
			began := time.Now()
			_, err := client.Locations.List(t.Context())
			require.NoError(t, err)
			require.InDelta(t, 3, time.Since(began).Seconds(), 1, header)
		})
	}
}

func TestWhatALookFindsIsAsOldAsTheServiceSays(t *testing.T) {
	for name, c := range map[string]struct {
		age   time.Duration // of the only check of that name
		found bool
	}{
		"what was made just now is found":              {0, true},
		"what was made ten minutes before is not":      {10 * time.Minute, false},
		"what was made two minutes before is not":      {2 * time.Minute, false},
		"what was made a moment before may be the one": {20 * time.Second, true},
	} {
		atEachClock(t, func(t *testing.T, s *clocked, client *monitoring.Client) {
			s.serve = func(req *http.Request, now time.Time) *http.Response {
				if req.Method == http.MethodPost {
					return nil // so the list is the first to tell the time
				}
				return testkit.Respond(200, nil, fmt.Sprintf(`[{"id":"a","checkType":"TCP","name":"Shop","created_at":%q,"request":{"hostname":"shop.test"}}]`,
					now.Add(-c.age).UTC().Format(time.RFC3339Nano)))
			}
			_, err := client.Checks.Create(t.Context(), tcpCheck("Shop"), monitoring.WithCreateRecovery(time.Second))
			require.Equal(t, c.found, err == nil, "%s: %v", name, err)
		})
	}
}

func TestALateResultIsAwaitedWhateverTheClockSays(t *testing.T) {
	atEachClock(t, func(t *testing.T, s *clocked, client *monitoring.Client) {
		began := time.Now()
		s.serve = func(*http.Request, time.Time) *http.Response {
			if time.Since(began) < 1500*time.Millisecond {
				return testkit.Respond(404, nil, "{}")
			}
			return testkit.Respond(200, nil, `{"id":"`+kit.UUID2+`"}`)
		}
		stopped, final := monitoring.NewTimestamp(time.Now().Add(s.ahead)), monitoring.ResultFinal
		results, err := client.CheckSessions.FetchFailingResults(t.Context(), &monitoring.CheckSession{StoppedAt: &stopped,
			Results: []monitoring.CheckSessionResult{{CheckID: kit.UUID1, CheckResultID: kit.UUID2, ResultType: &final, HasFailures: true}}})
		require.NoError(t, err)
		require.NotNil(t, results[0])
	})
}

func TestTheLastSixHoursOfAlertsAreThoseOfTheService(t *testing.T) {
	atEachClock(t, func(t *testing.T, s *clocked, client *monitoring.Client) {
		var ends []int64
		s.serve = func(req *http.Request, now time.Time) *http.Response {
			to, _ := strconv.ParseInt(req.URL.Query().Get("to"), 10, 64)
			if to != 0 {
				ends = append(ends, to-now.Unix())
			}
			return testkit.Respond(200, nil, "[]")
		}
		_, err := client.Locations.List(t.Context())
		require.NoError(t, err)
		_, err = client.AlertNotifications.List(t.Context(), monitoring.AlertNotificationListOptions{})
		require.NoError(t, err)
		for _, err := range client.AlertNotifications.All(t.Context(), monitoring.AlertNotificationListOptions{}) {
			require.NoError(t, err)
		}
		_, err = client.CheckAlerts.List(t.Context(), monitoring.CheckAlertListOptions{})
		require.NoError(t, err)
		require.Len(t, ends, 3)
		for _, end := range ends {
			require.InDelta(t, 1, end, 1, "in seconds after the present moment of the service")
		}
	})
}

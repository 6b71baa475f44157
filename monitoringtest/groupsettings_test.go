package monitoringtest_test

import (
	"encoding/json"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// What reads show of a check with the settings of its group is what its runs do.
func TestWhatAGroupEnforcesIsShownAndRuns(t *testing.T) {
	const eu, us = "eu-central-1", "us-east-1"
	const filled = `"baseBackoffSeconds":60,"sameRegion":true`
	// The check has two locations, is retried three times and ends in one location after the other.
	own := monitoringtest.Check{
		Name: "Checkout", Tags: []string{"shop"}, Locations: []string{eu, us}, Outcome: failed, RunTime: time.Minute, GroupID: 7,
		Members: map[string]any{"retryStrategy": json.RawMessage(`{"type":"FIXED","maxRetries":3}`)},
	}
	for name, c := range map[string]struct {
		group     string
		locations []string
		attempts  int // that fail in each location before the final one
		ends      []time.Duration
		shown     string // members of the check with the settings of the group
	}{
		"nothing": {
			group: ``, locations: []string{eu, us}, attempts: 3, ends: []time.Duration{30 * time.Second, time.Minute},
			shown: `{"locations":["eu-central-1","us-east-1"],"privateLocations":[],"doubleCheck":false,"runParallel":false,
				"tags":["shop"],"retryStrategy":{"type":"FIXED","maxRetries":3,` + filled + `,"maxDurationSeconds":600}}`,
		},
		"what is null or empty": {
			group:     `,"locations":[],"privateLocations":null,"runParallel":null,"doubleCheck":false,"retryStrategy":"FALLBACK","tags":[]`,
			locations: []string{eu, us}, attempts: 3, ends: []time.Duration{30 * time.Second, time.Minute},
			shown: `{"locations":["eu-central-1","us-east-1"],"retryStrategy":{"type":"FIXED","maxRetries":3,` + filled + `,"maxDurationSeconds":600}}`,
		},
		"locations": {
			group: `,"locations":["ap-south-1"]`, locations: []string{"ap-south-1"}, attempts: 3, ends: []time.Duration{time.Minute},
			shown: `{"locations":["ap-south-1"],"privateLocations":[]}`,
		},
		"private locations": {
			group: `,"privateLocations":["dc-1"]`, locations: []string{"dc-1"}, attempts: 3, ends: []time.Duration{time.Minute},
			shown: `{"locations":[],"privateLocations":["dc-1"]}`,
		},
		"a strategy without a number": {
			group: `,"retryStrategy":{"type":"LINEAR"}`, locations: []string{eu, us}, attempts: 2,
			ends: []time.Duration{30 * time.Second, time.Minute}, shown: `{"retryStrategy":{"type":"LINEAR",` + filled + `,"maxRetries":2,"maxDurationSeconds":600}}`,
		},
		"a single retry": {
			group: `,"retryStrategy":{"type":"SINGLE_RETRY"}`, locations: []string{eu, us}, attempts: 1,
			ends: []time.Duration{30 * time.Second, time.Minute}, shown: `{"retryStrategy":{"type":"SINGLE_RETRY",` + filled + `}}`,
		},
		"retries of network errors": {
			group: `,"retryStrategy":{"type":"FIXED","onlyOn":["NETWORK_ERROR"]}`, locations: []string{eu, us}, attempts: 0,
			ends:  []time.Duration{30 * time.Second, time.Minute},
			shown: `{"retryStrategy":{"type":"FIXED","onlyOn":["NETWORK_ERROR"],` + filled + `,"maxRetries":2,"maxDurationSeconds":600}}`,
		},
		"no retries": {
			group: `,"retryStrategy":null`, locations: []string{eu, us}, attempts: 0,
			ends: []time.Duration{30 * time.Second, time.Minute}, shown: `{"retryStrategy":null}`,
		},
		"a double check": {
			group: `,"retryStrategy":null,"doubleCheck":true`, locations: []string{eu, us}, attempts: 1,
			ends: []time.Duration{30 * time.Second, time.Minute}, shown: `{"retryStrategy":null,"doubleCheck":true}`,
		},
		"parallel runs": {
			group: `,"runParallel":true`, locations: []string{eu, us}, attempts: 3,
			ends: []time.Duration{time.Minute, time.Minute}, shown: `{"runParallel":true}`,
		},
		"alert settings": {
			group:     `,"alertSettings":{"runBasedEscalation":{"failedRunThreshold":2}}`,
			locations: []string{eu, us}, attempts: 3, ends: []time.Duration{30 * time.Second, time.Minute},
			shown: `{"useGlobalAlertSettings":false,"alertSettings":{"escalationType":"RUN_BASED","runBasedEscalation":{"failedRunThreshold":2},
				"reminders":{"amount":0,"interval":5},"parallelRunFailureThreshold":{"enabled":false,"percentage":10}}}`,
		},
		"tags": {
			group: `,"tags":["production","shop"]`, locations: []string{eu, us}, attempts: 3,
			ends: []time.Duration{30 * time.Second, time.Minute}, shown: `{"tags":["shop","production"]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				client := clientOf(t, svc)
				svc.AddPrivateLocation(monitoring.PrivateLocation{Name: "dc-1"})
				svc.AddGroupJSON(`{"id":7,"name":"g"` + c.group + `}`)
				check := svc.AddCheck(own)
				applied := url.Values{"applyGroupSettings": {"true"}}
				for path, query := range map[string]url.Values{
					"/v1/checks/" + check: applied, "/v1/checks": applied, "/v1/check-groups/7/checks": nil,
				} {
					var read any
					require.NoError(t, callAny(t.Context(), client, "GET", path, query, nil, &read))
					if list, isList := read.([]any); isList {
						read = list[0]
					}
					var want, got map[string]any
					require.NoError(t, json.Unmarshal([]byte(c.shown), &want))
					got = make(map[string]any)
					for member := range want {
						got[member] = read.(map[string]any)[member]
					}
					require.Equal(t, want, got, path)
				}

				began := time.Now()
				triggerOne(t, client, check)
				time.Sleep(time.Minute)
				session := svc.Sessions()[0]
				require.Equal(t, c.locations, session.RunLocations)
				var ends []time.Duration
				for _, final := range session.FinalResults() {
					ends = append(ends, final.StoppedAt.Sub(began))
				}
				require.Equal(t, c.ends, ends)
				require.Len(t, session.Attempts(), c.attempts*len(c.locations))
			})
		})
	}
}

func TestAnUpdateOfACheckHoldsForTheNextRun(t *testing.T) {
	svc := monitoringtest.New()
	client := clientOf(t, svc)
	check := svc.AddCheck(monitoringtest.Check{Tags: []string{"shop"}})
	triggerOne(t, client, check)
	update := map[string]any{"locations": []string{"us-east-1"}, "tags": []string{"production"}}
	require.NoError(t, callAny(t.Context(), client, "PUT", "/v1/checks/"+check, nil, update, nil))
	triggerMany(t, client, map[string]any{"matchTags": [][]string{{"production"}}})
	require.Equal(t, []string{"eu-central-1"}, svc.Sessions()[0].RunLocations)
	require.Equal(t, []string{"us-east-1"}, svc.Sessions()[1].RunLocations)
}

// What an update changes holds from then on, and so does what a group no longer enforces.
func TestAnUpdateOfAGroupHoldsForTheNextRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		client := clientOf(t, svc)
		group := svc.AddGroup(monitoring.CheckGroup{Name: "g"})
		check := svc.AddCheck(monitoringtest.Check{GroupID: group})
		for _, locations := range [][]string{nil, {"us-east-1"}, {"us-west-1", "us-west-2"}, {}} {
			if locations != nil {
				update := map[string]any{"name": "g", "locations": locations}
				require.NoError(t, callAny(t.Context(), client, "PUT", "/v2/check-groups/1001", nil, update, nil))
			}
			triggerOne(t, client, check)
		}
		var ran [][]string
		for _, session := range svc.Sessions() {
			ran = append(ran, session.RunLocations)
		}
		require.Equal(t, [][]string{{"eu-central-1"}, {"us-east-1"}, {"us-west-1", "us-west-2"}, {"eu-central-1"}}, ran)
	})
}

func TestARetryStrategyOfACheckRetriesOnlyWhatFails(t *testing.T) {
	single := map[string]any{"retryStrategy": map[string]any{"type": "SINGLE_RETRY"}}
	for name, c := range map[string]struct {
		check    monitoringtest.Check
		attempts int
	}{
		"a run that passes":           {monitoringtest.Check{Members: single}, 0},
		"a degraded run":              {monitoringtest.Check{Members: single, Outcome: degraded}, 0},
		"a run that fails":            {monitoringtest.Check{Members: single, Outcome: failed}, 2},
		"a run that times out":        {monitoringtest.Check{Members: single, Outcome: monitoring.SessionTimedOut}, 2},
		"one of two locations":        {monitoringtest.Check{Members: single, Outcome: failed, FailIn: []string{"us-east-1"}}, 1},
		"attempts that a test wants":  {monitoringtest.Check{Members: single, Outcome: failed, Attempts: 3}, 6},
		"a check that is not retried": {monitoringtest.Check{Outcome: failed}, 0},
		"a double check":              {monitoringtest.Check{Members: map[string]any{"doubleCheck": true}, Outcome: failed}, 2},
		"a type without retries":      {monitoringtest.Check{Type: monitoring.CheckTypePlaywright, Members: single, Outcome: failed}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				c.check.Locations = []string{"eu-central-1", "us-east-1"}
				triggerOne(t, clientOf(t, svc), svc.AddCheck(c.check))
				time.Sleep(time.Hour)
				require.Len(t, svc.Sessions()[0].Attempts(), c.attempts)
			})
		})
	}
}

func TestACheckFailsOnlyInLocationsInWhichItsGroupRunsIt(t *testing.T) {
	svc := monitoringtest.New()
	svc.AddGroupJSON(`{"id":7,"name":"g","locations":["us-east-1"]}`)
	check := monitoringtest.Check{Name: "Checkout", GroupID: 7, FailIn: []string{"eu-central-1"}}
	const mistake = `monitoringtest: check "Checkout": it fails in "eu-central-1", which is not one of its locations`
	require.PanicsWithValue(t, mistake, func() { svc.AddCheck(check) })
	check.FailIn = []string{"us-east-1"}
	svc.AddCheck(check)
}

package faults_test

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

const noClient = "the client was not made by NewClient"

func TestTheErrorOfAZeroClientSaysSo(t *testing.T) {
	services := func() *monitoring.Client { // the services have a nil client
		c := &monitoring.Client{}
		v := reflect.ValueOf(c).Elem()
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				v.Field(i).Set(reflect.New(v.Field(i).Type().Elem()))
			}
		}
		return c
	}
	for name, client := range map[string]*monitoring.Client{"a zero client": {}, "services without a client": services()} {
		for _, c := range kit.Operations {
			t.Run(name+" "+c.Name, func(t *testing.T) {
				_, err := c.Do(t.Context(), client)
				require.ErrorContains(t, err, noClient)
				if c.All != nil {
					_, err = c.All(t.Context(), client, c.IDs, nil)
					require.ErrorContains(t, err, noClient)
				}
			})
		}
		require.ErrorContains(t, kit.Second(client.CheckSessions.Wait(t.Context(), kit.UUID1, monitoring.WaitOptions{})), noClient, name)
		require.ErrorContains(t, kit.Second(client.CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})), noClient, name)
		require.ErrorContains(t, kit.Second(client.RootCauseAnalyses.Wait(t.Context(), kit.UUID1)), noClient, name)
		require.ErrorContains(t, kit.Second(client.CheckSessions.FetchFailingResults(t.Context(), failingSession())), noClient, name)
		for _, err := range client.CheckSessions.WaitAll(t.Context(), []string{kit.UUID1}, monitoring.WaitOptions{}) {
			require.ErrorContains(t, err, noClient, name)
		}
		client.CloseIdleConnections()
	}
	var none *monitoring.Client
	require.ErrorContains(t, kit.Second(monitoring.Do[any](t.Context(), none, "GET", "/v1/x", nil, nil)), noClient)
	require.ErrorContains(t, none.OpenAPI(t.Context(), io.Discard), noClient)
	none.CloseIdleConnections()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		require.Equal(t, "monitoring.Client(not made by NewClient)", fmt.Sprintf(verb, monitoring.Client{}))
	}
}

func failingSession() *monitoring.CheckSession {
	return &monitoring.CheckSession{Results: []monitoring.CheckSessionResult{{CheckID: kit.UUID1, CheckResultID: kit.UUID2, ResultType: new(monitoring.ResultFinal), HasFailures: true}}}
}

func TestTheErrorOfANilSessionOrContextSaysSo(t *testing.T) {
	var none context.Context
	client := kit.Client(t, testkit.Faults["404"])
	require.EqualError(t, kit.Second(client.CheckSessions.FetchFailingResults(t.Context(), nil)), "monitoring: fetch failing results: the session is nil")
	require.EqualError(t, kit.Second(client.Locations.List(none)), "monitoring: the context is nil")
}

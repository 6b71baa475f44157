package monitoringtest_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestAParameterThatIsRepeatedMayHaveBrackets(t *testing.T) {
	svc, _ := monitoringtest.Run(t)
	for _, tag := range []string{"a", "b", "c"} {
		svc.AddCheck(monitoringtest.Check{Name: "of " + tag, Tags: []string{tag}})
	}
	_, plain := sendRaw(t, svc, "GET", "/v1/checks?tag=a&tag=b", "")
	status, body := sendRaw(t, svc, "GET", "/v1/checks?tag[]=a&tag[]=b", "")
	require.Equal(t, 200, status, body)
	require.Equal(t, plain, body)
	require.NotContains(t, body, "of c")
}

func TestTheEntitlementsOfMeAreThoseOfTheAccount(t *testing.T) {
	svc, client := monitoringtest.Run(t)
	_, ofID := sendRaw(t, svc, "GET", "/v1/accounts/"+monitoringtest.AccountID+"/entitlements", "")
	status, ofMe := sendRaw(t, svc, "GET", "/v1/accounts/me/entitlements", "")
	require.Equal(t, 200, status, ofMe)
	require.Equal(t, ofID, ofMe)
	mine, err := client.Entitlements.Get(t.Context(), "me")
	require.NoError(t, err)
	named, err := client.Entitlements.Get(t.Context(), monitoringtest.AccountID)
	require.NoError(t, err)
	require.Equal(t, named, mine)
}

func TestASessionAtTheLowestSpeedHasNotEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t, monitoringtest.WithSpeed(1e-300))
		id := triggerOne(t, client, svc.AddCheck(monitoringtest.Check{}))
		time.Sleep(time.Hour)
		x, err := client.CheckSessions.Get(t.Context(), id)
		require.NoError(t, err)
		require.Nil(t, x.StoppedAt)
	})
}

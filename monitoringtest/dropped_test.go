package monitoringtest_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestWhatABodyMayHaveWithoutAnEffectIsDropped(t *testing.T) {
	svc := monitoringtest.New()
	for path, body := range map[string]string{
		"/v1/checks/dns":       `{"name":"n","request":{"query":"h","recordType":"A"},"script":"x","sslCheckDomain":"h","heartbeat":{}}`,
		"/v1/checks/icmp":      `{"name":"n","request":{"hostname":"h"},"maxResponseTime":300000,"setupSnippetId":7,"scriptPath":null}`,
		"/v1/checks/ssl":       `{"name":"n","request":{"sslConfig":{"hostname":"h"}},"environmentVariables":[{"key":"K","value":"v"}]}`,
		"/v1/checks/heartbeat": `{"name":"n","heartbeat":{"period":1,"periodUnit":"days","grace":1,"graceUnit":"hours"},"frequency":5,"request":{}}`,
	} {
		status, answer := sendRaw(t, svc, http.MethodPost, path, body)
		require.Equal(t, http.StatusCreated, status, answer)
		for _, member := range []string{"script", "sslCheckDomain", "setupSnippetId", "environmentVariables", "frequency\":5"} {
			require.NotContains(t, answer, `"`+member, path)
		}
	}
}

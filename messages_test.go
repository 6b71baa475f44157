package monitoring_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func TestMessagesAreTheErrorsOfAResult(t *testing.T) {
	for name, c := range map[string]struct {
		result string
		want   []string
	}{
		"nothing": {`{"resultType":"FINAL"}`, nil},
		"an assertion that failed": {
			`{"apiCheckResult":{"assertions":[{"error":null},{"error":"expected 1"}],"requestError":null}}`, []string{"expected 1"},
		},
		"a request error, so the assertions are ignored": {
			`{"apiCheckResult":{"assertions":[{"error":"stale"}],"requestError":"refused"}}`, []string{"refused"},
		},
		"an empty request error, which is ignored": {
			`{"sslCheckResult":{"assertions":[{"error":"expires"}],"requestError":""}}`, []string{"expires"},
		},
		"errors as strings and objects": {
			`{"browserCheckResult":{"errors":["text",{"name":"Error","message":"object"}]}}`, []string{"text", "object"},
		},
		"errors of several steps": {`{"multiStepCheckResult":{"errors":["step"]}}`, []string{"step"}},
		"an error without a message, as JSON": {
			`{"playwrightCheckResult":{"errors":[{"code":7}]}}`, []string{`{"code":7}`},
		},
		"an agent's errors and conditions": {
			`{"agenticCheckResult":{"errors":[{"error":{"message":"deep"}}],"assertions":[{"condition":"a","passed":true},{"condition":"b","passed":false,"expected":"1","actual":"2"}]}}`,
			[]string{"deep", `b: expected "1", got "2"`},
		},
		"a traceroute error and a gRPC assertion": {
			`{"tracerouteCheckResult":{"requestError":"no route"},"grpcCheckResult":{"assertions":[{"error":"NOT_SERVING"}]}}`,
			[]string{"no route", "NOT_SERVING"},
		},
		"an assertion that is not an object": {`{"apiCheckResult":{"assertions":["odd"]}}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var r monitoring.CheckResult
			require.NoError(t, json.Unmarshal([]byte(c.result), &r))
			require.Equal(t, c.want, r.Messages())
		})
	}
}

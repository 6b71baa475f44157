package monitoring_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func TestTheTextOfAValidationErrorListsTwentyRules(t *testing.T) {
	for broken, want := range map[int]string{
		1: "p1: m", 2: "p1: m; p2: m", 19: "p18: m; p19: m", 20: "p19: m; p20: m", 21: "p19: m; p20: m; and 1 more", 25: "p20: m; and 5 more",
	} {
		e := &monitoring.ValidationError{}
		for i := range broken {
			e.Violations = append(e.Violations, monitoring.Violation{Path: fmt.Sprintf("p%d", i+1), Message: "m"})
		}
		text := e.Error()
		require.True(t, strings.HasPrefix(text, "monitoring: invalid request, nothing was sent: p1: m"), text)
		require.True(t, strings.HasSuffix(text, want), text)
		require.Equal(t, min(broken, 21)-1, strings.Count(text, "; "), text)
	}
	require.EqualError(t, &monitoring.ValidationError{Operation: "GET /v1/x", Violations: []monitoring.Violation{{Path: "a\nb", Message: "c"}}},
		"monitoring: GET /v1/x: invalid request, nothing was sent: a b: c")
}

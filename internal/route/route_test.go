package route_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

func TestAPatternMatches(t *testing.T) {
	for _, test := range []struct {
		name, pattern, operation string
		want                     bool
	}{
		{"the same text", "GET /v1/checks", "GET /v1/checks", true},
		{"an id in the place of braces", "GET /v1/checks/{id}", "GET /v1/checks/17", true},
		{"another placeholder", "GET /v1/checks/{id}", "GET /v1/checks/{checkId}", true},
		{"not another method", "GET /v1/checks/{id}", "PUT /v1/checks/17", false},
		{"not a longer path", "GET /v1/checks/{id}", "GET /v1/checks/17/results", false},
		{"not a shorter path", "GET /v1/checks/{id}", "GET /v1/checks", false},
		{"not another segment", "GET /v1/checks/{id}", "GET /v1/groups/17", false},
		{"no operation", "GET /v1/checks", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			pattern, err := route.Parse(test.pattern)
			require.NoError(t, err)
			require.Equal(t, test.want, pattern.Matches(test.operation))
		})
	}
}

func TestAPatternThatIsNoMethodAndPathIsRefused(t *testing.T) {
	for _, operation := range []string{"", "/v1/checks", "GET", "GET v1", "get /v1/checks"} {
		_, err := route.Parse(operation)
		require.ErrorContains(t, err, "want a method and a path", operation)
	}
}

package operations

import (
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var form = regexp.MustCompile(`^(GET|POST|PUT|PATCH|DELETE) (/([a-z0-9.-]+|\{[a-zA-Z]+\}))+$`)

// problem says what is wrong with a row; "" if nothing is.
func problem(o Operation) string {
	classes := map[string][]Class{"GET": {Read, Poll}, "PUT": {Idempotent}, "DELETE": {Idempotent}, "PATCH": {Unsafe, Idempotent}, "POST": {Unsafe, Idempotent}}
	switch {
	case !form.MatchString(o.Name):
		return "the name is not a method and a path"
	case !slices.Contains(classes[o.Method()], o.Class):
		return "the class does not fit the method"
	case o.Method() == "POST" && o.Class == Idempotent && o.Status != 204:
		return "what makes something is never sent again"
	case o.Status < 200 || o.Status > 299:
		return "the status is not that of a success"
	case len(o.IDs) != len(o.Placeholders()):
		return "give the kind of each id in the path"
	case slices.ContainsFunc(o.IDs, func(id ID) bool { return id != UUID && id != Number && id != Text }):
		return "an id has no kind"
	case o.Pages != Whole && o.Class != Read:
		return "only a read has pages"
	case o.Errors != Newer && o.Errors != Legacy && o.Errors != Mixed:
		return "say which shape its errors have"
	}
	return ""
}

func TestEveryOperationOfTheTableIsWhole(t *testing.T) {
	seen := make(map[string]bool)
	for _, o := range All() {
		require.Empty(t, problem(o), o.Name)
		require.False(t, seen[o.Name], "%s is in the table twice", o.Name)
		seen[o.Name] = true
	}
	require.NotEmpty(t, seen)
}

func TestMixedErrorsAreNewerForBadRequestsAndPlans(t *testing.T) {
	for _, test := range []struct {
		errors Errors
		legacy []int
	}{{Newer, nil}, {Legacy, []int{400, 401, 402, 403, 404, 409, 429}}, {Mixed, []int{401, 403, 404, 409, 429}}} {
		for _, status := range []int{400, 401, 402, 403, 404, 409, 429} {
			require.Equal(t, slices.Contains(test.legacy, status), test.errors.LegacyAt(status), "%s %d", test.errors, status)
		}
	}
}

func TestAnOperationIsFoundByItsName(t *testing.T) {
	o, ok := Find("GET /v1/check-results/{checkId}/{checkResultId}")
	require.True(t, ok)
	require.Equal(t, "GET", o.Method())
	require.Equal(t, "/v1/check-results/{checkId}/{checkResultId}", o.Path())
	require.Equal(t, []string{"checkId", "checkResultId"}, o.Placeholders())
	_, ok = Find("GET /v1/check-results")
	require.False(t, ok)
}

func TestTheListOfOperationsIsACopy(t *testing.T) {
	All()[0] = Operation{}
	require.Equal(t, "GET /v1/locations", All()[0].Name)
}

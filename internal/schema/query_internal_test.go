package schema

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachMistakeOfAQueryIsNamed(t *testing.T) {
	const (
		alerts     = "GET /v1/alert-notifications"
		windows    = "GET /v1/maintenance-windows"
		results    = "GET /v2/check-results/{checkId}"
		completion = "GET /v2/check-sessions/{checkSessionId}/completion"
	)
	for _, c := range []struct {
		name, operation, query string
		client, service        []string
	}{
		{name: "all parameters are fine", operation: alerts, query: "limit=100&page=7&from=1787097600&to=1787184000&alertChannelId=263584&hasFailures=false"},
		{name: "a page has at most 100 items", operation: alerts, query: "limit=101", client: []string{"limit: 101 is outside 1..100"}},
		{name: "a page has at least one item", operation: "GET /v1/error-groups/checks/{checkId}", query: "limit=0&page=0", client: []string{"limit: 0 is outside 1..100", "page: 0 is below 1"}},
		{name: "a limit is written in digits", operation: windows, query: "limit=1e1&page=", client: []string{"limit: must be a whole number", "page: must be a whole number"}},
		{name: "a huge limit is out of range", operation: windows, query: "limit=99999999999999999999", client: []string{"limit: 99999999999999999999 is outside 1..100"}, service: []string{"limit: 99999999999999999999 is too large"}},
		{name: "a completion waits 30 seconds at most", operation: completion, query: "maxWaitSeconds=31", client: []string{"maxWaitSeconds: 31 is outside 1..30"}},
		{name: "a completion waits a second at least", operation: completion, query: "maxWaitSeconds=-1", client: []string{"maxWaitSeconds: -1 is outside 1..30"}},
		{name: "a switch is true or false", operation: "POST /v1/checks/tcp", query: "autoAssignAlerts=1", client: []string{"autoAssignAlerts: must be true or false"}},
		{name: "a period ends after it begins", operation: alerts, query: "from=2000&to=1000", client: []string{"to: must be after from"}},
		{name: "a period is not empty", operation: alerts, query: "from=2000&to=2000", client: []string{"to: must be after from"}},
		{name: "a period of a second is fine", operation: alerts, query: "from=1000&to=1001&alertChannelId=1"},
		{name: "no channel has the id 0", operation: alerts, query: "alertChannelId=0", client: []string{"alertChannelId: 0 is not the id of a channel"}},
		{name: "a period of 24 hours is fine", operation: alerts, query: "from=0&to=86400"},
		{name: "a period has at most 24 hours", operation: alerts, query: "from=0&to=86401", client: []string{"to: is more than 24 hours after from; All iterates over longer periods"}},
		{name: "an end alone is fine", operation: alerts, query: "to=1"},
		{name: "milliseconds are too many seconds", operation: alerts, query: "from=1787184000000", client: []string{"from: 1787184000000 is outside 0..68719476736"}},
		{name: "all parameters of results are fine", operation: results, query: "limit=100&nextId=x&from=1&to=99999999&location=my-place&checkType=TCP&hasFailures=true&resultType=ALL&fields=id,createdAt"},
		{name: "results are selected by what there is", operation: results, query: "nextId=&from=2&to=2&checkType=COFFEE&resultType=BEST&fields=&page=1",
			client:  []string{"nextId: must not be empty", `resultType: "BEST" is not one of FINAL, ATTEMPT, ALL`, "fields: must not be empty", "to: must be after from"},
			service: []string{"nextId: must not be empty", `checkType: "COFFEE" is not one of ` + strings.Join(checkTypes, ", "), `resultType: "BEST" is not one of FINAL, ATTEMPT, ALL`, "fields: must not be empty", "to: must be after from", "page: is not allowed"}},
		{name: "a filter accepts days and timestamps", operation: windows, query: "startsAt[gte]=2026-08-01&endsAt[lt]=2026-08-01T12:00:00.000Z"},
		{name: "a filter accepts nanoseconds and a zone", operation: windows, query: "startsAt[gte]=2026-08-01T12:00:00.123456789%2B02:00"},
		{name: "nothing follows a timestamp", operation: windows, query: "startsAt[gte]=2026-08-01T12:00:00.123456789%2B02:00x", client: []string{"startsAt[gte]: must be a date"}},
		{name: "a filter accepts only dates", operation: windows, query: "startsAt[gte]=soon&endsAt[lt]=2026-02-30", client: []string{"startsAt[gte]: must be a date", "endsAt[lt]: must be a date"}},
		{name: "a filter does not contradict itself", operation: windows, query: "startsAt[gt]=2026-08-01&startsAt[gte]=2026-08-01&endsAt[lt]=2026-08-01&endsAt[lte]=2026-08-01", client: []string{"startsAt: has both gt and gte", "endsAt: has both lt and lte"}},
		{name: "a filter has one operator for the service", operation: windows, query: "startsAt[gt]=2026-08-01&startsAt[lt]=2026-08-02", service: []string{"startsAt: must have one operator"}},
		{name: "a filter has an operator for the service", operation: windows, query: "startsAt=2026-08-01&endsAt[eq]=2026-08-01", service: []string{"endsAt[eq]: is not allowed", "startsAt: is not allowed"}},
		{name: "an unknown parameter is refused by the service", operation: "GET /v1/locations", query: "limit=1&%0A=2", service: []string{`"\n": is not allowed`, "limit: is not allowed"}},
		{name: "a backslash in a query is no escape", operation: windows, query: `startsAt[gte]=%5C&%5C=1&a%5Cu0062=2`, client: []string{"startsAt[gte]: must be a date"}, service: []string{"startsAt[gte]: must be a date", `\: is not allowed`, `a\u0062: is not allowed`}},
		{name: "a repeated parameter is refused by the service", operation: "GET /v1/variables", query: "limit=1&limit=2", service: []string{"limit: must be given once"}},
		{name: "some parameters may be repeated", operation: "GET /v1/checks", query: "tag=a&tag=b"},
		{name: "each of two equal parameters is checked", operation: "GET /v1/variables", query: "limit=1&limit=0", client: []string{"limit: 0 is outside 1..100"}, service: []string{"limit: 0 is outside 1..100", "limit: must be given once"}},
	} {
		query, err := url.ParseQuery(c.query)
		require.NoError(t, err, c.name)
		o := Lookup(c.operation)
		require.Equal(t, c.client, said(o.CheckQuery(query, Client)), c.name)
		if c.service == nil {
			c.service = c.client
		}
		require.Equal(t, c.service, said(o.CheckQuery(query, Service)), c.name)
	}
}

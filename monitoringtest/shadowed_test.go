package monitoringtest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func TestAFaultBehindOneThatTakesItsRequestsIsAMistake(t *testing.T) {
	type fault = monitoringtest.Fault
	const list, get = "GET /v1/variables", "GET /v1/variables/{key}"
	id := monitoringtest.UUID("check")
	for name, test := range map[string]struct {
		earlier, later fault
		mistake        bool
	}{
		"all requests, and some":                    {fault{Status: 500}, fault{Operation: list, Status: 503}, true},
		"all requests, without an effect":           {fault{}, fault{Status: 503}, true},
		"the same operation":                        {fault{Operation: list, Status: 500}, fault{Operation: list, Status: 503}, true},
		"the same operation, and some of its pages": {fault{Operation: list, Status: 500}, fault{Operation: list, Page: 2, Status: 503}, true},
		"the same id in another case":               {fault{ID: id, Status: 500}, fault{ID: strings.ToUpper(id), Operation: get, Status: 503}, true},
		"the same page":                             {fault{Page: 2, Status: 500}, fault{Page: 2, Status: 503}, true},
		"the same account in another case":          {fault{Account: id, Status: 500}, fault{Account: strings.ToUpper(id), Status: 503}, true},
		"a text, and a longer one with it":          {fault{BodyContains: "name", Status: 500}, fault{BodyContains: `"name":`, Status: 503}, true},
		"always by a chance of one":                 {fault{Probability: 1, Status: 500}, fault{Status: 503}, true},
		"a later one that happens twice":            {fault{Status: 500}, fault{Times: 2, Status: 503}, true},
		"a later one with a match":                  {fault{Status: 500}, fault{Match: func(monitoringtest.Request) bool { return true }, Status: 503}, true},
		"another operation":                         {fault{Operation: get, Status: 500}, fault{Operation: list, Status: 503}, false},
		"an operation, and all":                     {fault{Operation: list, Status: 500}, fault{Status: 503}, false},
		"an id, and all":                            {fault{ID: id, Status: 500}, fault{Status: 503}, false},
		"a page, and all":                           {fault{Page: 2, Status: 500}, fault{Status: 503}, false},
		"an account, and all":                       {fault{Account: id, Status: 500}, fault{Status: 503}, false},
		"a text, and a shorter one":                 {fault{BodyContains: `"name":`, Status: 500}, fault{BodyContains: "name", Status: 503}, false},
		"an earlier one that happens twice":         {fault{Times: 2, Status: 500}, fault{Status: 503}, false},
		"an earlier one that waits":                 {fault{After: 2, Status: 500}, fault{Status: 503}, false},
		"an earlier one with a chance":              {fault{Probability: 0.5, Status: 500}, fault{Status: 503}, false},
		"an earlier one of an attempt":              {fault{Attempt: 1, Status: 500}, fault{Status: 503}, false},
		"an earlier one with a match":               {fault{Match: func(monitoringtest.Request) bool { return false }, Status: 500}, fault{Status: 503}, false},
	} {
		t.Run(name, func(t *testing.T) {
			for way, inject := range map[string]func(*monitoringtest.Service){
				"at once": func(svc *monitoringtest.Service) { svc.Inject(test.earlier, test.later) },
				"one after the other": func(svc *monitoringtest.Service) {
					svc.Inject(test.earlier)
					svc.Inject(test.later)
				},
			} {
				svc := monitoringtest.New()
				if !test.mistake {
					require.NotPanics(t, func() { inject(svc) }, way)
					continue
				}
				require.PanicsWithValue(t, "monitoringtest: fault "+map[string]string{"at once": "1", "one after the other": "0"}[way]+": can never happen, because an earlier "+
					"fault applies to all its requests: inject this one first, set Times of the earlier one, or call ClearFaults", func() { inject(svc) }, way)
				svc.ClearFaults()
				require.NotPanics(t, func() { svc.Inject(test.later) }, way)
			}
		})
	}
}

func TestTheControlTellsWhichFaultIsBehindAnother(t *testing.T) {
	svc := monitoringtest.New()
	const text = "can never happen, because an earlier fault applies"
	for path, body := range map[string]string{"inject": `[{"status":500},{"status":503}]`, "seed": `{"faults":[{"status":500},{"status":503}]}`} {
		w := control(svc, "POST", path, body)
		require.Equal(t, 400, w.Code)
		require.Contains(t, w.Body.String(), map[string]string{"inject": "$[1]: ", "seed": "$.faults[1]: "}[path]+text)
	}
	response, _ := sendOnce(t, svc, newRequest(t, "GET", "/v1/locations", ""))
	require.Equal(t, http.StatusOK, response.StatusCode, "none was injected")
	require.Equal(t, 204, control(svc, "POST", "inject", `{"status":500}`).Code)
	w := control(svc, "POST", "inject", `{"status":503}`)
	require.Equal(t, 400, w.Code)
	require.Contains(t, w.Body.String(), "$: "+text)
}

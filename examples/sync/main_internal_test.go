package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// account is a service that notes what it is asked for.
type account struct {
	*monitoringtest.Service
	sorts       bool // the sets in responses
	ignoresTags bool // of lists
	requests    []string
}

var sets = regexp.MustCompile(`"(?:tags|locations)":\[[^]]+`)

func (a *account) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.requests = append(a.requests, r.Method+" "+r.URL.Path)
	if a.ignoresTags {
		query := r.URL.Query()
		query.Del("tag")
		r.URL.RawQuery = query.Encode()
	}
	if !a.sorts {
		a.Service.ServeHTTP(w, r)
		return
	}
	answer := httptest.NewRecorder()
	a.Service.ServeHTTP(answer, r)
	maps.Copy(w.Header(), answer.Header())
	w.WriteHeader(answer.Code)
	io.WriteString(w, sets.ReplaceAllStringFunc(answer.Body.String(), func(set string) string {
		name, items, _ := strings.Cut(set, "[")
		list := strings.Split(items, ",")
		slices.Sort(list)
		return name + "[" + strings.Join(list, ",")
	}))
}

// sync runs the program on an account, with a file.
func (a *account) sync(t *testing.T, file string, args ...string) (code int, stdout, stderr string) {
	server := httptest.NewServer(a)
	defer server.Close()
	t.Setenv("MONITORING_BASE_URL", server.URL)
	t.Setenv("MONITORING_API_KEY", monitoringtest.APIKey)
	t.Setenv("MONITORING_ACCOUNT_ID", monitoringtest.AccountID)
	name := filepath.Join(t.TempDir(), "checks.json")
	require.NoError(t, os.WriteFile(name, []byte(file), 0o600))
	a.requests = nil
	return command(t, append([]string{"-file", name}, args...)...)
}

func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	for _, name := range []string{"file", "tag", "dry", "prune", "demo"} {
		require.NoError(t, flag.Set(name, flag.Lookup(name).DefValue))
	}
	require.NoError(t, flag.CommandLine.Parse(args))
	var out, errs bytes.Buffer
	code = run(t.Context(), &out, &errs)
	return code, out.String(), errs.String()
}

// files are runs 1 to 3 of a file: what is meant is the same.
var files = []string{`[
	{"name": "Checkout", "checkType": "API", "tags": ["shop", "production", "eu"], "locations": ["us-east-1", "eu-west-1"], "frequency": 5, "activated": true,
		"alertSettings": {"runBasedEscalation": {"failedRunThreshold": 2}}, "retryStrategy": {"type": "FIXED"},
		"request": {"method": "GET", "url": "https://shop.test/checkout", "headers": [{"key": "Accept", "value": "*/*"}],
			"assertions": [{"source": "STATUS_CODE", "comparison": "EQUALS", "target": "200"}, {"source": "JSON_BODY", "property": "$.ok", "comparison": "IS_NULL"}]}},
	{"name": "Returns", "checkType": "API", "tags": ["production"], "request": {"method": "GET", "url": "https://shop.test/returns"}}]`,
	`[
	{"name": "Returns", "checkType": "API", "request": {"url": "https://shop.test/returns"}},
	{"name": "Checkout", "checkType": "API", "tags": ["eu", "shop", "production"], "locations": ["eu-west-1", "us-east-1", "us-east-1"], "frequency": 5,
		"request": {"headers": [{"value": "*/*", "key": "Accept", "locked": false}]}}]`,
	`[
	{"name": "Checkout", "checkType": "API", "tags": ["production", "eu", "shop"], "alertSettings": {"escalationType": "RUN_BASED"},
		"retryStrategy": {"type": "FIXED", "baseBackoffSeconds": 60},
		"request": {"skipSSL": false, "assertions": [{"source": "STATUS_CODE", "comparison": "EQUALS", "target": "200", "property": ""},
			{"source": "JSON_BODY", "property": "$.ok", "comparison": "IS_NULL", "regex": ""}]}},
	{"name": "Returns"}]`,
}

func TestTheSameFileIsNoChangeInAnyOrderAndSpelling(t *testing.T) {
	for name, a := range map[string]*account{
		"the fake":             {Service: monitoringtest.New()},
		"a service that sorts": {Service: monitoringtest.New(), sorts: true},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := a.sync(t, files[0])
			require.Zero(t, code, errs)
			require.Equal(t, "\"Checkout\": is not in the account\n\"Returns\": is not in the account\n", out)
			for _, file := range append(files[1:], files[0]) {
				for _, args := range [][]string{nil, {"-dry"}} {
					code, out, errs = a.sync(t, file, args...)
					require.Zero(t, code, errs)
					require.Empty(t, out)
					require.Equal(t, []string{"GET /v1/checks"}, a.requests)
				}
			}
			other := strings.NewReplacer(`"EQUALS", "target": "200"`, `"EQUALS", "target": "201"`, `"frequency": 5`, `"frequency": 10, "muted": true`).Replace(files[0])
			code, out, _ = a.sync(t, other, "-dry")
			require.Equal(t, 1, code)
			require.Zero(t, a.Executed("PUT /v1/checks/api/{id}"))
			code, changed, errs := a.sync(t, other)
			require.Zero(t, code, errs)
			require.Equal(t, out, changed, "a dry run tells what a run does")
			require.Equal(t, `"Checkout": [muted: false -> true frequency: 5 -> 10 request.assertions[0].target: "200" -> "201"]`+"\n", out)
			require.Equal(t, 1, a.Executed("PUT /v1/checks/api/{id}"))
		})
	}
}

func TestAListRequestIsMadeForEachHundredChecks(t *testing.T) {
	a := &account{Service: monitoringtest.New()}
	var wishes []string
	for i := range 150 {
		name := fmt.Sprintf("Check %d", i)
		wishes = append(wishes, fmt.Sprintf(`{"name": %q, "tags": ["production"]}`, name))
		a.AddCheck(monitoringtest.Check{Name: name, Tags: []string{"production"}})
	}
	code, out, errs := a.sync(t, "["+strings.Join(wishes, ",")+"]")
	require.Zero(t, code, out+errs)
	require.Equal(t, []string{"GET /v1/checks", "GET /v1/checks"}, a.requests)
}

func TestChecksThatTheFileLacksAreDeletedOnlyIfThatIsAskedFor(t *testing.T) {
	a := &account{Service: monitoringtest.New()}
	shop := a.AddCheck(monitoringtest.Check{Name: "Shop", Tags: []string{"production"}})
	old := a.AddCheck(monitoringtest.Check{Name: "Old", Tags: []string{"production"}})
	left := []string{a.AddCheck(monitoringtest.Check{Name: "Shop", Tags: []string{"staging"}}),
		a.AddCheck(monitoringtest.Check{Name: "Shop", Type: monitoring.CheckTypeTCP, Tags: []string{"production"}})}
	for _, c := range []struct {
		args    []string
		code    int
		deletes bool
	}{{nil, 0, false}, {[]string{"-dry"}, 1, false}, {[]string{"-dry", "-prune", "1"}, 1, false}, {[]string{"-prune", "1"}, 0, true}} {
		code, out, errs := a.sync(t, `[{"name": "Shop", "checkType": "API"}]`, c.args...)
		require.Equal(t, c.code, code, errs)
		require.Equal(t, "\"Old\": is not in the file\n", out)
		_, there := a.Check(old)
		require.Equal(t, c.deletes, !there, c.args)
	}
	for _, id := range append(left, shop) {
		_, there := a.Check(id)
		require.True(t, there)
	}
}

func TestWhatIsWrongWithOneCheckDoesNotStopTheOthers(t *testing.T) {
	a := &account{Service: monitoringtest.New()}
	for range 2 {
		a.AddCheck(monitoringtest.Check{Name: "Twin", Tags: []string{"production"}})
	}
	a.AddCheck(monitoringtest.Check{Name: "Shop", Tags: []string{"production"}, Members: map[string]any{
		"request": json.RawMessage(`{"method":"GET","url":"https://shop.test","headers":[{"key":"X-Key","value":null,"locked":true},{"key":"A","value":"a"}]}`)}})
	const file = `[{"name": "Twin", "muted": true}, {"name": "New", "checkType": "API", "tags": ["production"], "request": {"method": "GET"}},
		{"name": "Other", "checkType": "API", "tags": ["eu"], "request": {"method": "GET", "url": "https://shop.test"}}, {"name": "Last", "checkType": "API", "tags": ["production"], "request": {"method": "GET", "url": "https://shop.test"}},
		{"name": "Last", "muted": true}, {"name": "Shop", "checkType": "API", "request": {"headers": [{"key": "X-Key", "locked": true}, {"key": "A", "value": "b"}]}}]`
	for _, args := range [][]string{{"-dry"}, {"-prune", "9"}} {
		code, _, errs := a.sync(t, file, args...)
		require.Equal(t, 2, code)
		require.Contains(t, errs, `"Other": its tags lack "production"`)
		require.Contains(t, errs, `"Twin": there are two of this name`)
		require.Contains(t, errs, `"Last": there are two of this name`)
		require.Contains(t, errs, `"New": monitoring: POST /v1/checks/api ("New"): invalid request, not sent: request.url: is required`)
		require.Regexp(t, `"Shop": monitoring: edit check .*: nothing was written: .* would overwrite secrets that the service withholds \(X-Key\)`, errs)
	}
	require.Equal(t, 1, a.Executed("POST /v1/checks/api"))
	require.Zero(t, a.Executed("DELETE /v1/checks/{id}"))
}

func TestNothingIsDeletedUnlessAllElseIsSafe(t *testing.T) {
	const good = `{"name": "Returns", "checkType": "API", "tags": ["production"], "request": {"method": "GET", "url": "https://shop.test"}}`
	for name, c := range map[string]struct {
		file, prune, says string
		deleted           int
		fault             monitoringtest.Fault
	}{
		"a file of null has no checks":               {file: `null`, prune: "20", says: "the file has no checks"},
		"an empty list has no checks":                {file: `[]`, prune: "20", says: "the file has no checks"},
		"a null in the list is a check without tags": {file: `[null]`, prune: "20", says: "its tags lack"},
		"a check without members has no tags":        {file: `[{}]`, prune: "20", says: "its tags lack"},
		"a misspelled line stops all":                {file: `[` + good + `, {"name": "Check 1", "frequecny": 5}]`, prune: "20", says: "[1].frequecny: unknown field"},
		"a renamed check with a mistake keeps its predecessor": {file: `[` + good + `, {"name": "Check 1, new", "checkType": "API", "tags": ["production"],
			"request": {"method": "GET", "url": ""}}]`, prune: "20", says: "because of these errors"},
		"a change that the service refuses keeps all": {file: `[{"name": "Check 1", "muted": true}]`, prune: "20", says: "because of these errors",
			fault: monitoringtest.Fault{Operation: "PUT /v1/checks/api/{id}", Status: 403}},
		"a create that the service refuses keeps all": {file: `[` + good + `]`, prune: "20", says: "because of these errors",
			fault: monitoringtest.Fault{Operation: "POST /v1/checks/api", Status: 402}},
		"a list that breaks off keeps all": {file: `[` + good + `]`, prune: "20", says: "403",
			fault: monitoringtest.Fault{Operation: "GET /v1/checks", Status: 403}},
		"one more than allowed keeps all":                              {file: `[{"name": "Check 1"}]`, prune: "18", says: "19 checks are not in the file, and -prune allows 18"},
		"as many as allowed are deleted":                               {file: `[{"name": "Check 1"}]`, prune: "19", deleted: 19},
		"none is allowed without a number":                             {file: `[{"name": "Check 1"}]`, prune: "0"},
		"a renamed check is made, and then its predecessor is deleted": {file: `[` + good + `, ` + all(19) + `]`, prune: "1", deleted: 1},
	} {
		t.Run(name, func(t *testing.T) {
			a := &account{Service: monitoringtest.New()}
			for i := range 20 {
				a.AddCheck(monitoringtest.Check{Name: fmt.Sprintf("Check %d", i), Tags: []string{"production"}})
			}
			if c.fault.Status != 0 {
				a.Inject(c.fault)
			}
			for _, args := range [][]string{{"-dry", "-prune", c.prune}, {"-prune", c.prune}} {
				if args[0] == "-dry" && c.fault.Status != 0 {
					continue // which no dry run sees
				}
				code, _, errs := a.sync(t, c.file, args...)
				if c.says == "" {
					require.NotEqual(t, 2, code, errs)
				} else {
					require.Equal(t, 2, code)
					require.Contains(t, errs, c.says)
				}
				if args[0] == "-dry" {
					require.Zero(t, a.Executed("DELETE /v1/checks/{id}"))
				}
			}
			require.Equal(t, c.deleted, a.Executed("DELETE /v1/checks/{id}"))
			if deletes := slices.Index(a.requests, "POST /v1/checks/api"); deletes > 0 {
				require.NotContains(t, strings.Join(a.requests[:deletes], " "), "DELETE", "checks are deleted last")
			}
		})
	}
}

// all are lines of a file with the first checks of an account.
func all(n int) string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"name": "Check %d"}`, i)
	}
	return strings.Join(lines, ",")
}

func TestACheckWithoutTheTagIsNeverDeleted(t *testing.T) {
	a := &account{Service: monitoringtest.New(), ignoresTags: true}
	for _, tag := range []string{"production", "staging"} {
		a.AddCheck(monitoringtest.Check{Name: tag, Tags: []string{tag}})
	}
	code, out, errs := a.sync(t, `[{"name": "production"}]`, "-prune", "9")
	require.Zero(t, code, errs)
	require.Empty(t, out)
	require.Zero(t, a.Executed("DELETE /v1/checks/{id}"))
}

func TestACreateWhoseResponseWasLostIsLookedForAndNotMadeTwice(t *testing.T) {
	a := &account{Service: monitoringtest.New()}
	a.Inject(monitoringtest.Fault{Operation: "POST /v1/checks/api", Kind: monitoringtest.FaultResetAfter, Times: 1})
	for _, want := range []string{"\"Shop\": is not in the account\n", ""} {
		code, out, errs := a.sync(t, `[{"name": "Shop", "checkType": "API", "tags": ["eu", "production"], "request": {"method": "GET", "url": "https://shop.test"}}]`)
		require.Zero(t, code, errs)
		require.Equal(t, want, out)
	}
	require.Equal(t, 1, a.Executed("POST /v1/checks/api"))
}

// A file of all kinds that can be created is applied twice: the second run writes nothing. What no
// file can restore is never deleted.
func TestAFileHasChecksOfAllKinds(t *testing.T) {
	a := &account{Service: monitoringtest.New()}
	for _, kind := range []monitoring.CheckType{"GRPC", "PLAYWRIGHT", "AGENTIC", "TRACEROUTE"} {
		a.AddCheck(monitoringtest.Check{Name: string(kind), Type: kind, Tags: []string{"production"}})
	}
	a.AddCheck(monitoringtest.Check{Name: "Old", Type: monitoring.CheckTypeTCP, Tags: []string{"production"}})
	data, err := os.ReadFile("testdata/kinds.json")
	require.NoError(t, err)
	code, out, errs := a.sync(t, string(data), "-prune", "9")
	require.Zero(t, code, errs)
	require.Equal(t, 9, strings.Count(out, "is not in the account"))
	require.Equal(t, 1, strings.Count(out, "is not in the file"))
	require.Equal(t, 1, a.Executed("DELETE /v1/checks/{id}"))
	code, out, errs = a.sync(t, string(data))
	require.Zero(t, code, errs)
	require.Empty(t, out)
	code, out, errs = a.sync(t, strings.ReplaceAll(string(data), `"muted": false`, `"muted": true`))
	require.Zero(t, code, errs)
	require.Equal(t, 9, strings.Count(out, "muted: false -> true"))

	// An export of the account is a file, too.
	var checks []monitoring.Check
	client, err := a.Client()
	require.NoError(t, err)
	for check, err := range client.Checks.All(t.Context(), monitoring.CheckListOptions{}) {
		require.NoError(t, err)
		if slices.Contains([]monitoring.CheckType{"GRPC", "PLAYWRIGHT", "AGENTIC", "TRACEROUTE"}, check.CheckType) {
			require.ErrorContains(t, check.Template().Validate(), "Create has no operation for "+string(check.CheckType)+" checks")
			continue
		}
		checks = append(checks, check)
	}
	export, err := monitoring.MarshalWithSecrets(checks)
	require.NoError(t, err)
	code, out, errs = a.sync(t, string(export))
	require.Zero(t, code, errs)
	require.Empty(t, out)
	empty := &account{Service: monitoringtest.New()}
	code, out, errs = empty.sync(t, string(export))
	require.Zero(t, code, errs)
	require.Equal(t, 9, strings.Count(out, "is not in the account"))
	code, out, errs = empty.sync(t, string(export))
	require.Zero(t, code, errs)
	require.Empty(t, out)
}

func TestNamesOfAFileAreEachThereOnce(t *testing.T) {
	a := &account{Service: monitoringtest.New()}
	a.AddCheck(monitoringtest.Check{Name: "Shop", Tags: []string{"production"}})
	code, _, errs := a.sync(t, `[{"name": "Shop"}, {"name": "Shop", "checkType": "TCP"}]`)
	require.Equal(t, 2, code)
	require.Contains(t, errs, `"Shop": there are two of this name`)
	code, _, errs = a.sync(t, `[{"name": "Shop", "request": {"url": "u"}}]`)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "[0].checkType: is required, because it decides what request is")
}

func TestTheProgramSaysWhatItNeeds(t *testing.T) {
	for _, name := range []string{"MONITORING_BASE_URL", "MONITORING_API_KEY"} {
		t.Setenv(name, "")
	}
	code, out, errs := command(t, "-file", "checks.json")
	require.Equal(t, 2, code)
	require.Empty(t, out)
	require.Contains(t, errs, "set MONITORING_BASE_URL and MONITORING_API_KEY in the environment")
	code, out, errs = command(t, "-demo")
	require.Zero(t, code, errs)
	require.Equal(t, "\"Checkout API\": [frequency: 10 -> 5]\n\"Returns API\": is not in the account\n", out)
	a := &account{Service: monitoringtest.New()}
	a.Inject(monitoringtest.Fault{Status: 403})
	for _, c := range []struct{ file, args, want string }{
		{`{`, "", "unexpected end of JSON input"},
		{`{}`, "", "cannot unmarshal object"},
		{`[{"name": "A"}, {"name": "B", "frequecny": 5}]`, "", "[1].frequecny: unknown field"},
		{`[{"name": "A", "checkType": "API", "request": {"headers": [{"key": "K", "valeu": "v"}]}}]`, "-prune 9", "[0].request.headers[0].valeu: unknown field"},
		{`[]`, "-file no-such-file", "no-such-file"},
		{`[]`, "", "403 Forbidden"},
	} {
		code, _, errs = a.sync(t, c.file, strings.Fields(c.args)...)
		require.Equal(t, 2, code)
		require.Contains(t, errs, c.want)
	}
}

package monitoringtest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/operations"
)

// responses is the content of testdata/responses.txt: the types of all responses.
type responses struct {
	enums      map[string][]string
	unions     map[string]string
	objects    map[string]map[string]memberType
	operations []operationType
}

type memberType struct {
	required bool
	typ      string
}

type operationType struct {
	name     string
	pattern  *regexp.Regexp // of the method and the path
	statuses map[int]string
}

var describedResponses = sync.OnceValue(func() *responses {
	data, err := os.ReadFile("testdata/responses.txt")
	if err != nil {
		panic(err)
	}
	d := &responses{enums: map[string][]string{}, unions: map[string]string{}, objects: map[string]map[string]memberType{}}
	var members map[string]memberType
	var statuses map[int]string
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		status, _ := strconv.Atoi(words[0])
		switch {
		case words[0] == "enum":
			d.enums[words[1]] = words[2:]
		case words[0] == "union":
			d.unions[words[1]] = strings.Join(words[2:], "|")
		case words[0] == "object":
			members, statuses = map[string]memberType{}, nil
			if len(words) == 4 {
				maps.Copy(members, d.objects[words[3]])
			}
			d.objects[words[1]] = members
		case words[0] == "operation":
			members, statuses = nil, map[int]string{}
			pattern := regexp.MustCompile(`\\{[^}]*\\}`).ReplaceAllString(regexp.QuoteMeta(words[1]+" "+words[2]), "[^/]+")
			d.operations = append(d.operations, operationType{words[1] + " " + words[2], regexp.MustCompile("^" + pattern + "$"), statuses})
		case statuses != nil && status > 0:
			statuses[status] = words[1]
		case members != nil && len(words) == 2:
			name, required := strings.CutSuffix(words[0], "!")
			members[name] = memberType{required, words[1]}
		default:
			panic("testdata/responses.txt: " + line)
		}
	}
	return d
})

// operation returns the operation of a request; nil for none. If two match, it takes the
// one with more text in its path.
func (d *responses) operation(method, path string) (found *operationType) {
	for i, o := range d.operations {
		if o.pattern.MatchString(method+" "+path) && (found == nil || strings.Count(o.name, "{") < strings.Count(found.name, "{")) {
			found = &d.operations[i]
		}
	}
	return found
}

// check returns the differences between a value and its type.
func (d *responses) check(at string, v any, typ string) []string {
	var first []string
	for i, one := range strings.Split(typ, "|") {
		problems := d.checkOne(at, v, one)
		if len(problems) == 0 {
			return nil
		}
		if i == 0 || len(problems) < len(first) {
			first = problems
		}
	}
	return first
}

var (
	uuidForm   = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	momentForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`)
)

func (d *responses) checkOne(at string, v any, typ string) (problems []string) {
	wrong := func() []string { return []string{fmt.Sprintf("%s: %.60v is not of type %s", at, v, typ)} }
	if inner, orNull := strings.CutSuffix(typ, "?"); orNull {
		if v == nil {
			return nil
		}
		return d.checkOne(at, v, inner)
	}
	if items, isList := strings.CutSuffix(typ, "[]"); isList {
		list, ok := v.([]any)
		if !ok {
			return wrong()
		}
		for i, item := range list {
			problems = append(problems, d.check(fmt.Sprintf("%s[%d]", at, i), item, items)...)
		}
		return problems
	}
	text, isText := v.(string)
	number, isNumber := v.(json.Number)
	object, isObject := v.(map[string]any)
	ok := false
	switch {
	case typ == "any":
		ok = true
	case typ == "null":
		ok = v == nil
	case typ == "string":
		ok = isText
	case typ == "uuid":
		ok = isText && uuidForm.MatchString(text)
	case typ == "uri":
		u, err := url.Parse(text)
		ok = isText && err == nil && u.IsAbs() && u.Host != ""
	case typ == "moment" || typ == "date":
		_, err := time.Parse(time.RFC3339, text)
		ok = isText && momentForm.MatchString(text) && err == nil
		if _, err := time.Parse(time.DateOnly, text); err == nil && typ == "date" {
			ok = true
		}
	case typ == "boolean":
		_, ok = v.(bool)
	case typ == "number" || typ == "integer":
		f, err := number.Float64()
		ok = isNumber && err == nil && (typ == "number" || f == math.Trunc(f) && !strings.ContainsAny(number.String(), ".eE"))
	case typ == "free":
		ok = isObject
	case typ[0] == '\'':
		ok = isText && "'"+text+"'" == typ
	case d.enums[typ] != nil:
		ok = isText && slices.Contains(d.enums[typ], text)
	case d.unions[typ] != "":
		return d.check(at, v, d.unions[typ])
	case d.objects[typ] != nil:
		if !isObject {
			return wrong()
		}
		return d.checkObject(at, object, d.objects[typ])
	default:
		panic("testdata/responses.txt has no type " + typ)
	}
	if !ok {
		return wrong()
	}
	return nil
}

func (d *responses) checkObject(at string, o map[string]any, members map[string]memberType) (problems []string) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if _, there := o[name]; !there && members[name].required {
			problems = append(problems, at+"."+name+": is not there")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		m, known := members[name]
		if !known {
			problems = append(problems, at+"."+name+": is not a member")
			continue
		}
		problems = append(problems, d.check(at+"."+name, o[name], m.typ)...)
	}
	return problems
}

func TestTheResponsesOfEveryOperationAreDescribed(t *testing.T) {
	anonymous := func(operation string) string {
		return regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(operation, "{}")
	}
	described := make(map[string]operationType)
	for _, o := range describedResponses().operations {
		described[anonymous(o.name)] = o
	}
	for _, o := range operations.All() {
		d, ok := described[anonymous(o.Name)]
		if !ok {
			t.Errorf("%s: describe its responses in monitoringtest/testdata/responses.txt", o.Name)
			continue
		}
		delete(described, anonymous(o.Name))
		require.Contains(t, d.statuses, o.Status, "%s: responses.txt has the status of its success", o.Name)
		public := strings.HasPrefix(o.Name, "GET /v1/runtimes") // they ask for no key
		require.Equal(t, !public, d.statuses[401] != "", "%s: responses.txt has its errors", o.Name)
		for status, shape := range d.statuses {
			if status >= 400 {
				require.Equal(t, o.Errors.LegacyAt(status), shape != "Newer", "%s %d: responses.txt has errors of another shape than internal/operations", o.Name, status)
			}
		}
	}
	require.Empty(t, described, "responses.txt has an operation that is not in internal/operations")
}

// The check itself must find mistakes: each of these values has one.
func TestTheDescriptionOfResponsesFindsMistakes(t *testing.T) {
	d := describedResponses()
	for _, test := range []struct{ typ, json, problem string }{
		{"Location", `{"region":"eu-west-1","name":"x"}`, ""},
		{"Location", `{"region":"mars-1","name":"x"}`, "$.region: mars-1 is not of type Region"},
		{"Location", `{"region":"eu-west-1"}`, "$.name: is not there"},
		{"Location", `{"region":"eu-west-1","name":null}`, "$.name: <nil> is not of type string"},
		{"Location[]", `[{"region":"eu-west-1","name":"x","x":1}]`, "$[0].x: is not a member"},
		{"Location[]", `{}`, "$: map[] is not of type Location[]"},
		{"uuid", `"x"`, "$: x is not of type uuid"},
		{"uri", `"/x"`, "$: /x is not of type uri"},
		{"moment", `"2026-08-01"`, "$: 2026-08-01 is not of type moment"},
		{"moment|null", `null`, ""},
		{"date", `"2026-08-01"`, ""},
		{"date", `"2026-13-01"`, "$: 2026-13-01 is not of type date"},
		{"integer", `1.0`, "$: 1.0 is not of type integer"},
		{"number", `1.5`, ""},
		{"boolean", `"true"`, "$: true is not of type boolean"},
		{"'FALLBACK'|RetryStrategy|null", `"NONE"`, "$: NONE is not of type 'FALLBACK'"},
		{"Session", `{"results":[]}`, "$.checkId: is not there"},
		{"EndedSession", `{"stoppedAt":null}`, "$.stoppedAt: <nil> is not of type moment"},
		{"free", `[]`, "$: [] is not of type free"},
	} {
		var v any
		decoder := json.NewDecoder(strings.NewReader(test.json))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&v))
		problems := d.check("$", v, test.typ)
		if test.problem == "" {
			require.Empty(t, problems)
			continue
		}
		require.Contains(t, problems, test.problem)
	}
	for _, o := range d.objects { // every type that is named is there
		for _, m := range o {
			d.check("$", nil, m.typ)
		}
	}
}

package faults_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// change returns a copy of JSON in which f has replaced each value, the inner ones first. The
// path is that of the value, with [] for each list.
func change(v any, path string, f func(path string, v any) any) any {
	switch v := v.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, value := range v {
			object[name] = change(value, path+"."+name, f)
		}
		return f(path, object)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = change(v[i], path+"[]", f)
		}
		return f(path, list)
	}
	return f(path, v)
}

// prune removes the members that the model does not have.
func prune(v, model any) any {
	switch v := v.(type) {
	case map[string]any:
		members, _ := model.(map[string]any)
		object := make(map[string]any)
		for name, value := range members {
			if _, ok := v[name]; ok {
				object[name] = prune(v[name], value)
			}
		}
		return object
	case []any:
		items, ok := model.([]any)
		if !ok || len(items) == 0 {
			return []any{}
		}
		list := make([]any, len(v))
		for i := range v {
			list[i] = prune(v[i], items[0])
		}
		return list
	}
	return v
}

var looseDates = []func(time.Time) string{
	func(t time.Time) string { return t.Format("2006-01-02T15:04:05") },
	func(t time.Time) string { return t.Format("2006-01-02 15:04:05Z") },
	func(t time.Time) string { return t.Format("2006-01-02T15:04:05.000+0000") },
	func(t time.Time) string { return t.Format("2006-01-02t15:04:05,000") + "z" },
	func(t time.Time) string { return t.Format("2006-01-02T15:04:05+00") },
	func(t time.Time) string { return t.Format("2006-01-02T15:04:60Z") },
	func(t time.Time) string { return t.Format("2006-01-02T24:00:00Z") },
	func(t time.Time) string { return t.Format("2006-01-02T15:04Z") },
	func(t time.Time) string { return t.Format(time.DateOnly) },
}

// modes are the forms in which a service may send a response.
var modes = map[string]func(t *testing.T, all, required any) any{
	"all members":           func(_ *testing.T, all, _ any) any { return all },
	"required members only": func(_ *testing.T, all, required any) any { return prune(all, required) },
	"nulls": func(_ *testing.T, all, required any) any {
		return nulled(all, required)
	},
	"unknown members": func(_ *testing.T, all, _ any) any {
		return change(all, "", func(_ string, v any) any {
			if object, ok := v.(map[string]any); ok {
				object["newerObject"] = map[string]any{"a": []any{json.Number("9007199254740993"), nil, "x"}}
				object["newerNull"] = nil
			}
			return v
		})
	},
	"whole numbers with a fraction": func(_ *testing.T, all, _ any) any {
		return change(all, "", func(_ string, v any) any {
			if n, ok := v.(json.Number); ok && !strings.ContainsAny(n.String(), ".eE") {
				return n + ".0"
			}
			return v
		})
	},
	"numbers with an exponent": func(_ *testing.T, all, _ any) any {
		return change(all, "", func(_ string, v any) any {
			if n, ok := v.(json.Number); ok && n != "0" && !strings.ContainsAny(n.String(), ".eE") {
				return n + "0e-1"
			}
			return v
		})
	},
	"fractional numbers": func(_ *testing.T, all, _ any) any {
		return change(all, "", func(path string, v any) any {
			if n, ok := v.(json.Number); ok && path != ".id" && !strings.ContainsAny(n.String(), ".eE") { // it would be another id
				return n + ".75"
			}
			return v
		})
	},
	"loose dates": func(_ *testing.T, all, _ any) any {
		form := 0
		return change(all, "", func(_ string, v any) any {
			text, _ := v.(string)
			if at, err := time.Parse(time.RFC3339, text); err == nil {
				form++
				return looseDates[form%len(looseDates)](at.UTC())
			}
			return v
		})
	},
}

// nulled sets members to null that are not required.
func nulled(v, required any) any {
	switch v := v.(type) {
	case map[string]any:
		members, _ := required.(map[string]any)
		object := make(map[string]any)
		for name, value := range v {
			if model, ok := members[name]; ok {
				object[name] = nulled(value, model)
			} else {
				object[name] = nil
			}
		}
		return object
	case []any:
		items, _ := required.([]any)
		list := make([]any, len(v))
		for i := range v {
			if len(items) > 0 {
				list[i] = nulled(v[i], items[0])
			}
		}
		return list
	}
	return v
}

// least returns the least of a response that is about something: an object with one member, and a
// list of an object with none. It stands for the sample of members that are always there.
func least(v any) any {
	switch v := v.(type) {
	case map[string]any:
		first := slices.Sorted(maps.Keys(v))[0]
		return map[string]any{first: v[first]}
	case []any:
		return []any{map[string]any{}}
	}
	return v
}

func TestEveryResponseIsReadInEveryMode(t *testing.T) {
	t.Parallel()
	files := kit.Files(t, "testdata/responses/*.all-members.json")
	require.Greater(t, len(files), 15)
	for _, file := range files {
		operation, _, _ := strings.Cut(filepath.Base(file), ".")
		all := kit.ParseJSON(t, kit.File(t, file))
		required := least(all)
		if file := "testdata/responses/" + operation + ".required-only.json"; slices.Contains(kit.Files(t, file), file) {
			required = kit.ParseJSON(t, kit.File(t, file))
		}
		for mode, f := range modes {
			t.Run(operation+", "+mode, func(t *testing.T) {
				sent := f(t, all, required)
				body, err := json.Marshal(sent)
				require.NoError(t, err)
				value, err := kit.Respond(t, operation, http.StatusOK, string(body))
				require.NoError(t, err)
				got := kit.ParseJSON(t, kit.ToJSON(t, value))
				if mode == "fractional numbers" {
					sent = change(sent, "", func(_ string, v any) any { return cutOff(v) })
					got = change(got, "", func(_ string, v any) any { return cutOff(v) })
				}
				c := &comparison{nullIsZero: mode == "nulls"}
				c.compare("", sent, got)
				problems := c.problems
				if mode == "unknown members" && operation != "get-v1-check-result" { // only results keep unknown members
					problems = nil
					for _, problem := range c.problems {
						if !strings.Contains(problem, "newerObject: was dropped") {
							problems = append(problems, problem)
						}
					}
				}
				require.Empty(t, problems)
			})
		}
	}
}

// cutOff removes the fraction of a number, and returns other values unchanged.
func cutOff(v any) any {
	n, ok := v.(json.Number)
	if !ok {
		return v
	}
	r, _ := new(big.Rat).SetString(n.String())
	return json.Number(new(big.Int).Quo(r.Num(), r.Denom()).String())
}

// TestAMemberOfTheWrongTypeIsReadOrNamedInTheError replaces each member of each response
// by a value of each other JSON type. The call returns a value, or an error with the path of
// exactly this member and the other members in Partial.
func TestAMemberOfTheWrongTypeIsReadOrNamedInTheError(t *testing.T) {
	t.Parallel()
	files := kit.Files(t, "testdata/responses/*.all-members.json")
	files = files[:testkit.Rounds(len(files))]
	number := regexp.MustCompile(`\[\d+\]`)
	odd := map[string]any{
		"a text": "boom", "a number": json.Number("12"), "a boolean": true, "an object": map[string]any{"odd": json.Number("1.0")}, "a list": []any{json.Number("1.0")},
	}
	for _, file := range files {
		operation, _, _ := strings.Cut(filepath.Base(file), ".")
		all := kit.ParseJSON(t, kit.File(t, file))
		for path, members := range membersByPath(all, "", nil) {
			for kind, value := range odd {
				members.set(value)
				read, err := kit.Respond(t, operation, http.StatusOK, textOf(t, all))
				name := fmt.Sprintf("%s: %s is %s", operation, path, kind)
				if err != nil {
					var failed *monitoring.DecodeError
					require.ErrorAs(t, err, &failed, name)
					require.NotEmpty(t, failed.Path, name)
					index := number.ReplaceAllString(strings.TrimPrefix(failed.Path, "$"), "[]")
					require.True(t, index == path || index == path+"[]" || index == path+".odd", "%s: the path of the error is %s", name, failed.Path)
					require.NotContains(t, err.Error(), "json:", name)
					partial := string(failed.Partial)
					if _, ofItem := errors.AsType[*monitoring.ItemError](err); ofItem {
						partial = "[" + partial + "]"
					}
					_, err = kit.Respond(t, operation, http.StatusOK, partial)
					require.True(t, err == nil || strings.Contains(err.Error(), "it is missing"), "%s: Partial can be read: %v", name, err)
					require.NotContains(t, path, "Result.", "%s: a member of a payload never fails the response", name)
				} else if operation == "get-v1-check-result" && strings.Contains(path, "Result.") {
					got := kit.ParseJSON(t, kit.ToJSON(t, read))
					c := &comparison{}
					c.compare("", all, got)
					if len(c.problems) > 0 { // a single value may be read as a list of one item
						members.set([]any{value})
						listed := &comparison{}
						listed.compare("", all, got)
						require.Empty(t, listed.problems, "%s: %v", name, c.problems)
					}
				}
			}
			members.restore()
		}
	}
}

func textOf(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// memberAt is a member of a JSON object, with the value that it had.
type memberAt struct {
	object map[string]any
	name   string
	was    any
}

type membersAt []memberAt

func (list membersAt) set(value any) {
	for _, m := range list {
		m.object[m.name] = value
	}
}

func (list membersAt) restore() {
	for _, m := range list {
		m.object[m.name] = m.was
	}
}

// membersByPath returns all members in a value. Those of several items of a list have one path.
func membersByPath(v any, path string, found map[string]membersAt) map[string]membersAt {
	if found == nil {
		found = make(map[string]membersAt)
	}
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			at := path + "." + name
			found[at] = append(found[at], memberAt{v, name, value})
			membersByPath(value, at, found)
		}
	case []any:
		for _, item := range v {
			membersByPath(item, path+"[]", found)
		}
	}
	return found
}

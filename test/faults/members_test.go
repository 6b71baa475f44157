package faults_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// TestAMemberOfTheWrongTypeIsReadOrNamedInTheError replaces each member of each response
// by null, by values of other JSON types, and by a number with a fraction. The call returns
// a value, or an error with the path of exactly this member and the other members in Partial.
func TestAMemberOfTheWrongTypeIsReadOrNamedInTheError(t *testing.T) {
	t.Parallel()
	files := kit.Files(t, "testdata/responses/*.all-members.json")
	files = files[:testkit.Rounds(len(files))]
	indexes := regexp.MustCompile(`\[\d+\]`)
	odd := map[string]any{
		"null": nil, "a fraction": json.Number("5.75"), "a text": "boom", "a number": json.Number("12"), "an object": map[string]any{"odd": json.Number("1.0")},
	}
	for _, file := range files {
		operation, _, _ := strings.Cut(filepath.Base(file), ".")
		all := kit.ParseJSON(t, kit.File(t, file))
		for path, members := range membersByPath(all, "", nil) {
			for kind, value := range odd {
				members.set(value)
				read, err := kit.Respond(t, operation, http.StatusOK, textOf(t, all))
				name := fmt.Sprintf("%s: %s is %s", operation, path, kind)
				if kind == "null" {
					require.True(t, err == nil || strings.Contains(err.Error(), "it is missing"), "%s: %v", name, err)
				} else if err != nil {
					var failed *monitoring.DecodeError
					require.ErrorAs(t, err, &failed, name)
					require.NotEmpty(t, failed.Path, name)
					index := indexes.ReplaceAllString(strings.TrimPrefix(failed.Path, "$"), "[]")
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

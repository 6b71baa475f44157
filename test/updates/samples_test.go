package updates_test

import (
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// updatable is a type of response that has ToUpdate.
type updatable struct {
	request   reflect.Type
	operation string
	rename    func(t *testing.T, c *monitoring.Client, sample string) error
}

var (
	group   = updatable{reflect.TypeFor[monitoring.CheckGroupUpdate](), "PUT /v2/check-groups/{id}", renameGroup}
	browser = updatable{reflect.TypeFor[monitoring.BrowserCheckUpdate](), "PUT /v1/checks/browser/{id}", renameBrowserCheck}
)

func renameGroup(t *testing.T, c *monitoring.Client, name string) error {
	update := kit.Decode[*monitoring.CheckGroup](t, name).ToUpdate()
	update.Name = "renamed"
	return kit.Second(c.CheckGroups.Update(t.Context(), 1, update))
}

func renameBrowserCheck(t *testing.T, c *monitoring.Client, name string) error {
	update := kit.Decode[*monitoring.BrowserCheck](t, name).ToUpdate()
	update.Name = new("renamed")
	return kit.Second(c.Checks.UpdateBrowser(t.Context(), "b", update))
}

// TestAnUpdateWritesBackWhatWasRead renames each response of testdata that has ToUpdate. The
// update passes validation, has all members of the response that it can have, and leaves out a
// list in which a value is withheld.
func TestAnUpdateWritesBackWhatWasRead(t *testing.T) {
	for operation, kind := range map[string]updatable{"get-v1-check-group": group, "put-v2-check-group": group, "put-v1-checks-browser": browser} {
		files := kit.ResponseFiles(t, operation)
		require.GreaterOrEqual(t, len(files), 4)
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			t.Run(name, func(t *testing.T) {
				client, requests := kit.Recorded(t, http.StatusOK, `{"name":"renamed"}`)
				require.NoError(t, kind.rename(t, client, name))
				was := kit.ParseJSON(t, kit.File(t, "testdata/responses/"+name+".json")).(map[string]any)
				require.Equal(t, kind.renamed(was), kit.ParseJSON(t, requests.Sent[0].Body))
			})
		}
	}
}

// renamed returns the body that renames an object.
func (k updatable) renamed(was map[string]any) any {
	if settings, ok := was["alertSettings"].(map[string]any); ok && k.request == group.request {
		delete(settings, "sslCertificates") // deprecated, and not a member of the request
	}
	want := map[string]any{"name": "renamed"}
	node := schema.Lookup(k.operation).Body
	for field := range k.request.Fields() {
		member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		value, ok := was[member]
		switch {
		case !ok || member == "name":
		case value == nil && !node.Member(member).Node.Nullable():
		case member == "environmentVariables" && holdsNullValue(value):
		default:
			want[member] = value
		}
	}
	return want
}

func holdsNullValue(variables any) bool {
	list, _ := variables.([]any)
	return slices.ContainsFunc(list, func(v any) bool { return v.(map[string]any)["value"] == nil })
}

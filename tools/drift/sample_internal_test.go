package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/operations"
)

// sampleRoot returns what a service describes in testdata/service.json.
func sampleRoot(t *testing.T) object {
	t.Helper()
	data, err := os.ReadFile("testdata/service.json")
	require.NoError(t, err)
	root, err := decode(bytes.NewReader(data))
	require.NoError(t, err)
	return root
}

// sampleBaseline returns a file with testdata/baseline.txt, and with the other operations that the
// sample does not describe.
func sampleBaseline(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("testdata/baseline.txt")
	require.NoError(t, err)
	text, paths := string(data), sampleRoot(t)["paths"].(object)
	for _, o := range operations.All() {
		methods, _ := paths[o.Path()].(object)
		if line := "gone " + o.Name + "\n"; methods[strings.ToLower(o.Method())] == nil && o.Path() != "/openapi.json" && !strings.Contains(text, line) {
			text += line
		}
	}
	return file(t, text)
}

// sample returns the new findings about the sample.
func sample(t *testing.T, plant func(root object)) []finding {
	t.Helper()
	root := sampleRoot(t)
	plant(root)
	known, err := loadBaseline(sampleBaseline(t), false)
	require.NoError(t, err)
	return known.report(compare(root)).Findings
}

func TestADescriptionAsServicesWriteItHasNoFalseFindings(t *testing.T) {
	code, out, errOut := drift(t, "", "-baseline", sampleBaseline(t), "-strict", "testdata/service.json")
	require.Equal(t, exitSame, code, out+errOut)
}

func TestFindingsInADescriptionAsServicesWriteIt(t *testing.T) {
	members := func(t *testing.T, root object, schema string) object {
		return at(t, root, "components schemas "+schema+" properties")
	}
	for name, c := range map[string]struct {
		plant func(root object)
		want  []string
	}{
		"the last value of its kind": {func(root object) {
			for _, schema := range []string{"SessionV2", "HeartbeatForm"} {
				members(t, root, schema)["checkType"] = object{"type": "string", "enum": []any{"API"}}
			}
		}, []string{
			`! gone GET /v1/check-sessions/{checkSessionId} response $.checkType value "HEARTBEAT"`,
			`! gone GET /v1/check-sessions/{checkSessionId} response $.results[].checkType value "HEARTBEAT"`,
			`! gone GET /v1/checks/{id} response $.checkType value "HEARTBEAT"`,
			`! gone GET /v2/check-sessions/{checkSessionId} response $.checkType value "HEARTBEAT"`,
			`! gone POST /v1/checks/tcp response $.checkType value "HEARTBEAT"`,
		}},
		"the last member of its kind": {func(root object) {
			members(t, root, "Group")["alertSettings"] = object{"$ref": "#/components/schemas/AlertSettings"}
		}, []string{
			"! gone GET /v1/check-groups/{id} response $.alertSettings.sslCertificates",
			"! gone GET /v1/checks/{id} response $.alertSettings.sslCertificates",
			"! gone POST /v1/checks/tcp response $.alertSettings.sslCertificates",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, lines(sample(t, c.plant)))
		})
	}
}

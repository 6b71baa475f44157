package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// sample returns the new findings about what a service describes in testdata/service.json.
func sample(t *testing.T, plant func(root object)) []finding {
	t.Helper()
	data, err := os.ReadFile("testdata/service.json")
	require.NoError(t, err)
	root, err := decode(bytes.NewReader(data))
	require.NoError(t, err)
	plant(root)
	known, err := loadBaseline("testdata/baseline.txt", false)
	require.NoError(t, err)
	return known.report(compare(root)).Findings
}

func TestADescriptionAsServicesWriteItHasNoFalseFindings(t *testing.T) {
	code, out, errOut := drift(t, "", "-baseline", "testdata/baseline.txt", "-strict", "testdata/service.json")
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
			members(t, root, "SessionV2")["checkType"] = object{"type": "string", "enum": []any{"API"}}
		}, []string{
			`! gone GET /v1/check-sessions/{checkSessionId} response $.checkType value "HEARTBEAT"`,
			`! gone GET /v1/check-sessions/{checkSessionId} response $.results[].checkType value "HEARTBEAT"`,
			`! gone GET /v2/check-sessions/{checkSessionId} response $.checkType value "HEARTBEAT"`,
			`! gone POST /v1/checks/tcp response $.checkType value "HEARTBEAT"`,
		}},
		"the last member of its kind": {func(root object) {
			members(t, root, "Group")["alertSettings"] = object{"$ref": "#/components/schemas/AlertSettings"}
		}, []string{
			"! gone GET /v1/check-groups/{id} response $.alertSettings.sslCertificates",
			"! gone POST /v1/checks/tcp response $.alertSettings.sslCertificates",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, lines(sample(t, c.plant)))
		})
	}
}

package docs_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheGuideForContributorsNamesFilesThatAreThere looks up what stands in code and ends
// like a file, such as `internal/operations/operations.go`.
func TestTheGuideForContributorsNamesFilesThatAreThere(t *testing.T) {
	text := read(t, "CONTRIBUTING.md")
	count := 0
	for _, m := range regexp.MustCompile("`([\\w/.-]+/[\\w.-]+|\\w+\\.(?:go|md))`").FindAllStringSubmatch(text, -1) {
		name := strings.TrimSuffix(m[1], ".")
		if name == "testing/synctest" || strings.Contains(name, "NAME") ||
			strings.Contains(name, "KIND") || strings.HasPrefix(name, "check_") {
			continue // of the new operation, or below a folder that the sentence names
		}
		count++
		_, err := os.Stat("../" + name)
		require.NoError(t, err, "CONTRIBUTING.md names %s", name)
	}
	require.Greater(t, count, 10, "files were not found")
}

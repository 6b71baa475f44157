package monitoring_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// newestChange returns the version of the first section of a changelog, "" if it has none.
func newestChange(changelog string) string {
	m := regexp.MustCompile(`(?m)^## (\S+)`).FindStringSubmatch(changelog)
	if m == nil {
		return ""
	}
	return m[1]
}

func TestTheVersionIsTheFirstInTheChangelog(t *testing.T) {
	changelog, err := os.ReadFile("CHANGELOG.md")
	require.NoError(t, err)
	require.Equal(t, monitoring.Version, newestChange(string(changelog)), "the first version in CHANGELOG.md must be the constant Version")
}

func TestTheNewestChangeIsTheFirstSection(t *testing.T) {
	require.Equal(t, "1.2.0", newestChange("# Changelog\n\nText.\n\n## 1.2.0 — unreleased\n\n- a\n\n## 1.1.0\n"))
	require.Empty(t, newestChange("# Changelog\n\n### 1.2.0\n"))
}

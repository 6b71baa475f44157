package monitoring_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/stretchr/testify/require"
)

// readmePreamble has the declarations that the blocks of the README use.
const readmePreamble = `package readme

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

var (
	_ = errors.Is
	_ = fmt.Println
	_ = slog.Default
	_ = http.MethodGet
	_ = url.PathEscape
	_ = synctest.Wait
	_ = time.Now
	_ = monitoringtest.New
	_ *testing.T
	_ context.Context
)

`

// TestTheGoBlocksOfTheReadmeCompile compiles each block as a package of its own, which exists
// only in an overlay of the compiler.
func TestTheGoBlocksOfTheReadmeCompile(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	require.Greater(t, len(blocks), 8)
	root, err := os.Getwd()
	require.NoError(t, err)
	dir := t.TempDir()
	overlay := map[string]map[string]string{"Replace": {}}
	packages := []string{"build", "-overlay", filepath.Join(dir, "overlay.json")}
	for i, block := range blocks {
		source := block[1]
		switch {
		case strings.HasPrefix(source, "package "):
			lines := regexp.MustCompile(`(?m)^.*\S.*$`).FindAllString(source, -1)
			require.LessOrEqual(t, len(lines), 15, "the first program is short")
		case strings.HasPrefix(source, "func "):
			source = readmePreamble + source
		default:
			source = readmePreamble + fmt.Sprintf(`func block(ctx context.Context, client *monitoring.Client, key, account, id string, ids []string, tracedHTTPClient *http.Client) error {
	var err error
	_ = err
	{
%s
		%s
	}
	return err
}
`, source, keepAlive(source))
		}
		file := filepath.Join(dir, fmt.Sprintf("block%d.go", i))
		require.NoError(t, os.WriteFile(file, []byte(source), 0o600))
		overlay["Replace"][filepath.Join(root, "internal", "readme", fmt.Sprintf("block%d", i), "block.go")] = file
		packages = append(packages, fmt.Sprintf("./internal/readme/block%d", i))
	}
	data, err := json.Marshal(overlay)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), data, 0o600))
	out, err := exec.CommandContext(t.Context(), "go", packages...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// keepAlive uses the variables a block declares, so that leaving one out of the README
// is no error.
func keepAlive(source string) string {
	var b strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^(?:var )?([a-z]\w*|_)(?:, (\w+))? (?::=|\[\]struct)`).FindAllStringSubmatch(source, -1) {
		for _, name := range m[1:] {
			if name != "" && name != "_" {
				fmt.Fprintf(&b, "_ = %s\n", name)
			}
		}
	}
	return b.String()
}

// TestTheReadmeNamesEveryOperation compares the table of operations with the directives above
// the methods.
func TestTheReadmeNamesEveryOperation(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	sources, err := filepath.Glob("*.go")
	require.NoError(t, err)
	directive := regexp.MustCompile(`(?m)^//monitoring:operation (.+)\nfunc \(\w+ \*(\w+)\) (\w+)`)
	found := 0
	for _, file := range sources {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range directive.FindAllStringSubmatch(string(source), -1) {
			method := strings.TrimSuffix(m[2], "Service") + "." + m[3]
			method = strings.TrimPrefix(method, "Client.")
			row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(m[1]) + `[^|]*\| ` + "`" + regexp.QuoteMeta(method) + "`")
			if !row.Match(readme) { // the README is long: it is not printed
				t.Errorf("the README's table of operations lacks a row %q", "| "+m[1]+" | `"+method+"` |")
			}
			found++
		}
	}
	require.Equal(t, len(monitoring.TabledOperations()), found)
}

func TestTheInProcessFakeHasEveryOperation(t *testing.T) {
	for _, operation := range monitoring.TabledOperations() {
		require.Contains(t, monitoringtest.Operations(), operation, "%s: add a route for it to monitoringtest/routes.go", operation)
	}
}

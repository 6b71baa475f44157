package monitoring_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The packages under internal are used by the root, and must be understood without it.
func TestNothingUnderInternalImportsTheRoot(t *testing.T) {
	files := 0
	require.NoError(t, filepath.WalkDir("internal", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		files++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			require.NotEqual(t, `"github.com/monitoring-api/monitoring-go"`, spec.Path.Value, path)
		}
		return nil
	}))
	require.NotZero(t, files)
}

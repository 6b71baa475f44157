package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheFileIsThatOfTheMarkedTypes(t *testing.T) {
	root := filepath.Join("..", "..")
	want, err := generate(root)
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(root, output))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run go generate in the root")
}

func TestAMarkerThatIsNotAboutAStructIsAnError(t *testing.T) {
	for source, want := range map[string]string{
		"// A is a number.\n//\n//monitoring:json\ntype A int": "a.go: A is no struct, but has //monitoring:json",
		"//monitoring:json\nvar a int":                         "a.go: //monitoring:json is not about a type",
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n\n"+source+"\n"), 0o600))
		_, err := generate(dir)
		require.EqualError(t, err, dir+"/"+want)
	}
}

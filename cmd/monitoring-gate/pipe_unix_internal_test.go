//go:build unix

package main

import (
	"bytes"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPipeThatNobodyReadsIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, syscall.Mkfifo("pipe", 0o600))
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitUnknown, program{env(), &stdout, &stderr, nil}.run(t.Context(), []string{"-demo", "-html", "pipe"}))
	require.Contains(t, stderr.String(), "pipe")
	require.Empty(t, stdout.String())
}

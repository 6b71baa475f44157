package schema

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPlainHostsAreLettersDigitsAndWhatJoinsThem(t *testing.T) {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._"
	for b := range 256 {
		require.Equal(t, strings.IndexByte(plain, byte(b)) >= 0, plainHost([]byte{'a', byte(b), '1'}), "%q", b)
	}
	require.True(t, plainHost([]byte("Host-1.example_2.org")))
}

func TestUUIDsAre32HexDigitsInFiveGroups(t *testing.T) {
	for id, want := range map[string]bool{
		"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": true, "ABCDEF09-abcd-EF01-2345-67890abcdef0": true,
		"": false, "5b1d4f0e": false, "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e1": false, "5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e111": false,
		"5b1d4f0e07a53-4a8c-9a57-0c1a3d6f2e11": false, "5b1d4f0e-7a5304a8c-9a57-0c1a3d6f2e11": false, "5b1d4f0e-7a53-4a8c09a57-0c1a3d6f2e11": false, "5b1d4f0e-7a53-4a8c-9a5700c1a3d6f2e11": false,
		"00000000-0000-0000-0000-000000000000": true, "{b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e1}": false, "５b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e1": false,
		"-b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false, "gb1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false, "Gb1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false, "`b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false,
		"@b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false, "/b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false, ":b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11": false,
	} {
		require.Equal(t, want, IsUUID(textOf(id).string(37)), id)
	}
}

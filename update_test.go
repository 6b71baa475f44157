package monitoring

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatWasNotChangedIsSentAsRead(t *testing.T) {
	const typed, ssl = "typed", `{"sslCertificates":{}}`
	for _, c := range []struct {
		read, member   string
		nullable, hide bool
		want           string
	}{
		{`2.0`, "concurrency", false, false, `2.0`}, {`2.0`, "concurrency", false, true, `2.0`},
		{`null`, "tags", false, false, ``}, {`null`, "runtimeId", true, false, `null`}, {`null`, "runtimeId", true, true, `null`},
		{ssl, "alertSettings", true, false, typed}, {ssl, "apiCheckDefaults", false, false, ssl}, {`{"x":1}`, "alertSettings", true, false, `{"x":1}`},
		{`{"x":1}`, "alertSettings", true, true, typed}, {`["x"]`, "tags", false, true, typed}, {`["x"]`, "tags", false, false, `["x"]`},
	} {
		require.Equal(t, c.want, string(sentAsRead([]byte(c.read), c.member, []byte(typed), c.nullable, c.hide)), "%s %s", c.member, c.read)
	}
	require.Nil(t, sentAsRead(nil, "name", []byte(typed), true, false))
}

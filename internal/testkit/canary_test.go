package testkit

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheTestsFindASecretThatIsShown(t *testing.T) {
	for _, v := range []any{Canary, []byte(Canary), struct{ S string }{Canary}, struct{ s []byte }{[]byte(Canary)}} {
		shown := Rendered(v)
		for _, how := range []string{"%v", "%s", "%x", "% x", "%d", "%#v", "%+v", "slog text", "Sprint"} {
			if _, isText := v.(string); isText || how != "%v" && how != "%+v" && how != "slog text" && how != "Sprint" {
				require.True(t, ShowsCanary(shown[how]), "%s of %T", how, v)
			}
		}
	}
}

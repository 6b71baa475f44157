package testkit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestTheTestsFindASecretThatIsShown(t *testing.T) {
	for _, v := range []any{testkit.Canary, []byte(testkit.Canary), struct{ S string }{testkit.Canary}, struct{ s []byte }{[]byte(testkit.Canary)}} {
		shown := testkit.Rendered(v)
		for _, how := range []string{"%s", "%x", "% x", "%d", "%#v"} {
			require.True(t, testkit.ShowsCanary(shown[how]), "%s of %T", how, v)
		}
	}
	require.True(t, testkit.ShowsCanary(testkit.Rendered(testkit.Canary)["slog text"]))
}

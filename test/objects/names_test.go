package objects_test

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// The requests of fifty creates in a loop have one method and path.
func TestAnErrorNamesTheObjectThatIsNotWritten(t *testing.T) {
	through := func(transport testkit.RoundTripper) *monitoring.Client {
		return kit.NewClient(t, kit.Base, kit.Key, &http.Client{Transport: transport}, monitoring.WithMaxRetries(0))
	}
	clients := map[string]*monitoring.Client{
		": 400 Bad Request: no": through(testkit.Status(400, `{"statusCode":400,"error":"Bad Request","message":"no"}`)),
		": reset":               through(func(*http.Request) (*http.Response, error) { return nil, errors.New("reset") }),
		": 204 No Content":      through(testkit.Status(204, "")),
	}
	each(t, func(t *testing.T, r resource) {
		client, _ := r.server(t)
		o := r.get(t, client)
		named := func() string {
			for _, field := range []string{"Name", "Key", "Type"} {
				if v := reflect.ValueOf(o).Elem().FieldByName(field); v.IsValid() {
					return fmt.Sprintf(" (%q)", v.String())
				}
			}
			return "?"
		}
		kit.ErrAs[*monitoring.ValidationError](t, r.create(t, client, r.empty()))
		require.NotContains(t, r.create(t, client, r.empty()).Error(), `("`)
		r.spoilt(o)
		_, err := r.update(t, client, o)
		require.ErrorContains(t, err, named()+": invalid request, not sent: ")
		require.ErrorContains(t, o.Validate(), named()+": invalid request, not sent: ")
		for want, client := range clients {
			if r.restored == "" { // else a template cannot be created
				require.ErrorContains(t, r.create(t, client, r.template(o)), named()+" at api.service.test/prefix"+want)
			}
		}
	})
	for _, client := range clients {
		err := kit.Second(client.Checks.Create(t.Context(), &monitoring.Check{Name: kit.Key}))
		require.ErrorContains(t, err, `create a check ("[redacted]"): invalid request, not sent: checkType: `)
		require.NotContains(t, err.Error(), kit.Key)
	}
	long := &monitoring.Check{Name: kit.Key + "\n" + strings.Repeat("x", 100), TCP: &monitoring.TCPRequest{Hostname: "h", Port: 1}}
	for want, client := range clients {
		require.ErrorContains(t, kit.Second(client.Checks.Create(t.Context(), long)), ` ("[redacted] xxx`)
		require.ErrorContains(t, kit.Second(client.Checks.Create(t.Context(), long)), `xxx…") at api.service.test/prefix`+want)
	}
}

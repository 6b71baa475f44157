package record_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/tools/record"
	"github.com/stretchr/testify/require"
	"gopkg.in/dnaeon/go-vcr.v4/pkg/cassette"
)

// play uses a client whose requests are on a tape.
func play(t *testing.T, name, key string, real http.RoundTripper, use func(*monitoring.Client)) {
	t.Helper()
	tape, err := record.Tape(name, real)
	require.NoError(t, err)
	client, err := monitoring.NewClient(monitoringtest.BaseURL, key, monitoring.WithHTTPClient(tape.GetDefaultClient()),
		monitoring.WithAccount(monitoringtest.AccountID), monitoring.WithMaxRetries(0))
	require.NoError(t, err)
	use(client)
	require.NoError(t, tape.Stop())
}

// noService fails the test if something is sent.
type noService struct{ t *testing.T }

func (n noService) RoundTrip(*http.Request) (*http.Response, error) {
	n.t.Error("a request was sent")
	return nil, errors.New("there is no service")
}

func TestATapeIsRecordedOnceAndPlayedWithoutTheService(t *testing.T) {
	name := filepath.Join(t.TempDir(), "group")
	service := monitoringtest.NewDemo() // stands for the service
	variable := monitoring.VariableCreate{Key: "COLOR", Value: monitoring.NewSecret("red")}
	var recorded *monitoring.CheckGroup
	use := func(client *monitoring.Client) {
		group, err := client.CheckGroups.Get(t.Context(), monitoringtest.DemoGroupID)
		require.NoError(t, err)
		_, err = client.Variables.Create(t.Context(), variable)
		require.NoError(t, err)
		if recorded == nil {
			recorded = group
		}
		require.Equal(t, recorded.Name, group.Name)
	}
	play(t, name, monitoringtest.APIKey, service.Transport(), use)
	require.Equal(t, 2, service.Count(""))
	play(t, name, "another-key-123", noService{t}, use)

	file, err := os.ReadFile(name + ".yaml")
	require.NoError(t, err)
	require.Contains(t, string(file), recorded.Name)
	for _, secret := range []string{monitoringtest.APIKey, monitoringtest.AccountID, "Authorization"} {
		require.NotContains(t, string(file), secret)
	}
}

func TestWhatIsNotOnTheTapeIsAnError(t *testing.T) {
	name := filepath.Join(t.TempDir(), "tape")
	create := func(value string) func(*monitoring.Client) error {
		return func(client *monitoring.Client) error {
			_, err := client.Variables.Create(t.Context(), monitoring.VariableCreate{Key: "COLOR", Value: monitoring.NewSecret(value)})
			return err
		}
	}
	play(t, name, monitoringtest.APIKey, monitoringtest.New().Transport(), func(client *monitoring.Client) {
		require.NoError(t, create("red")(client))
	})
	play(t, name, monitoringtest.APIKey, noService{t}, func(client *monitoring.Client) {
		require.ErrorIs(t, create("blue")(client), cassette.ErrInteractionNotFound, "another body")
		require.NoError(t, create("red")(client))
		require.ErrorIs(t, create("red")(client), cassette.ErrInteractionNotFound, "it was sent once")
	})
}

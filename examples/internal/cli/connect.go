package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// The environment variables of every example; see [monitoring.NewClientFromEnv].
const (
	EnvBaseURL      = "MONITORING_BASE_URL"
	EnvAPIKey       = "MONITORING_API_KEY"
	EnvAccount      = "MONITORING_ACCOUNT_ID"
	EnvInsecureHTTP = "MONITORING_INSECURE_HTTP"
)

// DemoNotice is what a program prints if it uses the demo data.
const DemoNotice = "This is a demo: the data is made up by an in-process fake of the service."

// Getenv looks up a variable of the environment, as [os.Getenv] does.
type Getenv func(name string) string

// Connect returns a client for the service that the environment names. With demo it returns
// one for an in-process fake and prints DemoNotice to notice.
func Connect(getenv Getenv, demo bool, notice io.Writer) (*monitoring.Client, error) {
	if demo {
		fmt.Fprintln(notice, DemoNotice)
		return monitoringtest.NewDemo().Client()
	}
	return FromEnv(getenv)
}

// FromEnv is [monitoring.NewClientFromEnv] for an environment that a test can replace.
func FromEnv(getenv Getenv) (*monitoring.Client, error) {
	var missing []string
	for _, name := range []string{EnvBaseURL, EnvAPIKey} {
		if getenv(name) == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("set %s in the environment; -demo tries the program out without a service", strings.Join(missing, " and "))
	}
	var opts []monitoring.ClientOption
	if account := getenv(EnvAccount); account != "" {
		opts = append(opts, monitoring.WithAccount(account))
	}
	if text := getenv(EnvInsecureHTTP); text != "" {
		insecure, err := strconv.ParseBool(text)
		if err != nil {
			return nil, errors.New(EnvInsecureHTTP + " must be 1 or 0")
		}
		if insecure {
			opts = append(opts, monitoring.WithInsecureHTTP())
		}
	}
	client, err := monitoring.NewClient(getenv(EnvBaseURL), getenv(EnvAPIKey), opts...)
	if err == nil {
		return client, nil
	}
	if _, plain := monitoring.NewClient(getenv(EnvBaseURL), getenv(EnvAPIKey), append(opts, monitoring.WithInsecureHTTP())...); plain == nil {
		err = fmt.Errorf("%w; %s=1 in the environment does that", err, EnvInsecureHTTP)
	}
	return nil, err
}

package monitoring_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func ExampleSecret() {
	password := monitoring.NewSecret("correct horse")
	fmt.Println(password, password.Reveal())
	fmt.Printf("%+v %q\n", struct{ Password monitoring.Secret }{password}, password)
	fmt.Println(password == monitoring.NewSecret("correct horse"))

	var withheld monitoring.Secret // the service has a value but does not return it
	fmt.Println(withheld, withheld.IsWithheld())
	// Output:
	// [redacted] correct horse
	// {Password:[redacted]} [redacted]
	// true
	// [withheld] true
}

func ExampleMarshalWithSecrets() {
	variable := monitoring.NewEnvironmentVariable("TOKEN", "t-123")
	hidden, _ := json.Marshal(variable)
	fmt.Println(string(hidden))
	shown, err := monitoring.MarshalWithSecrets(variable) // for a snapshot: store it like a password
	fmt.Println(string(shown), err)
	// Output:
	// {"key":"TOKEN","value":null}
	// {"key":"TOKEN","value":"t-123"} <nil>
}

func ExampleTimestamp() {
	var t monitoring.Timestamp
	err := json.Unmarshal([]byte(`"2026-08-01T12:00:00.000+02:00"`), &t)
	fmt.Println(t.UTC().Format(time.RFC3339), t, t.DateOnly(), err) // the text of the service is kept
	// Output:
	// 2026-08-01T10:00:00Z 2026-08-01T12:00:00.000+02:00 false <nil>
}

func ExampleValidationError() {
	_, client := demo()
	_, err := client.Checks.CreateTCP(context.Background(), monitoring.TCPCheckCreate{Request: monitoring.TCPRequest{Hostname: "db.shop.test"}})
	if e, ok := errors.AsType[*monitoring.ValidationError](err); ok { // nothing was sent
		for _, v := range e.Violations {
			fmt.Println(v)
		}
	}
	// Output:
	// name: is required
	// request.port: 0 is outside 1..65535
}

func ExampleCallError() {
	fake, client := demo()
	// The connection breaks after the request was sent, so the outcome is unknown.
	fake.Inject(monitoringtest.Fault{Kind: monitoringtest.FaultResetUnhandled, Operation: "POST /v2/check-sessions/trigger"})
	_, err := client.CheckSessions.Trigger(context.Background(), monitoring.TriggerRequest{AllChecks: true})
	if e, ok := errors.AsType[*monitoring.CallError](err); ok {
		fmt.Println(e.Operation, e.Attempts)
	}
	fmt.Println(errors.Is(err, monitoring.ErrOutcomeUnknown))
	// Output:
	// POST /v2/check-sessions/trigger 1
	// true
}

// Optional fields of responses are pointers. Or reads them without a nil test.
func ExampleOr() {
	var check monitoring.Check // the service returned neither
	fmt.Println(monitoring.Or(check.Activated, true), monitoring.Or(check.Frequency, 10))
	check.Frequency = new(5)
	fmt.Println(monitoring.Or(check.Frequency, 10))
	// Output:
	// true 10
	// 5
}

// errors.Is says what went wrong; errors.AsType gives the details.
func Example_errors() {
	fake, client := demo(monitoring.WithMaxRetries(0))
	fake.Inject(monitoringtest.Fault{Operation: "GET /v1/locations", Status: http.StatusPaymentRequired})
	_, err := client.Locations.List(context.Background())
	switch {
	case err == nil:
	case errors.Is(err, monitoring.ErrOutcomeUnknown):
		fmt.Println("check before you send it again")
	case errors.Is(err, monitoring.ErrPaymentRequired):
		fmt.Println("not in the plan")
	case errors.Is(err, monitoring.ErrUnauthorized), errors.Is(err, monitoring.ErrForbidden):
		fmt.Println("check the key")
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Println("too late")
	default:
		fmt.Println(err)
	}
	// Output:
	// not in the plan
}

// A test of your own code can make the errors that the code has to handle.
func ExampleAPIError_inTests() {
	var err error = &monitoring.APIError{StatusCode: http.StatusNotFound, Kind: monitoring.ErrNoMatchingChecks}
	fmt.Println(errors.Is(err, monitoring.ErrNoMatchingChecks), errors.Is(err, monitoring.ErrNotFound))
	// Output:
	// true true
}

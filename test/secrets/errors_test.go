package secrets_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTheValueOfAVariableIsNotRemovedFromNetworkErrors(t *testing.T) {
	client := kit.Client(t, testkit.Faults["reset after the request is written"], monitoring.WithMaxRetries(0))
	_, err := client.CheckGroups.Update(t.Context(), 1, monitoring.CheckGroupUpdate{
		Name: "g", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", "connection")},
	})
	require.ErrorContains(t, err, "connection reset")
	require.ErrorIs(t, err, syscall.ECONNRESET)
	var network net.Error
	require.ErrorAs(t, err, &network)
}

// hiding shows another text than the error behind it.
type hiding struct{ err error }

func (e hiding) Error() string { return "the proxy failed" }
func (e hiding) Unwrap() error { return e.err }

type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }

func TestWhatATransportWritesIntoNetworkErrorsIsScrubbed(t *testing.T) {
	const secret = "hunter2-of-the-group"
	reset := os.NewSyscallError("read", syscall.ECONNRESET)
	var timesOut net.Error = &net.DNSError{Err: "timeout " + secret, IsTimeout: true}
	for name, failure := range map[string]error{
		"the reason of an operation":       &net.OpError{Op: "write", Net: "tcp", Err: errors.New("body " + secret)},
		"the name of an operation":         &net.OpError{Op: "write " + secret, Err: reset},
		"the network":                      &net.OpError{Op: "write", Net: secret, Err: reset},
		"an address":                       &net.OpError{Op: "write", Addr: address("h/" + secret), Err: reset},
		"a local address":                  &net.OpError{Op: "write", Source: address(secret), Err: reset},
		"an address in JSON":               &net.OpError{Op: "write", Addr: address(`"hunter2\u002dof-the-group"`), Err: reset},
		"a name to look up":                &net.DNSError{Name: secret, Err: "no such host"},
		"a reason of a look-up":            &net.DNSError{Name: "h", Err: "no " + secret},
		"a server of a look-up":            &net.DNSError{Name: "h", Server: secret},
		"behind a look-up":                 &net.DNSError{Name: "h", UnwrapErr: errors.New(secret)},
		"the name of a system call":        os.NewSyscallError(secret, syscall.EPIPE),
		"the reason of a system call":      os.NewSyscallError("write", errors.New(secret)),
		"the reason of a bad certificate":  &tls.CertificateVerificationError{Err: errors.New(secret)},
		"the host of a certificate":        &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"h"}}, Host: secret}},
		"the names of a certificate":       &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"h", secret}}, Host: "h"}},
		"the reason of a bad TLS record":   tls.RecordHeaderError{Msg: secret},
		"a wrapped network error":          fmt.Errorf("send %s: %w", secret, reset),
		"joined errors":                    errors.Join(reset, errors.New(secret)),
		"several levels":                   &net.OpError{Op: "dial", Err: &net.OpError{Op: "proxyconnect", Err: os.NewSyscallError("write", fmt.Errorf("%w: %s", syscall.ECONNRESET, secret))}},
		"a timeout":                        &net.OpError{Op: "dial", Err: timesOut},
		"an error that hides it":           hiding{&net.OpError{Op: "write", Err: errors.New(secret)}},
		"joined errors that hide it":       errors.Join(io.EOF, hiding{errors.New(secret)}),
		"a deadline that hides it":         hiding{errors.Join(context.DeadlineExceeded, errors.New(secret))},
		"a network error that hides it":    &net.OpError{Op: "dial", Err: hiding{errors.New(secret)}},
		"a network error of a closed pipe": &net.OpError{Op: secret, Err: io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, failure }), monitoring.WithMaxRetries(0))
			_, err := client.CheckGroups.Update(t.Context(), 1, monitoring.CheckGroupUpdate{
				Name: "g", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", secret)},
			})
			require.Error(t, err)
			requireNotInChain(t, err, secret, "hunter2")
			for _, cause := range []error{syscall.ECONNRESET, syscall.EPIPE, io.EOF} {
				require.Equal(t, errors.Is(failure, cause), errors.Is(err, cause), "errors.Is finds the cause")
			}
			if timeout, ok := errors.AsType[net.Error](failure); ok && timeout.Timeout() {
				var timesOut interface{ Timeout() bool }
				require.ErrorAs(t, err, &timesOut)
				require.True(t, timesOut.Timeout())
			}
		})
	}
}

// requireNotInChain looks for texts in an error and in what errors.Is and errors.As find behind it.
func requireNotInChain(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		return
	}
	shown := fmt.Sprintf("%v %+v %#v %q", err, err, err, err)
	for _, text := range texts {
		require.NotContains(t, shown, text)
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		requireNotInChain(t, e.Unwrap(), texts...)
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			requireNotInChain(t, err, texts...)
		}
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op != err {
		requireNotInChain(t, op, texts...)
	}
}

func TestAWordOfANetworkErrorThatIsTheValueOfAVariableStays(t *testing.T) {
	for value, failure := range map[string]error{
		"write":              testkit.NetError("write", syscall.EPIPE),
		"broken":             testkit.NetError("write", syscall.EPIPE),
		"lookup":             &net.OpError{Op: "dial", Err: &net.DNSError{Err: "server misbehaving", Name: "monitoring.test"}},
		"server misbehaving": &net.OpError{Op: "dial", Err: &net.DNSError{Err: "server misbehaving", Name: "monitoring.test"}},
		"certificate":        &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h"}},
		"authority":          &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}},
		"unexpected":         io.ErrUnexpectedEOF,
		"remote error":       &net.OpError{Op: "remote error", Err: tls.AlertError(40)},
		"proxyconnect":       &net.OpError{Op: "proxyconnect", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: 80}, Err: testkit.NetError("connect", syscall.ECONNREFUSED)},
	} {
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return nil, failure }), monitoring.WithMaxRetries(0))
		_, err := client.CheckGroups.Update(t.Context(), 1, monitoring.CheckGroupUpdate{
			Name: "g", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", value)},
		})
		require.ErrorIs(t, err, failure)
		require.ErrorContains(t, err, failure.Error())
	}
}

// keptBody is how many bytes of a body an error keeps.
const keptBody = 64 << 10

func TestAnErrorKeepsWhatWasSearchedWhole(t *testing.T) {
	const secret = `pass"word-of-the-group`
	twice, err := json.Marshal(secret)
	require.NoError(t, err)
	filling := strings.Repeat(`%25252525+&amp;amp;lt;\\\\u0026lt; `, 1000)
	members := map[string]any{"statusCode": 400, "error": "Bad Request", "message": "not " + secret, "errorCode": "E7", "request": filling + string(twice)}
	send := func(members map[string]any) *monitoring.APIError {
		body, err := json.Marshal(members)
		require.NoError(t, err)
		require.Less(t, len(body), keptBody)
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			return testkit.Respond(http.StatusBadRequest, nil, string(body)), nil
		}), monitoring.WithMaxRetries(0))
		_, err = client.CheckGroups.Update(t.Context(), 1, monitoring.CheckGroupUpdate{Name: "g", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", secret)}})
		failed, ok := errors.AsType[*monitoring.APIError](err)
		require.True(t, ok, err)
		return failed
	}
	failed := send(members)
	require.Equal(t, "not [redacted]", failed.Message)
	require.Equal(t, "E7", failed.Code)
	require.Zero(t, len(failed.Body))

	delete(members, "request")
	members["attributes"] = map[string]string{"a": filling}
	require.Equal(t, `"[text removed: too many escapes]"`, string(send(members).Attributes))

	delete(members, "attributes")
	members["message"] = filling
	failed = send(members)
	require.Equal(t, "[text removed: too many escapes]", failed.Message)
	require.Equal(t, "E7", failed.Code)
	require.Zero(t, len(failed.Body))
	require.ErrorContains(t, failed, "400 Bad Request: [text removed: too many escapes]")
}

func TestASecretThatTheClientCutsIsReplaced(t *testing.T) {
	const secret = "the-secret/0123456789"
	for _, shown := range []string{secret, secret[:len(secret)-1], secret[:5], `the-secret\/0123`, `the-secret\u002f01\u00`, "the-secret&#000000000000047;0&#00000000000", "the-secret&#x2f;01&#x", "the-secret%2F01%", "the-secret&#47;01&#4"} {
		body := strings.Repeat("x", keptBody-len(shown)) + shown
		client := kit.Client(t, testkit.Status(http.StatusBadRequest, body+"more"), monitoring.WithMaxRetries(0))
		_, err := client.CheckGroups.Update(t.Context(), 1, monitoring.CheckGroupUpdate{Name: "g", EnvironmentVariables: []monitoring.EnvironmentVariable{monitoring.NewEnvironmentVariable("A", secret)}})
		failed, ok := errors.AsType[*monitoring.APIError](err)
		require.True(t, ok)
		require.Equal(t, "x"+scrub.Redacted, string(failed.Body[len(failed.Body)-len(scrub.Redacted)-1:]), shown)
	}
}

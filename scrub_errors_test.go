package monitoring

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAScrubbedErrorDoesNotGiveAccessToTheOriginalError(t *testing.T) {
	behind := &withSecret{"dial secret-1"}
	err := newScrubber("secret-1").error(fmt.Errorf("wrapped: %w", behind))
	require.EqualError(t, err, "wrapped: dial [redacted]")
	require.ErrorIs(t, err, behind)
	_, ok := errors.AsType[*withSecret](err)
	require.False(t, ok, "the text of the original error has the secret")
	require.NotContains(t, fmt.Sprintf("%#v %+v %v %s %q", err, err, err, err, err), "secret-1")
	var timeout interface{ Timeout() bool }
	require.ErrorAs(t, err, &timeout)
	require.False(t, timeout.Timeout())
	require.ErrorAs(t, newScrubber("secret-1").error(&net.OpError{Op: "secret-1", Err: os.ErrDeadlineExceeded}), &timeout)
	require.True(t, timeout.Timeout())
}

type withSecret struct{ text string }

func (e *withSecret) Error() string { return e.text }

func TestAnErrorWithoutASecretIsTheSameError(t *testing.T) {
	clear := errors.New("clear")
	require.Same(t, clear, newScrubber("secret").error(clear))
	err := newScrubber("secret").error(&net.OpError{Op: "secret", Err: errors.New("refused")})
	var timeout interface{ Timeout() bool }
	require.ErrorAs(t, err, &timeout)
	require.False(t, timeout.Timeout(), "the error has Timeout, which returns false")
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
}

func TestTheValueOfAVariableIsNotRemovedFromNetworkErrors(t *testing.T) {
	client := testClient(t, faults["reset after the request is written"], WithMaxRetries(0))
	_, err := client.CheckGroups.Update(t.Context(), 1, CheckGroupUpdate{
		Name: "g", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("A", "connection")},
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
			client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) { return nil, failure }), WithMaxRetries(0))
			_, err := client.CheckGroups.Update(t.Context(), 1, CheckGroupUpdate{
				Name: "g", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("A", secret)},
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
		"write":              netError("write", syscall.EPIPE),
		"broken":             netError("write", syscall.EPIPE),
		"lookup":             &net.OpError{Op: "dial", Err: &net.DNSError{Err: "server misbehaving", Name: "monitoring.test"}},
		"server misbehaving": &net.OpError{Op: "dial", Err: &net.DNSError{Err: "server misbehaving", Name: "monitoring.test"}},
		"certificate":        &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h"}},
		"authority":          &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}},
		"unexpected":         io.ErrUnexpectedEOF,
		"remote error":       &net.OpError{Op: "remote error", Err: tls.AlertError(40)},
		"proxyconnect":       &net.OpError{Op: "proxyconnect", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: 80}, Err: netError("connect", syscall.ECONNREFUSED)},
	} {
		client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) { return nil, failure }), WithMaxRetries(0))
		_, err := client.CheckGroups.Update(t.Context(), 1, CheckGroupUpdate{
			Name: "g", EnvironmentVariables: []EnvironmentVariable{NewEnvironmentVariable("A", value)},
		})
		require.ErrorIs(t, err, failure)
		require.ErrorContains(t, err, failure.Error())
	}
}

package scrub

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// known is an error whose text is the caller's own.
type known struct{ error }

func ours(err error) (inner error, ours bool) {
	k, ours := err.(known)
	return k.error, ours
}

// hiding shows another text than the error behind it.
type hiding struct{ error }

func (hiding) Error() string   { return "the proxy failed" }
func (e hiding) Unwrap() error { return e.error }

func address(text string) net.Addr { return &net.UnixAddr{Name: text} }

var reset = os.NewSyscallError("read", syscall.ECONNRESET)

func TestAWordOfTheNetworkThatIsASecretIsTheNetworksOwn(t *testing.T) {
	for secret, err := range map[string]error{
		"write":              &net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EPIPE)},
		"broken":             known{&net.OpError{Op: "write", Err: syscall.EPIPE}},
		"lookup":             &net.OpError{Op: "dial", Err: &net.DNSError{Err: "server misbehaving", Name: "monitoring.test"}},
		"server misbehaving": &net.DNSError{Err: "server misbehaving", Name: "monitoring.test"},
		"certificate":        &tls.CertificateVerificationError{Err: x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h"}},
		"authority":          &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}},
		"unexpected":         io.ErrUnexpectedEOF,
		"closed":             net.ErrClosed,
		"remote error":       &net.OpError{Op: "remote error", Err: tls.AlertError(40)},
		"proxyconnect":       &net.OpError{Op: "proxyconnect", Net: "tcp", Addr: address("10.0.0.1:80"), Err: reset},
	} {
		require.True(t, New(secret).IsNetwork(err, ours), "%s: %v", secret, err)
	}
	require.True(t, New("secret").IsNetwork(known{}, ours), "an error of the caller with nothing behind it")
}

func TestWhatATransportWritesIntoANetworkErrorIsNotTheNetworksOwn(t *testing.T) {
	const secret = "hunter2-of-the-group"
	said := errors.New("body " + secret)
	for name, err := range map[string]error{
		"the reason of an operation":      &net.OpError{Op: "write", Net: "tcp", Err: said},
		"the name of an operation":        &net.OpError{Op: "write " + secret, Err: reset},
		"the network":                     &net.OpError{Op: "write", Net: secret, Err: reset},
		"an address":                      &net.OpError{Op: "write", Addr: address("h/" + secret), Err: reset},
		"a local address":                 &net.OpError{Op: "write", Source: address(secret), Err: reset},
		"an address in JSON":              &net.OpError{Op: "write", Addr: address(`"hunter2\u002dof-the-group"`), Err: reset},
		"a name to look up":               &net.DNSError{Name: secret, Err: "no such host"},
		"a reason of a look-up":           &net.DNSError{Name: "h", Err: "no " + secret},
		"a server of a look-up":           &net.DNSError{Name: "h", Server: secret},
		"behind a look-up":                &net.DNSError{Name: "h", UnwrapErr: said},
		"the name of a system call":       os.NewSyscallError(secret, syscall.EPIPE),
		"the reason of a system call":     os.NewSyscallError("write", said),
		"the reason of a bad certificate": &tls.CertificateVerificationError{Err: said},
		"the host of a certificate":       x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"h"}}, Host: secret},
		"the names of a certificate":      x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"h", secret}}, Host: "h"},
		"the reason of a bad TLS record":  tls.RecordHeaderError{Msg: secret},
		"a wrapped error":                 fmt.Errorf("send %s: %w", secret, reset),
		"joined errors":                   errors.Join(reset, said),
		"an error that hides it":          &net.OpError{Op: "dial", Err: hiding{said}},
		"several levels":                  known{&net.OpError{Op: "dial", Err: os.NewSyscallError("write", fmt.Errorf("%w: %s", syscall.ECONNRESET, secret))}},
		"a deadline that hides it":        hiding{errors.Join(context.DeadlineExceeded, said)},
		"no operation":                    (*net.OpError)(nil),
		"no look-up":                      (*net.DNSError)(nil),
	} {
		require.False(t, New(secret).IsNetwork(err, ours), name)
	}
}

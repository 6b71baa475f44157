package scrub

import (
	"crypto/tls"
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

func TestTheTextsOfANetworkErrorAreThoseOfKnownTypes(t *testing.T) {
	nothing := func(string) bool { return false }
	for _, err := range []error{
		io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNRESET, known{}, tls.AlertError(1),
		os.NewSyscallError("connect", syscall.ECONNRESET), known{io.EOF}, &tls.CertificateVerificationError{Err: io.EOF},
	} {
		require.True(t, isNetwork(err, nothing, ours), "%T", err)
	}
	all := func(string) bool { return true }
	for _, err := range []error{&net.OpError{}, &net.DNSError{}, tls.RecordHeaderError{}, errors.New("x")} {
		require.True(t, isNetwork(err, all, ours), "%T", err)
		require.False(t, isNetwork(err, nothing, ours), "%T", err)
	}
	wrapped := fmt.Errorf("%w", io.EOF)
	for _, err := range []error{
		wrapped, errors.Join(io.EOF), known{wrapped}, &net.OpError{Err: wrapped}, (*net.OpError)(nil), (*net.DNSError)(nil),
	} {
		require.False(t, isNetwork(err, all, ours), "%T", err)
	}
}

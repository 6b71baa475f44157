package scrub

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
)

// IsNetwork reports whether the text of an error is the network's own, in which a secret could
// stand only by chance, as "connection" does in "connection reset by peer". All of it must come
// from types of the standard library, and from those that ours knows: it says whether an error is
// the caller's own, and what it wraps. A transport can put texts of its own into the types of the
// standard library, and may quote the request, so these texts are searched.
func (s *Scrubber) IsNetwork(err error, ours func(error) (inner error, ours bool)) bool {
	return isNetwork(err, s.Clear, ours)
}

func isNetwork(err error, clear func(text string) bool, ours func(error) (inner error, ours bool)) bool {
	if err == nil {
		return true
	}
	if inner, known := ours(err); known {
		return isNetwork(inner, clear, ours)
	}
	own := func(text string) bool { return networkWords[text] || clear(text) }
	switch e := err.(type) {
	case syscall.Errno, tls.AlertError, x509.UnknownAuthorityError:
		return true
	case *net.OpError:
		if e == nil {
			return false
		}
		for _, addr := range []net.Addr{e.Source, e.Addr} {
			if addr != nil && !clear(addr.String()) {
				return false
			}
		}
		return own(e.Op) && own(e.Net) && isNetwork(e.Err, clear, ours)
	case *net.DNSError:
		return e != nil && own(e.Err) && own(e.Name) && own(e.Server) && isNetwork(e.UnwrapErr, clear, ours)
	case *os.SyscallError:
		return own(e.Syscall) && isNetwork(e.Err, clear, ours)
	case *tls.CertificateVerificationError:
		return isNetwork(e.Err, clear, ours)
	case tls.RecordHeaderError:
		return clear(e.Msg)
	case x509.HostnameError:
		return clear(e.Host) && clear(strings.Join(e.Certificate.DNSNames, " "))
	case interface{ Unwrap() error }, interface{ Unwrap() []error }:
		return false
	}
	return err == io.EOF || err == io.ErrUnexpectedEOF || err == net.ErrClosed || clear(err.Error())
}

// networkWords are what the standard library writes into the fields of its network errors.
var networkWords = map[string]bool{
	"write": true, "close": true, "connect": true, "proxyconnect": true, "remote error": true, "local error": true,
	"socket": true, "getsockopt": true, "setsockopt": true, "connectex": true, "wsarecv": true, "wsasend": true,
	"no such host": true, "server misbehaving": true, "i/o timeout": true,
}

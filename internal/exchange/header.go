package exchange

import (
	"fmt"
	"net/textproto"
	"strings"
)

// CheckSecretHeader refuses the value of a header that is a secret if it is empty or has other characters than visible ASCII.
// The error does not quote the value, because it is a secret.
func CheckSecretHeader(what, value string) error {
	if value == "" {
		return fmt.Errorf("the %s is empty", what)
	}
	for i := range len(value) {
		if c := value[i]; c <= ' ' || c > '~' {
			return fmt.Errorf("the %s has a byte that is not allowed at position %d (white space, a line break or a non-ASCII character): remove it", what, i)
		}
	}
	return nil
}

// CheckHeader refuses bytes that cannot be in a header: control and non-ASCII bytes.
func CheckHeader(what, value string) error {
	for i := range len(value) {
		if c := value[i]; c != '\t' && (c < ' ' || c > '~') {
			return fmt.Errorf("the value of %s has a control or non-ASCII byte at position %d", what, i)
		}
	}
	return nil
}

// ReservedHeader reports whether a header is set by the client itself or by net/http.
func ReservedHeader(name string) bool {
	switch textproto.CanonicalMIMEHeaderKey(name) {
	case "Authorization", "Proxy-Authorization", "Host", "Content-Length", "Transfer-Encoding", "Te",
		"Trailer", "Connection", "Upgrade", "Accept-Encoding":
		return true
	}
	return false
}

// ValidHeaderName reports whether a text can be the name of a header.
func ValidHeaderName(name string) bool {
	if name == "" {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0) {
			return false
		}
	}
	return true
}

package front

import (
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// badToken is what the service says to a wrong key.
const badToken = "Bad Token"

// SetKey makes the service accept another key from now on.
func (f *Front) SetKey(key string) { f.key.Store(&key) }

// AcceptedKey returns the key that the service accepts.
func (f *Front) AcceptedKey() string { return *f.key.Load() }

// isKey reports whether the header Authorization has the key of the service.
func (f *Front) isKey(authorization string) bool {
	scheme, key, _ := strings.Cut(authorization, " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(key), []byte(f.AcceptedKey())) == 1
}

func (f *Front) authorize(in *inbound) (response, bool) {
	if in.route != nil && in.route.Public {
		return response{}, false
	}
	if !in.hasKey {
		return fail(http.StatusUnauthorized, badToken), true
	}
	account := in.header.Get(f.AccountHeader)
	switch {
	case account == "" && f.UserKey:
		return badHeader(f.AccountHeader, "is required").response(), true
	case account == "" || strings.EqualFold(account, f.world.Account):
		return response{}, false
	case !schema.IsUUID(account):
		return badHeader(f.AccountHeader, "must be a valid GUID").response(), true
	}
	return fail(http.StatusForbidden, "Forbidden"), true
}

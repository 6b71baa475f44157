package front

import (
	"net/http"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// validation says which part of a request was wrong.
type validation struct {
	Source string   `json:"source"`
	Keys   []string `json:"keys"`
}

// shape writes the body of an error in the form of the older operations or of the newer ones. The
// older ones add members to statusCode, error and message.
func (r *response) shape(isOlder func(status int) bool) {
	if r.failed == nil {
		return
	}
	older := isOlder(r.status)
	b := r.failed.broken
	if b != nil {
		r.failed.message = b.message(older)
	}
	body := struct {
		StatusCode int         `json:"statusCode"`
		Error      string      `json:"error"`
		Message    string      `json:"message"`
		Attributes any         `json:"attributes,omitempty"`
		Validation *validation `json:"validation,omitempty"`
	}{StatusCode: r.status, Error: http.StatusText(r.status), Message: r.failed.message}
	if older {
		if b != nil {
			body.Validation = &validation{b.source, b.keys()}
		}
		switch r.status {
		case http.StatusUnauthorized:
			body.Attributes = map[string]string{"error": r.failed.message}
		case http.StatusPaymentRequired, http.StatusTooManyRequests:
			body.Attributes = map[string]string{}
		}
	}
	r.body = world.JSON(body)
}

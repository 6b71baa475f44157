package monitoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"unique"

	"github.com/monitoring-api/monitoring-go/internal/document"
	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

const withheldText = "[withheld]"

// Secret is a string that must not be shown, such as a password. Every verb of fmt and every
// handler of log/slog prints [redacted], and [json.Marshal] writes null. [Secret.Reveal] returns
// the string, requests contain it, and [MarshalWithSecrets] writes it.
//
// The zero Secret is withheld: the service has a value, but did not return it. Sending it is a
// [*ValidationError]. For the empty string use NewSecret(""), except in a secret
// [EnvironmentVariable], where that also means withheld.
//
// Secrets can be compared with ==. They cannot be keys of a JSON object, or be encoded with
// encoding/gob. A type of yours that wraps a Secret and has a MarshalJSON method must call Reveal
// there.
type Secret struct {
	// fmt and encoders read unexported fields, too, but do not follow the pointer in the
	// handle. Equal texts have equal handles, so == works.
	text unique.Handle[string]
}

// NewSecret returns a Secret that holds text, which may be empty.
func NewSecret(text string) Secret { return Secret{text: unique.Make(text)} }

// Reveal returns the string, or "" if it is withheld.
func (s Secret) Reveal() string {
	if s.IsWithheld() {
		return ""
	}
	return s.text.Value()
}

// IsWithheld reports whether the service did not return the value.
func (s Secret) IsWithheld() bool { return s == Secret{} }

// String returns [redacted] or [withheld].
func (s Secret) String() string {
	if s.IsWithheld() {
		return withheldText
	}
	return scrub.Redacted
}

// GoString returns String.
func (s Secret) GoString() string { return s.String() }

// Format prints String, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// LogValue returns String.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalJSON writes null.
func (s Secret) MarshalJSON() ([]byte, error) {
	return []byte("null"), nil
}

// UnmarshalJSON reads a string, or null as withheld. Its errors show no JSON.
func (s *Secret) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if string(data) == "null" {
		*s = Secret{}
		return nil
	}
	if text, ok := rawjson.Plain(data); ok {
		*s = NewSecret(string(text))
		return nil
	}
	var text string
	if lenient.Strict(data, &text) != nil {
		return &json.UnmarshalTypeError{Value: rawjson.KindName(data), Type: reflect.TypeFor[Secret]()}
	}
	*s = NewSecret(text)
	return nil
}

func (s *Secret) revealed() (text string, withheld bool) { return s.Reveal(), s.IsWithheld() }

// SecretJSON is JSON that contains secrets, such as the configuration of an alert channel. It is
// hidden like a [Secret]; [SecretJSON.Reveal] returns it. The zero SecretJSON, and the JSON null,
// are withheld. Compare values with [reflect.DeepEqual], not with ==.
type SecretJSON struct {
	_    [0]func() // forbids ==, which would compare the pointers
	text *string   // nil for the zero value; fmt and encoders do not follow it
	_    uintptr   // a struct of one pointer makes github.com/davecgh/go-spew read a wrong address
}

// NewSecretJSON returns a SecretJSON with a copy of raw, or the zero one if raw is nil. Invalid
// JSON is an error when it is sent.
func NewSecretJSON(raw json.RawMessage) SecretJSON {
	if raw == nil {
		return SecretJSON{}
	}
	return SecretJSON{text: new(string(raw))}
}

// Reveal returns a copy of the JSON as it was read; nil for the zero value.
func (s SecretJSON) Reveal() json.RawMessage {
	if s.text == nil {
		return nil
	}
	return json.RawMessage(*s.text)
}

// IsZero reports whether there is no JSON at all.
func (s SecretJSON) IsZero() bool { return s.text == nil }

// String returns [redacted] or [withheld].
func (s SecretJSON) String() string {
	if s.isWithheld() {
		return withheldText
	}
	return scrub.Redacted
}

func (s SecretJSON) isWithheld() bool {
	return s.text == nil || string(bytes.TrimSpace([]byte(*s.text))) == "null"
}

// GoString returns String.
func (s SecretJSON) GoString() string { return s.String() }

// Format prints String, whatever the verb.
func (s SecretJSON) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// LogValue returns String.
func (s SecretJSON) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalJSON writes null.
func (s SecretJSON) MarshalJSON() ([]byte, error) {
	return []byte("null"), nil
}

// UnmarshalJSON keeps a copy of the JSON.
func (s *SecretJSON) UnmarshalJSON(data []byte) error {
	s.text = new(string(data))
	return nil
}

func (s *SecretJSON) revealed() (text string, withheld bool) {
	return string(s.Reveal()), s.isWithheld()
}

// MarshalWithSecrets is [json.Marshal], but reveals every [Secret] and [SecretJSON], and does not
// escape HTML. A withheld Secret is null. Use it for snapshots and test servers, and treat the
// result as a secret.
func MarshalWithSecrets(v any) ([]byte, error) {
	var w document.Writer
	p, value := plans.OfAny(&v)
	data := w.Value(p, value)
	if w.Err != nil {
		return nil, fmt.Errorf("monitoring: marshal with secrets: %w", w.Err)
	}
	return data, nil
}

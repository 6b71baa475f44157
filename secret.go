package monitoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"unique"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/reveal"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

const withheldText = "[withheld]"

// Secret is a text that is not shown, such as a password or the value of a variable.
// [Secret.Reveal] returns the text. Printed or logged, it is [redacted], with every verb and
// every handler of log/slog. In an unexported field of another struct fmt calls no methods;
// there it prints an address.
//
// [json.Marshal] writes a Secret as null, and null is read as a withheld Secret. A placeholder
// text could be mistaken for the secret itself. Requests contain the text, and
// [MarshalWithSecrets] writes it. A MarshalJSON of your own must call Reveal.
//
// The zero Secret is withheld: the service has a text but does not return it. In a request a
// withheld Secret is a [*ValidationError]. The empty text is NewSecret(""), except in a secret
// [EnvironmentVariable]: there it means withheld.
//
// Secrets of the same text are equal for == and for [reflect.DeepEqual]. A Secret cannot be
// the key of a JSON object, and cannot be encoded with encoding/gob.
type Secret struct {
	// fmt and encoders read unexported fields, too, but do not follow the pointer in the
	// handle. Equal texts have equal handles, so == works.
	text unique.Handle[string]
}

// NewSecret makes a Secret from a text, which may be empty.
func NewSecret(text string) Secret { return Secret{text: unique.Make(text)} }

// Reveal returns the text. It is empty if the Secret is withheld.
func (s Secret) Reveal() string {
	if s.IsWithheld() {
		return ""
	}
	return s.text.Value()
}

// IsWithheld reports whether the text is not known, because the service does not return it.
func (s Secret) IsWithheld() bool { return s == Secret{} }

// String returns [redacted], or [withheld] if the Secret is withheld.
func (s Secret) String() string {
	if s.IsWithheld() {
		return withheldText
	}
	return scrub.Redacted
}

// GoString returns the same as String.
func (s Secret) GoString() string { return s.String() }

// Format prints the same as String with every verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// LogValue returns the same as String for log/slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalJSON writes null. [MarshalWithSecrets] writes the text.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// UnmarshalJSON reads a string, and null as a withheld Secret. Other JSON is an error, which
// does not show the JSON.
func (s *Secret) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if string(data) == "null" {
		*s = Secret{}
		return nil
	}
	var text string
	if len(data) == 0 || data[0] != '"' || readScalar(data, &text) != nil {
		return &json.UnmarshalTypeError{Value: rawjson.KindName(data), Type: reflect.TypeFor[Secret]()}
	}
	*s = NewSecret(text)
	return nil
}

// open gives the text to the encoder of package reveal.
func (s *Secret) open(bool) reveal.Content {
	if s == nil || s.IsWithheld() {
		return reveal.Content{Kind: reveal.Withheld}
	}
	return reveal.Content{Kind: reveal.Text, Text: s.Reveal()}
}

// SecretJSON is JSON of any form that contains secrets, such as the configuration of an alert
// channel. Like a [Secret] it is not shown; [SecretJSON.Reveal] returns the JSON.
// [json.Marshal] writes null. The zero SecretJSON, and one with the JSON null, is withheld.
//
// Values with the same JSON are equal for [reflect.DeepEqual]. They cannot be compared with ==.
type SecretJSON struct {
	_    [0]func() // forbids ==, which would compare the pointers
	text *string   // nil for the zero value; fmt and encoders do not follow it
}

// NewSecretJSON makes a SecretJSON from a copy of raw. It does not check raw: invalid JSON is
// an error when it is sent. A nil raw makes the zero SecretJSON.
func NewSecretJSON(raw json.RawMessage) SecretJSON {
	if raw == nil {
		return SecretJSON{}
	}
	return SecretJSON{text: new(string(raw))}
}

// Reveal returns a copy of the JSON, byte for byte as it was read. It is nil for the
// zero SecretJSON.
func (s SecretJSON) Reveal() json.RawMessage {
	if s.text == nil {
		return nil
	}
	return json.RawMessage(*s.text)
}

// IsZero reports whether there is no JSON at all; encoding/json calls it for omitzero.
func (s SecretJSON) IsZero() bool { return s.text == nil }

// String returns [redacted], or [withheld] if the JSON is withheld.
func (s SecretJSON) String() string {
	if s.isWithheld() {
		return withheldText
	}
	return scrub.Redacted
}

func (s SecretJSON) isWithheld() bool {
	return s.text == nil || string(bytes.TrimSpace([]byte(*s.text))) == "null"
}

// GoString returns the same as String.
func (s SecretJSON) GoString() string { return s.String() }

// Format prints the same as String with every verb.
func (s SecretJSON) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// LogValue returns the same as String for log/slog.
func (s SecretJSON) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalJSON writes null. [MarshalWithSecrets] writes the JSON.
func (s SecretJSON) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// UnmarshalJSON keeps a copy of the JSON.
func (s *SecretJSON) UnmarshalJSON(data []byte) error {
	s.text = new(string(data))
	return nil
}

// open gives the JSON to the encoder of package reveal.
func (s *SecretJSON) open(bool) reveal.Content {
	if s == nil || s.isWithheld() {
		return reveal.Content{Kind: reveal.Withheld}
	}
	return reveal.Content{Kind: reveal.JSON, Text: *s.text}
}

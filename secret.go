package monitoring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"unique"

	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

const (
	redacted     = "[redacted]"
	withheldText = "[withheld]"
)

// Secret is a text that hides itself, such as a password or the value of a variable.
// [Secret.Reveal] gives the text. Printed or logged it is [redacted], under every verb and
// with every handler of log/slog. In an unexported field of another struct, where fmt calls
// no methods, an address stands for it.
//
// [json.Marshal] writes a Secret as null, and null is read as a withheld Secret: a text
// in its place could be taken for the secret. Requests carry the text, and
// [MarshalWithSecrets] writes it. A MarshalJSON of your own must call Reveal.
//
// The zero Secret is withheld: the service has a text there and does not tell it. In a
// request it is refused with a [*ValidationError]. The empty text is NewSecret("").
//
// Secrets of the same text are equal for == and for [reflect.DeepEqual]. A Secret can
// be neither the key of a JSON object nor encoded with encoding/gob.
type Secret struct {
	// fmt and encoders walk fields, unexported ones too, but do not follow this pointer.
	// It is the same for the same text, which keeps == true.
	text unique.Handle[string]
}

// NewSecret makes a Secret of a text. The text may be empty.
func NewSecret(text string) Secret { return Secret{text: unique.Make(text)} }

// Reveal returns the text. It is empty if the Secret is withheld.
func (s Secret) Reveal() string {
	if s.IsWithheld() {
		return ""
	}
	return s.text.Value()
}

// IsWithheld reports whether the text is not known, because the service does not tell it.
func (s Secret) IsWithheld() bool { return s == Secret{} }

// String returns [redacted], or [withheld] if the Secret is withheld.
func (s Secret) String() string {
	if s.IsWithheld() {
		return withheldText
	}
	return redacted
}

// GoString returns the same as String.
func (s Secret) GoString() string { return s.String() }

// Format prints the same as String under every verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// LogValue returns the same as String for log/slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalJSON writes null. [MarshalWithSecrets] writes the text.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// UnmarshalJSON reads a string, and null as a withheld Secret. Everything else is an
// error, which does not show what was read.
func (s *Secret) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if string(data) == "null" {
		*s = Secret{}
		return nil
	}
	var text string
	if len(data) == 0 || data[0] != '"' || readScalar(data, &text) != nil {
		return &json.UnmarshalTypeError{Value: kindOfJSON(data), Type: reflect.TypeFor[Secret]()}
	}
	*s = NewSecret(text)
	return nil
}

// kindOfJSON names what stands in a JSON text, for errors.
func kindOfJSON(data []byte) string {
	if len(data) > 0 {
		switch data[0] {
		case '{':
			return "object"
		case '[':
			return "array"
		case 't', 'f':
			return "bool"
		case '"':
			return "string"
		}
	}
	return "number"
}

// open gives the text to the encoder that reveals.
func (s *Secret) open(bool) reveal.Content {
	if s == nil || s.IsWithheld() {
		return reveal.Content{Kind: reveal.Withheld}
	}
	return reveal.Content{Kind: reveal.Text, Text: s.Reveal()}
}

// SecretJSON is JSON of any shape that holds secrets, such as the configuration of an
// alert channel. It hides itself as [Secret] does; [SecretJSON.Reveal] gives the JSON.
// [json.Marshal] writes null. A SecretJSON that is zero, or holds the JSON null, is withheld.
//
// Equal ones are equal for [reflect.DeepEqual]. They cannot be compared with ==.
type SecretJSON struct {
	_    [0]func() // without ==, which would compare the pointers
	text *string   // nil for the zero one; fmt and encoders do not follow it
}

// NewSecretJSON makes a SecretJSON of a copy of raw, which is not checked here: JSON that
// is not valid is an error when it is sent. A nil raw makes the zero SecretJSON.
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

// IsZero reports whether there is no JSON at all; encoding/json asks it for omitzero.
func (s SecretJSON) IsZero() bool { return s.text == nil }

// String returns [redacted], or [withheld] if the JSON is withheld.
func (s SecretJSON) String() string {
	if s.isWithheld() {
		return withheldText
	}
	return redacted
}

func (s SecretJSON) isWithheld() bool {
	return s.text == nil || string(bytes.TrimSpace([]byte(*s.text))) == "null"
}

// GoString returns the same as String.
func (s SecretJSON) GoString() string { return s.String() }

// Format prints the same as String under every verb.
func (s SecretJSON) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

// LogValue returns the same as String for log/slog.
func (s SecretJSON) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalJSON writes null. [MarshalWithSecrets] writes the JSON.
func (s SecretJSON) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// UnmarshalJSON keeps a copy of whatever it reads.
func (s *SecretJSON) UnmarshalJSON(data []byte) error {
	s.text = new(string(data))
	return nil
}

// open gives the JSON to the encoder that reveals.
func (s *SecretJSON) open(bool) reveal.Content {
	if s == nil || s.isWithheld() {
		return reveal.Content{Kind: reveal.Withheld}
	}
	return reveal.Content{Kind: reveal.JSON, Text: *s.text}
}

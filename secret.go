package monitoring

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"strings"
	"unique"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
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
	return strings.TrimPrefix(s.text.Value(), openMark)
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
func (s Secret) MarshalJSON() ([]byte, error) {
	if !s.IsWithheld() {
		if text, open := strings.CutPrefix(s.text.Value(), openMark); open {
			return rawjson.Encode(text)
		}
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads a string, and null as a withheld Secret. Other JSON is an error, which
// does not show the JSON.
func (s *Secret) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	if string(data) == "null" {
		*s = Secret{}
		return nil
	}
	var text string
	if len(data) == 0 || data[0] != '"' || lenient.Scalar(data, &text) != nil {
		return &json.UnmarshalTypeError{Value: rawjson.KindName(data), Type: reflect.TypeFor[Secret]()}
	}
	*s = NewSecret(text)
	return nil
}

// openMark begins the text of an open Secret, whose MarshalJSON writes it. Only copies for the
// encoder of requests have open Secrets. No other text begins with it, because it is random.
var openMark = rand.Text()

// open opens the Secret, and returns its text. A withheld one stays as it is.
func (s *Secret) open() ([]string, error) {
	if s.IsWithheld() {
		return nil, nil
	}
	text := s.Reveal()
	s.text = unique.Make(openMark + text)
	if text == "" {
		return nil, nil
	}
	return []string{text}, nil
}

func (s *Secret) revealed() (text string, withheld bool) { return s.Reveal(), s.IsWithheld() }

func (s *Secret) withheld() []string { return withheldIf(s.IsWithheld()) }

// withheldIf returns the paths of what is withheld in a secret.
func withheldIf(withheld bool) []string {
	if withheld {
		return []string{"$"}
	}
	return nil
}

// SecretJSON is JSON of any form that contains secrets, such as the configuration of an alert
// channel. Like a [Secret] it is not shown; [SecretJSON.Reveal] returns the JSON.
// [json.Marshal] writes null. The zero SecretJSON, and one with the JSON null, is withheld.
//
// Values with the same JSON are equal for [reflect.DeepEqual]. They cannot be compared with ==.
type SecretJSON struct {
	_    [0]func() // forbids ==, which would compare the pointers
	text *string   // nil for the zero value; fmt and encoders do not follow it
	_    uintptr   // a struct of one pointer makes github.com/davecgh/go-spew read a wrong address
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
	return json.RawMessage(strings.TrimPrefix(*s.text, openMark))
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
func (s SecretJSON) MarshalJSON() ([]byte, error) {
	if s.text != nil {
		if text, open := strings.CutPrefix(*s.text, openMark); open {
			return []byte(text), nil
		}
	}
	return []byte("null"), nil
}

// UnmarshalJSON keeps a copy of the JSON.
func (s *SecretJSON) UnmarshalJSON(data []byte) error {
	s.text = new(string(data))
	return nil
}

// open opens the SecretJSON, and returns the strings in it. It does not return the names of
// members: they are ordinary words, and scrubbing them would damage error texts. The error for
// invalid JSON shows nothing of it.
func (s *SecretJSON) open() ([]string, error) {
	if s.isWithheld() {
		return nil, nil
	}
	text := s.Reveal()
	if !json.Valid(text) {
		return nil, errors.New("json: the text of a SecretJSON is not valid JSON")
	}
	s.text = new(openMark + string(text))
	return rawjson.Texts(text), nil
}

func (s *SecretJSON) revealed() (text string, withheld bool) {
	return string(s.Reveal()), s.isWithheld()
}

func (s *SecretJSON) withheld() []string { return withheldIf(s.isWithheld()) }

// MarshalWithSecrets is [json.Marshal], except that it writes the text of every [Secret] and
// the JSON of every [SecretJSON], and does not escape HTML. Use it for snapshots and for test
// servers, and treat its result as a secret. A withheld Secret is written as null, which is read
// as withheld again.
//
// If a type of your own wraps a Secret and has a MarshalJSON, that method must call
// [Secret.Reveal]: it is used as it is, here and in requests.
//
// The errors are those of json.Marshal.
func MarshalWithSecrets(v any) ([]byte, error) {
	result, err := keeping.Encode(v)
	if err != nil {
		return nil, fmt.Errorf("monitoring: marshal with secrets: %w", err)
	}
	return result.JSON, nil
}

package monitoring

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a text that hides itself: printed, or logged with log/slog, it shows
// [redacted], also inside of the types of this package. A conversion to string gives it,
// and JSON, which is how it travels.
type Secret string

const redacted = "[redacted]"

// Format hides the text under every verb.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) }

// String hides the text.
func (s Secret) String() string { return redacted }

// GoString hides the text.
func (s Secret) GoString() string { return redacted }

// LogValue hides the text in records of log/slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// The types below hold secrets. They print themselves, because fmt asks no methods of
// what is behind a pointer under verbs such as %s, and log themselves as text, because a
// handler that writes JSON would write the secrets.

// formatPlain prints a value that has the fields of a type but not its methods.
func formatPlain(s fmt.State, verb rune, plain any) {
	format := "%+v"
	if verb == 'v' {
		format = fmt.FormatString(s, verb)
	}
	fmt.Fprintf(s, format, plain)
}

func logged(v any) slog.Value { return slog.StringValue(fmt.Sprintf("%+v", v)) }

// Format hides the secrets under every verb.
func (e EnvironmentVariable) Format(s fmt.State, verb rune) {
	type plain EnvironmentVariable
	formatPlain(s, verb, plain(e))
}

// LogValue hides the secrets.
func (e EnvironmentVariable) LogValue() slog.Value { return logged(e) }

// Format hides the secrets under every verb.
func (k KeyValue) Format(s fmt.State, verb rune) {
	type plain KeyValue
	formatPlain(s, verb, plain(k))
}

// LogValue hides the secrets.
func (k KeyValue) LogValue() slog.Value { return logged(k) }

// Format hides the secrets under every verb.
func (b BasicAuth) Format(s fmt.State, verb rune) {
	type plain BasicAuth
	formatPlain(s, verb, plain(b))
}

// LogValue hides the secrets.
func (b BasicAuth) LogValue() slog.Value { return logged(b) }

// Format hides the secrets under every verb.
func (a APICheckDefaults) Format(s fmt.State, verb rune) {
	type plain APICheckDefaults
	formatPlain(s, verb, plain(a))
}

// LogValue hides the secrets.
func (a APICheckDefaults) LogValue() slog.Value { return logged(a) }

// Format hides the secrets under every verb.
func (a AlertWebhook) Format(s fmt.State, verb rune) {
	type plain AlertWebhook
	formatPlain(s, verb, plain(a))
}

// LogValue hides the secrets.
func (a AlertWebhook) LogValue() slog.Value { return logged(a) }

// Format hides the secrets under every verb.
func (a AlertChannels) Format(s fmt.State, verb rune) {
	type plain AlertChannels
	formatPlain(s, verb, plain(a))
}

// LogValue hides the secrets.
func (a AlertChannels) LogValue() slog.Value { return logged(a) }

// Format hides the secrets under every verb.
func (c CheckGroup) Format(s fmt.State, verb rune) {
	type plain CheckGroup
	formatPlain(s, verb, plain(c))
}

// LogValue hides the secrets.
func (c CheckGroup) LogValue() slog.Value { return logged(c) }

// Format hides the secrets under every verb.
func (c CheckGroupUpdate) Format(s fmt.State, verb rune) {
	type plain CheckGroupUpdate
	formatPlain(s, verb, plain(c))
}

// LogValue hides the secrets.
func (c CheckGroupUpdate) LogValue() slog.Value { return logged(c) }

// Format hides the secrets under every verb.
func (t TCPCheck) Format(s fmt.State, verb rune) {
	type plain TCPCheck
	formatPlain(s, verb, plain(t))
}

// LogValue hides the secrets.
func (t TCPCheck) LogValue() slog.Value { return logged(t) }

// Format hides the secrets under every verb.
func (b BrowserCheck) Format(s fmt.State, verb rune) {
	type plain BrowserCheck
	formatPlain(s, verb, plain(b))
}

// LogValue hides the secrets.
func (b BrowserCheck) LogValue() slog.Value { return logged(b) }

// Format hides the secrets under every verb.
func (b BrowserCheckUpdate) Format(s fmt.State, verb rune) {
	type plain BrowserCheckUpdate
	formatPlain(s, verb, plain(b))
}

// LogValue hides the secrets.
func (b BrowserCheckUpdate) LogValue() slog.Value { return logged(b) }

// Format hides the secrets under every verb.
func (c Check) Format(s fmt.State, verb rune) {
	type plain Check
	formatPlain(s, verb, plain(c))
}

// LogValue hides the secrets.
func (c Check) LogValue() slog.Value { return logged(c) }

// Format hides the secrets under every verb.
func (c CheckUpdate) Format(s fmt.State, verb rune) {
	type plain CheckUpdate
	formatPlain(s, verb, plain(c))
}

// LogValue hides the secrets.
func (c CheckUpdate) LogValue() slog.Value { return logged(c) }

// LogValue hides the value, if it is a secret.
func (n Nullable[T]) LogValue() slog.Value { return logged(n) }

// LogValue hides the secrets of the items.
func (p Page[T]) LogValue() slog.Value { return logged(p) }

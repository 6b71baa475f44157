package monitoring

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/isotime"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Timestamp is a time as the service writes it: an ISO 8601 timestamp, or a date, which means
// midnight UTC. The text is kept, and written back unchanged as JSON, as text, in logs and with
// encoding/gob.
//
// Compare Timestamps with [Timestamp.Equal]: == also compares their spelling.
type Timestamp struct {
	time.Time
	text string
	at   time.Time // the time of text; if Time differs, it was changed after reading
}

// NewTimestamp returns the Timestamp of t.
func NewTimestamp(t time.Time) Timestamp { return Timestamp{Time: t} }

// Equal reports whether both are the same point in time. To compare with a [time.Time], use the
// embedded Time.
func (t Timestamp) Equal(other Timestamp) bool { return t.Time.Equal(other.Time) }

// Raw returns the text that the service wrote, or else RFC 3339. It is empty for the zero
// Timestamp.
func (t Timestamp) Raw() string {
	if t.text != "" && t.at.Equal(t.Time) {
		return t.text
	}
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// DateOnly reports whether the service wrote a date without a time of day.
func (t Timestamp) DateOnly() bool {
	raw := t.Raw()
	return raw != "" && !strings.ContainsAny(raw, "Tt ")
}

// String returns Raw.
func (t Timestamp) String() string { return t.Raw() }

// GoString returns a short form for %#v.
func (t Timestamp) GoString() string { return fmt.Sprintf("monitoring.Timestamp(%q)", t.Raw()) }

// LogValue returns Raw.
func (t Timestamp) LogValue() slog.Value { return slog.StringValue(t.Raw()) }

// MarshalJSON writes Raw as a string, or null for the zero Timestamp.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	raw := t.Raw()
	if raw == "" {
		return []byte("null"), nil
	}
	// Neither a text that was read nor one that is formatted needs escapes.
	return append(append(append(make([]byte, 0, len(raw)+2), '"'), raw...), '"'), nil
}

// UnmarshalJSON reads a string like UnmarshalText, or null as zero.
func (t *Timestamp) UnmarshalJSON(data []byte) error {
	*t = Timestamp{}
	if string(data) == "null" {
		return nil
	}
	if text, ok := rawjson.Plain(data); ok {
		return t.UnmarshalText(text)
	}
	if len(data) > len(`""`)+6*isotime.Longest && data[0] == '"' { // also if each character is an escape
		return t.UnmarshalText(data[1:])
	}
	var text string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &text) != nil {
		return fmt.Errorf("timestamp: want a string, got %s", rawjson.Describe(data))
	}
	return t.UnmarshalText([]byte(text))
}

// MarshalText returns Raw.
func (t Timestamp) MarshalText() ([]byte, error) { return []byte(t.Raw()), nil }

// AppendText appends Raw.
func (t Timestamp) AppendText(b []byte) ([]byte, error) { return append(b, t.Raw()...), nil }

// UnmarshalText reads a date, or a date with a time, in one of these forms of ISO 8601:
//
//	2026-07-14                 a date, or 20260714
//	2026-07-14T09:12:44.310Z   a date and a time, also to the minute or the hour
//	20260714T091244.310Z       the same without hyphens and colons
//	+012026-07-14T09:12:44Z    a year before 0 or after 9999, as JavaScript writes it
//
// In detail:
//
//   - The last number of the time may have a fraction after a point or comma, read to the
//     nanosecond. The whole text has at most 128 characters.
//   - A space or a lower-case t may separate date and time.
//   - The zone is Z, +hh, +hhmm or +hh:mm; without one, the time is in UTC.
//   - 24:00 is midnight at the end of the day, and a leap second is the second after it.
//   - The empty text gives the zero Timestamp.
//
// Everything else is an error, such as a day that does not exist, a week or day of the year, a year
// or month alone, and a date with hyphens before a time without colons, or the reverse.
func (t *Timestamp) UnmarshalText(text []byte) error {
	*t = Timestamp{}
	if len(text) == 0 {
		return nil
	}
	written := beginning(text)
	at, ok := isotime.Parse(written)
	if !ok {
		return fmt.Errorf("timestamp: %s is neither an ISO 8601 timestamp nor a calendar date", quoted(written))
	}
	*t = Timestamp{Time: at, text: written, at: at}
	return nil
}

// isOneMoment reports whether two values of JSON are one point in time, or equal.
func isOneMoment(a, b []byte) bool {
	at, ok := isotime.Parse(rawjson.Text(a))
	other, okToo := isotime.Parse(rawjson.Text(b))
	return ok && okToo && at.Equal(other) || rawjson.Equal(a, b)
}

// beginning returns a text, or enough of it to see that it is too long for a time.
func beginning(text []byte) string { return string(text[:min(len(text), isotime.Longest+1)]) }

// quoted returns a text in quotation marks. None is shown in part, because a secret that the service
// has written in place of a time is found, and removed from errors, only if it is whole.
func quoted(text string) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("a text of over %d bytes", most)
	}
	return strconv.Quote(text)
}

// MarshalBinary returns Raw.
func (t Timestamp) MarshalBinary() ([]byte, error) { return t.MarshalText() }

// AppendBinary appends Raw.
func (t Timestamp) AppendBinary(b []byte) ([]byte, error) { return t.AppendText(b) }

// UnmarshalBinary reads what MarshalBinary returns.
func (t *Timestamp) UnmarshalBinary(data []byte) error { return t.UnmarshalText(data) }

// GobEncode returns Raw.
func (t Timestamp) GobEncode() ([]byte, error) { return t.MarshalText() }

// GobDecode reads what GobEncode returns.
func (t *Timestamp) GobDecode(data []byte) error { return t.UnmarshalText(data) }

// Date is a calendar day without a time or zone, so that no conversion can shift it. It is sent as
// YYYY-MM-DD.
//
//	monitoring.Date{Year: 2026, Month: time.December, Day: 31}
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf returns the day of t in the location of t. For the day in another zone, pass
// t.In(location).
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{year, month, day}
}

// String returns the date as YYYY-MM-DD. A day that does not exist, such as February 30, is not
// corrected: sending it is a [*ValidationError].
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, int(d.Month), d.Day) }

// MarshalText returns the same as String.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads YYYY-MM-DD, or the day in UTC of a [Timestamp].
func (d *Date) UnmarshalText(text []byte) error {
	written := beginning(text)
	if n, err := fmt.Sscanf(written, "%04d-%02d-%02d", &d.Year, &d.Month, &d.Day); err == nil && n == 3 && d.String() == written {
		return nil
	}
	at, ok := isotime.Parse(written)
	if !ok {
		return fmt.Errorf("date: %s is neither written as YYYY-MM-DD nor a time", quoted(written))
	}
	*d = DateOf(at.UTC())
	return nil
}

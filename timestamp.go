package monitoring

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/isotime"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Timestamp is a time in the form in which the service writes it: an ISO 8601 timestamp, or a date,
// which means midnight in UTC. A time without a zone is in UTC. The embedded Time is the point in
// time. The text of the service is kept and written back unchanged: as JSON, as text, as the key of
// a map, in logs and with encoding/gob.
//
// Compare Timestamps with [Timestamp.Equal]: == also compares texts and locations, so it can
// be false for the same point in time.
type Timestamp struct {
	time.Time
	text string
	at   time.Time // the time of text; if Time differs, it was changed after reading
}

// NewTimestamp makes a Timestamp from a time.
func NewTimestamp(t time.Time) Timestamp { return Timestamp{Time: t} }

// Equal reports whether both are the same point in time, in whatever form they were written.
// To compare with a [time.Time], use the embedded Time.
func (t Timestamp) Equal(other Timestamp) bool { return t.Time.Equal(other.Time) }

// Raw returns the text that the service wrote, or the RFC 3339 form if there is none. It is
// empty for the zero Timestamp.
func (t Timestamp) Raw() string {
	if t.text != "" && t.at.Equal(t.Time) {
		return t.text
	}
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// DateOnly reports whether the service wrote a calendar date without a time of day.
func (t Timestamp) DateOnly() bool {
	raw := t.Raw()
	return raw != "" && !strings.ContainsAny(raw, "Tt ")
}

// String returns the same as Raw.
func (t Timestamp) String() string { return t.Raw() }

// GoString returns a short form for %#v.
func (t Timestamp) GoString() string { return fmt.Sprintf("monitoring.Timestamp(%q)", t.Raw()) }

// LogValue returns the same as Raw for log/slog.
func (t Timestamp) LogValue() slog.Value { return slog.StringValue(t.Raw()) }

// MarshalJSON writes the same as Raw as a string, and null for the zero Timestamp.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	raw := t.Raw()
	if raw == "" {
		return []byte("null"), nil
	}
	// Neither a text that was read nor one that is formatted needs escapes.
	return append(append(append(make([]byte, 0, len(raw)+2), '"'), raw...), '"'), nil
}

// UnmarshalJSON reads a string as UnmarshalText does. Null leaves the zero Timestamp.
func (t *Timestamp) UnmarshalJSON(data []byte) error {
	*t = Timestamp{}
	if string(data) == "null" {
		return nil
	}
	if text, ok := rawjson.Plain(data); ok {
		return t.UnmarshalText(text)
	}
	var text string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &text) != nil {
		return fmt.Errorf("timestamp: want a string, got %s", rawjson.Describe(data))
	}
	return t.UnmarshalText([]byte(text))
}

// MarshalText writes the same as Raw.
func (t Timestamp) MarshalText() ([]byte, error) { return []byte(t.Raw()), nil }

// AppendText appends the same as Raw.
func (t Timestamp) AppendText(b []byte) ([]byte, error) { return append(b, t.Raw()...), nil }

// UnmarshalText reads a date, or a date with a time, in the forms of ISO 8601:
//
//	2026-07-14                 a date, or 20260714
//	2026-07-14T09:12:44.310Z   a date and a time, also to the minute or the hour
//	20260714T091244.310Z       the same without hyphens and colons
//	+012026-07-14T09:12:44Z    a year before 0 or after 9999, as JavaScript writes it
//
// The last number of the time may have a fraction, after a point or a comma. It is read to the
// nanosecond. A space or a lower-case t may separate date and time. The zone is Z, +hh, +hhmm or
// +hh:mm, and UTC if it is missing. 24:00 is midnight at the end of the day, and a leap second is
// the second after it. The empty text gives the zero Timestamp.
//
// Everything else is an error: a day that does not exist, a day of a year or of a week, a year or
// month alone, and a date with hyphens before a time without colons, or the reverse.
func (t *Timestamp) UnmarshalText(text []byte) error {
	*t = Timestamp{}
	if len(text) == 0 {
		return nil
	}
	written := string(text)
	at, ok := isotime.Parse(written)
	if !ok {
		return fmt.Errorf("timestamp: %.40q is neither an ISO 8601 timestamp nor a calendar date", text)
	}
	*t = Timestamp{Time: at, text: written, at: at}
	return nil
}

// MarshalBinary writes the same as Raw.
func (t Timestamp) MarshalBinary() ([]byte, error) { return t.MarshalText() }

// AppendBinary appends the same as Raw.
func (t Timestamp) AppendBinary(b []byte) ([]byte, error) { return t.AppendText(b) }

// UnmarshalBinary reads what MarshalBinary wrote.
func (t *Timestamp) UnmarshalBinary(data []byte) error { return t.UnmarshalText(data) }

// GobEncode writes the same as Raw.
func (t Timestamp) GobEncode() ([]byte, error) { return t.MarshalText() }

// GobDecode reads what GobEncode wrote.
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

// UnmarshalText reads YYYY-MM-DD, or a [Timestamp], of which it takes the day in UTC.
func (d *Date) UnmarshalText(text []byte) error {
	if n, err := fmt.Sscanf(string(text), "%04d-%02d-%02d", &d.Year, &d.Month, &d.Day); err == nil && n == 3 && d.String() == string(text) {
		return nil
	}
	at, ok := isotime.Parse(string(text))
	if !ok {
		return fmt.Errorf("date: %.40q is neither written as YYYY-MM-DD nor a time", text)
	}
	*d = DateOf(at.UTC())
	return nil
}

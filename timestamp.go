package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// Timestamp is a time in the form in which the service writes it: a timestamp of ISO 8601, or
// a calendar date, which means midnight in UTC. A time without a zone is in UTC. The embedded
// Time is the point in time. The text of the service is kept and written back unchanged: as
// JSON, as text, as the key of a map, in logs and with encoding/gob.
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
	if text, ok := plainText(data); ok {
		return t.read(string(text))
	}
	var text string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &text) != nil {
		return fmt.Errorf("timestamp: want a string, got %s", article(kindOfJSON(data)))
	}
	return t.read(text)
}

// MarshalText writes the same as Raw.
func (t Timestamp) MarshalText() ([]byte, error) { return []byte(t.Raw()), nil }

// AppendText appends the same as Raw.
func (t Timestamp) AppendText(b []byte) ([]byte, error) { return append(b, t.Raw()...), nil }

// UnmarshalText reads a date, or a date with a time: 2026-07-14, 2026-07-14T09:12:44.310Z. It
// also accepts a comma before the fraction, a space or a small t before the time, a zone of
// hours only or without a colon, and a time without seconds. 24:00 is midnight at the end of
// the day, and a leap second is the second after it. The empty text gives the zero Timestamp.
func (t *Timestamp) UnmarshalText(text []byte) error { return t.read(string(text)) }

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

func (t *Timestamp) read(text string) error {
	*t = Timestamp{}
	if text == "" {
		return nil
	}
	at, err := parseISO(text)
	if err != nil {
		return fmt.Errorf("timestamp: %.40q is neither a timestamp of ISO 8601 nor a calendar date", text)
	}
	*t = Timestamp{Time: at, text: text, at: at}
	return nil
}

var errNoTime = errors.New("no time")

// parseISO reads the forms of ISO 8601 that name a day of the calendar.
func parseISO(text string) (time.Time, error) {
	p := &timeParser{rest: text}
	year := p.digits(4)
	p.byte('-')
	month := p.digits(2)
	p.byte('-')
	day := p.digits(2)
	if p.bad || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return time.Time{}, errNoTime
	}
	if p.rest == "" {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC), nil
	}
	p.anyOf("Tt ")
	hour := p.digits(2)
	p.byte(':')
	minute, second, nanos := p.digits(2), 0, 0
	if p.next(":") {
		second = p.digits(2)
		if p.next(".,") {
			nanos = p.fraction()
		}
	}
	zone := p.zone()
	midnight := hour == 24 && minute == 0 && second == 0 && nanos == 0
	if p.bad || p.rest != "" || hour > 23 && !midnight || minute > 59 || second > 60 {
		return time.Time{}, errNoTime
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, nanos, zone), nil // time.Date carries hour 24 and second 60 over
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// timeParser parses a text from its beginning. After the first mistake bad stays true.
type timeParser struct {
	rest string
	bad  bool
}

func (p *timeParser) digits(n int) (value int) {
	if p.bad || len(p.rest) < n {
		p.bad = true
		return 0
	}
	for _, c := range []byte(p.rest[:n]) {
		if c < '0' || c > '9' {
			p.bad = true
			return 0
		}
		value = value*10 + int(c-'0')
	}
	p.rest = p.rest[n:]
	return value
}

// next consumes the next byte if it is one of bytes.
func (p *timeParser) next(bytes string) bool {
	if p.bad || p.rest == "" || strings.IndexByte(bytes, p.rest[0]) < 0 {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *timeParser) anyOf(bytes string) { p.bad = !p.next(bytes) || p.bad }
func (p *timeParser) byte(c byte)        { p.anyOf(string(c)) }

// fraction consumes the digits of a fraction of a second and returns nanoseconds. Further
// digits are ignored.
func (p *timeParser) fraction() (nanos int) {
	scale, n := 100_000_000, 0
	for ; n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9'; n++ {
		nanos += int(p.rest[n]-'0') * scale
		scale /= 10
	}
	p.bad = p.bad || n == 0
	p.rest = p.rest[n:]
	return nanos
}

// zone consumes the zone: Z, ±hh, ±hhmm, ±hh:mm or nothing, which is UTC.
func (p *timeParser) zone() *time.Location {
	if p.rest == "" || p.next("Zz") {
		return time.UTC
	}
	west := strings.HasPrefix(p.rest, "-")
	p.anyOf("+-")
	hours, minutes := p.digits(2), 0
	if p.next(":") || p.rest != "" {
		minutes = p.digits(2)
	}
	offset := (hours*60 + minutes) * 60
	switch {
	case p.bad || hours > 23 || minutes > 59:
		p.bad = true
		return time.UTC
	case offset == 0:
		return time.UTC
	case west:
		offset = -offset
	}
	return time.FixedZone("", offset)
}

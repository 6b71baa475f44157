package monitoring

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Timestamp is a time in the form in which the service writes it: a timestamp of ISO 8601, or
// a date, which means midnight in UTC. A time without a zone is in UTC. The embedded
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
	if text, ok := rawjson.Plain(data); ok {
		var at time.Time
		if bytes.HasSuffix(text, []byte("Z")) && at.UnmarshalText(text) == nil { // the usual form; a parser for it is faster
			*t = Timestamp{Time: at, text: string(text), at: at}
			return nil
		}
		return t.read(string(text))
	}
	var text string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &text) != nil {
		return fmt.Errorf("timestamp: want a string, got %s", rawjson.Describe(data))
	}
	return t.read(text)
}

// MarshalText writes the same as Raw.
func (t Timestamp) MarshalText() ([]byte, error) { return []byte(t.Raw()), nil }

// AppendText appends the same as Raw.
func (t Timestamp) AppendText(b []byte) ([]byte, error) { return append(b, t.Raw()...), nil }

// UnmarshalText reads a date, or a date with a time, in the forms of ISO 8601:
//
//	2026-07-14                 a date, also 2026-195 (day of the year) and 2026-W29-2 (week and day)
//	2026-07-14T09:12:44.310Z   a date and a time, also without seconds, or of hours only
//	20260714T091244.310Z       the same without hyphens and colons, also 2026195 and 2026W292
//
// The last number of the time may have a fraction, after a point or a comma. It counts to
// billionths. Before the time there may also be a space or a small t. The zone is Z, +hh, +hhmm
// or +hh:mm, and UTC if it is missing. 24:00 is midnight at the end of the day, and a leap
// second is the second after it. The empty text gives the zero Timestamp.
//
// Everything else is an error: a day that does not exist, a year, month or week alone, a
// date with hyphens before a time without colons, and the other way round.
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

// parseISO reads the forms of ISO 8601 that name a day.
func parseISO(text string) (time.Time, error) {
	p := &timeParser{rest: text}
	day, extended := p.date()
	if !p.bad && p.rest == "" {
		return day, nil
	}
	p.anyOf("Tt ")
	clock := p.clock(extended)
	zone := p.zone()
	if p.bad || p.rest != "" {
		return time.Time{}, errNoTime
	}
	year, month, date := day.Date()
	return time.Date(year, month, date, 0, 0, 0, 0, zone).Add(clock), nil
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

// date consumes a day of a month, of a year or of a week. It also returns whether the form is
// the extended one, with hyphens.
func (p *timeParser) date() (day time.Time, extended bool) {
	on := func(year, month, day int) time.Time {
		return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC) // carries over what is too large
	}
	year := p.digits(4)
	extended = p.next("-")
	switch {
	case p.next("W"):
		week := p.digits(2)
		p.bad = p.bad || extended && !p.next("-")
		weekday := p.digits(1)
		fourth := on(year, 1, 4) // of January, which is always in week 1
		monday := 4 - (int(fourth.Weekday())+6)%7
		day = on(year, 1, monday+7*(week-1)+weekday-1)
		_, same := day.ISOWeek()
		p.bad = p.bad || same != week
	case p.ahead() == 3:
		number := p.digits(3)
		day = on(year, 1, number)
		p.bad = p.bad || day.YearDay() != number
	default:
		month := p.digits(2)
		p.bad = p.bad || extended && !p.next("-")
		number := p.digits(2)
		day = on(year, month, number)
		p.bad = p.bad || int(day.Month()) != month || day.Day() != number
	}
	return day, extended
}

// clock consumes a time of day and returns how long it is after midnight. 24:00 is the end of
// the day, and second 60 a leap second.
func (p *timeParser) clock(extended bool) time.Duration {
	more := func() bool {
		if extended {
			return p.next(":")
		}
		return p.ahead() > 0
	}
	hour, minute, second, unit := p.digits(2), 0, 0, time.Hour
	if more() {
		minute, unit = p.digits(2), time.Minute
		if more() {
			second, unit = p.digits(2), time.Second
		}
	}
	clock := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	if p.next(".,") {
		clock += time.Duration(p.billionths()) * (unit / time.Second)
	}
	p.bad = p.bad || hour > 23 && clock != 24*time.Hour || minute > 59 || second > 60
	return clock
}

// ahead returns how many digits come next.
func (p *timeParser) ahead() (n int) {
	for n < len(p.rest) && p.rest[n] >= '0' && p.rest[n] <= '9' {
		n++
	}
	return n
}

// billionths consumes the digits of a fraction and returns it in billionths. Further digits are
// ignored.
func (p *timeParser) billionths() (value int) {
	n, scale := p.ahead(), 100_000_000
	for _, c := range []byte(p.rest[:n]) {
		value += int(c-'0') * scale
		scale /= 10
	}
	p.bad = p.bad || n == 0
	p.rest = p.rest[n:]
	return value
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

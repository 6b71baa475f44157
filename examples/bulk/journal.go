package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
	"unicode/utf8"
)

// event is the kind of a line of the journal.
type event string

const (
	eventOpen       event = "open"        // a run began
	eventAbout      event = "about"       // a row is about to be sent
	eventDone       event = "done"        // it was created
	eventNotCreated event = "not-created" // it surely was not created
	eventUnknown    event = "unknown"     // it may or may not have been created
	eventExists     event = "exists"      // the user checked: it was created
	eventResend     event = "resend"      // the user checked: it was not created
)

// entry is a line of the journal.
type entry struct {
	Time    time.Time `json:"time"`
	Event   event     `json:"event"`
	Service string    `json:"service,omitempty"` // of eventOpen: what the rows are created in
	Row     int       `json:"row,omitempty"`
	Name    string    `json:"name,omitempty"`
	Digest  string    `json:"digest,omitempty"`
	ID      string    `json:"id,omitempty"`
	Error   string    `json:"error,omitempty"`
}

// created reports whether the row has been created.
func (e entry) created() bool { return e.Event == eventDone || e.Event == eventExists }

// open reports whether the outcome of the row is unknown. A run that ended between sending
// the row and writing its outcome leaves eventAbout.
func (e entry) open() bool { return e.Event == eventAbout || e.Event == eventUnknown }

// history is the last entry of each row, by its name.
type history struct {
	service string // empty if there was no run
	last    map[string]entry
	whole   int64 // the length of the journal without an incomplete last line
}

// replay reads a journal. A crash in the middle of writing leaves a last line without its end.
// Such a line counts as not written: its row was not sent yet, or its outcome is not known.
// Any other line that cannot be read means that the file is damaged. Then nothing may be
// sent, because the line may be of a row that was created.
func replay(data []byte) (history, error) {
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	h := history{last: make(map[string]entry), whole: int64(len(data))}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		e, err := readEntry(line)
		if err != nil {
			return h, fmt.Errorf("line %d of the journal is damaged, %w; mend it by hand, but do not remove it, or its row may be "+
				"created twice; nothing was sent", number, err)
		}
		if e.Event == eventOpen {
			h.service = e.Service
			continue
		}
		if h.last[e.Name].created() && !e.created() {
			continue // nothing follows the creation of a row, so this line is older than it looks
		}
		h.last[e.Name] = e
	}
	return h, nil
}

// members are the members that an entry of each event may have, besides its event and time.
var members = map[event][]string{
	eventOpen:       {"service"},
	eventAbout:      {"row", "name", "digest"},
	eventDone:       {"row", "name", "digest", "id"},
	eventNotCreated: {"row", "name", "digest", "error"},
	eventUnknown:    {"row", "name", "digest", "error"},
	eventExists:     {"row", "name", "digest"},
	eventResend:     {"row", "name", "digest"},
}

// readEntry reads a line. It refuses what this program does not write.
func readEntry(line []byte) (entry, error) {
	var e entry
	if !utf8.Valid(line) { // the decoder would read another name
		return e, errors.New("it is not UTF-8")
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return e, errors.New("it is not JSON of an entry")
	}
	may, known := members[e.Event]
	if !known {
		return e, errors.New("its event is not known")
	}
	seen := make(map[string]bool)
	d := json.NewDecoder(bytes.NewReader(line))
	d.Token() // the opening brace
	for d.More() {
		token, _ := d.Token() // the line is valid JSON
		name, _ := token.(string)
		if seen[name] || name != "event" && name != "time" && !slices.Contains(may, name) {
			return e, fmt.Errorf("it must not have the member %q, or have it twice", name)
		}
		seen[name] = true
		d.Decode(new(json.RawMessage))
	}
	switch {
	case e.Event == eventOpen && e.Service == "", e.Event != eventOpen && e.Name == "", e.Event == eventDone && e.ID == "", e.Row < 0:
		return e, errors.New("a member is missing or not valid")
	}
	return e, nil
}

// openRows returns the rows with an unknown outcome, in the order of the file.
func (h history) openRows() []entry {
	var list []entry
	for _, e := range h.last {
		if e.open() {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b entry) int { return a.Row - b.Row })
	return list
}

// readHistory reads a journal. A missing file is an empty history.
func readHistory(path string) (history, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return history{}, fmt.Errorf("the journal cannot be read: %w", err)
	}
	return replay(data)
}

// storage is the file of a journal.
type storage interface {
	io.Writer
	Sync() error
	Close() error
}

// journal records each create before it is sent, and its outcome afterwards. Each line is on
// the disk before append returns.
type journal struct {
	history
	file   storage
	broken error // the first failed write; what is on the disk is unknown then
}

// openJournal opens or creates the journal of a service. Only one process can have it open.
func openJournal(path, service string) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be opened: %w", err)
	}
	j, err := startJournal(file, path, service)
	if err != nil {
		file.Close()
		return nil, err
	}
	return j, nil
}

func startJournal(file *os.File, path, service string) (*journal, error) {
	if err := lock(file); err != nil {
		return nil, fmt.Errorf("the journal %s is in use by another run: %w", path, err)
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be read: %w", err)
	}
	h, err := replay(data)
	if err != nil {
		return nil, err
	}
	if h.service != "" && h.service != service {
		return nil, fmt.Errorf("the journal %s is of another service or account (%s, not %s); give another one with -journal",
			path, h.service, service)
	}
	if h.whole < int64(len(data)) {
		if err := cutOff(file, path, h.whole); err != nil {
			return nil, fmt.Errorf("the incomplete last line of the journal cannot be cut off: %w", err)
		}
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		dir.Sync() // so that a new file survives a crash, on systems that can
		dir.Close()
	}
	return begin(file, h, service)
}

// cutOff shortens the file to a length, on the disk, too. Some systems do not shorten a file
// that is open for appending, so it is opened once more.
func cutOff(file *os.File, path string, length int64) error {
	if err := os.Truncate(path, length); err != nil {
		return err
	}
	return file.Sync()
}

// begin writes that a run begins.
func begin(file storage, h history, service string) (*journal, error) {
	j := &journal{history: h, file: file}
	return j, j.append(entry{Event: eventOpen, Service: service})
}

// append writes an entry, and returns once it is on the disk.
func (j *journal) append(e entry) error {
	if j.broken != nil {
		return j.broken
	}
	e.Time = time.Now().UTC().Truncate(time.Millisecond)
	line, err := json.Marshal(e)
	if err == nil {
		_, err = j.file.Write(append(line, '\n'))
	}
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		j.broken = fmt.Errorf("the journal cannot be written: %w", err)
		return j.broken
	}
	if e.Event != eventOpen {
		j.last[e.Name] = e
	}
	return nil
}

func (j *journal) close() error { return j.file.Close() }

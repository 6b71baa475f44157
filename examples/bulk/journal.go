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
	torn    bool // whether the last line is incomplete
}

// replay reads a journal. A crash in the middle of writing leaves an incomplete line: it is
// the last one, or the next line is the beginning of a later run. The request of such a line
// was not sent yet. Any other line that cannot be read means that the file is damaged.
func replay(data []byte) (history, error) {
	h := history{last: make(map[string]entry), torn: len(data) > 0 && data[len(data)-1] != '\n'}
	damaged := 0
	for i, line := range bytes.Split(data, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var e entry
		if err := json.Unmarshal(line, &e); err != nil || !e.valid() {
			if damaged == 0 {
				damaged = i + 1
			}
			continue
		}
		if damaged > 0 && e.Event != eventOpen {
			return h, fmt.Errorf("line %d of the journal is damaged; mend it by hand, nothing was sent", damaged)
		}
		damaged = 0
		if e.Event == eventOpen {
			h.service = e.Service
			continue
		}
		h.last[e.Name] = e
	}
	return h, nil
}

// valid reports whether an entry is one that this program writes.
func (e entry) valid() bool {
	switch e.Event {
	case eventOpen:
		return e.Service != ""
	case eventAbout, eventDone, eventNotCreated, eventUnknown, eventExists, eventResend:
		return e.Name != ""
	}
	return false
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
	h, err := readHistory(path)
	if err != nil {
		return nil, err
	}
	if h.service != "" && h.service != service {
		return nil, fmt.Errorf("the journal %s is of another service or account (%s, not %s); give another one with -journal", path, h.service, service)
	}
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		dir.Sync() // so that a new file survives a crash, on systems that can
		dir.Close()
	}
	return begin(file, h, service)
}

// begin ends an incomplete line and writes that a run begins.
func begin(file storage, h history, service string) (*journal, error) {
	j := &journal{history: h, file: file}
	if h.torn {
		if _, err := file.Write([]byte("\n")); err != nil {
			return nil, fmt.Errorf("the journal cannot be written: %w", err)
		}
	}
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

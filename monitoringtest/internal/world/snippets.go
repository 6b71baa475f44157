package world

import (
	"fmt"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// AddSnippet adds a snippet and returns its id, which is generated if it is 0. It refuses a second
// one with the same id, and a negative id.
func (w *World) AddSnippet(s monitoring.Snippet) (int64, error) {
	if err := w.VetSnippet(&s); err != nil {
		return 0, err
	}
	if s.ID == 0 {
		s.ID = w.snippetID()
	}
	if s.CreatedAt.IsZero() {
		s.CreatedAt = At(w.Clock.Now())
	}
	s.CreatedAt, s.UpdatedAt = asWritten(s.CreatedAt), asWrittenOrNil(s.UpdatedAt)
	w.Snippets = append(w.Snippets, s)
	return s.ID, nil
}

// VetSnippet returns the mistake in a snippet that a test adds.
func (w *World) VetSnippet(s *monitoring.Snippet) error {
	if s.ID < 0 || s.ID > 0 && w.Snippet(s.ID) != nil {
		return fmt.Errorf("the id of a snippet is %d, which is negative or of another snippet", s.ID)
	}
	return nil
}

// snippetID returns an id that no snippet has.
func (w *World) snippetID() int64 {
	id := w.ids.number("snippet")
	for w.Snippet(id) != nil { // a test has added it
		id = w.ids.number("snippet")
	}
	return id
}

// Snippet returns a snippet; nil if there is none with the id.
func (w *World) Snippet(id int64) *monitoring.Snippet {
	i := slices.IndexFunc(w.Snippets, func(s monitoring.Snippet) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &w.Snippets[i]
}

// CreateSnippet creates the snippet of a body.
func (w *World) CreateSnippet(sent Object, now time.Time) *monitoring.Snippet {
	w.Snippets = append(w.Snippets, monitoring.Snippet{
		ID: w.snippetID(), Name: sent.Text("name"), Script: sent.Text("script"), CreatedAt: At(now),
	})
	return &w.Snippets[len(w.Snippets)-1]
}

// UpdateSnippet gives a snippet the name and the script of a body.
func UpdateSnippet(s *monitoring.Snippet, sent Object, now time.Time) {
	s.Name, s.Script, s.UpdatedAt = sent.Text("name"), sent.Text("script"), new(At(now))
}

// DeleteSnippet deletes a snippet and reports whether there was one.
func (w *World) DeleteSnippet(id int64) bool {
	before := len(w.Snippets)
	w.Snippets = slices.DeleteFunc(w.Snippets, func(s monitoring.Snippet) bool { return s.ID == id })
	return len(w.Snippets) < before
}

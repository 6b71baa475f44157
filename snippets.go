package monitoring

import (
	"context"
	"fmt"
	"iter"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// Snippet is a script that API checks and check groups can run before and after their requests; see
// SetupSnippetID of [Check]. An update needs both Name and Script. For its methods, see [Check].
//
//monitoring:json
type Snippet struct {
	// ID is assigned by the service.
	ID int64 `json:"id,omitzero"`
	// Name and Script are required. Script is not a secret: keep secrets in variables.
	Name   string `json:"name,omitzero"`
	Script string `json:"script,omitzero"`

	// The service makes the fields below. They can only be read.

	CreatedAt Timestamp `json:"created_at,omitzero"`
	// UpdatedAt is nil until the snippet is updated.
	UpdatedAt *Timestamp `json:"updated_at,omitzero"`

	object `json:"-"`
}

var snippets = blueprint{
	what: "snippet", creates: "POST /v1/snippets", updates: "PUT /v1/snippets/{id}",
	id: "id", made: []string{"id", "created_at", "updated_at"}, needs: []string{"name", "script"},
}

func (s *Snippet) form() form {
	return form{blueprint: &snippets, key: keyOf(s.ID), fields: (*plainSnippet)(s)}
}

// plainSnippet has the fields of a snippet. Without the times of its changes it is still of use.
type plainSnippet Snippet

func (plainSnippet) oddMembers() []string { return []string{"created_at", "updated_at"} }

// Diff returns what you changed since it was read; see [Check.Diff].
func (s *Snippet) Diff() []Change { return diffOf(s) }

// DiffFrom returns what a write would change in now; see [Check.DiffFrom].
func (s *Snippet) DiffFrom(now *Snippet) []Change { return diffWith(s, now) }

// Omitted returns the fields that an update leaves out; see [Check.Omitted].
func (s *Snippet) Omitted() []string { return leftOut(s) }

// SetFrom copies the fields that desired sets; see [Check.SetFrom].
func (s *Snippet) SetFrom(desired *Snippet) error { return setFrom(s, desired) }

// Template returns a copy of the snippet to create, without id and times.
func (s *Snippet) Template() *Snippet { return template(s).(*Snippet) }

// Clone returns a deep copy.
func (s *Snippet) Clone() *Snippet { return clone(s).(*Snippet) }

// Validate checks the snippet as Create or Update would; see [Check.Validate].
func (s *Snippet) Validate() error { return validateObject(s) }

// String returns the name and id of the snippet.
func (s Snippet) String() string { return lineOf(&s, s.Name) }

// Format prints String, or for %+v the JSON.
func (s Snippet) Format(f fmt.State, verb rune) { formatObject(f, verb, s) }

func (s *Snippet) read(data []byte) error { return readFields((*plainSnippet)(s), data) }

// SnippetsService creates, reads, changes and deletes snippets.
type SnippetsService service

func snippetLister(s *SnippetsService, opts []CallOption) *lister {
	return listOf((*service)(s), op("GET /v1/snippets"), itemsOf(func(s *Snippet) string { return numberID(s.ID) }), opts)
}

// List returns a page of snippets (GET /v1/snippets).
func (s *SnippetsService) List(ctx context.Context, options ListOptions, opts ...CallOption) (*Page[Snippet], error) {
	return list[Snippet](ctx, snippetLister(s, opts), options)
}

// All iterates over snippets.
func (s *SnippetsService) All(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[Snippet, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [SnippetsService.All].
func (s *SnippetsService) Pages(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[*Page[Snippet], error] {
	return pages[Snippet](ctx, snippetLister(s, opts), options)
}

// Get returns a snippet (GET /v1/snippets/{id}).
func (s *SnippetsService) Get(ctx context.Context, id int64, opts ...CallOption) (*Snippet, error) {
	return call[Snippet](ctx, (*service)(s), op("GET /v1/snippets/{id}", route.Number(id)).is("id"), opts)
}

// Find returns the snippet with exactly this name (GET /v1/snippets); see [ChecksService.Find].
func (s *SnippetsService) Find(ctx context.Context, name string, opts ...CallOption) (*Snippet, error) {
	found, err := named(s.Pages(ctx, ListOptions{}, opts...), name, 0, func(one *Snippet) (string, item[Snippet]) {
		return one.Name, item[Snippet]{id: numberID(one.ID), value: one}
	})
	return theOne(found, err, "snippet", name, opts, (*service)(s))
}

// Create creates a snippet (POST /v1/snippets); see [ChecksService.Create].
func (s *SnippetsService) Create(ctx context.Context, snippet *Snippet, opts ...CallOption) (*Snippet, error) {
	return createObject(ctx, (*service)(s), snippet, opts)
}

// Update writes a snippet and returns its new state (PUT /v1/snippets/{id}); see
// [ChecksService.Update].
func (s *SnippetsService) Update(ctx context.Context, snippet *Snippet, opts ...CallOption) (*Snippet, error) {
	return updateObject(snippet, func() *place { return s.at(ctx, snippet.ID) }, opts)
}

// Edit reads a snippet, passes it to edit, and writes what edit changed (GET /v1/snippets/{id},
// then PUT /v1/snippets/{id}); see [ChecksService.Edit].
func (s *SnippetsService) Edit(ctx context.Context, id int64, edit func(*Snippet) error, opts ...CallOption) (*Snippet, error) {
	return editObjectAt(s.at(ctx, id), edit, opts)
}

func (s *SnippetsService) at(ctx context.Context, id int64) *place {
	return placeOf(ctx, (*service)(s), snippets.what, id, func(opts []CallOption) (*Snippet, error) { return s.Get(ctx, id, opts...) })
}

// Delete permanently deletes a snippet (DELETE /v1/snippets/{id}). Checks and groups that use it
// run without it.
func (s *SnippetsService) Delete(ctx context.Context, id int64, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/snippets/{id}", route.Number(id)), opts)
}

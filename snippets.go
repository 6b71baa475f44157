package monitoring

import (
	"bytes"
	"context"
	"iter"

	"github.com/monitoring-api/monitoring-go/internal/route"
)

// Snippet is a script that API checks and check groups can run before and after their requests;
// see SetupSnippetID and TearDownSnippetID of a [CheckGroup].
//
// A snippet that was read keeps the JSON that it was read from, without showing it.
// [Snippet.ToUpdate] and [json.Marshal] write unchanged members as they were read.
type Snippet struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// Script is a text, not a secret: values that must stay secret belong in variables.
	Script    string    `json:"script"`
	CreatedAt Timestamp `json:"created_at,omitzero"`
	// UpdatedAt is nil if the snippet was not changed since it was created.
	UpdatedAt *Timestamp `json:"updated_at"`

	kept `json:"-"`
}

// UnmarshalJSON reads the snippet and keeps a copy of the JSON.
func (s *Snippet) UnmarshalJSON(data []byte) error { return s.read(bytes.Clone(data)) }

func (s *Snippet) read(data []byte) error { return keeping.Read((*plainSnippet)(s), data) }

// MarshalJSON writes the snippet. A snippet that was read is written as it was read, with what has
// changed since.
func (s Snippet) MarshalJSON() ([]byte, error) { return keeping.Marshal(&s, (*plainSnippet)(&s)) }

// plainSnippet has the fields of a snippet. Without the times of its changes it is still of use.
type plainSnippet Snippet

func (plainSnippet) oddMembers() []string { return []string{"created_at", "updated_at"} }

// SnippetCreate is the request of [SnippetsService.Create]. Both fields are required.
type SnippetCreate struct {
	Name   string `json:"name"`
	Script string `json:"script"`
}

// Validate returns the [*ValidationError] that [SnippetsService.Create] would return, and nil if
// there is none. Nothing is sent.
func (c SnippetCreate) Validate() error { return validateBody("POST /v1/snippets", c) }

func (SnippetCreate) validate(*violations) {}

// SnippetUpdate is the request of [SnippetsService.Update]. It is not a patch: both fields are
// required, even to change only one of them. [Snippet.ToUpdate] fills them.
type SnippetUpdate struct {
	Name   string `json:"name"`
	Script string `json:"script"`

	origin `json:"-"`
}

// Validate returns the [*ValidationError] that [SnippetsService.Update] would return, and nil if
// there is none. Nothing is sent.
func (u SnippetUpdate) Validate() error { return validateUpdate(&u) }

// ToUpdate returns the update that writes the snippet back as it was read, for
// [SnippetsService.Update]. Members that this package does not know are not sent: see
// [SnippetUpdate.Withheld].
func (s Snippet) ToUpdate() SnippetUpdate { return toUpdate[SnippetUpdate](&s) }

// Withheld returns the members of the snippet that the update leaves out, because this package does
// not know them; see [CheckGroupUpdate.Withheld].
func (u SnippetUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make to the snippet that was read; see
// [CheckGroupUpdate.Diff].
func (u SnippetUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffFrom returns the changes that the update would make to a snippet that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u SnippetUpdate) DiffFrom(s *Snippet) []Change { return diffFrom(&u, s) }

// MarshalJSON writes the body that would be sent. [MarshalWithSecrets] also writes what the update
// was made from, for [SnippetsService.Apply].
func (u SnippetUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *SnippetUpdate) UnmarshalJSON(data []byte) error { return readUpdate[Snippet](u, data) }

func (u *SnippetUpdate) writeBack() *writeBack {
	type plain SnippetUpdate
	return writeBackOf[Snippet](u, "PUT /v1/snippets/{id}", (*plain)(u), nil)
}

// SnippetsService lists, reads, creates, updates and deletes snippets.
type SnippetsService service

func snippetLister(s *SnippetsService, opts []CallOption) *lister {
	return listOf((*service)(s), op("GET /v1/snippets"), itemsOf(func(s *Snippet) string { return numberID(s.ID) }), opts)
}

// List returns a page of snippets (GET /v1/snippets).
func (s *SnippetsService) List(ctx context.Context, options ListOptions, opts ...CallOption) (*Page[Snippet], error) {
	return list[Snippet](ctx, snippetLister(s, opts), options)
}

// All iterates over the snippets. The section Lists of the package documentation says what it
// guarantees.
func (s *SnippetsService) All(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[Snippet, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [SnippetsService.All] page by page; see [VariablesService.Pages].
func (s *SnippetsService) Pages(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[*Page[Snippet], error] {
	return pages[Snippet](ctx, snippetLister(s, opts), options)
}

// Get returns a snippet (GET /v1/snippets/{id}). The id must be positive. The error is
// [ErrNotFound] if there is no such snippet.
func (s *SnippetsService) Get(ctx context.Context, id int64, opts ...CallOption) (*Snippet, error) {
	return call[Snippet](ctx, (*service)(s), op("GET /v1/snippets/{id}", route.Number(id)).is("id"), opts)
}

// Create creates a snippet (POST /v1/snippets). It is retried only if the service certainly did not
// carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: look for the snippet
// by its name before you create it again.
func (s *SnippetsService) Create(ctx context.Context, snippet SnippetCreate, opts ...CallOption) (*Snippet, error) {
	return call[Snippet](ctx, (*service)(s), op("POST /v1/snippets").is("id").sends(snippet), opts)
}

// Update replaces the name and the script of a snippet (PUT /v1/snippets/{id}) and returns the
// updated snippet. The id must be positive. The error is [ErrNotFound] if there is no such snippet.
// [SnippetsService.Edit] reads, changes and writes in one call.
func (s *SnippetsService) Update(ctx context.Context, id int64, update SnippetUpdate, opts ...CallOption) (*Snippet, error) {
	return call[Snippet](ctx, (*service)(s), op("PUT /v1/snippets/{id}", route.Number(id)).is("id").sends(&update), opts)
}

// Edit reads a snippet, lets a function change its update, and writes it (GET /v1/snippets/{id},
// then PUT /v1/snippets/{id}). If the function changes nothing, nothing is written. See
// [CheckGroupsService.Edit] for details.
func (s *SnippetsService) Edit(ctx context.Context, id int64, edit func(*SnippetUpdate) error, opts ...CallOption) (*Snippet, error) {
	return editObject[Snippet](remoteSnippet(ctx, s, id), edit, opts)
}

// Apply writes an update of a snippet that was made earlier, if the snippet has not changed since
// (GET /v1/snippets/{id}, then PUT /v1/snippets/{id}); see [CheckGroupsService.Apply].
func (s *SnippetsService) Apply(ctx context.Context, id int64, update SnippetUpdate, opts ...CallOption) (*Snippet, error) {
	return applyObject[Snippet](remoteSnippet(ctx, s, id), update, opts)
}

func remoteSnippet(ctx context.Context, s *SnippetsService, id int64) remote {
	return remoteObject(ctx, (*service)(s), "snippet", id, s.Get, s.Update)
}

// Delete permanently deletes a snippet (DELETE /v1/snippets/{id}). Checks and groups that use it
// run without it. The id must be positive. If the response to an attempt was lost and the retry
// gets a 404, the deletion has succeeded.
func (s *SnippetsService) Delete(ctx context.Context, id int64, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/snippets/{id}", route.Number(id)), opts)
}

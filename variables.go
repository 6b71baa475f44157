package monitoring

import (
	"context"
	"fmt"
	"iter"
)

// VariableListOptions selects a page of variables.
type VariableListOptions struct {
	ListOptions
}

// Validate returns the [*ValidationError] that [VariablesService.List] would return, and
// nil if there is none. Nothing is sent.
func (o VariableListOptions) Validate() error {
	return validateQuery("GET /v1/variables", o.ListOptions)
}

var variables = blueprint{
	what: "variable", creates: "POST /v1/variables", updates: "PUT /v1/variables/{key}",
	id: "key", made: []string{"key"}, needs: []string{"value", "locked", "secret"},
}

func (v *EnvironmentVariable) form() form {
	f := form{blueprint: &variables, key: v.Key, fields: (*plainVariable)(v)}
	if v.isWithheld() && !v.Value.IsWithheld() {
		withheld := plainVariable(*v)
		withheld.Value = Secret{}
		f.fields, f.store = &withheld, func() { *v = EnvironmentVariable(withheld) }
	}
	return f
}

// Diff returns what has changed since the client returned the variable; see [Check.Diff].
func (v *EnvironmentVariable) Diff() []Change { return diffOf(v) }

// DiffFrom returns what writing the variable would change of another one; see [Check.DiffFrom].
func (v *EnvironmentVariable) DiffFrom(now *EnvironmentVariable) []Change { return diffWith(v, now) }

// Omitted returns the members that an update leaves out: a withheld value, and members that this
// package does not know; see [Check.Omitted].
func (v *EnvironmentVariable) Omitted() []string { return leftOut(v) }

// SetFrom gives the variable what another one has, such as one of a file; see [Check.SetFrom]. The
// Key is not set, and a withheld value is not either.
func (v *EnvironmentVariable) SetFrom(wish *EnvironmentVariable) error { return setFrom(v, wish) }

// Template returns a copy to create. A withheld value is withheld in it, too: Create refuses it
// until you set it.
func (v *EnvironmentVariable) Template() *EnvironmentVariable {
	return template(v).(*EnvironmentVariable)
}

// Clone returns a copy that shares nothing with the variable.
func (v *EnvironmentVariable) Clone() *EnvironmentVariable { return clone(v).(*EnvironmentVariable) }

// Validate returns the [*ValidationError] that [VariablesService.Create] would return for a
// variable of your own, and [VariablesService.Update] for one that the client has returned. It is
// nil if there is none. Nothing is sent.
func (v *EnvironmentVariable) Validate() error { return validateObject(v) }

// String returns what it is, and the key.
func (v EnvironmentVariable) String() string { return lineOf(&v, v.Key) }

// Format prints String, and with %+v the JSON with secrets masked.
func (v EnvironmentVariable) Format(f fmt.State, verb rune) { formatObject(f, verb, v) }

// MarshalJSON writes the variable. One that was read is written as it was read, with what has
// changed since; the value is null. [MarshalWithSecrets] writes it, too.
func (v EnvironmentVariable) MarshalJSON() ([]byte, error) {
	return keeping.Marshal(&v, (*plainVariable)(&v))
}

// VariablesService lists, reads, creates, updates and deletes the environment variables of the
// account.
type VariablesService service

func variableLister(s *VariablesService, opts []CallOption) *lister {
	return listOf((*service)(s), op("GET /v1/variables"), itemsOf(func(v *EnvironmentVariable) string { return v.Key }), opts)
}

// List returns a page of variables (GET /v1/variables). The value of a secret variable is
// withheld; see [Secret].
func (s *VariablesService) List(ctx context.Context, options VariableListOptions, opts ...CallOption) (*Page[EnvironmentVariable], error) {
	return list[EnvironmentVariable](ctx, variableLister(s, opts), options.ListOptions)
}

// All iterates over the variables of all pages, from options.Page on. The section Lists of the
// package documentation says what an iteration guarantees.
func (s *VariablesService) All(ctx context.Context, options VariableListOptions, opts ...CallOption) iter.Seq2[EnvironmentVariable, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [VariablesService.All] page by page. A page with items that cannot be decoded is
// yielded together with an error, which has an [*ItemError] for each of them; the loop may go
// on. An error without a page ends the iteration.
func (s *VariablesService) Pages(
	ctx context.Context, options VariableListOptions, opts ...CallOption,
) iter.Seq2[*Page[EnvironmentVariable], error] {
	return pages[EnvironmentVariable](ctx, variableLister(s, opts), options.ListOptions)
}

// Create creates a variable (POST /v1/variables). The response also contains the value of a secret
// variable, as a [Secret]. The error is [ErrConflict] if there is a variable with this key. It is
// retried only if the service certainly did not carry it out. Otherwise the error of a lost
// response is [ErrOutcomeUnknown]: Get tells whether the variable is there.
func (s *VariablesService) Create(ctx context.Context, variable *EnvironmentVariable, opts ...CallOption) (*EnvironmentVariable, error) {
	return createObject(ctx, (*service)(s), variable, opts)
}

// Get returns a variable (GET /v1/variables/{key}). The value of a secret variable is withheld; see
// [Secret]. The error is [ErrNotFound] if there is no such variable.
func (s *VariablesService) Get(ctx context.Context, key string, opts ...CallOption) (*EnvironmentVariable, error) {
	return call[EnvironmentVariable](ctx, (*service)(s), op("GET /v1/variables/{key}", key).is("key"), opts)
}

// Update writes a variable and returns it as it is then (PUT /v1/variables/{key}). The response
// also contains the value of a secret variable, as a [Secret]. If the client has returned it and
// nothing has changed, nothing is sent. The error is [ErrNotFound] if there is no such variable.
// See [ChecksService.Update].
func (s *VariablesService) Update(ctx context.Context, variable *EnvironmentVariable, opts ...CallOption) (*EnvironmentVariable, error) {
	return updateObject(variable, func() *place { return s.at(ctx, variable.Key) }, opts)
}

// Edit reads a variable, lets a function change it, and writes what has changed (GET
// /v1/variables/{key}, then PUT /v1/variables/{key}); see [ChecksService.Edit]. The function must
// set the value of a secret variable, because the service withholds it and needs it in each update.
func (s *VariablesService) Edit(
	ctx context.Context, key string, edit func(*EnvironmentVariable) error, opts ...CallOption,
) (*EnvironmentVariable, error) {
	return editObjectAt(s.at(ctx, key), edit, opts)
}

func (s *VariablesService) at(ctx context.Context, key string) *place {
	return placeOf(ctx, (*service)(s), variables.what, key,
		func(opts []CallOption) (*EnvironmentVariable, error) { return s.Get(ctx, key, opts...) })
}

// Delete permanently deletes a variable with its value (DELETE /v1/variables/{key}). Checks that
// use it run without it. The error is [ErrNotFound] if there is no such variable. If the response
// to an attempt was lost and the retry gets a 404, the deletion has succeeded.
func (s *VariablesService) Delete(ctx context.Context, key string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/variables/{key}", key), opts)
}

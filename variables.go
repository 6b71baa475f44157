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

// Validate checks the options as [VariablesService.List] does.
func (o VariableListOptions) Validate() error {
	return validateQuery("GET /v1/variables", o.ListOptions)
}

var variables = blueprint{
	what: "variable", creates: "POST /v1/variables", updates: "PUT /v1/variables/{key}",
	id: "key", made: []string{"key"}, needs: []string{"locked", "secret"},
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

// Diff returns what you changed since it was read; see [Check.Diff].
func (v *EnvironmentVariable) Diff() []Change { return diffOf(v) }

// DiffFrom returns what a write would change in now; see [Check.DiffFrom].
func (v *EnvironmentVariable) DiffFrom(now *EnvironmentVariable) []Change { return diffWith(v, now) }

// Omitted returns the fields that an update leaves out; see [Check.Omitted].
func (v *EnvironmentVariable) Omitted() []string { return leftOut(v) }

// SetFrom copies the fields that desired sets into the variable, except for Key and a withheld
// value; see [Check.SetFrom].
func (v *EnvironmentVariable) SetFrom(desired *EnvironmentVariable) error { return setFrom(v, desired) }

// Template returns a copy to create, which needs a value if that is withheld.
func (v *EnvironmentVariable) Template() *EnvironmentVariable {
	return template(v).(*EnvironmentVariable)
}

// Clone returns a deep copy.
func (v *EnvironmentVariable) Clone() *EnvironmentVariable { return clone(v).(*EnvironmentVariable) }

// Validate checks the variable as Create or Update would; see [Check.Validate].
func (v *EnvironmentVariable) Validate() error { return validateObject(v) }

// String returns the key of the variable.
func (v EnvironmentVariable) String() string { return lineOf(&v, v.Key) }

// Format prints String, or for %+v the JSON with the value masked.
func (v EnvironmentVariable) Format(f fmt.State, verb rune) { formatObject(f, verb, v) }

// VariablesService creates, reads, changes and deletes the environment variables of the account.
// The value of a secret variable is withheld, except in the response to a create or update; see
// [Secret].
type VariablesService service

func variableLister(s *VariablesService, opts []CallOption) *lister {
	return listOf((*service)(s), op("GET /v1/variables"), itemsOf(func(v *EnvironmentVariable) string { return v.Key }), opts)
}

// List returns a page of variables (GET /v1/variables).
func (s *VariablesService) List(ctx context.Context, options VariableListOptions, opts ...CallOption) (*Page[EnvironmentVariable], error) {
	return list[EnvironmentVariable](ctx, variableLister(s, opts), options.ListOptions)
}

// All iterates over variables.
func (s *VariablesService) All(ctx context.Context, options VariableListOptions, opts ...CallOption) iter.Seq2[EnvironmentVariable, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [VariablesService.All].
func (s *VariablesService) Pages(
	ctx context.Context, options VariableListOptions, opts ...CallOption,
) iter.Seq2[*Page[EnvironmentVariable], error] {
	return pages[EnvironmentVariable](ctx, variableLister(s, opts), options.ListOptions)
}

// Create creates a variable (POST /v1/variables). It returns [ErrConflict] if one with the key
// exists. After [ErrOutcomeUnknown], call Get to see whether the variable exists.
func (s *VariablesService) Create(ctx context.Context, variable *EnvironmentVariable, opts ...CallOption) (*EnvironmentVariable, error) {
	return createObject(ctx, (*service)(s), variable, opts)
}

// Get returns a variable (GET /v1/variables/{key}).
func (s *VariablesService) Get(ctx context.Context, key string, opts ...CallOption) (*EnvironmentVariable, error) {
	return call[EnvironmentVariable](ctx, (*service)(s), op("GET /v1/variables/{key}", key).is("key"), opts)
}

// Update writes a variable and returns its new state (PUT /v1/variables/{key}); see
// [ChecksService.Update].
func (s *VariablesService) Update(ctx context.Context, variable *EnvironmentVariable, opts ...CallOption) (*EnvironmentVariable, error) {
	return updateObject(variable, func() *place { return s.at(ctx, variable.Key) }, opts)
}

// Edit reads a variable, passes it to edit, and writes what edit changed (GET /v1/variables/{key},
// then PUT /v1/variables/{key}); see [ChecksService.Edit]. edit must set the value of a secret
// variable, because the service withholds it, and needs it in each update.
func (s *VariablesService) Edit(
	ctx context.Context, key string, edit func(*EnvironmentVariable) error, opts ...CallOption,
) (*EnvironmentVariable, error) {
	return editObjectAt(s.at(ctx, key), edit, opts)
}

func (s *VariablesService) at(ctx context.Context, key string) *place {
	return placeOf(ctx, (*service)(s), variables.what, key,
		func(opts []CallOption) (*EnvironmentVariable, error) { return s.Get(ctx, key, opts...) })
}

// Delete permanently deletes a variable and its value (DELETE /v1/variables/{key}). Checks that use
// it run without it.
func (s *VariablesService) Delete(ctx context.Context, key string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/variables/{key}", key), opts)
}

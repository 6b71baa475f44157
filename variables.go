package monitoring

import (
	"context"
	"iter"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/route"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/updates"
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

// ToUpdate returns the update of a variable of the account with its value and both flags. A secret
// value is withheld: give the update another one with [NewSecret], or it is a [*ValidationError].
func (v EnvironmentVariable) ToUpdate() VariableUpdate {
	u := VariableUpdate{Value: v.Value, Locked: new(isTrue(v.Locked)), Secret: new(isTrue(v.Secret))}
	if made, err := keeping.Encode(&u); err == nil { // always
		u.kept = keep.New(made.JSON)
	}
	return u
}

// VariableCreate is the request of [VariablesService.Create].
type VariableCreate struct {
	// Key is required. It cannot be changed after creation. It may be any text of at most 1,024 bytes
	// in which no part between slashes is "." or "..", because no path can have these.
	Key string `json:"key"`
	// Value is required. It may be empty, NewSecret("").
	Value Secret `json:"value"`
	// Locked hides the value in the UI like a password; the default is false.
	Locked *bool `json:"locked,omitempty"`
	// Secret makes the service withhold the value from then on; it cannot be turned off again.
	// The default is false.
	Secret *bool `json:"secret,omitempty"`
}

// Validate returns the [*ValidationError] that [VariablesService.Create] would return, and nil if
// there is none. Nothing is sent.
func (v VariableCreate) Validate() error { return validateBody("POST /v1/variables", v) }

// validate refuses a key that the other operations could not name.
func (v VariableCreate) validate(broken *violations) {
	if reason := route.BadKey(v.Key); v.Key != "" && reason != "" {
		broken.always("key", "%s", reason)
	}
}

// VariableUpdate is the request of [VariablesService.Update]. All fields are required, even to
// change only one of them: the service has no partial update. [EnvironmentVariable.ToUpdate] fills
// them.
type VariableUpdate struct {
	// Value is the new value, at least one character: the service does not accept an empty one.
	Value Secret `json:"value"`
	// Locked and Secret are as in [VariableCreate]. A nil one is a [*ValidationError], because the
	// service takes an absent flag for false, which may unlock the variable. A secret variable
	// stays secret.
	Locked *bool `json:"locked,omitempty"`
	Secret *bool `json:"secret,omitempty"`

	origin `json:"-"`
}

// Validate returns the [*ValidationError] that [VariablesService.Update] would return, and nil if
// there is none. Nothing is sent.
func (u VariableUpdate) Validate() error { return validateUpdate(&u) }

func (u *VariableUpdate) validate(v *violations) {
	if keep.Of(u.kept) != nil {
		return
	}
	const absent = "is required: the service takes an absent one for false"
	if u.Locked == nil {
		v.always("locked", absent)
	}
	if u.Secret == nil {
		v.always("secret", absent)
	}
}

// writeBack is made from what ToUpdate filled in, because a variable may not have both flags.
func (u *VariableUpdate) writeBack() *writeBack {
	type plain VariableUpdate
	w := &writeBack{operation: "PUT /v1/variables/{key}", from: &u.origin, auto: new(*bool), Update: u.update}
	if w.Update == nil {
		read := keep.Of(u.kept)
		w.Update = &updates.Update{
			Types: keeping, Plans: &plans, Node: schema.Lookup(w.operation).Body, Fields: (*plain)(u), Object: reflect.TypeFor[plain](), Read: read,
			AsRead: func() any {
				was := new(plain)
				if unmarshal(read, was) != nil {
					return nil // does not happen: the same JSON was written by ToUpdate
				}
				return was
			},
		}
	}
	return w
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
func (s *VariablesService) Create(ctx context.Context, variable VariableCreate, opts ...CallOption) (*EnvironmentVariable, error) {
	return call[EnvironmentVariable](ctx, (*service)(s), op("POST /v1/variables").is("key").isAbout("key", variable.Key).sends(variable), opts)
}

// Get returns a variable (GET /v1/variables/{key}). The value of a secret variable is withheld; see
// [Secret]. The error is [ErrNotFound] if there is no such variable.
func (s *VariablesService) Get(ctx context.Context, key string, opts ...CallOption) (*EnvironmentVariable, error) {
	return call[EnvironmentVariable](ctx, (*service)(s), op("GET /v1/variables/{key}", key).is("key"), opts)
}

// Update sets the value and the flags of a variable (PUT /v1/variables/{key}); see
// [VariableUpdate]. The response also contains the value of a secret variable, as a [Secret]. The
// error is [ErrNotFound] if there is no such variable.
func (s *VariablesService) Update(
	ctx context.Context, key string, update VariableUpdate, opts ...CallOption,
) (*EnvironmentVariable, error) {
	return call[EnvironmentVariable](ctx, (*service)(s), op("PUT /v1/variables/{key}", key).is("key").
		sends(&update), opts)
}

// Delete permanently deletes a variable with its value (DELETE /v1/variables/{key}). Checks that
// use it run without it. The error is [ErrNotFound] if there is no such variable. If the response
// to an attempt was lost and the retry gets a 404, the deletion has succeeded.
func (s *VariablesService) Delete(ctx context.Context, key string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/variables/{key}", key), opts)
}

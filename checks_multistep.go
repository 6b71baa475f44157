package monitoring

import (
	"bytes"
	"context"
)

// MultiStepCheckCreate is the request of [ChecksService.CreateMultiStep]. Only Name and Script are
// required. For fields that are left out (nil, or the zero [Nullable]) the service uses its
// default.
type MultiStepCheckCreate struct {
	CheckSettings
	// Script, ScriptPath, Dependencies, EnvironmentVariables and Frequency are as in
	// [BrowserCheckCreate].
	Script               Nullable[string]      `json:"script"`
	ScriptPath           Nullable[string]      `json:"scriptPath,omitzero"`
	Dependencies         []Dependency          `json:"dependencies,omitzero"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`
	Frequency            *int                  `json:"frequency,omitempty"`
}

// MultiStepCheckUpdate is the request of [ChecksService.UpdateMultiStep]. The service changes the
// fields that are sent and keeps the others. Nothing is required. In an update of your own, nil and
// the zero [Nullable] leave a field out, and null unsets it. An empty list that is not nil clears a
// list. [CheckGroup.ToUpdate] says what they mean in an update that [MultiStepCheck.ToUpdate] made.
type MultiStepCheckUpdate struct {
	CheckSettings
	// Script, ScriptPath, Dependencies, EnvironmentVariables and Frequency are as in
	// [BrowserCheckUpdate].
	Script               Nullable[string]      `json:"script,omitzero"`
	ScriptPath           Nullable[string]      `json:"scriptPath,omitzero"`
	Dependencies         []Dependency          `json:"dependencies,omitzero"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`
	Frequency            *int                  `json:"frequency,omitempty"`

	origin `json:"-"`
}

// MultiStepCheck is a check that runs a script with several requests.
type MultiStepCheck struct {
	CheckCommon
	MultiStepForm

	kept `json:"-"`
}

// AsMultiStep returns the check as a multi-step check, and whether it is one; see [Check.AsAPI].
func (c Check) AsMultiStep() (*MultiStepCheck, bool) {
	if c.MultiStep == nil {
		return nil, false
	}
	return &MultiStepCheck{c.CheckCommon, *c.MultiStep, c.kept}, true
}

// CreateMultiStep creates a multi-step check (POST /v1/checks/multistep). It is retried only if the
// service certainly did not carry it out. Otherwise the error of a lost response is
// [ErrOutcomeUnknown]: look for the check before you create it again, as [WithLookAgain] does.
// [ErrPaymentRequired] means that the plan allows no more checks.
func (s *ChecksService) CreateMultiStep(ctx context.Context, check MultiStepCheckCreate, opts ...CallOption) (*MultiStepCheck, error) {
	creates := op("POST /v1/checks/multistep").assigns(check.AutoAssignAlerts).sends(check)
	return createCheck[MultiStepCheck](ctx, s, creates, CheckTypeMultiStep, opts)
}

// UpdateMultiStep changes a multi-step check (PUT /v1/checks/multistep/{id}) and returns the
// updated check. Fields that are left out keep their values. The error is [ErrNotFound] if there is
// no such check. [ChecksService.EditMultiStep] reads, changes and writes in one call.
func (s *ChecksService) UpdateMultiStep(
	ctx context.Context, id string, update MultiStepCheckUpdate, opts ...CallOption,
) (*MultiStepCheck, error) {
	return call[MultiStepCheck](ctx, (*service)(s), op("PUT /v1/checks/multistep/{id}", id).isCheck(CheckTypeMultiStep).
		assigns(update.AutoAssignAlerts).sends(&update), opts)
}

// EditMultiStep reads a multi-step check, lets a function change its update, and sends what that
// changes (GET /v1/checks/{id}, then PUT /v1/checks/multistep/{id}). The service keeps the rest. If
// nothing changes, nothing is sent. A check of another kind is an error, and the function is not
// called. See [CheckGroupsService.Edit] for details.
func (s *ChecksService) EditMultiStep(
	ctx context.Context, id string, edit func(*MultiStepCheckUpdate) error, opts ...CallOption,
) (*MultiStepCheck, error) {
	return editObject[MultiStepCheck](remoteCheck(ctx, s, id, s.UpdateMultiStep), edit, opts)
}

// ApplyMultiStep writes an update of a multi-step check that was made earlier, if the check has not
// changed since (GET /v1/checks/{id}, then PUT /v1/checks/multistep/{id}); see
// [CheckGroupsService.Apply].
func (s *ChecksService) ApplyMultiStep(
	ctx context.Context, id string, update MultiStepCheckUpdate, opts ...CallOption,
) (*MultiStepCheck, error) {
	return applyObject[MultiStepCheck](remoteCheck(ctx, s, id, s.UpdateMultiStep), update, opts)
}

// Validate returns the [*ValidationError] that [ChecksService.CreateMultiStep] would return, and
// nil if there is none. Nothing is sent.
func (c MultiStepCheckCreate) Validate() error { return validateBody("POST /v1/checks/multistep", c) }

func (c MultiStepCheckCreate) validate(v *violations) { v.needScript(c.Script) }

// ToUpdate returns the update that writes the check back as it was read. Change the update, or the
// check before, and pass the update to [ChecksService.UpdateMultiStep]; see
// [BrowserCheck.ToUpdate].
func (c MultiStepCheck) ToUpdate() MultiStepCheckUpdate { return toUpdate[MultiStepCheckUpdate](&c) }

// ToCreate returns the create that makes an equal check; see [CheckGroup.ToCreate].
func (c MultiStepCheck) ToCreate() MultiStepCheckCreate {
	return toCreate[MultiStepCheckCreate](&c, "POST /v1/checks/multistep")
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *MultiStepCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *MultiStepCheck) read(data []byte) error {
	return readCheck((*multiStepCheck)(c), data)
}

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c MultiStepCheck) MarshalJSON() ([]byte, error) {
	return keeping.Marshal(&c, (*multiStepCheck)(&c))
}

// Set gives the update what a create has; see [CheckGroupUpdate.Set].
func (u *MultiStepCheckUpdate) Set(wish MultiStepCheckCreate) { setFields(u, &wish) }

// Validate returns the [*ValidationError] that [ChecksService.UpdateMultiStep] would return, and
// nil if there is none. Nothing is sent.
func (u MultiStepCheckUpdate) Validate() error { return validateUpdate(&u) }

// SetVariable adds or sets a variable; see [CheckGroupUpdate.SetVariable].
func (u *MultiStepCheckUpdate) SetVariable(v EnvironmentVariable) error {
	return setVariable(u, &u.EnvironmentVariables, v)
}

// RemoveVariable removes a variable; see [CheckGroupUpdate.RemoveVariable].
func (u *MultiStepCheckUpdate) RemoveVariable(key string) error {
	return removeVariable(u, &u.EnvironmentVariables, key)
}

// Withheld returns the members of the check that the update leaves out, although the check that was
// read had them; see [BrowserCheckUpdate.Withheld].
func (u MultiStepCheckUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make; see [CheckGroupUpdate.Diff].
func (u MultiStepCheckUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffWithValues returns the changes with values of variables; see
// [CheckGroupUpdate.DiffWithValues].
func (u MultiStepCheckUpdate) DiffWithValues() []Change { return changesOf(u.writeBack().Diff(true)) }

// DiffFrom returns the changes that the update would make to a check that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u MultiStepCheckUpdate) DiffFrom(c *MultiStepCheck) []Change { return diffFrom(&u, c) }

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u MultiStepCheckUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *MultiStepCheckUpdate) UnmarshalJSON(data []byte) error {
	return readUpdate[MultiStepCheck](u, data)
}

func (u *MultiStepCheckUpdate) writeBack() *writeBack {
	type plain MultiStepCheckUpdate
	return writeBackOf[MultiStepCheck](u, "PUT /v1/checks/multistep/{id}", (*plain)(u), &u.AutoAssignAlerts).ofCheck(CheckTypeMultiStep)
}

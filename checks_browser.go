package monitoring

import (
	"bytes"
	"context"
)

// BrowserCheckCreate is the request of [ChecksService.CreateBrowser]. Only Name and Script are
// required. For fields that are left out (nil, or the zero [Nullable]) the service uses its
// default.
type BrowserCheckCreate struct {
	CheckSettings
	// Script is the script that the check runs; null creates the check without one. It must not be
	// empty.
	Script Nullable[string] `json:"script"`
	// ScriptPath is the path of the script in the runtime; null is none.
	ScriptPath Nullable[string] `json:"scriptPath,omitzero"`
	// Dependencies are the files that the script needs.
	Dependencies []Dependency `json:"dependencies,omitzero"`
	// SSLCheckDomain is the domain whose certificate is checked; null is none.
	SSLCheckDomain Nullable[string] `json:"sslCheckDomain,omitzero"`
	// EnvironmentVariables are the check's variables: at most 200, on older services 100.
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`

	// Frequency is in minutes: 1, 2, 5, 10 (the default), 15, 30, 60, 120, 180, 360, 720 or 1440.
	Frequency *int `json:"frequency,omitempty"`
}

// BrowserCheckUpdate is the request of [ChecksService.UpdateBrowser]. The service changes the
// fields that are sent and keeps the others. Nothing is required. In an update of your own, nil and
// the zero [Nullable] leave a field out, and null unsets it. An empty list that is not nil clears a
// list. [CheckGroup.ToUpdate] says what they mean in an update that [BrowserCheck.ToUpdate] made.
type BrowserCheckUpdate struct {
	CheckSettings
	// Script is the script that the check runs, and ScriptPath its path in the runtime.
	Script     Nullable[string] `json:"script,omitzero"`
	ScriptPath Nullable[string] `json:"scriptPath,omitzero"`
	// Dependencies replaces the files that the script needs.
	Dependencies []Dependency `json:"dependencies,omitzero"`
	// SSLCheckDomain is the domain whose certificate is checked.
	SSLCheckDomain Nullable[string] `json:"sslCheckDomain,omitzero"`
	// EnvironmentVariables replaces the check's variables: at most 200, on older services 100.
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`

	// Frequency is in minutes: 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720 or 1440.
	Frequency *int `json:"frequency,omitempty"`

	origin `json:"-"`
}

// BrowserCheck is a check that runs a script in a browser.
type BrowserCheck struct {
	CheckCommon
	BrowserForm

	kept `json:"-"`
}

// AsBrowser returns the check as a browser check, and whether it is one; see [Check.AsAPI].
func (c Check) AsBrowser() (*BrowserCheck, bool) {
	if c.Browser == nil {
		return nil, false
	}
	return &BrowserCheck{c.CheckCommon, *c.Browser, c.kept}, true
}

// BrowserForm is what a browser check has: the script that runs in a browser.
type BrowserForm struct {
	Script *string `json:"script"`
	// ScriptPath and Dependencies are for requests; most services do not return them.
	ScriptPath           *string               `json:"scriptPath,omitzero"`
	Dependencies         []Dependency          `json:"dependencies,omitzero"`
	SSLCheckDomain       *string               `json:"sslCheckDomain"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables"`
}

// CreateBrowser creates a browser check (POST /v1/checks/browser). It is retried only if the
// service certainly did not carry it out. Otherwise the error of a lost response is
// [ErrOutcomeUnknown]: look for the check before you create it again, as [WithLookAgain] does.
// [ErrPaymentRequired] means that the plan allows no more checks.
func (s *ChecksService) CreateBrowser(ctx context.Context, check BrowserCheckCreate, opts ...CallOption) (*BrowserCheck, error) {
	creates := op("POST /v1/checks/browser").assigns(check.AutoAssignAlerts).sends(check)
	return createCheck[BrowserCheck](ctx, s, creates, CheckTypeBrowser, opts)
}

// UpdateBrowser changes a browser check (PUT /v1/checks/browser/{id}). Fields that are left
// out keep their values.
func (s *ChecksService) UpdateBrowser(
	ctx context.Context, id string, update BrowserCheckUpdate, opts ...CallOption,
) (*BrowserCheck, error) {
	return call[BrowserCheck](ctx, (*service)(s), op("PUT /v1/checks/browser/{id}", id).isCheck(CheckTypeBrowser).
		assigns(update.AutoAssignAlerts).sends(&update), opts)
}

// EditBrowser reads a browser check, lets a function change its update, and sends what that changes
// (GET /v1/checks/{id}, then PUT /v1/checks/browser/{id}). The service keeps the rest. If nothing
// changes, nothing is sent. A check of another kind is an error, and the function is not called.
// See [CheckGroupsService.Edit] for details.
func (s *ChecksService) EditBrowser(
	ctx context.Context, id string, edit func(*BrowserCheckUpdate) error, opts ...CallOption,
) (*BrowserCheck, error) {
	return editObject[BrowserCheck](remoteCheck(ctx, s, id, s.UpdateBrowser), edit, opts)
}

// ApplyBrowser writes an update of a browser check that was made earlier, if the check has not
// changed since (GET /v1/checks/{id}, then PUT /v1/checks/browser/{id}); see
// [CheckGroupsService.Apply].
func (s *ChecksService) ApplyBrowser(ctx context.Context, id string, update BrowserCheckUpdate, opts ...CallOption) (*BrowserCheck, error) {
	return applyObject[BrowserCheck](remoteCheck(ctx, s, id, s.UpdateBrowser), update, opts)
}

// Validate returns the [*ValidationError] that [ChecksService.CreateBrowser] would return, and nil
// if there is none. Nothing is sent.
func (c BrowserCheckCreate) Validate() error { return validateBody("POST /v1/checks/browser", c) }

func (c BrowserCheckCreate) validate(v *violations) { v.needScript(c.Script) }

// needScript refuses a script that was forgotten, which would be sent as null.
func (v *violations) needScript(script Nullable[string]) {
	if script.IsZero() {
		v.add("script", "is required: Null creates a check without one")
	}
}

// ToUpdate returns the update that writes the check back as it was read. Change the update, or
// the check before, and pass the update to [ChecksService.UpdateBrowser]. Members are sent as
// for [CheckGroup.ToUpdate]; null is written back as null. If the service withholds the value
// of a variable, the whole list of variables is left out as long as it is not changed;
// [BrowserCheckUpdate.Withheld] says so.
//
// The service keeps members that the update of a check leaves out, so the check is as it was,
// except for the changes. For a check that was not read, the fields that are set are sent.
func (c BrowserCheck) ToUpdate() BrowserCheckUpdate { return toUpdate[BrowserCheckUpdate](&c) }

// ToCreate returns the create that makes an equal check; see [CheckGroup.ToCreate].
func (c BrowserCheck) ToCreate() BrowserCheckCreate {
	return toCreate[BrowserCheckCreate](&c, "POST /v1/checks/browser")
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *BrowserCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *BrowserCheck) read(data []byte) error {
	return readCheck((*plainBrowserCheck)(c), data)
}

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c BrowserCheck) MarshalJSON() ([]byte, error) {
	return keeping.Marshal(&c, (*plainBrowserCheck)(&c))
}

// Set gives the update what a create has; see [CheckGroupUpdate.Set].
func (u *BrowserCheckUpdate) Set(wish BrowserCheckCreate) { setFields(u, &wish) }

// Validate returns the [*ValidationError] that [ChecksService.UpdateBrowser] would return,
// and nil if there is none. Nothing is sent.
func (u BrowserCheckUpdate) Validate() error { return validateUpdate(&u) }

// SetVariable adds or sets a variable; see [CheckGroupUpdate.SetVariable].
func (u *BrowserCheckUpdate) SetVariable(v EnvironmentVariable) error {
	return setVariable(u, &u.EnvironmentVariables, v)
}

// RemoveVariable removes a variable; see [CheckGroupUpdate.RemoveVariable].
func (u *BrowserCheckUpdate) RemoveVariable(key string) error {
	return removeVariable(u, &u.EnvironmentVariables, key)
}

// Withheld returns the members that the update leaves out, although the check that was read had
// them. First comes environmentVariables, if the service withholds the value of a variable, then
// members that this package does not know. The service keeps them. [CheckGroupUpdate.Withheld] says
// how to change them.
func (u BrowserCheckUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make; see [CheckGroupUpdate.Diff].
func (u BrowserCheckUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffWithValues returns the changes with values of variables; see
// [CheckGroupUpdate.DiffWithValues].
func (u BrowserCheckUpdate) DiffWithValues() []Change { return changesOf(u.writeBack().Diff(true)) }

// DiffFrom returns the changes that the update would make to a check that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u BrowserCheckUpdate) DiffFrom(c *BrowserCheck) []Change { return diffFrom(&u, c) }

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u BrowserCheckUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *BrowserCheckUpdate) UnmarshalJSON(data []byte) error {
	return readUpdate[BrowserCheck](u, data)
}

func (u *BrowserCheckUpdate) writeBack() *writeBack {
	type plain BrowserCheckUpdate
	return writeBackOf[BrowserCheck](u, "PUT /v1/checks/browser/{id}", (*plain)(u), &u.AutoAssignAlerts).ofCheck(CheckTypeBrowser)
}

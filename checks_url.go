package monitoring

import (
	"bytes"
	"context"
)

// URLCheckCreate is the request of [ChecksService.CreateURL]. Only Name and Request are required.
// For fields that are left out (nil, or the zero [Nullable]) the service uses its default.
type URLCheckCreate struct {
	CheckSettings
	Request URLRequest `json:"request"`

	// Frequency and FrequencyOffset are as in [TCPCheckCreate].
	Frequency       *int `json:"frequency,omitempty"`
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime is the time in milliseconds over which the check is degraded: 0 to 45000,
	// and not over MaxResponseTime; the default is 3000.
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	// MaxResponseTime is the time in milliseconds over which the check fails, 0 to 45000; the
	// default is 5000. The upper bound depends on the plan.
	MaxResponseTime Nullable[float64] `json:"maxResponseTime,omitzero"`
}

// URLCheckUpdate is the request of [ChecksService.UpdateURL]. The service changes the fields that
// are sent and keeps the others. Nothing is required. In an update of your own, nil and the zero
// [Nullable] leave a field out, and null unsets it. An empty list that is not nil clears a list.
// [CheckGroup.ToUpdate] says what they mean in an update that [URLCheck.ToUpdate] made.
type URLCheckUpdate struct {
	CheckSettings
	// Request replaces the whole request: the API document does not say whether the service keeps what
	// is left out of it.
	Request *URLRequest `json:"request,omitempty"`

	// Frequency and FrequencyOffset belong together; see [TCPCheckCreate].
	Frequency       *int `json:"frequency,omitempty"`
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds; see [URLCheckCreate].
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	MaxResponseTime      Nullable[float64] `json:"maxResponseTime,omitzero"`

	origin `json:"-"`
}

// URLRequest is the request of a URL check. Unlike that of an API check it has no headers and no
// body.
type URLRequest struct {
	// URL is required, with at most 2,048 characters.
	URL string `json:"url"`
	// Method is GET, which is the default.
	Method string `json:"method,omitempty"`
	// FollowRedirects says whether redirects are followed.
	FollowRedirects *bool `json:"followRedirects,omitempty"`
	// SkipSSL accepts certificates that are not valid; the service's default is false.
	SkipSSL *bool `json:"skipSSL,omitempty"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily IPFamily `json:"ipFamily,omitempty"`
	// Assertions have the source STATUS_CODE, and the comparisons EQUALS, NOT_EQUALS, LESS_THAN and
	// GREATER_THAN.
	Assertions []Assertion `json:"assertions,omitzero"`
}

// URLCheck is a check that requests a URL.
type URLCheck struct {
	CheckCommon
	URLForm

	kept `json:"-"`
}

// AsURL returns the check as a URL check, and whether it is one; see [Check.AsAPI].
func (c Check) AsURL() (*URLCheck, bool) {
	if c.URL == nil {
		return nil, false
	}
	return &URLCheck{c.CheckCommon, *c.URL, c.kept}, true
}

// URLForm is what a URL check has: the request that it makes, and how long that may take.
type URLForm struct {
	Request URLRequest `json:"request"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds.
	DegradedResponseTime *float64 `json:"degradedResponseTime"`
	MaxResponseTime      *float64 `json:"maxResponseTime"`
}

// CreateURL creates a URL check (POST /v1/checks/url). It is retried only if the service certainly
// did not carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: look for the
// check before you create it again, as [WithLookAgain] does. [ErrPaymentRequired] means that the
// plan allows no more checks.
func (s *ChecksService) CreateURL(ctx context.Context, check URLCheckCreate, opts ...CallOption) (*URLCheck, error) {
	return createCheck[URLCheck](ctx, s, op("POST /v1/checks/url").assigns(check.AutoAssignAlerts).sends(check), CheckTypeURL, opts)
}

// UpdateURL changes a URL check (PUT /v1/checks/url/{id}) and returns the updated check. Fields
// that are left out keep their values. The error is [ErrNotFound] if there is no such check.
// [ChecksService.EditURL] reads, changes and writes in one call.
func (s *ChecksService) UpdateURL(ctx context.Context, id string, update URLCheckUpdate, opts ...CallOption) (*URLCheck, error) {
	return call[URLCheck](ctx, (*service)(s), op("PUT /v1/checks/url/{id}", id).isCheck(CheckTypeURL).
		assigns(update.AutoAssignAlerts).sends(&update), opts)
}

// EditURL reads a URL check, lets a function change its update, and sends what that changes
// (GET /v1/checks/{id}, then PUT /v1/checks/url/{id}). The service keeps the rest. If nothing
// changes, nothing is sent. A check of another kind is an error, and the function is not called.
// See [CheckGroupsService.Edit] for details.
func (s *ChecksService) EditURL(ctx context.Context, id string, edit func(*URLCheckUpdate) error, opts ...CallOption) (*URLCheck, error) {
	return editObject[URLCheck](remoteCheck(ctx, s, id, s.UpdateURL), edit, opts)
}

// ApplyURL writes an update of a URL check that was made earlier, if the check has not changed
// since (GET /v1/checks/{id}, then PUT /v1/checks/url/{id}); see [CheckGroupsService.Apply].
func (s *ChecksService) ApplyURL(ctx context.Context, id string, update URLCheckUpdate, opts ...CallOption) (*URLCheck, error) {
	return applyObject[URLCheck](remoteCheck(ctx, s, id, s.UpdateURL), update, opts)
}

// Validate returns the [*ValidationError] that [ChecksService.CreateURL] would return, and
// nil if there is none. Nothing is sent.
func (c URLCheckCreate) Validate() error { return validateBody("POST /v1/checks/url", c) }

func (URLCheckCreate) validate(*violations) {}

// ToUpdate returns the update that writes the check back as it was read. Change the update, or the
// check before, and pass the update to [ChecksService.UpdateURL]; see [BrowserCheck.ToUpdate].
func (c URLCheck) ToUpdate() URLCheckUpdate { return toUpdate[URLCheckUpdate](&c) }

// ToCreate returns the create that makes an equal check; see [CheckGroup.ToCreate].
func (c URLCheck) ToCreate() URLCheckCreate {
	return toCreate[URLCheckCreate](&c, "POST /v1/checks/url")
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *URLCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *URLCheck) read(data []byte) error {
	return readCheck((*plainURLCheck)(c), data)
}

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c URLCheck) MarshalJSON() ([]byte, error) { return keeping.Marshal(&c, (*plainURLCheck)(&c)) }

// Set gives the update what a create has; see [CheckGroupUpdate.Set].
func (u *URLCheckUpdate) Set(wish URLCheckCreate) { setFields(u, &wish) }

// Validate returns the [*ValidationError] that [ChecksService.UpdateURL] would return, and nil if
// there is none. Nothing is sent.
func (u URLCheckUpdate) Validate() error { return validateUpdate(&u) }

// Withheld returns the members of the check that the update leaves out, although the check that was
// read had them; see [BrowserCheckUpdate.Withheld].
func (u URLCheckUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make; see [CheckGroupUpdate.Diff].
func (u URLCheckUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffWithValues returns the changes with values of variables; see
// [CheckGroupUpdate.DiffWithValues].
func (u URLCheckUpdate) DiffWithValues() []Change { return changesOf(u.writeBack().Diff(true)) }

// DiffFrom returns the changes that the update would make to a check that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u URLCheckUpdate) DiffFrom(c *URLCheck) []Change { return diffFrom(&u, c) }

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u URLCheckUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *URLCheckUpdate) UnmarshalJSON(data []byte) error { return readUpdate[URLCheck](u, data) }

func (u *URLCheckUpdate) writeBack() *writeBack {
	type plain URLCheckUpdate
	return writeBackOf[URLCheck](u, "PUT /v1/checks/url/{id}", (*plain)(u), &u.AutoAssignAlerts).ofCheck(CheckTypeURL)
}

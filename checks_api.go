package monitoring

import (
	"bytes"
	"context"
)

// APICheckCreate is the request of [ChecksService.CreateAPI]. Only Name and Request are required.
// For fields that are left out (nil, or the zero [Nullable]) the service uses its default.
type APICheckCreate struct {
	CheckSettings
	Request APIRequest `json:"request"`

	// Frequency is in minutes: 0 (see FrequencyOffset), 1, 2, 5, 10 (the default), 15, 30,
	// 60, 120, 180, 360, 720 or 1440.
	Frequency *int `json:"frequency,omitempty"`
	// FrequencyOffset is 10, 20 or 30 for Frequency 0: the number of seconds between two runs.
	// Otherwise it is 1 to 10 times the frequency for frequencies up to 60, and 1 to the frequency in
	// hours, rounded up, above 60.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime is the time in milliseconds over which the check is degraded, at least 0
	// and not over MaxResponseTime; the default is 5000.
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	// MaxResponseTime is the time in milliseconds over which the check fails, at least 0; the
	// default is 20000. The upper bound depends on the plan; no plan has more than 45000.
	MaxResponseTime Nullable[float64] `json:"maxResponseTime,omitzero"`

	// SetupSnippetID and TearDownSnippetID are the snippets that run before and after the request,
	// and LocalSetupScript and LocalTearDownScript Node.js code for the same; null is none.
	SetupSnippetID      Nullable[int64]  `json:"setupSnippetId,omitzero"`
	TearDownSnippetID   Nullable[int64]  `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript    Nullable[string] `json:"localSetupScript,omitzero"`
	LocalTearDownScript Nullable[string] `json:"localTearDownScript,omitzero"`
}

// APICheckUpdate is the request of [ChecksService.UpdateAPI]. The service changes the fields that
// are sent and keeps the others. Nothing is required. In an update of your own, nil and the zero
// [Nullable] leave a field out, and null unsets it. An empty list that is not nil clears a list.
// [CheckGroup.ToUpdate] says what they mean in an update that [APICheck.ToUpdate] made.
type APICheckUpdate struct {
	CheckSettings
	// Request replaces the whole request: the API document does not say whether the service keeps what
	// is left out of it.
	Request *APIRequest `json:"request,omitempty"`

	// Frequency and FrequencyOffset belong together; see [APICheckCreate].
	Frequency       *int `json:"frequency,omitempty"`
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds; see [APICheckCreate].
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	MaxResponseTime      Nullable[float64] `json:"maxResponseTime,omitzero"`

	// SetupSnippetID and TearDownSnippetID are the snippets that run before and after the request,
	// and LocalSetupScript and LocalTearDownScript Node.js code for the same; null is none.
	SetupSnippetID      Nullable[int64]  `json:"setupSnippetId,omitzero"`
	TearDownSnippetID   Nullable[int64]  `json:"tearDownSnippetId,omitzero"`
	LocalSetupScript    Nullable[string] `json:"localSetupScript,omitzero"`
	LocalTearDownScript Nullable[string] `json:"localTearDownScript,omitzero"`

	origin `json:"-"`
}

// APIRequest is the HTTP request of an API check.
type APIRequest struct {
	// Method is required: GET, POST, PUT, HEAD, DELETE or PATCH.
	Method string `json:"method"`
	// URL is required, with at most 2,048 characters.
	URL string `json:"url"`
	// FollowRedirects says whether redirects are followed.
	FollowRedirects *bool `json:"followRedirects,omitempty"`
	// SkipSSL accepts certificates that are not valid; the service's default is false.
	SkipSSL *bool `json:"skipSSL,omitempty"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily IPFamily `json:"ipFamily,omitempty"`
	// Body is sent as BodyType says; the service's default is "". It is a text, so that a check in a
	// file is whole: [json.Marshal] writes it. [WithWireLog] masks it, because it may have a password.
	Body *string `json:"body,omitzero"`
	// BodyType is JSON, FORM, RAW, GRAPHQL or NONE; the service's default is NONE.
	BodyType        APIBodyType `json:"bodyType,omitempty"`
	Headers         []KeyValue  `json:"headers,omitzero"`
	QueryParameters []KeyValue  `json:"queryParameters,omitzero"`
	// BasicAuth is null for a request without it.
	BasicAuth Nullable[BasicAuth] `json:"basicAuth,omitzero"`
	// Assertions have the sources STATUS_CODE, JSON_BODY, HEADERS, TEXT_BODY and RESPONSE_TIME.
	Assertions []Assertion `json:"assertions,omitzero"`
}

// APICheck is a check that sends an HTTP request.
type APICheck struct {
	CheckCommon
	APIForm

	kept `json:"-"`
}

// AsAPI returns the check as an API check, and whether it is one. It keeps the JSON of the check,
// so that its update writes the check back as it was read. It shares the lists of the check.
func (c Check) AsAPI() (*APICheck, bool) {
	if c.API == nil {
		return nil, false
	}
	return &APICheck{c.CheckCommon, *c.API, c.kept}, true
}

// APIForm is what an API check has: the request that it sends, and what runs around it.
type APIForm struct {
	Request APIRequest `json:"request"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds.
	DegradedResponseTime *float64 `json:"degradedResponseTime"`
	MaxResponseTime      *float64 `json:"maxResponseTime"`
	// SetupSnippetID and TearDownSnippetID are the snippets that run before and after the request,
	// and LocalSetupScript and LocalTearDownScript Node.js code for the same.
	SetupSnippetID      *int64  `json:"setupSnippetId"`
	TearDownSnippetID   *int64  `json:"tearDownSnippetId"`
	LocalSetupScript    *string `json:"localSetupScript"`
	LocalTearDownScript *string `json:"localTearDownScript"`

	SetupScriptDependencies    []Dependency `json:"setupScriptDependencies,omitzero"`
	TearDownScriptDependencies []Dependency `json:"tearDownScriptDependencies,omitzero"`
}

// CreateAPI creates an API check (POST /v1/checks/api). It is retried only if the service certainly
// did not carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: look for the
// check before you create it again, as [WithLookAgain] does. [ErrPaymentRequired] means that the
// plan allows no more checks.
func (s *ChecksService) CreateAPI(ctx context.Context, check APICheckCreate, opts ...CallOption) (*APICheck, error) {
	return createCheck[APICheck](ctx, s, op("POST /v1/checks/api").assigns(check.AutoAssignAlerts).sends(check), CheckTypeAPI, opts)
}

// UpdateAPI changes an API check (PUT /v1/checks/api/{id}) and returns the updated check. Fields
// that are left out keep their values. The error is [ErrNotFound] if there is no such check.
// [ChecksService.EditAPI] reads, changes and writes in one call.
func (s *ChecksService) UpdateAPI(ctx context.Context, id string, update APICheckUpdate, opts ...CallOption) (*APICheck, error) {
	return call[APICheck](ctx, (*service)(s), op("PUT /v1/checks/api/{id}", id).isCheck(CheckTypeAPI).
		assigns(update.AutoAssignAlerts).sends(&update), opts)
}

// EditAPI reads an API check, lets a function change its update, and sends what that changes
// (GET /v1/checks/{id}, then PUT /v1/checks/api/{id}). The service keeps the rest. If nothing
// changes, nothing is sent. A check of another kind is an error, and the function is not called.
// See [CheckGroupsService.Edit] for details.
func (s *ChecksService) EditAPI(ctx context.Context, id string, edit func(*APICheckUpdate) error, opts ...CallOption) (*APICheck, error) {
	return editObject[APICheck](remoteCheck(ctx, s, id, s.UpdateAPI), edit, opts)
}

// ApplyAPI writes an update of an API check that was made earlier, if the check has not changed
// since (GET /v1/checks/{id}, then PUT /v1/checks/api/{id}); see [CheckGroupsService.Apply].
func (s *ChecksService) ApplyAPI(ctx context.Context, id string, update APICheckUpdate, opts ...CallOption) (*APICheck, error) {
	return applyObject[APICheck](remoteCheck(ctx, s, id, s.UpdateAPI), update, opts)
}

// Validate returns the [*ValidationError] that [ChecksService.CreateAPI] would return, and nil if
// there is none. Nothing is sent.
func (c APICheckCreate) Validate() error { return validateBody("POST /v1/checks/api", c) }

func (APICheckCreate) validate(*violations) {}

// ToUpdate returns the update that writes the check back as it was read. Change the update, or the
// check before, and pass the update to [ChecksService.UpdateAPI]; see [BrowserCheck.ToUpdate].
// If the service withholds a value or the password in the request, the whole request is left out as
// long as it is not changed; [APICheckUpdate.Withheld] says so.
func (c APICheck) ToUpdate() APICheckUpdate { return toUpdate[APICheckUpdate](&c) }

// ToCreate returns the create that makes an equal check; see [CheckGroup.ToCreate]. It is
// refused until you set each value in Request that the service withholds. For another account clear
// GroupID, AlertChannelSubscriptions, PrivateLocations and the ids of snippets: they mean other
// objects there.
func (c APICheck) ToCreate() APICheckCreate {
	return toCreate[APICheckCreate](&c, "POST /v1/checks/api")
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *APICheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *APICheck) read(data []byte) error {
	return readCheck((*plainAPICheck)(c), data)
}

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c APICheck) MarshalJSON() ([]byte, error) { return keeping.Marshal(&c, (*plainAPICheck)(&c)) }

// Set gives the update what a create has; see [CheckGroupUpdate.Set].
func (u *APICheckUpdate) Set(wish APICheckCreate) { setFields(u, &wish) }

// Validate returns the [*ValidationError] that [ChecksService.UpdateAPI] would return, and nil if
// there is none. Nothing is sent.
func (u APICheckUpdate) Validate() error { return validateUpdate(&u) }

// Withheld returns the members that the update leaves out, although the check that was read had
// them. First comes request, if the service withholds a value or a password in it, then members
// that this package does not know. The service keeps them. [CheckGroupUpdate.Withheld] says how to
// change them.
func (u APICheckUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make; see [CheckGroupUpdate.Diff].
func (u APICheckUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffWithValues returns the changes with values of variables; see
// [CheckGroupUpdate.DiffWithValues].
func (u APICheckUpdate) DiffWithValues() []Change { return changesOf(u.writeBack().Diff(true)) }

// DiffFrom returns the changes that the update would make to a check that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u APICheckUpdate) DiffFrom(c *APICheck) []Change { return diffFrom(&u, c) }

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u APICheckUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *APICheckUpdate) UnmarshalJSON(data []byte) error { return readUpdate[APICheck](u, data) }

func (u *APICheckUpdate) writeBack() *writeBack {
	type plain APICheckUpdate
	return writeBackOf[APICheck](u, "PUT /v1/checks/api/{id}", (*plain)(u), &u.AutoAssignAlerts).ofCheck(CheckTypeAPI).
		lacking("setupScriptDependencies", "tearDownScriptDependencies")
}

func (APIRequest) looseTexts() []string { return []string{"body"} }

func (APIRequest) maskedMembers() []string { return []string{"body"} }
